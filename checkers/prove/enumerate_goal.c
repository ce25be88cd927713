// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two-thread questions as enumerations: which symbols have few values, which
// facts guard one thread, which tie the two, and what cancels between offsets.
#include "enumerate.h"
#include "smt_model.h"
#include "smt_range.h"

#include <stdlib.h>

enum {
  MAX_SYMS = 63,       ///< symbols that are told apart; others are foreign
  MAX_ADDENDS = 64,    ///< of one offset
  MAX_DEPTH = 64,      ///< of the search for addends
  FEW = 4096,          ///< values of a symbol that are tried one by one
  EXTRA_POINTS = 65536 ///< instances times cases that optional symbols may cost
};

/// Set of symbols by number; the top bit: something that cannot be enumerated.
typedef uint64_t symset;
#define FOREIGN (UINT64_C(1) << 63)

typedef struct addend {
  gs_term term; ///< 64 bits
  uint64_t factor;
} addend;

typedef struct sum {
  addend items[MAX_ADDENDS];
  uint32_t count;
  bool full;
} sum;

typedef struct planner {
  gs_terms *terms;
  const gs_goal *goal;
  gs_dag dag;
  gs_literals literals;
  gs_ranges ranges;
  symset *sets;               ///< by place in the DAG
  uint32_t syms[MAX_SYMS];    ///< symbol of each number
  uint64_t lo[MAX_SYMS], hi[MAX_SYMS];
  uint8_t copy[MAX_SYMS];     ///< 0 common, 1 or 2
  uint32_t twin[MAX_SYMS];    ///< the same symbol in the other thread, or MAX_SYMS
  uint32_t sym_count;
  symset chosen;              ///< to be enumerated
  gs_term offset[2];
  bool thrifty;   ///< cancel every common addend
  bool cancelled; ///< a common addend was dropped
  bool dropped;   ///< a fact was dropped
  gs_enum_query query;
  gs_enum_sym enum_syms[MAX_SYMS];
  gs_enum_uniform uniforms[MAX_SYMS];
} planner;

static symset set_of(const planner *p, gs_term t) { return p->sets[gs_dag_at(&p->dag, t)]; }

/// Symbols of thread 1 or 2 among those of the set.
static symset of_copy(const planner *p, symset set, uint8_t copy) {
  symset r = 0;
  for (uint32_t i = 0; i < p->sym_count; i++)
    if (p->copy[i] == copy)
      r |= set & (UINT64_C(1) << i);
  return r;
}

// --------------------------------------------------------------- analysis ----

/// Numbers a symbol. One of an exit or past the limit is foreign.
static symset number_symbol(planner *p, uint32_t at, uint32_t sym) {
  const gs_sym *s = gs_sym_get(p->terms, sym);
  if (p->sym_count == MAX_SYMS || s->copy > 2)
    return FOREIGN;
  uint32_t i = p->sym_count++;
  p->syms[i] = sym;
  p->lo[i] = p->ranges.node[at].lo;
  p->hi[i] = p->ranges.node[at].hi;
  p->copy[i] = (uint8_t)s->copy;
  return UINT64_C(1) << i;
}

static bool analyse(planner *p) {
  const gs_goal *goal = p->goal;
  size_t count = goal->fact_count + 2 + 2 * goal->distinct_count;
  gs_term *roots = malloc(count * sizeof *roots);
  if (!roots)
    return false;
  for (size_t i = 0; i < goal->fact_count; i++)
    roots[i] = goal->facts[i];
  roots[goal->fact_count] = goal->a;
  roots[goal->fact_count + 1] = goal->b;
  for (size_t i = 0; i < 2 * goal->distinct_count; i++)
    roots[goal->fact_count + 2 + i] = gs_sym_term(p->terms, goal->distinct[i / 2][i % 2]);
  bool fine = gs_dag_collect(p->terms, roots, count, &p->dag);
  free(roots);
  fine = fine && gs_literals_collect(p->terms, &p->dag, goal->facts, goal->fact_count,
                                     &p->literals, NULL);
  fine = fine && gs_ranges_compute(p->terms, &p->dag, &p->literals, NULL, &p->ranges);
  p->sets = fine ? calloc(p->dag.count + 1, sizeof *p->sets) : NULL;
  for (uint32_t at = 0; p->sets && at < p->dag.count; at++) {
    const gs_node *node = gs_term_node(p->terms, p->dag.terms[at]);
    if (node->op == GS_OP_SYM)
      p->sets[at] = number_symbol(p, at, (uint32_t)node->value);
    if (node->op == GS_OP_LOAD)
      p->sets[at] = FOREIGN;
    for (uint32_t a = 0; a < gs_op_arity((gs_op)node->op); a++)
      p->sets[at] |= set_of(p, node->arg[a]);
  }
  return p->sets != NULL;
}

// ---------------------------------------------------------------- offsets ----

static void add_addend(sum *sum, gs_term term, uint64_t factor) {
  for (uint32_t i = 0; i < sum->count; i++)
    if (sum->items[i].term == term) {
      sum->items[i].factor += factor;
      return;
    }
  if (sum->count == MAX_ADDENDS || !term) {
    sum->full = true;
    return;
  }
  sum->items[sum->count++] = (addend){term, factor};
}

/// Is the operation the mathematical one under this extension of its result?
static bool is_exact(const planner *p, gs_term t, gs_op extension) {
  if (extension == GS_OP_NONE)
    return true; // modulo 2^64
  uint8_t flag = extension == GS_OP_SEXT ? GS_NSW : GS_NUW;
  return !(gs_ranges_wraps(p->terms, &p->dag, &p->ranges, t) & flag);
}

/// Splits `factor` times t, extended to 64 bits, into addends.
static void split(const planner *p, gs_term t, gs_op extension, uint64_t factor, int depth,
                  sum *out) {
  const gs_node node = *gs_term_node(p->terms, t);
  bool arithmetic = node.op == GS_OP_ADD || node.op == GS_OP_SUB || node.op == GS_OP_MUL ||
                    node.op == GS_OP_SHL;
  bool casts = node.op == GS_OP_ZEXT || (node.op == GS_OP_SEXT && extension != GS_OP_ZEXT);
  uint64_t c = 0;
  bool by_constant = arithmetic && gs_term_const(p->terms, node.arg[1], &c);
  if (depth < MAX_DEPTH && casts) {
    split(p, node.arg[0], (gs_op)node.op, factor, depth + 1, out);
    return;
  }
  if (depth < MAX_DEPTH && arithmetic && is_exact(p, t, extension)) {
    if (node.op == GS_OP_ADD || node.op == GS_OP_SUB) {
      split(p, node.arg[0], extension, factor, depth + 1, out);
      split(p, node.arg[1], extension, node.op == GS_OP_ADD ? factor : 0 - factor, depth + 1, out);
      return;
    }
    if (by_constant && extension == GS_OP_SEXT && node.op == GS_OP_MUL)
      c = (uint64_t)gs_sign_extend(c, node.width);
    if (by_constant && (node.op == GS_OP_MUL || c < node.width)) {
      split(p, node.arg[0], extension, node.op == GS_OP_MUL ? factor * c : factor << c, depth + 1,
            out);
      return;
    }
  }
  gs_term wide = extension == GS_OP_NONE ? t : gs_mk_cast(p->terms, extension, t, 64);
  add_addend(out, wide, factor);
}

static symset set_of_addend(const planner *p, gs_term t) {
  const gs_node *node = gs_term_node(p->terms, t);
  if (t < p->dag.slot_count && p->dag.slot[t])
    return set_of(p, t);
  return gs_op_arity((gs_op)node->op) ? set_of_addend(p, node->arg[0]) : 0; // a cast of a node
}

static bool is_few(const planner *p, uint32_t i) {
  return p->hi[i] >= p->lo[i] && p->hi[i] - p->lo[i] < FEW;
}

static bool all_few(const planner *p, symset set) {
  for (uint32_t i = 0; i < p->sym_count; i++)
    if ((set >> i & 1) && !is_few(p, i))
      return false;
  return !(set & FOREIGN);
}

/// May this common addend be cancelled? Only what cannot be enumerated is, at
/// first: cancelling loses the model.
static bool is_ballast(const planner *p, symset set) {
  return set && !of_copy(p, set, 1) && !of_copy(p, set, 2) && (p->thrifty || !all_few(p, set));
}

static gs_term rebuild(planner *p, const sum *sum) {
  gs_term t = gs_mk_const(p->terms, 0, 64);
  for (uint32_t i = 0; i < sum->count; i++) {
    gs_term factor = gs_mk_const(p->terms, sum->items[i].factor, 64);
    t = gs_mk_bin(p->terms, GS_OP_ADD, t,
                  gs_mk_bin(p->terms, GS_OP_MUL, sum->items[i].term, factor));
  }
  return t;
}

/// The offsets without what cancels.
static bool make_offsets(planner *p) {
  sum sums[2] = {{.count = 0}, {.count = 0}};
  split(p, p->goal->a, GS_OP_NONE, 1, 0, &sums[0]);
  split(p, p->goal->b, GS_OP_NONE, 1, 0, &sums[1]);
  p->cancelled = false;
  for (uint32_t i = 0; i < sums[0].count && !sums[0].full && !sums[1].full; i++) {
    addend *a = &sums[0].items[i];
    for (uint32_t k = 0; k < sums[1].count; k++) {
      addend *b = &sums[1].items[k];
      if (a->term != b->term || a->factor != b->factor || !a->factor ||
          !is_ballast(p, set_of_addend(p, a->term)))
        continue;
      a->factor = b->factor = 0;
      p->cancelled = true;
    }
  }
  p->offset[0] = p->cancelled ? rebuild(p, &sums[0]) : p->goal->a;
  p->offset[1] = p->cancelled ? rebuild(p, &sums[1]) : p->goal->b;
  return p->offset[0] && p->offset[1];
}

/// Symbols of an offset: of its remaining addends when some were cancelled.
static symset offset_set(const planner *p, int who) {
  if (!p->cancelled)
    return set_of(p, who ? p->goal->b : p->goal->a);
  symset set = 0;
  unsigned char *seen = calloc(gs_sym_count(p->terms) + 1u, 1);
  if (!seen)
    return FOREIGN;
  gs_term_syms(p->terms, p->offset[who], seen);
  for (uint32_t i = 0; i < p->sym_count; i++)
    set |= (uint64_t)seen[p->syms[i]] << i;
  free(seen);
  return set;
}

// ----------------------------------------------------------------- choice ----

/// Pairs the symbols that are copies of one symbol for the two threads.
static void find_twins(planner *p) {
  for (uint32_t i = 0; i < p->sym_count; i++) {
    const gs_sym *s = gs_sym_get(p->terms, p->syms[i]);
    p->twin[i] = MAX_SYMS;
    for (uint32_t k = 0; k < p->sym_count; k++) {
      const gs_sym *other = gs_sym_get(p->terms, p->syms[k]);
      if (s->copy && other->copy + s->copy == 3 && other->origin == s->origin)
        p->twin[i] = k;
    }
  }
}

/// The pairs that tell threads apart must be such copies.
static bool distinct_are_twins(const planner *p) {
  for (size_t d = 0; d < p->goal->distinct_count; d++) {
    bool found = false;
    for (uint32_t i = 0; i < p->sym_count; i++)
      found |= p->syms[i] == p->goal->distinct[d][0] && p->twin[i] < MAX_SYMS &&
               p->syms[p->twin[i]] == p->goal->distinct[d][1];
    if (!found)
      return false;
  }
  return true;
}

/// With each symbol of a thread the other thread's.
static symset with_twins(const planner *p, symset set) {
  for (uint32_t i = 0; i < p->sym_count; i++)
    if (set >> i & 1) {
      uint32_t k = p->twin[i];
      set |= k < MAX_SYMS ? UINT64_C(1) << k : 0;
    }
  return set;
}

static uint64_t sat_mul(uint64_t a, uint64_t b) {
  uint64_t r = 0;
  return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

/// The values that a symbol and its twin have between them.
static void hull(const planner *p, uint32_t i, uint64_t *lo, uint64_t *hi) {
  uint32_t k = p->twin[i];
  *lo = p->lo[i];
  *hi = p->hi[i];
  if (k < MAX_SYMS && p->lo[k] < *lo)
    *lo = p->lo[k];
  if (k < MAX_SYMS && p->hi[k] > *hi)
    *hi = p->hi[k];
}

/// Instances of a thread times cases.
static uint64_t points(const planner *p, symset set) {
  uint64_t n = 1, lo = 0, hi = 0;
  for (uint32_t i = 0; i < p->sym_count; i++) {
    uint32_t k = p->twin[i];
    bool counted = k < i && (set >> k & 1); // its twin was
    if (!(set >> i & 1) || counted)
      continue;
    hull(p, i, &lo, &hi);
    n = sat_mul(n, hi - lo == UINT64_MAX ? UINT64_MAX : hi - lo + 1);
  }
  return n;
}

static symset distinct_set(const planner *p) {
  symset set = 0;
  for (size_t i = 0; i < p->goal->distinct_count; i++)
    for (int who = 0; who < 2; who++)
      set |= set_of(p, gs_sym_term(p->terms, p->goal->distinct[i][who]));
  return set;
}

/// Facts may bring in symbols of their own when those are few.
static void choose_symbols(planner *p) {
  p->chosen = with_twins(p, offset_set(p, 0) | offset_set(p, 1) | distinct_set(p));
  for (uint32_t i = 0; i < p->literals.count; i++) {
    symset set = set_of(p, p->literals.items[i].term);
    symset wider = with_twins(p, p->chosen | set);
    uint64_t more = points(p, wider);
    if ((set & ~p->chosen) && !(set & FOREIGN) &&
        (more <= EXTRA_POINTS || more == points(p, p->chosen)))
      p->chosen = wider;
  }
}

static bool is_distinct(const planner *p, uint32_t sym) {
  for (size_t i = 0; i < p->goal->distinct_count; i++)
    if (p->goal->distinct[i][0] == sym || p->goal->distinct[i][1] == sym)
      return true;
  return false;
}

static void list_symbols(planner *p) {
  gs_enum_query *q = &p->query;
  q->syms = p->enum_syms;
  q->uniforms = p->uniforms;
  for (uint32_t i = 0; i < p->sym_count; i++) {
    uint32_t k = p->twin[i];
    if (!(p->chosen >> i & 1) || (k < i && (p->chosen >> k & 1)))
      continue;
    uint64_t lo = 0, hi = 0;
    hull(p, i, &lo, &hi);
    if (!p->copy[i]) {
      p->uniforms[q->uniform_count++] = (gs_enum_uniform){.sym = p->syms[i], .lo = lo, .hi = hi};
      continue;
    }
    gs_enum_sym *s = &p->enum_syms[q->sym_count++];
    *s = (gs_enum_sym){.sym = {GS_ENUM_NO_SYM, GS_ENUM_NO_SYM},
                       .lo = lo,
                       .hi = hi,
                       .is_identity = is_distinct(p, p->syms[i])};
    s->sym[p->copy[i] - 1] = p->syms[i];
    if (k < MAX_SYMS)
      s->sym[2 - p->copy[i]] = p->syms[k];
  }
}

// ------------------------------------------------------------------ facts ----

/// `x == y` with x of the first thread and y of the second, or the other way round.
static bool add_tie(planner *p, gs_literal literal) {
  const gs_node *node = gs_term_node(p->terms, literal.term);
  gs_enum_query *q = &p->query;
  if (node->op != GS_OP_EQ || !literal.holds || q->tie_count == GS_ENUM_TIES)
    return false;
  symset a = set_of(p, node->arg[0]), b = set_of(p, node->arg[1]);
  bool straight = !of_copy(p, a, 2) && !of_copy(p, b, 1);
  bool crossed = !of_copy(p, a, 1) && !of_copy(p, b, 2);
  if (!straight && !crossed)
    return false;
  q->access[0].tie[q->tie_count] = node->arg[straight ? 0 : 1];
  q->access[1].tie[q->tie_count++] = node->arg[straight ? 1 : 0];
  return true;
}

static void add_fact(planner *p, gs_literal literal) {
  symset set = set_of(p, literal.term);
  bool one = of_copy(p, set, 1), two = of_copy(p, set, 2);
  if (set & ~p->chosen || (one && two && !add_tie(p, literal))) {
    p->dropped = true;
    return;
  }
  if (one && two)
    return;
  gs_term fact = literal.holds ? literal.term : gs_mk_not(p->terms, literal.term);
  gs_term *guard = &p->query.access[two ? 1 : 0].guard;
  *guard = *guard ? gs_mk_and(p->terms, *guard, fact) : fact;
}

/// A model of what was enumerated, if it is one of the whole goal.
static gs_answer confirm(const planner *p, gs_model *model) {
  const gs_goal *goal = p->goal;
  bool complete = !p->cancelled;
  if (complete && p->dropped) // a fact over enumerated symbols may still hold
    for (uint32_t i = 0; i < p->literals.count; i++)
      complete &= !(set_of(p, p->literals.items[i].term) & ~p->chosen);
  if (complete && gs_model_check(p->terms, goal->facts, goal->fact_count, model) == GS_CHECK_TRUE)
    return GS_ANSWER_YES;
  return GS_ANSWER_DONT_KNOW;
}

static gs_answer enumerate(planner *p, uint64_t budget, gs_model *out, uint64_t *steps) {
  const gs_goal *goal = p->goal;
  gs_enum_query *q = &p->query;
  *q = (gs_enum_query){.budget = budget};
  if (!make_offsets(p))
    return GS_ANSWER_DONT_KNOW;
  choose_symbols(p);
  if (p->chosen & FOREIGN)
    return GS_ANSWER_DONT_KNOW;
  list_symbols(p);
  for (uint32_t i = 0; i < p->literals.count; i++)
    add_fact(p, p->literals.items[i]);
  q->access[0].offset = p->offset[0];
  q->access[1].offset = p->offset[1];
  q->access[0].size = goal->size_a;
  q->access[1].size = goal->size_b;
  q->modular = p->cancelled;
  gs_model models[2];
  gs_answer answer = gs_enumerate(p->terms, q, models, steps);
  if (answer != GS_ANSWER_YES)
    return answer;
  answer = confirm(p, &models[0]);
  gs_model_free(&models[1]);
  if (answer == GS_ANSWER_YES && out)
    *out = models[0];
  else
    gs_model_free(&models[0]);
  return answer;
}

/// With everything common kept; then, if that was too much to even start, with
/// all common addends cancelled.
static gs_answer enumerate_twice(planner *p, uint64_t budget, gs_model *out, uint64_t *steps) {
  find_twins(p);
  if (!distinct_are_twins(p))
    return GS_ANSWER_DONT_KNOW;
  gs_answer answer = enumerate(p, budget, out, steps);
  if (answer != GS_ANSWER_DONT_KNOW || *steps)
    return answer;
  p->thrifty = true;
  p->dropped = false;
  return enumerate(p, budget, out, steps);
}

gs_answer gs_enumerate_goal(gs_terms *terms, const gs_goal *goal, uint64_t budget, gs_model *out,
                            uint64_t *steps) {
  gs_answer answer = GS_ANSWER_DONT_KNOW;
  uint64_t done = 0;
  planner *p = calloc(1, sizeof *p);
  if (out)
    *out = (gs_model){0};
  if (p && goal->a && goal->b && goal->size_a && goal->size_b && goal->distinct_count) {
    p->terms = terms;
    p->goal = goal;
    bool fine = analyse(p);
    if (fine && p->ranges.empty)
      answer = GS_ANSWER_NO;
    else if (fine)
      answer = enumerate_twice(p, budget, out, &done);
  }
  if (steps)
    *steps = done;
  if (p) {
    gs_dag_free(&p->dag);
    free(p->literals.items);
    free(p->ranges.node);
    free(p->sets);
  }
  free(p);
  return answer;
}
