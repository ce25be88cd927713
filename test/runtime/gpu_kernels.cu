// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels of gpu_test.c and gpu_bench.c; the fixture's k, and empty ones.
struct P {
  int width, pad;
  void *map;
};

extern "C" __attribute__((global)) void k(const float *a, float *c, int n, P p) {
  (void)p;
  int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
          __nvvm_read_ptx_sreg_tid_x();
  if (i < n)
    c[i] = 2 * a[i];
}

extern "C" __attribute__((global)) void empty3(const float *a, float *c, int n) {}

extern "C" __attribute__((global)) void empty12(const float *a, const float *b, float *c, int n,
                                                int m, int o, int q, int r, int s, int t, int u,
                                                int v) {}
