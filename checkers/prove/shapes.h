// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launch shapes that people use, and a case with the sizes of one put in.
#ifndef GS_SHAPES_H
#define GS_SHAPES_H

#include "scene.h"
#include "search.h"

enum { GS_SHAPES = 4, GS_MORE_SHAPES = 4, GS_ODD_SHAPES = 2 };

typedef struct gs_shape {
  uint32_t block[3], grid[3];
} gs_shape;

/// Shapes in which most conflicts show, each with the sizes that facts fix and
/// at most 1,024 threads. \returns true when facts fix the whole block: then
/// they differ in the grid only.
bool gs_shapes(const gs_program *program, gs_scene *scene, gs_shape out[GS_SHAPES]);

/// Shapes that the kernel itself suggests: the sizes of its shared arrays.
/// \returns how many.
uint32_t gs_more_shapes(const gs_program *program, gs_scene *scene, gs_shape out[GS_MORE_SHAPES]);

/// Sizes that are no powers of two, for conflicts that only such blocks show. \returns true
/// when facts fix the whole block.
bool gs_odd_shapes(const gs_program *program, gs_scene *scene, gs_shape out[GS_ODD_SHAPES]);

/// A case in one shape: its launch sizes are constants.
typedef struct gs_shaped {
  gs_case c;
  gs_term extra;
  gs_term *facts; ///< owned
  gs_pin pins[GS_SEARCH_PINS]; ///< the symbols that were replaced, with their values
  uint32_t pin_count;
} gs_shaped;

/// \param grid put the sizes of the grid in too. \returns false when memory is
/// short. Free with gs_shaped_free.
bool gs_shape_case(const gs_program *program, const gs_case *c, gs_term extra,
                   const gs_shape *shape, bool grid, gs_shaped *out);
void gs_shaped_free(gs_shaped *shaped);

#endif
