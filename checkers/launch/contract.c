// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a launch keep a contract? Three-valued: bounds first, then the affine tier.
#include "launch.h"

#include "affine.h"
#include "clause_terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct checker {
  gs_hosts *hosts;
  const gs_launch *launch;
  gs_host_value size[2][3]; ///< block, grid: of a launch that happens
  uint32_t sm;
} checker;

static gs_host_value unknown(gs_hosts *hosts, const char *name, int64_t lo, int64_t hi) {
  return gs_host_unknown_in(hosts, name, (gs_host_type){32, false}, lo, hi);
}

/// Sizes that the source does not show are any that a device takes.
static void find_sizes(checker *c) {
  static const int64_t most[2][3] = {{1024, 1024, 64}, {2147483647, 65535, 65535}};
  for (int w = 0; w < 2; w++)
    for (int d = 0; d < 3; d++) {
      gs_host_value given = w ? c->launch->grid[d] : c->launch->block[d];
      char name[16];
      snprintf(name, sizeof name, "%s.%c", w ? "grid" : "block", "xyz"[d]);
      c->size[w][d] = given.at ? given : unknown(c->hosts, name, 1, most[w][d]);
    }
}

/// An argument; what is not known has the bounds of its type.
static gs_host_value argument(checker *c, const gs_name *name) {
  bool whole = name->offset == 0 && name->param < c->launch->arg_count;
  if (whole && c->launch->args[name->param].at)
    return c->launch->args[name->param];
  return gs_host_unknown(c->hosts, "an argument", (gs_host_type){(uint8_t)name->bits, name->is_signed});
}

static gs_host_value name_value(checker *c, const gs_name *name) {
  switch (name->kind) {
  case GS_NAME_PARAM: return argument(c, name);
  case GS_NAME_CONSTANT: return gs_host_number(c->hosts, name->value);
  case GS_NAME_BLOCK: return c->size[0][name->axis];
  case GS_NAME_GRID: return c->size[1][name->axis];
  case GS_NAME_CLUSTER: return unknown(c->hosts, "cluster", 1, 16);
  case GS_NAME_DYNAMIC_SMEM:
    return c->launch->dynamic_smem.at ? c->launch->dynamic_smem
                                      : unknown(c->hosts, "dynamic_smem", 0, INT32_MAX);
  case GS_NAME_CC: return unknown(c->hosts, "cc", c->sm, 1000);
  case GS_NAME_WARP_SIZE: return gs_host_number(c->hosts, 32);
  case GS_NAME_COOPERATIVE: return gs_host_number(c->hosts, c->launch->cooperative);
  case GS_NAME_POINTER: break;
  }
  return (gs_host_value){0};
}

/// ceil_div(a, b) is (a + b - 1) / b where that is a size of the launch: it is at least 1,
/// so a is.
static gs_host_value known_size(checker *c, gs_expr_op op, const gs_host_value *args,
                                gs_host_value value) {
  gs_host_type type = {64, true};
  gs_host_value one = gs_host_number(c->hosts, 1);
  if (op != GS_EXPR_CEIL_DIV || gs_host_range(c->hosts, args[1]).lo < 1)
    return value;
  gs_host_value sum = gs_host_apply(c->hosts, GS_EXPR_ADD, args, type);
  sum = gs_host_apply(c->hosts, GS_EXPR_SUB, (gs_host_value[]){sum, one}, type);
  gs_host_value quotient = gs_host_apply(c->hosts, GS_EXPR_DIV, (gs_host_value[]){sum, args[1]}, type);
  for (int w = 0; w < 2; w++)
    for (int d = 0; d < 3 && quotient.at; d++)
      if (c->size[w][d].at == quotient.at)
        return quotient;
  return value;
}

/// The clause with the launch put in: one value for each of its nodes.
static gs_host_value *put_in(checker *c, const gs_clause *clause) {
  gs_host_value *values = calloc(clause->count, sizeof *values);
  // Every unknown of a name is one unknown: names are looked up once.
  for (uint32_t i = 0; values && i < clause->count; i++) {
    const gs_expr *e = &clause->nodes[i];
    if (e->op == GS_EXPR_INT)
      values[i] = gs_host_number(c->hosts, e->value);
    else if (e->op == GS_EXPR_NAME) {
      uint32_t first = 0;
      while (clause->nodes[first].op != GS_EXPR_NAME ||
             memcmp(&clause->nodes[first].name, &e->name, sizeof e->name) != 0)
        first++;
      values[i] = first < i ? values[first] : name_value(c, &e->name);
    } else {
      gs_host_value args[4] = {{0}};
      for (unsigned k = 0; k < gs_expr_op_arity(e->op); k++)
        args[k] = values[e->args[k]];
      values[i] = known_size(c, e->op, args,
                             gs_host_apply(c->hosts, e->op, args, (gs_host_type){64, true}));
    }
  }
  return values;
}

/// What holds of the sizes of a launch that happens.
static uint32_t size_facts(checker *c, gs_terms *terms, gs_program *program, gs_term *facts) {
  static const int64_t most[2][3] = {{1024, 1024, 64}, {2147483647, 65535, 65535}};
  uint32_t count = 0;
  for (int w = 0; w < 2; w++)
    for (int d = 0; d < 3; d++) {
      gs_clause *size = gs_host_clause(c->hosts, c->size[w][d].at);
      gs_term value = size ? gs_clause_value(program, size, c->sm) : GS_NO_TERM;
      gs_clause_free(size);
      if (!value)
        continue;
      facts[count++] = gs_mk_bin(terms, GS_OP_SLE, gs_mk_const(terms, 1, 64), value);
      facts[count++] =
          gs_mk_bin(terms, GS_OP_SLE, value, gs_mk_const(terms, (uint64_t)most[w][d], 64));
    }
  return count;
}

/// Is the claim, or its opposite, impossible for every launch that happens?
static gs_launch_verdict decide(checker *c, uint32_t at) {
  enum { FACTS = 13 };
  gs_launch_verdict verdict = GS_LAUNCH_DEPENDS;
  gs_program program = {.terms = gs_terms_new()};
  gs_clause *clause = gs_host_clause(c->hosts, at);
  gs_term claim = program.terms && clause ? gs_clause_fact(&program, clause, c->sm) : GS_NO_TERM;
  gs_term facts[FACTS];
  if (claim) {
    uint32_t n = size_facts(c, program.terms, &program, facts);
    gs_goal goal = {.facts = facts, .fact_count = n + 1u};
    gs_affine_options options = {.use_flags = true};
    facts[n] = gs_mk_not(program.terms, claim);
    if (gs_affine_refute(program.terms, &goal, &options, NULL, NULL) == GS_ANSWER_NO)
      verdict = GS_LAUNCH_KEEPS;
    facts[n] = claim;
    if (verdict == GS_LAUNCH_DEPENDS &&
        gs_affine_refute(program.terms, &goal, &options, NULL, NULL) == GS_ANSWER_NO)
      verdict = GS_LAUNCH_BREAKS;
    // A launch that cannot happen keeps and breaks everything: say nothing.
    goal.fact_count = n;
    if (verdict != GS_LAUNCH_DEPENDS &&
        gs_affine_refute(program.terms, &goal, &options, NULL, NULL) == GS_ANSWER_NO)
      verdict = GS_LAUNCH_DEPENDS;
  }
  gs_clause_free(clause);
  gs_terms_free(program.terms);
  return verdict;
}

/// Says which two values do not compare.
static void explain(checker *c, const gs_expr *claim, const gs_host_value *values, char *why,
                    size_t size) {
  char side[2][80] = {"", ""};
  bool compares = claim->op >= GS_EXPR_EQ && claim->op <= GS_EXPR_GE;
  for (int i = 0; i < 2 && compares; i++) {
    size_t n =
        gs_host_print(c->hosts, values[claim->args[i]].at, NULL, NULL, side[i], sizeof side[i]);
    compares = n && n < sizeof side[i];
  }
  if (size)
    why[0] = '\0';
  if (compares)
    snprintf(why, size, "the left side is %s, the right side %s", side[0], side[1]);
}

typedef struct reason {
  char *why;
  size_t size;
} reason;

/// A conjunction part by part: one that is broken breaks it, whatever the others hang on.
static gs_launch_verdict check_part(checker *c, const gs_clause *clause, uint32_t at,
                                    const gs_host_value *values, const reason *out) {
  const gs_expr *e = &clause->nodes[at];
  if (e->op == GS_EXPR_AND) {
    gs_launch_verdict first = check_part(c, clause, e->args[0], values, out);
    gs_launch_verdict second =
        first == GS_LAUNCH_BREAKS ? first : check_part(c, clause, e->args[1], values, out);
    return second == GS_LAUNCH_KEEPS ? first : second;
  }
  gs_host_value value = values[at];
  gs_host_bounds b = gs_host_range(c->hosts, value);
  gs_launch_verdict verdict = !value.at                ? GS_LAUNCH_DEPENDS
                              : b.lo > 0 || b.hi < 0   ? GS_LAUNCH_KEEPS
                              : b.lo == 0 && b.hi == 0 ? GS_LAUNCH_BREAKS
                                                       : decide(c, value.at);
  if (verdict != GS_LAUNCH_BREAKS)
    return verdict;
  if (value.wraps) // what an overflow could change is not certain
    return GS_LAUNCH_DEPENDS;
  explain(c, e, values, out->why, out->size);
  return verdict;
}

gs_launch_verdict gs_launch_check_clause(gs_hosts *hosts, const gs_launch *launch,
                                         const gs_clause *clause, uint32_t sm, char *why,
                                         size_t size) {
  checker c = {.hosts = hosts, .launch = launch, .sm = sm};
  reason out = {why, size};
  find_sizes(&c);
  gs_host_value *values = put_in(&c, clause);
  gs_launch_verdict verdict = values ? check_part(&c, clause, clause->count - 1, values, &out)
                                     : GS_LAUNCH_DEPENDS;
  free(values);
  return verdict;
}

// ------------------------------------------------------------------- limits ----

typedef struct limit {
  gs_launch_problem_sink sink;
  void *user;
  bool good;
} limit;

static void complain(limit *l, const char *what, gs_host_bounds b, const char *rest) {
  char text[256], number[32];
  snprintf(number, sizeof number, "%s%lld", b.lo == b.hi ? "" : "at least ", (long long)b.lo);
  snprintf(text, sizeof text, "%s is %s%s", what, number, rest);
  l->sink(l->user, text);
  l->good = false;
}

static void check_axis(gs_hosts *hosts, limit *l, const char *what, int axis, gs_host_value value,
                       int64_t most) {
  char name[16], rest[80];
  gs_host_bounds b = gs_host_range(hosts, value);
  snprintf(name, sizeof name, "%s.%c", what, "xyz"[axis]);
  if (!value.at || value.wraps)
    return;
  if (b.lo == 0 && b.hi == 0)
    complain(l, name, b, ", so that nothing is launched");
  snprintf(rest, sizeof rest, ", and no device takes more than %lld", (long long)most);
  if (b.lo > most)
    complain(l, name, b, rest);
}

static void check_threads(gs_hosts *hosts, limit *l, const gs_launch *launch, uint32_t max_threads) {
  gs_host_int threads = 1;
  bool whole = true;
  for (int d = 0; d < 3; d++) {
    gs_host_bounds b = gs_host_range(hosts, launch->block[d]);
    bool known = launch->block[d].at && !launch->block[d].wraps && b.lo >= 1;
    whole &= known && b.lo == b.hi;
    threads *= known ? (b.lo > 1048576 ? 1048576 : b.lo) : 1;
  }
  gs_host_bounds b = {threads, whole ? threads : GS_HOST_FAR};
  char rest[96];
  if (threads > 1024)
    complain(l, "the number of threads in a block", b, ", and no device takes more than 1024");
  snprintf(rest, sizeof rest, ", and __launch_bounds__ promises at most %u", max_threads);
  if (max_threads && threads > max_threads && threads <= 1024)
    complain(l, "the number of threads in a block", b, rest);
}

bool gs_launch_check_limits(gs_hosts *hosts, const gs_launch *launch, uint32_t max_threads,
                            gs_launch_problem_sink sink, void *user) {
  static const int64_t blocks[3] = {2147483647, 65535, 65535};
  limit l = {sink, user, true};
  for (int d = 0; d < 3; d++)
    check_axis(hosts, &l, "grid", d, launch->grid[d], blocks[d]);
  for (int d = 0; d < 3; d++)
    check_axis(hosts, &l, "block", d, launch->block[d], d == 2 ? 64 : 1024);
  if (l.good)
    check_threads(hosts, &l, launch, max_threads);
  return l.good;
}
