#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpu_run.sh collect BUILD FOLDER: puts the programs for a machine with a GPU into a folder,
#   after `ninja rt_gpu` and the lit tests runtime/gpu_launches.cu and runtime/gpu_nvcc.test.
# gpu_run.sh run FOLDER: runs them there; logs go to the folder's parts, a summary to stdout.
set -u
if [ "$1" = collect ]; then
  build=$2 to=$3 lit=$2/test/runtime/Output
  mkdir -p "$to" &&
  cp "$build/runtime/gpu_test" "$build/runtime/gpu_bench" "$build/runtime/gpu_wrap" \
    "$build/runtime/gpu_kernels.ptx" "$build/runtime/examples/example_launches" \
    "$build/runtime/examples/example_smallest" "$to" &&
  cp "$lit/gpu_launches.cu.tmp" "$to/gpu_launches" &&
  cp "$lit/gpu_nvcc.test.tmp" "$to/gpu_nvcc" &&
  cp "$lit/gpu_example.test.tmp" "$to/example_cuda" &&
  cp "$(dirname "$0")/../../examples/launch_contract/vector_add.ptx" "$0" "$to"
  exit
fi
cd "$2" || exit 2
failures=0
try() { # name, command
  name=$1
  shift
  if "$@" > "$name.log" 2>&1; then
    echo "ok      $name"
  else
    echo "FAILED  $name ($?)" && tail -15 "$name.log"
    failures=$((failures + 1))
  fi
}
try gpu_test ./gpu_test gpu_kernels.ptx
try gpu_launches ./gpu_launches
try gpu_nvcc ./gpu_nvcc
try gpu_wrap ./gpu_wrap
try example_smallest ./example_smallest vector_add.ptx
try example_launches ./example_launches vector_add.ptx
try example_cuda ./example_cuda
try gpu_launches_data env GPUSAFE_CHECK_DATA=1 ./gpu_launches
cat example_smallest.log example_cuda.log
if command -v compute-sanitizer > /dev/null; then
  quiet="compute-sanitizer --report-api-errors no --error-exitcode 9"
  try sanitize_test $quiet ./gpu_test gpu_kernels.ptx
  try sanitize_launches $quiet ./gpu_launches
  try sanitize_race $quiet --tool racecheck ./gpu_launches
  try sanitize_example $quiet ./example_cuda
else
  echo "no compute-sanitizer"
fi
try gpu_bench ./gpu_bench gpu_kernels.ptx
cat gpu_bench.log
echo "$failures failed"
exit $failures
