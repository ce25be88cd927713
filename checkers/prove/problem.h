// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the affine tier: a goal as polynomials over integers.
///
/// A problem is a conjunction: variables with constant ranges, polynomial
/// facts, and disjunctions that wait for a case split. Everything in it
/// follows from the goal, so a contradiction refutes the goal. Forgetting
/// something is always allowed.
#ifndef GS_PROBLEM_H
#define GS_PROBLEM_H

#include "affine.h"
#include "poly.h"

/// Beyond this a bound means "none".
#define GS_INFINITE ((gs_i128)1 << 125)

/// A constant interval, inclusive.
typedef struct gs_span {
  gs_i128 lo, hi;
} gs_span;

/// How a term's bits are read.
typedef enum gs_view { GS_VIEW_U, GS_VIEW_S } gs_view;

/// What a variable stands for; decides which one an equality eliminates.
typedef enum gs_pvar_kind {
  GS_PVAR_SYM,   ///< a symbol of the terms
  GS_PVAR_ATOM,  ///< a term that is not understood, a load
  GS_PVAR_QUOT,  ///< quotient of a division
  GS_PVAR_REM,   ///< remainder of a division
  GS_PVAR_WRAP,  ///< multiples of 2^w that an operation may lose
  GS_PVAR_ITE,   ///< value of a conditional
  GS_PVAR_BOOL,  ///< a truth value as 0 or 1
  GS_PVAR_SLACK, ///< position in an overlap of byte ranges
  GS_PVAR_POW2   ///< 2^term
} gs_pvar_kind;

typedef struct gs_pvar_info {
  gs_span span;
  const gs_poly *subst; ///< what it was found equal to (no eliminated variables); or NULL
  gs_pvar_kind kind;
  gs_term term; ///< where it comes from; GS_NO_TERM for helpers
  uint32_t touched; ///< version at which something was last learnt about it
} gs_pvar_info;

/// What is known about one term.
typedef struct gs_memo {
  gs_term term;
  const gs_poly *view[2];
  gs_pvar var;      ///< the variable that stands for it (SYM, truth values, opaque); 0 = none
  gs_view var_view; ///< how that variable reads the bits
  bool certain;     ///< certainly executed: its flags may be used
  int8_t truth;     ///< width 1: 1 true, -1 false, 0 not known
} gs_memo;

/// value == exact - 2^width * q, value in the range of the view.
typedef struct gs_wrap {
  gs_term term;
  gs_view view;
  const gs_poly *exact;
  gs_pvar q;
  uint8_t width;
  bool flagged; ///< the term carries the flag of this view
  bool done;
  uint32_t tried; ///< version at which it could not be shown to be 0
} gs_wrap;

/// x == y*q + r; a truncated one waits for the sign of x.
typedef struct gs_division {
  const gs_poly *x, *y;
  const gs_poly *q, *r;
  bool truncated;
  bool loose; ///< of y nothing is known: only that x == y*q + r where y is not 0
  uint32_t tried, related; ///< versions at which nothing new was found
} gs_division;

/// A division by what is not known to be at least 1.
typedef struct gs_postponed {
  gs_term term;
  gs_view view;
  uint32_t tried;
  bool done;
} gs_postponed;

typedef struct gs_cond {
  gs_term term; ///< an ITE
  gs_view view;
  gs_pvar var;
  bool done;
  uint32_t tried;
} gs_cond;

/// An uninterpreted operation: equal operands give equal results.
typedef struct gs_atom {
  gs_op op;
  uint8_t width;
  gs_view view; ///< how the variable reads the bits
  uint8_t low;  ///< SHL, a power of two: 2^low times the variable
  const gs_poly *arg[2];
  gs_pvar var;
} gs_atom;

typedef struct gs_literal {
  gs_term term;
  bool truth;
} gs_literal;

/// (first[0] and first[1]) or (second[0] and second[1]); a term 0 is "true".
typedef struct gs_disjunction {
  gs_literal first[2], second[2];
  bool certain; ///< the operand that is taken has been executed
  bool done;
} gs_disjunction;

/// A known bound of a product of variables.
typedef struct gs_product {
  gs_mono mono;
  gs_span span;
} gs_product;

/// The range of a product, as of some clock.
typedef struct gs_known_span {
  gs_mono mono;
  gs_span span;
  uint64_t clock;
} gs_known_span;

enum { GS_KNOWN_SPANS = 128 };

/// A statement that could not be proved.
typedef struct gs_failure {
  uint64_t hash;
  uint32_t version;
} gs_failure;

enum { GS_SAMPLES = 4, GS_FAILURES = 64 };

/// A point, by variable.
typedef struct gs_sample {
  gs_i128 *at;
  uint32_t count, capacity;
  bool holds; ///< satisfied all facts when last looked at
} gs_sample;

typedef struct gs_polys {
  const gs_poly **at;
  uint32_t count, capacity;
} gs_polys;

typedef struct gs_problem {
  gs_terms *terms;
  gs_arena *arena;
  const gs_affine_options *options;
  const gs_goal *goal;
  bool *satisfiable; ///< set when a witness was found; shared by all cases
  gs_used *used;   ///< may be NULL
  uint64_t *steps; ///< shared by all cases of one query
  uint64_t budget;
  bool contradiction;
  bool quick; ///< do not try hard to prove bounds
  uint32_t version; ///< counts what was learnt: unchanged means nothing new
  uint32_t depth, digits; ///< of the recursion over terms and over digits

  gs_pvar_info *vars; ///< vars[0] unused
  uint32_t var_count, var_capacity;
  gs_memo *memo; ///< open addressing
  uint32_t memo_count, memo_size;

  gs_polys le; ///< p <= 0
  gs_polys ne; ///< p != 0
  gs_polys eq; ///< p == 0, not yet used up by a substitution

  gs_wrap *wraps;
  uint32_t wrap_count, wrap_capacity;
  gs_division *divisions;
  uint32_t division_count, division_capacity;
  uint32_t ordered; ///< version at which no quotients could be ordered
  gs_postponed *postponed;
  uint32_t postponed_count, postponed_capacity;
  gs_cond *conds;
  uint32_t cond_count, cond_capacity;
  gs_atom *atoms;
  uint32_t atom_count, atom_capacity;
  gs_disjunction *disjunctions;
  uint32_t disjunction_count, disjunction_capacity;
  gs_product products[24];
  uint32_t product_count;
  gs_known_span *known; ///< GS_KNOWN_SPANS of them, by hash; those of an older clock are void
  uint64_t clock;       ///< of the ranges: counts what narrows one

  gs_sample samples[GS_SAMPLES];
  uint32_t sample_version, next_sample, random;

  gs_failure failures[GS_FAILURES]; ///< by hash; the newest wins

  gs_polys distinct; ///< differences of the pairs; not all are 0
  bool has_distinct;
} gs_problem;

// ------------------------------------------------------------ problem.c ----

/// An empty problem. \returns false when memory is short.
bool gs_problem_init(gs_problem *p);
/// A copy whose growth does not touch the original (same arena).
/// \returns false when memory is short.
bool gs_problem_clone(const gs_problem *from, gs_problem *to);
/// Writes `what` and a polynomial to the trace, when there is one.
void gs_problem_trace(const gs_problem *p, const char *what, const gs_poly *a);
/// Counts work. \returns false when the budget is spent.
bool gs_problem_step(gs_problem *p, uint64_t count);
/// Terms of all facts, equalities twice: what a pass over them costs.
uint64_t gs_problem_terms(const gs_problem *p);

gs_span gs_span_of_mono(const gs_problem *p, gs_mono m);
gs_span gs_span_of(const gs_problem *p, const gs_poly *a); ///< everything for NULL
gs_span gs_span_add(gs_span a, gs_span b);
gs_span gs_span_mul(gs_span a, gs_span b);
gs_span gs_span_scale(gs_span a, gs_i128 c);
gs_span gs_span_view(gs_view view, uint8_t width);
/// How many times 2^width must be taken off `exact` to bring it into `range`.
gs_span gs_span_wraps(gs_span exact, gs_span range, uint8_t width);
static inline bool gs_span_in(gs_span a, gs_span b) { return a.lo >= b.lo && a.hi <= b.hi; }

/// A fresh variable, or 0 when there are too many.
gs_pvar gs_problem_var(gs_problem *p, gs_span span, gs_pvar_kind kind, gs_term term);
/// a with every eliminated variable replaced.
const gs_poly *gs_problem_norm(gs_problem *p, const gs_poly *a);
/// Learns bounds of a variable.
void gs_problem_narrow(gs_problem *p, gs_pvar v, gs_span span);
/// Learns a <= 0, a == 0, a != 0. NULL is ignored.
void gs_problem_le(gs_problem *p, const gs_poly *a);
void gs_problem_eq(gs_problem *p, const gs_poly *a);
void gs_problem_ne(gs_problem *p, const gs_poly *a);
/// Learns lo <= a <= hi.
void gs_problem_within(gs_problem *p, const gs_poly *a, gs_span span);
/// Uses lo <= a <= hi, which follows from the facts, for ranges only.
void gs_problem_hint(gs_problem *p, const gs_poly *a, gs_span span);
/// Eliminates v: it equals q, which is normal and free of v.
void gs_problem_assign(gs_problem *p, gs_pvar v, const gs_poly *q);
/// Derives bounds of variables and products from the facts, a few rounds.
void gs_problem_propagate(gs_problem *p);
bool gs_polys_add(gs_problem *p, gs_polys *list, const gs_poly *a);
void gs_polys_remove(gs_polys *list, uint32_t i);

// ------------------------------------------------------ affine_bound.c ----

/// Symbolic bounding: \returns true when a <= 0 is proved from the facts.
bool gs_affine_le(gs_problem *p, const gs_poly *a);
/// The same for lo <= a <= hi.
bool gs_affine_within(gs_problem *p, const gs_poly *a, gs_span span);

// ----------------------------------------------------- affine_sample.c ----

/// \returns true when a point is known that satisfies the facts, but not a <= 0.
bool gs_sample_known(gs_problem *p, const gs_poly *a);
/// The same, and looks for such a point.
bool gs_sample_found(gs_problem *p, const gs_poly *a);
/// \returns true when a point that satisfies the facts is known or found.
bool gs_sample_exists(gs_problem *p);

/// The value of a at a sample. \returns false on overflow.
bool gs_sample_value(const gs_sample *s, const gs_poly *a, gs_i128 *value);

// ---------------------------------------------------- affine_witness.c ----

/// \returns true when some sample point satisfies the goal, so that it cannot
/// be refuted.
bool gs_affine_witnessed(gs_problem *p);

// ---------------------------------------------------- affine_convert.c ----

/// The memo of a term; made when missing. \returns NULL when memory is short.
/// Valid until the next term is memoised.
gs_memo *gs_affine_memo(gs_problem *p, gs_term t);
/// The value of a term as a polynomial. \returns NULL only when memory or
/// variables run out.
const gs_poly *gs_affine_value(gs_problem *p, gs_term t, gs_view view);
/// exact reduced into the range of the view; `flagged`: t's own flag says it fits.
const gs_poly *gs_affine_wrap(gs_problem *p, gs_term t, const gs_poly *exact, uint8_t width,
                              gs_view view, bool flagged);
/// A variable for an operation that is not understood, shared by equal
/// operands. *proto without its variable. \returns NULL also when there is one
/// that reads its bits in the other view.
const gs_poly *gs_affine_atom(gs_problem *p, const gs_atom *proto, gs_span span,
                              gs_pvar_kind kind);
/// The view of t in which it is simplest: where either will do.
gs_view gs_affine_view_used(gs_problem *p, gs_term t, gs_view otherwise);

// ------------------------------------------------------- affine_bits.c ----

/// Floor division by y >= 1 (which must have been proved). Outputs may be NULL.
void gs_affine_divide(gs_problem *p, const gs_poly *x, const gs_poly *y, const gs_poly **q,
                      const gs_poly **r);
/// Views of the operators named in the function; NULL: not understood.
const gs_poly *gs_affine_division(gs_problem *p, gs_term t, gs_view view, bool loose);
/// Divisions of one value whose divisors turn out to have common factors, and
/// those that turn out to be exact.
void gs_affine_relate_divisions(gs_problem *p);
const gs_poly *gs_affine_shift(gs_problem *p, gs_term t, gs_view view);
const gs_poly *gs_affine_bitwise(gs_problem *p, gs_term t, gs_view view);

/// Ranges of powers of two from those of their exponents, and back.
void gs_affine_powers(gs_problem *p);

// ----------------------------------------------------- affine_assert.c ----

/// Learns that a truth value is `truth`. `certain`: its operands were executed.
void gs_affine_assert(gs_problem *p, gs_term t, bool truth, bool certain);
/// The operations below t have been executed.
void gs_affine_mark(gs_problem *p, gs_term t);

// ------------------------------------------------------ affine_close.c ----

/// Draws conclusions until nothing changes: equalities, bounds, wraps,
/// conditionals. With `eliminate`, equalities that no step solves are used up
/// by substitution.
void gs_affine_saturate(gs_problem *p, bool eliminate);

// ------------------------------------------------------ affine_euclid.c ----

/// Draws conclusions from *a == 0. \returns false when none used it up; *a is
/// simplified then.
bool gs_affine_solve(gs_problem *p, const gs_poly **a);
/// The same by Euclidean splitting, which is dearer.
bool gs_affine_euclid(gs_problem *p, const gs_poly *a);

// ------------------------------------------------------ affine_split.c ----

/// \returns true when the problem has no solution.
bool gs_affine_search(gs_problem *p);

#endif
