// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "smt_model.h"

#include "smt_dag.h"

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

gs_truth gs_model_check(const gs_terms *terms, const gs_term *hard, size_t count,
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

// ------------------------------------------------------------------ flags ----

__extension__ typedef __int128 exact; ///< holds every result of 64-bit operands

static bool value_of(const gs_terms *terms, gs_term t, gs_model *model, uint64_t *value) {
  return gs_term_eval(terms, t, model->values, gs_model_load_value, model, value);
}

/// Is the exact result of an operation inside the type that its flags name?
static bool fits(const gs_node *node, uint64_t x, uint64_t y, uint8_t operand_width, bool is_signed) {
  exact a = is_signed ? (exact)gs_sign_extend(x, operand_width) : (exact)x;
  exact b = is_signed ? (exact)gs_sign_extend(y, operand_width) : (exact)y;
  exact low = is_signed ? -((exact)1 << (node->width - 1)) : 0;
  exact high = ((exact)1 << (is_signed ? node->width - 1 : node->width)) - 1;
  exact r = 0;
  switch (node->op) {
  case GS_OP_ADD: r = a + b; break;
  case GS_OP_SUB: r = a - b; break;
  case GS_OP_MUL:
    if (__builtin_mul_overflow(a, b, &r))
      return false;
    break;
  case GS_OP_SHL:
    if (y >= node->width)
      return false;
    r = a * ((exact)1 << y); // |a| < 2^64 and y < 64
    break;
  default: r = a; break; // TRUNC
  }
  return r >= low && r <= high;
}

static bool keeps_flags_at(const gs_terms *terms, gs_term t, gs_model *model) {
  const gs_node *node = gs_term_node(terms, t);
  uint64_t x = 0, y = 0;
  if (!node->flags)
    return true;
  if (!value_of(terms, node->arg[0], model, &x) ||
      (gs_op_arity((gs_op)node->op) > 1 && !value_of(terms, node->arg[1], model, &y)))
    return false;
  uint8_t width = gs_term_width(terms, node->arg[0]);
  return (!(node->flags & GS_NSW) || fits(node, x, y, width, true)) &&
         (!(node->flags & GS_NUW) || fits(node, x, y, width, false));
}

bool gs_model_keeps_flags(const gs_terms *terms, const gs_term *roots, size_t count,
                          gs_model *model) {
  gs_dag dag = {0};
  bool fine = gs_dag_collect(terms, roots, count, &dag);
  uint8_t *runs = fine ? calloc(dag.count + 1u, 1) : NULL;
  fine = runs != NULL;
  for (size_t i = 0; fine && i < count; i++)
    runs[gs_dag_at(&dag, roots[i])] = 1;
  for (uint32_t at = dag.count; at-- > 0 && fine;) { // users before operands
    const gs_node *node = gs_term_node(terms, dag.terms[at]);
    uint32_t arity = gs_op_arity((gs_op)node->op);
    uint64_t taken = 0;
    if (!runs[at])
      continue;
    fine = keeps_flags_at(terms, dag.terms[at], model);
    if (node->op == GS_OP_ITE && fine) {
      fine = value_of(terms, node->arg[0], model, &taken);
      runs[gs_dag_at(&dag, node->arg[0])] = 1;
      runs[gs_dag_at(&dag, node->arg[taken ? 1 : 2])] = 1;
    } else {
      for (uint32_t a = 0; a < arity; a++)
        runs[gs_dag_at(&dag, node->arg[a])] = 1;
    }
  }
  free(runs);
  gs_dag_free(&dag);
  return fine;
}
