// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prover.h"

#include "data_facts.h"
#include "enumerate.h"
#include "friendly.h"
#include "query_cache.h"
#include "search.h"
#include "shapes.h"
#include "smt_model.h"
#include "wishes.h"

#include <stdlib.h>
#include <string.h>

enum { LAST_AFFINE_QUERY = 150, SEARCH_QUERY = 4000000 };

typedef enum tier { TIER_NONE, TIER_AFFINE, TIER_ENUMERATION, TIER_SEARCH, TIER_LINEAR, TIER_SOLVER } tier;

struct gs_prover {
  gs_program *program;
  gs_scene *scene;
  gs_terms *terms;
  gs_prover_options options;
  gs_used used;
  gs_counters counters;
  gs_query_cache cache; ///< only NO and DONT_KNOW are kept
  gs_term *hard;
  size_t hard_capacity;
  gs_budget left, start;
  tier tier; ///< that answered last
  bool undefined; ///< a proof took a division or shift to be defined
  bool some_shapes; ///< the latest model exists for some launch shapes only
  gs_data_facts *data; ///< NULL: the contract says nothing about data
};

gs_prover *gs_prover_new(gs_program *program, gs_scene *scene, const gs_prover_options *options) {
  gs_prover *prover = calloc(1, sizeof *prover);
  if (prover)
    *prover = (gs_prover){.program = program,
                          .scene = scene,
                          .terms = program->terms,
                          .options = *options,
                          .start = gs_budget_new(options->effort, options->crowd),
                          .data = gs_data_facts_new(program, scene, options->sm)};
  if (prover)
    prover->left = prover->start;
  return prover;
}

void gs_prover_next_rule(gs_prover *prover) { gs_budget_reserve(&prover->left, &prover->start); }

void gs_prover_free(gs_prover *prover) {
  if (!prover)
    return;
  gs_data_facts_free(prover->data);
  free(prover->used.origins);
  gs_query_cache_free(&prover->cache);
  free(prover->hard);
  free(prover);
}

bool gs_prover_took_defined(const gs_prover *prover) { return prover->undefined; }

bool gs_prover_data_open(const gs_prover *prover) { return gs_data_facts_partial(prover->data); }

bool gs_prover_some_shapes(const gs_prover *prover) { return prover->some_shapes; }

const gs_used *gs_prover_used(const gs_prover *prover) { return &prover->used; }

void gs_prover_counters(const gs_prover *prover, gs_counters *out) {
  *out = prover->counters;
  out->terms = gs_terms_count(prover->terms);
}

/// Remembers who answered last.
static void note_tier(gs_prover *prover, tier tier, gs_answer answer) {
  if (answer != GS_ANSWER_DONT_KNOW)
    prover->tier = tier;
}

static void count_answer(gs_prover *prover, gs_answer answer) {
  gs_counters *c = &prover->counters;
  if (answer == GS_ANSWER_DONT_KNOW) {
    c->undecided++;
    return;
  }
  switch (prover->tier) {
  case TIER_NONE: break;
  case TIER_AFFINE: c->by_affine++; break;
  case TIER_ENUMERATION: c->by_enumeration++; break;
  case TIER_SEARCH: c->by_search++; break;
  case TIER_LINEAR: c->by_linear++; break;
  case TIER_SOLVER: c->by_bitvector++; break;
  }
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
  budget = budget < prover->left.solver ? budget : prover->left.solver;
  gs_term softs[GS_MAX_WISHES];
  size_t soft_count = gs_friendly_wishes(prover->program, prover->scene, c, prover->hard, count, softs);
  gs_smt_query query = {.hard = prover->hard,
                        .hard_count = count,
                        .soft = softs,
                        .soft_count = soft_count,
                        .budget = budget,
                        .linear_budget = budget / 2,
                        .assume_flags = true};
  assumed believed = {.prover = prover};
  bool by_linear = false;
  query.by_linear = &by_linear;
  query.assumed = note_assumed;
  query.user = &believed;
  uint64_t units = 0;
  gs_answer answer = gs_smt_solve(prover->terms, &query, model, &units);
  prover->counters.solver_units += units;
  gs_budget_charge(&prover->left.solver, units, answer != GS_ANSWER_DONT_KNOW);
  note_tier(prover, by_linear ? TIER_LINEAR : TIER_SOLVER, answer);
  for (uint32_t i = 0; answer == GS_ANSWER_NO && i < believed.count; i++)
    gs_used_add(&prover->used, believed.origins[i]);
  prover->undefined |= answer == GS_ANSWER_NO && believed.undefined;
  free(believed.origins);
  return answer;
}

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

static uint64_t query_budget(const gs_prover *prover) {
  return prover->options.solver_budget ? prover->options.solver_budget : prover->left.solver_query;
}

bool gs_prover_exhausted(const gs_prover *prover) {
  return !prover->left.affine && !prover->left.affine_last;
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

/// \param budget in steps. \param model NULL, or filled on YES.
static gs_answer affine(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                        uint64_t budget, gs_model *model) {
  gs_goal goal = goal_of(prover, c, overlap, extra);
  uint64_t steps = 0, *left = prover->left.affine ? &prover->left.affine : &prover->left.affine_last;
  if (!*left)
    return GS_ANSWER_DONT_KNOW;
  gs_affine_options options = {
      .use_flags = true,
      .witness = model,
      .budget = prover->left.affine ? budget : LAST_AFFINE_QUERY};
  gs_used used = {0};
  gs_answer answer = gs_affine_refute(prover->terms, &goal, &options, &used, &steps);
  gs_budget_charge(left, steps, answer != GS_ANSWER_DONT_KNOW);
  for (uint32_t i = 0; answer == GS_ANSWER_NO && i < used.count; i++)
    gs_used_add(&prover->used, used.origins[i]);
  prover->undefined |= answer == GS_ANSWER_NO && used.undefined;
  free(used.origins);
  note_tier(prover, TIER_AFFINE, answer);
  return answer;
}

/// \param model NULL, or filled on YES.
static gs_answer enumerate(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                           gs_model *model) {
  gs_goal goal = goal_of(prover, c, overlap, extra);
  if (!goal.a || !c->distinct_count)
    return GS_ANSWER_DONT_KNOW;
  uint64_t most = prover->left.enumeration_query, steps = 0;
  if (prover->left.enumeration < most)
    return GS_ANSWER_DONT_KNOW;
  gs_model found;
  gs_answer answer = gs_enumerate_goal(prover->terms, &goal, most, &found, &steps);
  gs_budget_spend(&prover->left.enumeration, steps + 1000); // it is not for nothing to look at a goal
  if (answer == GS_ANSWER_YES) {
    // Flags are not part of the enumeration: a model must not break one.
    gs_term ends[2] = {goal.a, goal.b};
    if (!gs_model_keeps_flags(prover->terms, goal.facts, goal.fact_count, &found) ||
        !gs_model_keeps_flags(prover->terms, ends, 2, &found))
      answer = GS_ANSWER_DONT_KNOW;
    if (answer == GS_ANSWER_YES && model)
      *model = found;
    else
      gs_model_free(&found);
  }
  note_tier(prover, TIER_ENUMERATION, answer);
  return answer;
}

/// Tries values in one launch shape.
static gs_answer search(gs_prover *prover, const gs_shaped *shaped, bool overlap,
                        const gs_model *hint, gs_model *model) {
  gs_goal goal = goal_of(prover, &shaped->c, overlap, shaped->extra);
  uint64_t steps = 0;
  if (!prover->left.search)
    return GS_ANSWER_DONT_KNOW;
  gs_search_options options = {.pins = shaped->pins,
                               .pin_count = shaped->pin_count,
                               .hint = hint,
                               .trials = prover->left.trials,
                               .steps = SEARCH_QUERY < prover->left.search ? SEARCH_QUERY
                                                                           : prover->left.search};
  gs_answer answer = gs_search_goal(prover->terms, &goal, &options, model, &steps);
  gs_budget_spend(&prover->left.search, steps + 1000);
  note_tier(prover, TIER_SEARCH, answer);
  return answer;
}

// --------------------------------------------------------------- shapes ----

/// What the tiers but the solver say of the case in one launch shape, with any
/// grid when the shape leaves it open.
static gs_answer quick(gs_prover *prover, const gs_shaped *shaped, bool overlap, gs_model *model) {
  if (trivially_false(prover, &shaped->c, shaped->extra))
    return GS_ANSWER_NO;
  gs_answer answer = affine(prover, &shaped->c, overlap, shaped->extra, prover->left.affine_query, model);
  if (answer == GS_ANSWER_DONT_KNOW)
    answer = enumerate(prover, &shaped->c, overlap, shaped->extra, model);
  return answer;
}

typedef enum effort { QUICK, SEARCH, SOLVER } effort;

/// Looks for a model in one launch shape. NO: there is none, whatever the grid
/// when that is open. \param hint NULL, or a model in another shape.
static gs_answer try_shape(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                           const gs_shape *shape, bool grid, effort how, const gs_model *hint,
                           gs_model *model) {
  gs_shaped shaped;
  gs_model found = {0};
  gs_answer answer = GS_ANSWER_DONT_KNOW;
  if (!gs_shape_case(prover->program, c, extra, shape, grid, &shaped))
    return answer;
  switch (how) {
  case QUICK: answer = quick(prover, &shaped, overlap, &found); break;
  case SEARCH: answer = search(prover, &shaped, overlap, hint, &found); break;
  case SOLVER:
    if (!prover->left.solver)
      break;
    size_t count = gather(prover, &shaped.c, overlap, shaped.extra);
    if (grid)
      tighten(prover, &count);
    answer = ask(prover, &shaped.c, count, query_budget(prover) / 8, &found);
    if (grid && answer == GS_ANSWER_NO)
      answer = GS_ANSWER_DONT_KNOW; // of small values
    break;
  }
  if (answer == GS_ANSWER_YES && model) {
    size_t hard = gather(prover, &shaped.c, overlap, shaped.extra);
    gs_model_befriend(prover->terms, prover->hard, hard, &found);
  }
  // The symbols of the shape are not in the goal: put their values in.
  for (uint32_t i = 0; i < shaped.pin_count && answer == GS_ANSWER_YES; i++)
    if (shaped.pins[i].sym < found.count)
      found.values[shaped.pins[i].sym] = shaped.pins[i].value;
  if (answer == GS_ANSWER_YES && model)
    *model = found;
  else
    gs_model_free(&found);
  gs_shaped_free(&shaped);
  return answer;
}

typedef struct hunt {
  gs_shape shapes[GS_SHAPES];
  gs_answer answers[GS_SHAPES];
  uint32_t count;
  bool found;
  bool fixed; ///< the block size is known
  bool all;   ///< each shape is asked about, also when one has a model
} hunt;

/// Asks about each shape that is still open; stops at the first model when one is
/// all that is wanted.
static void pursue(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra, hunt *h,
                   bool grid, effort how, bool all, gs_model *model) {
  for (uint32_t i = 0; i < h->count && (all || !h->found); i++) {
    if (h->answers[i] != GS_ANSWER_DONT_KNOW)
      continue;
    gs_answer answer =
        try_shape(prover, c, overlap, extra, &h->shapes[i], grid, how, h->found ? model : NULL,
                  h->found ? NULL : model);
    if (answer == GS_ANSWER_YES || !grid)
      h->answers[i] = answer;
    h->found |= answer == GS_ANSWER_YES;
  }
}

/// A conflict in all usual shapes: does one that the kernel suggests exclude it?
static bool some_shape_excuses(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                               const gs_model *hint) {
  gs_shape shapes[GS_MORE_SHAPES];
  uint32_t count = gs_more_shapes(prover->program, prover->scene, shapes);
  for (uint32_t i = 0; i < count; i++) {
    gs_answer answer =
        try_shape(prover, c, overlap, extra, &shapes[i], true, QUICK, NULL, NULL);
    if (answer != GS_ANSWER_YES)
      answer = try_shape(prover, c, overlap, extra, &shapes[i], false, QUICK, NULL, NULL);
    if (answer == GS_ANSWER_DONT_KNOW)
      answer = try_shape(prover, c, overlap, extra, &shapes[i], true, SEARCH, hint, NULL);
    if (answer != GS_ANSWER_YES)
      return true;
  }
  return false;
}

/// The launch shapes that people use, all of them when nothing fixes the block size.
static hunt open_hunt(const gs_prover *prover, const gs_case *c) {
  hunt h = {.found = false};
  h.fixed = gs_shapes(prover->program, prover->scene, h.shapes);
  h.all = !h.fixed && !is_vague(prover, c);
  h.count = h.all ? GS_SHAPES : 1;
  for (uint32_t i = 0; i < h.count; i++)
    h.answers[i] = GS_ANSWER_DONT_KNOW;
  return h;
}

/// With the launch sizes constant, products of sizes and indices are linear.
static void hunt_quickly(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra, hunt *h,
                         gs_model *model) {
  pursue(prover, c, overlap, extra, h, true, QUICK, h->all, model);
  if (!h->fixed)
    pursue(prover, c, overlap, extra, h, false, QUICK, h->all, model);
  pursue(prover, c, overlap, extra, h, true, SEARCH, h->all, model);
}

/// What is still open goes to the solver. When the block size is open, a conflict that only
/// some shapes show hangs on the launch (prover->some_shapes).
static bool hunt_to_the_end(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                            hunt *h, gs_model *model) {
  pursue(prover, c, overlap, extra, h, true, SOLVER, h->all, model);
  for (uint32_t i = 0; i < h->count && h->all && h->found && !prover->some_shapes; i++) {
    if (h->answers[i] == GS_ANSWER_DONT_KNOW)
      h->answers[i] = try_shape(prover, c, overlap, extra, &h->shapes[i], false, SOLVER, NULL, NULL);
    prover->some_shapes = h->answers[i] != GS_ANSWER_YES;
  }
  if (h->all && h->found && !prover->some_shapes && prover->options.wary)
    prover->some_shapes = some_shape_excuses(prover, c, overlap, extra, model);
  if (!h->found) // a model that turns up elsewhere is of a shape that nobody uses
    prover->some_shapes = !h->fixed;
  return h->found;
}

static gs_answer solve(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                       uint64_t budget, gs_model *model) {
  if (!prover->left.solver)
    return GS_ANSWER_DONT_KNOW;
  size_t count = gather(prover, c, overlap, extra);
  return ask(prover, c, count, budget, model);
}

/// No model turned up: now a proof is worth some work.
static gs_answer prove_patiently(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                                 gs_model *any) {
  gs_answer answer = GS_ANSWER_DONT_KNOW;
  if (prover->left.affine_patient)
    answer = affine(prover, c, overlap, extra, prover->left.affine_patient, NULL);
  if (answer == GS_ANSWER_DONT_KNOW)
    answer = solve(prover, c, overlap, extra, query_budget(prover) / 16, any);
  return answer;
}

/// Blocks of sizes that nobody uses may show what no other does.
static bool find_in_odd_shapes(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra, gs_model *model) {
  gs_shape shapes[GS_ODD_SHAPES];
  bool found = false;
  if (!prover->left.search || gs_odd_shapes(prover->program, prover->scene, shapes))
    return false;
  for (int i = 0; i < GS_ODD_SHAPES && !found; i++)
    found = try_shape(prover, c, overlap, extra, &shapes[i], true, QUICK, NULL, model) == GS_ANSWER_YES;
  prover->some_shapes |= found;
  return found;
}

/// The case as it is first: a proof ends it. A model is looked for in launch
/// shapes that people use, then in any. What costs little comes first throughout.
static gs_answer decide(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                        gs_model *model) {
  gs_model any = {0};
  gs_answer answer = affine(prover, c, overlap, extra, prover->left.affine_query, &any);
  if (answer == GS_ANSWER_DONT_KNOW)
    answer = enumerate(prover, c, overlap, extra, &any);
  if (answer == GS_ANSWER_NO)
    return answer;
  hunt h = open_hunt(prover, c);
  hunt_quickly(prover, c, overlap, extra, &h, model);
  if (answer == GS_ANSWER_DONT_KNOW && !h.found)
    answer = prove_patiently(prover, c, overlap, extra, &any);
  if (answer == GS_ANSWER_NO)
    return answer;
  if (hunt_to_the_end(prover, c, overlap, extra, &h, model)) {
    gs_model_free(&any);
    return GS_ANSWER_YES;
  }
  if (answer == GS_ANSWER_YES && model)
    *model = any;
  else
    gs_model_free(&any);
  if (answer == GS_ANSWER_DONT_KNOW && find_in_odd_shapes(prover, c, overlap, extra, model))
    return GS_ANSWER_YES;
  return answer == GS_ANSWER_DONT_KNOW
             ? solve(prover, c, overlap, extra, query_budget(prover) / 2, model)
             : answer;
}

/// For what is asked on the way to the facts about data.
static bool refute_plainly(void *user, const gs_term *facts, size_t count) {
  enum { STEPS = 600 };
  gs_case c = {.facts = facts, .fact_count = count};
  return affine(user, &c, false, GS_NO_TERM, STEPS, NULL) == GS_ANSWER_NO;
}

gs_answer gs_prover_decide(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                           gs_model *model) {
  gs_query_key key;
  gs_case told;
  prover->counters.queries++;
  prover->some_shapes = false;
  if (prover->data && !trivially_false(prover, c, extra) &&
      gs_data_facts_extend(prover->data, c, extra, refute_plainly, prover, &told))
    c = &told;
  if (trivially_false(prover, c, extra)) {
    prover->counters.trivial++;
    return GS_ANSWER_NO;
  }
  key = gs_query_key_of(c, overlap, extra);
  gs_answer known;
  if (gs_query_cache_find(&prover->cache, key, &known)) {
    prover->counters.cache_hits++;
    return known;
  }
  if (gs_prover_exhausted(prover)) { // another rule may ask again
    count_answer(prover, GS_ANSWER_DONT_KNOW);
    return GS_ANSWER_DONT_KNOW;
  }
  gs_answer answer = decide(prover, c, overlap, extra, model);
  count_answer(prover, answer);
  if (answer != GS_ANSWER_YES)
    gs_query_cache_add(&prover->cache, key, answer);
  return answer;
}
