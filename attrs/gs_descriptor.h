// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contract descriptors: what an object file says about an annotated kernel.
///
/// A descriptor is one block of bytes without pointers, so the same bytes serve
/// as a constant of a host object and of a device module. It starts with a
/// gs_desc_header; tables of rows follow, found by their byte offset in the
/// block; texts are offsets of NUL-terminated strings, 0 for none. All numbers
/// are 32-bit little-endian and the block is aligned to 4. A reader verifies the
/// whole block first (gs_descriptor_open): it may come from any object file.
#ifndef GS_DESCRIPTOR_H
#define GS_DESCRIPTOR_H

#include "gs_bytecode.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GS_DESCRIPTOR_MAGIC 0x44435347u ///< "GSCD"
#define GS_DESCRIPTOR_VERSION 1
#define GS_DESCRIPTOR_MAX_SIZE 1048576 ///< bytes
#define GS_DESCRIPTOR_MAX_PARAMS 1024
#define GS_DESCRIPTOR_MAX_CLAIMS 256
#define GS_DESCRIPTOR_MAX_ROWS 16384 ///< of any other table
/// Host objects list their kernels (gs_descriptor_entry) in this section.
#define GS_DESCRIPTOR_SECTION "gpusafe_kernels"
/// Device modules hold the descriptor of kernel K in the constant
/// GS_DESCRIPTOR_PREFIX K.
#define GS_DESCRIPTOR_PREFIX "__gpusafe_contract_"

/// One element of the host section: what is launched, and its descriptor.
typedef struct gs_descriptor_entry {
  const void *stub; ///< address that cudaLaunchKernel gets
  const void *descriptor;
  size_t size;
} gs_descriptor_entry;

// Numbers of the format: pinned.
typedef enum gs_desc_kind {
  GS_DESC_INT = 0, ///< integer, bool, enumeration
  GS_DESC_FLOAT = 1,
  GS_DESC_POINTER = 2,
  GS_DESC_RECORD = 3,
  GS_DESC_OTHER = 4
} gs_desc_kind;

typedef enum gs_desc_claim_kind {
  GS_DESC_DISJOINT = 0,
  GS_DESC_EXCLUSIVE = 1,
  GS_DESC_EXTENT = 2
} gs_desc_claim_kind;

enum {
  GS_DESC_CONST = 1,    ///< param: the kernel cannot write through the pointer
  GS_DESC_RESTRICT = 2, ///< param
  GS_DESC_SIGNED = 4,   ///< leaf
  // Elements of a POINTER, param or leaf, that are numbers (or enumerators, bool):
  GS_DESC_ELEM_INT = 8,
  GS_DESC_ELEM_SIGNED = 16, ///< with ELEM_INT
  GS_DESC_ELEM_FLOAT = 32
};

/// What the proof took for granted about every launch; the runtime checks it.
enum {
  GS_DESC_ASSUME_NO_ALIAS = 1, ///< pointer arguments with a count do not overlap
                               ///< where one of them may be written
  GS_DESC_ASSUME_BLOCK_Y_ONE = 2, ///< block.y == 1
  GS_DESC_ASSUME_BLOCK_Z_ONE = 4,
  GS_DESC_ASSUME_INDEX = 8, ///< grid.d * block.d <= 2^31 - 1 on every axis
  GS_DESC_ASSUME_GRID_Y_ONE = 16, ///< grid.y == 1
  GS_DESC_ASSUME_GRID_Z_ONE = 32,
  GS_DESC_CODEGEN = 64 ///< code was made from the contract: a launch that breaks it is not
                       ///< made, whatever the policy
};

typedef struct gs_desc_header {
  uint32_t magic;
  uint32_t version;
  uint32_t size; ///< of the whole block
  uint32_t assumptions;
  uint32_t name;    ///< readable
  uint32_t mangled; ///< name in the module
  uint32_t file;
  uint32_t line, column;
  uint32_t target;      ///< lowest compute capability times ten that the code is for; 0 unknown
  uint32_t verdict;     ///< of the checker, as gs_verdict; 0xFFFFFFFF when not checked
  uint8_t proof[32];    ///< identity of the proof (of several targets the sum of theirs, in
                        ///< 32-bit words); zeros when nothing was checked
  uint32_t max_threads; ///< __launch_bounds__: threads per block; 0 = not given
  uint32_t max_cluster_blocks;  ///< __launch_bounds__: blocks per cluster; 0 = not given
  uint32_t required_block[3];   ///< a block size compiled in; 0 = none
  uint32_t required_cluster[3]; ///< __cluster_dims__; 0 = none
  uint32_t static_smem;         ///< bytes per block; 0xFFFFFFFF = unknown
  uint32_t registers;           ///< per thread; 0 = unknown
  uint32_t param_count, params; ///< offset of gs_desc_param_row[]
  uint32_t leaf_count, leaves;
  uint32_t clause_count, clauses;
  uint32_t claim_count, claims;
} gs_desc_header;

typedef struct gs_desc_param_row {
  uint32_t name, type;
  uint32_t size;   ///< bytes
  uint32_t offset; ///< in the buffer of kernel parameters
  uint32_t kind;   ///< gs_desc_kind
  uint32_t flags;
  uint32_t elem_size;  ///< POINTER to complete type: bytes; else 0
  uint32_t elem_align; ///< POINTER to complete type: bytes, a power of two; else 0
} gs_desc_param_row;

/// A scalar or pointer: a parameter itself or a field of a by-value struct.
typedef struct gs_desc_leaf_row {
  uint32_t name; ///< "n", "p.width"
  uint32_t param;
  uint32_t offset; ///< bytes inside the parameter
  uint32_t bits;   ///< INT: 1 to 64
  uint32_t kind;
  uint32_t flags;
  uint32_t elem_size, elem_align; ///< POINTER, as above
} gs_desc_leaf_row;

typedef struct gs_desc_clause_row {
  uint32_t text;
  uint32_t code, code_size; ///< bytecode
  uint32_t file;
  uint32_t line, column;
} gs_desc_clause_row;

typedef struct gs_desc_claim_row {
  uint32_t kind;            ///< gs_desc_claim_kind
  uint32_t param;           ///< a POINTER
  uint32_t text;            ///< the count as written; 0 when none was given
  uint32_t code, code_size; ///< the count, in elements; size 0 when none was given
  uint32_t scope;           ///< EXCLUSIVE: 0 warp, 1 block, 2 cluster, 3 grid
  uint32_t file;
  uint32_t line, column;
} gs_desc_claim_row;

/// A verified descriptor; points into the block, which must outlive it.
typedef struct gs_descriptor {
  const unsigned char *block;
  const gs_desc_header *header;
  const gs_desc_param_row *params;
  const gs_desc_leaf_row *leaves;
  const gs_desc_clause_row *clauses;
  const gs_desc_claim_row *claims;
} gs_descriptor;

/// Verifies a block: sizes, offsets, texts, every program against the
/// parameters. After that every access through *out is in bounds.
/// \param problem receives a static text on GS_ERROR_INPUT; may be NULL.
gs_status gs_descriptor_open(const void *block, size_t size, gs_descriptor *out,
                             const char **problem);

/// \returns the text at an offset of the block, "" for 0.
static inline const char *gs_desc_text(const gs_descriptor *descriptor, uint32_t offset) {
  return offset ? (const char *)descriptor->block + offset : "";
}

/// Finds the leaf that a resolved name denotes; NULL when there is none.
const gs_desc_leaf_row *gs_desc_leaf(const gs_descriptor *descriptor, uint32_t param,
                                     uint32_t offset);

// -------------------------------------------------------------- building ----

typedef struct gs_desc_place {
  const char *file; ///< may be NULL
  uint32_t line, column;
} gs_desc_place;

typedef struct gs_desc_param {
  const char *name, *type; ///< may be NULL
  uint32_t size, offset;
  gs_desc_kind kind;
  uint32_t flags, elem_size, elem_align;
} gs_desc_param;

typedef struct gs_desc_leaf_input {
  const char *name;
  uint32_t param, offset, bits;
  gs_desc_kind kind;
  uint32_t flags, elem_size, elem_align;
} gs_desc_leaf_input;

typedef struct gs_desc_clause {
  const gs_clause *clause;
  gs_desc_place place;
} gs_desc_clause;

typedef struct gs_desc_claim {
  gs_desc_claim_kind kind;
  uint32_t param;
  const gs_clause *count; ///< NULL when none was given
  uint32_t scope;
  gs_desc_place place;
} gs_desc_claim;

/// Everything a descriptor says. `fixed` gives the plain numbers of the header;
/// its magic, version, size, texts and tables are filled in by the builder.
typedef struct gs_desc_input {
  gs_desc_header fixed;
  const char *name, *mangled;
  gs_desc_place place;
  const gs_desc_param *params;
  uint32_t param_count;
  const gs_desc_leaf_input *leaves;
  uint32_t leaf_count;
  const gs_desc_clause *clauses;
  uint32_t clause_count;
  const gs_desc_claim *claims;
  uint32_t claim_count;
} gs_desc_input;

/// Builds a descriptor. The same input gives the same bytes.
/// \param block receives the bytes; free with free().
/// \returns GS_ERROR_INPUT when the result would not verify.
gs_status gs_descriptor_build(const gs_desc_input *input, void **block, size_t *size);

/// Prints a descriptor as C source that defines it and lists it in the section of
/// the object: for kernels that another compiler built. Works like snprintf.
/// \param stub  linker symbol of what is launched
/// \param index makes the file-local names unique
size_t gs_descriptor_print_c(const void *block, size_t size, const char *stub, unsigned index,
                             char *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
