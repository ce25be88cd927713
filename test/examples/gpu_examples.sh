#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpu_examples.sh build TOOL FOLDER: builds the host programs of the examples, with the plugin and
#   the runtime, for a machine with a GPU.
# gpu_examples.sh run FOLDER: runs them there; each checks its results. Ends with how many failed.
set -u
examples="vector_add reduce_sum transpose matmul scan histogram sparse stencil scatter softmax"
if [ "$1" = build ]; then
  tool=$2 to=$3 source=$(cd "$(dirname "$0")/../.." && pwd)
  cuda=$("$tool" config --cuda) clang=$("$tool" config --clang)
  libs="$("$tool" config --libs) -L$cuda/lib64 -lcudart_static -ldl -lrt -lpthread -lstdc++ -lm"
  mkdir -p "$to" && cp "$0" "$to" || exit 1
  for name in $examples launch_contract; do
    main=main
    [ "$name" = launch_contract ] && main=launches
    "$clang" -x cuda --cuda-gpu-arch=sm_90 --cuda-path="$cuda" -Wno-unknown-cuda-version -O3 -std=c++17 \
      $("$tool" config --cflags) -c "$source/examples/$name/$main.cu" -o "$to/$name.o" &&
      "$clang" "$to/$name.o" $libs -o "$to/$name" && rm "$to/$name.o" || exit 1
  done
  "$tool" check --quiet "--ptx=$to/saxpy.ptx" "$source/examples/driver_api/saxpy.c" &&
    "$clang" -std=c11 -O2 -I"$("$tool" config --include)" "$source/examples/driver_api/main.c" \
      $("$tool" config --libs) -lpthread -ldl -o "$to/driver_api"
  exit
fi
cd "$2" || exit 2
failures=0
try() {
  echo "== $*"
  "$@" 2>&1 || { echo "FAILED ($?)" && failures=$((failures + 1)); }
}
for name in $examples launch_contract; do
  try "./$name"
done
try ./driver_api saxpy.ptx
echo "== facts about data, verified"
GPUSAFE_CHECK_DATA=1 ./scatter 2>&1 | grep 'given twice: refused' || failures=$((failures + 1))
GPUSAFE_CHECK_DATA=1 ./sparse || failures=$((failures + 1))
echo "$failures failed"
exit $failures
