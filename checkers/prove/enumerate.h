// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The enumeration tier: evaluates the address of every thread and looks for two
/// that meet. Exact for whatever an address computes (xor swizzles, divisions,
/// bit reversal), where the threads and what they depend on are few.
#ifndef GS_ENUMERATE_H
#define GS_ENUMERATE_H

#include "affine.h"
#include "smt.h"

#define GS_ENUM_NO_SYM UINT32_MAX

/// A symbol that each instance of a thread has a value of its own for: an index
/// of the thread, or a loop counter that is not tied.
typedef struct gs_enum_sym {
  uint32_t sym[2];  ///< the symbol in the terms of access 0 and of access 1; the
                    ///< same one twice when both are terms over one thread;
                    ///< GS_ENUM_NO_SYM: that access has none
  uint64_t lo, hi;  ///< every value in [lo, hi] occurs
  bool is_identity; ///< threads are different when one of these differs
} gs_enum_sym;

/// A symbol with one value for both threads, tried one after another.
typedef struct gs_enum_uniform {
  uint32_t sym;
  const uint64_t *values; ///< the values to try; NULL: all in [lo, hi]
  uint64_t lo, hi;        ///< when `values` is NULL
  uint32_t value_count;
} gs_enum_uniform;

enum { GS_ENUM_TIES = 4 };

/// One access as one thread executes it.
typedef struct gs_enum_access {
  gs_term guard;  ///< width 1; GS_NO_TERM = always
  gs_term offset; ///< bytes, 64 bits, read as signed
  uint32_t size;  ///< bytes, at least 1
  gs_term tie[GS_ENUM_TIES]; ///< see gs_enum_query
} gs_enum_access;

typedef struct gs_enum_query {
  gs_enum_access access[2]; ///< may be equal: an access against itself
  const gs_enum_sym *syms;
  uint32_t sym_count;
  const gs_enum_uniform *uniforms;
  uint32_t uniform_count;
  uint32_t tie_count; ///< two instances meet only if tie[i] of access 0 equals
                      ///< tie[i] of access 1 for each i below
  bool modular;       ///< offsets are known up to one unknown addend common to
                      ///< both: they meet modulo 2^64
  uint64_t budget;    ///< steps; 0 = default
} gs_enum_query;

/// Steps of a query that names no budget: about half a second.
#define GS_ENUM_DEFAULT_BUDGET UINT64_C(100000000)

/// Do two different threads, one executing each access, touch a common byte?
/// NO and YES are exact. DONT_KNOW: the steps (instances times nodes, times
/// uniform cases) would exceed the budget, which is found before any is done;
/// a term has a LOAD or a symbol that is not listed; or no two threads meet but
/// some thread's guard or offset has no value (division by zero).
/// \param out   NULL, or two models, filled on YES: the values for the thread of
///              access 0 and of access 1. When the two have no symbol in common
///              except uniform ones, both models are the same and hold all
///              values. The pair with the lowest numbers in the order of `syms`
///              (the last varies fastest) is chosen. Free both with
///              gs_model_free.
/// \param steps receives the steps done, when not NULL.
gs_answer gs_enumerate(gs_terms *terms, const gs_enum_query *query, gs_model out[2],
                       uint64_t *steps);

/// The same question as gs_affine_refute's, by enumeration: which symbols to
/// enumerate and which facts tie the threads is read off the goal. Facts that
/// cannot be enumerated are left out, and common addends of the offsets cancel:
/// NO stays sound. YES is given only with a model of everything.
/// \param out   NULL, or one model, filled on YES; free with gs_model_free.
/// \param steps receives the steps done, when not NULL.
gs_answer gs_enumerate_goal(gs_terms *terms, const gs_goal *goal, uint64_t budget, gs_model *out,
                            uint64_t *steps);

#endif
