// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm.h"

#include <stdlib.h>
#include <string.h>

const char gs_refuted_reason[] = "a run of this very launch, in which the two threads do not meet";
const char gs_refuted_visit[] = "a run of this very launch, in which this does not happen";

// -------------------------------------------------------------- witness ----

static bool eval(gs_kernel *k, const gs_violation *v, gs_term t, uint64_t *out) {
  return gs_term_eval(k->program->terms, t, v->model->values, gs_model_load_value,
                      (void *)(uintptr_t)v->model, out);
}

/// Marks the terms below `root` in `seen` (one byte for each term).
/// \param stack room for all terms \param loads also what is below a LOAD
static void mark(const gs_terms *terms, gs_term root, bool loads, unsigned char *seen,
                 gs_term *stack) {
  size_t top = 0;
  if (!root || seen[root])
    return;
  seen[root] = 1;
  stack[top++] = root;
  while (top) {
    const gs_node *node = gs_term_node(terms, stack[--top]);
    if (node->op == GS_OP_LOAD && !loads)
      continue;
    for (int i = 0; i < 3; i++)
      if (node->arg[i] && !seen[node->arg[i]]) {
        seen[node->arg[i]] = 1;
        stack[top++] = node->arg[i];
      }
  }
}

typedef struct look {
  gs_kernel *k;
  const gs_violation *v;
  gs_witness *w;
  size_t term_count;
  unsigned char *all;   ///< terms of the case
  unsigned char *plain; ///< those that are not only below a LOAD
  unsigned char *below; ///< of one LOAD's address
  gs_term *stack;
} look;

static void mark_case(look *l, bool loads, unsigned char *seen) {
  const gs_case *c = l->v->c;
  gs_terms *terms = l->k->program->terms;
  for (size_t i = 0; i < c->fact_count; i++)
    mark(terms, c->facts[i], loads, seen, l->stack);
  for (uint32_t who = 0; who < l->v->count; who++) {
    mark(terms, c->offset[who], loads, seen, l->stack);
    mark(terms, c->size[who], loads, seen, l->stack);
  }
  mark(terms, l->v->extra, loads, seen, l->stack);
}

static gs_array_ref array_of(gs_kernel *k, const gs_object *object) {
  gs_array_ref ref = {.name = gs_pool_text(k->result->arena, gs_object_words(object)),
                      .symbol = gs_pool_text(k->result->arena, object->symbol),
                      .param = object->param,
                      .offset = object->offset};
  switch (object->kind) {
  case GS_OBJECT_PARAM: ref.kind = GS_ARRAY_PARAM; break;
  case GS_OBJECT_DYNAMIC: ref.kind = GS_ARRAY_DYNAMIC; break;
  case GS_OBJECT_SHARED:
  case GS_OBJECT_GLOBAL:
  case GS_OBJECT_CONSTANT: ref.kind = GS_ARRAY_VARIABLE; break;
  case GS_OBJECT_LOCAL:
  case GS_OBJECT_BYVAL:
  case GS_OBJECT_LOADED:
  case GS_OBJECT_UNKNOWN: ref.kind = GS_ARRAY_PRIVATE; break;
  }
  return ref;
}

/// The symbol that an object's base is, GS_NONE when it is none.
static uint32_t base_of(const gs_program *p, const gs_object *object) {
  if (!object->base || !gs_term_is(p->terms, object->base, GS_OP_SYM))
    return GS_NONE;
  return (uint32_t)gs_term_node(p->terms, object->base)->value;
}

static const gs_object *object_with_base(const gs_program *p, uint32_t sym) {
  uint32_t origin = gs_sym_get(p->terms, sym)->origin;
  for (uint32_t i = 0; i < p->object_count; i++)
    if (base_of(p, &p->objects[i]) == origin)
      return &p->objects[i];
  return NULL;
}

/// Is the symbol's own term among the marked ones?
static bool is_marked(const look *l, const unsigned char *seen, uint32_t sym) {
  gs_term t = gs_sym_term(l->k->program->terms, sym);
  return t < l->term_count && seen[t];
}

/// The value of a parameter, if the launch or the case fixes it.
static bool value_of(const look *l, uint32_t sym, uint64_t *value) {
  gs_terms *terms = l->k->program->terms;
  // What a contract makes constant is in no fact any more.
  if (gs_term_const(terms, gs_scene_launch_term(l->k->scene, gs_sym_term(terms, sym)), value))
    return true;
  if (!is_marked(l, l->all, sym) || sym >= l->v->model->count)
    return false;
  *value = l->v->model->values[sym];
  return true;
}

/// Tells people that a pointer is null.
static void add_null(look *l, const char *name) {
  gs_pool *arena = l->k->result->arena;
  gs_value *values = gs_pool_alloc(arena, (l->w->value_count + 1u) * sizeof *values);
  if (!values)
    return;
  if (l->w->value_count)
    memcpy(values, l->w->values, l->w->value_count * sizeof *values);
  values[l->w->value_count++] = (gs_value){gs_pool_text(arena, name), 0};
  l->w->values = values;
}

/// Integers that the case speaks of, and every pointer.
static void add_arguments(look *l) {
  const gs_program *p = l->k->program;
  uint32_t syms = gs_sym_count(p->terms), n = 0;
  gs_actual *out =
      gs_pool_alloc(l->k->result->arena, (syms + p->object_count + 1u) * sizeof *out);
  if (!out)
    return;
  for (uint32_t s = 0; s < syms; s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    uint64_t value = 0;
    if (sym->kind == GS_SYM_PARAM && !sym->is_address && sym->origin == s && value_of(l, s, &value))
      out[n++] = (gs_actual){.param = sym->index, .offset = sym->offset, .bits = sym->width, .value = value};
  }
  uint32_t params = 0; // that are pointers
  for (uint32_t i = 0; i < p->object_count; i++) {
    const gs_object *o = &p->objects[i];
    uint32_t s = base_of(p, o);
    if (o->kind != GS_OBJECT_PARAM)
      continue;
    params++;
    // A pointer that the guards do not speak of is any that is not null.
    bool fixed = s != GS_NONE && is_marked(l, l->plain, s) && s < l->v->model->count;
    out[n++] = (gs_actual){.param = o->param, .offset = o->offset, .bits = 64, .is_pointer = true,
                             .value = fixed ? l->v->model->values[s] : 256};
  }
  l->w->arguments = out;
  l->w->argument_count = n;
  for (uint32_t i = 0, a = 0; i < p->object_count; i++)
    if (p->objects[i].kind == GS_OBJECT_PARAM && out[n - params + a++].value == 0)
      add_null(l, p->objects[i].name);
}

/// The one array that a LOAD's address is in; NULL when that is not plain to see.
static const gs_object *loaded_object(look *l, gs_term address) {
  const gs_program *p = l->k->program;
  const gs_object *found = NULL;
  memset(l->below, 0, l->term_count);
  mark(p->terms, address, false, l->below, l->stack);
  for (uint32_t s = 0; s < gs_sym_count(p->terms); s++) {
    if (!gs_sym_get(p->terms, s)->is_address || !is_marked(l, l->below, s))
      continue;
    const gs_object *o = object_with_base(p, s);
    if (found && o && o != found)
      return NULL;
    found = o ? o : found;
  }
  return found;
}

static bool same_array(const gs_array_ref *a, const gs_array_ref *b) {
  return a->kind == b->kind && a->param == b->param && a->offset == b->offset &&
         strcmp(a->symbol ? a->symbol : "", b->symbol ? b->symbol : "") == 0;
}

static bool is_before(const gs_cell *a, const gs_cell *b) {
  if (a->array.param != b->array.param)
    return a->array.param < b->array.param;
  return a->array.offset != b->array.offset ? a->array.offset < b->array.offset : a->offset < b->offset;
}

/// In the order in which people read them.
static void sort_cells(gs_cell *cells, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    gs_cell moved = cells[i];
    uint32_t at = i;
    for (; at > 0 && is_before(&moved, &cells[at - 1]); at--)
      cells[at] = cells[at - 1];
    cells[at] = moved;
  }
}

/// Contents of memory that the model chose.
static void add_cells(look *l) {
  enum { MOST = 512 };
  const gs_program *p = l->k->program;
  gs_cell *out = gs_pool_alloc(l->k->result->arena, MOST * sizeof *out);
  uint32_t n = 0;
  for (gs_term t = 1; out && t < l->term_count && n < MOST; t++) {
    if (!l->all[t] || !gs_term_is(p->terms, t, GS_OP_LOAD))
      continue;
    gs_term address = gs_term_node(p->terms, t)->arg[0];
    uint64_t at = 0, base = 0, value = 0;
    const gs_object *o = loaded_object(l, address);
    if (!o || !eval(l->k, l->v, address, &at) || !eval(l->k, l->v, o->base, &base) ||
        !eval(l->k, l->v, t, &value))
      continue;
    gs_cell cell = {.array = array_of(l->k, o), .offset = (int64_t)(at - base),
                    .bits = gs_term_width(p->terms, t), .value = value};
    bool known = false;
    for (uint32_t i = 0; i < n && !known; i++)
      known = out[i].offset == cell.offset && out[i].bits == cell.bits &&
              same_array(&out[i].array, &cell.array);
    if (!known)
      out[n++] = cell;
  }
  if (out)
    sort_cells(out, n);
  l->w->cells = out;
  l->w->cell_count = out ? n : 0;
}

void gs_witness_array(gs_kernel *k, const gs_object *object, gs_witness *w) {
  w->array = array_of(k, object);
  w->elem_size = object->elem_size;
}

void gs_witness_complete(gs_kernel *k, const gs_violation *v, gs_witness *w) {
  gs_program *p = k->program;
  look l = {.k = k, .v = v, .w = w, .term_count = gs_terms_count(p->terms)};
  w->array = (gs_array_ref){.kind = GS_ARRAY_PRIVATE};
  if (!v->spots)
    gs_witness_array(k, &p->objects[p->accesses[v->access[0]].targets[v->target[0]].object], w);
  eval(k, v, gs_scene_launch_term(k->scene, p->dynamic_smem), &w->dynamic_smem);
  if (k->desc && k->desc->alias_count) {
    gs_alias *aliases = gs_pool_alloc(k->result->arena, k->desc->alias_count * sizeof *aliases);
    if (aliases) {
      memcpy(aliases, k->desc->aliases, k->desc->alias_count * sizeof *aliases);
      w->aliases = aliases;
      w->alias_count = k->desc->alias_count;
    }
  }
  l.term_count = gs_terms_count(p->terms);
  l.all = calloc(l.term_count + 1, 1);
  l.plain = calloc(l.term_count + 1, 1);
  l.below = calloc(l.term_count + 1, 1);
  l.stack = calloc(l.term_count + 1, sizeof *l.stack);
  if (l.all && l.plain && l.below && l.stack) {
    mark_case(&l, true, l.all);
    mark_case(&l, false, l.plain);
    add_arguments(&l);
    add_cells(&l);
  }
  free(l.all);
  free(l.plain);
  free(l.below);
  free(l.stack);
}

// ------------------------------------------------------------------ run ----

/// Instructions for one witness, and for all of a kernel.
static void budget_for(const gs_kernel *k, uint64_t *one, uint64_t *all) {
  enum { PATIENT = 4000000, PATIENT_ALL = 40000000, THRIFTY = 400000, THRIFTY_ALL = 4000000 };
  bool patient = k->is_claim || k->options->thorough;
  *one = patient ? PATIENT : THRIFTY;
  *all = patient ? PATIENT_ALL : THRIFTY_ALL;
}

static const char *refused(gs_kernel *k, const char *why) {
  return gs_pool_format(k->result->arena, "refused: %s", why);
}

/// The instructions to run a witness with. \returns NULL when it is not to be run: then *replay
/// says why, or nothing when nobody hears of the finding.
static const gs_code *code_to_run(gs_kernel *k, uint64_t *budget, const char **replay) {
  uint64_t all = 0;
  const char *why = "the kernel is given as text, without its instructions";
  const gs_code *code = NULL;
  *replay = NULL;
  if (k->cheap)
    return NULL;
  budget_for(k, budget, &all);
  if (k->runner)
    code = k->runner->code(k->runner->user, &why);
  if (code && k->replay.steps >= all) {
    code = NULL;
    why = gs_replay_end_words(GS_END_BUDGET);
  }
  if (!code)
    *replay = refused(k, why);
  return code;
}

/// Counts a run. \returns false when it refutes what it was to show.
static bool note_run(gs_kernel *k, gs_rerun_verdict verdict, uint64_t steps, gs_replay_end end,
                     const char **replay) {
  k->replay.runs++;
  k->replay.steps += steps;
  k->replay.refuted += verdict == GS_RERUN_REFUTED;
  if (verdict == GS_RERUN_REFUSED)
    *replay = refused(k, gs_replay_end_words(end));
  else
    *replay = verdict == GS_RERUN_CONFIRMED ? "confirmed" : "refuted";
  return verdict != GS_RERUN_REFUTED;
}

static bool has_echo(const gs_kernel *k, const gs_violation *v) {
  for (uint32_t who = 0; who < v->count && !v->spots; who++)
    if (k->program->accesses[v->access[who]].echo)
      return true;
  return false;
}

static void claim_access(gs_kernel *k, gs_rerun_claim *claim, uint32_t who, uint32_t access) {
  const gs_access *a = &k->program->accesses[access];
  claim->line[who] = gs_place_loc(k->program, a->place).line;
  claim->is_write[who] = a->is_write;
  claim->is_atomic[who] = a->is_atomic;
}

bool gs_violation_confirmed(gs_kernel *k, const gs_violation *v, const gs_witness *w,
                            bool barriers_order, const char **replay) {
  uint64_t budget = 0, steps = 0;
  gs_replay_end end;
  const gs_code *code = code_to_run(k, &budget, replay);
  if (!code)
    return true;
  if (has_echo(k, v)) {
    *replay = refused(k, "a run makes asynchronous copies where they start");
    return true;
  }
  gs_rerun_claim claim = {.barriers_order = barriers_order};
  for (uint32_t who = 0; who < v->count; who++)
    claim_access(k, &claim, who, v->access[who]);
  gs_rerun_verdict verdict = gs_rerun_confirm(code, w, &claim, budget, &steps, &end, NULL);
  return note_run(k, verdict, steps, end, replay);
}

bool gs_visit_confirmed(gs_kernel *k, const gs_witness *w, const gs_rerun_place *place, const char **replay) {
  uint64_t budget = 0, steps = 0;
  gs_replay_end end;
  const gs_code *code = code_to_run(k, &budget, replay);
  if (!code)
    return true;
  gs_rerun_verdict verdict = gs_rerun_visit(code, w, place, budget, &steps, &end);
  return note_run(k, verdict, steps, end, replay);
}

bool gs_unwritten_confirmed(gs_kernel *k, const gs_witness *w, uint32_t line, const char **replay) {
  uint64_t budget = 0, steps = 0;
  gs_replay_end end;
  const gs_code *code = code_to_run(k, &budget, replay);
  if (!code)
    return true;
  gs_rerun_verdict verdict = gs_rerun_unwritten(code, w, line, budget, &steps, &end);
  return note_run(k, verdict, steps, end, replay);
}

bool gs_both_confirmed(gs_kernel *k, const gs_violation *v, const gs_witness *w, const char **replay) {
  gs_witness one = *w;
  bool held = true;
  one.thread_count = 1;
  for (uint32_t i = 0; i < v->count && held; i++) {
    uint64_t budget = 0, steps = 0;
    gs_replay_end end;
    const gs_code *code = code_to_run(k, &budget, replay);
    if (!code)
      return true;
    gs_rerun_claim claim = {.barriers_order = false};
    claim_access(k, &claim, 0, v->access[i]);
    gs_rerun_verdict verdict = gs_rerun_confirm(code, &one, &claim, budget, &steps, &end, NULL);
    held = note_run(k, verdict, steps, end, replay);
  }
  return held;
}
