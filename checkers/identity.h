// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Proof identities: a hash of all that a verdict is about, so that what ships can be
/// told to be what was proved.
///
/// It covers the code (whoever lowers a kernel adds that), the target, what the source
/// says of the kernel, the options that can change a verdict, and the verdict with its
/// assumptions. Places in the source take no part: code that only moves keeps its
/// identity. How much work may be spent takes none either: what comes of it does.
#ifndef GS_IDENTITY_H
#define GS_IDENTITY_H

#include "gs.h"
#include "sha256.h"

/// Starts the identity of a kernel.
void gs_identity_begin(gs_sha256 *hash);
/// Adds a text or bytes so that no two sequences of additions read the same.
void gs_identity_text(gs_sha256 *hash, const char *text);
void gs_identity_bytes(gs_sha256 *hash, const void *data, size_t size);
void gs_identity_number(gs_sha256 *hash, uint64_t number);
/// Adds everything but the code, and fills out->proof.
/// \param desc NULL when the source told nothing
/// \param out  complete but for that
void gs_identity_end(gs_sha256 *hash, const gs_input *input, const gs_kernel_desc *desc,
                     gs_kernel_result *out);

#endif
