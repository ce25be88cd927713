// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scene_private.h"

#include "believe.h"

#include <stdlib.h>
#include <string.h>

void gs_scene_push(gs_scene *scene, gs_term **array, uint32_t *count, uint32_t *capacity, gs_term t) {
  uint64_t value = 0;
  if (!t || (gs_term_const(scene->terms, t, &value) && value))
    return;
  if (*count == *capacity) {
    uint32_t next = *capacity ? *capacity * 2 : 32;
    gs_term *moved = realloc(*array, next * sizeof *moved);
    if (!moved) {
      scene->failed = true;
      return;
    }
    *array = moved;
    *capacity = next;
  }
  (*array)[(*count)++] = t;
}

void gs_scene_add_conjuncts(gs_scene *scene, gs_term t, void (*add)(gs_scene *, gs_term)) {
  while (t && gs_term_width(scene->terms, t) == 1 && gs_term_is(scene->terms, t, GS_OP_AND)) {
    gs_node node = *gs_term_node(scene->terms, t);
    gs_scene_add_conjuncts(scene, node.arg[0], add);
    t = node.arg[1];
  }
  add(scene, t);
}

static void add_fact(gs_scene *scene, gs_term t) {
  gs_scene_push(scene, &scene->facts, &scene->fact_count, &scene->fact_capacity, t);
}

gs_scene *gs_scene_new(gs_program *program, const gs_scene_options *options) {
  gs_scene *scene = calloc(1, sizeof *scene);
  if (!scene)
    return NULL;
  scene->program = program;
  scene->terms = program->terms;
  scene->options = *options;
  scene->needs = calloc(program->access_count + 1u, sizeof *scene->needs);
  gs_scene_learn_launch(scene);
  if (!scene->failed) {
    for (int i = 0; i < 2; i++)
      scene->copies[i] = calloc(scene->sym_count + 1u, sizeof(gs_term));
    gs_tickets_options rounds = {.strict = options->strict, .races_checked = options->races_checked};
    scene->tickets = gs_tickets_new(program, &rounds);
  }
  if (scene->failed || !scene->tickets || !scene->needs || !scene->copies[0] || !scene->copies[1] ||
      gs_terms_failed(scene->terms)) {
    gs_scene_free(scene);
    return NULL;
  }
  return scene;
}

static void drop_mapping(mapping *m) {
  for (int i = 0; i < 2; i++) {
    free(m->map[i]);
    gs_subst_free(m->subst[i]);
  }
  memset(m, 0, sizeof *m);
}

void gs_scene_free(gs_scene *scene) {
  if (!scene)
    return;
  for (int i = 0; i < MAX_MAPPINGS; i++)
    drop_mapping(&scene->mappings[i]);
  for (uint32_t i = 0; scene->needs && i < scene->program->access_count; i++) {
    free(scene->needs[i].terms);
    free(scene->needs[i].tickets);
  }
  gs_tickets_free(scene->tickets);
  free(scene->needs);
  free(scene->fixed);
  free(scene->copies[0]);
  free(scene->copies[1]);
  free(scene->launch);
  free(scene->facts);
  free(scene);
}

const gs_term *gs_scene_launch_facts(const gs_scene *scene, size_t *count) {
  *count = scene->launch_count;
  return scene->launch;
}

bool gs_scene_uses(const gs_scene *scene, gs_default assumption) {
  return assumption == GS_DEFAULT_FLAT ? scene->flat : assumption == GS_DEFAULT_GRID && scene->grid;
}

bool gs_scene_assumes_counter(const gs_scene *scene, uint32_t access) {
  return gs_tickets_assumed(scene->tickets, access);
}
uint32_t gs_scene_axes(const gs_scene *scene) { return scene->axes; }
bool gs_scene_dropped_clause(const gs_scene *scene) { return scene->dropped; }
uint32_t gs_scene_sym_count(const gs_scene *scene) { return scene->sym_count; }

// ------------------------------------------------------------ mappings ----

/// The symbol's own copy for thread `who`.
static gs_term copy_of(gs_scene *scene, int who, uint32_t s) {
  if (!scene->copies[who][s]) {
    gs_sym sym = *gs_sym_get(scene->terms, s);
    sym.copy = (uint32_t)who + 1;
    sym.origin = s;
    scene->copies[who][s] = gs_mk_sym(scene->terms, &sym);
  }
  return scene->copies[who][s];
}

static bool in_chain(const gs_program *p, uint32_t loop, uint32_t inner) {
  while (inner != GS_NONE && inner != loop)
    inner = p->loops[inner].parent;
  return inner == loop;
}

/// Does the phase relate their iterations?
static bool phased(const gs_meeting *meeting) { return meeting->same_block || meeting->in_phase; }

/// Do both threads see one value of the symbol in one iteration?
static bool is_shared(const mapping *m, const gs_sym *sym) {
  bool block = m->meeting.same_block && (m->blocks_agree || !gs_program_is_voted(sym));
  bool warp = m->meeting.same_block && m->meeting.same && m->warps_agree;
  return sym->level == GS_LEVEL_GRID || (sym->level == GS_LEVEL_BLOCK && block) ||
         (sym->level == GS_LEVEL_WARP && warp);
}

/// The term of symbol s for thread `who`.
static gs_term image(gs_scene *scene, const mapping *m, int who, uint32_t s) {
  const gs_program *p = scene->program;
  gs_sym sym = *gs_sym_get(scene->terms, s);
  if (scene->fixed[s])
    return scene->fixed[s];
  bool shared = m->meeting.self || is_shared(m, &sym);
  if (sym.loop == 0)
    return shared ? GS_NO_TERM : copy_of(scene, who, s);
  uint32_t loop = sym.loop - 1, depth = p->loops[loop].depth;
  const gs_cophase *phase = &m->meeting.phase;
  bool around = in_chain(p, loop, m->loop[who]);
  if (phased(&m->meeting) && around && depth <= phase->tied)
    return shared ? GS_NO_TERM : copy_of(scene, who, s);
  bool trip = s == p->loops[loop].trip_sym;
  if (!phased(&m->meeting) || !around || !trip)
    return copy_of(scene, who, s);
  if (depth < 32 && phase->zero[who] >> depth & 1)
    return gs_mk_const(scene->terms, 0, 64);
  gs_term one = gs_mk_const(scene->terms, 1, 64);
  if (depth == phase->tied + 1 && who == 0 && phase->step == GS_STEP_FIRST_NEXT)
    return gs_mk_bin_flags(scene->terms, GS_OP_ADD, copy_of(scene, 1, s), one, GS_NSW | GS_NUW, 0);
  if (depth == phase->tied + 1 && who == 1 && phase->step == GS_STEP_SECOND_NEXT)
    return gs_mk_bin_flags(scene->terms, GS_OP_ADD, copy_of(scene, 0, s), one, GS_NSW | GS_NUW, 0);
  return copy_of(scene, who, s);
}

static gs_term trips_relation(gs_scene *scene, const mapping *m) {
  const gs_program *p = scene->program;
  gs_step step = m->meeting.phase.step;
  if (!phased(&m->meeting) || (step != GS_STEP_FIRST_LATER && step != GS_STEP_SECOND_LATER))
    return GS_NO_TERM;
  uint32_t l1 = gs_program_loop_at(p, m->loop[0], m->meeting.phase.tied + 1);
  if (l1 == GS_NONE || l1 != gs_program_loop_at(p, m->loop[1], m->meeting.phase.tied + 1))
    return GS_NO_TERM;
  gs_term k1 = copy_of(scene, 0, p->loops[l1].trip_sym), k2 = copy_of(scene, 1, p->loops[l1].trip_sym);
  return step == GS_STEP_FIRST_LATER ? gs_mk_bin(scene->terms, GS_OP_ULT, k2, k1)
                                     : gs_mk_bin(scene->terms, GS_OP_ULT, k1, k2);
}

/// "Goes round no more" for a thread inside of a loop that the other thread left.
static gs_term ending_fact(gs_scene *scene, const mapping *m, int who, gs_ending ending,
                           uint32_t depth) {
  const gs_program *p = scene->program;
  gs_terms *t = scene->terms;
  uint32_t loop = ending == GS_ENDING_OPEN ? GS_NONE : gs_program_loop_at(p, m->loop[who], depth);
  if (!phased(&m->meeting) || ending == GS_ENDING_OPEN || loop == GS_NONE)
    return GS_NO_TERM;
  if (ending == GS_ENDING_HERE)
    return gs_mk_not(t, gs_subst_apply(m->subst[who], p->loops[loop].again));
  // The same for a neighbouring iteration; `again` depends on the trip alone.
  uint32_t trip = p->loops[loop].trip_sym;
  gs_term saved = m->map[who][trip], one = gs_mk_const(t, 1, 64);
  gs_term here = saved ? saved : p->loops[loop].trip;
  m->map[who][trip] = gs_mk_bin(t, ending == GS_ENDING_NEXT ? GS_OP_ADD : GS_OP_SUB, here, one);
  gs_term fact = gs_mk_not(t, gs_term_subst(t, p->loops[loop].again, m->map[who], scene->sym_count));
  m->map[who][trip] = saved;
  return fact;
}

static bool same_meeting(const gs_meeting *a, const gs_meeting *b) {
  return a->same_block == b->same_block && a->one_thread == b->one_thread && a->self == b->self &&
         a->in_phase == b->in_phase && a->same == b->same && a->apart == b->apart &&
         a->group == b->group &&
         (!phased(a) || gs_cophase_same(&a->phase, &b->phase));
}

/// Both threads are of a group, or not both.
static gs_term in_group(const mapping *m, gs_terms *t, gs_term member, bool both) {
  gs_term sum = gs_mk_and(t, gs_subst_apply(m->subst[0], member), gs_subst_apply(m->subst[1], member));
  return both ? sum : gs_mk_not(t, sum);
}

/// The two share a team of 2^same, and none of 2^apart; and what groups they are of.
static gs_term kinship(gs_scene *scene, const gs_phases *phases, const mapping *m) {
  gs_terms *t = scene->terms;
  gs_term index = gs_program_thread_index(scene->program), number[2], sum = gs_mk_bool(t, true);
  const uint8_t shifts[2] = {m->meeting.same, m->meeting.apart}, group = m->meeting.group;
  for (int i = 0; i < 2; i++) {
    if (!shifts[i] || m->meeting.one_thread)
      continue;
    for (int who = 0; who < 2; who++)
      number[who] = gs_mk_bin(t, GS_OP_LSHR, gs_subst_apply(m->subst[who], index),
                              gs_mk_const(t, shifts[i], 32));
    gs_term fact = gs_mk_bin(t, GS_OP_EQ, number[0], number[1]);
    sum = gs_mk_and(t, sum, i ? gs_mk_not(t, fact) : fact);
  }
  for (uint32_t g = 0; group && !m->meeting.one_thread && gs_phases_group(phases, g); g++)
    if (group == GS_NO_GROUP || group == g + 1)
      sum = gs_mk_and(t, sum, in_group(m, t, gs_phases_group(phases, g), group != GS_NO_GROUP));
  return sum;
}

static mapping *find_mapping(gs_scene *scene, const gs_phases *phases, const gs_meeting *meeting,
                             const uint32_t loop[2]) {
  bool warps = gs_phases_votes_hold(phases, GS_LEVEL_WARP);
  bool blocks = gs_phases_votes_hold(phases, GS_LEVEL_BLOCK);
  mapping *oldest = &scene->mappings[0];
  for (int i = 0; i < MAX_MAPPINGS; i++) {
    mapping *m = &scene->mappings[i];
    if (m->used && same_meeting(&m->meeting, meeting) && m->loop[0] == loop[0] &&
        m->loop[1] == loop[1] && m->warps_agree == warps && m->blocks_agree == blocks) {
      m->stamp = ++scene->stamp;
      return m;
    }
    if (m->stamp < oldest->stamp)
      oldest = m;
  }
  drop_mapping(oldest);
  *oldest = (mapping){.used = true, .meeting = *meeting, .loop = {loop[0], loop[1]},
                      .warps_agree = warps, .blocks_agree = blocks, .stamp = ++scene->stamp};
  for (int who = 0; who < 2; who++) {
    oldest->map[who] = calloc(scene->sym_count + 1u, sizeof(gs_term));
    if (!oldest->map[who]) {
      scene->failed = true;
      return oldest;
    }
    for (uint32_t s = 0; s < scene->sym_count; s++)
      oldest->map[who][s] = image(scene, oldest, who, s);
    oldest->subst[who] = gs_subst_new(scene->terms, oldest->map[who], scene->sym_count);
    scene->failed |= !oldest->subst[who];
  }
  oldest->extra = trips_relation(scene, oldest);
  oldest->kinship = scene->failed ? GS_NO_TERM : kinship(scene, phases, oldest);
  return oldest;
}

// --------------------------------------------------------------- needs ----

static void need(gs_scene *scene, needs *n, uint32_t *capacity, gs_term t) {
  for (uint32_t i = 0; i < n->count; i++)
    if (n->terms[i] == t)
      return;
  gs_scene_push(scene, &n->terms, &n->count, capacity, t);
}

/// Adds the facts of all symbols of the terms, and of those in `seen`; these facts have
/// symbols too. \returns false when memory is short.
static bool close_facts(gs_scene *scene, needs *n, uint32_t *capacity, unsigned char *seen) {
  const gs_program *p = scene->program;
  unsigned char *done = calloc(p->fact_count + 1u, 1);
  uint32_t scanned = 0;
  for (bool more = done != NULL; more;) {
    more = false;
    for (; scanned < n->count; scanned++)
      gs_term_syms(p->terms, n->terms[scanned], seen);
    for (uint32_t f = 0; f < p->fact_count; f++)
      if (!done[f] && seen[p->facts[f].sym]) {
        done[f] = 1;
        more = true;
        need(scene, n, capacity, p->facts[f].fact);
      }
  }
  bool fine = done != NULL;
  free(done);
  return fine;
}

/// Guards of the access and of the loops around it, and the facts of every
/// symbol that any of these (or the addresses) contain.
static void build_needs(gs_scene *scene, const gs_phases *phases, uint32_t access) {
  const gs_program *p = scene->program;
  needs *n = &scene->needs[access];
  uint32_t capacity = 0, block = gs_phases_block(phases, access);
  const gs_access *a = &p->accesses[access];
  unsigned char *seen = calloc(scene->sym_count + 1u, 1);
  n->built = true;
  if (!seen) {
    scene->failed = true;
    return;
  }
  need(scene, n, &capacity, p->blocks[block].guard);
  for (uint32_t l = p->blocks[block].loop; l != GS_NONE; l = p->loops[l].parent) {
    need(scene, n, &capacity, p->loops[l].entry);
    seen[p->loops[l].trip_sym] = 1;
  }
  for (uint32_t i = 0; i < a->target_count; i++) {
    gs_term_syms(p->terms, a->targets[i].offset, seen);
    gs_term_syms(p->terms, a->targets[i].guard, seen);
  }
  gs_term_syms(p->terms, a->size_term, seen);
  scene->failed |= !close_facts(scene, n, &capacity, seen);
  n->tickets = gs_tickets_among(scene->tickets, seen, &n->ticket_count);
  scene->failed |= !gs_believe(p, access, block, n->terms, n->count);
  free(seen);
}

/// The same for a spot: what holds there, and the facts of its symbols and of the loops
/// around it.
static void build_spot(gs_scene *scene, const gs_spot *spot, needs *n) {
  const gs_program *p = scene->program;
  unsigned char *seen = calloc(scene->sym_count + 1u, 1);
  uint32_t capacity = 0;
  scene->failed |= !seen;
  for (uint32_t i = 0; i < spot->count && seen; i++)
    need(scene, n, &capacity, spot->holds[i]);
  for (uint32_t l = spot->loop; l != GS_NONE && seen; l = p->loops[l].parent)
    seen[p->loops[l].trip_sym] = 1;
  scene->failed |= seen && !close_facts(scene, n, &capacity, seen);
  if (spot->plain)
    scene->failed |= !gs_believe_counters(p, n->terms, n->count);
  free(seen);
}

/// What holds of thread `who`: its place in the launch, and `n` as it sees them.
static void add_thread(gs_scene *scene, mapping *m, int who, const needs *n) {
  const gs_program *p = scene->program;
  gs_terms *t = scene->terms;
  for (uint32_t d = 0; d < 3; d++) {
    gs_term tid = gs_subst_apply(m->subst[who], p->tid[d]);
    gs_term ctaid = gs_subst_apply(m->subst[who], p->ctaid[d]);
    gs_term ntid = gs_subst_apply(m->subst[who], p->ntid[d]);
    gs_term nctaid = gs_subst_apply(m->subst[who], p->nctaid[d]);
    add_fact(scene, gs_mk_bin(t, GS_OP_ULT, tid, ntid));
    add_fact(scene, gs_mk_bin(t, GS_OP_ULT, ctaid, nctaid));
  }
  for (uint32_t i = 0; i < n->count; i++)
    gs_scene_add_conjuncts(scene, gs_subst_apply(m->subst[who], n->terms[i]), add_fact);
}

static void add_ticket_fact(void *scene, gs_term fact) { gs_scene_add_conjuncts(scene, fact, add_fact); }

/// What two threads know of each other by the results of their atomic operations.
static void add_tickets(gs_scene *scene, const mapping *m, const uint32_t access[2]) {
  gs_ticket_meeting meeting = {.same_block = m->meeting.same_block,
                               .tied = m->meeting.phase.tied};
  for (int who = 0; who < 2; who++) {
    const needs *n = &scene->needs[access[who]];
    meeting.loop[who] = m->loop[who];
    meeting.subst[who] = m->subst[who];
    meeting.syms[who] = n->tickets;
    meeting.count[who] = n->ticket_count;
  }
  gs_tickets_facts(scene->tickets, &meeting, add_ticket_fact, scene);
}

static void add_distinct(gs_scene *scene, const gs_meeting *meeting, gs_case *out) {
  const gs_program *p = scene->program;
  out->distinct_count = 0;
  for (uint32_t d = 0; d < 3 && !meeting->one_thread && !meeting->self; d++) {
    uint32_t s = gs_scene_sym_of(scene, meeting->same_block ? p->tid[d] : p->ctaid[d]);
    if (scene->fixed[s])
      continue;
    out->distinct[out->distinct_count][0] = gs_scene_sym_of(scene, copy_of(scene, 0, s));
    out->distinct[out->distinct_count][1] = gs_scene_sym_of(scene, copy_of(scene, 1, s));
    out->distinct_count++;
  }
}

/// Begins a case: the launch, and how the iterations of the two threads are related.
static mapping *begin(gs_scene *scene, const gs_phases *phases, const gs_meeting *meeting,
                      const uint32_t loop[2], gs_case *out) {
  mapping *m = find_mapping(scene, phases, meeting, loop);
  memset(out, 0, sizeof *out);
  scene->current = m;
  scene->fact_count = 0;
  if (scene->failed)
    return NULL;
  for (uint32_t i = 0; i < scene->launch_count; i++)
    add_fact(scene, scene->launch[i]);
  add_fact(scene, m->extra);
  if (m->kinship)
    gs_scene_add_conjuncts(scene, m->kinship, add_fact);
  for (int who = 0; who < 2; who++) {
    const gs_cophase *phase = &m->meeting.phase;
    gs_scene_add_conjuncts(scene, ending_fact(scene, m, who, phase->ending[who], phase->ending_depth[who]),
                  add_fact);
    gs_scene_add_conjuncts(scene, ending_fact(scene, m, who, phase->inner_ending[who], phase->inner_depth),
                  add_fact);
  }
  return m;
}

static bool finish(gs_scene *scene, const gs_meeting *meeting, gs_case *out) {
  add_distinct(scene, meeting, out);
  out->facts = scene->facts;
  out->fact_count = scene->fact_count;
  return !scene->failed && !gs_terms_failed(scene->terms);
}

bool gs_scene_meet(gs_scene *scene, const gs_phases *phases, const gs_meeting *meeting,
                   uint32_t a1, uint32_t t1, uint32_t a2, uint32_t t2, gs_case *out) {
  const gs_program *p = scene->program;
  uint32_t loop[2] = {p->blocks[gs_phases_block(phases, a1)].loop,
                      p->blocks[gs_phases_block(phases, a2)].loop};
  uint32_t access[2] = {a1, a2};
  const gs_target *target[2] = {&p->accesses[a1].targets[t1], &p->accesses[a2].targets[t2]};
  mapping *m = begin(scene, phases, meeting, loop, out);
  for (int who = 0; m && who < (meeting->one_thread ? 1 : 2); who++) {
    const gs_access *a = &p->accesses[access[who]];
    if (!scene->needs[access[who]].built)
      build_needs(scene, phases, access[who]);
    add_thread(scene, m, who, &scene->needs[access[who]]);
    gs_scene_add_conjuncts(scene, gs_subst_apply(m->subst[who], target[who]->guard), add_fact);
    out->offset[who] = gs_subst_apply(m->subst[who], target[who]->offset);
    out->bytes[who] = a->size;
    out->size[who] = a->size || !a->size_term
                         ? gs_mk_const(scene->terms, a->size, 64)
                         : gs_subst_apply(m->subst[who], a->size_term);
    out->value[who] = a->value ? gs_subst_apply(m->subst[who], a->value) : GS_NO_TERM;
    out->map[who] = m->map[who];
  }
  if (m && !meeting->one_thread && !meeting->self)
    add_tickets(scene, m, access);
  return m && finish(scene, meeting, out);
}

bool gs_scene_meet_spots(gs_scene *scene, const gs_phases *phases, const gs_meeting *meeting,
                         const gs_spot spots[2], gs_case *out) {
  uint32_t loop[2] = {spots[0].loop, spots[meeting->one_thread ? 0 : 1].loop};
  mapping *m = begin(scene, phases, meeting, loop, out);
  for (int who = 0; m && who < (meeting->one_thread ? 1 : 2); who++) {
    needs n = {0};
    build_spot(scene, &spots[who], &n);
    add_thread(scene, m, who, &n);
    free(n.terms);
    out->map[who] = m->map[who];
  }
  return m && finish(scene, meeting, out);
}

bool gs_scene_require(gs_scene *scene, gs_term fact, gs_case *c) {
  if (fact)
    gs_scene_add_conjuncts(scene, fact, add_fact);
  c->facts = scene->facts;
  c->fact_count = scene->fact_count;
  return !scene->failed && !gs_terms_failed(scene->terms);
}

gs_term gs_scene_term(gs_scene *scene, int who, gs_term t) {
  return t && scene->current ? gs_subst_apply(scene->current->subst[who], t) : t;
}
