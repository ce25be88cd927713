// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prover.h"

#include "enumerate.h"

#include <stdlib.h>
#include <string.h>

/// In solver units. A kernel that has used up its own gets no more answers from
/// the solver: one hopeless kernel must not hold up a build.
enum { DEFAULT_BUDGET = 800000, KERNEL_BUDGET = 2000000, MAX_SOFT = 24 };
enum { ENUMERATION_STEPS = 8000000 };
/// The same for kernels that claim nothing: only what is certain is reported of
/// them, and their build must not notice the check.
enum { THRIFTY_BUDGET = 40000, THRIFTY_KERNEL_BUDGET = 60000, THRIFTY_ENUMERATION = 400000 };
/// Steps of the affine tier for one kernel, and for one goal once they are gone.
enum { AFFINE_STEPS = 1000000, THRIFTY_AFFINE_STEPS = 30000, LAST_AFFINE_STEPS = 150 };

typedef struct cached {
  uint64_t key[2];
  gs_answer answer;
} cached;

struct gs_prover {
  gs_program *program;
  gs_scene *scene;
  gs_terms *terms;
  gs_prover_options options;
  gs_used used;
  gs_counters counters;
  cached *cache; ///< open addressing; only NO and DONT_KNOW are kept
  uint32_t cache_count, cache_capacity;
  gs_term *hard;
  size_t hard_capacity;
  uint64_t affine_steps;
  bool undefined; ///< a proof took a division or shift to be defined
  bool some_shapes; ///< the latest model exists for some launch shapes only
};

gs_prover *gs_prover_new(gs_program *program, gs_scene *scene, const gs_prover_options *options) {
  gs_prover *prover = calloc(1, sizeof *prover);
  if (prover)
    *prover = (gs_prover){
        .program = program, .scene = scene, .terms = program->terms, .options = *options};
  return prover;
}

void gs_prover_free(gs_prover *prover) {
  if (!prover)
    return;
  free(prover->used.origins);
  free(prover->cache);
  free(prover->hard);
  free(prover);
}

bool gs_prover_took_defined(const gs_prover *prover) { return prover->undefined; }

bool gs_prover_some_shapes(const gs_prover *prover) { return prover->some_shapes; }

const gs_used *gs_prover_used(const gs_prover *prover) { return &prover->used; }

void gs_prover_counters(const gs_prover *prover, gs_counters *out) {
  *out = prover->counters;
  out->terms = gs_terms_count(prover->terms);
}

// ---------------------------------------------------------------- cache ----

static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9E3779B97F4A7C15u + (h << 6) + (h >> 2);
  return h * 0xBF58476D1CE4E5B9u ^ h >> 29;
}

/// Facts are a set: their order must not matter.
static void key_of(const gs_case *c, bool overlap, gs_term extra, uint64_t key[2]) {
  uint64_t sum = 0, other = 0;
  for (size_t i = 0; i < c->fact_count; i++) {
    sum += mix(1, c->facts[i]);
    other ^= mix(7, c->facts[i]);
  }
  uint64_t shape = mix(mix(overlap, extra), c->distinct_count);
  for (uint32_t i = 0; i < c->distinct_count; i++)
    shape = mix(mix(shape, c->distinct[i][0]), c->distinct[i][1]);
  if (overlap)
    for (int who = 0; who < 2; who++)
      shape = mix(mix(shape, c->offset[who]), c->size[who]);
  key[0] = mix(shape, sum);
  key[1] = mix(other, shape);
}

static cached *slot_of(gs_prover *prover, const uint64_t key[2]) {
  if (!prover->cache_capacity)
    return NULL;
  uint32_t slot = (uint32_t)key[0] & (prover->cache_capacity - 1);
  while (prover->cache[slot].key[0] &&
         (prover->cache[slot].key[0] != key[0] || prover->cache[slot].key[1] != key[1]))
    slot = (slot + 1) & (prover->cache_capacity - 1);
  return &prover->cache[slot];
}

static void remember(gs_prover *prover, const uint64_t key[2], gs_answer answer) {
  if (prover->cache_count * 2 >= prover->cache_capacity) {
    uint32_t old = prover->cache_capacity, capacity = old ? old * 2 : 256;
    cached *before = prover->cache, *cache = calloc(capacity, sizeof *cache);
    if (!cache)
      return;
    prover->cache = cache;
    prover->cache_capacity = capacity;
    for (uint32_t i = 0; i < old; i++)
      if (before[i].key[0])
        *slot_of(prover, before[i].key) = before[i];
    free(before);
  }
  cached *slot = slot_of(prover, key);
  prover->cache_count += !slot->key[0];
  *slot = (cached){{key[0], key[1]}, answer};
}

// --------------------------------------------------------------- solver ----

/// What the solver assumed for a NO.
typedef struct assumed {
  gs_prover *prover;
  uint32_t *origins;
  uint32_t count, capacity;
  bool undefined; ///< a division or shift was taken to have a value
} assumed;

static void note_assumed(void *user, gs_term t) {
  assumed *a = user;
  const gs_node *node = gs_term_node(a->prover->terms, t);
  a->undefined |= !node->flags;
  if (!node->flags || !node->origin)
    return;
  if (a->count == a->capacity) {
    uint32_t capacity = a->capacity ? a->capacity * 2 : 16;
    uint32_t *moved = realloc(a->origins, capacity * sizeof *moved);
    if (!moved)
      return;
    a->origins = moved;
    a->capacity = capacity;
  }
  a->origins[a->count++] = node->origin;
}

static void soft(gs_prover *prover, gs_term *list, size_t *count, gs_op op, gs_term t,
                 uint64_t value) {
  gs_terms *terms = prover->terms;
  uint64_t known = 0;
  if (!t || *count == MAX_SOFT || gs_term_const(terms, t, &known))
    return;
  list[(*count)++] = gs_mk_bin(terms, op, t, gs_mk_const(terms, value, gs_term_width(terms, t)));
}

/// A witness a person can follow: few blocks, low indices, first iterations.
static size_t friendly(gs_prover *prover, const gs_case *c, const gs_term *hard, size_t hard_count,
                       gs_term list[MAX_SOFT]) {
  gs_terms *terms = prover->terms;
  const gs_program *p = prover->program;
  size_t n = 0;
  uint32_t syms = gs_sym_count(terms);
  unsigned char *seen = calloc(syms + 1u, 1);
  if (!seen)
    return 0;
  for (size_t i = 0; i < hard_count; i++)
    gs_term_syms(terms, hard[i], seen);
  for (uint32_t d = 0; d < 3; d++)
    soft(prover, list, &n, GS_OP_ULE, gs_scene_launch_term(prover->scene, p->nctaid[d]), d ? 1 : 2);
  for (uint32_t s = 0; s < syms && n < MAX_SOFT / 2; s++)
    if (seen[s] && gs_sym_get(terms, s)->kind == GS_SYM_LOOP)
      soft(prover, list, &n, GS_OP_EQ, gs_sym_term(terms, s), 0);
  for (uint32_t i = 0; i < c->distinct_count; i++)
    for (int who = 0; who < 2; who++)
      soft(prover, list, &n, GS_OP_EQ, gs_sym_term(terms, c->distinct[i][who]), (uint64_t)who);
  for (uint32_t s = 0; s < syms; s++) {
    const gs_sym *sym = gs_sym_get(terms, s);
    if (seen[s] && (sym->kind == GS_SYM_TID || sym->kind == GS_SYM_CTAID))
      soft(prover, list, &n, GS_OP_EQ, gs_sym_term(terms, s), 0);
    else if (seen[s] && sym->kind == GS_SYM_PARAM && !sym->is_address)
      soft(prover, list, &n, GS_OP_ULE, gs_sym_term(terms, s), 300);
  }
  free(seen);
  return n;
}

static bool add_hard(gs_prover *prover, size_t *count, gs_term t) {
  if (*count == prover->hard_capacity) {
    size_t capacity = *count ? *count * 2 : 64;
    gs_term *moved = realloc(prover->hard, capacity * sizeof *moved);
    if (!moved)
      return false;
    prover->hard = moved;
    prover->hard_capacity = capacity;
  }
  prover->hard[(*count)++] = t;
  return true;
}

/// offset[0] and offset[1] are less than a size apart.
static void add_overlap(gs_prover *prover, size_t *count, const gs_case *c) {
  gs_terms *t = prover->terms;
  for (int who = 0; who < 2; who++) {
    gs_term apart = gs_mk_bin(t, GS_OP_SUB, c->offset[1 - who], c->offset[who]);
    add_hard(prover, count, gs_mk_bin(t, GS_OP_SLT, apart, c->size[who]));
  }
}

static gs_term distinct_term(gs_prover *prover, const gs_case *c) {
  gs_terms *t = prover->terms;
  gs_term any = gs_mk_bool(t, false);
  for (uint32_t i = 0; i < c->distinct_count; i++)
    any = gs_mk_or(t, any,
                   gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, gs_sym_term(t, c->distinct[i][0]),
                                          gs_sym_term(t, c->distinct[i][1]))));
  return any;
}

/// Collects what must hold into prover->hard. \returns the number of terms.
static size_t gather(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra) {
  size_t count = 0;
  for (size_t i = 0; i < c->fact_count; i++)
    add_hard(prover, &count, c->facts[i]);
  if (extra)
    add_hard(prover, &count, extra);
  if (overlap)
    add_overlap(prover, &count, c);
  if (c->distinct_count)
    add_hard(prover, &count, distinct_term(prover, c));
  return count;
}

static gs_answer ask(gs_prover *prover, const gs_case *c, size_t count, uint64_t budget,
                     gs_model *model) {
  gs_term softs[MAX_SOFT];
  size_t soft_count = friendly(prover, c, prover->hard, count, softs);
  gs_smt_query query = {.hard = prover->hard,
                        .hard_count = count,
                        .soft = softs,
                        .soft_count = soft_count,
                        .budget = budget,
                        .assume_flags = true};
  assumed believed = {.prover = prover};
  query.assumed = note_assumed;
  query.user = &believed;
  uint64_t units = 0;
  gs_answer answer = gs_smt_solve(prover->terms, &query, model, &units);
  prover->counters.solver_units += units;
  for (uint32_t i = 0; answer == GS_ANSWER_NO && i < believed.count; i++)
    gs_used_add(&prover->used, believed.origins[i]);
  prover->undefined |= answer == GS_ANSWER_NO && believed.undefined;
  free(believed.origins);
  return answer;
}

/// Launch shapes in which most conflicts show: with the sizes constant, products
/// of sizes and indices become linear for the solver.
typedef struct shape {
  uint32_t block[3], grid[3];
} shape;

static const shape flat_shapes[] = {
    {{256, 1, 1}, {2, 1, 1}}, {{32, 1, 1}, {2, 1, 1}}, {{64, 1, 1}, {3, 1, 1}}, {{1024, 1, 1}, {2, 1, 1}}};
static const shape deep_shapes[] = {
    {{16, 16, 1}, {2, 2, 1}}, {{32, 8, 1}, {2, 2, 1}}, {{8, 8, 4}, {2, 2, 2}}, {{256, 1, 1}, {2, 2, 1}}};

enum { SHAPES = sizeof flat_shapes / sizeof *flat_shapes };

/// Does the case contain a value that is not known? Then a model is only a
/// possibility, and not worth a long search.
static bool is_vague(const gs_prover *prover, const gs_case *c) {
  uint32_t syms = gs_sym_count(prover->terms);
  unsigned char *seen = calloc(syms + 1u, 1);
  bool vague = false;
  for (size_t i = 0; seen && i < c->fact_count; i++)
    gs_term_syms(prover->terms, c->facts[i], seen);
  for (int who = 0; seen && who < 2; who++)
    gs_term_syms(prover->terms, c->offset[who], seen);
  for (uint32_t s = 0; seen && s < syms && !vague; s++)
    vague = seen[s] && gs_sym_get(prover->terms, s)->kind == GS_SYM_OPAQUE;
  free(seen);
  return vague;
}

static void set_value(gs_prover *prover, gs_model *model, gs_term sym, uint64_t value) {
  uint32_t s = (uint32_t)gs_term_node(prover->terms, sym)->value;
  if (s < model->count)
    model->values[s] = value;
}

/// The shape with the sizes that facts fix, cut to at most 1,024 threads.
static void fit_block(gs_prover *prover, const shape *shape, uint32_t block[3]) {
  uint64_t room = 1024, fixed = 0;
  for (int d = 0; d < 3; d++) {
    gs_term n = gs_scene_launch_term(prover->scene, prover->program->ntid[d]);
    block[d] = 0;
    if (gs_term_const(prover->terms, n, &fixed) && fixed) {
      block[d] = (uint32_t)fixed;
      room /= fixed;
    }
  }
  for (int d = 0; d < 3; d++)
    if (!block[d]) {
      block[d] = shape->block[d] <= room ? shape->block[d] : room ? (uint32_t)room : 1;
      room /= block[d];
    }
}

/// Small parameters and few iterations: most conflicts need no more, and the
/// solver finds them at once.
static void tighten(gs_prover *prover, size_t *count) {
  enum { SMALL_PARAM = 4096, FEW_TRIPS = 3 };
  gs_terms *terms = prover->terms;
  uint32_t syms = gs_sym_count(terms);
  unsigned char *seen = calloc(syms + 1u, 1);
  for (size_t i = 0; seen && i < *count; i++)
    gs_term_syms(terms, prover->hard[i], seen);
  for (uint32_t s = 0; seen && s < syms; s++) {
    const gs_sym *sym = gs_sym_get(terms, s);
    bool param = sym->kind == GS_SYM_PARAM && !sym->is_address && sym->width > 8;
    if (!seen[s] || (!param && sym->kind != GS_SYM_LOOP))
      continue;
    gs_term most = gs_mk_const(terms, param ? SMALL_PARAM : FEW_TRIPS, sym->width);
    add_hard(prover, count, gs_mk_bin(terms, GS_OP_ULE, gs_sym_term(terms, s), most));
  }
  free(seen);
}

/// Looks for a model with one launch shape.
static gs_answer try_shape(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                           const shape *shape, bool tight, uint64_t budget, gs_model *model) {
  gs_terms *terms = prover->terms;
  const gs_program *p = prover->program;
  uint32_t syms = gs_sym_count(terms);
  gs_term *map = calloc(syms + 1u, sizeof *map);
  gs_subst *subst = map ? gs_subst_new(terms, map, syms) : NULL;
  gs_answer answer = GS_ANSWER_DONT_KNOW;
  uint32_t block[3];
  fit_block(prover, shape, block);
  if (subst) {
    answer = GS_ANSWER_NO;
    for (int d = 0; d < 3; d++) {
      map[gs_term_node(terms, p->ntid[d])->value] = gs_mk_const(terms, block[d], 32);
      if (tight)
        map[gs_term_node(terms, p->nctaid[d])->value] = gs_mk_const(terms, shape->grid[d], 32);
    }
    size_t count = gather(prover, c, overlap, extra);
    if (tight)
      tighten(prover, &count);
    bool possible = true;
    for (size_t i = 0; i < count && possible; i++) {
      uint64_t value = 1;
      prover->hard[i] = gs_subst_apply(subst, prover->hard[i]);
      possible = !gs_term_const(terms, prover->hard[i], &value) || value;
    }
    if (possible)
      answer = ask(prover, c, count, budget, model);
  }
  // The symbols of the shape are not in the query: put their values in.
  for (int d = 0; d < 3 && answer == GS_ANSWER_YES && model; d++) {
    set_value(prover, model, p->ntid[d], block[d]);
    if (tight)
      set_value(prover, model, p->nctaid[d], shape->grid[d]);
  }
  gs_subst_free(subst);
  free(map);
  return answer;
}

static uint64_t query_budget(const gs_prover *prover) {
  if (prover->options.solver_budget)
    return prover->options.solver_budget;
  return prover->options.thrifty ? THRIFTY_BUDGET : DEFAULT_BUDGET;
}

static uint64_t kernel_budget(const gs_prover *prover) {
  return prover->options.thrifty ? THRIFTY_KERNEL_BUDGET : KERNEL_BUDGET;
}

static gs_answer solve(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                       gs_model *model) {
  const gs_program *p = prover->program;
  uint64_t budget = query_budget(prover);
  bool deep = false;
  for (int d = 1; d < 3; d++)
    deep |= !gs_term_is(prover->terms, gs_scene_launch_term(prover->scene, p->ntid[d]), GS_OP_CONST);
  const shape *shapes = deep ? deep_shapes : flat_shapes;
  // A block whose size facts fix has one shape; otherwise a conflict that only
  // some shapes show hangs on the launch.
  bool fixed = true, found = false, vague = is_vague(prover, c), shown[SHAPES] = {false};
  for (int d = 0; d < 3; d++)
    fixed &= gs_term_is(prover->terms, gs_scene_launch_term(prover->scene, p->ntid[d]), GS_OP_CONST);
  size_t shape_count = fixed || vague ? 1 : SHAPES;
  prover->some_shapes = false;
  for (size_t i = 0; i < shape_count; i++) {
    shown[i] = try_shape(prover, c, overlap, extra, &shapes[i], true, budget / 8,
                         found ? NULL : model) == GS_ANSWER_YES;
    found |= shown[i];
  }
  for (size_t i = 0; i < shape_count && !fixed && !vague && !(found && prover->some_shapes); i++) {
    if (shown[i])
      continue;
    gs_answer answer = try_shape(prover, c, overlap, extra, &shapes[i], false, budget / 8,
                                 found ? NULL : model);
    found |= answer == GS_ANSWER_YES;
    prover->some_shapes |= answer != GS_ANSWER_YES;
  }
  if (found) {
    prover->counters.by_bitvector++;
    return GS_ANSWER_YES;
  }
  size_t count = gather(prover, c, overlap, extra);
  gs_answer answer = ask(prover, c, count, budget / 2, model);
  prover->counters.by_bitvector += answer != GS_ANSWER_DONT_KNOW;
  prover->counters.undecided += answer == GS_ANSWER_DONT_KNOW;
  return answer;
}

// ---------------------------------------------------------------- tiers ----

static bool trivially_false(const gs_prover *prover, const gs_case *c, gs_term extra) {
  uint64_t value = 1;
  for (size_t i = 0; i < c->fact_count; i++)
    if (gs_term_const(prover->terms, c->facts[i], &value) && !value)
      return true;
  return extra && gs_term_const(prover->terms, extra, &value) && !value;
}

/// The case as a goal for the tiers that know offsets and threads.
static gs_goal goal_of(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra) {
  bool sized = c->bytes[0] && c->bytes[1];
  size_t count = 0;
  for (size_t i = 0; i < c->fact_count; i++)
    add_hard(prover, &count, c->facts[i]);
  if (extra)
    add_hard(prover, &count, extra);
  if (overlap && !sized)
    add_overlap(prover, &count, c);
  gs_goal goal = {.facts = prover->hard,
                  .fact_count = count,
                  .distinct = c->distinct,
                  .distinct_count = c->distinct_count};
  if (overlap && sized) {
    goal.a = c->offset[0], goal.b = c->offset[1];
    goal.size_a = c->bytes[0], goal.size_b = c->bytes[1];
  }
  return goal;
}

static gs_answer affine(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra) {
  gs_goal goal = goal_of(prover, c, overlap, extra);
  uint64_t steps = 0, room = prover->options.thrifty ? THRIFTY_AFFINE_STEPS : AFFINE_STEPS;
  gs_affine_options options = {
      .use_flags = true, .budget = prover->affine_steps > room ? LAST_AFFINE_STEPS : 0};
  gs_used used = {0};
  gs_answer answer = gs_affine_refute(prover->terms, &goal, &options, &used, &steps);
  prover->affine_steps += steps;
  for (uint32_t i = 0; answer == GS_ANSWER_NO && i < used.count; i++)
    gs_used_add(&prover->used, used.origins[i]);
  free(used.origins);
  prover->counters.by_affine += answer == GS_ANSWER_NO;
  return answer;
}

static gs_answer enumerate(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                           gs_model *model) {
  gs_goal goal = goal_of(prover, c, overlap, extra);
  if (!goal.a || !c->distinct_count)
    return GS_ANSWER_DONT_KNOW;
  uint64_t steps = prover->options.thrifty ? THRIFTY_ENUMERATION : ENUMERATION_STEPS;
  gs_answer answer = gs_enumerate_goal(prover->terms, &goal, steps, model, NULL);
  prover->counters.by_enumeration += answer != GS_ANSWER_DONT_KNOW;
  prover->some_shapes = false; // its threads and sizes are all fixed
  return answer;
}

gs_answer gs_prover_decide(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                           gs_model *model) {
  uint64_t key[2];
  prover->counters.queries++;
  if (trivially_false(prover, c, extra))
    return GS_ANSWER_NO;
  key_of(c, overlap, extra, key);
  const cached *known = slot_of(prover, key);
  if (known && known->key[0]) {
    prover->counters.cache_hits++;
    return known->answer;
  }
  gs_answer answer = affine(prover, c, overlap, extra);
  if (answer != GS_ANSWER_NO)
    answer = enumerate(prover, c, overlap, extra, model);
  if (answer == GS_ANSWER_DONT_KNOW && prover->counters.solver_units > kernel_budget(prover))
    prover->counters.undecided++;
  else if (answer == GS_ANSWER_DONT_KNOW)
    answer = solve(prover, c, overlap, extra, model);
  if (answer != GS_ANSWER_YES)
    remember(prover, key, answer);
  return answer;
}
