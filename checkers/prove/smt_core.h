// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The narrow interface to a bit-vector solver: what the encoder (smt_encode.c)
/// and the search (smt_solve.c) need of it. smt_z3.c implements it on Z3.
///
/// A gs_bv is a bit-vector or a truth value of one core; it lives as long as the
/// core. NULL stands for "could not be made": every function takes it and hands
/// it on, and the core is then failed. Nothing prints, exits or jumps.
#ifndef GS_SMT_CORE_H
#define GS_SMT_CORE_H

#include "smt.h"

typedef struct gs_core gs_core;
typedef struct gs_bv_opaque *gs_bv;

typedef enum gs_bv_op {
  // bit-vectors of one size to that size
  GS_BV_ADD,
  GS_BV_SUB,
  GS_BV_MUL,
  GS_BV_UDIV,
  GS_BV_SDIV,
  GS_BV_UREM,
  GS_BV_SREM,
  GS_BV_SHL, ///< amounts of the size or more give 0 (ASHR: the sign)
  GS_BV_LSHR,
  GS_BV_ASHR,
  GS_BV_AND,
  GS_BV_OR,
  GS_BV_XOR,
  GS_BV_CONCAT, ///< first operand in the high bits
  // bit-vectors of one size to a truth value
  GS_BV_ULT,
  GS_BV_ULE,
  GS_BV_SLT,
  GS_BV_SLE,
  GS_BV_EQ, ///< or of two truth values
  // truth values
  GS_BV_BOTH,
  GS_BV_EITHER,
  GS_BV_UNEQUAL ///< exclusive or
} gs_bv_op;

/// \param budget resource units for the life of the core.
/// \param cells  size of the question to come, in full adders: a step of the
///               search takes longer the larger that is, and counts as more units.
/// \returns NULL when memory is short or the solver cannot start.
gs_core *gs_core_new(uint64_t budget, uint64_t cells);
/// A core for linear integer arithmetic: truth values and the gs_int_… below.
gs_core *gs_core_new_linear(uint64_t budget);
void gs_core_free(gs_core *core);
/// Whether the solver reported an error: nothing it says counts any more.
bool gs_core_failed(const gs_core *core);
/// Resource units spent so far: the same from run to run.
uint64_t gs_core_spent(gs_core *core);

gs_bv gs_bv_number(gs_core *core, uint64_t value, unsigned bits);
gs_bv gs_bv_truth(gs_core *core, bool value);
/// A new unknown.
gs_bv gs_bv_variable(gs_core *core, unsigned bits);
gs_bv gs_bv_bin(gs_core *core, gs_bv_op op, gs_bv a, gs_bv b);
gs_bv gs_bv_not(gs_core *core, gs_bv truth);
gs_bv gs_bv_ite(gs_core *core, gs_bv truth, gs_bv a, gs_bv b);
/// Bits high..low.
gs_bv gs_bv_extract(gs_core *core, unsigned high, unsigned low, gs_bv a);
/// Extends or cuts from `from` to `to` bits.
gs_bv gs_bv_resize(gs_core *core, gs_bv a, unsigned from, unsigned to, bool is_signed);

// Integers of any size. They share gs_bv with truth values, never with bit-vectors.

__extension__ typedef __int128 gs_wide; ///< coefficients and bounds of integers

typedef enum gs_int_op {
  GS_INT_ADD,
  GS_INT_SUB,
  GS_INT_LE, ///< to a truth value, as are the next two
  GS_INT_LT,
  GS_INT_EQ
} gs_int_op;

gs_bv gs_int_number(gs_core *core, gs_wide value);
/// A new unknown integer.
gs_bv gs_int_variable(gs_core *core);
gs_bv gs_int_bin(gs_core *core, gs_int_op op, gs_bv a, gs_bv b);
gs_bv gs_int_times(gs_core *core, gs_wide factor, gs_bv a);
/// Value of an integer in the model of the latest YES, modulo 2^64.
bool gs_int_value(gs_core *core, gs_bv a, uint64_t *value);

/// Adds a condition that must hold from now on.
void gs_core_require(gs_core *core, gs_bv truth);
/// Is there a model of what is required, and of `assumption` (may be NULL) this
/// time? Spends `limit` units or what is left of the budget, whichever is less.
gs_answer gs_core_search(gs_core *core, gs_bv assumption, uint64_t limit);
/// Value of a bit-vector of at most 64 bits in the model of the latest YES.
bool gs_core_value(gs_core *core, gs_bv a, uint64_t *value);

#endif
