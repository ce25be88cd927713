// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds two vectors on the device and checks the sum. Builds with clang and with nvcc.
#include "vector_add.cu"

#include <cstdio>
#include <vector>

static bool good(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    return error == cudaSuccess;
}

static float *upload(const std::vector<float> &host)
{
    float *device = nullptr;
    size_t bytes = host.size() * sizeof(float);
    if (!good(cudaMalloc(&device, bytes), "cudaMalloc"))
        return nullptr;
    if (!good(cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy")) {
        cudaFree(device);
        return nullptr;
    }
    return device;
}

static bool add(const float *a, const float *b, float *c, std::vector<float> &result)
{
    int n = (int)result.size(), block = 256;
    vector_add<<<(n + block - 1) / block, block>>>(a, b, c, n);
    return good(cudaGetLastError(), "launch") &&
           good(cudaMemcpy(result.data(), c, result.size() * sizeof(float),
                           cudaMemcpyDeviceToHost), "cudaMemcpy");
}

int main()
{
    const int n = 1000; // no multiple of the block size
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i);
    }
    float *da = upload(a), *db = upload(b), *dc = upload(c);
    bool done = da && db && dc && add(da, db, dc, c);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    if (!done)
        return 2;
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += c[i] != a[i] + b[i];
    std::printf("%d of %d elements are right\n", n - wrong, n);
    return wrong != 0;
}
