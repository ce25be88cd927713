// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transpose.cu"

#include "../example.h"

int main()
{
    const int rows = 2047, cols = 4099; // no multiples of the tile
    std::vector<float> host((size_t)rows * cols);
    for (size_t i = 0; i < host.size(); i++)
        host[i] = (float)i;
    DeviceArray<float> in(host), out(host.size());
    dim3 grid((cols + 31) / 32, (rows + 31) / 32), block(32, 8);
    float time = microseconds([&] { transpose<<<grid, block>>>(in.get(), out.get(), rows, cols); });
    std::vector<float> result = out.download();
    size_t wrong = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            wrong += result[(size_t)x * rows + y] != host[(size_t)y * cols + x];
    return report("transpose", wrong, host.size(), time, 2.0 * host.size() * sizeof(float));
}
