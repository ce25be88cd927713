// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-off -fplugin-arg-gpusafe-dump %s 2>&1 | FileCheck %s
// Constants that are visible by name at the kernel.
#include <gpusafe.h>

#define MACRO (1 << 4)
enum plain { PLAIN = 3 };
enum class scoped : unsigned char { value = 4 };
constexpr int constant = 5;
const unsigned narrow = 6;
static const long long negative = -7;
namespace space {
constexpr int deep = 8;
inline namespace v1 { constexpr int inlined = 9; }
struct holder { static constexpr int member = 10; enum { NESTED = 11 }; };
}
namespace alias = space;
using holder = space::holder;
using namespace space;
struct pair { int a; double b; };

// CHECK: kernel 'space::names'
// CHECK: contract: block.x == 1 << 4
// CHECK: contract: n > PLAIN [n = param 0+0:i32, PLAIN = 3]
// CHECK: contract: n > scoped::value [{{.*}}scoped::value = 4]
// CHECK: contract: n > constant + narrow + negative [{{.*}}constant = 5, narrow = 6, negative = -7]
// CHECK: contract: n > deep + inlined [{{.*}}deep = 8, inlined = 9]
// CHECK: contract: n > holder::member + space::holder::NESTED [{{.*}}holder::member = 10, space::holder::NESTED = 11]
// CHECK: contract: n > ::constant + alias::deep [{{.*}}::constant = 5, alias::deep = 8]
// CHECK: contract: n > 16
namespace space {
constexpr int constant_of_ours = 12;
GS_LAUNCH_CONTRACT(block.x == MACRO, n > PLAIN, n > scoped::value,
                   n > constant + narrow + negative, n > deep + inlined,
                   n > holder::member + space::holder::NESTED, n > ::constant + alias::deep,
                   n > sizeof(pair))
__global__ void names(int n) {}
}

// A parameter hides a constant of its name.
// CHECK: kernel 'hides'
// CHECK: contract: constant > 0 [constant = param 0+0:i32]
GS_LAUNCH_CONTRACT(constant > 0) __global__ void hides(int constant) {}
