// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is what all threads of a block read at one address in shared memory one value? Threads in
// equal iterations read in the same phase (phases.md). So it is if no write of those bytes is
// in that phase: what is there was written before. By induction over the execution, the read
// may decide who comes to later barriers: the first read that gave another value would come
// after a write that all that was read until then excludes.
#include "common_reads.h"

static bool is_common(const gs_access *a) { return !a->is_write && a->result; }

bool gs_program_reads_commonly(const gs_program *p) {
  for (uint32_t i = 0; i < p->access_count; i++)
    if (is_common(&p->accesses[i]))
      return true;
  return false;
}

static bool is_vague(const gs_object *o) {
  return o->kind == GS_OBJECT_UNKNOWN || o->kind == GS_OBJECT_LOADED;
}

static bool is_same(const gs_program *p, uint32_t a, uint32_t b) {
  return a == b || is_vague(&p->objects[a]) || is_vague(&p->objects[b]);
}

/// Can the two never be in one phase, at one place? What the two threads know by then was
/// read before, so that it may be taken for common.
static bool are_apart(const gs_common_reads *all, uint32_t read, uint32_t tr, uint32_t write, uint32_t tw) {
  const gs_program *p = all->program;
  const gs_access *a = &p->accesses[read], *b = &p->accesses[write];
  gs_encounter met[GS_MAX_ENCOUNTERS];
  // A copy in flight writes whenever it likes, and another block of the cluster through a
  // pointer that nobody knows.
  if (b->async || a->targets[tr].object != b->targets[tw].object || !all->refute)
    return false;
  uint32_t n = gs_phases_relate(all->phases, false, read, write, met);
  for (uint32_t i = 0; i < n; i++) {
    gs_meeting meeting = gs_meeting_of(&met[i]);
    gs_case c = {0};
    if (!gs_scene_meet(all->scene, all->phases, &meeting, read, tr, write, tw, &c) ||
        (c.distinct_count && !all->refute(all->user, &c)))
      return false;
  }
  return true;
}

bool gs_common_read_holds(const gs_common_reads *all, uint32_t access) {
  const gs_program *p = all->program;
  const gs_access *a = &p->accesses[access];
  for (uint32_t i = 0; i < p->access_count; i++) {
    const gs_access *w = &p->accesses[i];
    if (!w->is_write && !w->is_opaque)
      continue;
    if (a->is_opaque || w->is_opaque)
      return false;
    for (uint32_t tr = 0; tr < a->target_count; tr++)
      for (uint32_t tw = 0; tw < w->target_count; tw++)
        if (is_same(p, a->targets[tr].object, w->targets[tw].object) && !are_apart(all, access, tr, i, tw))
          return false;
  }
  return gs_phases_votes_hold(all->phases, GS_LEVEL_BLOCK) && !p->gap_count;
}

bool gs_common_reads_hold(const gs_common_reads *all) {
  for (uint32_t i = 0; i < all->program->access_count; i++)
    if (is_common(&all->program->accesses[i]) && !gs_common_read_holds(all, i))
      return false;
  return true;
}
