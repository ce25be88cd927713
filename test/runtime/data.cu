// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// UNSUPPORTED: sanitized
// Facts about data: taken on trust, and with GPUSAFE_CHECK_DATA=1 looked at before the launch.
// (data_test.c has every type; the stand-in driver's memory is the host's.)
// RUN: %clang_launches -O2 %s -o %t.s 2>&1 | count 0
// RUN: %link_launches %t.s %S/Inputs/memory.c -o %t
// RUN: %run_launches %t 2>&1 | FileCheck --check-prefix=TRUST %s
// RUN: env GPUSAFE_CHECK_DATA=1 LD_LIBRARY_PATH=%build/runtime/fake %t 2>&1 | FileCheck --check-prefix=DATA %s
// RUN: env GPUSAFE_CHECK_DATA=yes LD_LIBRARY_PATH=%build/runtime/fake %t 2>&1 | FileCheck --check-prefixes=ODD,DATA %s
// TRUST-NOT: gpusafe
// TRUST: {{^}}all: 5 made, 0 refused
// ODD: gpusafe: GPUSAFE_CHECK_DATA='yes' is neither 1 nor 0; taking 1
// DATA: data.cu:[[#CONTRACT:]]:20: gpusafe: kernel 'rows': 'strictly_monotone(offset, n)' does not hold: offset[2] is 6, and offset[3] is 6 [data]
// DATA: data.cu:[[#CONTRACT+1]]:20: gpusafe: kernel 'rows': 'injective(index, n)' does not hold: index[4] is 18446744073709551612, as index[1] is [data]
// DATA: data.cu:[[#CONTRACT+2]]:20: gpusafe: kernel 'rows': 'in_range(kind, n, RED, BLUE + 1)' does not hold: kind[0] is 7, not in [0, 3) [data]
// DATA: data.cu:[[#CONTRACT+3]]:20: gpusafe: kernel 'rows': 'monotone(weight, n)' does not hold: weight[6] is 3, and weight[7] is 2.5 [data]
// DATA: {{^}}all: 1 made, 4 refused
#include "Inputs/guarded.h"

enum color { RED, GREEN, BLUE };
GS_LAUNCH_CONTRACT(strictly_monotone(offset, n),
                   injective(index, n),
                   in_range(kind, n, RED, BLUE + 1),
                   monotone(weight, n))
__global__ void rows(const short *offset, const unsigned long *index, const color *kind, const double *weight,
                     float *out GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = weight[i];
}

int main() {
  const int n = 8;
  short *offset;
  unsigned long *index;
  color *kind;
  double *weight;
  float *out;
  cudaMalloc(&offset, n * sizeof *offset), cudaMalloc(&index, n * sizeof *index);
  cudaMalloc(&kind, n * sizeof *kind), cudaMalloc(&weight, n * sizeof *weight);
  cudaMalloc(&out, n * sizeof *out);
  for (int wrong = 0; wrong < 5; wrong++) {
    for (int i = 0; i < n; i++) {
      offset[i] = short(2 * i + (wrong == 1 && i == 2 ? 2 : 0));
      index[i] = ~3ul + (wrong == 2 && i == 4 ? 0 : i == 1 ? 0 : 5ul * i + 9);
      kind[i] = wrong == 3 ? color(7) : color(i % 3);
      weight[i] = wrong == 4 && i == 7 ? 2.5 : i / 2;
    }
    rows<<<1, 32>>>(offset, index, kind, weight, out, n);
  }
  tell("all");
}
