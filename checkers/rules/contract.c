// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// contract: clauses that contradict each other or the device. The page is
// contract.md.
#include "rule.h"

#include <stdlib.h>

/// Deterministic numbers: the constants of Knuth's MMIX generator.
static uint32_t next(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % below;
}

/// A value such a symbol often has: sizes are powers of two, or their products.
static uint64_t likely(const gs_sym *sym, uint64_t threads, uint64_t *state) {
  static const uint64_t sizes[] = {256, 1, 2, 16, 32, 128, 8, 64, 512, 1024, 4, 3};
  static const uint64_t grids[] = {1, 2, 4, 16};
  enum { SIZES = sizeof sizes / sizeof *sizes, GRIDS = sizeof grids / sizeof *grids };
  uint64_t value = sym->kind == GS_SYM_NCTAID ? grids[next(state, GRIDS)]
                   : sym->kind == GS_SYM_PARAM && next(state, 2) ? threads
                                                                 : sizes[next(state, SIZES)];
  value = value < sym->lo ? sym->lo : value;
  return value > sym->hi ? sym->hi : value;
}

/// Tries a few launches: nearly every contract that can hold holds for one of
/// them, and then no solver is needed.
static bool some_launch_satisfies(gs_kernel *k, const gs_term *facts, size_t count) {
  enum { TRIES = 300 };
  gs_terms *terms = k->program->terms;
  uint32_t syms = gs_sym_count(terms);
  uint64_t *values = calloc(syms + 1u, sizeof *values), state = 1, value = 0;
  bool found = false;
  for (int i = 0; values && i < TRIES && !found; i++) {
    uint64_t threads = 1;
    for (uint32_t s = 0; s < syms; s++) {
      const gs_sym *sym = gs_sym_get(terms, s);
      if (sym->kind == GS_SYM_NTID || sym->kind == GS_SYM_NCTAID) {
        values[s] = sym->index ? 1 : likely(sym, 1, &state);
        gs_term known = gs_scene_launch_term(k->scene, gs_sym_term(terms, s));
        if (gs_term_const(terms, known, &value))
          values[s] = value;
        threads *= values[s];
      }
    }
    for (uint32_t s = 0; s < syms; s++)
      if (gs_sym_get(terms, s)->kind != GS_SYM_NTID && gs_sym_get(terms, s)->kind != GS_SYM_NCTAID)
        values[s] = likely(gs_sym_get(terms, s), threads, &state);
    found = true;
    for (size_t f = 0; f < count && found; f++)
      found = gs_term_eval(terms, facts[f], values, NULL, NULL, &value) && value;
  }
  free(values);
  return found;
}

void gs_rule_contract(gs_kernel *k) {
  if (!k->desc || !k->desc->fact_count)
    return;
  gs_case c = {0};
  c.facts = gs_scene_launch_facts(k->scene, &c.fact_count);
  if (some_launch_satisfies(k, c.facts, c.fact_count))
    return;
  gs_model model = {0};
  gs_answer answer = gs_prover_decide(k->prover, &c, false, GS_NO_TERM, &model);
  gs_model_free(&model);
  if (answer != GS_ANSWER_NO)
    return;
  if (k->desc->facts[k->desc->fact_count - 1].origin == GS_FACT_LAUNCH) {
    gs_report_unknown(k, GS_RULE_CONTRACT, k->desc->facts[k->desc->fact_count - 1].loc,
                      "anything about this launch",
                      "its sizes contradict each other or the limits of the device, so it "
                      "cannot happen");
    return;
  }
  gs_finding f = {.rule = GS_RULE_CONTRACT,
                  .verdict = GS_RACE,
                  .is_error = true,
                  .loc = k->desc->facts[0].loc,
                  .message = "no launch can satisfy this contract: its clauses contradict each "
                             "other or the limits of the device (1,024 threads per block, "
                             "grid.y and grid.z up to 65,535), so a proof would say nothing",
                  .instances = 1};
  f.loc.file = gs_pool_text(k->result->arena, f.loc.file);
  gs_result_add(k->result, &f);
}
