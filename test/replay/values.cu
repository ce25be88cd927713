// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %module %s -o %t.ll
// What a run computes: every width, conversions, floats, structs, switches, calls.

// RUN: %run %t.ll widths --block=1 --show=12 buf:64 32:-7 8:200 | FileCheck %s --check-prefix=WIDTHS
// WIDTHS: end: done
// WIDTHS: buffer 0: -3 -1 1 -56 200 -28 28 536870911 -1 3 2 29
__global__ void widths(int *o, int n, unsigned char c) {
  o[0] = n / 2;
  o[1] = n % 3;
  o[2] = (unsigned)n % 4u - 0u == 1u;
  o[3] = (signed char)c;
  o[4] = c;
  o[5] = (signed char)c / 2;
  o[6] = (unsigned char)(c << 2) >> 3 == 4 ? 28 : 0;
  o[7] = (int)((unsigned)n >> 3);
  o[8] = n >> 3;
  o[9] = __popc(c);
  o[10] = min(3, __clz(1) - 29);
  o[11] = (int)(__brev(184u) >> 24);
}

// RUN: %run %t.ll wide --block=1 --show=6 buf:64 64:-5 | FileCheck %s --check-prefix=WIDE
// WIDE: buffer 0: -1 2147483647 -3 4 1 -2
__global__ void wide(int *o, long long n) {
  unsigned long long u = (unsigned long long)n;
  o[0] = (int)(n >> 33);
  o[1] = (int)(u >> 33);
  o[2] = (int)(n * 0x100000001ll + 2);
  o[3] = (int)(u % 5) + (int)(u / 0x7000000000000000ull) + (int)(n % 2) + 2;
  o[4] = (int)__umulhi(0x80000000u, 2u);
  o[5] = __mulhi(-5, 0x40000000);
}

// RUN: %run %t.ll floats --block=1 --show=7 buf:64 f:2.5 | FileCheck %s --check-prefix=FLOATS
// FLOATS: buffer 0: 6 -2 2147483647 0 1 3 1075838976
__global__ void floats(int *o, float f) {
  o[0] = (int)(f * f);
  o[1] = (int)-f;
  o[2] = (int)(f * 1e20f);
  o[3] = (int)((f - f) / (f - f));
  o[4] = f < 3.0f && !(f != f);
  o[5] = (int)ceilf(fmaxf(f, 1.0f));
  o[6] = __float_as_int(f) == 0x40200000 ? 0x40200000 : 0;
}

struct inner { short a; int b[2]; };
struct outer { char c; inner i; int *p; };
// RUN: %run %t.ll structs --block=1 --show=6 8:3,32:4,32:5,32:6,buf:64 | FileCheck %s --check-prefix=STRUCTS
// STRUCTS: buffer 0: 3 7 5 6 9 13
__global__ void structs(outer s) {
  outer t = s;
  outer *q = &t;
  q->i.a += 3;
  int pair[2] = {s.i.b[0] + 4, 13};
  s.p[0] = t.c;
  s.p[1] = t.i.a;
  s.p[2] = t.i.b[0];
  s.p[3] = t.i.b[t.c - 2];
  s.p[4] = pair[t.c & 0];
  s.p[5] = pair[t.c - 2];
}

// RUN: %run %t.ll control --block=8 --show=8 buf:64 32:3 | FileCheck %s --check-prefix=CONTROL
// CONTROL: end: done
// CONTROL: buffer 0: 10 21 32 13 24 35 16 8
__device__ __noinline__ int tail(int k) { return k == 7 ? 1 : k; }
__global__ void control(int *o, int n) {
  int t = threadIdx.x, sum = 0;
  switch (t % n) {
  case 0: sum = 10; break;
  case 1: sum = 20; break;
  default: sum = 30;
  }
  for (int i = 0;; i++) {
    if (i == t)
      break;
    if (i & 8)
      continue;
    sum++;
  }
  if (t == 7) {
    o[t] = 7 + tail(t);
    return;
  }
  o[t] = sum;
}

// RUN: %run %t.ll lanes --block=64 --show=40 buf:256 | FileCheck %s --check-prefix=LANES
// LANES: end: done
// LANES: buffer 0: 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30 33 32
__global__ void lanes(int *o) {
  int t = threadIdx.x, other = __shfl_xor_sync(~0u, t, 1);
  unsigned votes = __ballot_sync(~0u, t & 1);
  o[t] = votes == 0xaaaaaaaau && __any_sync(~0u, t == 5 || t == 40) && !__all_sync(~0u, t > 3) ==
             (t < 32) ? other : -1;
}

// RUN: %run %t.ll atomics --block=40 --grid=2 --show=6 --order=random buf:64 | FileCheck %s --check-prefix=ATOMICS
// ATOMICS: end: done
// ATOMICS: buffer 0: 80 40 2 1 63 45
__global__ void atomics(int *o) {
  atomicAdd(&o[0], 1);
  atomicMax(&o[1], (int)threadIdx.x + 1);
  atomicMin(&o[2], 30 + (int)threadIdx.x);
  atomicCAS(&o[3], 3, 1);
  atomicOr(&o[4], (int)threadIdx.x);
  if (threadIdx.x < 20)
    atomicAdd(&o[5], 1);
}

// RUN: %run %t.ll unusual --block=1 buf:8 | FileCheck %s --check-prefix=UNUSUAL
// UNUSUAL: cannot run: inline PTX with a predicate (line [[#@LINE+2]])
__global__ void unusual(int *o) {
  asm volatile("{.reg .pred p; setp.ne.u64 p, %0, 0; @p st.global.u32 [%0], 1;}" ::"l"(o));
}

// RUN: %run %t.ll endless --block=1 --budget=1000 buf:8 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: end: out of budget
__global__ void endless(int *o) {
  for (unsigned i = 0; i < 8; i *= 2)
    o[0] = 1;
}

// RUN: %run %t.ll overflow --block=1 buf:64 32:2147483647 32:4294967295 | FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: end: done
// OVERFLOW-NEXT: signed overflow at line [[#@LINE+3]]
// OVERFLOW-NEXT: unsigned wrap at line [[#@LINE+3]]
__global__ void overflow(int *o, int n, unsigned u) {
  o[0] = n + 1;
  o[1] = (int)(u * 3u);
}

// RUN: %run %t.ll halves --block=1 --show=8 buf:64 f:2.5 | FileCheck %s --check-prefix=HALVES
// HALVES: buffer 0: 16640 6 1 2049 31744 1 16416 258
__global__ void halves(int *o, float f) {
  _Float16 h = (_Float16)f, big = (_Float16)70000.0f;
  unsigned short bits;
  __builtin_memcpy(&bits, &h, 2);
  o[0] = bits;                       // 2.5
  o[1] = (int)(h * h);               // 6.25
  o[2] = h > (_Float16)2.0f;
  o[3] = (int)((_Float16)2049.0f) + (int)((_Float16)1.0f); // 2049 is no half: 2048
  __builtin_memcpy(&bits, &big, 2);
  o[4] = bits; // infinity
  o[5] = (_Float16)0.00000006f != (_Float16)0.0f; // the least there is
  __bf16 b = (__bf16)f;
  __builtin_memcpy(&bits, &b, 2);
  o[6] = bits;
  o[7] = (int)(float)(__bf16)257.5f; // 8 bits of fraction: 258
}

// Thirty-three threads: the second warp has one lane.
// RUN: %run %t.ll warps --block=33 --show=6 buf:2048 | FileCheck %s --check-prefix=WARPS
// WARPS: buffer 0: 1431655765 0 496 31 1 0
__global__ void warps(int *o) {
  int t = threadIdx.x;
  if (t < 32) {
    unsigned same = __nvvm_match_any_sync_i32(0xffffffffu, t & 1);
    int all = 0;
    unsigned every = __nvvm_match_all_sync_i32p(0xffffffffu, t, &all);
    int sum = __nvvm_redux_sync_add(t, 0xffffffff);
    int most = __nvvm_redux_sync_max(t, 0xffffffff);
    int less = __nvvm_read_ptx_sreg_lanemask_lt();
    if (t == 0) {
      o[0] = (int)same;
      o[1] = (int)every + all;
      o[2] = sum;
      o[3] = most;
      o[5] = less;
    }
    if (t == 1)
      o[4] = less;
  }
}

// Where pointers point to.
// RUN: %run %t.ll spaces --block=1 --show=6 buf:2048 | FileCheck %s --check-prefix=SPACES
// SPACES: buffer 0: 1 0 1 0 1 1
__device__ int global_word;
__global__ void spaces(int *o) {
  __shared__ int s;
  int own = 0;
  o[0] = __nvvm_isspacep_global(o);
  o[1] = __nvvm_isspacep_global(&s);
  o[2] = __nvvm_isspacep_shared(&s);
  o[3] = __nvvm_isspacep_shared(&own);
  o[4] = __nvvm_isspacep_local(&own);
  o[5] = __nvvm_isspacep_global(&global_word);
}
