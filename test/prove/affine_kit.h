// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Builds index expressions as clang spells them for int, unsigned and size_t.
#ifndef AFFINE_KIT_H
#define AFFINE_KIT_H

#include "affine_harness.h"

typedef enum spelling { SPELL_INT, SPELL_UNSIGNED, SPELL_SIZE, SPELL_COUNT } spelling;

typedef struct kit {
  world w;
  spelling s;
  gs_term ntid[3], nctaid[3];
  gs_term tid[3][3], ctaid[3][3]; ///< [copy][axis]; copy 0 unused
  uint32_t next_origin;
} kit;

void kit_init(kit *k, spelling s);
/// Launch symbols of axes 0 to `axes - 1`, their ranges and the facts
/// tid < ntid, ctaid < nctaid, nctaid*ntid <= 2^31 - 1. One block with `blocks` false.
void kit_launch(kit *k, unsigned axes, bool blocks);

gs_term kit_c32(kit *k, int64_t value);
gs_term kit_c64(kit *k, int64_t value);
/// An int parameter, and a per-thread value (copies 1 and 2 in out[]).
gs_term kit_param(kit *k, const char *name);
void kit_each(kit *k, const char *name, uint8_t width, uint64_t lo, uint64_t hi, gs_term out[3]);

gs_term kit_op(kit *k, gs_op op, gs_term a, gs_term b); ///< no flags
/// Arithmetic in the index type: nsw for int, 64 bits for size_t.
gs_term kit_add(kit *k, gs_term a, gs_term b);
gs_term kit_sub(kit *k, gs_term a, gs_term b);
gs_term kit_mul(kit *k, gs_term a, gs_term b);
gs_term kit_num(kit *k, int64_t value);
/// A 32-bit value brought to the index type.
gs_term kit_lift(kit *k, gs_term t);
/// blockIdx.axis * blockDim.axis + threadIdx.axis in the index type.
gs_term kit_global(kit *k, int copy, int axis);
gs_term kit_less(kit *k, gs_term a, gs_term b); ///< in the index type's signedness
/// base + index * size in bytes.
gs_term kit_bytes(kit *k, gs_term index, int64_t size, int64_t base);

#endif
