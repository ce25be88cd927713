// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -ferror-limit=0 -Xclang -verify %s
// RUN: %clang_gs -fsyntax-only -ferror-limit=0 --cuda-host-only -Xclang -verify %s
// An attribute where it means nothing says where it belongs.
#include <gpusafe.h>

struct fields {
  float *p GS_DISJOINT(1); // expected-error {{'disjoint' on a field means nothing; write GS_DISJOINT(count) on a pointer parameter of a kernel, behind its name [gpusafe-contract]}}
};
float *variable GS_EXTENT(4); // expected-error {{'extent' on a variable means nothing; write GS_EXTENT(count) on a pointer parameter of a kernel, behind its name [gpusafe-contract]}}
typedef float *type GS_EXCLUSIVE(4); // expected-error {{'exclusive' on a type means nothing; write GS_EXCLUSIVE(count, scope=block) on a pointer parameter of a kernel, behind its name [gpusafe-contract]}}

GS_DISJOINT(n) // expected-error {{'disjoint' on a function means nothing; write GS_DISJOINT(count) on a pointer parameter of a kernel, behind its name [gpusafe-contract]}}
__global__ void on_function(float *p, int n);

__global__ void on_param(float *p GS_LAUNCH_CONTRACT(n > 0), int n); // expected-error {{'launch_contract' on a parameter means nothing; write GS_LAUNCH_CONTRACT(clause, ...) on a kernel, before its declaration [gpusafe-contract]}}

__device__ void device(float *p GS_DISJOINT(n), int n); // expected-error {{'disjoint' means nothing here: 'device' is not a kernel; write it on a parameter of a __global__ function [gpusafe-contract]}}
void host(float *p GS_EXTENT(n), int n); // expected-error {{'extent' means nothing here: 'host' is not a kernel; write it on a parameter of a __global__ function [gpusafe-contract]}}
GS_LAUNCH_CONTRACT(n > 0) __device__ void device_contract(int n); // expected-error {{'launch_contract' means nothing here: 'device_contract' is not a kernel; write it on a __global__ function [gpusafe-contract]}}
GS_TRUSTED(data-race, "x") __device__ void device_trusted(int n); // expected-error {{'trusted' means nothing here: 'device_trusted' is not a kernel; write it on a __global__ function [gpusafe-contract]}}

typedef void (*function_type)(float *p GS_DISJOINT(1)); // expected-error {{this annotated parameter belongs to no kernel; write it on the kernel's own declaration, for an instance on that of its template [gpusafe-contract]}}
void callback(void (*f)(float *p GS_DISJOINT(1))); // expected-error {{this annotated parameter belongs to no kernel; write it on the kernel's own declaration, for an instance on that of its template [gpusafe-contract]}}
auto lambda = [](float *p GS_DISJOINT(1)) {}; // expected-error {{'disjoint' means nothing here: 'operator()' is not a kernel; write it on a parameter of a __global__ function [gpusafe-contract]}}

__global__ void statement(float *p) {
  GS_DISJOINT(1) p[0] = 1; // expected-error {{'disjoint' on a statement means nothing; write GS_DISJOINT(count) on a pointer parameter of a kernel, behind its name [gpusafe-contract]}}
  GS_LAUNCH_CONTRACT(1) p[0] = 1; // expected-error {{'launch_contract' on a statement means nothing; write GS_LAUNCH_CONTRACT(clause, ...) on a kernel, before its declaration [gpusafe-contract]}}
  GS_TRUSTED(data-race, "x") int local = 1; // expected-error {{'trusted' on a variable means nothing; write GS_TRUSTED(rule, "reason") on a parameter of a kernel, a kernel or a statement [gpusafe-contract]}}
}

// An instance is annotated on its template.
template <class T> __global__ void pattern(T *p, int n) {}
template GS_LAUNCH_CONTRACT(n > 0) __global__ void pattern<int>(int *p, int n); // expected-error {{'launch_contract' on an explicit instantiation means nothing; write it on the template [gpusafe-contract]}}
template __global__ void pattern<float>(float *p GS_EXTENT(n), int n); // expected-error {{this annotated parameter belongs to no kernel; write it on the kernel's own declaration, for an instance on that of its template [gpusafe-contract]}}

// Types that a pointer attribute cannot speak of.
struct incomplete;
__global__ void types(int n GS_DISJOINT(n), // expected-error {{'disjoint' belongs on a pointer parameter, and 'n' is a 'int' [gpusafe-contract]}}
                      void *p GS_DISJOINT(), // expected-error {{'disjoint' speaks of elements, and 'p' points to 'void', which has no size; give the parameter the type of its elements [gpusafe-contract]}}
                      int &r GS_EXTENT(1), // expected-error {{'extent' belongs on a pointer parameter, and 'r' is a 'int &' [gpusafe-contract]}}
                      int (*f)(int) GS_EXTENT(1), // expected-error {{'extent' speaks of elements, and 'f' points to 'int (int)', which has no size; give the parameter the type of its elements [gpusafe-contract]}}
                      float GS_EXTENT(1)); // expected-error {{'extent' belongs on a pointer parameter, and an unnamed parameter is a 'float' [gpusafe-contract]}}
__global__ void may_be_completed(incomplete *p GS_EXTENT(1));
__global__ void must_be_complete(incomplete *p GS_EXTENT(1)) {} // expected-error {{'extent' speaks of elements, and 'p' points to 'incomplete', which has no size; give the parameter the type of its elements [gpusafe-contract]}}
