// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a model to two concrete threads, and the question whether the model is an
// execution or hangs on something abstracted.
#include "clause_terms.h"
#include "confirm.h"
#include "rule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPLAYED_TRIPS = 4096 };

static bool eval(gs_kernel *k, const gs_model *model, const uint64_t *values, gs_term t,
                 uint64_t *out) {
  return gs_term_eval(k->program->terms, t, values, gs_model_load_value, (void *)(uintptr_t)model,
                      out);
}

static bool eval_model(gs_kernel *k, const gs_model *model, gs_term t, uint64_t *out) {
  return eval(k, model, model->values, t, out);
}

/// Symbols of everything the case says.
static unsigned char *case_syms(gs_kernel *k, const gs_violation *v, uint32_t *count) {
  gs_terms *terms = k->program->terms;
  const gs_case *c = v->c;
  *count = gs_sym_count(terms);
  unsigned char *seen = calloc(*count + 1u, 1);
  for (size_t i = 0; seen && i < c->fact_count; i++)
    gs_term_syms(terms, c->facts[i], seen);
  if (seen)
    gs_term_syms(terms, v->extra, seen);
  for (int who = 0; seen && who < 2; who++) {
    gs_term_syms(terms, c->offset[who], seen);
    gs_term_syms(terms, c->size[who], seen);
  }
  return seen;
}

/// Does the loop really go round until the trip number the model chose?
static bool trips_happen(gs_kernel *k, const gs_violation *v, int who, uint32_t loop,
                         const char **reason) {
  gs_program *p = k->program;
  gs_terms *terms = p->terms;
  gs_term trip = gs_scene_term(k->scene, who, p->loops[loop].trip);
  gs_term again = gs_scene_term(k->scene, who, p->loops[loop].again);
  uint64_t last = 0;
  if (!eval_model(k, v->model, trip, &last) || last == 0)
    return true;
  gs_term sym = trip;
  uint64_t shift = 0;
  if (gs_term_is(terms, trip, GS_OP_ADD)) { // the other thread's trip number plus one
    sym = gs_term_node(terms, trip)->arg[0];
    shift = 1;
  }
  if (!gs_term_is(terms, sym, GS_OP_SYM) || last > MAX_REPLAYED_TRIPS) {
    *reason = "it needs more iterations of a loop than are followed";
    return false;
  }
  uint32_t syms = gs_sym_count(terms);
  unsigned char *seen = calloc(syms + 1u, 1);
  uint64_t *values = calloc(syms + 1u, sizeof *values);
  bool fine = seen && values;
  if (fine) {
    gs_term_syms(terms, again, seen);
    for (uint32_t s = 0; s < syms && fine; s++)
      if (seen[s] && gs_sym_get(terms, s)->kind == GS_SYM_OPAQUE) {
        *reason = gs_sym_get(terms, s)->reason;
        fine = false;
      }
    memcpy(values, v->model->values, v->model->count * sizeof *values);
    uint32_t at = (uint32_t)gs_term_node(terms, sym)->value;
    for (uint64_t j = 0; j < last && fine; j++) {
      uint64_t more = 0;
      values[at] = j - shift;
      fine = eval(k, v->model, values, again, &more) && more;
      if (!fine)
        *reason = "a loop may end before the iteration in question";
    }
  }
  free(seen);
  free(values);
  return fine;
}

bool gs_violation_holds(gs_kernel *k, const gs_violation *v, int who, gs_term t, bool *holds) {
  gs_terms *terms = k->program->terms;
  gs_term image = gs_scene_term(k->scene, who, t);
  uint32_t count = gs_sym_count(terms);
  unsigned char *seen = calloc(count + 1u, 1);
  bool known = seen && image;
  uint64_t value = 0;
  if (known)
    gs_term_syms(terms, image, seen);
  for (uint32_t s = 0; s < count && known; s++) // what the query did not speak of has no value
    known = !seen[s] || (s < v->model->count && gs_sym_get(terms, s)->kind != GS_SYM_OPAQUE);
  known = known && eval_model(k, v->model, image, &value);
  free(seen);
  *holds = known && value;
  return known;
}

/// The innermost loop that thread `who` is in.
static uint32_t loop_of(const gs_kernel *k, const gs_violation *v, uint32_t who) {
  if (v->spots)
    return v->spots[who].loop;
  return k->program->blocks[gs_phases_block(k->phases, v->access[who])].loop;
}

static bool loops_happen(gs_kernel *k, const gs_violation *v, const char **reason) {
  gs_program *p = k->program;
  for (uint32_t who = 0; who < v->count; who++) {
    for (uint32_t l = loop_of(k, v, who); l != GS_NONE; l = p->loops[l].parent)
      if (!trips_happen(k, v, (int)who, l, reason))
        return false;
  }
  return true;
}

/// The trip number of a loop's last iteration, or a thread's copy of it.
static bool is_exit(const gs_program *p, const gs_sym *sym) {
  return sym->copy == 3 || gs_sym_get(p->terms, sym->origin)->copy == 3;
}

static bool is_ticket(const gs_program *p, uint32_t access) {
  bool found = false;
  for (uint32_t i = 0; i < p->last_count; i++)
    found |= p->lasts[i].ticket == access;
  return found;
}

/// Does the kernel have what flags and locks are made of? What tickets of blocks order is known.
static bool handshakes(const gs_program *p) {
  for (uint32_t i = 0; p->has_fences && i < p->access_count; i++)
    if (p->accesses[i].is_volatile || (p->accesses[i].is_atomic && !is_ticket(p, i)))
      return true;
  return false;
}

enum { GRID_AXES = 0x38 }; // of gs_program.axes_used

/// Does a fact about the launch speak of the grid?
static bool launch_knows_grid(const gs_kernel *k) {
  uint32_t axes = 0;
  for (uint32_t i = 0; k->desc && i < k->desc->fact_count; i++)
    axes |= gs_clause_axes(k->desc->facts[i].clause);
  return (axes & GRID_AXES) != 0;
}

/// Is it a conflict of two blocks in a kernel that speaks of no block, or does it
/// take a block far up in a grid that may not be that large?
static bool hangs_on_grid(gs_kernel *k, const gs_violation *v) {
  if (v->meeting.same_block || launch_knows_grid(k))
    return false;
  if (!v->meeting.one_thread)
    return !(k->program->axes_used & GRID_AXES);
  for (int d = 0; d < 3; d++) {
    uint64_t block = 0;
    if (eval_model(k, v->model, gs_scene_term(k->scene, 0, k->program->ctaid[d]), &block) && block > 1)
      return true;
  }
  return false;
}

/// A size below 0 is no size: the first signed parameter that the model makes negative
/// although it was tried with ordinary values (gs_model_befriend).
static const gs_sym *negative_size(const gs_kernel *k, const gs_violation *v,
                                   const unsigned char *seen, uint32_t count) {
  for (uint32_t s = 0; s < count && s < v->model->count; s++) {
    const gs_sym *sym = gs_sym_get(k->program->terms, s);
    if (seen[s] && sym->kind == GS_SYM_PARAM && sym->is_signed && sym->width > 8 &&
        gs_sign_extend(v->model->values[s], sym->width) < 0)
      return sym;
  }
  return NULL;
}

/// Marks what is in the conditions of the loops whose counters are marked.
static void mark_bounds(const gs_program *p, unsigned char *seen, uint32_t count) {
  for (uint32_t s = 0; s < count; s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    if (!seen[s] || sym->kind != GS_SYM_LOOP || sym->index >= p->loop_count)
      continue;
    gs_term_syms(p->terms, p->loops[sym->index].entry, seen);
    gs_term_syms(p->terms, p->loops[sym->index].again, seen);
  }
}

/// An integer that the launch chooses, and nothing else tells?
static bool is_free(gs_kernel *k, uint32_t s) {
  const gs_terms *terms = k->program->terms;
  const gs_sym *sym = gs_sym_get(terms, s);
  uint64_t fixed = 0;
  return sym->kind == GS_SYM_PARAM && !sym->is_address &&
         !gs_term_const(terms, gs_scene_launch_term(k->scene, gs_sym_term(terms, s)), &fixed);
}

/// An index that is read from memory, or that a parameter gives, or a loop over one: whoever
/// wrote the kernel knows what is in there, and how much fits into the array.
static const char *doubt_index(gs_kernel *k, const gs_violation *v) {
  const gs_program *p = k->program;
  const gs_target *target = &p->accesses[v->access[0]].targets[v->target[0]];
  uint32_t count = gs_sym_count(p->terms);
  size_t size = gs_terms_count(p->terms);
  unsigned char *seen = calloc(count + 1u, 1), *marks = calloc(size + 1u, 1);
  const char *reason = NULL;
  if (seen && marks) {
    gs_term_syms(p->terms, target->offset, seen);
    gs_term_mark(p->terms, target->offset, marks);
  }
  for (size_t t = 1; marks && t < size && !reason; t++)
    if (marks[t] && gs_term_is(p->terms, (gs_term)t, GS_OP_LOAD))
      reason = "what the memory contains that the index is read from";
  if (seen)
    mark_bounds(p, seen, count);
  for (uint32_t s = 0; seen && s < count && !reason; s++)
    if (seen[s] && is_free(k, s))
      reason = gs_pool_format(k->result->arena, "how large '%s' may be, of which nothing is said", gs_sym_get(p->terms, s)->name);
  free(seen);
  free(marks);
  return reason;
}

/// What a kernel that claims nothing is given the benefit of.
static const char *doubt(gs_kernel *k, const gs_violation *v) {
  const char *index = v->rule == GS_RULE_OUT_OF_BOUNDS ? doubt_index(k, v) : NULL;
  if (index)
    return index;
  if (hangs_on_grid(k, v))
    return "the number of blocks, which no launch contract, option or visible launch fixes";
  uint32_t count = 0;
  unsigned char *seen = case_syms(k, v, &count);
  const gs_sym *size = seen ? negative_size(k, v, seen, count) : NULL;
  free(seen);
  return size ? gs_pool_format(k->result->arena, "a value of '%s' below 0", size->name) : NULL;
}

bool gs_violation_is_exact(gs_kernel *k, const gs_violation *v, const char **reason) {
  gs_program *p = k->program;
  uint32_t count = 0;
  *reason = NULL;
  if (!v->meeting.one_thread && v->order_matters && handshakes(p)) {
    *reason = "whether the fences together with atomic or volatile accesses order the two";
    return false;
  }
  for (uint32_t who = 0; who < v->count && !v->spots; who++)
    if (p->accesses[v->access[who]].is_doubtful) {
      *reason = "whether a wait that other ways meet completes an asynchronous copy on this one";
      return false;
    }
  unsigned char *seen = case_syms(k, v, &count);
  if (!seen)
    return false;
  for (uint32_t s = 0; s < count && !*reason; s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    if (!seen[s])
      continue;
    if (sym->kind == GS_SYM_OPAQUE)
      *reason = sym->reason && *sym->reason ? sym->reason : NULL;
    else if (sym->kind == GS_SYM_LOOP && is_exit(p, sym) && s < v->model->count && v->model->values[s] > 0)
      *reason = "how often an earlier loop runs";
  }
  free(seen);
  if (*reason)
    return false;
  if (!v->meeting.one_thread && !v->meeting.phase.exact) {
    *reason = "whether a barrier that is not modelled, not reached by all threads or only "
              "reached under a condition stands between the accesses";
    return false;
  }
  if (!loops_happen(k, v, reason))
    return false;
  // A contract that leaves the block open to an assertion about it is what is wrong.
  if (gs_prover_data_open(k->prover))
    *reason = "contents of memory that the contract may exclude";
  else if (gs_scene_dropped_clause(k->scene))
    *reason = "a clause of the contract that the prover has no term for";
  else if (v->rule != GS_RULE_ASSERTION && gs_prover_some_shapes(k->prover))
    *reason = "the size of the block, which no launch contract, option or visible launch fixes";
  else if (!k->is_claim)
    *reason = doubt(k, v);
  return !*reason;
}

gs_lag gs_violation_lag(gs_kernel *k, const gs_violation *v) {
  const gs_program *p = k->program;
  uint32_t first = loop_of(k, v, 0), second = loop_of(k, v, 1);
  for (uint32_t depth = 1;; depth++) {
    uint32_t l = gs_program_loop_at(p, first, depth);
    if (l == GS_NONE || l != gs_program_loop_at(p, second, depth))
      return (gs_lag){0};
    uint64_t a = 0, b = 0;
    gs_term trip = p->loops[l].trip;
    if (!eval_model(k, v->model, gs_scene_term(k->scene, 0, trip), &a) ||
        !eval_model(k, v->model, gs_scene_term(k->scene, 1, trip), &b))
      return (gs_lag){0};
    if (a != b)
      return a < b ? (gs_lag){-1, b - a == 1} : (gs_lag){1, a - b == 1};
  }
}

bool gs_violation_in_warp(gs_kernel *k, const gs_violation *v) {
  gs_term index = gs_program_thread_index(k->program);
  uint64_t a = 0, b = 0;
  return v->meeting.same_block && eval_model(k, v->model, gs_scene_term(k->scene, 0, index), &a) &&
         eval_model(k, v->model, gs_scene_term(k->scene, 1, index), &b) &&
         a >> GS_WARP_SHIFT == b >> GS_WARP_SHIFT;
}

// -------------------------------------------------------------- witness ----

static uint32_t dim_value(gs_kernel *k, const gs_violation *v, int who, gs_term t) {
  uint64_t value = 0;
  gs_term image = who < 0 ? gs_scene_launch_term(k->scene, t) : gs_scene_term(k->scene, who, t);
  eval_model(k, v->model, image, &value);
  return (uint32_t)value;
}

static gs_dim dim(gs_kernel *k, const gs_violation *v, int who, const gs_term t[3]) {
  return (gs_dim){dim_value(k, v, who, t[0]), dim_value(k, v, who, t[1]),
                  dim_value(k, v, who, t[2])};
}

/// Parameters, and trip numbers above zero, that the case mentions.
static void add_values(gs_kernel *k, const gs_violation *v, gs_witness *w) {
  gs_program *p = k->program;
  uint32_t count = 0, n = 0;
  unsigned char *seen = case_syms(k, v, &count);
  gs_value *values = gs_pool_alloc(k->result->arena, (count + 1u) * sizeof *values);
  for (uint32_t s = 0; seen && values && s < count; s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    uint64_t raw = s < v->model->count ? v->model->values[s] : 0;
    if (!seen[s])
      continue;
    if (sym->kind == GS_SYM_PARAM && !sym->is_address) {
      int64_t value = sym->is_signed ? gs_sign_extend(raw, sym->width) : (int64_t)raw;
      values[n++] = (gs_value){gs_pool_text(k->result->arena, sym->name), value};
    } else if (sym->kind == GS_SYM_LAUNCH && sym->index >= GS_LAUNCH_CLUSTER_X &&
               sym->index <= GS_LAUNCH_CLUSTER_Z && raw > 1) {
      static const char *const axes[] = {"cluster.x", "cluster.y", "cluster.z"};
      values[n++] = (gs_value){axes[sym->index - GS_LAUNCH_CLUSTER_X], (int64_t)raw};
    } else if (sym->kind == GS_SYM_LAUNCH && sym->index >= GS_LAUNCH_EXTENT) {
      values[n++] = (gs_value){gs_pool_text(k->result->arena, sym->name), (int64_t)raw};
    } else if (sym->kind == GS_SYM_LOOP && raw > 0 && sym->index < p->loop_count) {
      gs_loc loc = gs_place_told(p, p->loops[sym->index].place);
      const char *whose = sym->copy == 1 ? " of the first thread"
                          : sym->copy == 2 ? " of the second thread" : "";
      values[n++] = (gs_value){gs_pool_format(k->result->arena, "iteration of the loop at line %" PRIu32 "%s",
                                               loc.line, whose),
                               (int64_t)raw};
    }
  }
  free(seen);
  w->values = values;
  w->value_count = n;
}

const gs_witness *gs_violation_witness(gs_kernel *k, const gs_violation *v) {
  gs_program *p = k->program;
  gs_witness *w = gs_pool_alloc(k->result->arena, sizeof *w);
  if (!w)
    return NULL;
  w->grid = dim(k, v, -1, p->nctaid);
  w->block = dim(k, v, -1, p->ntid);
  w->thread_count = v->count;
  for (uint32_t who = 0; who < v->count; who++) {
    w->thread[who] = dim(k, v, (int)who, p->tid);
    w->ctaid[who] = dim(k, v, (int)who, p->ctaid);
  }
  add_values(k, v, w);
  if (v->spots) {
    gs_witness_complete(k, v, w);
    return w;
  }
  const gs_target *target = &p->accesses[v->access[0]].targets[v->target[0]];
  uint64_t offset = 0, other = 0;
  eval_model(k, v->model, v->c->offset[0], &offset);
  // The first byte that both touch.
  if (v->count == 2 && eval_model(k, v->model, v->c->offset[1], &other) &&
      (int64_t)other > (int64_t)offset)
    offset = other;
  w->byte_offset = (int64_t)offset;
  uint32_t size = p->objects[target->object].elem_size;
  int64_t element = size ? (int64_t)offset / (int64_t)size : 0;
  if (size && element * (int64_t)size > (int64_t)offset)
    element--; // rounds down, also below the array
  w->has_element = size != 0;
  w->element = element;
  gs_witness_complete(k, v, w);
  return w;
}

gs_access_ref gs_access_reference(gs_kernel *k, uint32_t access) {
  const gs_program *p = k->program;
  const gs_access *a = &p->accesses[access];
  gs_access_ref ref = {.loc = gs_place_loc(p, a->place), .is_write = a->is_write,
                       .is_atomic = a->is_atomic};
  uint32_t n = 0;
  for (uint32_t at = p->places[a->place].inlined_at; at != GS_NONE; at = p->places[at].inlined_at)
    n++;
  gs_loc *chain = gs_pool_alloc(k->result->arena, (n + 1u) * sizeof *chain);
  if (chain)
    for (uint32_t at = p->places[a->place].inlined_at; at != GS_NONE;
         at = p->places[at].inlined_at) {
      chain[ref.inlined_count] = p->places[at].loc;
      chain[ref.inlined_count].file =
          gs_pool_text(k->result->arena, p->places[at].loc.file);
      ref.inlined_count++;
    }
  ref.inlined_at = chain;
  ref.loc.file = gs_pool_text(k->result->arena, ref.loc.file);
  return ref;
}
