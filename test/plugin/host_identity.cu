// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// The plugin changes nothing in the host object of a unit that uses no annotated kernel,
// though it may see declarations and templates of some; nor, with runtime=off, in that of
// one that does.
// RUN: sh %S/Inputs/same_object.sh "%clang_host_pass %s" "-fplugin=%plugin" %t
// RUN: sh %S/Inputs/same_object.sh "%clang_host_pass %s -DUSED" "-fplugin=%plugin -fplugin-arg-gpusafe-runtime=off" %t
// RUN: sh %S/Inputs/same_object.sh "%clang_host_pass %s -DUSED" "-fplugin=%plugin -fplugin-arg-gpusafe-off" %t
// RUN: not sh %S/Inputs/same_object.sh "%clang_host_pass %s -DUSED" "-fplugin=%plugin -w" %t
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block.x == 256, n >= 0) __global__ void declared(float *p GS_DISJOINT(n), int n);
template <class T> __global__ void instantiated(T *p GS_DISJOINT(n), int n) {}
GS_LAUNCH_CONTRACT(block.x == 1) static __global__ void unused() {}

__global__ void free_one(float *p) {}
void host(float *p, int n) {
  free_one<<<1, 1>>>(p);
  cudaLaunchKernel((const void *)free_one, dim3(1), dim3(1), nullptr, 0, nullptr);
#ifdef USED
  declared<<<1, 256>>>(p, n);
#endif
}
