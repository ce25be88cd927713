// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify --block=256
// Layouts, buffers that alternate and swap, halos, chunks.
struct P { float x, y; int z; };
__global__ void proved_fields(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { p[i].x = 1; p[i].z = i; } }
__global__ void race_fields(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) ((float *)p)[i * 2] = i; if (i < n) p[i].y = i; }
__global__ void proved_bytes(unsigned char *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { b[2 * i] = i; b[2 * i + 1] = i; } }
__global__ void proved_float4(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n / 4) { float4 *v = (float4 *)a; float4 x = v[i]; x.x += 1; v[i] = x; } else { } }
__global__ void race_float4(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { float4 *v = (float4 *)(a + i); *v = make_float4(i, i, i, i); } }
__global__ void proved_tail4(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n / 4) ((float4 *)a)[i] = make_float4(1, 2, 3, i); int j = n / 4 * 4 + i; if (i < n % 4 && j < n) a[j] = i; }
extern __shared__ float dyn[];
__global__ void proved_dyn(float *o, const float *a) { int t = threadIdx.x; float *x = dyn, *y = dyn + blockDim.x; x[t] = a[blockIdx.x * blockDim.x + t]; y[t] = x[t] * 2; __syncthreads(); o[blockIdx.x * blockDim.x + t] = x[blockDim.x - 1 - t] + y[blockDim.x - 1 - t]; }
__global__ void race_dyn(float *o, const float *a) { int t = threadIdx.x; float *x = dyn, *y = dyn + blockDim.x - 1; x[t] = a[blockIdx.x * blockDim.x + t]; y[t] = 2 * t; __syncthreads(); o[blockIdx.x * blockDim.x + t] = x[blockDim.x - 1 - t] + y[blockDim.x - 1 - t]; }
__global__ void proved_swap(float *o, int n) { __shared__ float A[256], B[256]; float *s = A, *d = B; int t = threadIdx.x; s[t] = t; __syncthreads(); for (int k = 0; k < n; k++) { d[t] = s[(t + 1) % 256]; __syncthreads(); float *q = s; s = d; d = q; } o[blockIdx.x * 256 + t] = s[t]; }
__global__ void race_swap(float *o, int n) { __shared__ float A[256], B[256]; float *s = A, *d = B; int t = threadIdx.x; s[t] = t; __syncthreads(); for (int k = 0; k < n; k++) { d[t] = s[(t + 1) % 256]; float *q = s; s = d; d = q; __syncthreads(); if (k == 3) s[(t + 5) % 256] = k; } o[blockIdx.x * 256 + t] = s[t]; }
__global__ void proved_stencil(float *o, const float *a, int n) { __shared__ float s[258]; int t = threadIdx.x, g = blockIdx.x * 256 + t; s[t + 1] = g < n ? a[g] : 0; if (t == 0) s[0] = g > 0 ? a[g - 1] : 0; if (t == 255) s[257] = g + 1 < n ? a[g + 1] : 0; __syncthreads(); if (g < n) o[g] = s[t] + s[t + 1] + s[t + 2]; }
__global__ void race_stencil(float *o, const float *a, int n) { __shared__ float s[258]; int t = threadIdx.x, g = blockIdx.x * 256 + t; s[t + 1] = g < n ? a[g] : 0; if (t == 0) s[0] = g > 0 ? a[g - 1] : 0; if (t == 255) s[257] = g + 1 < n ? a[g + 1] : 0; if (g < n) o[g] = s[t] + s[t + 1] + s[t + 2]; }
__global__ void proved_fft(float *re) { __shared__ float s[512]; int t = threadIdx.x; s[t] = re[blockIdx.x * 512 + t]; s[t + 256] = re[blockIdx.x * 512 + t + 256]; for (int half = 1; half < 512; half <<= 1) { __syncthreads(); int k = t & (half - 1), i = ((t - k) << 1) + k; float u = s[i], v = s[i + half]; s[i] = u + v; s[i + half] = u - v; } __syncthreads(); re[blockIdx.x * 512 + t] = s[t]; re[blockIdx.x * 512 + t + 256] = s[t + 256]; }
__global__ void proved_chunks(float *o, int n, int c) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (int j = i * c; j < (i + 1) * c && j < n; j++) o[j] = i; }
__global__ void race_chunks(float *o, int n, int c) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (int j = i * c; j <= (i + 1) * c && j < n; j++) o[j] = i; }
__global__ void proved_strided(float *o, int n, int s) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < s) for (int j = i; j < n; j += s) o[j] = i; }
__global__ void proved_bcast(float *o, const float *a, int n) { __shared__ float v; for (int k = 0; k < n; k++) { if (threadIdx.x == 0) v = a[k]; __syncthreads(); o[(k * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v; __syncthreads(); } }
__global__ void race_bcast(float *o, const float *a, int n) { __shared__ float v; for (int k = 0; k < n; k++) { if (threadIdx.x == 0) v = a[k]; __syncthreads(); o[(k * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v; } }
__global__ void proved_xor(float *o, const float *a) { __shared__ float s[256]; int t = threadIdx.x, r = t / 16, c = t % 16; s[r * 16 + (c ^ r)] = a[blockIdx.x * 256 + t]; __syncthreads(); o[blockIdx.x * 256 + t] = s[c * 16 + (r ^ c)]; }
__global__ void proved_pipe(float *o, const float *a, int n) { __shared__ float s[3][256]; int t = threadIdx.x; for (int k = 0; k < n; k++) { s[k % 3][t] = a[k * 256 + t]; __syncthreads(); o[(blockIdx.x * n + k) * 256 + t] = s[k % 3][255 - t]; } }
__global__ void proved_parity(float *o, const float *a, int n) { __shared__ float s[2][256]; int t = threadIdx.x; for (int k = 0; k < n; k++) { s[k & 1][t] = a[k * 256 + t]; __syncthreads(); o[(blockIdx.x * n + k) * 256 + t] = s[k & 1][255 - t]; } }
__global__ void proved_parity2(float *o, const float *a, int n) { __shared__ float s[2][256]; int t = threadIdx.x, p = 0; for (int k = 0; k < n; k++) { s[p][t] = a[k * 256 + t]; __syncthreads(); o[(blockIdx.x * n + k) * 256 + t] = s[p][255 - t]; p = 1 - p; } }
__global__ void proved_parity3(float *o, const float *a, int n) { __shared__ float s[2][256]; int t = threadIdx.x, p = 0; for (int k = 0; k < n; k++) { s[p][t] = a[k * 256 + t]; __syncthreads(); o[(blockIdx.x * n + k) * 256 + t] = s[p][255 - t]; p ^= 1; } }
__global__ void proved_wide_stride(int *o, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) o[i] = i; }
__global__ void race_wide_stride(int *o, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x) o[i] = i; }
