// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %module %s -o %t.ll
// Barriers of some threads, of the grid and of the cluster, and what inline PTX does to memory.

__device__ void named(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// Each half of the block for itself.
// RUN: %run %t.ll halves --block=128 --order=random buf:1024 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll across --block=128 --order=random buf:1024 | FileCheck %s --check-prefix=MEET
// DONE: end: done
// MEET: race of {{.*}}across
__global__ void halves(int *a) {
  __shared__ int s[128];
  int half = threadIdx.x / 64, t = threadIdx.x % 64;
  s[threadIdx.x] = t;
  named(1 + half, 64);
  a[threadIdx.x] = s[half * 64 + 63 - t];
}
__global__ void across(int *a) {
  __shared__ int s[128];
  s[threadIdx.x] = 1;
  named(1 + threadIdx.x / 64, 64);
  a[threadIdx.x] = s[127 - threadIdx.x];
}

// A warp that fills and goes on, one that waits: what follows the arrival is not ordered.
// RUN: %run %t.ll fed --block=64 --order=random buf:1024 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll tooearly --block=64 --order=random buf:1024 | FileCheck %s --check-prefix=EARLY
// EARLY: race of {{.*}}tooearly
__global__ void fed(int *a) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = 1;
    arrive(3, 64);
  } else {
    named(3, 64);
    a[threadIdx.x] = s[63 - threadIdx.x];
  }
}
__global__ void tooearly(int *a) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    arrive(3, 64);
    s[threadIdx.x] = 1;
  } else {
    named(3, 64);
    a[threadIdx.x] = s[63 - threadIdx.x];
  }
}

// All of the block by number, with those who have returned; too few who come.
// RUN: %run %t.ll numbered --block=96 --order=random buf:1024 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll lonely --block=96 buf:1024 | FileCheck %s --check-prefix=STUCK
// STUCK: end: stuck
__global__ void numbered(int *a) {
  __shared__ int s[96];
  if (threadIdx.x >= 64)
    return;
  s[threadIdx.x] = 1;
  named(2, blockDim.x);
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void lonely(int *a) {
  if (threadIdx.x < 32)
    named(2, 64);
  a[threadIdx.x] = 1;
}

// RUN: %run %t.ll cluster --block=64 --order=random buf:1024 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll between --block=64 --order=random buf:1024 | FileCheck %s --check-prefix=BETWEEN
// BETWEEN: race of {{.*}}between
__global__ void cluster(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void between(int *a) {
  __shared__ int s[64];
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  s[threadIdx.x] = 1;
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  a[threadIdx.x] = s[63 - threadIdx.x];
}

// The grid's barrier has the toolkit's name.
namespace cooperative_groups { namespace __v1 { namespace details { namespace grid {
__device__ __attribute__((noinline)) void sync(unsigned int *state) { *state = 0; }
}}}}
__device__ void sync_grid(unsigned *state) { cooperative_groups::__v1::details::grid::sync(state); }

// RUN: %run %t.ll wholegrid --block=32 --grid=4 --order=random buf:1024 buf:4 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll latewrite --block=32 --grid=4 buf:1024 buf:4 | FileCheck %s --check-prefix=LATE
// LATE: race of buffer 0
__global__ void wholegrid(int *a, unsigned *state) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  __shared__ int s[32];
  s[threadIdx.x] = i;
  a[i] = i;
  sync_grid(state);
  int v = a[n - 1 - i] + s[31 - threadIdx.x];
  sync_grid(state);
  a[i] = v;
}
__global__ void latewrite(int *a, unsigned *state) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  sync_grid(state);
  a[i] = i;
  __syncthreads();
  a[i] += a[n - 1 - i];
}

// Accesses of inline PTX, by pointers and by addresses of 32 bits.
__device__ unsigned address(const void *p) {
  return (unsigned)(unsigned long long)(__attribute__((address_space(3))) const void *)p;
}
// RUN: %run %t.ll stores --block=32 --show=1 buf:1024 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll overlapping --block=32 buf:1024 | FileCheck %s --check-prefix=PTX
// PTX: race of buffer 0 at byte 4:
__global__ void stores(int *a) {
  asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(a + threadIdx.x * 2), "r"(1) : "memory");
}
__global__ void overlapping(int *a) {
  asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(a + threadIdx.x), "r"(1) : "memory");
}
// RUN: %run %t.ll loads --block=32 --show=3 buf:1024 | FileCheck %s --check-prefix=LOADS
// LOADS: end: done
// LOADS: 1 1 2
__global__ void loads(int *a) {
  int v;
  asm volatile("ld.global.u32 %0, [%1+4];" : "=r"(v) : "l"(a));
  if (threadIdx.x == 0 && blockDim.x == 32 && v == 1)
    a[0] = v;
}
// RUN: %run %t.ll copied --block=32 --order=random --show=8 buf:1024 | FileCheck %s --check-prefix=COPIED
// COPIED: end: done
// COPIED: 7 6 5 4 3 2 1 0
__global__ void copied(int *a) {
  __shared__ int s[32];
  if (threadIdx.x < 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(&s[threadIdx.x])), "l"(a + threadIdx.x));
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  if (threadIdx.x < 8)
    a[threadIdx.x] = s[7 - threadIdx.x];
}
// RUN: %run %t.ll adds --block=32 --grid=2 buf:1024 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll ownscope --block=32 --grid=2 buf:1024 | FileCheck %s --check-prefix=ADDS
// ADDS: race of buffer 0 at byte 0:
__global__ void adds(int *a) { asm volatile("red.global.add.u32 [%0], %1;" ::"l"(a), "r"(1) : "memory"); }
__global__ void ownscope(int *a) {
  asm volatile("red.global.cta.add.u32 [%0], %1;" ::"l"(a), "r"(1) : "memory");
}
