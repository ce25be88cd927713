// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each shape of a declaration: what is inserted, and that the rest stays as it is.
// REQUIRES: clang
// RUN: rm -rf %t && mkdir %t && cd %t && sed '1,5d' %s > shapes.cu
// RUN: sh %S/Inputs/apply.sh %gpusafe shapes.cu > out && diff -u %S/Inputs/shapes.expected out
/* Two includes, one of them under a condition. */
#include <stddef.h>
#ifdef SOMETHING_ELSE
#include <stdio.h>
#endif

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define RESTRICT __restrict__
#define OUT(type) type *

__global__ void one_line(const float *a, float *b, int n) {
  if (INDEX < n)
    b[INDEX] = a[INDEX];
}

__global__ void many_lines(const float *a, // what is read
                           float *b /* what is written */,
                           int n // of both
) {
  if (INDEX < n)
    b[INDEX] = a[INDEX];
}

__global__ void default_arguments(float *b, int n = 3, const float *a = nullptr) {
  if (INDEX < n)
    b[INDEX] = a[INDEX];
}

__global__ void
knr
(const float * a , float * b ,
 int n)
{
  if (INDEX < n) b [INDEX] = a [INDEX];
}

	__global__	void	tabs(const float	*a,	float	*b,	int	n)	{
	if (INDEX < n)	b[INDEX] = a[INDEX];
	}

__global__ void macros(const float *RESTRICT a, OUT(float) b, int n) {
  if (INDEX < n)
    b[INDEX] = a[INDEX];
}

__global__ void arrays(const float a[], float (*b)[2], int n) {
  if (INDEX < n)
    b[INDEX][0] = a[INDEX];
}

extern "C" __global__ void c_linkage(const float *a, float *b, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = 0;
  if (INDEX < n)
    b[INDEX] = a[INDEX] + tile[threadIdx.x];
}

template <typename T, int Block>
__global__ void tiled(const T *a, T *b, int n) {
  __shared__ T tile[Block];
  tile[threadIdx.x] = 0;
  if (INDEX < n)
    b[INDEX] = a[INDEX] + tile[threadIdx.x];
}

struct Methods {
    static __global__ void method(const float *x, float *y, int rows, int columns, int stride) {
        int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
        if (i < rows && j < columns)
            y[j * stride + i] = x[j * stride + i];
    }
};

__global__ void other_names(const float *from, float *to, int count);
__global__ void other_names(const float *a, float *b, int n) {
  if (INDEX < n)
    b[INDEX] = a[INDEX];
}

__global__ void declared(const float *, float *out, int count);
__global__ void declared(const float *a, float *b, int n) {
  if (INDEX < n)
    b[INDEX] = a[INDEX];
}

__global__ void atomics(int *bins, const unsigned char *data, int n) {
  if (INDEX < n)
    atomicAdd(&bins[data[INDEX]], 1);
}

__global__ void first_thread(float *sum, const float *part) {
  if (INDEX == 0)
    sum[0] = part[0] + part[1];
}

void launch(float *a, float *b, int n) {
  tiled<float, 128><<<n, 128>>>(a, b, n);
  Methods::method<<<dim3(2, 2), dim3(16, 16)>>>(a, b, 20, 20, 32);
}
