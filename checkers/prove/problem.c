// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, ranges and facts of the affine tier.
#include "problem.h"

#include <stdio.h>
#include <string.h>

enum { MAX_VARS = 4000, MAX_FACTS = 400, ROUNDS = 4 };

static bool make_known(gs_problem *p) {
  p->known = gs_arena_alloc(p->arena, GS_KNOWN_SPANS * sizeof *p->known);
  if (p->known)
    memset(p->known, 0, GS_KNOWN_SPANS * sizeof *p->known);
  p->clock = 1;
  return p->known;
}

bool gs_problem_init(gs_problem *p) {
  p->memo_size = 64;
  p->memo = gs_arena_alloc(p->arena, p->memo_size * sizeof *p->memo);
  p->vars = gs_arena_grow(p->arena, NULL, 32, &p->var_capacity, sizeof *p->vars);
  if (!p->memo || !p->vars || !make_known(p))
    return false;
  memset(p->memo, 0, p->memo_size * sizeof *p->memo);
  p->vars[0] = (gs_pvar_info){0};
  p->var_count = 1;
  return true;
}

static bool copy_array(gs_arena *arena, void *slot, uint32_t count, uint32_t *capacity,
                       size_t size) {
  void *from = NULL;
  memcpy(&from, slot, sizeof from);
  *capacity = count;
  if (!count)
    return true;
  void *to = gs_arena_alloc(arena, count * size);
  if (!to)
    return false;
  memcpy(to, from, count * size);
  memcpy(slot, &to, sizeof to);
  return true;
}

static bool copy_polys(gs_arena *arena, gs_polys *list) {
  return copy_array(arena, &list->at, list->count, &list->capacity, sizeof *list->at);
}

bool gs_problem_clone(const gs_problem *from, gs_problem *to) {
  *to = *from;
  gs_arena *arena = to->arena;
  uint32_t memo_size = to->memo_size;
  for (int i = 0; i < GS_SAMPLES; i++)
    if (!copy_array(arena, &to->samples[i].at, to->samples[i].count, &to->samples[i].capacity,
                    sizeof *to->samples[i].at))
      return false;
  return make_known(to) && copy_array(arena, &to->vars, to->var_count, &to->var_capacity, sizeof *to->vars) &&
         copy_array(arena, &to->memo, to->memo_size, &memo_size, sizeof *to->memo) &&
         copy_polys(arena, &to->le) && copy_polys(arena, &to->ne) &&
         copy_polys(arena, &to->eq) && copy_polys(arena, &to->distinct) &&
         copy_array(arena, &to->wraps, to->wrap_count, &to->wrap_capacity, sizeof *to->wraps) &&
         copy_array(arena, &to->divisions, to->division_count, &to->division_capacity,
                    sizeof *to->divisions) &&
         copy_array(arena, &to->postponed, to->postponed_count, &to->postponed_capacity,
                    sizeof *to->postponed) &&
         copy_array(arena, &to->conds, to->cond_count, &to->cond_capacity, sizeof *to->conds) &&
         copy_array(arena, &to->atoms, to->atom_count, &to->atom_capacity, sizeof *to->atoms) &&
         copy_array(arena, &to->disjunctions, to->disjunction_count, &to->disjunction_capacity,
                    sizeof *to->disjunctions);
}

bool gs_problem_step(gs_problem *p, uint64_t count) {
  *p->steps += count;
  return *p->steps < p->budget;
}

uint64_t gs_problem_terms(const gs_problem *p) {
  uint64_t terms = 0;
  for (uint32_t i = 0; i < p->le.count; i++)
    terms += p->le.at[i]->count;
  for (uint32_t i = 0; i < p->eq.count; i++)
    terms += 2u * p->eq.at[i]->count;
  return terms;
}

void gs_problem_trace(const gs_problem *p, const char *what, const gs_poly *a) {
  if (!p->options->dump || !p->options->trace)
    return;
  char text[1024];
  gs_poly_print(a, text, sizeof text);
  fprintf(p->options->trace, "%s %s\n", what, text);
}

// ------------------------------------------------------------- intervals ----

static gs_i128 clamp(gs_i128 a) {
  return a > GS_INFINITE ? GS_INFINITE : a < -GS_INFINITE ? -GS_INFINITE : a;
}

/// An infinite end stays infinite, so that it never turns into a bound.
gs_span gs_span_add(gs_span a, gs_span b) {
  gs_span r;
  r.lo = a.lo <= -GS_INFINITE || b.lo <= -GS_INFINITE ? -GS_INFINITE : clamp(a.lo + b.lo);
  r.hi = a.hi >= GS_INFINITE || b.hi >= GS_INFINITE ? GS_INFINITE : clamp(a.hi + b.hi);
  return r;
}

static gs_i128 mul_corner(gs_i128 a, gs_i128 b) {
  gs_i128 r = 0;
  if (!a || !b)
    return 0;
  bool infinite = a >= GS_INFINITE || a <= -GS_INFINITE || b >= GS_INFINITE || b <= -GS_INFINITE;
  if (infinite || __builtin_mul_overflow(a, b, &r))
    return (a < 0) == (b < 0) ? GS_INFINITE : -GS_INFINITE;
  return clamp(r);
}

static bool is_small(gs_span a) {
  const gs_i128 limit = (gs_i128)1 << 62;
  return a.lo >= -limit && a.hi <= limit;
}

/// Of numbers that fit 64 bits: one instruction instead of three.
static gs_i128 mul_small(gs_i128 a, gs_i128 b) { return (gs_i128)(int64_t)a * (int64_t)b; }

gs_span gs_span_mul(gs_span a, gs_span b) {
  if (is_small(a) && is_small(b)) { // nearly always, and many times faster
    if (a.lo >= 0 && b.lo >= 0)
      return (gs_span){mul_small(a.lo, b.lo), mul_small(a.hi, b.hi)};
    gs_i128 w[4] = {mul_small(a.lo, b.lo), mul_small(a.lo, b.hi), mul_small(a.hi, b.lo),
                    mul_small(a.hi, b.hi)};
    gs_i128 lo = w[0] < w[1] ? w[0] : w[1], hi = w[0] < w[1] ? w[1] : w[0];
    gs_i128 lo2 = w[2] < w[3] ? w[2] : w[3], hi2 = w[2] < w[3] ? w[3] : w[2];
    return (gs_span){lo < lo2 ? lo : lo2, hi > hi2 ? hi : hi2};
  }
  gs_i128 c[4] = {mul_corner(a.lo, b.lo), mul_corner(a.lo, b.hi), mul_corner(a.hi, b.lo),
                  mul_corner(a.hi, b.hi)};
  gs_span r = {c[0], c[0]};
  for (int i = 1; i < 4; i++) {
    r.lo = c[i] < r.lo ? c[i] : r.lo;
    r.hi = c[i] > r.hi ? c[i] : r.hi;
  }
  return r;
}

gs_span gs_span_scale(gs_span a, gs_i128 c) {
  const gs_i128 limit = (gs_i128)1 << 62;
  if (c > limit || c < -limit || !is_small(a))
    return gs_span_mul(a, (gs_span){c, c});
  return c >= 0 ? (gs_span){mul_small(a.lo, c), mul_small(a.hi, c)}
                : (gs_span){mul_small(a.hi, c), mul_small(a.lo, c)};
}

gs_span gs_span_view(gs_view view, uint8_t width) {
  gs_i128 size = (gs_i128)1 << width;
  return view == GS_VIEW_U ? (gs_span){0, size - 1} : (gs_span){-(size / 2), size / 2 - 1};
}

gs_span gs_span_wraps(gs_span exact, gs_span range, uint8_t width) {
  gs_i128 size = (gs_i128)1 << width;
  gs_span q = {-GS_INFINITE, GS_INFINITE};
  if (exact.lo > -GS_INFINITE)
    q.lo = gs_i128_floordiv(exact.lo - range.lo, size);
  if (exact.hi < GS_INFINITE)
    q.hi = gs_i128_floordiv(exact.hi - range.lo, size);
  return q;
}

static gs_span meet(gs_span a, gs_span b) {
  return (gs_span){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

static gs_span plain_mono(const gs_problem *p, gs_mono m) {
  if (!m)
    return (gs_span){1, 1};
  gs_span s = p->vars[(gs_pvar)m].span;
  for (m >>= 16; m; m >>= 16)
    s = gs_span_mul(s, p->vars[(gs_pvar)m].span);
  return s;
}

static gs_span compute_mono(const gs_problem *p, gs_mono m) {
  gs_span s = plain_mono(p, m);
  for (uint32_t i = 0; i < p->product_count; i++) {
    gs_mono rest = 0;
    if (gs_mono_div(m, p->products[i].mono, &rest))
      s = meet(s, gs_span_mul(p->products[i].span, plain_mono(p, rest)));
  }
  return s;
}

gs_span gs_span_of_mono(const gs_problem *p, gs_mono m) {
  if (!(m >> 16))
    return m ? p->vars[(gs_pvar)m].span : (gs_span){1, 1};
  uint64_t hash = ((uint64_t)m ^ (uint64_t)(m >> 64)) * UINT64_C(0x9e3779b97f4a7c15);
  gs_known_span *known = &p->known[(hash >> 32) % GS_KNOWN_SPANS];
  if (known->mono != m || known->clock != p->clock)
    *known = (gs_known_span){m, compute_mono(p, m), p->clock};
  return known->span;
}

gs_span gs_span_of(const gs_problem *p, const gs_poly *a) {
  gs_span s = {0, 0};
  if (!a)
    return (gs_span){-GS_INFINITE, GS_INFINITE};
  for (uint32_t i = 0; i < a->count; i++) {
    gs_i128 c = a->term[i].coef;
    gs_span t = a->term[i].mono ? gs_span_scale(gs_span_of_mono(p, a->term[i].mono), c)
                                : (gs_span){c, c};
    s = gs_span_add(s, t);
  }
  return s;
}

// ------------------------------------------------------------- variables ----

gs_pvar gs_problem_var(gs_problem *p, gs_span span, gs_pvar_kind kind, gs_term term) {
  if (p->var_count >= MAX_VARS)
    return 0;
  gs_pvar_info *vars =
      gs_arena_grow(p->arena, p->vars, p->var_count + 1, &p->var_capacity, sizeof *p->vars);
  if (!vars)
    return 0;
  p->vars = vars;
  vars[p->var_count] = (gs_pvar_info){.span = span, .kind = kind, .term = term};
  if (span.lo > span.hi)
    p->contradiction = true;
  return (gs_pvar)p->var_count++;
}

const gs_poly *gs_problem_norm(gs_problem *p, const gs_poly *a) {
  for (uint32_t i = 0; a && i < a->count; i++)
    for (gs_mono m = a->term[i].mono; m; m >>= 16)
      if (p->vars[(gs_pvar)m].subst) {
        a = gs_poly_subst(p->arena, a, (gs_pvar)m, p->vars[(gs_pvar)m].subst);
        i = UINT32_MAX; // start again: the terms have moved
        break;
      }
  return a;
}

void gs_problem_narrow(gs_problem *p, gs_pvar v, gs_span span) {
  gs_pvar_info *info = &p->vars[v];
  if (gs_span_in(info->span, span))
    return;
  gs_span was = info->span;
  info->span = meet(was, span);
  p->clock++;
  // Creeping bounds are kept but are no reason to try everything again.
  bool sign = (was.lo < 0 && info->span.lo >= 0) || (was.lo < 1 && info->span.lo >= 1) ||
              (was.hi > 0 && info->span.hi <= 0);
  if (sign || info->span.hi - info->span.lo <= (was.hi - was.lo) / 2)
    info->touched = ++p->version;
  if (info->span.lo > info->span.hi)
    p->contradiction = true;
}

bool gs_polys_add(gs_problem *p, gs_polys *list, const gs_poly *a) {
  if (list->count >= MAX_FACTS)
    return false;
  const gs_poly **at =
      gs_arena_grow(p->arena, list->at, list->count + 1, &list->capacity, sizeof *at);
  if (!at)
    return false;
  list->at = at;
  at[list->count++] = a;
  return true;
}

void gs_polys_remove(gs_polys *list, uint32_t i) {
  list->count--;
  for (; i < list->count; i++)
    list->at[i] = list->at[i + 1];
}

// ----------------------------------------------------------------- facts ----

/// Something new is known about the variables of a.
static void touch(gs_problem *p, const gs_poly *a) {
  p->version++;
  for (uint32_t i = 0; i < a->count; i++)
    for (gs_mono m = a->term[i].mono; m; m >>= 16)
      p->vars[(gs_pvar)m].touched = p->version;
}

/// a = sign * b but for the constant term.
static bool same_shape(const gs_poly *a, const gs_poly *b, int sign) {
  if (a->vars != b->vars)
    return false;
  uint32_t i = a->count && !a->term[0].mono, j = b->count && !b->term[0].mono;
  if (a->count - i != b->count - j)
    return false;
  for (; i < a->count; i++, j++)
    if (a->term[i].mono != b->term[j].mono || a->term[i].coef != sign * b->term[j].coef)
      return false;
  return true;
}

/// Divides by the content and rounds the constant to the tighter side.
static const gs_poly *tighten(gs_problem *p, const gs_poly *a) {
  gs_i128 g = gs_poly_content(a);
  if (g <= 1)
    return a;
  gs_pterm buffer[256];
  for (uint32_t i = 0; i < a->count; i++) {
    gs_pterm t = a->term[i];
    buffer[i] = (gs_pterm){t.mono ? t.coef / g : gs_i128_ceildiv(t.coef, g), t.mono};
  }
  return gs_poly_make(p->arena, buffer, a->count);
}

/// c*v + d <= 0 is a range.
static bool learn_range(gs_problem *p, const gs_poly *a) {
  gs_pterm t = a->term[a->count - 1];
  if (a->count > 2 || (a->count == 2 && a->term[0].mono) || gs_mono_degree(t.mono) != 1)
    return false;
  gs_i128 d = gs_poly_constant(a);
  gs_span s = {-GS_INFINITE, GS_INFINITE};
  if (t.coef > 0)
    s.hi = gs_i128_floordiv(-d, t.coef);
  else
    s.lo = gs_i128_ceildiv(d, -t.coef);
  gs_problem_narrow(p, (gs_pvar)t.mono, s);
  return true;
}

/// Compares with the facts there are. \returns true when `a` need not be added.
static bool merge_fact(gs_problem *p, const gs_poly *a) {
  gs_i128 d = gs_poly_constant(a);
  for (uint32_t i = 0; i < p->le.count; i++) {
    const gs_poly *b = p->le.at[i];
    if (same_shape(a, b, 1)) {
      if (d > gs_poly_constant(b)) {
        p->le.at[i] = a;
        touch(p, a);
      }
      return true;
    }
    if (!same_shape(a, b, -1))
      continue;
    gs_i128 sum = d + gs_poly_constant(b); // d <= -shape and shape <= -constant(b)
    if (sum > 0)
      p->contradiction = true;
    if (sum == 0)
      gs_problem_eq(p, a);
    if (sum >= 0)
      return true;
  }
  return false;
}

void gs_problem_le(gs_problem *p, const gs_poly *a) {
  a = gs_problem_norm(p, a);
  if (!a || p->contradiction)
    return;
  gs_i128 value = 0;
  if (gs_poly_is_const(a, &value)) {
    p->contradiction |= value > 0;
    return;
  }
  a = tighten(p, a);
  if (!a || learn_range(p, a))
    return;
  gs_span s = gs_span_of(p, a);
  p->contradiction |= s.lo > 0;
  if (s.hi <= 0 || merge_fact(p, a))
    return;
  gs_problem_trace(p, "learn <=", a);
  if (gs_polys_add(p, &p->le, a))
    touch(p, a);
}

void gs_problem_eq(gs_problem *p, const gs_poly *a) {
  a = gs_problem_norm(p, a);
  if (!a || !a->count || p->contradiction)
    return;
  for (uint32_t i = 0; i < p->eq.count; i++)
    if (gs_poly_equal(p->eq.at[i], a))
      return;
  gs_problem_trace(p, "learn ==", a);
  if (gs_polys_add(p, &p->eq, a))
    touch(p, a);
}

void gs_problem_ne(gs_problem *p, const gs_poly *a) {
  a = gs_problem_norm(p, a);
  if (!a || p->contradiction)
    return;
  gs_i128 value = 0;
  if (gs_poly_is_const(a, &value)) {
    p->contradiction |= value == 0;
    return;
  }
  if (gs_polys_add(p, &p->ne, a))
    touch(p, a);
}

void gs_problem_within(gs_problem *p, const gs_poly *a, gs_span span) {
  if (!a)
    return;
  if (span.hi < GS_INFINITE)
    gs_problem_le(p, gs_poly_addc(p->arena, a, -span.hi));
  if (span.lo > -GS_INFINITE)
    gs_problem_le(p, gs_poly_addc(p->arena, gs_poly_neg(p->arena, a), span.lo));
}

typedef void (*learn_fn)(gs_problem *p, const gs_poly *a);

/// Learns the facts that hold v again, after its elimination.
static void relearn(gs_problem *p, gs_polys *list, gs_pvar v, learn_fn learn) {
  for (uint32_t i = 0; i < list->count;) {
    const gs_poly *a = list->at[i];
    if (!gs_poly_has(a, v)) {
      i++;
      continue;
    }
    gs_polys_remove(list, i);
    learn(p, a);
  }
}

static void rename_products(gs_problem *p, gs_pvar v, const gs_poly *q) {
  gs_pvar to = 0;
  bool renamed = gs_poly_is_var(q, &to);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->product_count; i++) {
    gs_product entry = p->products[i];
    gs_mono rest = 0;
    bool keep = true;
    while (keep && gs_mono_has(entry.mono, v))
      keep = renamed && gs_mono_div(entry.mono, gs_mono_var(v), &rest) &&
             gs_mono_mul(rest, gs_mono_var(to), &entry.mono);
    if (keep)
      p->products[kept++] = entry;
  }
  p->product_count = kept;
  p->clock++;
}

void gs_problem_assign(gs_problem *p, gs_pvar v, const gs_poly *q) {
  if (!q || p->vars[v].subst)
    return;
  gs_span span = p->vars[v].span;
  gs_problem_trace(p, "assign", gs_poly_sub(p->arena, gs_poly_var(p->arena, v), q));
  p->vars[v].subst = q;
  touch(p, q);
  for (uint32_t i = 1; i < p->var_count; i++)
    if (p->vars[i].subst && i != v && gs_poly_has(p->vars[i].subst, v)) {
      const gs_poly *r = gs_poly_subst(p->arena, p->vars[i].subst, v, q);
      p->vars[i].subst = r; // NULL: the variable is free again, which forgets something
    }
  rename_products(p, v, q);
  relearn(p, &p->le, v, gs_problem_le);
  relearn(p, &p->eq, v, gs_problem_eq);
  relearn(p, &p->ne, v, gs_problem_ne);
  gs_problem_within(p, q, span);
}

// ----------------------------------------------------------- propagation ----

static void learn_product(gs_problem *p, gs_mono m, gs_span s) {
  if (gs_span_in(gs_span_of_mono(p, m), s))
    return;
  p->clock++;
  for (uint32_t i = 0; i < p->product_count; i++)
    if (p->products[i].mono == m) {
      gs_span was = p->products[i].span, now = meet(was, s);
      p->products[i].span = now;
      p->version += now.hi - now.lo <= (was.hi - was.lo) / 2;
      return;
    }
  if (p->product_count < sizeof p->products / sizeof *p->products) {
    p->products[p->product_count++] = (gs_product){m, s};
    p->version++;
  }
}

static void bound_mono(gs_problem *p, gs_mono m, gs_span s) {
  if (!(m >> 16)) {
    gs_problem_narrow(p, (gs_pvar)m, s);
    return;
  }
  learn_product(p, m, s);
  for (gs_mono left = m; left; left >>= 16) {
    gs_pvar v = (gs_pvar)left;
    gs_mono rest = 0;
    gs_span known = p->vars[v].span, learnt = {-GS_INFINITE, GS_INFINITE};
    gs_mono_div(m, gs_mono_var(v), &rest);
    gs_span other = gs_span_of_mono(p, rest);
    if (known.lo < 0 || other.lo < 0)
      continue;
    if (s.lo > 0)
      learnt.lo = other.hi < GS_INFINITE && other.hi > 0 ? gs_i128_ceildiv(s.lo, other.hi) : 1;
    if (other.lo >= 1 && s.hi < GS_INFINITE && s.hi >= 0)
      learnt.hi = gs_i128_floordiv(s.hi, other.lo);
    gs_problem_narrow(p, v, learnt);
  }
}

/// From sum <= 0 (or sum >= 0 with sign -1): what each term may be at most.
static void narrow_terms(gs_problem *p, const gs_poly *a, int sign) {
  gs_i128 low = 0;
  uint32_t infinite = 0, which = 0;
  gs_span part[256];
  for (uint32_t i = 0; i < a->count; i++) {
    part[i] = gs_span_scale(a->term[i].mono ? gs_span_of_mono(p, a->term[i].mono)
                                            : (gs_span){1, 1},
                            sign * a->term[i].coef);
    if (part[i].lo <= -GS_INFINITE || low <= -GS_INFINITE / 2 || low >= GS_INFINITE / 2) {
      infinite++;
      which = i;
    } else {
      low += part[i].lo;
    }
  }
  if (infinite > 1)
    return;
  for (uint32_t i = 0; i < a->count && !p->contradiction; i++) {
    gs_i128 c = sign * a->term[i].coef;
    if (!a->term[i].mono || (infinite && which != i))
      continue;
    gs_i128 up = -(low - (infinite ? 0 : part[i].lo)); // c * mono <= up
    if (up >= GS_INFINITE || up <= -GS_INFINITE)
      continue;
    gs_span s = {-GS_INFINITE, GS_INFINITE};
    if (c > 0)
      s.hi = gs_i128_floordiv(up, c);
    else
      s.lo = -gs_i128_floordiv(up, -c);
    bound_mono(p, a->term[i].mono, s);
  }
}

void gs_problem_hint(gs_problem *p, const gs_poly *a, gs_span span) {
  const gs_poly *over = a ? gs_poly_addc(p->arena, a, -span.hi) : NULL;
  const gs_poly *under = a ? gs_poly_addc(p->arena, a, -span.lo) : NULL;
  if (over)
    narrow_terms(p, over, 1);
  if (under)
    narrow_terms(p, under, -1);
}

/// p != 0 makes p <= 0 strict.
static void sharpen(gs_problem *p, const gs_poly *a) {
  const gs_poly *minus = gs_poly_neg(p->arena, a);
  for (uint32_t i = 0; minus && i < p->le.count; i++) {
    const gs_poly *f = p->le.at[i];
    if (f->count != a->count || (!gs_poly_equal(f, a) && !gs_poly_equal(f, minus)))
      continue;
    gs_problem_le(p, gs_poly_addc(p->arena, f, 1)); // takes the place of f
    return;
  }
}

/// p != 0 moves an end of a range that it hits.
static void narrow_ne(gs_problem *p, const gs_poly *a) {
  gs_span s = gs_span_of(p, a);
  sharpen(p, a);
  if (s.lo == 0)
    gs_problem_le(p, gs_poly_addc(p->arena, gs_poly_neg(p->arena, a), 1));
  if (s.hi == 0)
    gs_problem_le(p, gs_poly_addc(p->arena, a, 1));
}

void gs_problem_propagate(gs_problem *p) {
  for (int round = 0; round < ROUNDS && !p->contradiction; round++) {
    uint32_t before = p->version;
    if (!gs_problem_step(p, 1 + gs_problem_terms(p) / 16))
      return;
    for (uint32_t i = 0; i < p->le.count && !p->contradiction; i++)
      narrow_terms(p, p->le.at[i], 1);
    for (uint32_t i = 0; i < p->eq.count && !p->contradiction; i++) {
      narrow_terms(p, p->eq.at[i], 1);
      narrow_terms(p, p->eq.at[i], -1);
    }
    for (uint32_t i = 0; i < p->ne.count && !p->contradiction; i++)
      narrow_ne(p, p->ne.at[i]);
    if (p->version == before)
      break;
  }
}
