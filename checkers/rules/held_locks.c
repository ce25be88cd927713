// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of two threads under one lock are ordered (flow/locks.md).
#include "held_locks.h"

/// Does the lock lie where both threads see the same one?
static bool is_common(const gs_kernel *k, const gs_meeting *meeting, uint32_t object) {
  gs_object_kind kind = k->program->objects[object].kind;
  return gs_is_global(kind) || (meeting->same_block && gs_is_shared(kind));
}

gs_term gs_held_locks_fact(gs_kernel *k, const gs_meeting *meeting, uint32_t a, uint32_t b) {
  gs_terms *t = k->program->terms;
  gs_held first[GS_MAX_HELD], second[GS_MAX_HELD];
  gs_scope fence = meeting->same_block ? GS_SCOPE_BLOCK : GS_SCOPE_GRID;
  gs_term fact = GS_NO_TERM;
  if (!k->locks || meeting->one_thread)
    return fact;
  uint32_t n = gs_locks_held(k->locks, a, fence, first), m = n ? gs_locks_held(k->locks, b, fence, second) : 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < m; j++) {
      if (first[i].object != second[j].object || !is_common(k, meeting, first[i].object))
        continue;
      gs_term other = gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, gs_scene_term(k->scene, 0, first[i].offset),
                                             gs_scene_term(k->scene, 1, second[j].offset)));
      fact = fact ? gs_mk_and(t, fact, other) : other;
      k->defaults[GS_DEFAULT_NOALIAS] = true; // data that overlaps the lock would change it
    }
  return fact;
}
