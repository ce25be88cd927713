# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same_ptx.sh "<clang and flags>" <plugin> <temporary name> [extra flags]: the same
# PTX with and without the plugin, at each level, with and without debug information.
set -ef
for level in -O0 -O3; do
  for debug in -g0 -g; do
    $1 $level $debug -S -o "$3.plain.ptx" $4
    $1 $level $debug -S -o "$3.plugin.ptx" -fplugin="$2" $4
    cmp "$3.plain.ptx" "$3.plugin.ptx"
    test -s "$3.plain.ptx"
  done
done
