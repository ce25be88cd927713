// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify --rules=-warp-mask,-barrier-divergence --block=256
// Barriers of a warp tie its lanes, and nobody else.

__global__ void proved_slice(int *o) {
  __shared__ int s[256];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  s[w * 32 + l] = l;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[w * 32 + (31 - l)];
}
__global__ void race_slice_without(int *o) {
  __shared__ int s[256];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  s[w * 32 + l] = l;
  o[blockIdx.x * 256 + threadIdx.x] = s[w * 32 + (31 - l)];
}
__global__ void race_slice_of_neighbour(int *o) {
  __shared__ int s[256];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  s[w * 32 + l] = l;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[(w ^ 1) * 32 + (31 - l)];
}
// Shuffles and votes order no memory.
__global__ void race_shuffle_is_no_barrier(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  int v = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 1);
  if (__any_sync(0xffffffff, v > 0))
    o[blockIdx.x * 256 + threadIdx.x] = 1;
  o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 1];
}

// The last warp of a reduction: what is read is kept until all have read.
__global__ void proved_tail(int *o) {
  __shared__ int s[256];
  int tid = threadIdx.x;
  s[tid] = o[blockIdx.x * 256 + tid];
  __syncthreads();
  for (int d = 128; d > 32; d /= 2) {
    if (tid < d)
      s[tid] += s[tid + d];
    __syncthreads();
  }
  if (tid < 32) {
    int v = s[tid] + s[tid + 32];
    for (int d = 16; d > 0; d /= 2) {
      __syncwarp();
      s[tid] = v;
      __syncwarp();
      v += s[tid + d];
    }
    if (tid == 0)
      o[blockIdx.x * 256] = v;
  }
}
__global__ void race_tail_without(int *o) {
  __shared__ int s[256];
  int tid = threadIdx.x;
  s[tid] = o[blockIdx.x * 256 + tid];
  __syncthreads();
  if (tid < 32) {
    s[tid] += s[tid + 16];
    s[tid] += s[tid + 8];
  }
}
// One barrier for each step is too few: lane 0 reads s[16] while lane 16 writes it.
__global__ void race_tail_reads_and_writes(int *o) {
  __shared__ int s[256];
  int tid = threadIdx.x;
  s[tid] = o[blockIdx.x * 256 + tid];
  __syncthreads();
  if (tid < 32) {
    s[tid] += s[tid + 16];
    __syncwarp();
    s[tid] += s[tid + 8];
    __syncwarp();
  }
}
__global__ void proved_tail_by_hand(int *o) {
  __shared__ int s[256];
  int tid = threadIdx.x, v;
  s[tid] = o[blockIdx.x * 256 + tid];
  __syncthreads();
  if (tid < 32) {
    v = s[tid + 16]; __syncwarp(); s[tid] += v; __syncwarp();
    v = s[tid + 8]; __syncwarp(); s[tid] += v; __syncwarp();
    v = s[tid + 4]; __syncwarp(); s[tid] += v; __syncwarp();
  }
}
// More than a warp: the warps of 64 threads are not ordered.
__global__ void race_tail_of_two_warps(int *o) {
  __shared__ int s[256];
  int tid = threadIdx.x, v;
  s[tid] = o[blockIdx.x * 256 + tid];
  __syncthreads();
  if (tid < 64) {
    v = s[tid + 32]; __syncwarp(); s[tid] += v; __syncwarp();
  }
}

// A warp for each row.
__global__ void proved_rows(int *o, int rows) {
  __shared__ int s[256];
  int w = threadIdx.x >> 5, l = threadIdx.x & 31;
  for (int r = w; r < rows; r += 8) {
    s[threadIdx.x] = r;
    __syncwarp();
    o[(blockIdx.x * 256 + threadIdx.x)] += s[w * 32 + ((l + 1) & 31)];
    __syncwarp();
  }
}
__global__ void race_rows_one_barrier(int *o, int rows) {
  __shared__ int s[256];
  int w = threadIdx.x >> 5, l = threadIdx.x & 31;
  for (int r = w; r < rows; r += 8) {
    s[threadIdx.x] = r;
    __syncwarp();
    o[(blockIdx.x * 256 + threadIdx.x)] += s[w * 32 + ((l + 1) & 31)];
  }
}
// The rows of a whole grid: blocks are whole warps.
__global__ void proved_row_of_the_grid(int *o, int rows) {
  __shared__ int s[256];
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  if (row >= rows)
    return;
  s[threadIdx.x] = row;
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    o[row] = s[threadIdx.x + 31];
}

// Reached alike?
__global__ void possible_not_whole_warps(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 100)
    __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void proved_whole_warps(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 96)
    __syncwarp();
  else
    __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void possible_each_thread_its_rounds(int *o, const int *n) {
  __shared__ int s[256];
  for (int i = 0; i < n[threadIdx.x]; i++) {
    s[threadIdx.x] = i;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
    __syncwarp();
  }
}
__global__ void proved_each_warp_its_rounds(int *o, const int *n) {
  __shared__ int s[256];
  for (int i = 0; i < n[threadIdx.x >> 5]; i++) {
    s[threadIdx.x] = i;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
    __syncwarp();
  }
}
// Lanes that wait elsewhere with the same mask are taken for those that should come here.
__global__ void possible_spoilt_by_another(int *o) {
  __shared__ int s[256];
  if ((threadIdx.x & 3) == 1)
    __syncwarp();
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void proved_another_mask(int *o) {
  __shared__ int s[256];
  if ((threadIdx.x & 31) < 2)
    __syncwarp(3);
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
// Lanes that have returned are not waited for.
__global__ void proved_lanes_returned(int *o) {
  __shared__ int s[256];
  if (threadIdx.x % 32 >= 24)
    return;
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}

// Masks: those lanes wait, and no others.
__global__ void proved_lower_half(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    __syncwarp(0xffff);
    o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 15];
  }
}
__global__ void race_lower_half_reads_upper(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    __syncwarp(0xffff);
    o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 16];
  }
}
__global__ void proved_tiles(int *o) {
  __shared__ int s[256];
  unsigned tile = 0xffu << (threadIdx.x & 24);
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(tile);
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 7];
}
__global__ void race_between_tiles(int *o) {
  __shared__ int s[256];
  unsigned tile = 0xffu << (threadIdx.x & 24);
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(tile);
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 8];
}
__global__ void refused_not_in_own_mask(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(0xffff);
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void refused_unknown_mask(int *o, unsigned mask) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(mask);
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void refused_active_mask(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(__activemask());
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
// The whole warp and tiles of it, in turn.
__global__ void proved_tiles_then_warp(int *o) {
  __shared__ int s[256];
  unsigned tile = 0xfu << (threadIdx.x & 28);
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(tile);
  int v = s[threadIdx.x ^ 3];
  __syncwarp();
  s[threadIdx.x] = v;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 31];
}
__global__ void race_tiles_then_tiles(int *o) {
  __shared__ int s[256];
  unsigned tile = 0xfu << (threadIdx.x & 28);
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  int v = s[threadIdx.x ^ 3];
  __syncwarp(tile);
  s[threadIdx.x] = v;
  __syncwarp(tile);
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 31];
}
