// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes a model easier to read.
#ifndef GS_FRIENDLY_H
#define GS_FRIENDLY_H

#include "smt.h"

/// Moves the values of a model, one or two symbols at a time, towards those that
/// a person expects of a witness: the first blocks, the lowest indices, the first
/// iterations, ordinary sizes. A move stands only if every term of `hard` still
/// holds and no operation with a flag wraps, so the result is a model as well.
/// A model with contents of memory is left as it is: addresses would move.
void gs_model_befriend(const gs_terms *terms, const gs_term *hard, size_t count, gs_model *model);

#endif
