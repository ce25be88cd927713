// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A driver that is too old: it has hardly any entry point.
int cuInit(unsigned flags);
int cuInit(unsigned flags) { return (int)flags; }
