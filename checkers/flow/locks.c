// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "locks.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TAKERS = 8, KNOWN = 1 << MAX_TAKERS, NO_FENCE = 100 };

/// A compare-and-swap or exchange of which the one who finds `free_value` holds the lock.
typedef struct taker {
  uint32_t access, object;
  gs_term offset;
  uint64_t free_value, taken_value;
  bool exchanged; ///< a lock that is taken has that value, whoever has it
  bool kept;   ///< nothing but asking for it and giving it back writes the object
  bool *held; ///< by block: at its beginning, whatever way led there
  bool *fresh; ///< by block: the lock was asked for, and not given back since
} taker;

struct gs_locks {
  const gs_program *program;
  uint32_t *block_of; ///< by access; GS_NONE
  uint16_t *held[2];  ///< by access, for fences of the block and of the grid: bit i: of taker i; KNOWN
  bool strict, races_checked;
  taker takers[MAX_TAKERS];
  uint32_t count;
};

// ------------------------------------------------------------------ takers ----

static bool constant(const gs_terms *t, gs_term term, uint64_t *value) { return term && gs_term_const(t, term, value); }

/// Does the access ask for a lock? \param out receives where it lies, and the value of a free one.
static bool asks(const gs_program *p, uint32_t access, taker *out) {
  const gs_access *a = &p->accesses[access];
  uint64_t stored = 0, free_value = 0;
  if (!a->is_atomic || !a->result || a->target_count != 1 || !constant(p->terms, a->operand, &stored))
    return false;
  if (a->rmw == GS_RMW_EXCHANGE)
    free_value = stored == 0;
  else if (a->rmw != GS_RMW_CAS || !constant(p->terms, a->expected, &free_value))
    return false;
  *out = (taker){.access = access, .object = a->targets[0].object, .offset = a->targets[0].offset,
                 .free_value = free_value, .taken_value = stored, .exchanged = a->rmw == GS_RMW_EXCHANGE};
  return stored != free_value && !gs_is_vague(p->objects[out->object].kind);
}

/// Does the access store the value of a free lock in one like this?
static bool frees(const gs_program *p, const gs_access *a, const taker *k) {
  uint64_t value = 0, free_value = k->free_value;
  if (!a->is_write || a->size != p->accesses[k->access].size)
    return false;
  if (a->is_atomic)
    return (a->rmw == GS_RMW_EXCHANGE || a->rmw == GS_RMW_CAS) && constant(p->terms, a->operand, &value) &&
           value == free_value;
  return (a->is_const && a->const_bits == free_value) ||
         (constant(p->terms, a->value, &value) && value == free_value);
}

/// Does the access ask for locks of the same kind? (Of one size they do not overlap in part.)
static bool asks_alike(const gs_program *p, uint32_t access, const taker *k) {
  taker other;
  return asks(p, access, &other) && other.free_value == k->free_value &&
         p->accesses[access].size == p->accesses[k->access].size;
}

static bool touches(const gs_access *a, uint32_t object) {
  for (uint32_t t = 0; t < a->target_count; t++)
    if (a->targets[t].object == object)
      return true;
  return false;
}

// --------------------------------------------------------------- data flow ----

/// 1 + the way out of the block by which the lock is held, when the block ends in the question
/// whether it is; 0 = it does not.
static uint32_t winning_way(gs_terms *t, const gs_block *b, const taker *k, gs_term result) {
  uint8_t width = gs_term_width(t, result);
  gs_term won = gs_mk_bin(t, GS_OP_EQ, result, gs_mk_const(t, k->free_value, width));
  gs_term lost = gs_mk_not(t, won);
  if (b->succ_count != 2 || !b->branch || b->succ[0] == b->succ[1])
    return 0;
  if (k->exchanged) { // what is taken is what was stored last, unless it was free
    gs_term taken = gs_mk_bin(t, GS_OP_EQ, result, gs_mk_const(t, k->taken_value, width));
    if (b->branch == taken || b->branch == gs_mk_not(t, taken))
      return b->branch == taken ? 2 : 1;
  }
  return b->branch == won ? 1 : b->branch == lost ? 2 : 0;
}

/// Follows a block. \returns false when the object is written in a way that no lock is.
static bool follow(const gs_locks *l, const taker *k, uint32_t block, uint32_t before, bool *held, bool *fresh) {
  const gs_program *p = l->program;
  const gs_block *b = &p->blocks[block];
  for (uint32_t e = 0; e < b->event_count; e++) {
    if (b->events[e].kind != GS_EVENT_ACCESS)
      continue;
    uint32_t access = b->events[e].index;
    const gs_access *a = &p->accesses[access];
    if (access == before)
      return true;
    if (access == k->access) {
      *held = false;
      *fresh = true;
    } else if (a->is_write && touches(a, k->object)) {
      bool freed = *held && a->target_count == 1 && a->targets[0].offset == k->offset && frees(p, a, k);
      if (asks_alike(p, access, k))
        continue; // changes nothing while the lock is held
      *held = *fresh = false;
      if (!freed)
        return false;
    }
  }
  return true;
}

/// Does the name of the lock change with the iterations of the loop?
static bool changes_in(const gs_program *p, gs_term offset, uint32_t loop) {
  uint32_t count = gs_sym_count(p->terms);
  unsigned char *seen = calloc(count + 1u, 1);
  bool changes = !seen;
  if (seen)
    gs_term_syms(p->terms, offset, seen);
  for (uint32_t s = 0; s < count && !changes; s++)
    changes = seen[s] && gs_sym_get(p->terms, s)->loop == loop + 1;
  free(seen);
  return changes;
}

/// Does the name change with the iterations of a loop that this edge enters, goes round or leaves?
static bool changes_on(const gs_program *p, gs_term offset, uint32_t from, uint32_t to) {
  for (uint32_t l = 0; l < p->loop_count; l++) {
    bool inside = gs_loop_holds(p, l, from), stays = gs_loop_holds(p, l, to);
    if ((p->loops[l].header == to || inside != stays) && changes_in(p, offset, l))
      return true;
  }
  return false;
}

/// Puts what holds at the end of a block on its ways out. \returns whether anything changed.
static bool pass_on(const gs_locks *l, taker *k, uint32_t block) {
  const gs_program *p = l->program;
  const gs_block *b = &p->blocks[block];
  bool held = k->held[block], fresh = k->fresh[block], changed = false;
  follow(l, k, block, GS_NONE, &held, &fresh);
  uint32_t way = winning_way(p->terms, b, k, p->accesses[k->access].result);
  for (uint32_t s = 0; s < b->succ_count; s++) {
    uint32_t to = b->succ[s];
    bool won = way && fresh && s == way - 1, same = !changes_on(p, k->offset, block, to);
    bool stays = same && (held || won), asked = same && fresh;
    changed |= (k->held[to] && !stays) || (k->fresh[to] && !asked);
    k->held[to] &= stays;
    k->fresh[to] &= asked;
  }
  return changed;
}

/// From "held everywhere but at the beginning" down to what is so.
static void settle(gs_locks *l, taker *k) {
  const gs_program *p = l->program;
  for (uint32_t b = 0; b < p->block_count; b++)
    k->held[b] = k->fresh[b] = b != 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < p->block_count; b++)
      changed |= pass_on(l, k, b);
  }
}

static bool is_fence(const gs_program *p, gs_event event, const void *scope) {
  return event.kind == GS_EVENT_ACCESS && p->accesses[event.index].fence > *(const uint32_t *)scope;
}

/// Does some way lead from one access to another past no fence of this scope? (NO_FENCE: at all)
static bool leads_bare(const gs_locks *l, uint32_t from, uint32_t to, uint32_t scope) {
  return gs_access_leads(l->program, l->block_of[from], from, to, is_fence, &scope);
}

/// Does the write make a lock of the block free before anybody asks for it? That it is ordered
/// against those who ask is for the rules about races to prove; as no way leads from them to it,
/// it comes first then.
static bool is_reset(const gs_locks *l, const taker *k, uint32_t access) {
  const gs_program *p = l->program;
  const gs_access *a = &p->accesses[access];
  if (!l->races_checked || a->is_atomic || !frees(p, a, k) || !gs_is_shared(p->objects[k->object].kind))
    return false;
  for (uint32_t b = 0; b < p->barrier_count; b++)
    if (p->barriers[b].kind != GS_BARRIER_BLOCK)
      return false;
  for (uint32_t i = 0; i < l->count; i++)
    if (l->takers[i].object == k->object && leads_bare(l, l->takers[i].access, access, NO_FENCE))
      return false;
  return true;
}

/// Is the write, of another object or none that is known, one that may change the lock?
static bool is_foreign(const gs_locks *l, const taker *k, const gs_access *a) {
  const gs_program *p = l->program;
  bool foreign = a->is_opaque;
  for (uint32_t t = 0; t < a->target_count; t++) {
    const gs_object *o = &p->objects[a->targets[t].object];
    foreign |= gs_is_vague(o->kind) || gs_may_overlap(p, &p->objects[k->object], o, l->strict);
  }
  return a->is_write && foreign;
}

/// Are the atomic operations on the lock atomic for all who use it?
static bool is_wide(const gs_locks *l, const taker *k) {
  const gs_program *p = l->program;
  uint8_t needed = gs_is_shared(p->objects[k->object].kind) ? GS_SCOPE_BLOCK : GS_SCOPE_GRID;
  for (uint32_t a = 0; a < p->access_count; a++)
    if (p->accesses[a].is_atomic && p->accesses[a].scope < needed && touches(&p->accesses[a], k->object))
      return false;
  return true;
}

/// Does nothing but asking for it and giving it back write the object?
static bool is_kept(const gs_locks *l, const taker *k) {
  const gs_program *p = l->program;
  for (uint32_t a = 0; a < p->access_count; a++) {
    const gs_access *x = &p->accesses[a];
    if (is_foreign(l, k, x))
      return false;
    if (!x->is_write || !touches(x, k->object) || asks_alike(p, a, k))
      continue;
    // Given back by someone who holds it, of whichever of the takers.
    bool kept = false;
    for (uint32_t i = 0; i < l->count && !kept && l->block_of[a] != GS_NONE; i++) {
      const taker *by = &l->takers[i];
      bool held = by->held[l->block_of[a]], fresh = by->fresh[l->block_of[a]];
      kept = by->object == k->object && x->target_count == 1 && x->targets[0].offset == by->offset &&
             frees(p, x, k) && follow(l, by, l->block_of[a], a, &held, &fresh) && held;
    }
    if (!kept && !is_reset(l, k, a))
      return false;
  }
  return true;
}

// -------------------------------------------------------------------- locks ----

/// Do all who ask for locks of the object store the same?
static bool is_one_value(const gs_locks *l, const taker *k) {
  const gs_program *p = l->program;
  for (uint32_t a = 0; a < p->access_count; a++) {
    taker other;
    if (touches(&p->accesses[a], k->object) && asks_alike(p, a, k) && asks(p, a, &other) &&
        other.taken_value != k->taken_value)
      return false;
  }
  return true;
}

static void find_takers(gs_locks *l) {
  const gs_program *p = l->program;
  for (uint32_t b = 0; b < p->block_count; b++)
    for (uint32_t e = 0; e < p->blocks[b].event_count; e++) {
      const gs_event *event = &p->blocks[b].events[e];
      if (event->kind != GS_EVENT_ACCESS)
        continue;
      l->block_of[event->index] = b;
      taker *k = &l->takers[l->count];
      if (l->count == MAX_TAKERS || !asks(p, event->index, k))
        continue;
      k->held = calloc(p->block_count + 1u, sizeof *k->held);
      k->fresh = calloc(p->block_count + 1u, sizeof *k->fresh);
      l->count++;
    }
}

gs_locks *gs_locks_new(const gs_program *p, bool strict, bool races_checked) {
  gs_locks *l = calloc(1, sizeof *l);
  bool fine = l != NULL;
  if (l) {
    l->program = p;
    l->strict = strict;
    l->races_checked = races_checked;
    l->block_of = malloc((p->access_count + 1u) * sizeof *l->block_of);
    for (int i = 0; i < 2; i++)
      l->held[i] = calloc(p->access_count + 1u, sizeof *l->held[i]);
    fine = l->block_of && l->held[0] && l->held[1];
  }
  for (uint32_t a = 0; fine && a < p->access_count; a++)
    l->block_of[a] = GS_NONE;
  if (fine)
    find_takers(l);
  for (uint32_t i = 0; fine && i < l->count; i++) {
    fine = l->takers[i].held && l->takers[i].fresh;
    l->takers[i].exchanged = l->takers[i].exchanged && is_one_value(l, &l->takers[i]);
    if (fine)
      settle(l, &l->takers[i]);
  }
  for (uint32_t i = 0; fine && i < l->count; i++)
    l->takers[i].kept = p->gap_count == 0 && is_wide(l, &l->takers[i]) && is_kept(l, &l->takers[i]);
  if (fine)
    return l;
  gs_locks_free(l);
  return NULL;
}

void gs_locks_free(gs_locks *l) {
  if (!l)
    return;
  for (uint32_t i = 0; i < l->count; i++) {
    free(l->takers[i].held);
    free(l->takers[i].fresh);
  }
  free(l->block_of);
  free(l->held[0]);
  free(l->held[1]);
  free(l);
}

// ------------------------------------------------------------------- fences ----

/// Is a fence passed between taking the lock and the access, and between it and giving back?
static bool is_fenced(const gs_locks *l, const taker *k, uint32_t access, gs_scope scope) {
  const gs_program *p = l->program;
  if (leads_bare(l, k->access, access, (uint32_t)scope))
    return false;
  for (uint32_t a = 0; a < p->access_count; a++)
    if (p->accesses[a].is_write && l->block_of[a] != GS_NONE && touches(&p->accesses[a], k->object) &&
        frees(p, &p->accesses[a], k) && leads_bare(l, access, a, (uint32_t)scope))
      return false;
  return true;
}

/// The takers of the locks that are held at an access.
static uint16_t find_held(const gs_locks *l, uint32_t access, gs_scope fence) {
  const gs_access *a = &l->program->accesses[access];
  // A copy may go on when the lock is given back, and a warp's access is not one thread's.
  uint32_t block = a->echo || a->async || a->warp_key ? GS_NONE : l->block_of[access];
  uint16_t found = KNOWN;
  for (uint32_t i = 0; block != GS_NONE && i < l->count; i++) {
    const taker *k = &l->takers[i];
    bool held = k->held[block], fresh = k->fresh[block];
    if (k->kept && access != k->access && follow(l, k, block, access, &held, &fresh) && held &&
        is_fenced(l, k, access, fence))
      found = (uint16_t)(found | 1u << i);
  }
  return found;
}

uint32_t gs_locks_held(gs_locks *l, uint32_t access, gs_scope fence, gs_held out[GS_MAX_HELD]) {
  uint16_t *held = &l->held[fence >= GS_SCOPE_GRID][access];
  uint32_t n = 0;
  if (!*held)
    *held = find_held(l, access, fence);
  for (uint32_t i = 0; i < l->count && n < GS_MAX_HELD; i++)
    if (*held >> i & 1)
      out[n++] = (gs_held){l->takers[i].access, l->takers[i].object, l->takers[i].offset};
  return n;
}
