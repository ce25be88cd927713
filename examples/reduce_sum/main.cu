// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums a vector: the blocks' sums on the device, the rest on the host. Builds with clang
// and with nvcc.
#include "reduce_sum.cu"

#include <cstdio>
#include <vector>

static bool good(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    return error == cudaSuccess;
}

static bool sum(const std::vector<float> &host, std::vector<float> &sums)
{
    float *input = nullptr, *output = nullptr;
    size_t in_bytes = host.size() * sizeof(float), out_bytes = sums.size() * sizeof(float);
    bool done = good(cudaMalloc(&input, in_bytes), "cudaMalloc") &&
                good(cudaMalloc(&output, out_bytes), "cudaMalloc") &&
                good(cudaMemcpy(input, host.data(), in_bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    if (done) {
        reduce_sum<<<(int)sums.size(), 256>>>(input, output, (int)host.size());
        done = good(cudaGetLastError(), "launch") &&
               good(cudaMemcpy(sums.data(), output, out_bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
    cudaFree(input);
    cudaFree(output);
    return done;
}

int main()
{
    const int n = 1000; // no multiple of the block size
    std::vector<float> input(n), sums((n + 255) / 256);
    for (int i = 0; i < n; i++)
        input[i] = (float)i;
    if (!sum(input, sums))
        return 2;
    float total = 0;
    for (float part : sums)
        total += part;
    const float expected = (float)(n * (n - 1) / 2); // all sums are exact in a float
    std::printf("the sum is %.0f, expected %.0f\n", total, expected);
    return total != expected;
}
