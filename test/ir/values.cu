// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=64 | FileCheck %s
// Exact meaning of operations: each permutation of a block's threads is proved, each
// near miss refuted.
#define PERMUTE(name, index)                                                                   \
  __global__ void name(int *p) {                                                               \
    __shared__ int s[4096];                                                                    \
    unsigned t = threadIdx.x;                                                                  \
    s[(index) & 4095] = t;                                                                     \
  }
// CHECK: PROVED flipped
PERMUTE(flipped, 63 - t)
// CHECK: PROVED exchanged
PERMUTE(exchanged, t ^ 21)
// CHECK: RACE joined {{.*}} data-race
PERMUTE(joined, t | 4)
// CHECK: PROVED rotated
PERMUTE(rotated, (t << 3 | t >> 3) & 63)
// CHECK: RACE rotated_short {{.*}} data-race
PERMUTE(rotated_short, (t << 3 | t >> 4) & 63)
// CHECK: PROVED odd_factor
PERMUTE(odd_factor, t * 37 & 63)
// CHECK: RACE even_factor {{.*}} data-race
PERMUTE(even_factor, t * 38 & 63)
// CHECK: PROVED shifted_by
PERMUTE(shifted_by, (t + 17) % 64)
// CHECK: RACE shifted_into {{.*}} data-race
PERMUTE(shifted_into, (t + 17) % 63)
// CHECK: PROVED split
PERMUTE(split, t % 8 * 8 + t / 8)
// CHECK: RACE split_wrongly {{.*}} data-race
PERMUTE(split_wrongly, t % 8 * 7 + t / 8)
// CHECK: PROVED reversed_bits
PERMUTE(reversed_bits, __brev(t) >> 26)
// CHECK: RACE reversed_bits_short {{.*}} data-race
PERMUTE(reversed_bits_short, __brev(t) >> 27)
// CHECK: RACE leading_zeros {{.*}} data-race
PERMUTE(leading_zeros, __clz(t))
// CHECK: RACE ones {{.*}} data-race
PERMUTE(ones, __popc(t))
// CHECK: PROVED gray
PERMUTE(gray, t ^ t >> 1)
// CHECK: RACE not_gray {{.*}} data-race
PERMUTE(not_gray, t ^ t << 1 & 2 ^ t & 1)
// CHECK: PROVED clamped
PERMUTE(clamped, min(t, 63u))
// CHECK: RACE clamped_more {{.*}} data-race
PERMUTE(clamped_more, min(t, 62u))
// CHECK: PROVED away_from_middle
PERMUTE(away_from_middle, (int)t < 32 ? 31 - (int)t : (int)t)
// CHECK: RACE distance {{.*}} data-race
PERMUTE(distance, abs((int)t - 32))
// CHECK: PROVED sign_extended
PERMUTE(sign_extended, (unsigned)(int)(signed char)(t + 100))
// CHECK: PROVED halves
PERMUTE(halves, ((int)t - 32 >> 1) * 2 + (t & 1) + 32)
// CHECK: RACE halves_rounded {{.*}} data-race
PERMUTE(halves_rounded, ((int)t - 32) / 2 * 2 + (t & 1) + 32)
