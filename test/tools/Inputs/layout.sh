#!/bin/sh
# layout.sh BUILD DIR: an installation of the tool in DIR, with an empty file for
# the plugin, that a test may spoil. Clang is the stand-in beside this script.
set -e
build=$1
dir=$2
rm -rf "$dir"
mkdir -p "$dir/bin" "$dir/lib" "$dir/include" "$dir/toolkit/include"
cp "$build/bin/gpusafe" "$dir/bin/"
cp "$(dirname "$0")/stand_in_clang.sh" "$dir/bin/clang-stand-in"
chmod +x "$dir/bin/clang-stand-in"
: > "$dir/lib/libgpusafe.so"
: > "$dir/include/gpusafe.h"
: > "$dir/include/gpusafe_cuda_min.h"
: > "$dir/toolkit/include/cuda_runtime.h"
# What stands in for compilers in a scan, and the reader of compile_commands.json.
mkdir -p "$dir/libexec/gpusafe"
for name in nvcc clang++; do
  mkdir -p "$dir/libexec/gpusafe/compilers/$name"
  ln -s ../../../../bin/gpusafe "$dir/libexec/gpusafe/compilers/$name/$name"
done
[ ! -x "$build/bin/gpusafe-commands" ] || cp "$build/bin/gpusafe-commands" "$dir/bin/"
