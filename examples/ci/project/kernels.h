// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KERNELS_H
#define KERNELS_H

void run_scale(float *y, const float *x, float a, int n);
void run_row_sums(float *sums, const float *m, int rows, int columns);
void run_blur(float *out, const float *in, int n);

#endif
