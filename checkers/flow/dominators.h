// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Questions about the paths of a program's control-flow graph.
#ifndef GS_DOMINATORS_H
#define GS_DOMINATORS_H

#include "program.h"

typedef struct gs_dominators gs_dominators;

/// \returns NULL when memory is short. Free with gs_dominators_free.
gs_dominators *gs_dominators_new(const gs_program *program);
void gs_dominators_free(gs_dominators *dominators);

/// The nearest other block that every path from the entry to `block` passes; GS_NONE for the
/// entry and what it does not reach. From Cooper, Harvey, Kennedy: A Simple, Fast Dominance
/// Algorithm.
uint32_t gs_dominator_of(const gs_dominators *dominators, uint32_t block);

/// Marks in `out` (one byte for each block) what paths from `from` reach that take no back
/// edge of a loop, `from` included. \returns false when memory is short.
bool gs_reach_ahead(const gs_program *program, uint32_t from, unsigned char *out);

/// Does a path lead from `from` to `to` (or are they the same) that takes no back edge of a
/// loop? False also when memory is short.
bool gs_path_ahead(const gs_program *program, uint32_t from, uint32_t to);

#endif
