// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs shapes: each in three spellings, refuted, and its racy twin not.
#ifndef AFFINE_CASES_H
#define AFFINE_CASES_H

#include "affine_kit.h"

enum {
  NOT_UNSIGNED = 1, ///< 32-bit unsigned arithmetic may wrap: not refuted
  NOT_SIZE = 2,
  NO_WITNESS = 4, ///< the racy twin has no solution among the values tried
  ONLY_INT = 8,
  NOT_INT = 16
};

typedef struct shape {
  const char *name;
  void (*build)(kit *k, bool racy);
  unsigned flags;
} shape;

/// \returns 0 when all is as expected, for main.
int run_shapes(const shape *shapes, size_t count);

#endif
