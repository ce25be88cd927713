// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Terms as bit-vectors of a solver core. Private to the solver.
#ifndef GS_SMT_ENCODE_H
#define GS_SMT_ENCODE_H

#include "smt_core.h"
#include "smt_range.h"

/// How a node's value is represented: the value is the zero or sign extension of
/// `bits`. `truth` is the Boolean form of width 1. Either form may be missing;
/// it is made when first asked for.
typedef struct gs_rep {
  gs_bv value;
  gs_bv truth;
  gs_bv defined; ///< the value does not rest on an undefined operation; NULL = never does
  uint8_t bits;
  bool is_signed;
} gs_rep;

/// A division by a constant: quotient and remainder are variables with
/// a == quotient * divisor + remainder, shared by all that ask for either.
typedef struct gs_division {
  gs_term a;
  uint64_t divisor;
  gs_bv quotient, remainder;
  unsigned quotient_bits, remainder_bits;
} gs_division;

/// The encoding of one query. Owned by smt_solve.c.
typedef struct gs_encoding {
  const gs_terms *terms;
  gs_dag dag;
  gs_ranges ranges;
  uint8_t *exact; ///< by place: no wrapping and definedness are assumed; NULL = nowhere
  gs_rep *reps;   ///< by place
  gs_division *divisions;
  uint32_t division_count, division_capacity;
  gs_core *core;
} gs_encoding;

/// Size of the encoding in full adders, about; needs the DAG and the ranges only.
uint64_t gs_encoding_cells(const gs_encoding *e);
/// Does assuming that the operation at this place is exact assume something that
/// the bounds do not prove?
bool gs_encoding_assumes(const gs_encoding *e, uint32_t at);
/// Encodes every node of the DAG; requires the bounds of leaves and what `exact`
/// promises. \returns false on failure.
bool gs_encode(gs_encoding *e);
/// Releases what the encoding owns; the core as well.
void gs_encoding_free(gs_encoding *e);
/// The low `bits` bits of t's value, at most its width.
gs_bv gs_encoded_bits(gs_encoding *e, gs_term t, unsigned bits);
/// A term of width 1 as a truth value.
gs_bv gs_encoded_truth(gs_encoding *e, gs_term t);
/// When gs_term_eval gives t a value; NULL: always.
gs_bv gs_encoded_defined(const gs_encoding *e, gs_term t);

#endif
