// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With GPUSAFE_CHECK_DATA=1 the second launch, through an array that is no permutation, is
// refused: the program tells whether it was.
#include "scatter.cu"

#include "../example.h"

int main()
{
    const int n = 1000003; // a prime: 7 * i modulo n is a permutation
    std::vector<float> host(n);
    std::vector<int> to(n);
    for (int i = 0; i < n; i++) {
        host[i] = (float)i;
        to[i] = (int)(7ll * i % n);
    }
    DeviceArray<float> in(host), out(n), other(n);
    DeviceArray<int> places(to);
    int blocks = (n + 255) / 256;
    float time = microseconds([&] { scatter<<<blocks, 256>>>(in.get(), places.get(), out.get(), n); });
    std::vector<float> result = out.download();
    size_t wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += result[to[i]] != host[i];
    to[0] = to[1];
    DeviceArray<int> doubled(to);
    scatter<<<blocks, 256>>>(in.get(), doubled.get(), other.get(), n);
    std::printf("a place that is given twice: %s\n", cudaGetLastError() == cudaSuccess ? "not noticed" : "refused");
    return report("scatter", wrong, n, time, 12.0 * n);
}
