#!/bin/sh
# Stands in for nvcc: writes its arguments to what -o names, and ends as NVCC_EXIT says.
out=
previous=
for arg do
  [ "$previous" != -o ] || out=$arg
  previous=$arg
done
[ -z "$out" ] || printf '%s\n' "$0" "$@" > "$out"
exit "${NVCC_EXIT:-0}"
