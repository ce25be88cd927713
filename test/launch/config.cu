// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s -fplugin-arg-gpusafe-off -DNOTHING 2>&1 | count 0
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// Launches with a cudaLaunchConfig_t: its sizes, its attributes, and clusters.
#ifdef NOTHING
// expected-no-diagnostics
#else
#include <gpusafe.h>
extern "C" int input();
extern "C" void elsewhere(cudaLaunchConfig_t *), reading(const cudaLaunchConfig_t *);

GS_LAUNCH_CONTRACT(block.x == 128, grid.x * block.x >= n, dynamic_smem == 64) // #plain
__global__ void plain(float *p, int n) {}
GS_LAUNCH_CONTRACT(cluster.x == 2, cluster.y == 1, !cooperative) // #pair
__global__ void pair(float *p) {}
GS_LAUNCH_CONTRACT(cooperative) // #together
__global__ void together(float *p) {}
GS_LAUNCH_CONTRACT(cluster == dim(4)) __global__ __cluster_dims__(4) void compiled(float *p) {}

void sizes(float *p, int n) {
  cudaLaunchConfig_t good = {};
  good.gridDim = (n + 127) / 128;
  good.blockDim = 128;
  good.dynamicSmemBytes = 16 * sizeof(float);
  cudaLaunchKernelEx(&good, plain, p, n);
  good.blockDim.x = 64;
  cudaLaunchKernelEx(&good, plain, p, n); // expected-error {{launch of 'plain' breaks its contract: 'block.x == 128' does not hold, the left side is 64, the right side 128 [gpusafe-launch-contract]}}
  // expected-note@#plain {{the contract is here}}
  good.blockDim = dim3(128);
  good.dynamicSmemBytes = 0;
  cudaLaunchKernelEx(&good, plain, p, n); // expected-error {{'dynamic_smem == 64' does not hold, the left side is 0, the right side 64}}
  // expected-note@#plain {{the contract is here}}
  cudaLaunchConfig_t listed = {2, 128, 64, 0, nullptr, 0};
  cudaLaunchKernelEx(&listed, plain, p, 257); // expected-error {{'grid.x * block.x >= n' does not hold, the left side is 256, the right side 257}}
  // expected-note@#plain {{the contract is here}}
  const int m = 300;
  void *args[] = {&p, (void *)&m};
  cudaLaunchKernelExC(&listed, (const void *)plain, args); // expected-error {{'grid.x * block.x >= n' does not hold, the left side is 256, the right side 300}}
  // expected-note@#plain {{the contract is here}}
}
// Whoever has its address may change it; a pointer may be any.
void given_away(float *p, int n) {
  cudaLaunchConfig_t config = {1, 32, 64, 0, nullptr, 0}, *any = &config;
  elsewhere(&config);
  cudaLaunchKernelEx(&config, plain, p, n);
  cudaLaunchKernelEx(any, plain, p, n);
}

void clusters(float *p) {
  cudaLaunchAttribute attribute[2];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  attribute[1].id = cudaLaunchAttributePriority;
  attribute[1].val.priority = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = 32;
  config.attrs = attribute;
  config.numAttrs = 2;
  cudaLaunchKernelEx(&config, pair, p);
  config.gridDim = 7;
  cudaLaunchKernelEx(&config, pair, p); // expected-error {{launch of 'pair' always fails: grid.x is 7, which the cluster's 2 along that axis does not divide}}
  config.gridDim = 8;
  config.numAttrs = 0;
  cudaLaunchKernelEx(&config, pair, p); // expected-error {{'cluster.x == 2' does not hold, the left side is 1, the right side 2}}
  // expected-note@#pair {{the contract is here}}
  config.numAttrs = 1;
  attribute[0].val.clusterDim.x = 4;
  cudaLaunchKernelEx(&config, pair, p); // expected-error {{'cluster.x == 2' does not hold, the left side is 4, the right side 2}}
  // expected-note@#pair {{the contract is here}}
  attribute[0].val.clusterDim.x = 32;
  config.gridDim = 64;
  cudaLaunchKernelEx(&config, pair, p); // expected-error {{always fails: the number of blocks in a cluster is at least 32, and no device takes more than 16}} expected-error {{'cluster.x == 2' does not hold}}
  // expected-note@#pair {{the contract is here}}
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  cudaLaunchKernelEx(&config, together, p);
  attribute[0].val.cooperative = 0;
  cudaLaunchKernelEx(&config, together, p); // expected-error {{'cooperative' does not hold}}
  // expected-note@#together {{the contract is here}}
  pair<<<8, 32>>>(p); // expected-error {{'cluster.x == 2' does not hold, the left side is 1, the right side 2}}
  // expected-note@#pair {{the contract is here}}
  compiled<<<8, 32>>>(p);
}

// What might be otherwise is left to the runtime.
void unclear(float *p) {
  cudaLaunchAttribute attribute[1], other[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {8, 32, 0, 0, attribute, 1};
  config.attrs[0].val.clusterDim.x = 2;
  cudaLaunchKernelEx(&config, pair, p);
  cudaLaunchConfig_t second = {8, 32, 0, 0, other, 1};
  other[0].id = attribute[0].id;
  other[input()].val.clusterDim.x = 2;
  cudaLaunchKernelEx(&second, pair, p);
  cudaLaunchConfig_t third = {8, 32, 0, 0, nullptr, (unsigned)input()};
  cudaLaunchKernelEx(&third, pair, p);
}
// One member of a union lies over the others.
void unions(float *p) {
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  attribute[0].val.cooperative = 2;
  cudaLaunchConfig_t config = {8, 32, 0, 0, attribute, 1};
  cudaLaunchKernelEx(&config, pair, p);
}
// A copy leads to the same attributes.
void copies(float *p) {
  cudaLaunchAttribute attribute[1] = {};
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {8, 32, 0, 0, attribute, 1}, copy = config;
  elsewhere(&copy);
  cudaLaunchKernelEx(&config, pair, p);
}
#endif
