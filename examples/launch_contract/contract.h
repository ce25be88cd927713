// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef EXAMPLE_CONTRACT_H
#define EXAMPLE_CONTRACT_H

#include <gpusafe_rt.h>

/// Gives the kernel the contract that vector_add.cu declares.
gsrt_status contract_attach(gsrt_kernel *kernel);

#endif
