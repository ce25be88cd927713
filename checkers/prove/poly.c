// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomial arithmetic. Sums are built in a small buffer, sorted and merged;
// polynomials of the affine tier have a handful of terms.
#include "poly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = 200, BLOCK_SIZE = 1 << 16 };

/// Coefficients stay below this, so that a negation or one addition never overflows.
#define COEF_LIMIT ((gs_i128)1 << 120)

struct gs_arena_block {
  struct gs_arena_block *next;
  max_align_t data[];
};

void gs_arena_init(gs_arena *arena, size_t limit) {
  *arena = (gs_arena){.limit = limit};
}

void gs_arena_free(gs_arena *arena) {
  while (arena->blocks) {
    struct gs_arena_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
}

void *gs_arena_alloc(gs_arena *arena, size_t size) {
  size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  if (arena->failed)
    return NULL;
  if (!arena->blocks || arena->size - arena->used < size) {
    size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    struct gs_arena_block *block = NULL;
    if (room <= arena->limit - arena->total)
      block = malloc(sizeof *block + room);
    if (!block) {
      arena->failed = true;
      return NULL;
    }
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
    arena->size = room;
    arena->total += room;
  }
  void *memory = (char *)arena->blocks->data + arena->used;
  arena->used += size;
  return memory;
}

gs_arena_mark gs_arena_here(const gs_arena *arena) {
  return (gs_arena_mark){arena->blocks, arena->used, arena->size, arena->total};
}

void gs_arena_release(gs_arena *arena, gs_arena_mark mark) {
  while (arena->blocks != mark.blocks) {
    struct gs_arena_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
  arena->used = mark.used;
  arena->size = mark.size;
  arena->total = mark.total;
}

void *gs_arena_grow(gs_arena *arena, void *array, uint32_t need, uint32_t *capacity, size_t size) {
  if (need <= *capacity)
    return array;
  uint32_t next = *capacity ? *capacity * 2 : 16;
  while (next < need)
    next *= 2;
  void *moved = gs_arena_alloc(arena, next * size);
  if (moved && *capacity)
    memcpy(moved, array, *capacity * size);
  if (moved)
    *capacity = next;
  return moved;
}

unsigned gs_mono_degree(gs_mono m) {
  unsigned n = 0;
  for (; m; m >>= 16)
    n++;
  return n;
}

bool gs_mono_has(gs_mono m, gs_pvar v) {
  for (; m; m >>= 16)
    if ((gs_pvar)m == v)
      return true;
  return false;
}

bool gs_mono_mul(gs_mono a, gs_mono b, gs_mono *out) {
  if (!a || !b) {
    *out = a | b;
    return true;
  }
  gs_mono r = 0;
  unsigned n = 0;
  for (; a || b; n++) {
    if (n == GS_MONO_MAX)
      return false;
    bool from_a = (gs_pvar)a >= (gs_pvar)b;
    r |= (gs_mono)(from_a ? (gs_pvar)a : (gs_pvar)b) << (16 * n);
    if (from_a)
      a >>= 16;
    else
      b >>= 16;
  }
  *out = r;
  return true;
}

/// The same for monomials of up to four variables: nearly all are.
static bool divide_short(uint64_t a, uint64_t b, gs_mono *out) {
  uint64_t r = 0;
  for (unsigned n = 0; a; a >>= 16) {
    if (b && (gs_pvar)a == (gs_pvar)b) {
      b >>= 16;
    } else {
      r |= (a & UINT16_MAX) << n;
      n += 16;
    }
  }
  *out = r;
  return !b;
}

bool gs_mono_divides(gs_mono a, gs_mono b, gs_mono *out) {
  if (!(a >> 64) && !(b >> 64))
    return divide_short((uint64_t)a, (uint64_t)b, out);
  gs_mono r = 0;
  unsigned n = 0;
  for (; a; a >>= 16) {
    if (b && (gs_pvar)a == (gs_pvar)b)
      b >>= 16;
    else
      r |= (gs_mono)(gs_pvar)a << (16 * n++);
  }
  *out = r;
  return !b;
}

gs_mono gs_mono_gcd(gs_mono a, gs_mono b) {
  gs_mono r = 0;
  unsigned n = 0;
  while (a && b) {
    gs_pvar va = (gs_pvar)a, vb = (gs_pvar)b;
    if (va == vb)
      r |= (gs_mono)va << (16 * n++);
    if (va >= vb)
      a >>= 16;
    if (vb >= va)
      b >>= 16;
  }
  return r;
}

static uint64_t mono_vars(gs_mono m) {
  uint64_t set = 0;
  for (; m; m >>= 16)
    set |= UINT64_C(1) << ((gs_pvar)m % 64);
  return set;
}

/// Insertion sort: the inputs are short and mostly sorted already.
static void sort_terms(gs_pterm *term, size_t count) {
  for (size_t i = 1; i < count; i++) {
    gs_pterm t = term[i];
    size_t at = i;
    for (; at && term[at - 1].mono > t.mono; at--)
      term[at] = term[at - 1];
    term[at] = t;
  }
}

const gs_poly *gs_poly_make(gs_arena *arena, gs_pterm *terms, size_t count) {
  sort_terms(terms, count);
  size_t kept = 0;
  for (size_t i = 0; i < count;) {
    gs_pterm t = terms[i++];
    for (; i < count && terms[i].mono == t.mono; i++)
      if (__builtin_add_overflow(t.coef, terms[i].coef, &t.coef))
        return NULL;
    if (t.coef >= COEF_LIMIT || t.coef <= -COEF_LIMIT)
      return NULL;
    if (t.coef)
      terms[kept++] = t;
  }
  if (kept > MAX_TERMS)
    return NULL;
  gs_poly *p = gs_arena_alloc(arena, sizeof *p + kept * sizeof *terms);
  if (!p)
    return NULL;
  p->vars = 0;
  p->count = (uint32_t)kept;
  for (size_t i = 0; i < kept; i++) {
    p->term[i] = terms[i];
    p->vars |= mono_vars(terms[i].mono);
  }
  return p;
}

const gs_poly *gs_poly_const(gs_arena *arena, gs_i128 c) { return gs_poly_mono(arena, c, 0); }

const gs_poly *gs_poly_var(gs_arena *arena, gs_pvar v) {
  return gs_poly_mono(arena, 1, gs_mono_var(v));
}

const gs_poly *gs_poly_mono(gs_arena *arena, gs_i128 c, gs_mono m) {
  gs_pterm t = {c, m};
  return gs_poly_make(arena, &t, 1);
}

const gs_poly *gs_poly_combine(gs_arena *arena, const gs_poly *a, gs_i128 ca, const gs_poly *b,
                               gs_i128 cb, gs_mono m) {
  if (!a || !b)
    return NULL;
  gs_pterm buffer[2 * MAX_TERMS];
  size_t n = 0;
  for (uint32_t i = 0; i < a->count; i++, n++) {
    buffer[n].mono = a->term[i].mono;
    if (__builtin_mul_overflow(a->term[i].coef, ca, &buffer[n].coef))
      return NULL;
  }
  for (uint32_t i = 0; i < b->count; i++, n++)
    if (!gs_mono_mul(b->term[i].mono, m, &buffer[n].mono) ||
        __builtin_mul_overflow(b->term[i].coef, cb, &buffer[n].coef))
      return NULL;
  return gs_poly_make(arena, buffer, n);
}

const gs_poly *gs_poly_add(gs_arena *arena, const gs_poly *a, const gs_poly *b) {
  return gs_poly_combine(arena, a, 1, b, 1, 0);
}

const gs_poly *gs_poly_sub(gs_arena *arena, const gs_poly *a, const gs_poly *b) {
  return gs_poly_combine(arena, a, 1, b, -1, 0);
}

const gs_poly *gs_poly_scale(gs_arena *arena, const gs_poly *a, gs_i128 c) {
  return gs_poly_combine(arena, a, c, a, 0, 0);
}

const gs_poly *gs_poly_neg(gs_arena *arena, const gs_poly *a) {
  return gs_poly_scale(arena, a, -1);
}

const gs_poly *gs_poly_addc(gs_arena *arena, const gs_poly *a, gs_i128 c) {
  return gs_poly_add(arena, a, gs_poly_const(arena, c));
}

const gs_poly *gs_poly_mul(gs_arena *arena, const gs_poly *a, const gs_poly *b) {
  if (!a || !b || (size_t)a->count * b->count > 4 * MAX_TERMS)
    return NULL;
  gs_pterm buffer[4 * MAX_TERMS];
  size_t n = 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < b->count; j++, n++)
      if (!gs_mono_mul(a->term[i].mono, b->term[j].mono, &buffer[n].mono) ||
          __builtin_mul_overflow(a->term[i].coef, b->term[j].coef, &buffer[n].coef))
        return NULL;
  return gs_poly_make(arena, buffer, n);
}

/// Terms of `a` that m divides (divided by it), or the others.
static const gs_poly *select_terms(gs_arena *arena, const gs_poly *a, gs_mono m, bool divisible) {
  if (!a)
    return NULL;
  gs_pterm buffer[MAX_TERMS];
  size_t n = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_mono rest = 0;
    bool divides = gs_mono_div(a->term[i].mono, m, &rest);
    if (divides == divisible)
      buffer[n++] = (gs_pterm){a->term[i].coef, divides ? rest : a->term[i].mono};
  }
  return gs_poly_make(arena, buffer, n);
}

const gs_poly *gs_poly_quotient(gs_arena *arena, const gs_poly *a, gs_mono m) {
  return select_terms(arena, a, m, true);
}

const gs_poly *gs_poly_rest(gs_arena *arena, const gs_poly *a, gs_mono m) {
  return select_terms(arena, a, m, false);
}

const gs_poly *gs_poly_subst(gs_arena *arena, const gs_poly *a, gs_pvar v, const gs_poly *q) {
  if (!a || !gs_poly_has(a, v))
    return a;
  // Horner: a = rest + v * quotient, and the quotient may hold v again.
  const gs_poly *rest = gs_poly_rest(arena, a, gs_mono_var(v));
  const gs_poly *part = gs_poly_quotient(arena, a, gs_mono_var(v));
  part = gs_poly_subst(arena, part, v, q);
  return gs_poly_add(arena, rest, gs_poly_mul(arena, part, q));
}

bool gs_poly_is_const(const gs_poly *a, gs_i128 *value) {
  if (!a || a->count > 1 || (a->count == 1 && a->term[0].mono))
    return false;
  *value = a->count ? a->term[0].coef : 0;
  return true;
}

bool gs_poly_is_var(const gs_poly *a, gs_pvar *v) {
  if (!a || a->count != 1 || a->term[0].coef != 1 || gs_mono_degree(a->term[0].mono) != 1)
    return false;
  *v = (gs_pvar)a->term[0].mono;
  return true;
}

bool gs_poly_equal(const gs_poly *a, const gs_poly *b) {
  if (!a || !b || a->count != b->count || a->vars != b->vars)
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->term[i].mono != b->term[i].mono || a->term[i].coef != b->term[i].coef)
      return false;
  return true;
}

bool gs_poly_has(const gs_poly *a, gs_pvar v) {
  if (!(a->vars >> (v % 64) & 1))
    return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (gs_mono_has(a->term[i].mono, v))
      return true;
  return false;
}

gs_i128 gs_poly_constant(const gs_poly *a) { return gs_poly_coef(a, 0); }

gs_i128 gs_poly_coef(const gs_poly *a, gs_mono m) {
  for (uint32_t i = 0; i < a->count; i++)
    if (a->term[i].mono == m)
      return a->term[i].coef;
  return 0;
}

gs_i128 gs_i128_gcd(gs_i128 a, gs_i128 b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b) {
    // Most numbers fit a machine word, where division is far cheaper.
    gs_i128 t = a <= UINT64_MAX && b <= UINT64_MAX ? (gs_i128)((uint64_t)a % (uint64_t)b) : a % b;
    a = b;
    b = t;
  }
  return a;
}

gs_i128 gs_i128_floordiv(gs_i128 a, gs_i128 b) {
  gs_i128 q = a / b;
  return q - (a % b < 0);
}

gs_i128 gs_i128_ceildiv(gs_i128 a, gs_i128 b) {
  gs_i128 q = a / b;
  return q + (a % b > 0);
}

gs_i128 gs_poly_content(const gs_poly *a) {
  gs_i128 g = 0;
  for (uint32_t i = 0; i < a->count && g != 1; i++)
    if (a->term[i].mono)
      g = gs_i128_gcd(g, a->term[i].coef);
  return g;
}

gs_mono gs_poly_common(const gs_poly *a) {
  gs_mono m = a->count ? a->term[0].mono : 0;
  for (uint32_t i = 1; i < a->count && m; i++)
    m = gs_mono_gcd(m, a->term[i].mono);
  return m;
}

uint64_t gs_poly_hash(const gs_poly *a) {
  uint64_t h = a->count;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_u128 c = (gs_u128)a->term[i].coef, m = a->term[i].mono;
    uint64_t part[4] = {(uint64_t)c, (uint64_t)(c >> 64), (uint64_t)m, (uint64_t)(m >> 64)};
    for (int k = 0; k < 4; k++) {
      h = (h ^ part[k]) * UINT64_C(0x9E3779B97F4A7C15);
      h ^= h >> 29;
    }
  }
  return h;
}

static void print_i128(gs_u128 value, char *text) {
  char digits[48];
  int n = 0;
  do
    digits[n++] = (char)('0' + (int)(value % 10));
  while (value /= 10);
  while (n)
    *text++ = digits[--n];
  *text = 0;
}

size_t gs_poly_print(const gs_poly *a, char *buffer, size_t size) {
  size_t used = 0;
  if (size)
    buffer[0] = 0;
  if (!a || !a->count)
    return (size_t)snprintf(buffer, size, "%s", a ? "0" : "?");
  for (uint32_t i = 0; i < a->count; i++) {
    char text[160], number[48];
    gs_i128 c = a->term[i].coef;
    print_i128((gs_u128)(c < 0 ? -c : c), number);
    int n = snprintf(text, sizeof text, " %c %s", c < 0 ? '-' : '+', number);
    for (gs_mono m = a->term[i].mono; m; m >>= 16)
      n += snprintf(text + n, sizeof text - (size_t)n, "*v%u", (unsigned)(gs_pvar)m);
    size_t room = used < size ? size - used : 0;
    used += (size_t)snprintf(room ? buffer + used : NULL, room, "%s", text);
  }
  return used;
}
