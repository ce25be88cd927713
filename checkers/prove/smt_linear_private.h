// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The encoding of terms as integers. Private to the linear tier.
#ifndef GS_SMT_LINEAR_PRIVATE_H
#define GS_SMT_LINEAR_PRIVATE_H

#include "smt_linear.h"

/// A node: an integer that is its value read as signed or unsigned, or a truth value.
/// The other form is made when first asked for.
typedef struct gs_number {
  gs_bv value;
  gs_bv truth;
  bool is_signed;
} gs_number;

typedef enum gs_division_kind {
  GS_FLOOR_UNSIGNED,
  GS_FLOOR_SIGNED, ///< towards minus infinity, as an arithmetic shift
  GS_TRUNCATED     ///< of signed values, towards zero
} gs_division_kind;

/// a == quotient * divisor + remainder; `lo` and `hi` bound the quotient.
typedef struct gs_quotient {
  gs_term a;
  gs_wide divisor;
  gs_division_kind kind;
  gs_bv quotient, remainder;
  gs_wide lo, hi;
} gs_quotient;

typedef struct gs_linear {
  const gs_linear_query *query;
  gs_core *core;
  gs_number *numbers; ///< by place in the DAG
  uint8_t *zeros;     ///< by place: low bits that are always zero
  gs_quotient *quotients;
  uint32_t quotient_count, quotient_capacity;
} gs_linear;

/// Encodes every node of the DAG. \returns false on failure.
bool gs_linear_encode(gs_linear *l);
/// Releases what the encoding owns; the core as well.
void gs_linear_free(gs_linear *l);
/// The value of a term as an integer, read as signed or unsigned.
gs_bv gs_linear_read(gs_linear *l, gs_term t, bool is_signed);
/// A term of width 1 as a truth value.
gs_bv gs_linear_truth(gs_linear *l, gs_term t);

#endif
