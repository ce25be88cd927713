// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels with contracts that several units share.
#ifndef GUARDED_H
#define GUARDED_H

#include <gpusafe.h>

extern "C" int fflush(struct _IO_FILE *);
extern "C" unsigned fake_launches, fake_refusals; // fake_cudart.c

template <class T>
GS_LAUNCH_CONTRACT(n >= sizeof(T))
__global__ void fill(T *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = T(1);
}

/// Says what the stand-in saw since the last time.
static inline void tell(const char *what) {
  static unsigned launches, refusals;
  printf("%s: %u made, %u refused\n", what, fake_launches - launches, fake_refusals - refusals);
  fflush(nullptr); // what the runtime says goes to stderr
  launches = fake_launches;
  refusals = fake_refusals;
}

#endif
