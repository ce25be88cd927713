// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads of shared memory at an address that is one for the block: one value for the block,
/// where barriers keep all writes apart from them. See phases.md, "Common reads".
#ifndef GS_COMMON_READS_H
#define GS_COMMON_READS_H

#include "phases.h"
#include "scene.h"

/// Has the program such reads? Their values are symbols of the block's level
/// (gs_access.result), which is a guess until gs_common_reads_hold says so.
bool gs_program_reads_commonly(const gs_program *program);

/// Can this not be: two threads, at overlapping bytes? May believe no flag.
typedef bool gs_refute_case_fn(void *user, const gs_case *c);

/// What the question needs.
typedef struct gs_common_reads {
  const gs_program *program;
  const gs_phases *phases; ///< made with the guess that all values are common
  gs_scene *scene;
  gs_refute_case_fn *refute;
  void *user;
} gs_common_reads;

/// Is the value of the read one for the block, as the lowering took it to be?
bool gs_common_read_holds(const gs_common_reads *all, uint32_t access);

/// The same of all of them.
bool gs_common_reads_hold(const gs_common_reads *all);

#endif
