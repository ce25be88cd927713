// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Unordered writes that can only store one constant in one place: three levels, and what
// is no such write.

// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 -Xclang -verify-ignore-unexpected=note -Xclang -verify=note,all %s
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 \
// RUN:   -fplugin-arg-gpusafe-same-value=note -Xclang -verify-ignore-unexpected=note -Xclang -verify=note,all %s
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 \
// RUN:   -fplugin-arg-gpusafe-same-value=error -Xclang -verify-ignore-unexpected=note -Xclang -verify=error,all %s
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 \
// RUN:   -fplugin-arg-gpusafe-same-value=off -Xclang -verify-ignore-unexpected=note -Xclang -verify=all %s
// RUN: %verdicts %s --block=256 | FileCheck --check-prefixes=ALL,MILD,LIST %s
// RUN: %verdicts %s --block=256 --same-value=off | FileCheck --check-prefixes=ALL,MILD %s
// RUN: %verdicts %s --block=256 --same-value=error | FileCheck --check-prefixes=ALL,HARSH %s

// Nothing is silent: a proof that rests on it says so.
// MILD: PROVED set_flag {{.*}} assumes
// HARSH: RACE set_flag {{.*}} data-race
__global__ void set_flag(int *found, const int *a) {
  if (a[blockIdx.x * 256 + threadIdx.x] > 7)
    *found = 1; // note-remark {{same-value writes of 'found': thread (0,0,0) of block 0 and thread (1,0,0) of block 0 both write one constant to 'found[0]' [gpusafe-data-race]}}
  // error-error@-1 {{data race on 'found': thread (0,0,0) of block 0 and thread (1,0,0) of block 0 both write 'found[0]'}}
}

// Two instructions, one constant; floating point too.
// MILD: PROVED two_places
// HARSH: RACE two_places
__global__ void two_places(float *found, const float *a) {
  if (a[threadIdx.x] > 7.0f)
    *found = 0.5f; // note-remark {{same-value writes of 'found'}} error-error {{data race on 'found'}}
  else
    *found = 0.5f; // note-remark {{same-value writes of 'found'}} error-error {{data race on 'found'}}
}

// Another constant is another value.
// ALL: RACE other_constant {{.*}} data-race
__global__ void other_constant(int *found, const int *a) {
  if (a[blockIdx.x * 256 + threadIdx.x] > 7)
    *found = 1; // note-remark {{same-value writes}} error-error {{data race on 'found'}}
  else
    *found = 2; // note-remark {{same-value writes}} all-error {{data race on 'found'}}
}

// The same constant, but in overlapping parts of each other.
// ALL: RACE apart {{.*}} data-race
__global__ void apart(char *a) {
  if (threadIdx.x & 1)
    *(short *)a = 1; // note-remark {{same-value writes}} error-error {{data race on 'a'}}
  else
    *(short *)(a + 1) = 1; // note-remark {{same-value writes}} all-error {{data race on 'a'}}
}

// One number in two formats is two patterns of bits, one pattern in two types is one.
// ALL: RACE formats {{.*}} data-race
__global__ void formats(void *p) {
  if (threadIdx.x & 1)
    *(_Float16 *)p = 1.0f; // note-remark {{same-value writes}} error-error {{data race}}
  else
    *(__bf16 *)p = 1.0f; // note-remark {{same-value writes}} all-error {{data race}}
}
// MILD: PROVED patterns
// HARSH: RACE patterns
__global__ void patterns(void *p) {
  if (threadIdx.x & 1)
    *(float *)p = 1.0f; // note-remark {{same-value writes}} error-error {{data race}}
  else
    *(int *)p = 0x3f800000; // note-remark {{same-value writes}} error-error {{data race}}
}

// Who reads it without order still races.
// ALL: RACE read_too {{.*}} data-race
__global__ void read_too(int *found, int *o) {
  *found = 1; // note-remark {{same-value writes}} all-error {{data race on 'found'}}
  o[blockIdx.x * 256 + threadIdx.x] = *found;
}

// One value for all threads is not one constant.
// ALL: RACE parameter {{.*}} data-race
__global__ void parameter(int *found, int v) {
  *found = v; // all-error {{data race on 'found'}}
}

// A claim that each thread has its own elements is broken by any write.
// ALL: RACE claimed {{.*}} disjoint
__global__ void claimed(int *found __attribute__((gpusafe_disjoint("1")))) { // all-error {{disjointness is broken}}
  *found = 1;
}
// LIST: unchecked writes of the same value are harmless (line {{[0-9]+}})
// LIST: unchecked writes of the same value are harmless (lines {{[0-9]+ and [0-9]+}})
