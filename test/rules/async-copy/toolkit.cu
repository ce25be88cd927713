// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies as the toolkit's headers spell them: primitives, cooperative groups, the
// pipeline of one thread.
// REQUIRES: clang, cuda
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --cuda-path=%toolkit --verify --block=256
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#define t threadIdx.x
#define T (blockIdx.x * blockDim.x + threadIdx.x)
#define OTHER (blockDim.x - 1 - t)
namespace cg = cooperative_groups;
__global__ void proved_idiom(float *o, const float *a) { __shared__ float s[1024]; __pipeline_memcpy_async(&s[t], &a[T], sizeof(float)); __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); o[T] = s[OTHER]; }
__global__ void race_idiom_no_wait(float *o, const float *a) { __shared__ float s[1024]; __pipeline_memcpy_async(&s[t], &a[T], sizeof(float)); __pipeline_commit(); __syncthreads(); o[T] = s[OTHER]; }
__global__ void race_idiom_no_barrier(float *o, const float *a) { __shared__ float s[1024]; __pipeline_memcpy_async(&s[t], &a[T], sizeof(float)); __pipeline_commit(); __pipeline_wait_prior(0); o[T] = s[OTHER]; }
__global__ void proved_idiom16(float4 *o, const float4 *a) { __shared__ float4 s[1024]; __pipeline_memcpy_async(&s[t], &a[T], 16); __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); o[T] = s[OTHER]; }
__global__ void proved_stages(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; __pipeline_memcpy_async(&s[0][t], &a[t], 4); __pipeline_commit(); for (int i = 0; i < n; i++) { if (i + 1 < n) __pipeline_memcpy_async(&s[(i + 1) & 1][t], &a[(i + 1) * 1024 + t], 4); __pipeline_commit(); __pipeline_wait_prior(1); __syncthreads(); sum += s[i & 1][OTHER]; __syncthreads(); } o[T] = sum; }
__global__ void proved_cg(float *o, const float *a) { __shared__ float s[256]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, a + blockIdx.x * 256, sizeof(float) * 256); cg::wait(b); o[T] = s[255 - t]; }
__global__ void refused_cg(float *o, const float *a) { __shared__ float s[256]; auto b = cg::this_thread_block(); cg::memcpy_async(b, s, a + blockIdx.x * 256, sizeof(float) * 256); o[T] = s[255 - t]; cg::wait(b); }
__global__ void proved_pipe(float *o, const float *a) { __shared__ float s[1024]; cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline(); p.producer_acquire(); cuda::memcpy_async(&s[t], &a[T], cuda::aligned_size_t<4>(4), p); p.producer_commit(); p.consumer_wait(); __syncthreads(); o[T] = s[OTHER]; p.consumer_release(); }
__global__ void race_pipe(float *o, const float *a) { __shared__ float s[1024]; cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline(); p.producer_acquire(); cuda::memcpy_async(&s[t], &a[T], cuda::aligned_size_t<4>(4), p); p.producer_commit(); __syncthreads(); o[T] = s[OTHER]; p.consumer_wait(); p.consumer_release(); }
__global__ void proved_pipe_loop(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
  p.producer_acquire(); cuda::memcpy_async(&s[0][t], &a[t], sizeof(float), p); p.producer_commit();
  for (int i = 0; i < n; i++) { p.producer_acquire(); if (i + 1 < n) cuda::memcpy_async(&s[(i+1)&1][t], &a[(i+1)*1024+t], sizeof(float), p); p.producer_commit(); cuda::pipeline_consumer_wait_prior<1>(p); __syncthreads(); sum += s[i&1][OTHER]; __syncthreads(); p.consumer_release(); } o[T] = sum; }
__global__ void proved_pipe_group(float *o, const float *a) { __shared__ float s[256]; auto g = cg::this_thread_block(); cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline(); p.producer_acquire(); cuda::memcpy_async(g, s, a + blockIdx.x*256, sizeof(float)*256, p); p.producer_commit(); p.consumer_wait(); g.sync(); o[T] = s[255-t]; p.consumer_release(); }
__global__ void refused_pipe_loop_early(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
  p.producer_acquire(); cuda::memcpy_async(&s[0][t], &a[t], sizeof(float), p); p.producer_commit();
  for (int i = 0; i < n; i++) { p.producer_acquire(); if (i + 1 < n) cuda::memcpy_async(&s[(i+1)&1][t], &a[(i+1)*1024+t], sizeof(float), p); p.producer_commit(); __syncthreads(); cuda::pipeline_consumer_wait_prior<1>(p); sum += s[i&1][OTHER]; __syncthreads(); p.consumer_release(); } o[T] = sum; }
__global__ void refused_pipe_group(float *o, const float *a) { __shared__ float s[256]; auto g = cg::this_thread_block(); cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline(); p.producer_acquire(); cuda::memcpy_async(g, s, a + blockIdx.x*256, sizeof(float)*256, p); p.producer_commit(); g.sync(); p.consumer_wait(); o[T] = s[255-t]; p.consumer_release(); }
