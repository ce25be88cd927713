// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines of several stages: copies that are in flight across barriers, as groups that a
// wait leaves pending; each with the twins that wait too little, too late or for too few.
// REQUIRES: clang
// RUN: %python %S/../../kernels/verdicts.py %s %gpusafe --verify

#define t threadIdx.x
#define T (blockIdx.x * blockDim.x + threadIdx.x)
#define SHARED(p) ((void __attribute__((address_space(3))) *)(p))
#define GLOBAL(p) ((const void __attribute__((address_space(1))) *)(p))
static __device__ __attribute__((always_inline)) void copy(float *to, const float *from) { __nvvm_cp_async_ca_shared_global_4(SHARED(to), GLOBAL(from)); }
#define COMMIT() __nvvm_cp_async_commit_group()
#define WAIT(n) __nvvm_cp_async_wait_group(n)
#define WAIT_ALL() __nvvm_cp_async_wait_all()
#define OTHER (blockDim.x - 1 - t)

// ---- two stages, the next tile copied while this one is used
__global__ void proved_two(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[i & 1][OTHER]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }
__global__ void proved_two_modulo(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) % 2] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[i % 2][OTHER]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }
__global__ void proved_two_toggled(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; int stage = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[stage ^ 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[stage][OTHER]; __syncthreads(); stage ^= 1; } WAIT_ALL(); o[T] = sum; }
__global__ void proved_two_guarded(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { if (i + 1 < n) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); } else { WAIT(0); } __syncthreads(); sum += s[i & 1][OTHER]; __syncthreads(); } o[T] = sum; }
__global__ void proved_two_empty_groups(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { if (i + 1 < n) copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[i & 1][OTHER]; __syncthreads(); } o[T] = sum; }
__global__ void proved_two_one_barrier(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { WAIT(0); __syncthreads(); copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); sum += s[i & 1][OTHER]; } WAIT_ALL(); o[T] = sum; }
// No barrier behind the use: the next copy overwrites what others still read.
__global__ void race_two_refilled(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[i & 1][OTHER]; } WAIT_ALL(); o[T] = sum; }
// One group too many is left pending.
__global__ void race_two_wait_too_little(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(2); __syncthreads(); sum += s[i & 1][OTHER]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }
// The wait stands behind the barrier: others' copies need not be complete.
__global__ void race_two_wait_late(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); __syncthreads(); WAIT(1); sum += s[i & 1][OTHER]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }
// The stage that is in flight is used.
__global__ void race_two_wrong_stage(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[(i + 1) & 1][OTHER]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }
__global__ void race_two_wrong_stage_own(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[(i + 1) & 1][t]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }
__global__ void race_two_one_buffer(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[0] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[0][OTHER]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }

// ---- three and four stages, filled by a loop in front
__global__ void proved_three(float *o, const float *a, int n) { __shared__ float s[3][1024]; float sum = 0; for (int i = 0; i < 2; i++) { copy(s[i] + t, a + i * 1024 + t); COMMIT(); } for (int i = 0; i < n; i++) { WAIT(1); __syncthreads(); copy(s[(i + 2) % 3] + t, a + (i + 2) * 1024 + t); COMMIT(); sum += s[i % 3][OTHER]; } WAIT_ALL(); o[T] = sum; }
__global__ void race_three_two_buffers(float *o, const float *a, int n) { __shared__ float s[3][1024]; float sum = 0; for (int i = 0; i < 2; i++) { copy(s[i] + t, a + i * 1024 + t); COMMIT(); } for (int i = 0; i < n; i++) { WAIT(1); __syncthreads(); copy(s[(i + 2) % 2] + t, a + (i + 2) * 1024 + t); COMMIT(); sum += s[i % 2][OTHER]; } WAIT_ALL(); o[T] = sum; }
__global__ void refused_three_wait_two(float *o, const float *a, int n) { __shared__ float s[3][1024]; float sum = 0; for (int i = 0; i < 2; i++) { copy(s[i] + t, a + i * 1024 + t); COMMIT(); } for (int i = 0; i < n; i++) { WAIT(2); __syncthreads(); copy(s[(i + 2) % 3] + t, a + (i + 2) * 1024 + t); COMMIT(); sum += s[i % 3][OTHER]; } WAIT_ALL(); o[T] = sum; }
__global__ void proved_four(float *o, const float *a, int n) { __shared__ float s[4][1024]; float sum = 0; for (int i = 0; i < 3; i++) { copy(s[i] + t, a + i * 1024 + t); COMMIT(); } for (int i = 0; i < n; i++) { WAIT(2); __syncthreads(); if (i + 3 < n) copy(s[(i + 3) & 3] + t, a + (i + 3) * 1024 + t); COMMIT(); sum += s[i & 3][OTHER]; } o[T] = sum; }
__global__ void refused_four_wait_three(float *o, const float *a, int n) { __shared__ float s[4][1024]; float sum = 0; for (int i = 0; i < 3; i++) { copy(s[i] + t, a + i * 1024 + t); COMMIT(); } for (int i = 0; i < n; i++) { WAIT(3); __syncthreads(); if (i + 3 < n) copy(s[(i + 3) & 3] + t, a + (i + 3) * 1024 + t); COMMIT(); sum += s[i & 3][OTHER]; } o[T] = sum; }
__global__ void refused_four_groups_only_sometimes(float *o, const float *a, int n) { __shared__ float s[4][1024]; float sum = 0; for (int i = 0; i < 3; i++) { copy(s[i] + t, a + i * 1024 + t); COMMIT(); } for (int i = 0; i < n; i++) { WAIT(2); __syncthreads(); if (i + 3 < n) { copy(s[(i + 3) & 3] + t, a + (i + 3) * 1024 + t); COMMIT(); } sum += s[i & 3][OTHER]; } o[T] = sum; }

// ---- a thread's own elements: no barrier at all
__global__ void proved_own(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); sum += s[i & 1][t]; } WAIT_ALL(); o[T] = sum; }
__global__ void proved_own_three(float *o, const float *a, int n) { __shared__ float s[3][1024]; float sum = 0; for (int i = 0; i < 2; i++) { copy(s[i] + t, a + i * 1024 + t); COMMIT(); } for (int i = 0; i < n; i++) { copy(s[(i + 2) % 3] + t, a + (i + 2) * 1024 + t); COMMIT(); WAIT(2); sum += s[i % 3][t]; } WAIT_ALL(); o[T] = sum; }
__global__ void race_own(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(2); sum += s[i & 1][t]; } WAIT_ALL(); o[T] = sum; }
__global__ void race_own_overwrites(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[0] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); sum += s[1][t]; } WAIT_ALL(); o[T] = sum; }

// ---- a tile by a loop of the block, in an outer loop
__global__ void proved_tiles(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; for (int j = t; j < 1024; j += blockDim.x) copy(s[0] + j, a + j); COMMIT(); for (int i = 0; i < n; i++) { for (int j = t; j < 1024; j += blockDim.x) copy(s[(i + 1) & 1] + j, a + (i + 1) * 1024 + j); COMMIT(); WAIT(1); __syncthreads(); for (int j = 0; j < 1024; j++) sum += s[i & 1][j]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }
__global__ void refused_tiles_late(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; for (int j = t; j < 1024; j += blockDim.x) copy(s[0] + j, a + j); COMMIT(); for (int i = 0; i < n; i++) { for (int j = t; j < 1024; j += blockDim.x) copy(s[(i + 1) & 1] + j, a + (i + 1) * 1024 + j); COMMIT(); __syncthreads(); WAIT(1); for (int j = 0; j < 1024; j++) sum += s[i & 1][j]; __syncthreads(); } WAIT_ALL(); o[T] = sum; }
__global__ void refused_tiles_no_barrier(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; for (int j = t; j < 1024; j += blockDim.x) copy(s[0] + j, a + j); COMMIT(); for (int i = 0; i < n; i++) { for (int j = t; j < 1024; j += blockDim.x) copy(s[(i + 1) & 1] + j, a + (i + 1) * 1024 + j); COMMIT(); WAIT(1); __syncthreads(); for (int j = 0; j < 1024; j++) sum += s[i & 1][j]; } WAIT_ALL(); o[T] = sum; }

// ---- behind the loop, around an outer loop, into the source
__global__ void proved_behind(float *o, const float *a, int n) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); float sum = 0; for (int i = 0; i < n; i++) { __syncthreads(); sum += i; } WAIT(0); __syncthreads(); o[T] = sum + s[OTHER]; }
__global__ void race_behind(float *o, const float *a, int n) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); float sum = 0; for (int i = 0; i < n; i++) { __syncthreads(); sum += i; } __syncthreads(); o[T] = sum + s[OTHER]; WAIT(0); }
__global__ void race_inside(float *o, const float *a, int n) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); float sum = 0; for (int i = 0; i < n; i++) { __syncthreads(); sum += s[OTHER]; } WAIT(0); o[T] = sum; }
__global__ void proved_outer(float *o, const float *a, int n, int m) { __shared__ float s[2][1024]; float sum = 0; for (int k = 0; k < m; k++) { copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[i & 1][OTHER]; __syncthreads(); } WAIT(0); __syncthreads(); } o[T] = sum; }
__global__ void refused_outer_not_drained(float *o, const float *a, int n, int m) { __shared__ float s[2][1024]; float sum = 0; for (int k = 0; k < m; k++) { copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[i & 1][OTHER]; __syncthreads(); } } WAIT(0); o[T] = sum; }
__global__ void race_source_behind_barrier(float *o, float *a) { __shared__ float s[1024]; copy(s + t, a + t); COMMIT(); __syncthreads(); a[OTHER] = 1; WAIT(0); o[T] = s[t]; }
__global__ void race_other_overwrites(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); __syncthreads(); s[OTHER] = 1; WAIT(0); __syncthreads(); o[T] = s[t]; }
__global__ void proved_other_buffer(float *o, const float *a) { __shared__ float s[2048]; copy(s + t, a + T); COMMIT(); __syncthreads(); s[1024 + OTHER] = 1; WAIT(0); __syncthreads(); o[T] = s[t]; }
__global__ void race_never_waited(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); o[T] = 0; }
