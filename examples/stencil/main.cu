// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stencil.cu"

#include "../example.h"

int main()
{
    const int n = 10000019;
    std::vector<float> host(n);
    for (int i = 0; i < n; i++)
        host[i] = (float)(i % 100);
    DeviceArray<float> in(host), out(n);
    float time = microseconds([&] { stencil<<<(n + 255) / 256, 256>>>(in.get(), out.get(), n); });
    std::vector<float> result = out.download();
    size_t wrong = 0;
    for (int i = 0; i < n; i++) {
        float sum = 0; // small integers: exact
        for (int d = -RADIUS; d <= RADIUS; d++)
            sum += i + d >= 0 && i + d < n ? host[i + d] : 0;
        float difference = result[i] - sum / (2 * RADIUS + 1);
        wrong += difference > 1e-4f || difference < -1e-4f;
    }
    return report("stencil", wrong, n, time, 2.0 * n * sizeof(float));
}
