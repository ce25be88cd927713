// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C computes in the condition keeps the access inside because the index in it is the
// very index of the access, and the bound, where its arithmetic wraps, only gets smaller.
#include "guard_fix.h"

#include <inttypes.h>

/// Does the count mean in C what it means in a contract, or less?
static bool is_plain(const gs_clause *count) {
  for (uint32_t i = 0; i < count->count; i++) {
    const gs_expr *e = &count->nodes[i];
    bool name = e->op == GS_EXPR_NAME &&
                (e->name.kind == GS_NAME_PARAM || e->name.kind == GS_NAME_CONSTANT);
    if (!name && e->op != GS_EXPR_INT && e->op != GS_EXPR_ADD && e->op != GS_EXPR_MUL)
      return false;
  }
  return true;
}

/// Is what is added and multiplied never negative? Then a result that wraps in the signed
/// or unsigned type of C is below the exact one.
static bool grows(const gs_kernel *k, const gs_clause *count) {
  if (count->count == 1)
    return true;
  for (uint32_t i = 0; i < count->count; i++) {
    const gs_expr *e = &count->nodes[i];
    bool negative = e->op == GS_EXPR_INT ? e->value < 0
                    : e->op == GS_EXPR_NAME && e->name.kind == GS_NAME_CONSTANT && e->name.value < 0;
    if (negative)
      return false;
    // A parameter: only where the launch says so.
    if (e->op != GS_EXPR_NAME || e->name.kind != GS_NAME_PARAM || !e->name.is_signed)
      continue;
    gs_terms *t = k->program->terms;
    gs_term v = gs_program_param(k->program, e->name.param, e->name.offset, (uint8_t)e->name.bits, true);
    gs_term below = gs_mk_bin(t, GS_OP_SLT, gs_scene_launch_term(k->scene, v),
                              gs_mk_const(t, 0, (uint8_t)e->name.bits));
    gs_case c = {0};
    c.facts = gs_scene_launch_facts(k->scene, &c.fact_count);
    if (gs_prover_decide(k->prover, &c, false, below, NULL) != GS_ANSWER_NO)
      return false;
  }
  return true;
}

void gs_offer_guard(gs_kernel *k, gs_finding *f, uint32_t access, const gs_index_bound *bound,
                    bool below, bool past) {
  const gs_program *p = k->program;
  const gs_access *a = &p->accesses[access];
  const gs_object *o = bound->object;
  bool whole = a->target_count == 1 && a->size && a->size == o->elem_size &&
               p->places[a->place].inlined_at == GS_NONE;
  if (!whole || !o->name || !k->desc || !k->desc->find_guard || f->fixit_count)
    return;
  if (past && bound->count && (!is_plain(bound->count) || !grows(k, bound->count)))
    return;
  gs_pool *arena = k->result->arena;
  const char *limit = bound->count ? bound->count->text
                                   : gs_pool_format(arena, "%" PRIu64, bound->elements);
  gs_fixit *fix = gs_pool_alloc(arena, sizeof *fix);
  gs_loc loc = gs_place_loc(p, a->place);
  if (!fix || !limit || !k->desc->find_guard(k->desc->find_gap_user, &loc, o->name,
                                             past ? limit : NULL, below, fix))
    return;
  fix->loc.file = gs_pool_text(arena, fix->loc.file);
  fix->insert = gs_pool_text(arena, fix->insert);
  gs_result_note(k->result, f, fix->loc, "this condition keeps the index inside");
  f->fixits = fix;
  f->fixit_count = 1;
}
