// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the kernels of data_kernels.c and their host share.
#ifndef GSRT_DATA_KERNELS_H
#define GSRT_DATA_KERNELS_H

#include <stdint.h>

enum { GSRT_DATA_SIGNED = 0x100, GSRT_DATA_FLOAT = 0x200 };

#endif
