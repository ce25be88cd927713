// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -ferror-limit=0 -Xclang -verify %s
// Names in a clause: what has no value at launch says so.
#include <gpusafe.h>

int variable = 3;
extern const int elsewhere;
const float real = 1;
struct inner { float f; int i; };
struct outer { inner in; float *p; int a[2]; };

GS_LAUNCH_CONTRACT(m > 0) // expected-error {{unknown name 'm' [gpusafe-contract]}}
__global__ void unknown(int n);
GS_LAUNCH_CONTRACT(heigth > 0) // expected-error {{unknown name 'heigth'; did you mean 'height'? [gpusafe-contract]}}
__global__ void misspelt(int width, int height);
GS_LAUNCH_CONTRACT(w > 0) // expected-error {{'w' is a 'float'; a clause computes with integers, bools and enumerators [gpusafe-contract]}}
__global__ void floating(float w);
GS_LAUNCH_CONTRACT(p > 0) // expected-error {{'p' is a pointer; a contract can use aligned(p, bytes), extent(p) or a fact about its data [gpusafe-contract]}}
__global__ void pointer(float *p);
GS_LAUNCH_CONTRACT(r > 0) // expected-error {{'r' is of type 'int &'; a clause cannot read through a reference [gpusafe-contract]}}
__global__ void reference(int &r);
GS_LAUNCH_CONTRACT(threadIdx.x < 32) // expected-error {{unknown name 'threadIdx.x'; a contract speaks of the whole launch, not of one thread [gpusafe-contract]}}
__global__ void thread(int n);
GS_LAUNCH_CONTRACT(blockDim.x == 32) // expected-error {{unknown name 'blockDim.x'; write block.x, block.y, block.z [gpusafe-contract]}}
__global__ void block(int n);
GS_LAUNCH_CONTRACT(n > variable) // expected-error {{'variable' is a variable; a clause can only use what is known at launch: parameters and constants [gpusafe-contract]}}
__global__ void not_constant(int n);
GS_LAUNCH_CONTRACT(n > elsewhere) // expected-error {{'elsewhere' has no value that is known at compile time [gpusafe-contract]}}
__global__ void no_value(int n);
GS_LAUNCH_CONTRACT(n > real) // expected-error {{'real' is no integer; a clause computes with integers, bools and enumerators [gpusafe-contract]}}
__global__ void real_constant(int n);
GS_LAUNCH_CONTRACT(n > unknown) // expected-error {{'unknown' is no parameter of the kernel and no constant [gpusafe-contract]}}
__global__ void function(int n);
GS_LAUNCH_CONTRACT(n > later) // expected-error {{unknown name 'later' [gpusafe-contract]}}
__global__ void too_early(int n);
const int later = 1;
GS_LAUNCH_CONTRACT(o.in.f > 0) // expected-error {{'o.in.f' is no integer; a clause computes with integers, bools and enumerators [gpusafe-contract]}}
__global__ void float_field(outer o);
GS_LAUNCH_CONTRACT(o.in.j > 0) // expected-error {{'in.j' is no scalar field of 'outer' [gpusafe-contract]}}
__global__ void no_field(outer o);
GS_LAUNCH_CONTRACT(o.a[2] > 0) // expected-error {{'a[2]' is no scalar field of 'outer' [gpusafe-contract]}}
__global__ void past_array(outer o);
GS_LAUNCH_CONTRACT(o > 0) // expected-error {{'o' is a 'outer'; a clause computes with integers, bools and enumerators [gpusafe-contract]}}
__global__ void whole_record(outer o);
GS_LAUNCH_CONTRACT(n < big) // expected-error {{unknown name 'big' [gpusafe-contract]}}
__global__ void shadowed(int n);
namespace other { constexpr int big = 4; }
constexpr unsigned long long huge = 1ull << 63;
GS_LAUNCH_CONTRACT(n < huge) // expected-error {{'huge' is 9223372036854775808, which does not fit into 64 signed bits [gpusafe-contract]}}
__global__ void too_big(int n);
GS_LAUNCH_CONTRACT(n < sizeof(nothing)) // expected-error {{sizeof takes a built-in type, as in sizeof(float) [gpusafe-contract]}}
__global__ void no_type(int n);
