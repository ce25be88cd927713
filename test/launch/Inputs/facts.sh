#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# facts.sh COMMAND FILE [FLAG…]: what the launches of a file tell, see facts.awk.
command=$1
shift
out=$($command -fsyntax-only -fplugin-arg-gpusafe-dump -fplugin-arg-gpusafe-off "$@" 2>&1) || {
  echo "$out"
  exit 1
}
echo "$out" | awk -f "$(dirname "$0")/facts.awk"
