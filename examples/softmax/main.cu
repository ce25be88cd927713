// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "softmax.cu"

#include "../example.h"

int main()
{
    const int rows = 4096, cols = 1023;
    const float scale = 0.125f;
    std::vector<float> host((size_t)rows * cols);
    for (size_t i = 0; i < host.size(); i++)
        host[i] = (float)(i * 37 % 101) - 50;
    DeviceArray<float> scores(host), out(host.size());
    float time = microseconds([&] { softmax<<<rows, 256>>>(scores.get(), out.get(), rows, cols, scale); });
    std::vector<float> result = out.download();
    size_t wrong = 0;
    for (int r = 0; r < rows; r++) {
        const float *row = &host[(size_t)r * cols];
        double most = -INFINITY, sum = 0;
        for (int j = 0; j < cols; j++)
            most = std::fmax(most, row[j] * scale);
        for (int j = 0; j < cols; j++)
            sum += std::exp(row[j] * scale - most);
        for (int j = 0; j < cols; j++) {
            double expected = std::exp(row[j] * scale - most) / sum;
            wrong += std::fabs(result[(size_t)r * cols + j] - expected) > 1e-5 * expected + 1e-9;
        }
    }
    return report("softmax", wrong, host.size(), time, 4.0 * host.size() * sizeof(float));
}
