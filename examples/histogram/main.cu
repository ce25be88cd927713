// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "histogram.cu"

#include "../example.h"

int main()
{
    const int n = 10000019;
    std::vector<unsigned char> host(n);
    std::vector<unsigned> expected(256);
    for (int i = 0; i < n; i++)
        expected[host[i] = (unsigned char)((unsigned)i * 2654435761u >> 24)]++;
    DeviceArray<unsigned char> in(host);
    DeviceArray<unsigned> timed(256), counts(256);
    float time = microseconds([&] { histogram<<<528, 256>>>(in.get(), timed.get(), n); });
    histogram<<<528, 256>>>(in.get(), counts.get(), n);
    need(cudaGetLastError(), "launch");
    std::vector<unsigned> result = counts.download();
    size_t wrong = 0;
    for (int bin = 0; bin < 256; bin++)
        wrong += result[bin] != expected[bin];
    return report("histogram", wrong, 256, time, n);
}
