# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# levels.sh "<clang, flags and file>" <temporary name>: one warning, always the same.
set -ef
$1 -fsyntax-only > "$2.first" 2>&1
test "$(grep -c 'warning: .*gpusafe-data-race' "$2.first")" = 1
for flags in "-O0 -S" "-O1 -S" "-O2 -S -g" "-O3 -S -ffast-math" "-O3 -c -emit-llvm" "-Os -S -emit-llvm"; do
  $1 $flags -o "$2.out" > "$2.next" 2>&1
  cmp "$2.first" "$2.next"
done
