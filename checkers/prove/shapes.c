// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shapes.h"

#include <stdlib.h>
#include <string.h>

static const gs_shape flat_shapes[GS_SHAPES] = {
    {{256, 1, 1}, {2, 1, 1}}, {{32, 1, 1}, {2, 1, 1}}, {{64, 1, 1}, {3, 1, 1}}, {{1024, 1, 1}, {2, 1, 1}}};
static const gs_shape deep_shapes[GS_SHAPES] = {
    {{16, 16, 1}, {2, 2, 1}}, {{32, 8, 1}, {2, 2, 1}}, {{8, 8, 4}, {2, 2, 2}}, {{256, 1, 1}, {2, 2, 1}}};

static const gs_shape odd_shapes[2][GS_ODD_SHAPES] = {{{{33, 1, 1}, {2, 1, 1}}, {{7, 1, 1}, {4, 1, 1}}},
                                                      {{{5, 3, 1}, {2, 2, 1}}, {{3, 7, 1}, {2, 3, 1}}}};

/// The value that facts give a size; 0 when it is open.
static uint64_t fixed_size(const gs_program *p, gs_scene *scene, gs_term size) {
  uint64_t value = 0;
  return gs_term_const(p->terms, gs_scene_launch_term(scene, size), &value) ? value : 0;
}

static void fit(const gs_program *p, gs_scene *scene, gs_shape *shape) {
  uint64_t room = 1024;
  uint32_t fixed[3];
  for (int d = 0; d < 3; d++) {
    fixed[d] = (uint32_t)fixed_size(p, scene, p->ntid[d]);
    room /= fixed[d] ? fixed[d] : 1;
  }
  for (int d = 0; d < 3; d++) {
    uint32_t grid = (uint32_t)fixed_size(p, scene, p->nctaid[d]);
    if (grid)
      shape->grid[d] = grid;
    if (fixed[d]) {
      shape->block[d] = fixed[d];
    } else {
      if (shape->block[d] > room)
        shape->block[d] = room ? (uint32_t)room : 1;
      room /= shape->block[d];
    }
  }
}

/// Do facts fix the whole block? \param deep receives whether more than .x is open
static bool is_fixed(const gs_program *program, gs_scene *scene, bool *deep) {
  bool fixed = true;
  *deep = false;
  for (int d = 0; d < 3; d++) {
    bool open = !fixed_size(program, scene, program->ntid[d]);
    *deep |= d > 0 && open;
    fixed &= !open;
  }
  return fixed;
}

bool gs_odd_shapes(const gs_program *program, gs_scene *scene, gs_shape out[GS_ODD_SHAPES]) {
  bool deep, fixed = is_fixed(program, scene, &deep);
  for (int i = 0; i < GS_ODD_SHAPES; i++) {
    out[i] = odd_shapes[deep][i];
    fit(program, scene, &out[i]);
  }
  return fixed;
}

bool gs_shapes(const gs_program *program, gs_scene *scene, gs_shape out[GS_SHAPES]) {
  bool deep, fixed = is_fixed(program, scene, &deep);
  for (int i = 0; i < GS_SHAPES; i++) {
    out[i] = deep ? deep_shapes[i] : flat_shapes[i];
    fit(program, scene, &out[i]);
  }
  return fixed;
}

static void suggest(const gs_program *p, gs_scene *scene, uint32_t x, uint32_t y, bool deep,
                    gs_shape *out, uint32_t *count) {
  gs_shape shape = {{x, y, 1}, {2, deep ? 2 : 1, 1}};
  if (*count == GS_MORE_SHAPES || x * y > 1024 || x * y < 2)
    return;
  fit(p, scene, &shape);
  for (uint32_t i = 0; i < *count; i++)
    if (memcmp(&out[i], &shape, sizeof shape) == 0)
      return;
  out[(*count)++] = shape;
}

uint32_t gs_more_shapes(const gs_program *program, gs_scene *scene, gs_shape out[GS_MORE_SHAPES]) {
  uint32_t count = 0;
  bool deep = !fixed_size(program, scene, program->ntid[1]);
  for (uint32_t i = 0; i < program->object_count; i++) {
    const gs_object *o = &program->objects[i];
    if (o->kind != GS_OBJECT_SHARED || !o->elem_size || o->size / o->elem_size > 4096)
      continue;
    uint32_t n = (uint32_t)(o->size / o->elem_size), side = 1;
    while ((side + 1) * (side + 1) <= n)
      side++;
    suggest(program, scene, n, 1, deep, out, &count);
    if (deep) {
      suggest(program, scene, side, side, deep, out, &count);
      suggest(program, scene, side, 1, deep, out, &count);
    }
  }
  return count;
}

bool gs_shape_case(const gs_program *program, const gs_case *c, gs_term extra,
                   const gs_shape *shape, bool grid, gs_shaped *out) {
  gs_terms *terms = program->terms;
  uint32_t syms = gs_sym_count(terms);
  gs_term *map = calloc(syms + 1u, sizeof *map);
  gs_subst *subst = map ? gs_subst_new(terms, map, syms) : NULL;
  *out = (gs_shaped){.c = *c};
  out->facts = malloc((c->fact_count + 1) * sizeof *out->facts);
  bool fine = subst && out->facts;
  for (int d = 0; d < 3 && fine; d++) {
    uint32_t block = (uint32_t)gs_term_node(terms, program->ntid[d])->value;
    uint32_t blocks = (uint32_t)gs_term_node(terms, program->nctaid[d])->value;
    map[block] = gs_mk_const(terms, shape->block[d], 32);
    out->pins[out->pin_count++] = (gs_pin){block, shape->block[d]};
    if (!grid)
      continue;
    map[blocks] = gs_mk_const(terms, shape->grid[d], 32);
    out->pins[out->pin_count++] = (gs_pin){blocks, shape->grid[d]};
  }
  for (size_t i = 0; i < c->fact_count && fine; i++)
    fine = (out->facts[i] = gs_subst_apply(subst, c->facts[i])) != GS_NO_TERM;
  for (int who = 0; who < 2 && fine; who++) {
    if (c->offset[who])
      out->c.offset[who] = gs_subst_apply(subst, c->offset[who]);
    if (c->size[who])
      out->c.size[who] = gs_subst_apply(subst, c->size[who]);
  }
  if (fine && extra)
    out->extra = gs_subst_apply(subst, extra);
  out->c.facts = out->facts;
  gs_subst_free(subst);
  free(map);
  if (!fine || gs_terms_failed(terms)) {
    gs_shaped_free(out);
    return false;
  }
  return true;
}

void gs_shaped_free(gs_shaped *shaped) {
  free(shaped->facts);
  shaped->facts = NULL;
}
