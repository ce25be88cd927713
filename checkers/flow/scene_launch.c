// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds of every launch: contract, limits, assumptions.
#include "scene_private.h"

#include "clause_terms.h"

#include <stdlib.h>
#include <string.h>

static void add_launch(gs_scene *scene, gs_term t) {
  gs_scene_push(scene, &scene->launch, &scene->launch_count, &scene->launch_capacity, t);
}

void gs_scene_assume(gs_scene *scene, gs_term fact) {
  add_launch(scene, gs_scene_launch_term(scene, fact));
}

static void fix(gs_scene *scene, gs_term sym, uint64_t value) {
  uint32_t s = gs_scene_sym_of(scene, sym);
  if (s < scene->sym_count)
    scene->fixed[s] = gs_mk_const(scene->terms, value, gs_term_width(scene->terms, sym));
}

/// `ext(sym) == c` fixes the symbol.
static void fix_from(gs_scene *scene, gs_term fact) {
  gs_terms *t = scene->terms;
  uint64_t c = 0;
  if (!fact || !gs_term_is(t, fact, GS_OP_EQ))
    return;
  gs_node node = *gs_term_node(t, fact);
  if (!gs_term_const(t, node.arg[1], &c))
    return;
  gs_term x = node.arg[0];
  gs_node in = *gs_term_node(t, x);
  if (in.op == GS_OP_ZEXT || in.op == GS_OP_SEXT)
    x = in.arg[0];
  if (!gs_term_is(t, x, GS_OP_SYM))
    return;
  uint8_t width = gs_term_width(t, x);
  const gs_sym *sym = gs_sym_get(t, gs_scene_sym_of(scene, x));
  uint64_t low = c & gs_mask(width);
  uint64_t back = in.op == GS_OP_SEXT ? (uint64_t)gs_sign_extend(low, width) : low;
  // An impossible value stays a fact, for the contradiction to be found.
  if ((back & gs_mask(gs_term_width(t, node.arg[0]))) == c && low >= sym->lo && low <= sym->hi)
    fix(scene, x, low);
}

static void flatten_axes(gs_scene *scene) {
  gs_program *p = scene->program;
  for (uint32_t d = 0; d < 3; d++) {
    bool flat_block = !(scene->axes >> d & 1), flat_grid = !(scene->axes >> (d + 3) & 1);
    scene->flat |= flat_block || flat_grid;
    if (flat_block) {
      fix(scene, p->tid[d], 0);
      fix(scene, p->ntid[d], 1);
    }
    if (flat_grid) {
      fix(scene, p->ctaid[d], 0);
      fix(scene, p->nctaid[d], 1);
    }
  }
}

/// threads per block <= 1024 (or the kernel's launch bound).
static void add_block_limit(gs_scene *scene) {
  gs_program *p = scene->program;
  gs_terms *t = scene->terms;
  uint64_t limit = 1024;
  if (p->desc && p->desc->max_threads && p->desc->max_threads < limit)
    limit = p->desc->max_threads;
  gs_term bound = gs_mk_const(t, limit, 32);
  gs_term n[3];
  for (int d = 0; d < 3; d++)
    n[d] = gs_scene_launch_term(scene, p->ntid[d]);
  for (int d = 0; d < 3; d++)
    for (int e = d + 1; e < 3; e++)
      add_launch(scene, gs_mk_bin(t, GS_OP_ULE,
                                  gs_mk_bin_flags(t, GS_OP_MUL, n[d], n[e], GS_NUW | GS_NSW, 0),
                                  bound));
  gs_term all = gs_mk_bin_flags(t, GS_OP_MUL,
                                gs_mk_bin_flags(t, GS_OP_MUL, n[0], n[1], GS_NUW | GS_NSW, 0), n[2],
                                GS_NUW | GS_NSW, 0);
  add_launch(scene, gs_mk_bin(t, GS_OP_ULE, all, bound));
}

static void add_grid_limit(gs_scene *scene) {
  gs_program *p = scene->program;
  gs_terms *t = scene->terms;
  for (int d = 0; d < 3 && !scene->options.strict; d++) {
    gs_term n = gs_mk_cast(t, GS_OP_ZEXT, gs_scene_launch_term(scene, p->ntid[d]), 64);
    gs_term g = gs_mk_cast(t, GS_OP_ZEXT, gs_scene_launch_term(scene, p->nctaid[d]), 64);
    gs_term product = gs_mk_bin_flags(t, GS_OP_MUL, n, g, GS_NSW, 0);
    add_launch(scene, gs_mk_bin(t, GS_OP_ULE, product, gs_mk_const(t, 2147483647, 64)));
    scene->grid = true;
  }
}

static void add_clauses(gs_scene *scene) {
  const gs_kernel_desc *desc = scene->program->desc;
  scene->axes = scene->program->axes_used | 1 | 8; // x is never flat
  for (uint32_t i = 0; desc && i < desc->fact_count; i++)
    scene->axes |= gs_clause_axes(desc->facts[i].clause);
  if (scene->options.strict)
    scene->axes = 63;
}

static void add_contract(gs_scene *scene) {
  const gs_kernel_desc *desc = scene->program->desc;
  uint32_t n = desc ? desc->fact_count : 0;
  gs_term *facts = calloc(n + 1u, sizeof *facts);
  if (!facts) {
    scene->failed = true;
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    facts[i] = gs_clause_fact(scene->program, desc->facts[i].clause, scene->options.sm);
    scene->dropped |= !facts[i];
  }
  // New symbols may have appeared; constants first, so that they reach all facts.
  scene->sym_count = gs_sym_count(scene->terms);
  gs_term *fixed = realloc(scene->fixed, (scene->sym_count + 1u) * sizeof *fixed);
  if (!fixed) {
    scene->failed = true;
  } else {
    scene->fixed = fixed;
    memset(fixed, 0, (scene->sym_count + 1u) * sizeof *fixed);
    flatten_axes(scene);
    for (uint32_t i = 0; i < n; i++) {
      gs_term t = facts[i];
      for (; t && gs_term_is(scene->terms, t, GS_OP_AND); t = gs_term_node(scene->terms, t)->arg[0])
        fix_from(scene, gs_term_node(scene->terms, t)->arg[1]);
      fix_from(scene, t);
    }
    for (uint32_t i = 0; i < n; i++)
      gs_scene_add_conjuncts(scene, gs_scene_launch_term(scene, facts[i]), add_launch);
  }
  free(facts);
}

gs_term gs_scene_launch_term(gs_scene *scene, gs_term t) {
  return t ? gs_term_subst(scene->terms, t, scene->fixed, scene->sym_count) : t;
}

/// What extends a number of 32 bits is in range anyway.
static bool is_narrow(const gs_terms *t, gs_term n) {
  const gs_node *node = gs_term_node(t, n);
  return (node->op == GS_OP_SEXT || node->op == GS_OP_ZEXT) && gs_term_width(t, node->arg[0]) <= 32;
}

/// Counts of claims are part of what a launch promises: n >= 0, and the elements lie inside of
/// an allocation, so that there are fewer bytes than addresses.
static void add_counts(gs_scene *scene) {
  const gs_kernel_desc *desc = scene->program->desc;
  gs_terms *t = scene->terms;
  for (uint32_t i = 0; desc && i < desc->claim_count; i++) {
    const gs_claim *claim = &desc->claims[i];
    gs_term n = gs_clause_value(scene->program, claim->count, scene->options.sm);
    bool pointer = claim->param >= 0 && (uint32_t)claim->param < desc->param_count;
    uint32_t size = pointer ? desc->params[claim->param].elem_size : 0;
    if (!n)
      continue;
    gs_term fact = gs_mk_bin(t, GS_OP_SLE, gs_mk_const(t, 0, 64), n);
    gs_scene_add_conjuncts(scene, gs_scene_launch_term(scene, fact), add_launch);
    if (size && !is_narrow(t, n))
      gs_scene_add_conjuncts(scene,
                    gs_scene_launch_term(
                        scene, gs_mk_bin(t, GS_OP_SLE, n, gs_mk_const(t, (UINT64_C(1) << 57) / size, 64))),
                    add_launch);
  }
}

/// A loop whose test depends on its trip number alone, once the launch's constants
/// are in, is counted: `for (d = 1; d < blockDim.x; d *= 2)` with blocks of 256.
static void bound_trips(gs_scene *scene) {
  const gs_program *p = scene->program;
  uint64_t work = GS_TRIP_WORK, trips = 0;
  for (uint32_t l = 0; l < p->loop_count; l++) {
    uint32_t trip = p->loops[l].trip_sym;
    gs_term again = gs_scene_launch_term(scene, p->loops[l].again);
    if (gs_program_count_trips(scene->terms, again, trip, &work, &trips) &&
        trips < gs_sym_get(scene->terms, trip)->hi)
      gs_sym_edit(scene->terms, trip)->hi = trips;
  }
}

void gs_scene_learn_launch(gs_scene *scene) {
  gs_program *program = scene->program;
  const gs_kernel_desc *desc = program->desc;
  // Counts may name parameters the kernel does not read: make their symbols now.
  for (uint32_t i = 0; desc && i < desc->claim_count; i++)
    gs_clause_value(program, desc->claims[i].count, scene->options.sm);
  add_clauses(scene);
  add_contract(scene);
  if (scene->failed)
    return;
  add_block_limit(scene);
  add_grid_limit(scene);
  add_counts(scene);
  bound_trips(scene);
}
