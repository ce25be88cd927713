// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barrier_fix.h"
#include "confirm.h"
#include "owners.h"
#include "offset_range.h"
#include "pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 60000 }; // that may touch one place
enum { MAX_LOOKS = 20000000 };

/// A cause, and what became of it.
typedef struct cause {
  gs_cause id;
  bool same_value; ///< about writes of one value only: a remark of its own
  gs_verdict verdict;
  uint32_t finding; ///< index in the result, GS_NONE = trusted away
  bool orderable;   ///< a barrier may take it away: see `missing`
  gs_missing_barrier missing;
  const gs_pair_query *query; ///< that found it
  bool exact; ///< of the relation of the two accesses
  const char *advice; ///< otherwise
} cause;

/// Looking only at whether a cause is refuted.
typedef struct trial {
  gs_cause cause;
  bool failed;
} trial;

typedef struct hunt {
  gs_kernel *k;
  const gs_pair_query *query;
  cause *causes;
  uint32_t cause_count, cause_capacity;
  gs_offset_ranges *ranges;
  uint64_t pairs;
  bool unknown_memory, overlap; ///< already reported
  bool too_many;
  trial *trial; ///< NULL: conflicts are reported
  gs_cause cause_at; ///< of the pair that is being decided
  uint32_t *lines;   ///< of writes of the same value
  uint32_t line_count, line_capacity;
  gs_loc first_line;
} hunt;

static gs_loc report_loc(const hunt *h, uint32_t access) {
  return h->query->claim.line ? h->query->claim
                              : gs_place_loc(h->k->program, h->k->program->accesses[access].place);
}

static void hunt_pair(hunt *h, uint32_t a, uint32_t b);

// ------------------------------------------------------------- reports ----

static bool same_cause(gs_cause a, gs_cause b) { return a.object == b.object && a.place == b.place; }

static cause *find_cause(hunt *h, gs_cause id, bool same_value) {
  for (uint32_t i = 0; i < h->cause_count; i++)
    if (same_cause(h->causes[i].id, id) && h->causes[i].same_value == same_value)
      return &h->causes[i];
  if (h->cause_count == h->cause_capacity) {
    uint32_t capacity = h->cause_capacity ? h->cause_capacity * 2 : 8;
    cause *moved = realloc(h->causes, capacity * sizeof *moved);
    if (!moved)
      return NULL;
    h->causes = moved;
    h->cause_capacity = capacity;
  }
  cause *c = &h->causes[h->cause_count++];
  *c = (cause){.id = id, .same_value = same_value, .finding = GS_NONE};
  return c;
}

/// What a conflict looks like in the report, but for its notes.
static gs_finding finding_for(const hunt *h, const gs_violation *v, const gs_object *object,
                              gs_verdict verdict) {
  gs_kernel *k = h->k;
  gs_finding f = {.rule = gs_pair_rule(h->k, h->query, v->access),
                  .verdict = verdict,
                  .is_error = k->is_claim && verdict != GS_PROVED,
                  .loc = report_loc(h, v->access[0]),
                  .object = gs_pool_text(k->result->arena, gs_object_words(object)),
                  .access_count = 2,
                  .instances = 1};
  for (int who = 0; who < 2; who++)
    f.access[who] = gs_access_reference(k, v->access[who]);
  f.loc.file = gs_pool_text(k->result->arena, f.loc.file);
  return f;
}

/// Does a trust cover it?
static bool is_trusted(const hunt *h, const gs_finding *f, const gs_object *object) {
  gs_loc locs[2] = {f->access[0].loc, f->access[1].loc};
  return gs_trusted(h->k, f->rule, object, locs, 2);
}

static void keep_finding(hunt *h, cause *c, const gs_finding *f) {
  gs_result *result = h->k->result;
  c->verdict = f->verdict;
  if (c->finding != GS_NONE)
    result->findings[c->finding] = *f;
  else if (gs_result_add(result, f))
    c->finding = result->finding_count - 1;
}

/// Threads of one block at different instructions, or in different iterations, are what a
/// barrier is for.
static void note_order(hunt *h, const gs_violation *v, const gs_object *object, cause *c) {
  gs_lag lag = {0};
  if (v->meeting.same_block)
    lag = gs_violation_lag(h->k, v);
  bool swapped = lag.order > 0;
  bool in_flight = gs_pair_rule(h->k, h->query, v->access) != h->query->rule;
  c->orderable = h->query->barriers_order && v->meeting.same_block && !in_flight &&
                 (v->access[0] != v->access[1] || lag.order != 0);
  c->missing = (gs_missing_barrier){.cause = c->id,
                                    .first = v->access[swapped],
                                    .second = v->access[!swapped],
                                    .later = lag.order != 0,
                                    .next = lag.next,
                                    .in_warp = gs_violation_in_warp(h->k, v)};
  c->exact = v->meeting.phase.exact;
  c->query = h->query;
  c->advice = h->query->advice && !c->orderable ? h->query->advice : gs_advice(h->k, v, object);
}

/// Says that the finding is only possible, and why.
static void doubt_it(const hunt *h, gs_finding *f, const char *reason) {
  f->verdict = GS_POSSIBLE;
  f->reason = gs_pool_text(h->k->result->arena, reason);
}

static void report_conflict(hunt *h, const gs_violation *v, const gs_object *object, cause *c) {
  gs_kernel *k = h->k;
  const char *reason = NULL;
  bool exact = gs_violation_is_exact(k, v, &reason);
  gs_finding *old = c->finding != GS_NONE ? &k->result->findings[c->finding] : NULL, f;
  if (old && (old->verdict == GS_RACE || !exact)) {
    old->instances++;
    return;
  }
  f = finding_for(h, v, object, GS_RACE);
  if (is_trusted(h, &f, object)) {
    c->verdict = GS_TRUSTED;
    return;
  }
  f.witness = gs_violation_witness(k, v);
  if (!f.witness)
    return;
  if (!exact)
    doubt_it(h, &f, reason);
  else if (!gs_violation_confirmed(k, v, f.witness, h->query->barriers_order, &f.replay))
    doubt_it(h, &f, gs_refuted_reason);
  if (old && f.verdict != GS_RACE) {
    old->instances++;
    return;
  }
  f.instances = old ? old->instances + 1 : 1;
  gs_pair_message(k, h->query, v, object, &f);
  if (f.reason)
    gs_result_note(k->result, &f, (gs_loc){0},
                   gs_pool_format(k->result->arena, "this hangs on %s", f.reason));
  note_order(h, v, object, c);
  keep_finding(h, c, &f);
}

static void add_line(hunt *h, gs_loc loc) {
  for (uint32_t i = 0; i < h->line_count; i++)
    if (h->lines[i] == loc.line)
      return;
  if (h->line_count == h->line_capacity) {
    uint32_t capacity = h->line_capacity ? h->line_capacity * 2 : 8;
    uint32_t *lines = gs_pool_alloc(h->k->result->arena, capacity * sizeof *lines);
    if (!lines)
      return; // the report fails as a whole
    if (h->line_count)
      memcpy(lines, h->lines, h->line_count * sizeof *lines);
    h->lines = lines;
    h->line_capacity = capacity;
  }
  if (!h->line_count)
    h->first_line = loc;
  h->lines[h->line_count++] = loc.line;
}

/// Both write one constant to one place: an assumption says that this is harmless, and a
/// remark where it is.
static void report_same_value(hunt *h, const gs_violation *v, const gs_object *object) {
  gs_kernel *k = h->k;
  gs_pool *arena = k->result->arena;
  cause *c = find_cause(h, h->cause_at, true);
  if (!c)
    return;
  if (c->finding != GS_NONE)
    k->result->findings[c->finding].instances++;
  gs_finding f = finding_for(h, v, object, GS_PROVED);
  if (is_trusted(h, &f, object)) {
    c->verdict = GS_TRUSTED;
    return;
  }
  for (int who = 0; who < 2; who++)
    add_line(h, f.access[who].loc);
  if (k->options->same_value == GS_SAME_VALUE_OFF || c->finding != GS_NONE)
    return;
  f.witness = gs_violation_witness(k, v);
  if (!f.witness)
    return;
  f.message = gs_pool_format(arena, "same-value writes of '%s': %s and %s both write one constant to '%s'",
                             gs_object_words(object), gs_words_thread(k, f.witness, 0),
                             gs_words_thread(k, f.witness, 1), gs_words_element(k, f.witness, object));
  keep_finding(h, c, &f);
}

static void report_undecided(hunt *h, const gs_violation *v, const gs_object *object, cause *c) {
  gs_kernel *k = h->k;
  if (c->finding != GS_NONE) {
    k->result->findings[c->finding].instances++;
    return;
  }
  gs_finding f = finding_for(h, v, object, GS_UNKNOWN);
  if (is_trusted(h, &f, object))
    return;
  f.reason = "the solver gave up within its budget";
  f.message = gs_pool_format(k->result->arena,
                             "cannot prove %s '%s': %s on the accesses at lines %" PRIu32
                             " and %" PRIu32,
                             h->query->what, gs_object_words(object), f.reason,
                             f.access[0].loc.line, f.access[1].loc.line);
  keep_finding(h, c, &f);
}

/// Pairs of accesses that conflict for this cause, as far as little work tells. The hunt
/// itself ends with the first certain one.
static uint32_t count_instances(gs_kernel *k, const gs_pair_query *query, gs_cause id,
                                gs_prover *prover) {
  enum { MAX_COUNTED = 64 };
  gs_kernel alone = *k;
  alone.prover = prover;
  const gs_program *p = k->program;
  trial t = {.cause = id};
  hunt h = {.k = &alone, .query = query, .ranges = gs_offset_ranges_new(k), .trial = &t};
  uint32_t count = 0;
  for (uint32_t a = 0; a < p->access_count && !gs_prover_exhausted(prover); a++)
    for (uint32_t b = 0; p->accesses[a].is_write && p->accesses[a].place == id.place &&
                         b < p->access_count && h.pairs < MAX_COUNTED; b++) {
      t.failed = false;
      hunt_pair(&h, a < b ? a : b, a < b ? b : a);
      count += t.failed && !gs_prover_exhausted(prover);
    }
  gs_offset_ranges_free(h.ranges);
  return count ? count : 1;
}

/// Does anybody hear of it? A kernel that claims nothing is told what is certain only.
static bool is_heard(const gs_kernel *k, const gs_finding *f) {
  return !k->cheap && (k->is_claim || k->options->thorough || f->verdict == GS_RACE);
}

/// The last note of each conflict: the barrier that is missing, or other advice.
static void advise(hunt *h, cause *c, gs_mender *mender) {
  gs_kernel *k = h->k;
  if (c->finding == GS_NONE || !c->advice)
    return;
  gs_finding f = k->result->findings[c->finding];
  gs_fixit *fixes = gs_pool_alloc(k->result->arena, GS_MAX_FIXES * sizeof *fixes);
  gs_barrier_help help = GS_BARRIER_USELESS;
  uint32_t count = 0;
  if (c->orderable && fixes && mender && is_heard(k, &f))
    help = gs_find_barriers(mender, &c->missing, fixes, &count);
  else if (c->orderable && gs_is_shared(k->program->objects[c->id.object].kind))
    help = GS_BARRIER_UNSURE;
  if (help == GS_BARRIER_USELESS)
    gs_result_note(k->result, &f, (gs_loc){0}, c->advice);
  else
    gs_result_note(k->result, &f, count ? gs_fixit_place(&fixes[0]) : (gs_loc){0},
                   gs_barrier_words(k, &c->missing, c->exact, fixes, count));
  f.fixits = count ? fixes : NULL;
  f.fixit_count = count;
  if (mender && is_heard(k, &f))
    f.instances = count_instances(k, h->query, c->id, gs_mender_prover(mender));
  k->result->findings[c->finding] = f;
}

// ---------------------------------------------------------------- hunt ----

/// The case of a pair, for the threads that the query is about. \returns false when memory
/// is short.
static bool meet(hunt *h, const gs_meeting *meeting, uint32_t a, uint32_t ta, uint32_t b,
                 uint32_t tb, gs_case *out) {
  gs_kernel *k = h->k;
  return gs_scene_meet(k->scene, k->phases, meeting, a, ta, b, tb, out) &&
         gs_scene_require(k->scene, gs_pair_group_fact(k, h->query->group), out) &&
         gs_scene_require(k->scene, gs_pair_threads_fact(k, meeting, a, b, h->query->barriers_order), out);
}

/// Both store one constant at one place: never a definite error.
static bool same_constant(hunt *h, const gs_access *a, const gs_access *b, const gs_case *c) {
  bool same = a->is_write && b->is_write && !a->is_atomic && !b->is_atomic && a->is_const &&
              b->is_const && a->const_bits == b->const_bits && a->size == b->size && a->size;
  if (!same || h->query->atomics_count)
    return false;
  // Whole elements: the ranges must not overlap in part.
  gs_terms *terms = h->k->program->terms;
  gs_term equal = gs_mk_bin(terms, GS_OP_EQ, c->offset[0], c->offset[1]);
  return gs_prover_decide(h->k->prover, c, true, gs_mk_not(terms, equal), NULL) == GS_ANSWER_NO;
}

/// Is it one of the writes of the same value that an assumption excuses?
static bool is_excused(hunt *h, const gs_access *a, const gs_access *b, const gs_case *c) {
  return h->k->options->same_value != GS_SAME_VALUE_ERROR && same_constant(h, a, b, c);
}

/// In a trial: does the conflict remain?
static void check_refuted(hunt *h, const gs_meeting *meeting, uint32_t a, uint32_t ta, uint32_t b,
                          uint32_t tb) {
  gs_kernel *k = h->k;
  gs_case it = {0};
  gs_model model = {0};
  h->trial->failed = true;
  if (gs_prover_exhausted(k->prover) || !meet(h, meeting, a, ta, b, tb, &it))
    return;
  bool two = it.distinct_count || meeting->self;
  gs_answer answer = two ? gs_prover_decide(k->prover, &it, true, GS_NO_TERM, &model) : GS_ANSWER_NO;
  const gs_access *x = &k->program->accesses[a], *y = &k->program->accesses[b];
  h->trial->failed = answer == GS_ANSWER_DONT_KNOW || (answer == GS_ANSWER_YES && !is_excused(h, x, y, &it));
  gs_model_free(&model);
}

static void decide(hunt *h, const gs_meeting *meeting, uint32_t a, uint32_t ta, uint32_t b,
                   uint32_t tb) {
  gs_kernel *k = h->k;
  if (gs_is_decided(k))
    return;
  const gs_access *x = &k->program->accesses[a], *y = &k->program->accesses[b];
  uint32_t object = x->targets[ta].object, writer = x->is_write ? a : b;
  h->cause_at = (gs_cause){object, k->program->accesses[writer].place};
  if (h->trial) {
    if (!h->trial->failed && same_cause(h->trial->cause, h->cause_at))
      check_refuted(h, meeting, a, ta, b, tb);
    return;
  }
  cause *c = find_cause(h, h->cause_at, false);
  if (!c || c->verdict == GS_RACE)
    return; // one definite finding for a cause is enough
  gs_case it = {0};
  if (gs_prover_exhausted(k->prover)) {
    gs_violation v = {.rule = h->query->rule, .access = {a, b}, .target = {ta, tb}, .count = 2};
    report_undecided(h, &v, &k->program->objects[object], c);
    return;
  }
  if (!meet(h, meeting, a, ta, b, tb, &it))
    return;
  if (!it.distinct_count && !meeting->self)
    return; // there is only one such thread
  gs_model model = {0};
  gs_answer answer = gs_prover_decide(k->prover, &it, true, GS_NO_TERM, &model);
  gs_violation v = {.rule = h->query->rule,
                    .order_matters = !h->query->atomics_count,
                    .access = {a, b},
                    .target = {ta, tb},
                    .count = 2,
                    .meeting = *meeting,
                    .c = &it,
                    .model = &model};
  if (answer == GS_ANSWER_YES && is_excused(h, x, y, &it))
    report_same_value(h, &v, &k->program->objects[object]);
  else if (answer == GS_ANSWER_YES)
    report_conflict(h, &v, &k->program->objects[object], c);
  else if (answer == GS_ANSWER_DONT_KNOW)
    report_undecided(h, &v, &k->program->objects[object], c);
  gs_model_free(&model);
}

/// Threads of one block, or of two.
static void hunt_threads(hunt *h, bool across, uint32_t a, uint32_t ta, uint32_t b, uint32_t tb) {
  gs_meeting meeting = {.same_block = !across,
                        .phase = {.exact = true, .barrier = GS_NONE, .doubtful = GS_NONE}};
  gs_encounter all[GS_MAX_ENCOUNTERS];
  if (!h->query->barriers_order) {
    decide(h, &meeting, a, ta, b, tb);
    return;
  }
  uint32_t n = gs_phases_relate(h->k->phases, across, a, b, all);
  for (uint32_t i = 0; i < n; i++) {
    meeting = gs_meeting_of(&all[i]);
    decide(h, &meeting, a, ta, b, tb);
    if (gs_pair_meets_itself(h->k, &meeting, a, b))
      decide(h, &meeting, a, ta, b, tb);
  }
}

static const char vague_reason[] =
    "memory is reached through a pointer whose origin is not known (loaded from "
    "memory, or made from an integer), so it may overlap with anything";

/// Has data-race said it of its pairs? Once is enough.
static bool told_of_vague(const gs_kernel *k) {
  for (uint32_t i = 0; i < k->result->finding_count; i++) {
    const gs_finding *f = &k->result->findings[i];
    if (f->rule == GS_RULE_DATA_RACE && f->reason && strcmp(f->reason, vague_reason) == 0)
      return true;
  }
  return false;
}

/// Memory that a pointer of unknown origin may reach.
static void hunt_vague(hunt *h, uint32_t a, uint32_t b) {
  gs_kernel *k = h->k;
  if (h->unknown_memory || h->trial)
    return;
  h->unknown_memory = true;
  if (h->query->mix == GS_MIX_ATOMIC && told_of_vague(k))
    return;
  const gs_access *vague = &k->program->accesses[a], *other = &k->program->accesses[b];
  bool first = false;
  for (uint32_t i = 0; i < vague->target_count; i++)
    first |= gs_is_vague(k->program->objects[vague->targets[i].object].kind);
  gs_loc loc = gs_place_loc(k->program, first ? vague->place : other->place);
  gs_report_unknown(k, h->query->rule, loc, h->query->param < 0 ? "absence of data races" : h->query->what,
                    vague_reason);
}

/// Two parameters that a launch points into one buffer, nobody knows how far apart.
static void hunt_overlap(hunt *h, uint32_t a, const gs_object *first, const gs_object *second) {
  gs_kernel *k = h->k;
  if (h->overlap || h->trial)
    return;
  h->overlap = true;
  gs_report_unknown(k, h->query->rule, gs_place_loc(k->program, k->program->accesses[a].place),
                    h->query->param < 0 ? "absence of data races" : h->query->what,
                    gs_pool_format(k->result->arena,
                                   "a launch points '%s' and '%s' into one buffer, so they may overlap",
                                   gs_object_words(first), gs_object_words(second)));
}

/// Is the query about this object alone, and is it another one?
static bool left_out(const gs_pair_query *q, const gs_object *object) {
  return q->param >= 0 &&
         (object->kind != GS_OBJECT_PARAM || object->param != (uint32_t)q->param);
}

static void hunt_targets(hunt *h, uint32_t a, uint32_t ta, uint32_t b, uint32_t tb) {
  gs_kernel *k = h->k;
  const gs_pair_query *q = h->query;
  const gs_access *x = &k->program->accesses[a], *y = &k->program->accesses[b];
  uint32_t o1 = x->targets[ta].object, o2 = y->targets[tb].object;
  const gs_object *first = &k->program->objects[o1], *second = &k->program->objects[o2];
  if (gs_is_private(first->kind) || gs_is_private(second->kind))
    return;
  if (gs_is_vague(first->kind) || gs_is_vague(second->kind)) {
    hunt_vague(h, a, b);
    return;
  }
  const gs_alias *alias = o1 != o2 ? gs_alias_of(k, first, second) : NULL;
  if (alias && !alias->exact) {
    if (!left_out(q, first) || !left_out(q, second))
      hunt_overlap(h, a, first, second);
    return;
  }
  if (o1 != o2 && !alias) {
    bool assumed = !gs_is_shared(first->kind) && !gs_is_shared(second->kind) &&
                   !gs_claimed_apart(k, first, second);
    k->defaults[GS_DEFAULT_NOALIAS] |= assumed;
    if (assumed && k->options->strict)
      hunt_vague(h, a, b);
    return;
  }
  if (left_out(q, first) && left_out(q, second))
    return;
  bool race = q->rule == GS_RULE_DATA_RACE || q->rule == GS_RULE_ATOMIC_MIX;
  if (race && (gs_claimed_owned(k, first) || gs_claimed_owned(k, second)))
    return;
  if (o1 == o2 && gs_offsets_apart(h->ranges, a, ta, b, tb))
    return;
  k->pairs++;
  h->too_many = ++h->pairs > MAX_PAIRS;
  if (h->too_many)
    return;
  if (q->inside_block && gs_conflicts(x, y, q->atomics_count, GS_SCOPE_BLOCK))
    hunt_threads(h, false, a, ta, b, tb);
  if (q->across_blocks && !gs_is_shared(first->kind) &&
      gs_conflicts(x, y, q->atomics_count,
                   q->group == GS_GROUP_SAME_CLUSTER ? GS_SCOPE_CLUSTER : GS_SCOPE_GRID))
    hunt_threads(h, true, a, ta, b, tb);
}

static void hunt_pair(hunt *h, uint32_t a, uint32_t b) {
  const gs_access *x = &h->k->program->accesses[a], *y = &h->k->program->accesses[b];
  bool atomic = x->is_atomic || y->is_atomic;
  if ((!x->is_write && !y->is_write) || x->is_mute || y->is_mute || h->query->mix == (atomic ? GS_MIX_PLAIN : GS_MIX_ATOMIC))
    return;
  for (uint32_t i = 0; i < x->target_count; i++)
    for (uint32_t j = 0; j < y->target_count; j++)
      hunt_targets(h, a, i, b, j);
}

/// Accesses that other threads may see. \returns their number.
static uint32_t list_visible(const gs_program *p, uint32_t *out) {
  uint32_t n = 0;
  for (uint32_t a = 0; a < p->access_count; a++) {
    bool visible = false;
    for (uint32_t t = 0; t < p->accesses[a].target_count && !p->accesses[a].is_mute; t++)
      visible |= !gs_is_private(p->objects[p->accesses[a].targets[t].object].kind);
    if (visible)
      out[n++] = a;
  }
  return n;
}

bool gs_pairs_refuted(gs_kernel *k, const gs_pair_query *query, gs_cause cause, uint32_t first,
                      uint32_t second) {
  trial t = {.cause = cause};
  gs_pair_query all = *query; // whatever rule the other conflicts come under
  all.mix = GS_MIX_ALL;
  hunt h = {.k = k, .query = &all, .ranges = gs_offset_ranges_new(k), .trial = &t};
  const gs_access *accesses = k->program->accesses;
  hunt_pair(&h, first < second ? first : second, first < second ? second : first);
  for (uint32_t a = 0; a < k->program->access_count && !t.failed; a++) {
    if (!accesses[a].is_write || accesses[a].place != cause.place)
      continue;
    for (uint32_t b = 0; b < k->program->access_count && !t.failed; b++)
      hunt_pair(&h, a < b ? a : b, a < b ? b : a);
  }
  gs_offset_ranges_free(h.ranges);
  return !t.failed && !h.too_many;
}

/// One assumption for all writes of the same value.
static void assume_same_value(hunt *h) {
  gs_pool *arena = h->k->result->arena;
  if (h->line_count)
    gs_result_assume(h->k->result,
                     gs_pool_format(arena, "writes of the same value are harmless (%s)",
                                    gs_result_lines(arena, h->lines, h->line_count)),
                     false, h->first_line);
}

/// Every pair, once.
static void hunt_all(hunt *h, const uint32_t *list, uint32_t n) {
  const gs_program *p = h->k->program;
  uint64_t looks = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < n && !h->too_many; i++)
    for (uint32_t j = i; j < n && !h->too_many; j++) {
      at = list[i];
      h->too_many = ++looks > MAX_LOOKS;
      if (!h->too_many)
        hunt_pair(h, list[i], list[j]);
    }
  if (h->too_many)
    gs_report_unknown(h->k, h->query->rule,
                      p->access_count ? gs_place_loc(p, p->accesses[at].place) : (gs_loc){0},
                      "absence of data races",
                      "the kernel has more pairs of accesses than are looked at (60,000)");
}

void gs_check_pairs(gs_kernel *k, const gs_pair_query *queries, uint32_t count) {
  const gs_program *p = k->program;
  hunt h = {.k = k, .ranges = gs_offset_ranges_new(k)};
  uint32_t *list = malloc((p->access_count + 1u) * sizeof *list);
  uint32_t n = list ? list_visible(p, list) : 0;
  for (uint32_t i = 0; i < count && !h.too_many; i++) {
    h.query = &queries[i];
    h.too_many = !list;
    h.pairs = 0;
    hunt_all(&h, list, n);
  }
  gs_offset_ranges_free(h.ranges);
  free(list);
  for (uint32_t q = 0; q < count; q++) {
    gs_mender *mender = NULL;
    h.query = &queries[q];
    for (uint32_t i = 0; i < h.cause_count; i++) {
      if (h.causes[i].query != h.query)
        continue;
      if (!mender && h.causes[i].advice && !k->cheap)
        mender = gs_mender_new(k, h.query);
      advise(&h, &h.causes[i], mender);
    }
    gs_mender_free(mender);
  }
  assume_same_value(&h);
  free(h.causes);
}
