// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe replay`: a witness, or a launch by hand, as a story of two threads.
// REQUIRES: clang
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu && cd %t
// RUN: %exits 1 %gpusafe check --json=r.json --no-times k.cu > /dev/null 2>&1
// RUN: %exits 1 %gpusafe replay r.json | FileCheck --check-prefix=STORY %s
// RUN: %exits 1 %gpusafe replay r.json --finding=2 | FileCheck --check-prefix=MEMORY %s
// RUN: %exits 1 %gpusafe report --json=scan.json r.json
// RUN: %exits 1 %gpusafe replay scan.json | FileCheck --check-prefix=STORY %s
// RUN: %exits 1 %gpusafe replay scan.json --finding=2 | FileCheck --check-prefix=MEMORY %s
// RUN: %exits 2 %gpusafe replay scan.json --finding=9 2>&1 | grep -x 'gpusafe: error: scan.json: there are 2 findings with a witness'
// RUN: %exits 1 %gpusafe replay r.json --html=r.html | FileCheck --check-prefix=STORY %s
// RUN: FileCheck --check-prefix=HTML --input-file=r.html %s
// RUN: %exits 1 %gpusafe replay r.json --finding=2 --cuda=- | FileCheck --check-prefix=CUDA %s
//
// By hand: the whole launch is run, and the first conflict shown.
// RUN: %exits 1 %gpusafe replay k.cu --kernel=shifted --grid=1 --block=64 --arg=n=64 | FileCheck --check-prefix=HAND %s
// RUN: %exits 0 %gpusafe replay k.cu --kernel=shifted --grid=1 --block=64 --arg=n=0 | FileCheck --check-prefix=NONE %s
// RUN: %exits 1 %gpusafe replay k.cu --kernel=scattered --block=64 --arg=n=2 "--memory=to[1]=5" "--memory=to[0]=5" | FileCheck --check-prefix=SET %s
// RUN: %exits 0 %gpusafe replay k.cu --kernel=scattered --block=64 --arg=n=2 "--memory=to[1]=5" | FileCheck --check-prefix=NONE %s
//
// STORY: k.cu: data race on 's': thread (0,0,0) of block 0 reads 's[1]' and thread (1,0,0) of block 0 writes it
// STORY-NEXT: kernel shifted, grid {{.*}}, block {{.*}}
// STORY-NEXT: with n = {{[0-9]+}}
// STORY: A: thread (0,0,0) of block (0,0,0) {{ *}}| B: thread (1,0,0) of block (0,0,0)
// STORY: __syncthreads();  <- barrier {{ *}}| {{.*}}<- barrier
// STORY: s[t] = s[t + 1];
// STORY: reads s[1] = {{.*}}<=={{.*}}reads s[2]
// STORY: | {{ *}}writes s[1] = {{.*}} <==
// STORY: confirmed: at s[1], A reads at line [[#]] and B writes at line [[#]]; no barrier is between the two, so either may come first
//
// MEMORY: data race on 'o'
// MEMORY: reads to[0] = {{[0-9]+}}
// MEMORY: writes o[{{.*}} <==
// MEMORY: confirmed: at o[{{[0-9]+}}], A writes
//
// HTML: <!doctype html>
// HTML: shifted
// HTML: <svg
// HTML: <g class="hit"><rect
// HTML-SAME: <title>s[1]
// HTML-NOT: if (t + 1 < n && t
// HTML: if (t + 1 &lt; n &amp;&amp; t
// HTML: <td class="hit">
//
// CUDA: // {{.*}}data race on 'o'
// CUDA: #define main gpusafe_main_of_the_source
// CUDA: __global__ void scattered
// CUDA: #undef main
// CUDA: const dim3 grid(
// CUDA: const void *kernel = (const void *)scattered;
// CUDA: static gpusafe_buffer buffers[] = {
// CUDA-NEXT: {"o",
// CUDA-NEXT: {"to",
// CUDA: void *arguments[] = {argument0, argument1, argument2, nullptr};
//
// HAND: k.cu: data race on 's'
// HAND: kernel shifted, grid 1x1x1, block 64x1x1
// HAND: confirmed: at s[
// NONE: no conflict in this launch
// SET: confirmed: at o[5]
//
// What is wrong is said.
// RUN: %exits 2 %gpusafe replay r.json --finding=9 2>&1 | FileCheck --check-prefix=FEW %s
// FEW: gpusafe: error: r.json: there are 2 findings with a witness
// RUN: echo '{"reports": []}' > empty.json
// RUN: %exits 2 %gpusafe replay empty.json 2>&1 | FileCheck --check-prefix=EMPTY %s
// EMPTY: there is no finding with a witness that can be run
// RUN: echo 'nonsense' > bad.json
// RUN: %exits 2 %gpusafe replay bad.json 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: gpusafe: error: bad.json:1:
// RUN: %exits 2 %gpusafe replay missing.json 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: gpusafe: error: missing.json: No such file
// RUN: %exits 2 %gpusafe replay k.cu --kernel=nobody --block=1 2>&1 | FileCheck --check-prefix=NOBODY %s
// NOBODY: there is no kernel 'nobody'
// RUN: %exits 2 %gpusafe replay k.cu --kernel=shifted --block=1 --arg=n=abc 2>&1 | FileCheck --check-prefix=BADVALUE %s
// RUN: %exits 2 %gpusafe replay k.cu --kernel=shifted --block=1 --arg=n=1e9 2>&1 | FileCheck --check-prefix=BADVALUE %s
// RUN: %exits 2 %gpusafe replay k.cu --kernel=shifted --block=1 --arg=n=99999999999999999999 2>&1 | FileCheck --check-prefix=BADVALUE %s
// RUN: %exits 2 %gpusafe replay k.cu --kernel=shifted --block=1 --arg=n=4294967296 2>&1 | FileCheck --check-prefix=BADVALUE %s
// BADVALUE: error: --arg: '{{.*}}' is no 32-bit value for 'n'
// RUN: %exits 2 %gpusafe replay k.cu --kernel=shifted --block=1 --arg=m=3 2>&1 | FileCheck --check-prefix=NOARG %s
// NOARG: the kernel has no parameter 'm'
// RUN: %exits 2 %gpusafe replay k.cu --kernel=shifted --block=0 2>&1 | FileCheck --check-prefix=NOSIZE %s
// NOSIZE: '0' is no size
// RUN: %exits 2 %gpusafe replay k.cu --kernel=shifted 2>&1 | FileCheck --check-prefix=LESS %s
// LESS: a launch by hand needs --kernel, --block and --grid
// RUN: %exits 2 %gpusafe replay k.cu --kernel=shifted --block=1 --arg=n 2>&1 | FileCheck --check-prefix=NOVALUE %s
// NOVALUE: --arg is NAME=VALUE, not 'n'
// RUN: %exits 0 %gpusafe replay --help | FileCheck --check-prefix=HELP %s
// HELP: usage: gpusafe replay REPORT.json
//
// A report whose source is another one by now.
// RUN: sed -e 's/shifted/renamed/' k.cu > other.cu && mv other.cu k.cu
// RUN: %exits 2 %gpusafe replay r.json 2>&1 | FileCheck --check-prefix=CHANGED %s
// CHANGED: there is no kernel '{{.*}}shifted{{.*}}'

__global__ void shifted(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 64)
    s[t] = t;
  __syncthreads();
  if (t + 1 < n && t < 63)
    s[t] = s[t + 1];
  __syncthreads();
  if (t < 64)
    out[blockIdx.x * 64 + t] = s[t];
}

__global__ void scattered(int *o, const int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[to[i]] = i;
}
