// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warp_requests.h"

#include "lone.h"

#include <inttypes.h>
#include <string.h>

typedef struct look {
  gs_cost_fn cost;
  gs_costly *out;
  uint32_t size; ///< bytes of what the source makes one access
} look;

static bool visit(void *user, const gs_lane_bytes *bytes) {
  look *l = user;
  for (uint32_t half = 0; half < 2; half++) {
    gs_request r = {.first = bytes->first + half * GS_WARP_LANES,
                    .lanes = (uint32_t)(bytes->lanes >> half * GS_WARP_LANES), .size = l->size};
    if (!r.lanes)
      continue;
    memcpy(r.offset, bytes->offset + half * GS_WARP_LANES, sizeof r.offset);
    uint32_t cost = l->cost(&r);
    if (cost <= l->out->cost)
      continue;
    l->out->cost = cost;
    l->out->worst = r;
  }
  return true;
}

/// t as another term plus a constant.
static gs_term apart_from(const gs_terms *terms, gs_term t, int64_t *constant) {
  uint64_t value = 0;
  *constant = 0;
  const gs_node *node = gs_term_node(terms, t);
  if (node->op != GS_OP_ADD || !gs_term_const(terms, node->arg[1], &value))
    return t;
  *constant = (int64_t)value;
  return node->arg[0];
}

/// A vector or struct that the source accesses as a whole is several accesses at one place,
/// side by side; the compiler joins them again. \returns the bytes from the access on, 0 for
/// all but the first of them.
static uint32_t joined_size(const gs_program *p, const gs_phases *phases, uint32_t access, uint32_t target) {
  const gs_access *a = &p->accesses[access];
  const gs_target *to = &a->targets[target];
  int64_t here = 0, there = 0, end = a->size;
  gs_term base = apart_from(p->terms, to->offset, &here);
  for (uint32_t b = 0; b < p->access_count; b++) {
    const gs_access *other = &p->accesses[b];
    if (b == access || other->echo || other->place != a->place || other->is_write != a->is_write ||
        gs_phases_block(phases, b) != gs_phases_block(phases, access) || other->target_count != 1 ||
        other->targets[0].object != to->object ||
        apart_from(p->terms, other->targets[0].offset, &there) != base)
      continue;
    if (there < here)
      return 0;
    end = there - here + other->size > end ? there - here + other->size : end;
  }
  return (uint32_t)end;
}

bool gs_find_costly(gs_kernel *k, gs_block_run *run, uint32_t access, uint32_t target, gs_cost_fn cost,
                    gs_costly *out) {
  look l = {cost, out, joined_size(k->program, k->phases, access, target)};
  *out = (gs_costly){.cost = 0};
  return l.size && gs_block_run_access(run, access, target, false, visit, &l) && out->cost;
}

void gs_report_costly(gs_kernel *k, gs_rule rule, const gs_block_run *run, uint32_t access,
                      const gs_object *object, const gs_costly *costly, const char *message,
                      const char *advice) {
  gs_pool *arena = k->result->arena;
  gs_witness *w = gs_pool_alloc(arena, sizeof *w);
  gs_access_ref ref = gs_access_reference(k, access);
  if (!w || gs_trusted(k, rule, object, &ref.loc, 1))
    return;
  gs_block_run_launch(run, w);
  uint32_t at[2] = {0, 0};
  for (uint32_t lane = 0; lane < GS_WARP_LANES && w->thread_count < 2; lane++)
    if (costly->worst.lanes >> lane & 1) {
      at[w->thread_count] = lane;
      w->thread[w->thread_count++] = gs_block_run_thread(run, costly->worst.first + lane);
    }
  w->byte_offset = (int64_t)costly->worst.offset[at[0]];
  w->has_element = object->elem_size != 0;
  w->element = object->elem_size ? w->byte_offset / (int64_t)object->elem_size : 0;
  gs_finding f = {.rule = rule, .verdict = GS_PROVED, .loc = ref.loc, .instances = 1,
                  .object = gs_pool_text(arena, gs_object_words(object)), .access = {ref},
                  .access_count = 1, .witness = w};
  f.message = gs_pool_format(arena, "%s, when launched with %s", message, gs_words_launch(k, w));
  gs_lone_report(k, &f, advice);
}
