// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What makes a witness easy to follow, as terms for the solver.
#ifndef GS_WISHES_H
#define GS_WISHES_H

#include "scene.h"

enum { GS_MAX_WISHES = 24 };

/// What a solver should make true where it can, for a witness that a person can follow: few
/// blocks, low indices, first iterations. \returns how many.
/// \param hard what has to be true
size_t gs_friendly_wishes(const gs_program *program, gs_scene *scene, const gs_case *c, const gs_term *hard,
                          size_t hard_count, gs_term list[GS_MAX_WISHES]);

#endif
