// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain description of a random kernel that the checker gets.
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = FZ_MAX_ARRAYS + FZ_MAX_SCALARS + 1, MAX_FIELDS = FZ_MAX_ARRAYS + FZ_MAX_SCALARS };

typedef struct parts {
  char name[16], names[MAX_PARAMS][16], paths[MAX_FIELDS][16];
  gs_param_desc params[MAX_PARAMS];
  gs_field ints[MAX_PARAMS], fields[MAX_FIELDS];
  gs_claim claims[FZ_MAX_ARRAYS];
  gs_fact facts[FZ_MAX_FACTS];
  gs_clause *clauses[FZ_MAX_ARRAYS + FZ_MAX_FACTS];
  uint32_t clause_count, field_count;
} parts;

static void add_int(parts *p, gs_kernel_desc *d, const fz_kernel *k, uint32_t i) {
  uint32_t at = d->param_count++;
  fz_type type = k->scalars[i].type;
  snprintf(p->names[at], sizeof p->names[at], "n%u", i);
  p->ints[at] = (gs_field){.path = "", .bits = 8 * fz_type_size(type), .kind = GS_TYPE_INT,
                           .is_signed = fz_type_signed(type)};
  p->params[at] = (gs_param_desc){.name = p->names[at], .type = fz_type_name(type), .kind = GS_TYPE_INT,
                                  .size = fz_type_size(type), .fields = &p->ints[at], .field_count = 1};
}

static void add_pointer(parts *p, gs_kernel_desc *d, const fz_kernel *k, uint32_t i) {
  uint32_t at = d->param_count++;
  const fz_array *a = &k->arrays[i];
  snprintf(p->names[at], sizeof p->names[at], "a%u", i);
  p->params[at] = (gs_param_desc){.name = p->names[at], .type = "", .kind = GS_TYPE_POINTER, .size = 8,
                                  .elem_size = fz_type_size(a->elem), .const_pointee = a->is_const};
}

static void add_struct(parts *p, gs_kernel_desc *d, const fz_kernel *k) {
  uint32_t offset = 0, most = 1;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < (pass ? k->array_count : k->scalar_count); i++) {
      bool mine = pass ? k->arrays[i].space == FZ_FIELD : k->scalars[i].is_field;
      if (!mine)
        continue;
      uint32_t size = pass ? 8 : fz_type_size(k->scalars[i].type), at = p->field_count++;
      offset = (offset + size - 1) / size * size;
      most = size > most ? size : most;
      snprintf(p->paths[at], sizeof p->paths[at], "%s%u", pass ? "a" : "n", i);
      p->fields[at] = (gs_field){.path = p->paths[at], .offset = offset, .bits = 8 * size,
                                 .kind = pass ? GS_TYPE_POINTER : GS_TYPE_INT,
                                 .is_signed = !pass && fz_type_signed(k->scalars[i].type),
                                 .elem_size = pass ? fz_type_size(k->arrays[i].elem) : 0};
      offset += size;
    }
  if (!p->field_count)
    return;
  p->params[d->param_count++] =
      (gs_param_desc){.name = "p", .type = "P", .kind = GS_TYPE_RECORD,
                      .size = (offset + most - 1) / most * most, .fields = p->fields,
                      .field_count = p->field_count};
}

static bool resolve(void *user, const char *name, size_t length, gs_name *out, const char **hint) {
  const gs_kernel_desc *d = user;
  char text[32];
  (void)hint;
  if (length >= sizeof text)
    return false;
  memcpy(text, name, length);
  text[length] = 0;
  memset(out, 0, sizeof *out);
  for (uint32_t i = 0; i < d->param_count; i++) {
    const gs_param_desc *param = &d->params[i];
    bool record = param->kind == GS_TYPE_RECORD;
    for (uint32_t j = 0; j < param->field_count; j++) {
      const gs_field *f = &param->fields[j];
      if (f->kind != GS_TYPE_INT || (record ? strncmp(text, "p.", 2) != 0 || strcmp(text + 2, f->path) != 0
                                            : strcmp(text, param->name) != 0))
        continue;
      out->kind = GS_NAME_PARAM;
      out->param = i;
      out->offset = f->offset;
      out->bits = f->bits;
      out->is_signed = f->is_signed;
      return true;
    }
  }
  return false;
}

static gs_clause *parse(parts *p, gs_kernel_desc *d, const char *text) {
  gs_clause *clause = NULL;
  if (gs_clause_parse(text, strlen(text), resolve, d, &clause, NULL) != GS_OK)
    return NULL;
  return p->clauses[p->clause_count++] = clause;
}

static uint32_t param_of_array(const gs_kernel_desc *d, uint32_t array) {
  char name[16];
  snprintf(name, sizeof name, "a%u", array);
  uint32_t i = 0;
  while (i < d->param_count && strcmp(d->params[i].name, name) != 0)
    i++;
  return i;
}

bool fz_describe(const fz_kernel *k, fz_description *out) {
  parts *p = calloc(1, sizeof *p);
  if (!p)
    abort();
  gs_kernel_desc *d = &out->desc;
  *out = (fz_description){.parts = p};
  snprintf(p->name, sizeof p->name, "k%u", k->index);
  *d = (gs_kernel_desc){.mangled = p->name, .name = p->name, .params = p->params, .claims = p->claims,
                        .facts = p->facts};
  for (uint32_t i = 0; i < k->array_count; i++)
    if (k->arrays[i].space == FZ_PARAM)
      add_pointer(p, d, k, i);
  for (uint32_t i = 0; i < k->scalar_count; i++)
    if (!k->scalars[i].is_field)
      add_int(p, d, k, i);
  add_struct(p, d, k);
  bool fine = true;
  for (uint32_t i = 0; i < k->array_count; i++) {
    const fz_array *a = &k->arrays[i];
    if (a->space != FZ_PARAM || !a->claim)
      continue;
    gs_clause *count = parse(p, d, a->count);
    fine &= count != NULL;
    p->claims[d->claim_count++] =
        (gs_claim){.kind = a->claim == FZ_EXTENT ? GS_CLAIM_EXTENT : GS_CLAIM_DISJOINT,
                   .param = (int32_t)param_of_array(d, i), .count = count};
  }
  for (uint32_t i = 0; i < k->fact_count; i++) {
    gs_clause *clause = parse(p, d, k->facts[i]);
    fine &= clause != NULL;
    p->facts[d->fact_count++] = (gs_fact){.clause = clause, .origin = GS_FACT_CONTRACT};
  }
  if (!fine)
    fz_description_free(out);
  return fine;
}

void fz_description_free(fz_description *d) {
  parts *p = d->parts;
  for (uint32_t i = 0; p && i < p->clause_count; i++)
    gs_clause_free(p->clauses[i]);
  free(p);
  d->parts = NULL;
}
