// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void also_racy_in_system(int *p) { p[0] = threadIdx.x; }
template <class T> __global__ void racy_in_system(T *p) { p[0] = threadIdx.x; }
