// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_accesses.h"

#include "enumerate_program.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CHAIN = 12, ROOTS = 2 * MAX_CHAIN + 3, WORK = 400000, COMMON = 256, SIDE = 16 };

struct gs_block_run {
  gs_kernel *k;
  uint64_t *values; ///< by symbol of the program
  unsigned char *shown; ///< by symbol: a parameter that some access depends on
  uint32_t syms;
  uint32_t ntid[3], nctaid[3];
  uint64_t work; ///< operations on GS_LANES values that are left
  uint64_t rounds; ///< iterations of each loop that are looked at; 0 = all
};

// -------------------------------------------------------------- launches ----

static uint32_t sym_of(const gs_terms *terms, gs_term t) {
  return (uint32_t)gs_term_node(terms, t)->value;
}

/// Is everything that holds of a launch true of these values?
static bool is_allowed(const gs_block_run *run) {
  const gs_terms *terms = run->k->program->terms;
  size_t count = 0;
  const gs_term *facts = gs_scene_launch_facts(run->k->scene, &count);
  bool fine = true;
  for (size_t i = 0; i < count && fine; i++) {
    uint64_t value = 0;
    fine = gs_term_eval(terms, facts[i], run->values, NULL, NULL, &value) && value;
  }
  return fine;
}

static uint64_t within(const gs_sym *sym, uint64_t value) {
  value = value < sym->lo ? sym->lo : value;
  return value > sym->hi ? sym->hi : value;
}

static void set_parameters(gs_block_run *run, uint64_t size) {
  for (uint32_t s = 0; s < run->syms; s++) {
    const gs_sym *sym = gs_sym_get(run->k->program->terms, s);
    if (sym->kind == GS_SYM_PARAM || sym->kind == GS_SYM_BASE)
      run->values[s] = within(sym, sym->is_address ? UINT64_C(1) << 40 : sym->width > 8 ? size : 1);
    else if (sym->kind == GS_SYM_LAUNCH)
      run->values[s] = within(sym, 0);
  }
}

/// \returns false when the kernel's launches are open and it claims nothing.
static bool set_sizes(gs_block_run *run) {
  gs_kernel *k = run->k;
  const gs_program *p = k->program;
  bool flat = true;
  for (int d = 1; d < 3; d++) {
    uint64_t one = 0;
    flat &= gs_term_const(p->terms, gs_scene_launch_term(k->scene, p->ntid[d]), &one) && one == 1;
  }
  for (int d = 0; d < 3; d++) {
    uint64_t block = d == 0 ? (flat ? COMMON : SIDE) : d == 1 && !flat ? SIDE : 1, grid = d ? 1 : 2;
    bool known = gs_term_const(p->terms, gs_scene_launch_term(k->scene, p->ntid[d]), &block);
    gs_term_const(p->terms, gs_scene_launch_term(k->scene, p->nctaid[d]), &grid);
    if (!known && !k->is_claim)
      return false;
    run->values[sym_of(p->terms, p->ntid[d])] = block;
    run->values[sym_of(p->terms, p->nctaid[d])] = grid;
  }
  return true;
}

/// What the contract fixes is in no fact any more: it was put in.
static void set_fixed(gs_block_run *run) {
  const gs_terms *terms = run->k->program->terms;
  for (uint32_t s = 0; s < run->syms; s++) {
    uint64_t value = 0;
    if (gs_term_const(terms, gs_scene_launch_term(run->k->scene, gs_sym_term(terms, s)), &value))
      run->values[s] = value;
  }
}

/// Some launch that the prover finds.
static bool ask_for_launch(gs_block_run *run) {
  gs_case c = {0};
  gs_model model = {0};
  c.facts = gs_scene_launch_facts(run->k->scene, &c.fact_count);
  bool found = gs_prover_decide(run->k->prover, &c, false, GS_NO_TERM, &model) == GS_ANSWER_YES;
  for (uint32_t s = 0; s < run->syms && s < model.count && found; s++) {
    gs_sym_kind kind = gs_sym_get(run->k->program->terms, s)->kind;
    if (kind == GS_SYM_PARAM || kind == GS_SYM_NTID || kind == GS_SYM_NCTAID || kind == GS_SYM_LAUNCH)
      run->values[s] = model.values[s];
  }
  gs_model_free(&model);
  set_fixed(run);
  return found && is_allowed(run);
}

gs_block_run *gs_block_run_new(gs_kernel *k, gs_run_size size) {
  const gs_program *p = k->program;
  gs_block_run *run = calloc(1, sizeof *run);
  if (!run)
    return NULL;
  *run = (gs_block_run){.k = k, .syms = gs_sym_count(p->terms), .work = WORK};
  run->values = calloc(run->syms + 1u, sizeof *run->values);
  run->shown = calloc(run->syms + 1u, 1);
  bool fine = run->values && run->shown && set_sizes(run);
  if (fine) {
    set_parameters(run, size == GS_RUN_SMALL ? 100 : UINT64_C(1) << 20);
    set_fixed(run);
    fine = is_allowed(run) || (size == GS_RUN_SMALL && ask_for_launch(run));
  }
  for (int d = 0; d < 3 && fine; d++) {
    run->ntid[d] = (uint32_t)run->values[sym_of(p->terms, p->ntid[d])];
    run->nctaid[d] = (uint32_t)run->values[sym_of(p->terms, p->nctaid[d])];
  }
  if (fine)
    return run;
  gs_block_run_free(run);
  return NULL;
}

void gs_block_run_limit(gs_block_run *run, uint64_t rounds) { run->rounds = rounds; }

void gs_block_run_free(gs_block_run *run) {
  if (!run)
    return;
  free(run->values);
  free(run->shown);
  free(run);
}

/// All parameters of the kernel; pointers are not null.
static void add_arguments(const gs_block_run *run, gs_witness *w) {
  const gs_program *p = run->k->program;
  gs_actual *out = gs_pool_alloc(run->k->result->arena, (run->syms + p->object_count + 1u) * sizeof *out);
  uint32_t n = 0;
  for (uint32_t s = 0; out && s < run->syms; s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    if (sym->kind == GS_SYM_PARAM && !sym->is_address && sym->origin == s)
      out[n++] = (gs_actual){.param = sym->index, .offset = sym->offset, .bits = sym->width, .value = run->values[s]};
  }
  for (uint32_t i = 0; out && i < p->object_count; i++)
    if (p->objects[i].kind == GS_OBJECT_PARAM)
      out[n++] = (gs_actual){.param = p->objects[i].param, .offset = p->objects[i].offset, .bits = 64,
                             .is_pointer = true, .value = 256};
  w->arguments = out;
  w->argument_count = n;
}

void gs_block_run_launch(const gs_block_run *run, gs_witness *w) {
  gs_pool *arena = run->k->result->arena;
  gs_value *values = gs_pool_alloc(arena, (run->syms + 1u) * sizeof *values);
  w->grid = (gs_dim){run->nctaid[0], run->nctaid[1], run->nctaid[2]};
  w->block = (gs_dim){run->ntid[0], run->ntid[1], run->ntid[2]};
  for (uint32_t s = 0; values && s < run->syms; s++) {
    const gs_sym *sym = gs_sym_get(run->k->program->terms, s);
    if (!run->shown[s] || sym->kind != GS_SYM_PARAM || sym->is_address)
      continue;
    int64_t value = sym->is_signed ? gs_sign_extend(run->values[s], sym->width) : (int64_t)run->values[s];
    values[w->value_count++] = (gs_value){gs_pool_text(arena, sym->name), value};
  }
  w->values = values;
  add_arguments(run, w);
}

// -------------------------------------------------------------- accesses ----

/// One target of an access, compiled.
typedef struct tour {
  gs_block_run *run;
  uint32_t chain[MAX_CHAIN], depth; ///< loops around, outermost first
  gs_enum_program code;
  uint32_t guard, target, offset; ///< roots; those of loop i are 2 i and 2 i + 1
  uint32_t first;                 ///< thread of lane 0
  uint32_t size;
  uint32_t filled;                ///< the rows of thread indices are those from this one on, + 1
  bool widely, ended;
  gs_visit_lanes_fn visit;
  void *user;
} tour;

/// Is the value of the term a matter of the launch, the thread and loop counters?
static bool is_known(const gs_block_run *run, gs_term t) {
  const gs_terms *terms = run->k->program->terms;
  unsigned char *seen = calloc(run->syms + 1u, 1), *nodes = calloc(gs_terms_count(terms) + 1u, 1);
  bool known = t && seen && nodes;
  if (known) {
    gs_term_syms(terms, t, seen);
    gs_term_mark(terms, t, nodes);
  }
  for (uint32_t s = 0; s < run->syms && known; s++) {
    const gs_sym *sym = gs_sym_get(terms, s);
    known = !seen[s] || (sym->copy == 0 && sym->kind != GS_SYM_OPAQUE && sym->kind != GS_SYM_PHI);
    run->shown[s] |= known && seen[s];
  }
  for (size_t i = 1; i < gs_terms_count(terms) && known; i++)
    known = !nodes[i] || !gs_term_is(terms, (gs_term)i, GS_OP_LOAD);
  free(seen);
  free(nodes);
  return known;
}

static uint32_t index_of(const gs_block_run *run, uint32_t number, uint32_t axis) {
  gs_dim thread = gs_block_run_thread(run, number);
  return axis == 0 ? thread.x : axis == 1 ? thread.y : thread.z;
}

/// Fills in the rows of the symbols for the lanes of this stretch of threads.
static void fill(tour *t) {
  const gs_block_run *run = t->run;
  const gs_terms *terms = run->k->program->terms;
  for (uint32_t i = 0; i < t->code.count; i++) {
    if (t->code.code[i].op != GS_OP_SYM)
      continue;
    uint32_t s = (uint32_t)t->code.code[i].value;
    const gs_sym *sym = gs_sym_get(terms, s);
    uint64_t *row = t->code.rows[i].value;
    if (sym->kind == GS_SYM_TID && t->filled == t->first + 1)
      continue;
    for (uint32_t lane = 0; lane < GS_LANES; lane++)
      row[lane] = sym->kind == GS_SYM_TID ? index_of(run, t->first + lane, sym->index) : run->values[s];
  }
  t->filled = t->first + 1;
}

static bool execute(tour *t) {
  if (t->run->work < t->code.count)
    return false;
  t->run->work -= t->code.count;
  fill(t);
  gs_enum_program_run(&t->code);
  return true;
}

/// Lanes of which the root is true, or may be.
static uint64_t lanes_of(const tour *t, uint32_t root) {
  uint32_t row = t->code.root[root];
  uint64_t lanes = 0;
  for (uint32_t lane = 0; lane < GS_LANES; lane++)
    lanes |= (uint64_t)(t->code.rows[row].value[lane] & 1) << lane;
  uint64_t undefined = gs_enum_program_undefined(&t->code, row);
  return t->widely ? lanes | undefined : lanes & ~undefined;
}

static bool visit_lanes(tour *t, uint64_t lanes) {
  uint32_t row = t->code.root[t->offset];
  uint64_t undefined = gs_enum_program_undefined(&t->code, row);
  lanes &= lanes_of(t, t->guard) & lanes_of(t, t->target);
  if (t->widely && (lanes & undefined))
    return false;
  gs_lane_bytes bytes = {.first = t->first, .lanes = lanes & ~undefined,
                         .offset = t->code.rows[row].value, .size = t->size};
  t->ended = bytes.lanes && !t->visit(t->user, &bytes);
  return !t->ended;
}

gs_dim gs_block_run_thread(const gs_block_run *run, uint32_t number) {
  uint32_t yz = number / run->ntid[0];
  return (gs_dim){number % run->ntid[0], yz % run->ntid[1], yz / run->ntid[1]};
}

static bool go_round(tour *t, uint32_t i, uint64_t lanes) {
  const gs_program *p = t->run->k->program;
  if (!execute(t))
    return false;
  if (i == t->depth)
    return visit_lanes(t, lanes);
  uint64_t *trip = &t->run->values[p->loops[t->chain[i]].trip_sym];
  *trip = 0;
  lanes &= lanes_of(t, 2 * i);
  while (lanes) {
    uint64_t now = *trip;
    if (!go_round(t, i + 1, lanes))
      return false;
    *trip = now;
    if (now + 1 == t->run->rounds)
      break;
    if (!execute(t))
      return false;
    lanes &= lanes_of(t, 2 * i + 1);
    *trip = now + 1;
  }
  *trip = 0;
  return true;
}

/// The roots of an access. \returns their number, 0 when it is not known what happens.
static uint32_t find_roots(tour *t, uint32_t access, uint32_t target, gs_term roots[ROOTS]) {
  gs_kernel *k = t->run->k;
  const gs_program *p = k->program;
  uint32_t block = gs_phases_block(k->phases, access), n = 0;
  const gs_target *to = &p->accesses[access].targets[target];
  gs_term yes = gs_mk_bool(p->terms, true);
  for (uint32_t l = p->blocks[block].loop; l != GS_NONE; l = p->loops[l].parent)
    t->depth = p->loops[l].depth > t->depth ? p->loops[l].depth : t->depth;
  if (t->depth > MAX_CHAIN)
    return 0;
  for (uint32_t l = p->blocks[block].loop; l != GS_NONE; l = p->loops[l].parent)
    t->chain[p->loops[l].depth - 1] = l;
  for (uint32_t i = 0; i < t->depth; i++) {
    roots[n++] = gs_scene_launch_term(k->scene, p->loops[t->chain[i]].entry);
    roots[n++] = gs_scene_launch_term(k->scene, p->loops[t->chain[i]].again);
    if (!is_known(t->run, roots[n - 1]))
      return 0; // how often it goes round is not known
  }
  t->guard = n;
  roots[n++] = gs_scene_launch_term(k->scene, p->blocks[block].guard);
  t->target = n;
  roots[n++] = gs_scene_launch_term(k->scene, to->guard);
  t->offset = n;
  roots[n++] = gs_scene_launch_term(k->scene, to->offset);
  for (uint32_t i = 0; i < n; i++) {
    if (is_known(t->run, roots[i]))
      continue;
    if (i == t->offset || !t->widely)
      return 0;
    roots[i] = yes;
  }
  return n;
}

bool gs_block_run_access(gs_block_run *run, uint32_t access, uint32_t target, bool widely,
                         gs_visit_lanes_fn visit, void *user) {
  const gs_access *a = &run->k->program->accesses[access];
  tour t = {.run = run, .size = a->size, .widely = widely, .visit = visit, .user = user};
  gs_term roots[ROOTS];
  uint32_t n = a->size && !a->is_opaque ? find_roots(&t, access, target, roots) : 0;
  uint32_t threads = run->ntid[0] * run->ntid[1] * run->ntid[2];
  bool fine = n && gs_enum_program_compile(run->k->program->terms, roots, n, &t.code);
  for (t.first = 0; t.first < threads && fine; t.first += GS_LANES) {
    uint32_t left = threads - t.first;
    fine = go_round(&t, 0, left >= GS_LANES ? UINT64_MAX : (UINT64_C(1) << left) - 1);
  }
  if (n)
    gs_enum_program_free(&t.code);
  return fine || t.ended;
}
