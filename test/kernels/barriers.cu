// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers that not all threads reach alike; values that leave a loop.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify

__global__ void possible_two(int *o) { __shared__ int s[1024]; if (threadIdx.x<32) { __syncthreads(); s[threadIdx.x]=1; } else { __syncthreads(); o[blockIdx.x*1024+threadIdx.x]=s[threadIdx.x&31]; } }
__global__ void proved_one(int *o) { __shared__ int s[1024]; s[threadIdx.x]=1; if (threadIdx.x<32) { return; } __syncthreads(); o[blockIdx.x*1024+threadIdx.x]=s[threadIdx.x&31]; }
__global__ void possible_two2(int *o) { __shared__ int s[1024]; if (threadIdx.x<32) { __syncthreads(); s[threadIdx.x]=1; return; } __syncthreads(); o[blockIdx.x*1024+threadIdx.x]=s[threadIdx.x&31]; }
__global__ void proved_lock(int *o, int *l) { if (threadIdx.x==0) { while (atomicCAS(l,0,1)!=0) ; __threadfence(); o[0]+=blockIdx.x; __threadfence(); atomicExch(l,0); } }
__global__ void proved_asm(int *o) { __shared__ int s[1024]; s[threadIdx.x]=1; asm volatile("bar.sync 0;" ::: "memory"); o[blockIdx.x*blockDim.x+threadIdx.x]=s[blockDim.x-1-threadIdx.x]; }
__global__ void possible_find(int *o, const int *k, int n) { int t=threadIdx.x+blockIdx.x*blockDim.x; int f=t; for (int i=0;i<n;i++) if (k[i]==t) { f=i; break; } o[f]=1+t; }
__global__ void race_find2(int *o, const int *k, int n) { int t=threadIdx.x+blockIdx.x*blockDim.x; int i; for (i=0;i<n;i++) if (k[i]==t) break; o[i]=1+t; }
__global__ void possible_exitval(int *o, int n) { int t=threadIdx.x+blockIdx.x*blockDim.x; int i; for (i=t;i<n;i+=7) ; o[i]=t; }
__global__ void proved_exitval(int *o, int n) { int t=threadIdx.x+blockIdx.x*blockDim.x; int i; for (i=0;i<n;i++) ; o[t+i]=t; }
__global__ void possible_lastwrite(int *o, const int *f, int n) { int t=threadIdx.x+blockIdx.x*blockDim.x; int p=t; for (int i=0;i<n;i++) { if (f[i]) continue; p=i; } o[p]=t; }
// What inline PTX and libdevice do to memory.
__global__ void unknown_discard(int *o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 1; asm volatile("discard.global.L2 [%0], 128;" ::"l"(o)); }
extern "C" __device__ float __nv_normf(int, const float *);
__global__ void unknown_norm(float *o) { o[blockIdx.x * blockDim.x + threadIdx.x] = __nv_normf(4, o); }
__global__ void proved_asmlock(int *o, int *l) { if (threadIdx.x == 0) { while (atomicCAS(l, 0, 1) != 0) { } asm volatile("membar.gl;" ::: "memory"); o[0] += blockIdx.x; asm volatile("fence.acq_rel.gpu;" ::: "memory"); atomicExch(l, 0); } }
