// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe,gpusafe_extra -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// Launches that fail on a path, and those that nobody asks about. (Constant sizes that fail on
// every path are also what `launch-contract` tells.)
extern "C" void exit(int);
__global__ void kernel(float *p, int n) { p[threadIdx.x] = n; }
void check() {
  if (cudaGetLastError() != cudaSuccess)
    exit(1);
}

// ----------------------------------------------------------- launch-limits ----
void block_grows(float *d, int n) {
  int side = 16;
  if (n > 100)
    side = 64;
  kernel<<<1, dim3(side, side)>>>(d, n); // expected-warning {{this launch fails: a block of 4096 threads or more; at most 1024 are allowed}}
  check();
}
void block_from(float *d, int n) {
  if (n > 2000)
    kernel<<<1, n>>>(d, n); // expected-warning {{this launch fails: block.x is at least 2001, and a block has at most 1024 threads along it}}
  check();
}
void deep(float *d, int n) {
  int layers = n > 5 ? 128 : 1;
  dim3 block(1, 1, layers);
  kernel<<<1, block>>>(d, n); // expected-warning {{this launch fails: block.z is 128, and a block has at most 64 threads along it}}
  check();
}
void tall(float *d, int rows) {
  dim3 grid(1, rows);
  if (rows > 70000)
    kernel<<<grid, 256>>>(d, rows); // expected-warning {{this launch fails: grid.y is at least 70001, and at most 65535 blocks are allowed along it}}
  check();
}
void shared(float *d, int n) {
  size_t bytes = n > 10 ? 50000 : 1000;
  kernel<<<1, 256, bytes>>>(d, n); // expected-warning {{this launch fails: 50000 bytes of dynamic shared memory, and without cudaFuncSetAttribute}}
  check();
}
void fits(float *d, int n, int b) {
  kernel<<<dim3(n, 65535), dim3(16, 32), 48 * 1024>>>(d, n);
  check();
  kernel<<<n / b, b>>>(d, n);
  check();
}

__global__ void __launch_bounds__(128) small(float *p) { p[threadIdx.x] = 0; }
void above_bounds(float *d, int n) {
  int threads = n > 10 ? 256 : 128;
  small<<<1, threads>>>(d); // expected-warning {{this launch fails: a block of 256 threads, and __launch_bounds__ of 'small' allows 128}}
  check();
}
__global__ void tiled(float *p) {
  __shared__ float tile[64 * 64];
  extern __shared__ float more[];
  tile[threadIdx.x] = more[threadIdx.x] = p[threadIdx.x];
}
void shared_both(float *d, int n) {
  tiled<<<1, 256, n > 3 ? 40000 : 400>>>(d); // expected-warning {{this launch fails: 40000 bytes of dynamic shared memory and 16384 of variables, and without cudaFuncSetAttribute}}
  check();
}
void by_the_runtime(float *d, int n) {
  void *args[] = {&d, &n};
  cudaLaunchKernel((const void *)kernel, dim3(1), dim3(n > 9 ? 2048 : 32), args, 0, 0); // expected-warning {{this launch fails: block.x is 2048}} expected-warning {{the status of 'cudaLaunchKernel' is ignored}}
}

// ---------------------------------------------------------- swapped-launch ----
void quotient(float *d, int n) {
  kernel<<<256, (n + 255) / 256>>>(d, n); // expected-warning {{grid and block of this launch look swapped: the block has a quotient by 256 threads, and the grid has 256 blocks}}
  check();
}
void quotient_of_variables(float *d, unsigned n) {
  const unsigned threads_of_it = 128;
  dim3 first(threads_of_it), second(n / threads_of_it + 0);
  kernel<<<first, second>>>(d, n); // expected-warning {{look swapped: the block has a quotient by 128 threads}}
  check();
}
void by_name(float *d, int n, int threads, int blocks) {
  kernel<<<threads, blocks>>>(d, n); // expected-warning {{look swapped: 'threads' stands for the grid and 'blocks' for the block}}
  check();
}
void by_dim3(float *d, int n, dim3 dimGrid, dim3 dimBlock) {
  kernel<<<dimBlock, dimGrid>>>(d, n); // expected-warning {{look swapped: 'dimblock' stands for the grid and 'dimgrid' for the block}}
  check();
}
void by_size(float *d, int n, int blockSize, int numBlocks) {
  kernel<<<blockSize, numBlocks>>>(d, n); // expected-warning {{look swapped}}
  check();
}
void in_order(float *d, int n, dim3 grid, dim3 block, int threads, int blocks, int blockSize, int threadsPerBlock, int blocksPerGrid) {
  kernel<<<grid, block>>>(d, n);
  check();
  kernel<<<blocks, threads>>>(d, n);
  check();
  kernel<<<(n + 255) / 256, 256>>>(d, n);
  check();
  kernel<<<blocksPerGrid, threadsPerBlock>>>(d, n);
  check();
  kernel<<<n / 32, n / 64>>>(d, n);
  check();
  kernel<<<64, n / 64 * 32>>>(d, n);
  check();
  kernel<<<blockSize, blockSize>>>(d, n);
  check();
}

// ----------------------------------------------------------- launch-bounds ----
void large_block(float *d, int n) {
  kernel<<<1, 1024>>>(d, n); // expected-warning {{a block of 1024 threads, and 'kernel' has no __launch_bounds__: with more than 64 registers for a thread the launch fails}}
  check();
}
__global__ void __launch_bounds__(1024) bounded(float *p) { p[threadIdx.x] = 0; }
void large_and_bounded(float *d) {
  bounded<<<1, 1024>>>(d);
  check();
}

// ------------------------------------------------------------ empty-launch ----
void empty(float *d, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    d = 0;
  kernel<<<(n + 255) / 256, 256>>>(d, n); // expected-warning {{this launch fails: grid.x is 0 on this path; skip the launch}}
  check();
}
void guarded(float *d, unsigned n) {
  if (n == 0)
    return;
  kernel<<<(n + 255) / 256, 256>>>(d, n);
  check();
}

// -------------------------------------------------------- unchecked-launch ----
void unchecked(float *d) {
  kernel<<<1, 32>>>(d, 1); // expected-warning {{nobody asks whether this launch failed before the function ends; call cudaGetLastError()}}
}
void synchronised(float *d) {
  kernel<<<1, 32>>>(d, 1);
  if (cudaDeviceSynchronize() != cudaSuccess)
    exit(1);
}
void synchronised_for_nothing(float *d) {
  kernel<<<1, 32>>>(d, 1); // expected-warning {{nobody asks whether this launch failed before the function ends}}
  cudaDeviceSynchronize(); // expected-warning {{the status of 'cudaDeviceSynchronize' is ignored}}
}

// ---------------------------------------------------------- unchecked-call ----
cudaError_t used(float *d) {
  cudaMemset(d, 0, 4); // expected-warning {{the status of 'cudaMemset' is ignored}}
  if (d)
    cudaMemset(d, 1, 4); // expected-warning {{the status of 'cudaMemset' is ignored}}
  (void)cudaMemset(d, 2, 4);
  cudaError_t e = cudaMemset(d, 3, 4);
  return e != cudaSuccess ? e : cudaMemset(d, 4, 4);
}
