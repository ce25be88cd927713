# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# without_contracts.sh FILE: a PTX file but for the descriptors in it, one line each, of which
# there must be one.
grep -q __gpusafe_contract_ "$1" &&
grep -v '^\.\(visible\|weak\) \.global \.align 4 \.b8 __gpusafe_contract_[^ ]* = {[0-9, ]*};$' "$1"
