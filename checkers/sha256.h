// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SHA-256 (FIPS 180-4), for proof identities.
#ifndef GS_SHA256_H
#define GS_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct gs_sha256 {
  uint32_t state[8];
  uint64_t length; ///< bytes so far
  uint8_t block[64];
} gs_sha256;

void gs_sha256_init(gs_sha256 *hash);
void gs_sha256_add(gs_sha256 *hash, const void *data, size_t size);
/// Ends the computation; `hash` must be initialised again before another.
void gs_sha256_end(gs_sha256 *hash, uint8_t out[32]);

#endif
