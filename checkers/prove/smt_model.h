// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Models as data: contents of memory and re-evaluation. Private to prove/.
#ifndef GS_SMT_MODEL_H
#define GS_SMT_MODEL_H

#include "smt.h"

/// \returns an empty model with a zero for every symbol of the store and room
/// for `loads` LOADs, or false when memory is short.
bool gs_model_init(gs_model *model, const gs_terms *terms, uint32_t loads);

/// Adds contents unless the same address and width is there.
void gs_model_add_load(gs_model *model, gs_model_load load);

/// \returns false when two loads overlap and disagree on a byte they share.
/// Memory is little endian; a width that is no multiple of 8 fills the low bits
/// of its last byte.
bool gs_loads_agree(const gs_model_load *a, const gs_model_load *b);

/// Bytes that a load of this width touches.
static inline uint32_t gs_load_bytes(uint8_t width) { return (width + 7u) / 8u; }

typedef enum gs_truth { GS_CHECK_TRUE, GS_CHECK_FALSE, GS_CHECK_UNDEFINED } gs_truth;

/// Evaluates a conjunction under the model: UNDEFINED when a term has no value
/// (division by zero, shift out of range), else FALSE when one is false.
gs_truth gs_model_check(const gs_terms *terms, const gs_term *hard, size_t count,
                        gs_model *model);

/// Does no operation with a flag wrap under the model? Of a conditional only the
/// arm that is taken counts. \returns false also when memory is short.
bool gs_model_keeps_flags(const gs_terms *terms, const gs_term *roots, size_t count,
                          gs_model *model);

#endif
