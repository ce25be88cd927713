// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic bounding: proves a <= 0 by adding multiples of known facts.
//
// A fact f <= 0 times a polynomial m >= 0 is at most 0, so a <= 0 follows from
// c*a - m*f <= 0 for c > 0. Facts are chosen so that a term of `a` that may be
// positive cancels (tid <= ntid - 1, x <= w - 1, a product's bound, …), until
// constant ranges decide. A depth-first search with a small, counted budget.
#include "problem.h"

enum { MAX_DEPTH = 6, MAX_NODES = 60, QUICK_NODES = 8, MAX_CANDIDATES = 96, BEAM = 5, MAX_SIZE = 40, SEEN = 256, TARGETS = 2,
       MAX_OPEN = 256 };

typedef struct bound_search {
  gs_problem *p;
  uint64_t seen[SEEN];
  uint32_t nodes, limit;
} bound_search;

typedef struct candidate {
  const gs_poly *poly;
  uint32_t score;
} candidate;

typedef struct candidates {
  candidate at[MAX_CANDIDATES];
  uint32_t count;
  bool proved;
} candidates;

static bool prove(bound_search *s, const gs_poly *a, int depth);

/// Divides out what does not change the sign: content and factors of one sign.
static const gs_poly *reduce(gs_problem *p, const gs_poly *a) {
  gs_i128 g = gs_poly_content(a);
  gs_mono common = gs_poly_common(a), divide = 0;
  int sign = 1;
  for (; common; common >>= 16) {
    gs_span s = p->vars[(gs_pvar)common].span;
    if (s.lo < 0 && s.hi > 0)
      continue;
    sign = s.lo < 0 ? -sign : sign;
    gs_mono_mul(divide, gs_mono_var((gs_pvar)common), &divide);
  }
  if (divide)
    a = gs_poly_quotient(p->arena, a, divide);
  if (sign < 0)
    a = gs_poly_neg(p->arena, a);
  if (!a || g <= 1)
    return a;
  gs_pterm buffer[256];
  for (uint32_t i = 0; i < a->count; i++) {
    gs_pterm t = a->term[i];
    buffer[i] = (gs_pterm){t.coef % g == 0 ? t.coef / g : gs_i128_ceildiv(t.coef, g), t.mono};
  }
  return gs_poly_make(p->arena, buffer, a->count);
}

static bool may_be_positive(const gs_problem *p, gs_pterm t) {
  return gs_span_scale(gs_span_of_mono(p, t.mono), t.coef).hi > 0;
}

/// How far a is from being obvious. What must not be positive and is large (the
/// bounds of a type bring such terms in) is hard to get rid of.
static uint32_t score(const gs_problem *p, const gs_poly *a) {
  enum { LARGE = 1 << 20 };
  uint32_t sum = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_pterm t = a->term[i];
    bool positive = t.mono ? may_be_positive(p, t) : t.coef > 0;
    if (t.mono)
      sum += gs_mono_degree(t.mono) + (positive ? 8 : 1);
    sum += positive && t.coef >= LARGE ? 40 : 0;
  }
  return sum;
}

static void offer(bound_search *s, candidates *list, const gs_poly *a) {
  gs_problem *p = s->p;
  if (a)
    a = reduce(p, a);
  if (!a || a->count > MAX_SIZE || list->proved)
    return;
  gs_span span = gs_span_of(p, a);
  if (span.hi <= 0)
    list->proved = true;
  if (span.lo > 0 || list->count == MAX_CANDIDATES)
    return;
  candidate c = {a, score(p, a)};
  uint32_t at = list->count++;
  for (; at && list->at[at - 1].score > c.score; at--)
    list->at[at] = list->at[at - 1];
  list->at[at] = c;
}

static gs_i128 magnitude(gs_i128 a) { return a < 0 ? -a : a; }

/// c*a - m*f for a monomial multiple m of f that cancels the term `t` of a with
/// the term `u` of f.
static void cancel(bound_search *s, candidates *list, const gs_poly *a, gs_pterm t,
                   const gs_poly *f, gs_pterm u) {
  gs_mono m = 0;
  if (!u.mono || (t.coef < 0) != (u.coef < 0) || !gs_mono_div(t.mono, u.mono, &m))
    return;
  if (m && gs_span_of_mono(s->p, m).lo < 0)
    return;
  gs_i128 ct = magnitude(t.coef), cu = magnitude(u.coef), g = gs_i128_gcd(ct, cu);
  offer(s, list, gs_poly_combine(s->p->arena, a, cu / g, f, -(ct / g), m));
}

/// The same with the constant of f: `1 - 16*c - t <= 0` times ld cancels the ld in
/// `ld - 16*c*ld - t*ld`. Only where the product has more in common with a.
static void cancel_constant(bound_search *s, candidates *list, const gs_poly *a, gs_pterm t,
                            const gs_poly *f, gs_pterm u) {
  if (!t.mono || t.coef <= 0 || u.coef <= 0 || gs_span_of_mono(s->p, t.mono).lo < 0)
    return;
  bool shared = false;
  for (uint32_t i = 0; i < f->count && !shared; i++) {
    gs_mono m = 0;
    shared = f->term[i].mono && gs_mono_mul(f->term[i].mono, t.mono, &m) && gs_poly_coef(a, m) != 0;
  }
  gs_i128 g = gs_i128_gcd(t.coef, u.coef);
  if (shared)
    offer(s, list, gs_poly_combine(s->p->arena, a, u.coef / g, f, -(t.coef / g), t.mono));
}

/// The same where nothing but the constant of a is above 0: a fact that says as much.
static void cancel_plain(bound_search *s, candidates *list, const gs_poly *a, gs_i128 constant,
                         const gs_poly *f, gs_i128 other) {
  gs_i128 g = gs_i128_gcd(constant, other);
  if (other > 0)
    offer(s, list, gs_poly_combine(s->p->arena, a, other / g, f, -(constant / g), 0));
}

/// The same for all terms of a that hold a variable: a = part*v + rest with
/// part of one sign, f = c*v + …
static void cancel_variable(bound_search *s, candidates *list, const gs_poly *a, const gs_poly *f,
                            gs_pterm u, int depth) {
  gs_problem *p = s->p;
  gs_pvar v = (gs_pvar)u.mono;
  if (gs_mono_degree(u.mono) != 1 || !gs_poly_has(a, v))
    return;
  for (uint32_t i = 0; i < f->count; i++)
    if (f->term[i].mono != u.mono && gs_mono_has(f->term[i].mono, v))
      return;
  const gs_poly *part = gs_poly_quotient(p->arena, a, u.mono);
  if (!part || part->count < 2 || gs_poly_has(part, v))
    return;
  const gs_poly *low = u.coef > 0 ? gs_poly_neg(p->arena, part) : part; // must be <= 0
  if (!low || (gs_span_of(p, low).hi > 0 && !prove(s, low, depth > 2 ? 2 : depth - 1)))
    return;
  const gs_poly *product = gs_poly_mul(p->arena, part, f);
  offer(s, list, gs_poly_combine(p->arena, a, magnitude(u.coef), product, u.coef > 0 ? -1 : 1, 0));
}

/// All ways in which f cancels the term t of a.
static void use_fact(bound_search *s, candidates *list, const gs_poly *a, gs_pterm t,
                     const gs_poly *f, int depth) {
  if (!f || !(f->vars & a->vars))
    return;
  for (uint32_t i = 0; i < f->count && !list->proved; i++) {
    if (!f->term[i].mono && t.mono)
      cancel_constant(s, list, a, t, f, f->term[i]);
    else if (!f->term[i].mono)
      cancel_plain(s, list, a, t.coef, f, f->term[i].coef);
    if (!f->term[i].mono || !gs_mono_div(t.mono, f->term[i].mono, &(gs_mono){0}))
      continue;
    cancel(s, list, a, t, f, f->term[i]);
    if (depth > 1)
      cancel_variable(s, list, a, f, f->term[i], depth);
  }
}

static bool has_mono(const gs_poly *a, gs_mono m) { return gs_poly_coef(a, m) != 0; }

/// Constant bounds of a variable or a product inside a bigger product, where the
/// rest of that product occurs as well.
static void use_ranges(bound_search *s, candidates *list, const gs_poly *a, gs_pterm t) {
  gs_problem *p = s->p;
  gs_mono rest = 0;
  for (gs_mono m = t.mono; m; m >>= 16) {
    gs_mono v = gs_mono_var((gs_pvar)m);
    if ((gs_pvar)(m >> 16) == (gs_pvar)m || !gs_mono_div(t.mono, v, &rest) || !has_mono(a, rest))
      continue;
    gs_span span = p->vars[(gs_pvar)m].span;
    gs_i128 end = t.coef > 0 ? span.hi : span.lo;
    if (end >= GS_INFINITE || end <= -GS_INFINITE)
      continue;
    gs_i128 c = t.coef > 0 ? 1 : -1;
    gs_pterm f[2] = {{-c * end, 0}, {c, v}};
    const gs_poly *fact = gs_poly_make(p->arena, f, 2);
    if (fact)
      cancel(s, list, a, t, fact, (gs_pterm){c, v});
  }
  for (uint32_t i = 0; i < p->product_count; i++) {
    gs_product known = p->products[i];
    gs_i128 end = t.coef > 0 ? known.span.hi : known.span.lo, c = t.coef > 0 ? 1 : -1;
    if (end >= GS_INFINITE || end <= -GS_INFINITE || !gs_mono_div(t.mono, known.mono, &rest) ||
        !rest || !has_mono(a, rest))
      continue;
    gs_pterm f[2] = {{-c * end, 0}, {c, known.mono}};
    const gs_poly *fact = gs_poly_make(p->arena, f, 2);
    if (fact)
      cancel(s, list, a, t, fact, (gs_pterm){c, known.mono});
  }
}

/// \returns false when a was tried before at this depth or deeper.
static bool first_visit(bound_search *s, const gs_poly *a, int depth) {
  uint64_t key = gs_poly_hash(a) << 3 | (uint64_t)depth;
  uint32_t slot = (uint32_t)(key >> 20) % SEEN;
  for (uint32_t i = 0; i < 8; i++, slot = (slot + 1) % SEEN) {
    if (s->seen[slot] >> 3 == key >> 3) {
      bool deeper = (key & 7) > (s->seen[slot] & 7);
      s->seen[slot] = deeper ? key : s->seen[slot];
      return deeper;
    }
    if (!s->seen[slot]) {
      s->seen[slot] = key;
      return true;
    }
  }
  return true;
}

/// q = x div y may be traded for x: q + g <= 0 exactly when x + y*(g-1) + 1 <= 0,
/// and g - q <= 0 exactly when y*g - x <= 0.
static void use_quotient(bound_search *s, candidates *list, const gs_poly *a, gs_pterm t) {
  gs_problem *p = s->p;
  gs_arena *arena = p->arena;
  gs_pvar v = 0;
  if (gs_mono_degree(t.mono) != 1 || p->vars[(gs_pvar)t.mono].kind != GS_PVAR_QUOT ||
      (t.coef != 1 && t.coef != -1))
    return;
  const gs_poly *g = gs_poly_rest(arena, a, t.mono);
  if (!g || g->count + 1 != a->count) // in other terms as well
    return;
  for (uint32_t i = 0; i < p->division_count; i++) {
    const gs_division *d = &p->divisions[i];
    if (d->truncated || d->loose || !gs_poly_is_var(d->q, &v) || v != (gs_pvar)t.mono)
      continue;
    const gs_poly *x = gs_problem_norm(p, d->x), *y = gs_problem_norm(p, d->y);
    if (t.coef > 0) {
      g = gs_poly_mul(arena, y, gs_poly_addc(arena, g, -1));
      offer(s, list, gs_poly_addc(arena, gs_poly_add(arena, x, g), 1));
    } else {
      offer(s, list, gs_poly_sub(arena, gs_poly_mul(arena, y, g), x));
    }
    return;
  }
}

/// Every step that cancels the term t of a.
static void collect(bound_search *s, candidates *list, const gs_poly *a, gs_pterm t, int depth) {
  gs_problem *p = s->p;
  for (uint32_t i = 0; i < p->le.count && !list->proved; i++)
    use_fact(s, list, a, t, p->le.at[i], depth);
  for (uint32_t i = 0; i < p->eq.count && !list->proved; i++) {
    use_fact(s, list, a, t, p->eq.at[i], depth);
    if (p->eq.at[i]->vars & a->vars)
      use_fact(s, list, a, t, gs_poly_neg(p->arena, p->eq.at[i]), depth);
  }
  if (gs_mono_degree(t.mono) > 1 && !list->proved)
    use_ranges(s, list, a, t);
  if (!list->proved)
    use_quotient(s, list, a, t);
}

/// The terms that may be largest come first: a proof has to cancel them, and
/// the order of its steps does not matter.
static uint32_t targets(const gs_problem *p, const gs_poly *a, gs_pterm out[TARGETS]) {
  gs_i128 high[TARGETS];
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_pterm t = a->term[i];
    gs_i128 hi = t.mono ? gs_span_scale(gs_span_of_mono(p, t.mono), t.coef).hi : 0;
    uint32_t at = n < TARGETS ? n : TARGETS - 1;
    if (hi <= 0 || (n == TARGETS && hi <= high[at]))
      continue;
    n = n < TARGETS ? n + 1 : n;
    for (; at && high[at - 1] < hi; at--) {
      high[at] = high[at - 1];
      out[at] = out[at - 1];
    }
    high[at] = hi;
    out[at] = t;
  }
  if (!n && gs_poly_constant(a) > 0)
    out[n++] = (gs_pterm){gs_poly_constant(a), 0};
  return n;
}

static bool prove(bound_search *s, const gs_poly *a, int depth) {
  gs_problem *p = s->p;
  a = a ? reduce(p, a) : NULL;
  if (!a)
    return false;
  gs_span span = gs_span_of(p, a);
  if (span.hi <= 0)
    return true;
  if (span.lo > 0 || depth <= 0 || s->nodes >= s->limit || !first_visit(s, a, depth) ||
      !gs_problem_step(p, 1 + gs_problem_terms(p) / 64))
    return false;
  s->nodes++;
  gs_pterm target[TARGETS];
  uint32_t n = targets(p, a, target);
  for (uint32_t k = 0; k < n; k++) {
    candidates list;
    list.count = 0;
    list.proved = false;
    collect(s, &list, a, target[k], depth);
    if (list.proved)
      return true;
    for (uint32_t i = 0; i < list.count && i < BEAM; i++)
      if (prove(s, list.at[i].poly, depth - 1))
        return true;
  }
  return false;
}

/// What is still to be looked at, in a long search.
typedef struct open_node {
  const gs_poly *poly;
  uint32_t score;
  int depth;
} open_node;

typedef struct open_list {
  open_node at[MAX_OPEN];
  uint32_t count;
} open_list;

static void open_push(open_list *open, const gs_poly *a, uint32_t score, int depth) {
  if (depth > 0 && open->count < MAX_OPEN)
    open->at[open->count++] = (open_node){a, score, depth};
}

/// The one that looks nearest to the end; of several, the one that came first.
static open_node open_pop(open_list *open) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < open->count; i++)
    if (open->at[i].score < open->at[best].score)
      best = i;
  open_node node = open->at[best];
  open->count--;
  for (uint32_t i = best; i < open->count; i++)
    open->at[i] = open->at[i + 1];
  return node;
}

/// The same as prove(), the most promising statement first: a proof of many steps would
/// drown in what can be done at each of them.
static bool prove_best(bound_search *s, const gs_poly *a) {
  gs_problem *p = s->p;
  open_list open = {.count = 0};
  a = a ? reduce(p, a) : NULL;
  if (a)
    open_push(&open, a, score(p, a), MAX_DEPTH);
  while (open.count && s->nodes < s->limit) {
    open_node node = open_pop(&open);
    gs_pterm target[TARGETS];
    if (!first_visit(s, node.poly, node.depth))
      continue;
    if (!gs_problem_step(p, 1 + gs_problem_terms(p) / 64))
      return false;
    s->nodes++;
    uint32_t n = targets(p, node.poly, target);
    for (uint32_t k = 0; k < n; k++) {
      candidates list;
      list.count = 0;
      list.proved = false;
      collect(s, &list, node.poly, target[k], node.depth);
      if (list.proved)
        return true;
      for (uint32_t i = 0; i < list.count && i < BEAM; i++)
        open_push(&open, list.at[i].poly, list.at[i].score, node.depth - 1);
    }
  }
  return false;
}

/// Was this tried in vain, with nothing learnt about its variables since?
static bool is_hopeless(const gs_problem *p, const gs_poly *a, uint64_t hash) {
  gs_failure f = p->failures[hash % GS_FAILURES];
  if (f.hash != hash)
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    for (gs_mono m = a->term[i].mono; m; m >>= 16)
      if (p->vars[(gs_pvar)m].touched > f.version)
        return false;
  return true;
}

static bool search(gs_problem *p, const gs_poly *a, uint32_t limit) {
  bound_search s = {.p = p, .limit = limit};
  gs_arena_mark mark = gs_arena_here(p->arena);
  bool proved = limit == QUICK_NODES ? prove(&s, a, MAX_DEPTH) : prove_best(&s, a);
  gs_arena_release(p->arena, mark);
  return proved;
}

bool gs_affine_le(gs_problem *p, const gs_poly *a) {
  a = gs_problem_norm(p, a);
  if (p->contradiction)
    return true;
  if (!a)
    return false;
  gs_span span = gs_span_of(p, a);
  if (span.hi <= 0)
    return true;
  uint64_t hash = gs_poly_hash(a) ^ (p->quick ? UINT64_C(0x5555555555555555) : 0);
  if (span.lo > 0 || is_hopeless(p, a, hash))
    return false;
  // Most proofs are short; to look for a counterexample costs more than those.
  bool proved = !gs_sample_known(p, a) && search(p, a, QUICK_NODES);
  if (!proved && !p->quick)
    proved = !gs_sample_found(p, a) && search(p, a, MAX_NODES);
  if (!proved)
    p->failures[hash % GS_FAILURES] = (gs_failure){hash, p->version};
  gs_problem_trace(p, proved ? "proved <=" : "failed <=", a);
  return proved;
}

bool gs_affine_within(gs_problem *p, const gs_poly *a, gs_span span) {
  gs_span known = gs_span_of(p, a);
  return (known.lo >= span.lo ||
          gs_affine_le(p, gs_poly_addc(p->arena, gs_poly_neg(p->arena, a), span.lo))) &&
         (known.hi <= span.hi || gs_affine_le(p, gs_poly_addc(p->arena, a, -span.hi)));
}
