// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uninitialized-shared: shared memory is read that no thread of the block ever writes.
// The page is uninitialized-shared.md.
#include "block_accesses.h"
#include "confirm.h"
#include "lone.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_ROUNDS = 12 };

/// Bytes that some thread of the block may write, whenever.
typedef struct written_bytes {
  unsigned char *map;
  uint64_t size, left; ///< left: not written
} written_bytes;

/// The first read of bytes that nobody writes.
typedef struct read_hunt {
  const written_bytes *written;
  bool found;
  uint32_t thread; ///< number in the block
  uint64_t offset;
} read_hunt;

/// Can something be written that the analysis does not see as a write of a known array?
static bool writes_vaguely(const gs_program *p) {
  for (uint32_t a = 0; a < p->access_count; a++)
    for (uint32_t t = 0; p->accesses[a].is_write && t < p->accesses[a].target_count; t++) {
      gs_object_kind kind = p->objects[p->accesses[a].targets[t].object].kind;
      if (gs_is_vague(kind) || p->accesses[a].is_opaque)
        return true;
    }
  return p->gap_count > 0;
}

static void report(gs_kernel *k, gs_finding *f, const gs_object *object, const char *whole) {
  f->message = gs_pool_format(k->result->arena,
                              "%suninitialized shared memory: %s reads '%s', which no thread of the block "
                              "writes%s, when launched with %s",
                              gs_lone_doubt(f), gs_words_thread(k, f->witness, 0),
                              gs_words_element(k, f->witness, object), whole,
                              gs_words_launch(k, f->witness));
  gs_lone_report(k, f, "fill the element before the barrier that the read stands behind, or do not read it");
}

// ------------------------------------------------------------ whole arrays ----

static bool reads(const gs_access *a, uint32_t t, uint32_t object) {
  return !a->is_write && !a->echo && a->targets[t].object == object;
}

/// An array that no access of the kernel writes: one read of it is enough.
static void check_unwritten(gs_kernel *k, uint32_t object) {
  const gs_program *p = k->program;
  for (uint32_t a = 0; a < p->access_count; a++)
    for (uint32_t t = 0; t < p->accesses[a].target_count; t++) {
      gs_lone lone;
      gs_finding f;
      if (!reads(&p->accesses[a], t, object))
        continue;
      gs_answer answer = gs_lone_access(k, GS_RULE_UNINITIALIZED_SHARED, a, t, GS_NO_TERM, &lone);
      bool done = answer == GS_ANSWER_YES &&
                  gs_lone_finding(k, &lone, gs_place_loc(p, p->accesses[a].place),
                                  &p->objects[object], &f);
      if (done)
        report(k, &f, &p->objects[object], " (nothing in the kernel writes to this array)");
      gs_lone_free(&lone);
      if (done)
        return;
    }
}

// ---------------------------------------------------------------- elements ----

static bool note_written(void *user, const gs_lane_bytes *b) {
  written_bytes *w = user;
  for (uint32_t lane = 0; lane < 64; lane++)
    for (uint64_t at = b->offset[lane], i = 0; b->lanes >> lane & 1 && i < b->size; i++)
      if (at + i < w->size && !w->map[at + i]) {
        w->map[at + i] = 1;
        w->left--;
      }
  return w->left > 0;
}

static bool note_read(void *user, const gs_lane_bytes *b) {
  read_hunt *h = user;
  const written_bytes *w = h->written;
  for (uint32_t lane = 0; lane < 64 && !h->found; lane++) {
    uint64_t at = b->offset[lane];
    bool untouched = b->lanes >> lane & 1 && at < w->size && b->size <= w->size - at;
    for (uint64_t i = 0; i < b->size && untouched; i++) // padding of a struct is never written
      untouched = !w->map[at + i];
    if (!untouched)
      continue;
    h->found = true;
    h->thread = b->first + lane;
    h->offset = at;
  }
  return !h->found;
}

/// Everything that may be written, and perhaps more. \returns false when that is not known, or
/// nothing is left.
static bool collect_writes(gs_block_run *run, const gs_program *p, uint32_t object,
                           written_bytes *out) {
  for (uint32_t a = 0; a < p->access_count && out->left; a++)
    for (uint32_t t = 0; p->accesses[a].is_write && t < p->accesses[a].target_count; t++)
      if (p->accesses[a].targets[t].object == object && !p->accesses[a].echo &&
          !gs_block_run_access(run, a, t, true, note_written, out))
        return false;
  return out->left > 0;
}

static const gs_witness *witness_of(gs_kernel *k, const gs_block_run *run, const read_hunt *h,
                                    const gs_object *object) {
  gs_witness *w = gs_pool_alloc(k->result->arena, sizeof *w);
  if (!w)
    return NULL;
  gs_block_run_launch(run, w);
  w->thread_count = 1;
  w->thread[0] = gs_block_run_thread(run, h->thread);
  w->byte_offset = (int64_t)h->offset;
  w->has_element = object->elem_size != 0;
  w->element = object->elem_size ? (int64_t)(h->offset / object->elem_size) : 0;
  gs_witness_array(k, object, w);
  return w;
}

/// In one launch: the first read of an element that nobody writes. \returns GS_NONE = none.
static uint32_t hunt_in(gs_block_run *run, const gs_program *p, uint32_t object, read_hunt *h,
                        written_bytes *written) {
  memset(written->map, 0, written->size);
  written->left = written->size;
  *h = (read_hunt){.written = written};
  // Most arrays are filled in the first iterations: then there is nothing to hunt for.
  for (uint64_t rounds = FEW_ROUNDS;; rounds = 0) {
    gs_block_run_limit(run, rounds);
    if (!collect_writes(run, p, object, written))
      return GS_NONE;
    if (!rounds)
      break;
  }
  for (uint32_t a = 0; a < p->access_count; a++)
    for (uint32_t t = 0; t < p->accesses[a].target_count; t++) {
      if (!reads(&p->accesses[a], t, object))
        continue;
      gs_block_run_access(run, a, t, false, note_read, h);
      if (h->found)
        return a;
    }
  return GS_NONE;
}

/// A kernel that claims nothing is told what sizes of any kind show; of a contract one
/// launch is enough.
static void check_elements(gs_kernel *k, uint32_t object) {
  const gs_program *p = k->program;
  const gs_object *o = &p->objects[object];
  written_bytes written = {.map = malloc(o->size), .size = o->size};
  read_hunt found = {0};
  gs_block_run *shown = NULL;
  uint32_t at = GS_NONE;
  for (int size = 0; size < GS_RUN_SIZES && written.map; size++) {
    read_hunt h;
    gs_block_run *run = gs_block_run_new(k, (gs_run_size)size);
    if (!run)
      continue; // no such launch
    uint32_t one = hunt_in(run, p, object, &h, &written);
    bool excused = one == GS_NONE && !k->is_claim;
    if (one == GS_NONE || shown) {
      gs_block_run_free(run);
    } else {
      shown = run;
      at = one;
      found = h;
    }
    if (excused)
      at = GS_NONE;
    if (excused || (shown && k->is_claim))
      break;
  }
  gs_finding f = {.rule = GS_RULE_UNINITIALIZED_SHARED, .verdict = GS_RACE, .is_error = k->is_claim,
                  .access_count = 1, .instances = 1};
  if (shown && at != GS_NONE) {
    f.access[0] = gs_access_reference(k, at);
    f.loc = f.access[0].loc;
    f.object = gs_pool_text(k->result->arena, gs_object_words(o));
    f.witness = witness_of(k, shown, &found, o);
    if (f.witness && !gs_trusted(k, f.rule, o, &f.loc, 1)) {
      if (!gs_unwritten_confirmed(k, f.witness, f.loc.line, &f.replay)) {
        f.verdict = GS_POSSIBLE;
        f.reason = gs_refuted_visit;
      }
      report(k, &f, o, "");
    }
  }
  gs_block_run_free(shown);
  free(written.map);
}

void gs_rule_uninitialized_shared(gs_kernel *k) {
  const gs_program *p = k->program;
  bool costly = k->is_claim || k->options->thorough, vague = false, asked = false;
  for (uint32_t o = 0; o < p->object_count; o++) {
    if (!gs_is_shared(p->objects[o].kind))
      continue;
    vague = asked ? vague : writes_vaguely(p);
    asked = true;
    if (vague)
      return;
    if (!p->objects[o].written)
      check_unwritten(k, o);
    else if (costly && !k->cheap && p->objects[o].kind == GS_OBJECT_SHARED)
      check_elements(k, o);
  }
}
