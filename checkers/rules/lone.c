// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lone.h"

#include "confirm.h"

#include <string.h>

enum { MAX_LOOPS = 64 };

static const gs_meeting alone = {.one_thread = true,
                                 .phase = {.exact = true, .barrier = GS_NONE, .doubtful = GS_NONE}};

static gs_answer decide(gs_kernel *k, gs_rule rule, gs_term extra, gs_lone *out) {
  gs_term image = extra ? gs_scene_term(k->scene, 0, extra) : GS_NO_TERM;
  out->violation.rule = rule;
  out->violation.count = 1;
  out->violation.meeting = alone;
  out->violation.c = &out->c;
  out->violation.model = &out->model;
  out->violation.extra = image;
  gs_answer answer = gs_prover_decide(k->prover, &out->c, false, image, &out->model);
  if (answer == GS_ANSWER_YES)
    out->exact = gs_violation_is_exact(k, &out->violation, &out->reason);
  return answer;
}

gs_answer gs_lone_access(gs_kernel *k, gs_rule rule, uint32_t access, uint32_t target,
                         gs_term extra, gs_lone *out) {
  memset(out, 0, sizeof *out);
  if (gs_prover_exhausted(k->prover) ||
      !gs_scene_meet(k->scene, k->phases, &alone, access, target, access, target, &out->c))
    return GS_ANSWER_DONT_KNOW;
  for (int who = 0; who < 2; who++) {
    out->violation.access[who] = access;
    out->violation.target[who] = target;
  }
  return decide(k, rule, extra, out);
}

gs_answer gs_lone_block(gs_kernel *k, gs_rule rule, uint32_t block, bool plain, gs_term extra,
                        gs_lone *out) {
  const gs_program *p = k->program;
  gs_term holds[MAX_LOOPS + 1];
  uint32_t n = 0;
  memset(out, 0, sizeof *out);
  holds[n++] = p->blocks[block].guard;
  for (uint32_t l = p->blocks[block].loop; l != GS_NONE && n <= MAX_LOOPS; l = p->loops[l].parent)
    holds[n++] = p->loops[l].entry;
  out->spots[0] = (gs_spot){.loop = p->blocks[block].loop, .holds = holds, .count = n, .plain = plain};
  out->violation.spots = out->spots;
  if (gs_prover_exhausted(k->prover) ||
      !gs_scene_meet_spots(k->scene, k->phases, &alone, out->spots, &out->c))
    return GS_ANSWER_DONT_KNOW;
  gs_answer answer = decide(k, rule, extra, out);
  out->spots[0].holds = NULL; // the case has what it needs
  return answer;
}

void gs_lone_free(gs_lone *lone) { gs_model_free(&lone->model); }

bool gs_lone_is_new(const gs_kernel *k, gs_rule rule, gs_loc loc) {
  for (uint32_t i = 0; i < k->result->finding_count; i++) {
    const gs_finding *f = &k->result->findings[i];
    if (f->rule == rule && f->loc.line == loc.line && f->loc.column == loc.column)
      return false;
  }
  return true;
}

/// Does a run of the witness show what the finding says?
static bool is_confirmed(gs_kernel *k, const gs_lone *lone, gs_finding *f) {
  const gs_violation *v = &lone->violation;
  gs_rerun_place place = {.stop = !v->spots                       ? GS_STOP_ACCESS
                                  : v->rule == GS_RULE_ASSERTION ? GS_STOP_TRAP
                                                                 : GS_STOP_WARP,
                          .line = lone->line ? lone->line : f->loc.line};
  if (v->rule == GS_RULE_CONST_WRITE || v->rule == GS_RULE_UNINITIALIZED_SHARED)
    return gs_violation_confirmed(k, v, f->witness, true, &f->replay);
  bool known = !v->spots || v->rule == GS_RULE_ASSERTION || v->rule == GS_RULE_WARP_MASK;
  return !known || gs_visit_confirmed(k, f->witness, &place, &f->replay);
}

bool gs_lone_finding(gs_kernel *k, gs_lone *lone, gs_loc loc, const gs_object *object,
                     gs_finding *out) {
  gs_pool *arena = k->result->arena;
  gs_violation *v = &lone->violation;
  *out = (gs_finding){.rule = v->rule,
                      .verdict = lone->exact ? GS_RACE : GS_POSSIBLE,
                      .is_error = k->is_claim,
                      .loc = loc,
                      .reason = gs_pool_text(arena, lone->reason),
                      .object = object ? gs_pool_text(arena, gs_object_words(object)) : NULL,
                      .instances = 1};
  out->loc.file = gs_pool_text(arena, loc.file);
  if (!v->spots) {
    out->access[0] = gs_access_reference(k, v->access[0]);
    out->access_count = 1;
  }
  if (gs_trusted(k, v->rule, object, &out->loc, 1))
    return false;
  out->witness = gs_violation_witness(k, v);
  if (out->witness && lone->exact && !is_confirmed(k, lone, out)) {
    out->verdict = GS_POSSIBLE;
    out->reason = gs_refuted_visit;
  }
  return out->witness != NULL;
}

const char *gs_lone_doubt(const gs_finding *finding) {
  return finding->verdict == GS_POSSIBLE ? "possible " : "";
}

void gs_lone_report(gs_kernel *k, gs_finding *finding, const char *advice) {
  if (finding->reason)
    gs_result_note(k->result, finding, (gs_loc){0},
                   gs_pool_format(k->result->arena, "this hangs on %s", finding->reason));
  gs_result_note(k->result, finding, (gs_loc){0}, advice);
  gs_result_add(k->result, finding);
}
