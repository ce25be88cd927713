// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matmul.cu"

#include "../example.h"

int main()
{
    const int n = 500; // no multiple of the tile
    std::vector<float> x((size_t)n * n), y(x.size());
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = (float)(i % 7);
        y[i] = (float)(i % 5);
    }
    DeviceArray<float> a(x), b(y), c(x.size());
    dim3 grid((n + 15) / 16, (n + 15) / 16), block(16, 16);
    float time = microseconds([&] { matmul<<<grid, block>>>(a.get(), b.get(), c.get(), n); });
    std::vector<float> result = c.download();
    size_t wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0; // small integers: exact
            for (int k = 0; k < n; k++)
                sum += x[(size_t)i * n + k] * y[(size_t)k * n + j];
            wrong += result[(size_t)i * n + j] != sum;
        }
    std::printf("matmul: %.0f GFLOP/s\n", 2e-3 * n * n * n / time);
    return report("matmul", wrong, x.size(), time, 3.0 * x.size() * sizeof(float));
}
