// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async-copy: between its start and the wait that completes it, an asynchronous copy may
// read its source and write its destination at any time, also for the thread that started
// it. The page is async-copy.md.
#include "rule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TURNS = 5 }; // deeper loops count as having gone round

/// Where a walk from a copy stands.
typedef struct point {
  uint32_t block;
  bool committed;   ///< the copy is in a group
  uint32_t crossed; ///< depth of the outermost loop around the copy that went round; 0 = none
  uint32_t turned;  ///< by depth: loops not around the copy that went round since they were entered
} point;

typedef struct flight {
  gs_kernel *k;
  uint32_t from, to; ///< the two accesses of the copy
  uint32_t block;
  bool *seen;
  point *stack;
  uint32_t count;
  uint32_t depths; ///< values of `crossed`
  bool *asked;     ///< by access, `crossed` and `turned`
  bool at_barrier; ///< already reported
} flight;

static bool is_shared_or_global(gs_object_kind kind) {
  return kind != GS_OBJECT_LOCAL && kind != GS_OBJECT_BYVAL && kind != GS_OBJECT_CONSTANT;
}

static bool is_vague(gs_object_kind kind) {
  return kind == GS_OBJECT_LOADED || kind == GS_OBJECT_UNKNOWN;
}

static bool loop_holds(const gs_program *p, uint32_t loop, uint32_t block) {
  uint32_t l = p->blocks[block].loop;
  while (l != GS_NONE && l != loop)
    l = p->loops[l].parent;
  return l == loop;
}

/// Loops around both blocks.
static uint32_t common_depth(const gs_program *p, uint32_t a, uint32_t b) {
  uint32_t l = p->blocks[a].loop;
  while (l != GS_NONE && !loop_holds(p, l, b))
    l = p->loops[l].parent;
  return l == GS_NONE ? 0 : p->loops[l].depth;
}

static uint32_t position_of(const gs_program *p, uint32_t block, uint32_t access) {
  uint32_t e = 0;
  while (p->blocks[block].events[e].kind != GS_EVENT_ACCESS ||
         p->blocks[block].events[e].index != access)
    e++;
  return e;
}

/// Does some way lead from one access to another?
static bool leads_to(const flight *f, uint32_t from, uint32_t to) {
  const gs_program *p = f->k->program;
  uint32_t start = gs_phases_block(f->k->phases, from), end = gs_phases_block(f->k->phases, to);
  if (start == end && position_of(p, start, from) < position_of(p, end, to))
    return true;
  bool *seen = calloc(p->block_count + 1u, sizeof *seen), found = !seen;
  uint32_t *stack = malloc((p->block_count + 1u) * sizeof *stack), count = 0;
  if (stack)
    stack[count++] = start;
  while (seen && count && !found) {
    const gs_block *b = &p->blocks[stack[--count]];
    for (uint32_t s = 0; s < b->succ_count && !found; s++) {
      found = b->succ[s] == end;
      if (!seen[b->succ[s]])
        seen[b->succ[s]] = true, stack[count++] = b->succ[s];
    }
  }
  free(seen);
  free(stack);
  return found;
}

/// Is there a wait that other ways to `use` meet? Then the conditions that were looked at
/// may not be those of a way around it.
static bool may_be_waited_for(const flight *f, uint32_t use) {
  const gs_program *p = f->k->program;
  for (uint32_t i = 0; i < p->access_count; i++)
    if ((p->accesses[i].async == GS_ASYNC_WAIT || p->accesses[i].async == GS_ASYNC_WAIT_ALL) &&
        leads_to(f, f->to, i) && leads_to(f, i, use))
      return true;
  return false;
}

// --------------------------------------------------------------- reports ----

/// The line of the kernel where it happens, not that of a function of the toolkit.
static uint32_t outer_line(const gs_program *p, uint32_t access) {
  return gs_place_outer(p, p->accesses[access].place).line;
}

static void report_use(const flight *f, gs_violation *v, const gs_object *object) {
  gs_kernel *k = f->k;
  gs_pool *arena = k->result->arena;
  const char *reason = NULL;
  bool exact = gs_violation_is_exact(k, v, &reason);
  if (exact && may_be_waited_for(f, v->access[1])) {
    exact = false;
    reason = "whether a wait that other ways meet completes the copy on this one";
  }
  gs_access_ref copy = gs_access_reference(k, v->access[0]), use = gs_access_reference(k, v->access[1]);
  const gs_access *a = &k->program->accesses[v->access[0]], *b = &k->program->accesses[v->access[1]];
  gs_finding finding = {.rule = GS_RULE_ASYNC_COPY,
                        .verdict = exact ? GS_RACE : GS_POSSIBLE,
                        .is_error = k->is_claim,
                        .loc = use.loc,
                        .reason = gs_pool_text(arena, reason),
                        .object = gs_pool_text(arena, gs_object_words(object)),
                        .access = {copy, use},
                        .access_count = 2,
                        .instances = 1};
  if (gs_trusted(k, GS_RULE_ASYNC_COPY, object, (gs_loc[]){copy.loc, use.loc}, 2))
    return;
  finding.witness = gs_violation_witness(k, v);
  if (!finding.witness)
    return;
  const char *where = gs_words_element(k, finding.witness, object);
  finding.message = gs_pool_format(
      arena,
      "asynchronous copy in flight: %s %s '%s' while its copy of line %" PRIu32
      " may still %s it, when launched with %s",
      gs_words_thread(k, finding.witness, 1), b->async == GS_ASYNC_TO ? "copies to" : gs_words_verb(b),
      where, outer_line(k->program, v->access[0]), a->is_write ? "write" : "read", gs_words_launch(k, finding.witness));
  if (reason)
    gs_result_note(k->result, &finding, (gs_loc){0}, gs_pool_format(arena, "this hangs on %s", reason));
  gs_result_note(k->result, &finding, (gs_loc){0},
                 "wait first: __pipeline_commit() and __pipeline_wait_prior(0), or cp.async.wait_all");
  gs_result_add(k->result, &finding);
}

static void report_unknown(const flight *f, uint32_t place, const char *reason) {
  gs_kernel *k = f->k;
  gs_loc loc = gs_place_loc(k->program, place);
  if (!gs_trusted(k, GS_RULE_ASYNC_COPY, NULL, &loc, 1))
    gs_report_unknown(k, GS_RULE_ASYNC_COPY, loc, "that asynchronous copies are complete", reason);
}

/// Other threads may rely on the barrier, and the copy goes on behind it.
static void report_barrier(flight *f, uint32_t barrier) {
  const gs_program *p = f->k->program;
  if (f->at_barrier)
    return;
  f->at_barrier = true;
  report_unknown(f, p->barriers[barrier].place,
                 gs_pool_format(f->k->result->arena,
                                "the copy of line %" PRIu32
                                " may be in flight at this barrier, and only copies that are waited "
                                "for before any barrier are modelled",
                                outer_line(p, f->to)));
}

/// A thread that ends takes no wait with it: its copy goes on, while barriers count the
/// thread as arrived and other threads rely on them.
static void report_end(flight *f) {
  const gs_program *p = f->k->program;
  if (f->at_barrier || !p->barrier_count)
    return;
  f->at_barrier = true;
  report_unknown(f, p->accesses[f->to].place,
                 gs_pool_format(f->k->result->arena,
                                "the copy of line %" PRIu32 " may be in flight when its thread returns, "
                                "and barriers count that thread as arrived",
                                outer_line(p, f->to)));
}

// ------------------------------------------------------------- questions ----

static void decide(flight *f, uint32_t a, uint32_t ta, uint32_t b, uint32_t tb, const point *at) {
  uint32_t crossed = at->crossed;
  gs_kernel *k = f->k;
  const gs_program *p = k->program;
  uint32_t other = gs_phases_block(k->phases, b);
  gs_meeting meeting = {.same_block = true,
                        .self = true,
                        .phase = {.exact = true, .barrier = GS_NONE, .doubtful = GS_NONE}};
  meeting.phase.tied = crossed ? crossed - 1 : common_depth(p, f->block, other);
  meeting.phase.step = crossed ? GS_STEP_SECOND_LATER : GS_STEP_FREE;
  // Loops that were entered since and have not gone round are in their first iteration.
  uint32_t around = (2u << common_depth(p, f->block, other)) - 1;
  if (common_depth(p, f->block, other) <= MAX_TURNS)
    meeting.phase.zero[1] = ((2u << MAX_TURNS) - 1) & ~around & ~at->turned;
  gs_case c;
  gs_model model = {0};
  if (!gs_scene_meet(k->scene, k->phases, &meeting, a, ta, b, tb, &c))
    return;
  gs_answer answer = gs_prover_exhausted(k->prover)
                         ? GS_ANSWER_DONT_KNOW
                         : gs_prover_decide(k->prover, &c, true, GS_NO_TERM, &model);
  const gs_object *object = &p->objects[p->accesses[a].targets[ta].object];
  if (answer == GS_ANSWER_YES) {
    gs_violation v = {.rule = GS_RULE_ASYNC_COPY, .access = {a, b}, .target = {ta, tb}, .count = 2,
                      .meeting = meeting, .c = &c, .model = &model};
    report_use(f, &v, object);
  } else if (answer == GS_ANSWER_DONT_KNOW) {
    report_unknown(f, p->accesses[b].place, "the solver gave up within its budget");
  }
  gs_model_free(&model);
}

/// May `b` touch what the copy's access `a` still reads or writes?
static void compare(flight *f, uint32_t a, uint32_t b, const point *at) {
  const gs_program *p = f->k->program;
  const gs_access *x = &p->accesses[a], *y = &p->accesses[b];
  if (!x->is_write && !y->is_write)
    return;
  for (uint32_t i = 0; i < x->target_count; i++)
    for (uint32_t j = 0; j < y->target_count; j++) {
      const gs_object *o = &p->objects[x->targets[i].object], *q = &p->objects[y->targets[j].object];
      bool either = is_vague(o->kind) || is_vague(q->kind);
      if (either && is_shared_or_global(o->kind) && is_shared_or_global(q->kind))
        report_unknown(f, y->place, "a pointer of unknown origin may point to what is being copied");
      else if (o == q)
        decide(f, a, i, b, j, at);
    }
}

/// `crossed` and `turned` as a number.
static uint32_t code_of(const point *at) {
  return at->crossed << MAX_TURNS | at->turned >> 1;
}

static void meet(flight *f, uint32_t access, const point *at) {
  bool *asked = &f->asked[access * (f->depths << MAX_TURNS) + code_of(at)];
  if (*asked || (!at->crossed && (access == f->from || access == f->to)))
    return; // itself
  *asked = true;
  compare(f, f->from, access, at);
  compare(f, f->to, access, at);
}

// ------------------------------------------------------------------ walk ----

static void push(flight *f, point at) {
  uint32_t code = (at.block * 2 + at.committed) * (f->depths << MAX_TURNS) + code_of(&at);
  if (f->seen[code])
    return;
  f->seen[code] = true;
  f->stack[f->count++] = at;
}

/// What follows the edge to `to`.
static point cross(const flight *f, point at, uint32_t to) {
  const gs_program *p = f->k->program;
  uint32_t common = common_depth(p, f->block, to), loop = p->blocks[to].loop;
  point next = at;
  uint32_t depth = loop == GS_NONE ? 0 : p->loops[loop].depth;
  next.block = to;
  if (depth < MAX_TURNS)
    next.turned &= (2u << depth) - 1; // loops that were left
  if (next.crossed > common)
    next.crossed = 0; // that loop was left
  bool back = loop != GS_NONE && p->loops[loop].header == to && loop_holds(p, loop, at.block);
  if (loop == GS_NONE || p->loops[loop].header != to)
    return next;
  if (!loop_holds(p, loop, f->block) && depth <= MAX_TURNS)
    next.turned = back ? next.turned | 1u << depth : next.turned & ~(1u << depth);
  else if (back && loop_holds(p, loop, f->block) && (!next.crossed || depth < next.crossed))
    next.crossed = depth;
  return next;
}

/// The events of a block from `first` on, then the blocks behind it.
static void walk_block(flight *f, point at, uint32_t first) {
  const gs_program *p = f->k->program;
  const gs_block *b = &p->blocks[at.block];
  for (uint32_t e = first; e < b->event_count; e++) {
    if (b->events[e].kind != GS_EVENT_ACCESS) {
      if (p->barriers[b->events[e].index].kind == GS_BARRIER_VOTE)
        continue; // orders nothing
      report_barrier(f, b->events[e].index);
      return;
    }
    const gs_access *a = &p->accesses[b->events[e].index];
    if (a->async == GS_ASYNC_WAIT_ALL || (a->async == GS_ASYNC_WAIT && at.committed && !a->groups))
      return;
    if (a->async == GS_ASYNC_COMMIT)
      at.committed = true;
    else if (a->target_count)
      meet(f, b->events[e].index, &at);
  }
  if (b->exits && !b->traps)
    report_end(f);
  for (uint32_t s = 0; s < b->succ_count; s++)
    push(f, cross(f, at, b->succ[s]));
}

static void follow(gs_kernel *k, uint32_t from, uint32_t to) {
  const gs_program *p = k->program;
  flight f = {.k = k, .from = from, .to = to, .block = gs_phases_block(k->phases, to)};
  uint32_t loop = p->blocks[f.block].loop;
  f.depths = (loop == GS_NONE ? 0 : p->loops[loop].depth) + 1;
  size_t states = (size_t)p->block_count * 2 * (f.depths << MAX_TURNS);
  f.seen = calloc(states + 1, sizeof *f.seen);
  f.stack = malloc((states + 1) * sizeof *f.stack);
  f.asked = calloc((size_t)p->access_count * (f.depths << MAX_TURNS) + 1, sizeof *f.asked);
  if (f.seen && f.stack && f.asked) {
    walk_block(&f, (point){.block = f.block}, position_of(p, f.block, to) + 1);
    while (f.count) {
      point at = f.stack[--f.count];
      walk_block(&f, at, 0);
    }
  } else {
    report_unknown(&f, p->accesses[to].place, "memory is short");
  }
  free(f.seen);
  free(f.stack);
  free(f.asked);
}

void gs_rule_async_copy(gs_kernel *k) {
  const gs_program *p = k->program;
  for (uint32_t b = 0; b < p->block_count; b++) {
    uint32_t from = GS_NONE;
    for (uint32_t e = 0; e < p->blocks[b].event_count; e++) {
      uint32_t a = p->blocks[b].events[e].index;
      if (p->blocks[b].events[e].kind != GS_EVENT_ACCESS)
        continue;
      if (p->accesses[a].async == GS_ASYNC_FROM)
        from = a;
      else if (p->accesses[a].async == GS_ASYNC_TO && from != GS_NONE)
        follow(k, from, a);
      else if (p->accesses[a].async == GS_ASYNC_TO)
        gs_report_unknown(k, GS_RULE_ASYNC_COPY, gs_place_loc(p, p->accesses[a].place),
                          "that asynchronous copies are complete", "a copy has no source");
    }
  }
}
