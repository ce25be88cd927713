// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// contract: clauses that contradict each other or the device. The page is
// contract.md.
#include "rule.h"

#include "clause_terms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/// The launch as some of the kernel's facts and none of its claims tell it. The program
/// belongs to it while it is open.
typedef struct partial {
  gs_program *program;
  const gs_kernel_desc *desc; ///< the kernel's own
  gs_kernel_desc some;
  gs_fact *facts;
  gs_scene *scene;
} partial;

static void partial_close(partial *p) {
  gs_scene_free(p->scene);
  p->program->desc = p->desc;
  free(p->facts);
}

/// \param leave_out NULL, or by fact; then what is said of data is left out as well
/// \param count     only the first facts
static bool partial_open(gs_kernel *k, const bool *leave_out, uint32_t count, partial *p) {
  // What is only assumed of launches is no limit of theirs.
  gs_scene_options options = {.strict = k->options->strict || leave_out, .sm = k->options->sm};
  *p = (partial){.program = k->program, .desc = k->program->desc, .some = *k->program->desc};
  p->facts = malloc((count + 1u) * sizeof *p->facts);
  if (!p->facts)
    return false;
  p->some.fact_count = 0;
  p->some.claim_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!leave_out || (!leave_out[i] && !gs_clause_has_data(p->desc->facts[i].clause)))
      p->facts[p->some.fact_count++] = p->desc->facts[i];
  p->some.facts = p->facts;
  k->program->desc = &p->some;
  p->scene = gs_scene_new(k->program, &options);
  return p->scene != NULL;
}

/// Is this impossible, together with what the partial launch tells?
static bool is_refuted(gs_kernel *k, const partial *p, gs_term also) {
  enum { STEPS = 1500 };
  size_t count = 0;
  const gs_term *facts = gs_scene_launch_facts(p->scene, &count);
  gs_term *all = malloc((count + 1) * sizeof *all);
  if (!all)
    return false;
  if (count)
    memcpy(all, facts, count * sizeof *all);
  if (also)
    all[count++] = gs_scene_launch_term(p->scene, also);
  gs_goal goal = {.facts = all, .fact_count = count};
  gs_affine_options options = {.budget = STEPS, .use_flags = true};
  bool refuted = gs_affine_refute(k->program->terms, &goal, &options, NULL, NULL) == GS_ANSWER_NO;
  free(all);
  return refuted;
}

/// The first clause that cannot hold together with those before it.
static uint32_t find_culprit(gs_kernel *k) {
  for (uint32_t n = 1; n <= k->desc->fact_count; n++) {
    partial p;
    bool refuted = partial_open(k, NULL, n, &p) && is_refuted(k, &p, GS_NO_TERM);
    partial_close(&p);
    if (refuted)
      return n - 1;
  }
  return 0;
}

static gs_finding *report_unsatisfiable(gs_kernel *k, const gs_fact *fact, const char *message) {
  gs_finding f = {.rule = GS_RULE_CONTRACT, .verdict = GS_RACE, .is_error = true, .instances = 1,
                  .loc = fact->loc.line ? fact->loc : k->desc->facts[0].loc, .message = message};
  f.loc.file = gs_pool_text(k->result->arena, f.loc.file);
  return gs_result_add(k->result, &f);
}

static void report_contradiction(gs_kernel *k) {
  gs_pool *arena = k->result->arena;
  uint32_t culprit = find_culprit(k);
  const gs_fact *fact = &k->desc->facts[culprit];
  gs_finding *kept =
      report_unsatisfiable(k, fact,
                           "no launch can satisfy this contract: its clauses contradict each "
                           "other or the limits of the device (1,024 threads per block, "
                           "grid.y and grid.z up to 65,535), so a proof would say nothing");
  if (kept && culprit && fact->loc.line)
    gs_result_note(k->result, kept, (gs_loc){0},
                   gs_pool_format(arena, "'%s' cannot hold together with the clauses before it",
                                  fact->clause->text));
}

// ------------------------------------------------------------ the target ----

typedef struct profile {
  uint32_t cc;
  uint64_t shared; ///< bytes that one block can have at most
  bool clusters;
} profile;

static const profile profiles[] = {
#define GS_DEVICE_PROFILE(cc, threads, blocks, smem, optin, clusters) {cc, (optin) * 1024u, clusters},
#include "device_profiles.def"
};

/// What the target has less of than every device could have, and how to say it.
typedef struct target_limit {
  gs_term holds;
  const char *words;
} target_limit;

enum { MOST_LIMITS = 6, LARGEST_CLUSTER = 16 };

static gs_term at_most(gs_terms *t, gs_term x, uint64_t most) {
  return gs_mk_bin(t, GS_OP_ULE, gs_mk_cast(t, GS_OP_ZEXT, x, 64), gs_mk_const(t, most, 64));
}

static uint32_t cluster_limits(gs_kernel *k, const profile *target, target_limit *out) {
  gs_program *p = k->program;
  gs_terms *t = p->terms;
  gs_term all = gs_mk_const(t, 1, 64);
  uint32_t n = 0;
  for (uint32_t d = 0; d < 3; d++)
    all = gs_mk_bin_flags(t, GS_OP_MUL, all, gs_mk_cast(t, GS_OP_ZEXT, gs_program_cluster(p, d), 64),
                          GS_NSW | GS_NUW, 0);
  out[n++] = (target_limit){at_most(t, all, LARGEST_CLUSTER), "a cluster has at most 16 blocks"};
  if (target && !target->clusters)
    out[n++] = (target_limit){at_most(t, all, 1), "clusters came with sm_90"};
  for (uint32_t d = 0; d < 3; d++) {
    gs_term rest = gs_mk_bin(t, GS_OP_UREM, p->nctaid[d], gs_program_cluster(p, d));
    out[n++] = (target_limit){gs_mk_bin(t, GS_OP_EQ, rest, gs_mk_const(t, 0, 32)),
                              "the size of a cluster divides that of the grid along each axis"};
  }
  return n;
}

static uint32_t target_limits(gs_kernel *k, target_limit out[MOST_LIMITS]) {
  const gs_program *p = k->program;
  const profile *target = NULL;
  bool clusters = false, shared = p->static_smem > 0;
  uint32_t n = 0;
  for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
    target = profiles[i].cc == k->options->sm ? &profiles[i] : target;
  for (uint32_t i = 0; i < k->desc->fact_count; i++) {
    clusters |= gs_clause_names(k->desc->facts[i].clause, GS_NAME_CLUSTER);
    shared |= gs_clause_names(k->desc->facts[i].clause, GS_NAME_DYNAMIC_SMEM);
  }
  if (clusters)
    n = cluster_limits(k, target, out);
  if (shared && target) {
    gs_term sum = gs_mk_bin(p->terms, GS_OP_ADD, gs_mk_cast(p->terms, GS_OP_ZEXT, p->dynamic_smem, 64),
                            gs_mk_const(p->terms, p->static_smem, 64));
    out[n++] = (target_limit){at_most(p->terms, sum, target->shared),
                              gs_pool_format(k->result->arena,
                                             "a block on sm_%" PRIu32 " has at most %" PRIu64 " bytes of shared "
                                             "memory, of which the kernel's own arrays take %" PRIu64,
                                             k->options->sm, target->shared, p->static_smem)};
  }
  return n;
}

/// Do the first clauses contradict the limit?
static bool exceeds(gs_kernel *k, const target_limit *limit, uint32_t count) {
  partial p;
  bool refuted = partial_open(k, NULL, count, &p) && is_refuted(k, &p, limit->holds);
  partial_close(&p);
  return refuted;
}

/// \returns true when it said that the target cannot run such a launch.
static bool breaks_target(gs_kernel *k) {
  target_limit limits[MOST_LIMITS];
  uint32_t n = target_limits(k, limits), count = 1;
  for (uint32_t i = 0; i < n; i++) {
    if (!exceeds(k, &limits[i], k->desc->fact_count))
      continue;
    while (count < k->desc->fact_count && !exceeds(k, &limits[i], count))
      count++;
    report_unsatisfiable(k, &k->desc->facts[count - 1],
                         gs_pool_format(k->result->arena,
                                        "no launch can satisfy this contract: %s, so a proof would say nothing",
                                        limits[i].words));
    return true;
  }
  return false;
}

/// Clauses that no launch can violate: the limits of every device, or other clauses, imply
/// them. They cost a check at each launch and say nothing.
static void find_redundant(gs_kernel *k) {
  enum { MOST = 64 };
  bool left_out[MOST] = {false};
  uint32_t count = k->desc->fact_count;
  if (count > MOST || k->cheap)
    return;
  for (uint32_t i = count; i-- > 0;) {
    const gs_fact *fact = &k->desc->facts[i];
    if (fact->origin != GS_FACT_CONTRACT || gs_clause_has_data(fact->clause))
      continue;
    partial p;
    left_out[i] = true;
    bool open = partial_open(k, left_out, count, &p);
    gs_term clause = open ? gs_clause_fact(k->program, fact->clause, k->options->sm) : GS_NO_TERM;
    left_out[i] = clause && is_refuted(k, &p, gs_mk_not(k->program->terms, clause));
    partial_close(&p);
    if (!left_out[i])
      continue;
    gs_finding f = {.rule = GS_RULE_CONTRACT,
                    .verdict = GS_PROVED,
                    .loc = fact->loc,
                    .message = gs_pool_format(k->result->arena,
                                              "no launch can violate '%s': the limits of every "
                                              "device or the other clauses imply it",
                                              fact->clause->text),
                    .instances = 1};
    f.loc.file = gs_pool_text(k->result->arena, f.loc.file);
    gs_result_add(k->result, &f);
  }
}

void gs_rule_contract(gs_kernel *k) {
  k->result->has_launch = true;
  if (!k->desc || !k->desc->fact_count)
    return;
  gs_case c = {0};
  c.facts = gs_scene_launch_facts(k->scene, &c.fact_count);
  bool satisfied = some_launch_satisfies(k, c.facts, c.fact_count);
  k->result->has_launch = satisfied;
  bool launched = k->desc->facts[k->desc->fact_count - 1].origin == GS_FACT_LAUNCH;
  if (!k->cheap && !launched && breaks_target(k)) {
    k->result->has_launch = false;
    return;
  }
  if (satisfied) {
    find_redundant(k);
    return;
  }
  gs_model model = {0};
  gs_answer answer = gs_prover_decide(k->prover, &c, false, GS_NO_TERM, &model);
  gs_model_free(&model);
  if (answer != GS_ANSWER_NO)
    return;
  if (launched)
    gs_report_unknown(k, GS_RULE_CONTRACT, k->desc->facts[k->desc->fact_count - 1].loc,
                      "anything about this launch",
                      "its sizes contradict each other or the limits of the device, so it "
                      "cannot happen");
  else
    report_contradiction(k);
}
