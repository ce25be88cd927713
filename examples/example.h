// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host programs of the examples share: arrays on the device, and how results and
// times are told. Builds with clang and with nvcc.
#ifndef GPUSAFE_EXAMPLE_H
#define GPUSAFE_EXAMPLE_H

#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program when a call of CUDA fails.
inline void need(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(2);
}

/// An array on the device. Frees itself.
template <typename T> class DeviceArray {
public:
    explicit DeviceArray(size_t count) : count(count)
    {
        need(cudaMalloc(&data, count * sizeof(T)), "cudaMalloc");
        need(cudaMemset(data, 0, count * sizeof(T)), "cudaMemset");
    }
    explicit DeviceArray(const std::vector<T> &host) : DeviceArray(host.size())
    {
        need(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    DeviceArray(const DeviceArray &) = delete;
    ~DeviceArray() { cudaFree(data); }
    T *get() const { return data; }
    std::vector<T> download() const
    {
        std::vector<T> host(count);
        need(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return host;
    }

private:
    T *data = nullptr;
    size_t count;
};

/// Microseconds that a launch takes, as the mean of 20 after one that is not counted.
template <typename Launch> float microseconds(Launch launch)
{
    enum { ROUNDS = 20 };
    cudaEvent_t begin, end;
    float milliseconds = 0;
    need(cudaEventCreate(&begin), "cudaEventCreate");
    need(cudaEventCreate(&end), "cudaEventCreate");
    launch();
    need(cudaEventRecord(begin), "cudaEventRecord");
    for (int i = 0; i < ROUNDS; i++)
        launch();
    need(cudaEventRecord(end), "cudaEventRecord");
    need(cudaGetLastError(), "launch");
    need(cudaEventSynchronize(end), "cudaEventSynchronize");
    need(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return milliseconds * 1000 / ROUNDS;
}

/// Tells how many results are right, and the time. \returns the exit code of the program.
inline int report(const char *name, size_t wrong, size_t count, float time, double bytes)
{
    std::printf("%s: %zu of %zu results are right; %.1f us, %.0f GB/s\n", name, count - wrong, count, time,
                bytes / time / 1e3);
    return wrong != 0;
}

#endif
