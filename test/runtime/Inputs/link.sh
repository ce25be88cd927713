# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# link.sh <clang> <source tree> <folder of gpusafe's runtime, or none> arguments: a program
# over the stand-in for the CUDA runtime. Libraries come behind what needs them.
clang=$1 inputs=$2/test/runtime runtime=$3
shift 3
libraries="$runtime/libgpusafe_cuda.a $runtime/libgpusafe_rt.a"
[ "$runtime" != none ] || libraries=
exec $clang -fPIC "$@" "$inputs/fake_cudart.c" "$inputs/Inputs/chevrons.c" $libraries -lpthread -ldl
