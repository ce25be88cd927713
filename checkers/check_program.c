// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline behind lowering: phases, launch facts, rules, result.
#include "check_program.h"

#include "believe.h"
#include "broadcast.h"
#include "common_reads.h"
#include "flights.h"
#include "gs_descriptor.h"
#include "propose.h"
#include "rule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct report_box {
  gs_report report; ///< first: gs_report_free casts back
  gs_pool *arena;
} report_box;

uint64_t gs_now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

static bool makes_claims(const gs_kernel_desc *desc, const gs_options *options) {
  if (options->verify)
    return true;
  for (uint32_t i = 0; desc && i < desc->claim_count; i++)
    if (desc->claims[i].kind != GS_CLAIM_TRUSTED)
      return true;
  for (uint32_t i = 0; desc && i < desc->fact_count; i++)
    if (desc->facts[i].origin == GS_FACT_CONTRACT)
      return true;
  return false;
}

// ---------------------------------------------------------- assumptions ----

static void assume_origins(gs_kernel *k) {
  const gs_used *used = gs_prover_used(k->prover);
  const gs_program *p = k->program;
  for (uint32_t i = 0; i < used->count; i++) {
    if (used->origins[i] >= p->origin_count)
      continue;
    const gs_origin *origin = &p->origins[used->origins[i]];
    gs_loc loc = gs_place_told(p, origin->place);
    const char *what = NULL;
    switch (origin->kind) {
    case GS_ORIGIN_SIGNED: what = "signed arithmetic does not overflow"; break;
    case GS_ORIGIN_POINTER: what = "pointer arithmetic stays inside of the array's memory"; break;
    case GS_ORIGIN_COUNTER: what = "the loop's counter does not wrap when it passes its bound"; break;
    case GS_ORIGIN_INDEX: what = "32-bit index arithmetic does not wrap"; break;
    case GS_ORIGIN_OTHER: what = "a no-wrap flag of the compiler holds"; break;
    case GS_ORIGIN_UNREACHED: continue; // below: it is in every guard
    }
    gs_result_assume(k->result,
                     gs_pool_format(k->result->arena, "%s (line %" PRIu32 ")", what, loc.line),
                     false, loc);
  }
}

/// Facts that are no contract, with where they come from: those of a launch together.
static void assume_facts(gs_kernel *k) {
  gs_pool *arena = k->result->arena;
  const char *launch = "";
  gs_loc at = {0};
  for (uint32_t i = 0; k->desc && i < k->desc->fact_count; i++) {
    const gs_fact *fact = &k->desc->facts[i];
    if (fact->origin == GS_FACT_OPTION)
      gs_result_assume(k->result, gs_pool_format(arena, "%s (from an option)", fact->clause->text),
                       false, fact->loc);
    if (fact->origin != GS_FACT_LAUNCH)
      continue;
    launch = gs_pool_format(arena, "%s%s %s%s", launch, at.line ? "," : "", fact->clause->text,
                            fact->wraps ? " (computed without overflow)" : "");
    at = fact->loc;
  }
  if (at.line)
    gs_result_assume(k->result, gs_pool_format(arena, "as launched at line %" PRIu32 ":%s", at.line, launch),
                     false, at);
}

/// Sizes that are taken to be 1, as the runtime checks them.
static uint32_t flat_axes(const gs_scene *scene) {
  static const uint32_t bits[6] = {0, GS_DESC_ASSUME_BLOCK_Y_ONE, GS_DESC_ASSUME_BLOCK_Z_ONE,
                                   0, GS_DESC_ASSUME_GRID_Y_ONE,  GS_DESC_ASSUME_GRID_Z_ONE};
  uint32_t out = 0, axes = gs_scene_axes(scene);
  for (int i = 0; i < 6; i++)
    out |= axes >> i & 1 ? 0 : bits[i];
  return out;
}

/// What the source calls unreachable is in no guard.
static void assume_unreached(gs_kernel *k) {
  const gs_program *p = k->program;
  for (uint32_t i = 0; i < p->origin_count; i++) {
    if (p->origins[i].kind != GS_ORIGIN_UNREACHED)
      continue;
    gs_loc loc = gs_place_told(p, p->origins[i].place);
    gs_result_assume(k->result,
                     gs_pool_format(k->result->arena,
                                    "code that the source calls unreachable is not reached (line %" PRIu32 ")",
                                    loc.line),
                     false, loc);
  }
}

/// Slots taken from a counter are distinct as long as it does not wrap.
static void assume_counters(gs_kernel *k) {
  const gs_program *p = k->program;
  for (uint32_t i = 0; i < p->access_count; i++) {
    if (!gs_scene_assumes_counter(k->scene, i))
      continue;
    gs_loc loc = gs_place_told(p, p->accesses[i].place);
    gs_result_assume(k->result,
                     gs_pool_format(k->result->arena,
                                    "the counter that line %" PRIu32
                                    " adds to is never below 0 and stays below 2^%" PRIu32,
                                    loc.line, p->accesses[i].size * 8 - 1),
                     false, loc);
  }
}

/// The block that takes the highest number is the last only if they are counted from 0.
static void assume_tickets(gs_kernel *k) {
  const gs_program *p = k->program;
  for (uint32_t i = 0; i < p->last_count; i++) {
    gs_loc loc = gs_place_told(p, p->accesses[p->lasts[i].ticket].place);
    if (p->lasts[i].is_used)
      gs_result_assume(k->result,
                       gs_pool_format(k->result->arena, "the counter that line %" PRIu32
                                                        " adds to is 0 when the kernel starts", loc.line),
                       false, loc);
  }
}

static void assume_defaults(gs_kernel *k) {
  gs_loc none = {0};
  const gs_program *p = k->program;
  bool checked = gs_launch_is_checked(k);
  k->result->assumed |= flat_axes(k->scene);
  if (gs_scene_uses(k->scene, GS_DEFAULT_FLAT))
    gs_result_assume(k->result, "block and grid have size 1 in the axes that the kernel does not read",
                     checked, none);
  if (gs_scene_uses(k->scene, GS_DEFAULT_GRID)) {
    k->result->assumed |= GS_DESC_ASSUME_INDEX;
    gs_result_assume(k->result, "grid * block is at most 2^31 - 1 in each axis", checked, none);
  }
  if ((k->defaults[GS_DEFAULT_NOALIAS] || p->reads_only_assumed) && !k->options->strict) {
    k->result->assumed |= GS_DESC_ASSUME_NO_ALIAS;
    gs_result_assume(k->result, "pointer arguments do not overlap, nor point to device globals", false,
                     none);
  }
  if (gs_prover_took_defined(k->prover))
    gs_result_assume(k->result, "divisors are not 0 and shifts are in range", false, none);
  for (uint32_t i = 0; i < p->barrier_count; i++)
    if (gs_phases_barrier_use(k->phases, i) == GS_BARRIER_ORDERS_LIVE) {
      gs_loc loc = gs_place_told(p, p->barriers[i].place);
      gs_result_assume(k->result,
                       gs_pool_format(k->result->arena,
                                       "threads that have returned count as arrived at the barrier at line %" PRIu32,
                                       loc.line),
                       false, loc);
    }
  assume_facts(k);
  if (k->options->as_optimised)
    gs_result_assume(k->result, "the module was optimised before the check: the verdict is about what is left",
                     false, none);
}

// ---------------------------------------------------------------- rules ----

typedef struct rule_row {
  gs_rule rule;
  gs_rule_fn *run;
} rule_row;

static const rule_row rows[] = {
    {GS_RULE_CONTRACT, gs_rule_contract},
    {GS_RULE_BARRIER_DIVERGENCE, gs_rule_barrier_divergence},
    {GS_RULE_DATA_RACE, gs_rule_data_race},
    {GS_RULE_ATOMIC_MIX, gs_rule_atomic_mix},
    {GS_RULE_DISJOINT, gs_rule_disjoint},
    {GS_RULE_EXCLUSIVE, gs_rule_exclusive},
    {GS_RULE_OUT_OF_BOUNDS, gs_rule_out_of_bounds},
    {GS_RULE_ASYNC_COPY, gs_rule_async_copy},
    {GS_RULE_CONST_WRITE, gs_rule_const_write},
    {GS_RULE_NULL_POINTER, gs_rule_null_pointer},
    {GS_RULE_ASSERTION, gs_rule_assertion},
    {GS_RULE_UNINITIALIZED_SHARED, gs_rule_uninitialized_shared},
    {GS_RULE_WARP_MASK, gs_rule_warp_mask},
    {GS_RULE_INDEX_OVERFLOW, gs_rule_index_overflow},
    {GS_RULE_REDUNDANT_BARRIER, gs_rule_redundant_barrier},
    {GS_RULE_BANK_CONFLICT, gs_rule_bank_conflict},
    {GS_RULE_UNCOALESCED, gs_rule_uncoalesced},
};

static void report_gaps(gs_kernel *k) {
  const gs_program *p = k->program;
  for (uint32_t i = 0; i < p->gap_count; i++)
    gs_report_unknown(k, GS_RULE_DATA_RACE, gs_place_loc(p, p->gaps[i].place), "this kernel",
                      p->gaps[i].text);
}

/// Is one of the findings from `first` on more than a remark?
static bool refuses(const gs_result *result, uint32_t first) {
  for (uint32_t i = first; i < result->finding_count; i++)
    if (result->findings[i].verdict != GS_PROVED)
      return true;
  return false;
}

bool gs_is_decided(const gs_kernel *k) { return k->proof_only && refuses(k->result, 0); }

/// What a thread does to its own copies in flight is for the rule about them.
static void refuse_unchecked_copies(gs_kernel *k) {
  const gs_program *p = k->program;
  for (uint32_t i = 0; !gs_rule_is_on(k, GS_RULE_ASYNC_COPY) && i < p->access_count; i++)
    if (p->accesses[i].async == GS_ASYNC_TO) {
      gs_report_unknown(k, GS_RULE_DATA_RACE, gs_place_loc(p, p->accesses[i].place), "this kernel",
                        "it copies asynchronously, and the rule async-copy is off");
      return;
    }
}

static void run_rules(gs_kernel *k) {
  report_gaps(k);
  refuse_unchecked_copies(k);
  uint32_t before = k->result->finding_count;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!gs_rule_is_on(k, rows[i].rule) || gs_is_decided(k))
      continue;
    gs_prover_next_rule(k->prover);
    rows[i].run(k);
    // Nothing follows from a contract that admits no launch.
    if (rows[i].rule == GS_RULE_CONTRACT && refuses(k->result, before))
      return;
  }
}

// --------------------------------------------------------------- kernels ----

static gs_term launch_term(void *kernel, gs_term t) {
  return gs_scene_launch_term(((gs_kernel *)kernel)->scene, t);
}

/// For the phases: may not believe flags, as nobody would list them.
static bool refute_within(const gs_kernel *k, const gs_term *terms, size_t count, uint64_t steps) {
  gs_goal goal = {.facts = terms, .fact_count = count};
  gs_affine_options options = {.budget = steps};
  return gs_affine_refute(k->program->terms, &goal, &options, NULL, NULL) == GS_ANSWER_NO;
}

static bool refute(void *user, const gs_term *terms, size_t count) {
  enum { STEPS = 200 };
  return refute_within(user, terms, count, STEPS);
}

/// The same with what holds of every launch.
static bool refute_launch(void *user, const gs_term *terms, size_t count) {
  enum { STEPS = 1000 };
  gs_kernel *k = user;
  size_t known = 0;
  const gs_term *facts = gs_scene_launch_facts(k->scene, &known);
  gs_term *all = malloc((known + count + 1) * sizeof *all);
  if (!all)
    return false;
  if (known)
    memcpy(all, facts, known * sizeof *all);
  memcpy(all + known, terms, count * sizeof *all);
  bool refuted = refute_within(k, all, known + count, STEPS);
  free(all);
  return refuted;
}

static gs_phases *phases_of(gs_kernel *k, bool doubt_blocks) {
  gs_phases_options options = {.launch_term = launch_term, .refute = refute, .refute_launch = refute_launch,
                               .doubt_blocks = doubt_blocks, .user = k};
  return gs_phases_new(k->program, &options);
}

/// Two threads, at overlapping bytes; believes no flag.
static bool refute_case(void *user, const gs_case *c) {
  enum { STEPS = 600 };
  const gs_kernel *k = user;
  gs_goal goal = {.facts = c->facts, .fact_count = c->fact_count, .distinct = c->distinct,
                  .distinct_count = c->distinct_count, .a = c->offset[0], .b = c->offset[1],
                  .size_a = c->bytes[0], .size_b = c->bytes[1]};
  gs_affine_options options = {.budget = STEPS};
  gs_used used = {0};
  bool refuted = c->bytes[0] && c->bytes[1] &&
                 gs_affine_refute(k->program->terms, &goal, &options, &used, NULL) == GS_ANSWER_NO &&
                 !used.undefined;
  free(used.origins);
  return refuted;
}

static gs_common_reads reads_of(gs_kernel *k, const gs_phases *phases) {
  return (gs_common_reads){.program = k->program, .phases = phases, .scene = k->scene,
                           .refute = refute_case, .user = k};
}

gs_phases *gs_kernel_phases(gs_kernel *k) {
  if (k->doubts_reads)
    return phases_of(k, true);
  gs_phases *phases = phases_of(k, false);
  gs_common_reads reads = reads_of(k, phases);
  if (!phases || gs_common_reads_hold(&reads))
    return phases;
  gs_phases_free(phases);
  return phases_of(k, true);
}

static gs_scene *scene_of(const gs_kernel *k) {
  gs_scene_options options = {.strict = k->options->strict,
                              .races_checked = gs_rule_is_on(k, GS_RULE_DATA_RACE),
                              .sm = k->options->sm};
  return gs_scene_new(k->program, &options);
}

uint32_t gs_find_doubtful_reads(gs_program *program, const gs_options *options, uint64_t *keys,
                                uint32_t capacity) {
  gs_kernel k = {.options = options, .program = program, .desc = program->desc};
  uint32_t count = 0;
  program->reads_hold = !gs_program_reads_commonly(program);
  if (program->reads_hold)
    return 0;
  k.scene = scene_of(&k);
  k.phases = k.scene ? phases_of(&k, false) : NULL;
  for (uint32_t i = 0; k.phases && i < program->access_count && count < capacity; i++) {
    const gs_access *a = &program->accesses[i];
    gs_common_reads reads = reads_of(&k, k.phases);
    if (!a->is_write && a->result && !gs_common_read_holds(&reads, i))
      keys[count++] = a->read;
  }
  program->reads_hold = k.phases && !count;
  gs_scene_free(k.scene);
  gs_phases_free(k.phases);
  return count;
}

/// Are the common reads what they were taken for, before anything is made of them?
static bool are_reads_common(gs_kernel *k) {
  uint64_t key = 0;
  if (!k->program->reads_hold) // of a text nobody asked
    gs_find_doubtful_reads(k->program, k->options, &key, 1);
  return k->program->reads_hold;
}

static gs_effort effort_for(const gs_kernel *k, gs_look look) {
  if (look == GS_LOOK_TRIAL || look == GS_LOOK_PROOF)
    return GS_EFFORT_TRIAL;
  if (k->is_claim && !k->cheap)
    return GS_EFFORT_FULL;
  return k->options->thorough && !k->cheap ? GS_EFFORT_MODERATE : GS_EFFORT_THRIFTY;
}

static gs_status check_lowered(gs_kernel *k, gs_look look) {
  gs_prover_options prover_options = {.solver_budget = k->options->solver_budget,
                                      .wary = !k->is_claim,
                                      .crowd = k->options->crowd,
                                      .sm = k->options->sm,
                                      .effort = effort_for(k, look)};
  gs_program_prune(k->program);
  gs_believe_no_wraps_in_shared(k->program);
  k->doubts_reads = !are_reads_common(k);
  bool spread = gs_rule_is_on(k, GS_RULE_DATA_RACE) && !k->doubts_reads;
  bool found = !spread || gs_broadcasts_find(k->program, k->options->strict);
  if (found && gs_flights_find(k->program))
    k->scene = scene_of(k);
  if (k->scene)
    k->phases = gs_kernel_phases(k);
  if (k->program->has_fences)
    k->locks = gs_locks_new(k->program, k->options->strict,
                            gs_rule_is_on(k, GS_RULE_DATA_RACE) && gs_rule_is_on(k, GS_RULE_ATOMIC_MIX));
  if (k->phases && k->scene)
    k->prover = gs_prover_new(k->program, k->scene, &prover_options);
  if (k->prover) {
    run_rules(k);
    k->result->contradicted = gs_result_verdict(k->result) != GS_RACE && gs_index_always_wraps(k);
    assume_origins(k);
    assume_unreached(k);
    assume_counters(k);
    assume_tickets(k);
    assume_defaults(k);
  }
  bool fine = k->prover && !gs_terms_failed(k->program->terms);
  return fine ? GS_OK : GS_ERROR_MEMORY;
}

static void add_counters(gs_counters *sum, const gs_counters *c) {
  sum->pairs += c->pairs;
  sum->queries += c->queries;
  sum->trivial += c->trivial;
  sum->by_affine += c->by_affine;
  sum->by_enumeration += c->by_enumeration;
  sum->by_search += c->by_search;
  sum->by_linear += c->by_linear;
  sum->by_bitvector += c->by_bitvector;
  sum->undecided += c->undecided;
  sum->cache_hits += c->cache_hits;
  sum->solver_units += c->solver_units;
  sum->terms += c->terms;
  sum->replays += c->replays;
  sum->refuted += c->refuted;
  sum->replay_steps += c->replay_steps;
}

static bool is_beyond(const gs_program *p, const gs_target *target) {
  switch (p->objects[target->object].kind) {
  case GS_OBJECT_PARAM:
  case GS_OBJECT_SHARED:
  case GS_OBJECT_DYNAMIC:
  case GS_OBJECT_CONSTANT:
  case GS_OBJECT_LOCAL:
  case GS_OBJECT_BYVAL: return false;
  case GS_OBJECT_GLOBAL:
  case GS_OBJECT_LOADED:
  case GS_OBJECT_UNKNOWN: return true;
  }
  return true;
}

static bool reaches_beyond(const gs_program *p) {
  bool beyond = p->gap_count > 0;
  for (uint32_t i = 0; i < p->access_count; i++) {
    const gs_access *a = &p->accesses[i];
    beyond |= a->is_opaque || (a->target_count == 0 && !a->async && !a->fence);
    for (uint32_t t = 0; t < a->target_count; t++)
      beyond |= is_beyond(p, &a->targets[t]);
  }
  return beyond;
}

gs_status gs_check_once(gs_program *program, const gs_options *options, gs_look look,
                        const gs_runner *runner, gs_result *result, gs_counters *counters) {
  gs_kernel k = {.options = options, .program = program, .desc = program->desc, .result = result,
                 .is_claim = makes_claims(program->desc, options), .cheap = look != GS_LOOK_WELL,
                 .proof_only = look == GS_LOOK_PROOF, .runner = runner};
  gs_status status = check_lowered(&k, look);
  if (status == GS_OK) {
    gs_counters spent = {0};
    gs_prover_counters(k.prover, &spent);
    spent.pairs = k.pairs;
    spent.replays = k.replay.runs;
    spent.refuted = k.replay.refuted;
    spent.replay_steps = k.replay.steps;
    add_counters(counters, &spent);
    counters->accesses = program->access_count; // however often the kernel is looked at
    result->has_gaps |= program->gap_count > 0;
    result->reaches_beyond |= reaches_beyond(program);
    gs_collect_hints(program, result);
  }
  gs_prover_free(k.prover);
  gs_locks_free(k.locks);
  gs_scene_free(k.scene);
  gs_phases_free(k.phases);
  return status;
}

void gs_check_finish(const char *mangled, const gs_kernel_desc *desc, const gs_options *options,
                     gs_result *result, gs_kernel_result *out) {
  gs_pool *arena = result->arena;
  gs_options plain = *options;
  plain.verify = false;
  out->mangled = gs_pool_text(arena, mangled);
  out->name = desc ? gs_pool_text(arena, desc->name) : out->mangled;
  out->loc = desc ? desc->loc : (gs_loc){0};
  out->loc.file = gs_pool_text(arena, out->loc.file);
  out->has_claims = makes_claims(desc, &plain);
  if (desc)
    out->sites = desc->sites;
  gs_result_finish(result, out);
}

/// Of a text nothing can be lowered again.
static void add_contradiction(const gs_program *p, const gs_options *options, gs_result *result) {
  gs_finding f = {.rule = GS_RULE_INDEX_OVERFLOW, .verdict = GS_UNKNOWN, .instances = 1,
                  .is_error = makes_claims(p->desc, options),
                  .loc = p->desc ? p->desc->loc : (gs_loc){0},
                  .message = "cannot prove this kernel: what is known of its launches makes an index wrap "
                             "that is taken not to",
                  .reason = "the assumption that 32-bit index arithmetic does not wrap contradicts the contract"};
  f.loc.file = gs_pool_text(result->arena, f.loc.file);
  gs_result_add(result, &f);
}

gs_status gs_check_program(gs_program *program, const gs_options *options, gs_pool *arena,
                           gs_kernel_result *out) {
  gs_result result = {.arena = arena};
  gs_status status = gs_check_once(program, options, GS_LOOK_WELL, NULL, &result, &out->counters);
  if (result.contradicted)
    add_contradiction(program, options, &result);
  if (status == GS_OK)
    gs_check_finish(program->mangled, program->desc, options, &result, out);
  return status;
}

// ---------------------------------------------------------------- report ----

gs_status gs_report_new(const gs_input *input, uint32_t kernel_count, gs_report **out,
                        gs_pool **arena, gs_kernel_result **kernels) {
  *out = NULL;
  report_box *box = calloc(1, sizeof *box);
  *arena = gs_pool_new();
  *kernels = *arena ? gs_pool_alloc(*arena, (kernel_count + 1u) * sizeof **kernels) : NULL;
  if (!box || !*kernels) {
    gs_pool_free(*arena);
    free(box);
    return GS_ERROR_MEMORY;
  }
  box->arena = *arena;
  box->report = (gs_report){.file = gs_pool_text(*arena, input->file),
                            .target = gs_pool_text(*arena, input->target),
                            .as_optimised = input->options.as_optimised,
                            .kernels = *kernels,
                            .kernel_count = kernel_count};
  *out = &box->report;
  return GS_OK;
}

gs_status gs_report_close(gs_status status, gs_report **report) {
  if (status == GS_OK && gs_pool_failed(((report_box *)*report)->arena))
    status = GS_ERROR_MEMORY;
  if (status != GS_OK) {
    gs_report_free(*report);
    *report = NULL;
  }
  return status;
}

void gs_report_free(gs_report *report) {
  if (!report)
    return;
  report_box *box = (report_box *)report;
  gs_pool_free(box->arena);
  free(box);
}
