// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Annotations survive a module; building one analyses nothing and checks them.
// RUN: rm -rf %t.cache %t.plain.cache
// RUN: %clang_bare -fplugin=%plugin -std=c++17 -fmodules -fmodules-cache-path=%t.cache -I%S/Inputs/module -S %s -o %t.ptx -fplugin-arg-gpusafe-dump 2>&1 | FileCheck %s
// RUN: %clang_bare -std=c++17 -fmodules -fmodules-cache-path=%t.plain.cache -I%S/Inputs/module -S %s -o %t.plain.ptx
// RUN: %without_contracts %t.ptx | cmp - %t.plain.ptx
// RUN: not %clang_bare -fplugin=%plugin -std=c++17 -fmodules -fmodules-cache-path=%t.cache -I%S/Inputs/module -DWRONG -fsyntax-only %s 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: kernels.h:11:44: error: unknown name 'm' [gpusafe-contract]
#include "kernels.h"
// CHECK: kernel 'in_module<3>'
// CHECK: disjoint param 0: n [n = param 1+0:i32], at {{.*}}kernels.h:5:
template __global__ void in_module<3>(float *, int);
