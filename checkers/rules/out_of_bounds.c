// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// out-of-bounds: an access outside of its array or of the declared extent. The
// page is out-of-bounds.md.
#include "rule.h"

#include "clause_terms.h"
#include "confirm.h"
#include "guard_fix.h"
#include "offset_range.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// What bounds an object: bytes as a term, and how to say it.
typedef struct limit {
  gs_term bytes;
  const char *words;    ///< "n = 300 elements" comes from these
  const gs_claim *claim; ///< NULL for an array of known size
  bool dynamic;          ///< what the launch gives
  uint64_t value;        ///< dynamic: in the model
} limit;

static limit limit_of(gs_kernel *k, const gs_object *object, const gs_claim *claim) {
  gs_terms *t = k->program->terms;
  limit out = {.claim = claim};
  if (claim) {
    gs_term count = gs_clause_value(k->program, claim->count, k->options->sm);
    gs_term size = gs_mk_const(t, object->elem_size, 64);
    count = gs_scene_launch_term(k->scene, count);
    out.bytes = count ? gs_mk_bin_flags(t, GS_OP_MUL, count, size, GS_NSW, 0) : GS_NO_TERM;
    out.words = claim->count->text;
  } else if (object->size) {
    out.bytes = gs_mk_const(t, object->size, 64);
  }
  return out;
}

/// Does a clause say how much dynamic shared memory a launch gives? A launch in the source
/// only where it tells the number, not a bound of it.
static bool tells_dynamic(const gs_fact *fact) {
  const gs_expr *root = gs_clause_root(fact->clause);
  const gs_expr *left = &fact->clause->nodes[root->args[0]];
  if (fact->origin != GS_FACT_LAUNCH)
    return gs_clause_names(fact->clause, GS_NAME_DYNAMIC_SMEM);
  return root->op == GS_EXPR_EQ && left->op == GS_EXPR_NAME && left->name.kind == GS_NAME_DYNAMIC_SMEM;
}

static bool knows_dynamic(const gs_fact *facts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (tells_dynamic(&facts[i]))
      return true;
  return false;
}

/// The size of dynamic shared memory, where something tells it. Where only the launches
/// do, they are to be looked at one by one; where nothing does, it is assumed to do.
static bool dynamic_limit(gs_kernel *k, limit *out) {
  const gs_kernel_desc *desc = k->desc;
  if (desc && knows_dynamic(desc->facts, desc->fact_count)) {
    gs_terms *t = k->program->terms;
    gs_term bytes = gs_scene_launch_term(k->scene, k->program->dynamic_smem);
    *out = (limit){.bytes = gs_mk_cast(t, GS_OP_ZEXT, bytes, 64), .dynamic = true};
    return true;
  }
  bool at_launch = false, told = false;
  for (uint32_t i = 0; desc && i < desc->fact_count; i++)
    at_launch |= desc->facts[i].origin == GS_FACT_LAUNCH;
  for (uint32_t i = 0; desc && i < desc->launch_count; i++)
    told |= knows_dynamic(desc->launches[i].facts, desc->launches[i].fact_count);
  if (told && !at_launch)
    k->result->wants_launches = true;
  else
    gs_result_assume(k->result, GS_DYNAMIC_IS_ENOUGH, false, (gs_loc){0});
  return false;
}

static bool is_new(gs_kernel *k, const gs_loc *loc, const char *object) {
  for (uint32_t i = 0; i < k->result->finding_count; i++) {
    gs_finding *f = &k->result->findings[i];
    if (f->rule == GS_RULE_OUT_OF_BOUNDS && f->access_count && f->object &&
        strcmp(f->object, object) == 0 && f->access[0].loc.line == loc->line &&
        f->access[0].loc.column == loc->column) {
      f->instances++;
      return false;
    }
  }
  return true;
}

static const char *extent_words(gs_kernel *k, const gs_object *object, const limit *l) {
  if (l->claim)
    return gs_pool_format(k->result->arena, "the declared extent %s", l->words);
  if (l->dynamic && !l->bytes)
    return "dynamic shared memory";
  if (l->dynamic)
    return gs_pool_format(k->result->arena, "the %" PRIu64 " bytes of dynamic shared memory", l->value);
  if (object->elem_size)
    return gs_pool_format(k->result->arena, "its %" PRIu64 " elements",
                           object->size / object->elem_size);
  return gs_pool_format(k->result->arena, "its %" PRIu64 " bytes", object->size);
}

/// "writes", or "writes 8 bytes at" where the access is wider than an element: its first
/// element may well be inside.
static const char *verb(gs_kernel *k, const gs_access *a, const gs_object *object) {
  const char *plain = gs_words_verb(a);
  if (!object->elem_size || a->size <= object->elem_size)
    return plain;
  return gs_pool_format(k->result->arena, "%s %" PRIu32 " bytes at", plain, a->size);
}

/// The size that the model gives the memory.
static limit with_value(gs_kernel *k, const limit *l, const gs_model *model) {
  limit out = *l;
  if (l->dynamic && l->bytes)
    gs_term_eval(k->program->terms, l->bytes, model->values, gs_model_load_value,
                 (void *)(uintptr_t)model, &out.value);
  return out;
}

/// The address leaves the range at one end. Zero bytes are nowhere.
static gs_term leaves(gs_kernel *k, const gs_case *c, const limit *l, bool below) {
  gs_terms *terms = k->program->terms;
  gs_term zero = gs_mk_const(terms, 0, 64);
  gs_term wrong = gs_mk_bin(terms, GS_OP_SLT, c->offset[0], zero);
  if (!below) {
    gs_term last = gs_mk_bin_flags(terms, GS_OP_SUB, l->bytes, c->size[0], GS_NSW, 0);
    wrong = gs_mk_bin(terms, GS_OP_SLT, last, c->offset[0]);
  }
  if (!c->bytes[0]) // memcpy of no bytes touches nothing
    wrong = gs_mk_and(terms, wrong, gs_mk_not(terms, gs_mk_bin(terms, GS_OP_EQ, c->size[0], zero)));
  return wrong;
}

/// Could the access leave the other end as well, were it kept from being below?
static bool may_pass(gs_kernel *k, const gs_case *c, const limit *l, bool below) {
  return !below || gs_prover_decide(k->prover, c, false, leaves(k, c, l, false), NULL) != GS_ANSWER_NO;
}

static void report(gs_kernel *k, gs_violation *v, const gs_object *object, const limit *l,
                   bool below) {
  gs_pool *arena = k->result->arena;
  const gs_access *a = &k->program->accesses[v->access[0]];
  const char *reason = NULL;
  gs_access_ref ref = gs_access_reference(k, v->access[0]);
  bool exact = gs_violation_is_exact(k, v, &reason);
  const char *name = gs_pool_text(arena, gs_object_words(object)), *replay = NULL;
  const gs_witness *witness = gs_violation_witness(k, v);
  if (!witness)
    return;
  if (exact && !gs_violation_confirmed(k, v, witness, true, &replay)) {
    exact = false;
    reason = gs_refuted_reason;
  }
  gs_finding f = {.rule = GS_RULE_OUT_OF_BOUNDS,
                  .verdict = exact ? GS_RACE : GS_POSSIBLE,
                  .is_error = k->is_claim,
                  .loc = ref.loc,
                  .reason = gs_pool_text(arena, reason),
                  .object = name,
                  .access = {ref},
                  .access_count = 1,
                  .witness = witness,
                  .replay = replay,
                  .instances = 1};
  f.message = gs_pool_format(
      arena, "%s '%s': %s %s '%s', %s %s, when launched with %s",
      exact ? "out of bounds of" : "possibly out of bounds of", name, gs_words_thread(k, f.witness, 0),
      verb(k, a, object), gs_words_element(k, f.witness, object),
      below ? "below" : "past", extent_words(k, object, l), gs_words_launch(k, f.witness));
  if (reason)
    gs_result_note(k->result, &f, (gs_loc){0}, gs_pool_format(arena, "this hangs on %s", reason));
  if (l->claim)
    gs_result_note(k->result, &f, l->claim->loc, "the extent is declared here");
  gs_index_bound bound = {.object = object, .count = l->claim ? l->claim->count : NULL,
                          .elements = object->elem_size ? object->size / object->elem_size : 0};
  if (!l->dynamic && exact) // else it is the launch that should be told
    gs_offer_guard(k, &f, v->access[0], &bound, below, may_pass(k, v->c, l, below));
  if (!f.fixit_count)
    gs_result_note(k->result, &f, (gs_loc){0},
                   "guard the access by its bound, or state in GS_LAUNCH_CONTRACT(...) what keeps "
                   "the index inside");
  gs_result_add(k->result, &f);
}

static void undecided(gs_kernel *k, uint32_t access, const gs_object *object) {
  gs_loc loc = gs_place_loc(k->program, k->program->accesses[access].place);
  if (gs_trusted(k, GS_RULE_OUT_OF_BOUNDS, object, &loc, 1))
    return;
  gs_report_unknown(k, GS_RULE_OUT_OF_BOUNDS, loc,
                    gs_pool_format(k->result->arena, "that accesses of '%s' are in bounds",
                                    gs_object_words(object)),
                    "the solver gave up within its budget");
}

/// One side of the range. \returns false when something was reported.
static bool check_side(gs_kernel *k, uint32_t a, uint32_t t, const gs_object *object,
                       const limit *l, bool below) {
  gs_meeting meeting = {.one_thread = true,
                        .phase = {.exact = true, .barrier = GS_NONE, .doubtful = GS_NONE}};
  gs_case c;
  if (gs_prover_exhausted(k->prover)) {
    undecided(k, a, object);
    return false;
  }
  if (!gs_scene_meet(k->scene, k->phases, &meeting, a, t, a, t, &c))
    return true;
  gs_term wrong = leaves(k, &c, l, below);
  gs_model model = {0};
  gs_answer answer = gs_prover_decide(k->prover, &c, false, wrong, &model);
  if (answer == GS_ANSWER_YES) {
    gs_violation v = {.rule = GS_RULE_OUT_OF_BOUNDS, .access = {a, a}, .target = {t, t},
                      .count = 1, .meeting = meeting, .c = &c, .model = &model};
    gs_loc loc = gs_place_loc(k->program, k->program->accesses[a].place);
    limit valued = with_value(k, l, &model);
    if (!gs_trusted(k, GS_RULE_OUT_OF_BOUNDS, object, &loc, 1))
      report(k, &v, object, &valued, below);
  } else if (answer == GS_ANSWER_DONT_KNOW) {
    undecided(k, a, object);
  }
  gs_model_free(&model);
  return answer == GS_ANSWER_NO;
}

static void check_target(gs_kernel *k, gs_offset_ranges *ranges, uint32_t a, uint32_t t) {
  const gs_access *access = &k->program->accesses[a];
  const gs_object *object = &k->program->objects[access->targets[t].object];
  gs_loc loc = gs_place_loc(k->program, access->place);
  bool claimed = false;
  if (gs_is_decided(k))
    return;
  for (uint32_t i = 0; object->kind == GS_OBJECT_PARAM && k->desc && i < k->desc->claim_count; i++) {
    const gs_claim *claim = &k->desc->claims[i];
    if (claim->param != (int32_t)object->param || object->offset || !claim->count)
      continue;
    limit l = limit_of(k, object, claim);
    claimed = true;
    if (!l.bytes)
      gs_report_unknown(k, GS_RULE_OUT_OF_BOUNDS, claim->loc, "that accesses are in bounds",
                        "the count uses something that has no value during the proof");
    else if (is_new(k, &loc, gs_object_words(object)) && check_side(k, a, t, object, &l, true))
      check_side(k, a, t, object, &l, false);
  }
  if (object->kind == GS_OBJECT_DYNAMIC) {
    limit l = {.dynamic = true};
    bool known = dynamic_limit(k, &l);
    if (is_new(k, &loc, gs_object_words(object)) && check_side(k, a, t, object, &l, true) && known)
      check_side(k, a, t, object, &l, false);
    return;
  }
  if (claimed || !object->size || gs_offset_inside(ranges, a, t, object->size))
    return;
  limit l = limit_of(k, object, NULL);
  if (is_new(k, &loc, gs_object_words(object)) && check_side(k, a, t, object, &l, true))
    check_side(k, a, t, object, &l, false);
}

void gs_rule_out_of_bounds(gs_kernel *k) {
  gs_offset_ranges *ranges = gs_offset_ranges_new(k);
  bool vague = false, extents = false;
  for (uint32_t i = 0; k->desc && i < k->desc->claim_count; i++)
    extents |= k->desc->claims[i].count != NULL;
  for (uint32_t a = 0; a < k->program->access_count; a++)
    for (uint32_t t = 0; !k->program->accesses[a].echo && t < k->program->accesses[a].target_count; t++) {
      gs_object_kind kind =
          k->program->objects[k->program->accesses[a].targets[t].object].kind;
      if (kind == GS_OBJECT_UNKNOWN && extents && !vague) {
        vague = true;
        gs_report_unknown(k, GS_RULE_OUT_OF_BOUNDS,
                          gs_place_loc(k->program, k->program->accesses[a].place),
                          "that accesses are in bounds",
                          "a pointer of unknown origin may be derived from a parameter");
      }
      check_target(k, ranges, a, t);
    }
  gs_offset_ranges_free(ranges);
}
