// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads and stores of matrices by a whole warp, read from the name of an intrinsic or an opcode.
///
/// Source: PTX ISA 8.8, chapter 9.7.14 (warp-level matrix instructions).
#ifndef GS_MATRIX_H
#define GS_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gs_matrix {
  bool is_write;
  bool is_rows;    ///< ldmatrix, stmatrix: `lanes` lanes say where a row of 16 bytes is
  uint32_t lanes;
  // wmma: `outer` runs of `inner` elements, a stride of elements apart.
  uint32_t outer, inner, bits;
  bool has_stride; ///< else runs follow each other
  uint32_t key;    ///< matrices of one key are spread over the lanes alike; never 0
} gs_matrix;

/// Reads "wmma.m16n16k16.load.a.row.stride.f16.p0" or "ldmatrix.sync.aligned.m8n8.x4.shared.b16".
/// \returns false when it is no such load or store, or one of a shape that is not known.
bool gs_matrix_read(const char *text, size_t length, gs_matrix *out);

#endif
