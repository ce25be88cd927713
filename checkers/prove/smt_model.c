// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "smt_model.h"

#include <stdlib.h>

bool gs_model_init(gs_model *model, const gs_terms *terms, uint32_t loads) {
  *model = (gs_model){.count = gs_sym_count(terms)};
  model->values = calloc(model->count ? model->count : 1, sizeof *model->values);
  model->loads = calloc(loads ? loads : 1, sizeof *model->loads);
  if (model->values && model->loads)
    return true;
  gs_model_free(model);
  return false;
}

void gs_model_free(gs_model *model) {
  free(model->values);
  free(model->loads);
  *model = (gs_model){0};
}

static const gs_model_load *find_load(const gs_model *model, uint64_t address, uint8_t width) {
  for (uint32_t i = 0; i < model->load_count; i++)
    if (model->loads[i].address == address && model->loads[i].width == width)
      return &model->loads[i];
  return NULL;
}

void gs_model_add_load(gs_model *model, gs_model_load load) {
  if (!find_load(model, load.address, load.width))
    model->loads[model->load_count++] = load;
}

uint64_t gs_model_load_value(void *model, uint64_t address, uint8_t width) {
  const gs_model_load *load = find_load(model, address, width);
  return load ? load->value : 0;
}

bool gs_loads_agree(const gs_model_load *a, const gs_model_load *b) {
  if (b->address - a->address >= gs_load_bytes(a->width)) {
    if (a->address - b->address >= gs_load_bytes(b->width))
      return true;
    const gs_model_load *first = a; // b starts earlier and reaches into a
    a = b;
    b = first;
  }
  uint32_t shift = 8 * (uint32_t)(b->address - a->address);
  uint32_t common = a->width - shift < b->width ? a->width - shift : b->width;
  return (((a->value >> shift) ^ b->value) & gs_mask((uint8_t)common)) == 0;
}

gs_check gs_model_check(const gs_terms *terms, const gs_term *hard, size_t count,
                        gs_model *model) {
  bool holds = true;
  for (size_t i = 0; i < count; i++) {
    uint64_t value = 0;
    if (!gs_term_eval(terms, hard[i], model->values, gs_model_load_value, model, &value))
      return GS_CHECK_UNDEFINED;
    holds &= value == 1;
  }
  return holds ? GS_CHECK_TRUE : GS_CHECK_FALSE;
}
