# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same_ptx.sh "<clang and flags>" <plugin> <temporary name> [contracts]: the same
# PTX with and without the plugin, at each level, with and without debug information.
# With "contracts" the plugin must add descriptors, one line each, and nothing else.
set -ef
for level in -O0 -O3; do
  for debug in -g0 -g; do
    $1 $level $debug -S -o "$3.plain.ptx"
    $1 $level $debug -S -o "$3.plugin.ptx" -fplugin="$2"
    if [ "$4" = contracts ]; then
      mv "$3.plugin.ptx" "$3.with.ptx"
      sh "$(dirname "$0")/without_contracts.sh" "$3.with.ptx" > "$3.plugin.ptx"
      $1 $level $debug -S -o "$3.off.ptx" -fplugin="$2" -fplugin-arg-gpusafe-runtime=off
      cmp "$3.plain.ptx" "$3.off.ptx"
    fi
    cmp "$3.plain.ptx" "$3.plugin.ptx"
    test -s "$3.plain.ptx"
  done
done
