// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer polynomials with 128-bit coefficients, and the arena they live in.
///
/// Polynomials are immutable and shared freely. NULL stands for "cannot be
/// represented" (a coefficient, degree or size limit, or no memory); every
/// operation hands NULL on. Whoever meets NULL drops what it was about to
/// learn, which only makes the affine tier weaker, never wrong.
#ifndef GS_POLY_H
#define GS_POLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 gs_i128;
__extension__ typedef unsigned __int128 gs_u128;

/// Bump allocator; everything is released at once.
typedef struct gs_arena {
  struct gs_arena_block *blocks;
  size_t used, size; ///< of the newest block
  size_t total, limit;
  bool failed; ///< sticky: an allocation failed or the limit was met
} gs_arena;

void gs_arena_init(gs_arena *arena, size_t limit);
void gs_arena_free(gs_arena *arena);
/// \returns memory aligned for any type, or NULL (then arena->failed is set).
void *gs_arena_alloc(gs_arena *arena, size_t size);
/// Grows an array that lives in the arena so that `need` elements fit.
/// \returns the (possibly moved) array, or NULL; *capacity is updated.
void *gs_arena_grow(gs_arena *arena, void *array, uint32_t need, uint32_t *capacity, size_t size);

/// A point to go back to: everything allocated since is released.
typedef struct gs_arena_mark {
  struct gs_arena_block *blocks;
  size_t used, size, total;
} gs_arena_mark;
gs_arena_mark gs_arena_here(const gs_arena *arena);
void gs_arena_release(gs_arena *arena, gs_arena_mark mark);

/// A variable of a polynomial: 1 to 65535.
typedef uint16_t gs_pvar;

/// A monomial: up to 8 variables, packed 16 bits each from the low end, in
/// descending order. 0 is the constant monomial. The order of the packed
/// numbers is the (arbitrary, total) order of terms in a polynomial.
typedef gs_u128 gs_mono;
enum { GS_MONO_MAX = 8 };

typedef struct gs_pterm {
  gs_i128 coef; ///< never 0
  gs_mono mono;
} gs_pterm;

typedef struct gs_poly {
  uint64_t vars;  ///< bit (v mod 64) set for every variable v that occurs
  uint32_t count; ///< 0: the zero polynomial
  gs_pterm term[]; ///< sorted by monomial, ascending: the constant comes first
} gs_poly;

// Monomials.
static inline gs_mono gs_mono_var(gs_pvar v) { return (gs_mono)v; }
static inline gs_pvar gs_mono_at(gs_mono m, unsigned i) { return (gs_pvar)(m >> (16 * i)); }
unsigned gs_mono_degree(gs_mono m);
bool gs_mono_has(gs_mono m, gs_pvar v);
/// \returns false when the degree would exceed GS_MONO_MAX.
bool gs_mono_mul(gs_mono a, gs_mono b, gs_mono *out);
bool gs_mono_divides(gs_mono a, gs_mono b, gs_mono *out);
/// \returns true and a/b when b divides a. Most do not, which the largest variable tells.
static inline bool gs_mono_div(gs_mono a, gs_mono b, gs_mono *out) {
  return (gs_pvar)b <= (gs_pvar)a && gs_mono_divides(a, b, out);
}
gs_mono gs_mono_gcd(gs_mono a, gs_mono b);

// Constructors.
const gs_poly *gs_poly_const(gs_arena *arena, gs_i128 c);
const gs_poly *gs_poly_var(gs_arena *arena, gs_pvar v);
const gs_poly *gs_poly_mono(gs_arena *arena, gs_i128 c, gs_mono m);
const gs_poly *gs_poly_add(gs_arena *arena, const gs_poly *a, const gs_poly *b);
const gs_poly *gs_poly_sub(gs_arena *arena, const gs_poly *a, const gs_poly *b);
const gs_poly *gs_poly_mul(gs_arena *arena, const gs_poly *a, const gs_poly *b);
const gs_poly *gs_poly_scale(gs_arena *arena, const gs_poly *a, gs_i128 c);
const gs_poly *gs_poly_addc(gs_arena *arena, const gs_poly *a, gs_i128 c);
const gs_poly *gs_poly_neg(gs_arena *arena, const gs_poly *a);
/// a*ca + b*cb*m.
const gs_poly *gs_poly_combine(gs_arena *arena, const gs_poly *a, gs_i128 ca, const gs_poly *b,
                               gs_i128 cb, gs_mono m);
/// a with v replaced by q.
const gs_poly *gs_poly_subst(gs_arena *arena, const gs_poly *a, gs_pvar v, const gs_poly *q);
/// The terms of a that m divides, divided by m.
const gs_poly *gs_poly_quotient(gs_arena *arena, const gs_poly *a, gs_mono m);
/// The terms of a that m does not divide.
const gs_poly *gs_poly_rest(gs_arena *arena, const gs_poly *a, gs_mono m);
/// A polynomial from terms in any order, like terms added up.
const gs_poly *gs_poly_make(gs_arena *arena, gs_pterm *terms, size_t count);

// Questions.
bool gs_poly_is_const(const gs_poly *a, gs_i128 *value);
bool gs_poly_is_var(const gs_poly *a, gs_pvar *v); ///< exactly one variable, coefficient 1
bool gs_poly_equal(const gs_poly *a, const gs_poly *b); ///< false when either is NULL
bool gs_poly_has(const gs_poly *a, gs_pvar v);
gs_i128 gs_poly_constant(const gs_poly *a); ///< the constant term, maybe 0
gs_i128 gs_poly_coef(const gs_poly *a, gs_mono m);
/// Greatest common divisor of the coefficients of non-constant terms; 0 when there are none.
gs_i128 gs_poly_content(const gs_poly *a);
/// The monomial that divides every term (1 when there is a constant term).
gs_mono gs_poly_common(const gs_poly *a);
uint64_t gs_poly_hash(const gs_poly *a);
/// Appends a readable form (variables as v1, v2, …) like snprintf.
size_t gs_poly_print(const gs_poly *a, char *buffer, size_t size);

gs_i128 gs_i128_gcd(gs_i128 a, gs_i128 b);
gs_i128 gs_i128_floordiv(gs_i128 a, gs_i128 b); ///< b > 0
gs_i128 gs_i128_ceildiv(gs_i128 a, gs_i128 b);  ///< b > 0

#endif
