// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "desc_names.h"

#include <string.h>

static bool is_text(const char *text, const char *name, size_t length) {
  return strlen(text) == length && memcmp(text, name, length) == 0;
}

static bool resolve_field(const gs_param_desc *p, uint32_t param, const char *path, size_t length,
                          gs_name *out) {
  for (uint32_t i = 0; i < p->field_count; i++)
    if (p->fields[i].kind == GS_TYPE_INT && is_text(p->fields[i].path, path, length)) {
      *out = (gs_name){.kind = GS_NAME_PARAM, .param = param, .offset = p->fields[i].offset,
                       .bits = p->fields[i].bits, .is_signed = p->fields[i].is_signed};
      return true;
    }
  return false;
}

static bool resolve_param(const gs_kernel_desc *desc, const char *name, size_t length, gs_name *out) {
  const char *dot = memchr(name, '.', length);
  size_t head = dot ? (size_t)(dot - name) : length;
  for (uint32_t i = 0; i < desc->param_count; i++) {
    const gs_param_desc *p = &desc->params[i];
    if (!is_text(p->name, name, head))
      continue;
    if (dot)
      return p->kind == GS_TYPE_RECORD && resolve_field(p, i, dot + 1, length - head - 1, out);
    *out = (gs_name){.kind = GS_NAME_POINTER, .param = i};
    return p->kind == GS_TYPE_POINTER ||
           (p->kind == GS_TYPE_INT && p->field_count == 1 && resolve_field(p, i, "", 0, out));
  }
  return false;
}

/// What a text of the source says in other names (constants) is known from its clause.
static bool resolve_as(const gs_clause *clause, const char *name, size_t length, gs_name *out) {
  for (uint32_t n = 0; clause && n < clause->count; n++) {
    const gs_expr *e = &clause->nodes[n];
    if (e->op == GS_EXPR_NAME && e->end - e->begin == length &&
        memcmp(clause->text + e->begin, name, length) == 0) {
      *out = e->name;
      return true;
    }
  }
  return false;
}

bool gs_desc_resolve(void *user, const char *name, size_t length, gs_name *out, const char **hint) {
  const gs_kernel_desc *desc = user;
  (void)hint;
  bool found = resolve_param(desc, name, length, out);
  for (uint32_t i = 0; i < desc->claim_count && !found; i++)
    found = resolve_as(desc->claims[i].count, name, length, out);
  for (uint32_t i = 0; i < desc->fact_count && !found; i++)
    found = resolve_as(desc->facts[i].clause, name, length, out);
  return found;
}
