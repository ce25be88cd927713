// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the fuzzers of the contract language check; each aborts when it finds
/// a fault. Fed by libFuzzer (contract_fuzz_*.c) or by contract_fuzz_driver.c.
#ifndef GS_CONTRACT_FUZZ_H
#define GS_CONTRACT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/// Any text: parses or is refused with a message; what parses prints to a fixed
/// point, compiles to a program that verifies, and evaluates to what a direct
/// walk over the tree in 128-bit arithmetic gives. \returns 1 when it parsed.
int fuzz_text(const uint8_t *data, size_t size);

/// Any bytes as a program: refused, or runs inside its bounds (the arguments
/// are heap blocks of their exact sizes). \returns 1 when it verified.
int fuzz_code(const uint8_t *data, size_t size);

#endif
