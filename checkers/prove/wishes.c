// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wishes.h"

#include <stdlib.h>

static void wish(gs_terms *terms, gs_term *list, size_t *count, gs_op op, gs_term t, uint64_t value) {
  uint64_t known = 0;
  if (!t || *count == GS_MAX_WISHES || gs_term_const(terms, t, &known))
    return;
  list[(*count)++] = gs_mk_bin(terms, op, t, gs_mk_const(terms, value, gs_term_width(terms, t)));
}

size_t gs_friendly_wishes(const gs_program *p, gs_scene *scene, const gs_case *c, const gs_term *hard,
                          size_t hard_count, gs_term list[GS_MAX_WISHES]) {
  gs_terms *terms = p->terms;
  size_t n = 0;
  uint32_t syms = gs_sym_count(terms);
  unsigned char *seen = calloc(syms + 1u, 1);
  if (!seen)
    return 0;
  for (size_t i = 0; i < hard_count; i++)
    gs_term_syms(terms, hard[i], seen);
  for (uint32_t d = 0; d < 3; d++)
    wish(terms, list, &n, GS_OP_ULE, gs_scene_launch_term(scene, p->nctaid[d]), d ? 1 : 2);
  for (uint32_t s = 0; s < syms && n < GS_MAX_WISHES / 2; s++)
    if (seen[s] && gs_sym_get(terms, s)->kind == GS_SYM_LOOP)
      wish(terms, list, &n, GS_OP_EQ, gs_sym_term(terms, s), 0);
  for (uint32_t i = 0; i < c->distinct_count; i++)
    for (int who = 0; who < 2; who++)
      wish(terms, list, &n, GS_OP_EQ, gs_sym_term(terms, c->distinct[i][who]), (uint64_t)who);
  for (uint32_t s = 0; s < syms; s++) {
    const gs_sym *sym = gs_sym_get(terms, s);
    if (seen[s] && (sym->kind == GS_SYM_TID || sym->kind == GS_SYM_CTAID))
      wish(terms, list, &n, GS_OP_EQ, gs_sym_term(terms, s), 0);
    else if (seen[s] && sym->kind == GS_SYM_PARAM && !sym->is_address)
      wish(terms, list, &n, GS_OP_ULE, gs_sym_term(terms, s), 300);
  }
  free(seen);
  return n;
}
