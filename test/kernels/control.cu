// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, exits, loops, what preparation must not delete, values and aggregates.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify

__global__ void race_dead(int *p) { p[0]=threadIdx.x; p[0]=2; }
__global__ void race_selfstore(int *p) { int v=p[0]; p[0]=v; }
__global__ void race_unusedload() { __shared__ int s[32]; s[threadIdx.x&31]=1; __syncthreads(); int v = s[threadIdx.x+32]; (void)v; }
__global__ void possible_uninit(int *p, int n) { int v; int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n) v=i; p[v]=1+i; }
__global__ void possible_uninitloop(int *p, int n) { for (int k=0;k<4;k++) { int v; int i=blockIdx.x*blockDim.x+threadIdx.x; if (k==0) v=i; p[v]=1+i; } }
__global__ void race_ubbranch(int *p, int n) { int i=threadIdx.x; int *q = 0; if (i==3) { *q = 1; } p[blockIdx.x] = i; }
__global__ void proved_assert(int *p, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i >= n) __builtin_trap(); p[i]=1; }
__global__ void refused_overflowcheck(int *p, int x) { int i=threadIdx.x; if (x + 100 < x) { p[0] = i; } }
__global__ void proved_retsync(const float*a, float *o, int n) { __shared__ float s[1024]; int i=blockIdx.x*blockDim.x+threadIdx.x; if (i>=n) return; s[threadIdx.x]=a[i]; __syncthreads(); o[i]=s[threadIdx.x]+s[0]; }
__global__ void race_divsync(float *o) { __shared__ float s[1024]; s[threadIdx.x]=1; if (threadIdx.x<16) __syncthreads(); o[blockIdx.x*blockDim.x+threadIdx.x]=s[threadIdx.x^1]; }
__global__ void proved_switch(float *o, int m) { int i=blockIdx.x*blockDim.x+threadIdx.x; switch(m) { case 0: o[i]=1; break; case 1: o[2*i]=1; break; default: o[3*i+1]=2; } }
__device__ int helper(int i, int n) { if (i<0) return 0; if (i>=n) return n-1; return i; }
__global__ void race_clamp(float *o, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; o[helper(i,n)]=i; }
__global__ void proved_clampread(const float *a, float *o, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n) o[i]=a[helper(i-1,n)]+a[helper(i+1,n)]; }
__global__ void race_inplace_stencil(float *a, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i>0&&i<n-1) a[i]=a[i-1]+a[i+1]; }
struct V { float *d; int w; int h; };
__global__ void proved_byval(V v) { int x=blockIdx.x*blockDim.x+threadIdx.x, y=blockIdx.y*blockDim.y+threadIdx.y; if (x<v.w && y<v.h) v.d[y*v.w+x]=1; }
template<typename T> __global__ void proved_tmpl(T *o, T x, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n) o[i]=x; }
template __global__ void proved_tmpl<double>(double*, double, int);
template __global__ void proved_tmpl<char>(char*, char, int);
__global__ void proved_dowhile(float *o, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i>=n) return; do { o[i]=1; i+=gridDim.x*blockDim.x; } while (i<n); }
__global__ void proved_while(float *o, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; while (i<n) { o[i]=1; i+=gridDim.x*blockDim.x; } }
__global__ void race_stride(float *o, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; while (i<n) { o[i]=threadIdx.x; i+=blockDim.x; } }
__global__ void proved_break(float *o, const int *f, int n, int m) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n) for (int j=0;j<m;j++) { if (f[j]) break; o[i*m+j]=1; } }
__global__ void proved_continue(float *o, const int *f, int n, int m) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n) for (int j=0;j<m;j++) { if (f[j]) continue; o[i*m+j]=1; } }
__global__ void race_flag(int *flag, const float *a, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n && a[i]>1.f) *flag = i; }
__global__ void proved_same(int *flag, const float *a, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n && a[i]>1.f) *flag = 1; }
__global__ void race_scatter(int *o, const int *ix, int n) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n) o[ix[i]]=i; }
__global__ void proved_local(float *o, int n) { float t[8]; int i=blockIdx.x*blockDim.x+threadIdx.x; for (int k=0;k<8;k++) t[k]=k; float s=0; for (int k=0;k<8;k++) s+=t[(k*3)&7]; if (i<n) o[i]=s; }
__global__ void race_local(float *o, int n) { float t[8]; int i=blockIdx.x*blockDim.x+threadIdx.x; for (int k=0;k<=8;k++) t[k]=k; if (i<n) o[i]=t[i&7]; }
__global__ void proved_inplace_tr(float *a, int n) { int x=blockIdx.x*blockDim.x+threadIdx.x, y=blockIdx.y*blockDim.y+threadIdx.y; if (x<y && y<n) { float t=a[y*n+x]; a[y*n+x]=a[x*n+y]; a[x*n+y]=t; } }
__global__ void proved_u64(unsigned long long *o, unsigned long long n) { unsigned long long i = blockIdx.x*(unsigned long long)blockDim.x+threadIdx.x; if (i<n) o[i]=i; }
__global__ void proved_nest(float *o, int n, int m, int k) { int i=blockIdx.x*blockDim.x+threadIdx.x; if (i<n) for (int a=0;a<m;a++) for (int b=0;b<k;b++) o[(i*m+a)*k+b]=1; }

