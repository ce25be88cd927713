// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What waiting threads wait for: warp operations and block barriers.
#include "machine.h"

static const gs_code_insn *insn_of(const gs_machine *m, const gs_thread *t) {
  return &m->code->insns[t->pc];
}

static uint64_t voted(gs_code_vote vote, uint32_t yes, uint32_t all, uint32_t ballot) {
  switch (vote) {
  case GS_VOTE_NONE: return 0;
  case GS_VOTE_COUNT: return yes;
  case GS_VOTE_ALL: return yes == all;
  case GS_VOTE_ANY: return yes > 0;
  case GS_VOTE_UNI: return yes == 0 || yes == all;
  case GS_VOTE_BALLOT: return ballot;
  }
  return 0;
}

// --------------------------------------------------------------- warps ----

typedef struct group {
  gs_thread *lanes[GS_LANES]; ///< NULL: no such member
  uint32_t count;
} group;

/// Do the two wait for each other? Barriers of a warp do not know where in the text a
/// lane stands, only with which mask; shuffles and votes must be the same one.
static bool together(const gs_machine *m, const gs_thread *a, const gs_thread *b) {
  const gs_code_insn *x = insn_of(m, a), *y = insn_of(m, b);
  bool barriers = x->op == GS_CODE_SYNCWARP && y->op == GS_CODE_SYNCWARP;
  return b->state == GS_THREAD_AT_WARP && (a->pc == b->pc || barriers) &&
         (uint32_t)a->regs[x->a] == (uint32_t)b->regs[y->a];
}

/// The lanes that wait with `t`. \returns false when one of them is not there yet.
static bool gather(gs_machine *m, const gs_thread *t, group *g) {
  const gs_code_insn *insn = insn_of(m, t);
  uint32_t mask = (uint32_t)t->regs[insn->a], first = t->index / GS_LANES * GS_LANES;
  *g = (group){0};
  if (!(mask >> (t->index % GS_LANES) & 1))
    return false; // a lane that is not in its own mask: undefined
  for (uint32_t i = 0; i < GS_LANES && first + i < m->thread_count; i++) {
    gs_thread *other = &m->threads[first + i];
    if (!(mask >> i & 1) || other->state == GS_THREAD_EXITED)
      continue;
    if (!together(m, t, other))
      return false;
    g->lanes[i] = other;
    g->count++;
  }
  return true;
}

static void join(const gs_machine *m, uint32_t *into, const uint32_t *clock) {
  for (uint32_t i = 0; i < m->clock_size; i++)
    into[i] = clock[i] > into[i] ? clock[i] : into[i];
}

/// The thread knows all this now, and what it does from here on is later.
static void learn(const gs_machine *m, gs_thread *t, const uint32_t *known) {
  join(m, t->clock, known);
  t->clock[gs_clock_entry(m->code, t->index)]++;
}

/// Everyone now knows what everyone knew.
static void join_clocks(const gs_machine *m, group *g) {
  uint32_t joined[GS_MAX_THREADS] = {0};
  for (int i = 0; i < GS_LANES; i++)
    if (g->lanes[i])
      join(m, joined, g->lanes[i]->clock);
  for (int i = 0; i < GS_LANES; i++)
    if (g->lanes[i])
      learn(m, g->lanes[i], joined);
}

/// The lane that lane `lane` reads, as PTX's shfl.sync computes it.
static uint32_t source_lane(const gs_code_insn *insn, const gs_thread *t, uint32_t lane) {
  uint32_t b = (uint32_t)t->regs[insn->c], c = (uint32_t)t->regs[insn->c + 1];
  uint32_t clamp = c & 31, segment = c >> 8 & 31;
  uint32_t most = (lane & segment) | (clamp & ~segment), least = lane & segment;
  int64_t j = 0;
  bool inside = false;
  switch ((gs_code_shuffle)insn->imm) {
  case GS_SHUFFLE_UP:
    j = (int64_t)lane - (b & 31);
    inside = j >= (int64_t)most;
    break;
  case GS_SHUFFLE_DOWN:
    j = lane + (b & 31);
    inside = j <= (int64_t)most;
    break;
  case GS_SHUFFLE_BFLY:
    j = lane ^ (b & 31);
    inside = j <= (int64_t)most;
    break;
  case GS_SHUFFLE_IDX:
    j = least | (b & 31 & ~segment);
    inside = j <= (int64_t)most;
    break;
  }
  return inside ? (uint32_t)j : lane;
}

static void shuffle(gs_machine *m, const gs_code_insn *insn, group *g) {
  uint64_t results[GS_LANES] = {0};
  for (uint32_t i = 0; i < GS_LANES; i++) {
    if (!g->lanes[i])
      continue;
    uint32_t from = source_lane(insn, g->lanes[i], i);
    // A lane that takes no part gives an undefined value.
    results[i] = g->lanes[from] ? g->lanes[from]->regs[insn->b]
                                : gs_random(m) & gs_mask_of(insn->width);
  }
  for (int i = 0; i < GS_LANES; i++)
    if (g->lanes[i])
      g->lanes[i]->regs[insn->dst] = results[i];
}

static void vote(const gs_code_insn *insn, group *g) {
  uint32_t ballot = 0;
  for (uint32_t i = 0; i < GS_LANES; i++)
    if (g->lanes[i] && g->lanes[i]->regs[insn->b])
      ballot |= 1u << i;
  uint64_t value = voted((gs_code_vote)insn->imm, (uint32_t)__builtin_popcount(ballot), g->count,
                         ballot);
  for (int i = 0; i < GS_LANES; i++)
    if (g->lanes[i])
      g->lanes[i]->regs[insn->dst] = value;
}

static void match(const gs_code_insn *insn, group *g) {
  uint32_t masks[GS_LANES] = {0};
  bool all = true;
  for (uint32_t i = 0; i < GS_LANES; i++)
    for (uint32_t j = 0; g->lanes[i] && j < GS_LANES; j++) {
      bool same = g->lanes[j] && g->lanes[j]->regs[insn->b] == g->lanes[i]->regs[insn->b];
      masks[i] |= same ? 1u << j : 0;
      all &= same || !g->lanes[j];
    }
  for (uint32_t i = 0; i < GS_LANES; i++) {
    if (!g->lanes[i])
      continue;
    g->lanes[i]->regs[insn->dst] = insn->imm && !all ? 0 : masks[i];
    if (insn->imm)
      g->lanes[i]->regs[insn->dst + 1] = all;
  }
}

static void reduce(const gs_code_insn *insn, group *g) {
  uint64_t value = 0;
  bool first = true;
  for (uint32_t i = 0; i < GS_LANES; i++) {
    if (!g->lanes[i])
      continue;
    uint64_t own = g->lanes[i]->regs[insn->b];
    value = first ? own : gs_machine_updated((gs_code_atomic)insn->imm, value, own, insn->width);
    value &= gs_mask_of(insn->width);
    first = false;
  }
  for (uint32_t i = 0; i < GS_LANES; i++)
    if (g->lanes[i])
      g->lanes[i]->regs[insn->dst] = value;
}

static void perform(gs_machine *m, const gs_code_insn *insn, group *g) {
  if (insn->op == GS_CODE_SHUFFLE)
    shuffle(m, insn, g);
  else if (insn->op == GS_CODE_VOTE)
    vote(insn, g);
  else if (insn->op == GS_CODE_MATCH)
    match(insn, g);
  else if (insn->op == GS_CODE_REDUX)
    reduce(insn, g);
  else
    join_clocks(m, g);
  for (int i = 0; i < GS_LANES; i++)
    if (g->lanes[i]) {
      g->lanes[i]->pc++;
      g->lanes[i]->state = GS_THREAD_RUNS;
    }
}

static bool release_warps(gs_machine *m) {
  bool any = false;
  for (uint32_t i = 0; i < m->thread_count; i++) {
    gs_thread *t = &m->threads[i];
    group g;
    if (t->state != GS_THREAD_AT_WARP || !gather(m, t, &g))
      continue;
    perform(m, insn_of(m, t), &g);
    any = true;
  }
  return any;
}

// ------------------------------------------------------------- barrier ----

/// Does the thread wait at a barrier of all threads of the block?
static bool waits_for_all(const gs_machine *m, const gs_thread *t) {
  const gs_code_insn *insn = insn_of(m, t);
  return insn->op == GS_CODE_BARRIER && !t->regs[insn->c];
}

/// A barrier that all threads that are left wait at. An exited thread has arrived.
static bool release_barrier(gs_machine *m) {
  const gs_thread *first = NULL;
  uint32_t yes = 0, all = 0;
  for (uint32_t i = 0; i < m->thread_count; i++) {
    const gs_thread *t = &m->threads[i];
    if (t->state == GS_THREAD_EXITED)
      continue;
    if (t->state != GS_THREAD_AT_BARRIER || !waits_for_all(m, t))
      return false;
    first = first ? first : t;
    if (t->pc != first->pc) {
      gs_machine_end(m, GS_END_DIVERGED);
      return false;
    }
    all++;
    yes += t->regs[insn_of(m, t)->a] != 0;
  }
  if (!first)
    return false;
  const gs_code_insn *insn = insn_of(m, first);
  uint64_t value = voted((gs_code_vote)insn->imm, yes, all, 0);
  for (uint32_t i = 0; i < m->thread_count; i++) {
    gs_thread *t = &m->threads[i];
    if (t->state == GS_THREAD_EXITED)
      continue;
    if (insn->imm != GS_VOTE_NONE)
      t->regs[insn->dst] = value;
    t->pc++;
    t->state = GS_THREAD_RUNS;
  }
  m->phase++;
  if (m->handover)
    gs_handover_barrier(m->handover);
  return true;
}

// ------------------------------------------------- barriers of some threads ----

static uint32_t number_of(const gs_machine *m, const gs_thread *t) {
  return (uint32_t)(t->regs[insn_of(m, t)->b] % GS_BARRIER_NUMBERS);
}

void gs_machine_arrive(gs_machine *m, const gs_code_insn *insn, gs_thread *t) {
  gs_arrivals *a = &m->arrivals[t->regs[insn->b] % GS_BARRIER_NUMBERS];
  a->count++;
  if (insn->imm)
    return;
  join(m, a->clock, t->clock);
  t->clock[gs_clock_entry(m->code, t->index)]++; // what follows is not covered
}

/// Those who wait at barrier `number`, of which some wait for `op`.
typedef struct crowd {
  uint32_t waiting, left, exited; ///< left: all who have not returned
  uint32_t yes;
  uint64_t wanted;
} crowd;

static crowd count_crowd(const gs_machine *m, uint32_t number, gs_code_op op) {
  crowd c = {0};
  for (uint32_t i = 0; i < m->thread_count; i++) {
    const gs_thread *t = &m->threads[i];
    c.exited += t->state == GS_THREAD_EXITED;
    c.left += t->state != GS_THREAD_EXITED;
    if (t->state != GS_THREAD_AT_BARRIER || insn_of(m, t)->op != op || number_of(m, t) != number)
      continue;
    c.waiting++;
    c.yes += t->regs[insn_of(m, t)->a] != 0;
    c.wanted = t->regs[insn_of(m, t)->c];
  }
  return c;
}

/// Lets those go who wait at barrier `number`. They know what all knew who came to it: a
/// WAIT, what those knew who arrived.
static void let_go(gs_machine *m, uint32_t number, gs_code_op op, const crowd *c) {
  uint32_t joined[GS_MAX_THREADS] = {0};
  gs_arrivals *a = &m->arrivals[number];
  join(m, joined, a->clock);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < m->thread_count; i++) {
      gs_thread *t = &m->threads[i];
      if (t->state != GS_THREAD_AT_BARRIER || insn_of(m, t)->op != op || number_of(m, t) != number)
        continue;
      if (pass == 0) {
        if (op == GS_CODE_BARRIER)
          join(m, joined, t->clock);
        continue;
      }
      const gs_code_insn *insn = insn_of(m, t);
      if (op == GS_CODE_BARRIER && insn->imm != GS_VOTE_NONE)
        t->regs[insn->dst] = voted((gs_code_vote)insn->imm, c->yes, c->waiting, 0);
      learn(m, t, joined);
      t->pc++;
      t->state = GS_THREAD_RUNS;
    }
  a->count = 0;
  for (uint32_t i = 0; i < m->clock_size; i++)
    a->clock[i] = 0;
}

static bool release_some(gs_machine *m) {
  bool any = false;
  for (uint32_t number = 0; m->code->wide && number < GS_BARRIER_NUMBERS; number++) {
    gs_code_op op = number == GS_BARRIER_CLUSTER ? GS_CODE_WAIT : GS_CODE_BARRIER;
    crowd c = count_crowd(m, number, op);
    uint64_t came = c.waiting + m->arrivals[number].count;
    if (c.wanted == m->thread_count) // all: who has returned has arrived
      came += c.exited;
    bool full = op == GS_CODE_WAIT ? c.waiting == c.left : c.wanted && came >= c.wanted;
    if (!c.waiting || !full)
      continue;
    let_go(m, number, op, &c);
    any = true;
  }
  return any;
}

bool gs_machine_release(gs_machine *m) { return release_warps(m) || release_some(m) || release_barrier(m); }
