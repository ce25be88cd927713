// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEXT_FUZZ_H
#define TEXT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/// Parses; what parses must print and parse again as the same bytes, and is checked with
/// a small budget. Aborts when not. \returns 1 when it parsed.
int fuzz_kernel_text(const uint8_t *data, size_t size);

#endif
