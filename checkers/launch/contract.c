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

/// Of a launch that happens; no device takes more than 16 blocks.
static gs_host_value cluster_size(checker *c, uint32_t axis) {
  char name[16];
  snprintf(name, sizeof name, "cluster.%c", "xyz"[axis]);
  return c->launch->cluster[axis].at ? c->launch->cluster[axis] : unknown(c->hosts, name, 1, 16);
}

/// An argument; what is not known has the bounds of its type.
static gs_host_value argument(checker *c, const gs_name *name) {
  for (uint32_t i = 0; i < c->launch->field_count; i++) {
    const gs_launch_field *field = &c->launch->fields[i];
    if (field->param == name->param && field->offset == name->offset && field->value.at)
      return field->value;
  }
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
  case GS_NAME_CLUSTER: return cluster_size(c, name->axis);
  case GS_NAME_DYNAMIC_SMEM:
    return c->launch->dynamic_smem.at ? c->launch->dynamic_smem
                                      : unknown(c->hosts, "dynamic_smem", 0, INT32_MAX);
  case GS_NAME_CC: return unknown(c->hosts, "cc", c->sm, 1000);
  case GS_NAME_WARP_SIZE: return gs_host_number(c->hosts, 32);
  case GS_NAME_COOPERATIVE:
    return c->launch->cooperative.at ? c->launch->cooperative
                                     : unknown(c->hosts, "cooperative", 0, 1);
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

/// The least number of blocks in a cluster; 1 when there may be none.
static gs_host_int least_cluster(const gs_hosts *hosts, const gs_launch *launch) {
  gs_host_int blocks = 1;
  for (int d = 0; d < 3; d++) {
    gs_host_bounds b = gs_host_range(hosts, launch->cluster[d]);
    bool known = launch->cluster[d].at && !launch->cluster[d].wraps;
    if (known && b.lo == 0 && b.hi == 0)
      return 1; // zeros mean none, or an error that the CUDA runtime tells
    blocks *= known && b.lo > 1 ? (b.lo > 1048576 ? 1048576 : b.lo) : 1;
  }
  return blocks;
}

/// 8 blocks everywhere, 16 where the kernel asks for more than is portable.
static void check_cluster(gs_hosts *hosts, limit *l, const gs_launch *launch) {
  enum { MOST = 16 };
  gs_host_bounds size = {least_cluster(hosts, launch), GS_HOST_FAR};
  if (size.lo > MOST)
    complain(l, "the number of blocks in a cluster", size, ", and no device takes more than 16");
}

/// Does the cluster divide the grid? Only numbers tell for certain.
static void check_division(gs_hosts *hosts, limit *l, const gs_launch *launch) {
  for (int d = 0; d < 3; d++) {
    int64_t cluster = 0, grid = 0;
    char name[16], rest[80];
    if (!gs_host_constant(hosts, launch->cluster[d], &cluster) || launch->cluster[d].wraps ||
        !gs_host_constant(hosts, launch->grid[d], &grid) || launch->grid[d].wraps ||
        cluster < 1 || grid % cluster == 0)
      continue;
    snprintf(name, sizeof name, "grid.%c", "xyz"[d]);
    snprintf(rest, sizeof rest, ", which the cluster's %lld along that axis does not divide",
             (long long)cluster);
    complain(l, name, (gs_host_bounds){grid, grid}, rest);
  }
}

typedef struct profile {
  uint32_t cc;
  int64_t shared; ///< bytes that one block can have at most
  bool clusters;
} profile;

static const profile profiles[] = {
#define GS_DEVICE_PROFILE(cc, threads, blocks, smem, optin, clusters) {cc, (optin) * 1024, clusters},
#include "device_profiles.def"
};
enum { PROFILES = sizeof profiles / sizeof *profiles };

static void check_shared(gs_hosts *hosts, limit *l, const gs_launch *launch, const char *whose,
                         int64_t most) {
  gs_host_bounds b = gs_host_range(hosts, launch->dynamic_smem);
  char rest[80];
  snprintf(rest, sizeof rest, " bytes, and %s has more than %lld for a block", whose,
           (long long)most);
  if (launch->dynamic_smem.at && !launch->dynamic_smem.wraps && b.lo > most)
    complain(l, "the dynamic shared memory", b, rest);
}

bool gs_launch_check_target(gs_hosts *hosts, const gs_launch *launch, uint32_t sm,
                            gs_launch_problem_sink sink, void *user) {
  limit l = {sink, user, true};
  gs_host_bounds cluster = {least_cluster(hosts, launch), GS_HOST_FAR};
  for (int i = 0; i < PROFILES; i++) {
    if (profiles[i].cc != sm)
      continue;
    check_shared(hosts, &l, launch, "no such device", profiles[i].shared);
    if (cluster.lo > 1 && !profiles[i].clusters)
      complain(&l, "the number of blocks in a cluster", cluster, ", and clusters came with sm_90");
  }
  return l.good;
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
  int64_t shared = 0;
  for (int i = 0; i < PROFILES; i++)
    shared = profiles[i].shared > shared ? profiles[i].shared : shared;
  check_shared(hosts, &l, launch, "no device", shared);
  check_cluster(hosts, &l, launch);
  if (l.good)
    check_division(hosts, &l, launch);
  return l.good;
}
