# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same_object.sh "<clang and flags>" "<plugin's flags>" <temporary name>: the same host object
# with and without the plugin, at each level, with and without debug information.
set -ef
for level in -O0 -O3; do
  for debug in -g0 "-g -ffunction-sections -fPIC"; do
    $1 $level $debug --cuda-host-only -c -o "$3.plain.o"
    $1 $level $debug --cuda-host-only -c -o "$3.plugin.o" $2
    cmp "$3.plain.o" "$3.plugin.o"
    test -s "$3.plain.o"
  done
done
