// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan.cu"

#include "../example.h"

int main()
{
    const int n = 1000003, blocks = (n + 255) / 256;
    std::vector<int> host(n);
    for (int i = 0; i < n; i++)
        host[i] = i % 10;
    DeviceArray<int> in(host), out(n), totals(blocks);
    float time = microseconds([&] { scan_blocks<<<blocks, 256>>>(in.get(), out.get(), totals.get(), n); });
    std::vector<int> offsets = totals.download();
    int before = 0;
    for (int &offset : offsets) {
        int total = offset;
        offset = before;
        before += total;
    }
    DeviceArray<int> device_offsets(offsets);
    add_offsets<<<blocks, 256>>>(out.get(), device_offsets.get(), n);
    need(cudaGetLastError(), "launch");
    std::vector<int> result = out.download();
    size_t wrong = 0;
    for (int i = 0, sum = 0; i < n; i++)
        wrong += result[i] != (sum += host[i]);
    return report("scan", wrong, n, time, 2.0 * n * sizeof(int));
}
