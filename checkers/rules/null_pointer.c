// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// null-pointer: a pointer that is null for certain is dereferenced. The page is
// null-pointer.md.
#include "lone.h"

#include <stdlib.h>

enum { NULL_PAGE = 4096 }; // bytes behind null that belong to nobody

/// Is an address made of constants and indices alone? Then it is null and a bit, or no
/// pointer at all: what is passed in as an integer, or loaded, may be an address.
static bool points_nowhere(const gs_program *p, gs_term address) {
  uint32_t count = gs_sym_count(p->terms);
  size_t size = gs_terms_count(p->terms);
  unsigned char *syms = calloc(count + 1u, 1), *nodes = calloc(size + 1u, 1);
  bool none = syms && nodes;
  if (none) {
    gs_term_syms(p->terms, address, syms);
    gs_term_mark(p->terms, address, nodes);
  }
  for (uint32_t s = 0; s < count && none; s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    none = !syms[s] || !(sym->is_address || sym->kind == GS_SYM_BASE || sym->kind == GS_SYM_OPAQUE ||
                         sym->kind == GS_SYM_PHI || (sym->kind == GS_SYM_PARAM && sym->width == 64));
  }
  for (size_t t = 1; t < size && none; t++)
    none = !nodes[t] || !gs_term_is(p->terms, (gs_term)t, GS_OP_LOAD);
  free(syms);
  free(nodes);
  return none;
}

static void report(gs_kernel *k, gs_lone *lone, uint32_t a, const gs_object *object) {
  const gs_access *access = &k->program->accesses[a];
  gs_finding f;
  if (!gs_lone_finding(k, lone, gs_place_loc(k->program, access->place), object, &f))
    return;
  const char *what = object && object->name ? gs_pool_format(k->result->arena, "'%s', which is null", object->name)
                                            : "a null pointer";
  f.message = gs_pool_format(k->result->arena, "%snull pointer: %s %s through %s, when launched with %s",
                             gs_lone_doubt(&f), gs_words_thread(k, f.witness, 0),
                             gs_words_verb(access), what, gs_words_launch(k, f.witness));
  gs_lone_report(k, &f, "let the pointer point to something on every path that leads here, or check it first");
}

/// Does the condition of the block say something about the address itself?
static bool asks_about(const gs_program *p, uint32_t block, gs_term base) {
  uint32_t count = gs_sym_count(p->terms);
  unsigned char *seen = calloc(count + 1u, 1);
  bool asks = false;
  if (seen) {
    gs_term_syms(p->terms, p->blocks[block].guard, seen);
    for (uint32_t l = p->blocks[block].loop; l != GS_NONE; l = p->loops[l].parent)
      gs_term_syms(p->terms, p->loops[l].entry, seen);
    asks = gs_term_is(p->terms, base, GS_OP_SYM) && seen[gs_term_node(p->terms, base)->value];
  }
  free(seen);
  return asks;
}

static void check(gs_kernel *k, uint32_t a, uint32_t t) {
  const gs_program *p = k->program;
  gs_terms *terms = p->terms;
  const gs_target *target = &p->accesses[a].targets[t];
  const gs_object *object = &p->objects[target->object];
  gs_lone lone;
  if (!gs_lone_is_new(k, GS_RULE_NULL_POINTER, gs_place_loc(p, p->accesses[a].place)))
    return;
  if (object->kind == GS_OBJECT_UNKNOWN && points_nowhere(p, target->offset)) {
    gs_term low = gs_mk_bin(terms, GS_OP_ULT, target->offset, gs_mk_const(terms, NULL_PAGE, 64));
    if (gs_lone_access(k, GS_RULE_NULL_POINTER, a, t, low, &lone) == GS_ANSWER_YES)
      report(k, &lone, a, NULL);
    gs_lone_free(&lone);
  } else if (object->kind == GS_OBJECT_PARAM && object->base &&
             asks_about(p, gs_phases_block(k->phases, a), object->base)) {
    gs_term null = gs_mk_bin(terms, GS_OP_EQ, object->base, gs_mk_const(terms, 0, 64));
    // Whenever the access happens the pointer is null, and it happens.
    gs_answer other = gs_lone_access(k, GS_RULE_NULL_POINTER, a, t, gs_mk_not(terms, null), &lone);
    gs_lone_free(&lone);
    if (other != GS_ANSWER_NO)
      return;
    if (gs_lone_access(k, GS_RULE_NULL_POINTER, a, t, GS_NO_TERM, &lone) == GS_ANSWER_YES)
      report(k, &lone, a, object);
    gs_lone_free(&lone);
  }
}

void gs_rule_null_pointer(gs_kernel *k) {
  for (uint32_t a = 0; a < k->program->access_count; a++)
    for (uint32_t t = 0; !k->program->accesses[a].echo && t < k->program->accesses[a].target_count; t++)
      check(k, a, t);
}
