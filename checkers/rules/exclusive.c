// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exclusive: a byte of the parameter that one instance of a scope writes, atomics
// included, is not accessed by another; inside of an instance there are no races; the
// memory is no other argument's. The page is exclusive.md.
#include "owners.h"
#include "pairs.h"

#include "clause_terms.h"

/// A pair of threads inside of one instance, or of two.
typedef struct part {
  const char *what, *headline, *advice;
  bool own; ///< of one instance: order excuses
  bool inside_block, across_blocks;
  gs_pair_group group;
} part;

enum { MAX_PARTS = 3 };

static const part block_parts[] = {
    {.what = "that each block has its own elements of",
     .headline = "ownership by block is broken on",
     .advice = "another block may not touch what a block writes, by atomic operations neither: "
               "give each block its own elements, or read from an array that this launch does not "
               "write",
     .across_blocks = true},
    {.what = "absence of data races inside of a block on",
     .headline = "data race inside of a block on",
     .own = true,
     .inside_block = true}};

static const part warp_parts[] = {
    {.what = "that each warp has its own elements of",
     .headline = "ownership by warp is broken on",
     .advice = "another warp may not touch what a warp writes, by atomic operations neither: give "
               "each warp its own elements (the linear thread number divided by 32), or claim "
               "scope=block",
     .across_blocks = true},
    {.what = "that each warp has its own elements of",
     .headline = "ownership by warp is broken on",
     .advice = "another warp may not touch what a warp writes, by atomic operations neither: give "
               "each warp its own elements (the linear thread number divided by 32), or claim "
               "scope=block",
     .inside_block = true,
     .group = GS_GROUP_OTHER_WARP},
    {.what = "absence of data races inside of a warp on",
     .headline = "data race inside of a warp on",
     .own = true,
     .inside_block = true,
     .group = GS_GROUP_SAME_WARP}};

static const part cluster_parts[] = {
    {.what = "that each cluster has its own elements of",
     .headline = "ownership by cluster is broken on",
     .advice = "another cluster may not touch what a cluster writes, by atomic operations neither: "
               "give each cluster its own elements",
     .across_blocks = true,
     .group = GS_GROUP_OTHER_CLUSTER},
    {.what = "absence of data races inside of a cluster on",
     .headline = "data race inside of a cluster on",
     .own = true,
     .across_blocks = true,
     .group = GS_GROUP_SAME_CLUSTER},
    {.what = "absence of data races inside of a cluster on",
     .headline = "data race inside of a cluster on",
     .own = true,
     .inside_block = true}};

static const part grid_parts[] = {{.what = "absence of data races on",
                                   .headline = "data race on",
                                   .own = true,
                                   .inside_block = true,
                                   .across_blocks = true}};

static const part *parts_of(gs_scope scope, uint32_t *count) {
  switch (scope) {
  case GS_SCOPE_WARP: *count = sizeof warp_parts / sizeof *warp_parts; return warp_parts;
  case GS_SCOPE_BLOCK: *count = sizeof block_parts / sizeof *block_parts; return block_parts;
  case GS_SCOPE_CLUSTER: *count = sizeof cluster_parts / sizeof *cluster_parts; return cluster_parts;
  case GS_SCOPE_GRID: break;
  }
  *count = 1;
  return grid_parts;
}

static void check_owners(gs_kernel *k, const gs_claim *claim) {
  gs_pair_query queries[MAX_PARTS];
  uint32_t count = 0;
  const part *parts = parts_of(claim->scope, &count);
  for (uint32_t i = 0; i < count; i++)
    queries[i] = (gs_pair_query){.rule = GS_RULE_EXCLUSIVE,
                                 .what = parts[i].what,
                                 .headline = parts[i].headline,
                                 .param = claim->param,
                                 .claim = claim->loc,
                                 .atomics_count = !parts[i].own,
                                 .barriers_order = parts[i].own,
                                 .inside_block = parts[i].inside_block,
                                 .across_blocks = parts[i].across_blocks,
                                 .group = parts[i].group,
                                 .advice = parts[i].advice};
  gs_check_pairs(k, queries, count);
}

/// Could another argument point to the same memory? Another pointer, or one in a struct.
static bool has_other_pointer(const gs_kernel_desc *desc, int32_t param) {
  for (uint32_t i = 0; i < desc->param_count; i++) {
    const gs_param_desc *p = &desc->params[i];
    if ((int32_t)i != param && p->kind == GS_TYPE_POINTER)
      return true;
    for (uint32_t f = 0; f < p->field_count; f++)
      if (p->fields[f].kind == GS_TYPE_POINTER)
        return true;
  }
  return false;
}

static bool has_global(const gs_program *p) {
  for (uint32_t i = 0; i < p->object_count; i++)
    if (p->objects[i].kind == GS_OBJECT_GLOBAL)
      return true;
  return false;
}

/// That the memory is no other argument's is a promise of each launch.
static void assume_apart(gs_kernel *k, const gs_claim *claim) {
  gs_pool *arena = k->result->arena;
  const char *name = k->desc->params[claim->param].name;
  if (has_other_pointer(k->desc, claim->param))
    gs_result_assume(k->result, gs_pool_format(arena, "'%s' overlaps no other argument", name),
                     claim->count && gs_launch_is_checked(k), claim->loc);
  if (has_global(k->program))
    gs_result_assume(k->result, gs_pool_format(arena, "'%s' overlaps no device global", name), false,
                     claim->loc);
}

void gs_rule_exclusive(gs_kernel *k) {
  for (uint32_t i = 0; k->desc && i < k->desc->claim_count; i++) {
    const gs_claim *claim = &k->desc->claims[i];
    if (claim->kind != GS_CLAIM_EXCLUSIVE)
      continue;
    assume_apart(k, claim);
    // Elements of one thread each are more than is claimed here.
    if (!gs_checked_claim(k, GS_CLAIM_DISJOINT, claim->param))
      check_owners(k, claim);
  }
}

// ----------------------------------------------------------------- groups ----

/// The number of the warp of thread `who`: no launch has more than 1,024 threads a block.
static gs_term warp_of(gs_kernel *k, int who) {
  const gs_program *p = k->program;
  gs_terms *t = p->terms;
  gs_term n[3], at[3];
  for (int d = 0; d < 3; d++) {
    n[d] = gs_scene_term(k->scene, who, p->ntid[d]);
    at[d] = gs_scene_term(k->scene, who, p->tid[d]);
  }
  gs_term linear = at[2];
  for (int d = 1; d >= 0; d--)
    linear = gs_mk_bin_flags(t, GS_OP_ADD,
                             gs_mk_bin_flags(t, GS_OP_MUL, linear, n[d], GS_NUW | GS_NSW, 0), at[d],
                             GS_NUW | GS_NSW, 0);
  return gs_mk_bin(t, GS_OP_LSHR, linear, gs_mk_const(t, 5, 32));
}

static gs_term same_warp(gs_kernel *k) {
  return gs_mk_bin(k->program->terms, GS_OP_EQ, warp_of(k, 0), warp_of(k, 1));
}

static gs_term same_cluster(gs_kernel *k) {
  gs_program *p = k->program;
  gs_term all = gs_mk_bool(p->terms, true);
  for (uint32_t d = 0; d < 3; d++) {
    gs_term size = gs_scene_launch_term(k->scene, gs_program_cluster(p, d));
    gs_term at[2];
    for (int who = 0; who < 2; who++)
      at[who] = gs_mk_bin(p->terms, GS_OP_UDIV, gs_scene_term(k->scene, who, p->ctaid[d]), size);
    all = gs_mk_and(p->terms, all, gs_mk_bin(p->terms, GS_OP_EQ, at[0], at[1]));
  }
  return all;
}

gs_term gs_pair_group_fact(gs_kernel *k, gs_pair_group group) {
  gs_terms *t = k->program->terms;
  switch (group) {
  case GS_GROUP_ANY: break;
  case GS_GROUP_SAME_WARP: return same_warp(k);
  case GS_GROUP_OTHER_WARP: return gs_mk_not(t, same_warp(k));
  case GS_GROUP_SAME_CLUSTER: return same_cluster(k);
  case GS_GROUP_OTHER_CLUSTER: return gs_mk_not(t, same_cluster(k));
  }
  return GS_NO_TERM;
}
