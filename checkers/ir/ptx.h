// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Inline PTX as statements, and what each does to memory. Works on the text and the
/// constraints alone; nothing here knows LLVM.
///
/// Source: PTX ISA 8.8, chapters 9.7.9 (data movement), 9.7.13 (parallel synchronisation
/// and communication).
#ifndef GS_PTX_H
#define GS_PTX_H

#include "matrix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GS_PTX_EFFECTS = 16, GS_PTX_WORD = 32 };

typedef enum gs_ptx_kind {
  GS_PTX_LOAD,
  GS_PTX_STORE,
  GS_PTX_ATOMIC, ///< atom and red
  GS_PTX_COPY,   ///< cp.async: `address` from `source`, completes later
  GS_PTX_COMMIT, ///< what was started so far is one group
  GS_PTX_WAIT,   ///< until at most `groups` of the latest groups are in flight
  GS_PTX_MATRIX, ///< a load or store of `matrix` by the warp
  GS_PTX_TEXTURE ///< reads what a texture or surface object stands for
} gs_ptx_kind;

typedef enum gs_ptx_space {
  GS_PTX_GENERIC,
  GS_PTX_GLOBAL,
  GS_PTX_SHARED,
  GS_PTX_OTHER ///< local, constant or parameter space
} gs_ptx_space;

typedef enum gs_ptx_scope { GS_PTX_CTA, GS_PTX_CLUSTER, GS_PTX_GPU, GS_PTX_SYS } gs_ptx_scope;

/// An address: what an operand of the assembly had at the beginning, plus a constant.
typedef struct gs_ptx_address {
  bool known;
  unsigned operand; ///< number in the text, `$3`
  int64_t offset;
} gs_ptx_address;

typedef struct gs_ptx_effect {
  gs_ptx_kind kind;
  gs_ptx_space space; ///< of `address`; the source of a copy is global
  gs_ptx_scope scope; ///< of atomics, and of loads and stores that are relaxed or stronger
  gs_ptx_address address, source;
  uint32_t size; ///< bytes
  gs_ptx_address read; ///< COPY: a value that is how many of them are read (the rest is zeros)
  bool partly;         ///< COPY: not all bytes are read; how many, `read` may say
  int64_t reads;       ///< the same where it is a constant; else negative
  gs_matrix matrix;
  gs_ptx_address stride; ///< MATRIX: a value, of elements
  uint32_t groups;
  bool is_volatile;
  bool is_strong;  ///< ld, st: relaxed or stronger
  bool orders;     ///< an acquire or release
  bool all;        ///< WAIT: also for what is in no group
  bool predicated; ///< may not happen
} gs_ptx_effect;

typedef struct gs_ptx {
  gs_ptx_effect effects[GS_PTX_EFFECTS];
  uint32_t count;
  uint32_t statements; ///< that do something, declarations left out
  char unknown[GS_PTX_WORD]; ///< the first opcode that was not understood; "" = none
} gs_ptx;

/// Does an opcode (up to its first dot) name something that this file understands?
bool gs_ptx_touches_memory(const char *opcode);

/// Reads the text. Opcodes that touch no memory are the caller's to judge: they only
/// carry values on. \param immediate value of operand n when it is a constant, else a
/// negative number; may be called for any n.
typedef int64_t (*gs_ptx_immediate_fn)(void *user, unsigned operand);
void gs_ptx_parse(const char *text, size_t length, gs_ptx_immediate_fn immediate, void *user,
                  gs_ptx *out);

#endif
