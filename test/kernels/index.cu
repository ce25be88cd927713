// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices: one and two dimensions, widths, strides, pointers that walk.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify

__global__ void proved_vadd(const float *a, const float *b, float *c, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) c[i]=a[i]+b[i]; }
__global__ void proved_vadd_u(const float *a, float *c, unsigned n) { unsigned i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) c[i]=a[i]; }
__global__ void proved_vadd_sz(const float *a, float *c, size_t n) { size_t i = (size_t)blockIdx.x*blockDim.x+threadIdx.x; if (i<n) c[i]=a[i]; }
__global__ void proved_noguard(float *c) { c[blockIdx.x*blockDim.x+threadIdx.x]=1; }
__global__ void proved_2d(float *c, int w, int h) { int x = blockIdx.x*blockDim.x+threadIdx.x, y = blockIdx.y*blockDim.y+threadIdx.y; if (x<w && y<h) c[y*w+x]=1.f; }
__global__ void proved_2d_ret(float *c, int w, int h) { int x = blockIdx.x*blockDim.x+threadIdx.x, y = blockIdx.y*blockDim.y+threadIdx.y; if (x>=w || y>=h) return; c[y*w+x]=(float)x; }
__global__ void proved_3d(float *c, int w, int h, int d) { int x = blockIdx.x*blockDim.x+threadIdx.x, y = blockIdx.y*blockDim.y+threadIdx.y, z = blockIdx.z*blockDim.z+threadIdx.z; if (x<w && y<h && z<d) c[(z*h+y)*w+x]=x; }
__global__ void proved_gs(const float*a, float *c, int n) { for (int i = blockIdx.x*blockDim.x+threadIdx.x; i<n; i+=blockDim.x*gridDim.x) c[i]=a[i]; }
__global__ void proved_gs_sz(const float*a, float *c, size_t n) { for (size_t i = blockIdx.x*(size_t)blockDim.x+threadIdx.x; i<n; i+=(size_t)blockDim.x*gridDim.x) c[i]=a[i]; }
__global__ void proved_chunk(float *c, int n, int m) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) for (int j=0;j<m;j++) c[i*m+j]=j; }
__global__ void proved_strided(float *c, int n, int m) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) for (int j=0;j<m;j++) c[j*n+i]=j; }
__global__ void proved_rev(float *c, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) c[n-1-i]=i; }
__global__ void race_same(float *c, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) c[i/2]=i; }
__global__ void race_tid(float *c) { c[threadIdx.x]=blockIdx.x; }
__global__ void race_nb(float *c, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n-1) c[i]=c[i+1]; }
__global__ void proved_atomic(int *c, const int *k, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) atomicAdd(&c[k[i]], 1); }
__global__ void proved_struct(float2 *c, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) { c[i].x=1; c[i].y=2; } }
__global__ void proved_float4(float4 *c, const float *b, int n) { int i = blockIdx.x*blockDim.x+threadIdx.x; if (i<n) c[i]=make_float4(b[4*i],b[4*i+1],b[4*i+2],b[4*i+3]); }
__global__ void race_narrow(float *c, int n) { unsigned char i = blockIdx.x*blockDim.x+threadIdx.x; c[i]=1.5f*n*threadIdx.x; }
__global__ void race_shift(float *c) { unsigned i = (blockIdx.x*blockDim.x+threadIdx.x) << 24; c[i]=threadIdx.x; }
__global__ void proved_ptr(float *c, int n) { float *p = c + blockIdx.x*blockDim.x+threadIdx.x; *p = n; }
__global__ void proved_walk(float *c, int n, int m) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i>=n) return; float *p=c+(size_t)i*m; for (float *e=p+m; p<e; ++p) *p=0; }
// Blocks of an odd size meet their neighbours; the twin is proved_swap in shared.cu.
__global__ void possible_swap(float4 *c) { c[blockIdx.x*blockDim.x+(threadIdx.x^1)]=make_float4(0,0,0,0); }
__global__ void possible_swap3(float *c, int n) { int i = blockIdx.x*blockDim.x+(threadIdx.x^1); if (i<n) c[i]=i; }
