// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The solver core on Z3; the only file that includes z3.h. One context serves
// one query: resource counts then do not depend on what was asked before.
#include "smt_core.h"

#include <stdlib.h>
#include <string.h>
#include <z3.h>

/// Two solvers share the context. `quick` is Z3's SMT core: it starts in
/// milliseconds, is incremental and finds models readily. `deep` turns the
/// question into one for the SAT solver: slow to start, two to five times
/// faster on hard questions. Measured with test/bench/solver.
struct gs_core {
  Z3_context z;
  Z3_solver quick;
  Z3_solver deep; ///< NULL until it is first needed
  Z3_model model; ///< of the latest YES; NULL = none
  Z3_ast *required;
  size_t count, capacity;
  size_t in_deep; ///< how many of `required` the deep solver has
  uint64_t budget;
  uint64_t scale; ///< resource units for one of Z3's
  bool large;     ///< deep at once
  bool linear;    ///< integers: there is nothing to blast into bits
  int names; ///< variables made so far
  bool failed;
};

enum {
  QUICK_UNITS = 60000, ///< after which a search goes over to the deep solver
  CELLS_A_UNIT = 2048, ///< size from which on a unit of Z3's takes longer
  QUICK_CELLS = 16384  ///< size above which the quick solver takes too long to start
};

/// Z3's own handler prints and exits. Errors are read off the context instead.
static void ignore_error(Z3_context z, Z3_error_code code) {
  (void)z;
  (void)code;
}

gs_core *gs_core_new(uint64_t budget, uint64_t cells) {
  gs_core *core = calloc(1, sizeof *core);
  Z3_config config = core ? Z3_mk_config() : NULL;
  if (config) {
    core->z = Z3_mk_context(config);
    Z3_del_config(config);
  }
  if (!core || !core->z) {
    free(core);
    return NULL;
  }
  core->budget = budget;
  core->scale = 1 + cells / CELLS_A_UNIT;
  core->large = cells > QUICK_CELLS;
  Z3_set_error_handler(core->z, ignore_error);
  core->quick = Z3_mk_simple_solver(core->z);
  if (!core->quick) {
    gs_core_free(core);
    return NULL;
  }
  Z3_solver_inc_ref(core->z, core->quick);
  return core;
}

gs_core *gs_core_new_linear(uint64_t budget) {
  gs_core *core = gs_core_new(budget, 0);
  if (core)
    core->linear = true;
  return core;
}

static void drop_model(gs_core *core) {
  if (core->model)
    Z3_model_dec_ref(core->z, core->model);
  core->model = NULL;
}

void gs_core_free(gs_core *core) {
  if (!core)
    return;
  drop_model(core);
  if (core->quick)
    Z3_solver_dec_ref(core->z, core->quick);
  if (core->deep)
    Z3_solver_dec_ref(core->z, core->deep);
  Z3_del_context(core->z);
  free(core->required);
  free(core);
}

static bool check_errors(gs_core *core) {
  if (Z3_get_error_code(core->z) != Z3_OK)
    core->failed = true;
  return !core->failed;
}

bool gs_core_failed(const gs_core *core) { return core->failed; }

static gs_bv made(gs_core *core, Z3_ast ast) {
  if (!ast)
    core->failed = true;
  return check_errors(core) ? (gs_bv)ast : NULL;
}

gs_bv gs_bv_number(gs_core *core, uint64_t value, unsigned bits) {
  uint64_t mask = bits < 64 ? gs_mask((uint8_t)bits) : UINT64_MAX;
  return made(core, Z3_mk_unsigned_int64(core->z, value & mask, Z3_mk_bv_sort(core->z, bits)));
}

gs_bv gs_bv_truth(gs_core *core, bool value) {
  return made(core, value ? Z3_mk_true(core->z) : Z3_mk_false(core->z));
}

gs_bv gs_bv_variable(gs_core *core, unsigned bits) {
  Z3_symbol name = Z3_mk_int_symbol(core->z, core->names++);
  return made(core, Z3_mk_const(core->z, name, Z3_mk_bv_sort(core->z, bits)));
}

static Z3_ast binary(Z3_context z, gs_bv_op op, Z3_ast a, Z3_ast b) {
  Z3_ast pair[2] = {a, b};
  switch (op) {
  case GS_BV_ADD: return Z3_mk_bvadd(z, a, b);
  case GS_BV_SUB: return Z3_mk_bvsub(z, a, b);
  case GS_BV_MUL: return Z3_mk_bvmul(z, a, b);
  case GS_BV_UDIV: return Z3_mk_bvudiv(z, a, b);
  case GS_BV_SDIV: return Z3_mk_bvsdiv(z, a, b);
  case GS_BV_UREM: return Z3_mk_bvurem(z, a, b);
  case GS_BV_SREM: return Z3_mk_bvsrem(z, a, b);
  case GS_BV_SHL: return Z3_mk_bvshl(z, a, b);
  case GS_BV_LSHR: return Z3_mk_bvlshr(z, a, b);
  case GS_BV_ASHR: return Z3_mk_bvashr(z, a, b);
  case GS_BV_AND: return Z3_mk_bvand(z, a, b);
  case GS_BV_OR: return Z3_mk_bvor(z, a, b);
  case GS_BV_XOR: return Z3_mk_bvxor(z, a, b);
  case GS_BV_CONCAT: return Z3_mk_concat(z, a, b);
  case GS_BV_ULT: return Z3_mk_bvult(z, a, b);
  case GS_BV_ULE: return Z3_mk_bvule(z, a, b);
  case GS_BV_SLT: return Z3_mk_bvslt(z, a, b);
  case GS_BV_SLE: return Z3_mk_bvsle(z, a, b);
  case GS_BV_EQ: return Z3_mk_eq(z, a, b);
  case GS_BV_BOTH: return Z3_mk_and(z, 2, pair);
  case GS_BV_EITHER: return Z3_mk_or(z, 2, pair);
  case GS_BV_UNEQUAL: return Z3_mk_xor(z, a, b);
  }
  return NULL;
}

// Z3 follows NULL pointers: operands that were not made never reach it.

gs_bv gs_bv_bin(gs_core *core, gs_bv_op op, gs_bv a, gs_bv b) {
  return a && b ? made(core, binary(core->z, op, (Z3_ast)a, (Z3_ast)b)) : made(core, NULL);
}

gs_bv gs_bv_not(gs_core *core, gs_bv truth) {
  return made(core, truth ? Z3_mk_not(core->z, (Z3_ast)truth) : NULL);
}

gs_bv gs_bv_ite(gs_core *core, gs_bv truth, gs_bv a, gs_bv b) {
  bool fine = truth && a && b;
  return made(core, fine ? Z3_mk_ite(core->z, (Z3_ast)truth, (Z3_ast)a, (Z3_ast)b) : NULL);
}

gs_bv gs_bv_extract(gs_core *core, unsigned high, unsigned low, gs_bv a) {
  return made(core, a ? Z3_mk_extract(core->z, high, low, (Z3_ast)a) : NULL);
}

gs_bv gs_bv_resize(gs_core *core, gs_bv a, unsigned from, unsigned to, bool is_signed) {
  if (!a || from == to)
    return a;
  if (to < from)
    return gs_bv_extract(core, to - 1, 0, a);
  return made(core, is_signed ? Z3_mk_sign_ext(core->z, to - from, (Z3_ast)a)
                              : Z3_mk_zero_ext(core->z, to - from, (Z3_ast)a));
}

// ------------------------------------------------------------- integers ----

gs_bv gs_int_number(gs_core *core, gs_wide value) {
  enum { DIGITS = 48 };
  char text[DIGITS], *at = text + DIGITS - 1;
  bool negative = value < 0;
  *at = 0;
  do { // digits of a negative value are negative: its least has no opposite
    int digit = (int)(value % 10);
    *--at = (char)('0' + (digit < 0 ? -digit : digit));
    value /= 10;
  } while (value);
  if (negative)
    *--at = '-';
  return made(core, Z3_mk_numeral(core->z, at, Z3_mk_int_sort(core->z)));
}

gs_bv gs_int_variable(gs_core *core) {
  Z3_symbol name = Z3_mk_int_symbol(core->z, core->names++);
  return made(core, Z3_mk_const(core->z, name, Z3_mk_int_sort(core->z)));
}

gs_bv gs_int_bin(gs_core *core, gs_int_op op, gs_bv a, gs_bv b) {
  if (!a || !b)
    return made(core, NULL);
  Z3_ast pair[2] = {(Z3_ast)a, (Z3_ast)b}, ast = NULL;
  switch (op) {
  case GS_INT_ADD: ast = Z3_mk_add(core->z, 2, pair); break;
  case GS_INT_SUB: ast = Z3_mk_sub(core->z, 2, pair); break;
  case GS_INT_LE: ast = Z3_mk_le(core->z, pair[0], pair[1]); break;
  case GS_INT_LT: ast = Z3_mk_lt(core->z, pair[0], pair[1]); break;
  case GS_INT_EQ: ast = Z3_mk_eq(core->z, pair[0], pair[1]); break;
  }
  return made(core, ast);
}

gs_bv gs_int_times(gs_core *core, gs_wide factor, gs_bv a) {
  gs_bv number = gs_int_number(core, factor);
  Z3_ast pair[2] = {(Z3_ast)number, (Z3_ast)a};
  return made(core, number && a ? Z3_mk_mul(core->z, 2, pair) : NULL);
}

bool gs_int_value(gs_core *core, gs_bv a, uint64_t *value) {
  Z3_ast constant = NULL;
  if (!a || !core->model || !check_errors(core) ||
      !Z3_model_eval(core->z, core->model, (Z3_ast)a, true, &constant) || !constant)
    return false;
  const char *text = Z3_get_numeral_string(core->z, constant);
  if (!check_errors(core) || !text)
    return false;
  uint64_t magnitude = 0;
  const char *digit = text + (*text == '-');
  for (; *digit >= '0' && *digit <= '9'; digit++)
    magnitude = magnitude * 10 + (uint64_t)(*digit - '0');
  *value = *text == '-' ? 0 - magnitude : magnitude;
  return !*digit; // a fraction is no integer
}

static bool remember(gs_core *core, Z3_ast truth) {
  if (core->count == core->capacity) {
    size_t capacity = core->capacity ? 2 * core->capacity : 64;
    Z3_ast *moved = realloc(core->required, capacity * sizeof *moved);
    if (!moved)
      return false;
    core->required = moved;
    core->capacity = capacity;
  }
  core->required[core->count++] = truth;
  return true;
}

void gs_core_require(gs_core *core, gs_bv truth) {
  if (!truth || core->failed || !remember(core, (Z3_ast)truth)) {
    core->failed = true;
    return;
  }
  if (!core->large)
    Z3_solver_assert(core->z, core->quick, (Z3_ast)truth);
  check_errors(core);
}

uint64_t gs_core_spent(gs_core *core) {
  Z3_stats stats = Z3_solver_get_statistics(core->z, core->quick);
  uint64_t units = 0;
  if (!stats)
    return core->budget;
  Z3_stats_inc_ref(core->z, stats);
  unsigned count = Z3_stats_size(core->z, stats);
  for (unsigned i = 0; i < count; i++) { // the context's count, whichever solver spent it
    const char *key = Z3_stats_get_key(core->z, stats, i);
    if (!key || strcmp(key, "rlimit count") != 0)
      continue;
    if (Z3_stats_is_uint(core->z, stats, i))
      units = Z3_stats_get_uint_value(core->z, stats, i);
    else
      units = (uint64_t)Z3_stats_get_double_value(core->z, stats, i);
  }
  Z3_stats_dec_ref(core->z, stats);
  return units * core->scale;
}

static Z3_symbol symbol(gs_core *core, const char *name) {
  return Z3_mk_string_symbol(core->z, name);
}

/// Limits the next search of a solver; keeps Z3 away from the process's signals.
static void set_limits(gs_core *core, Z3_solver solver, uint64_t units) {
  Z3_params params = Z3_mk_params(core->z);
  if (!params) {
    core->failed = true;
    return;
  }
  Z3_params_inc_ref(core->z, params);
  Z3_params_set_uint(core->z, params, symbol(core, "rlimit"),
                     units < UINT32_MAX / 2 ? (unsigned)units : UINT32_MAX / 2);
  Z3_params_set_bool(core->z, params, symbol(core, "ctrl_c"), false);
  if (solver == core->quick) // try 0 first: small values make readable witnesses
    Z3_params_set_uint(core->z, params, symbol(core, "phase_selection"), 0);
  Z3_solver_set_params(core->z, solver, params);
  Z3_params_dec_ref(core->z, params);
}

/// Simplification, bit blasting, SAT. More passes (solve-eqs, aig, bv sharing)
/// did not pay on the questions of test/bench/solver.
static Z3_tactic deep_tactic(gs_core *core) {
  static const char *const steps[] = {"simplify", "propagate-values", "bit-blast", "sat"};
  Z3_tactic all = NULL;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    Z3_tactic step = Z3_mk_tactic(core->z, steps[i]);
    if (!step)
      break;
    Z3_tactic_inc_ref(core->z, step);
    Z3_tactic next = all ? Z3_tactic_and_then(core->z, all, step) : step;
    if (all) {
      Z3_tactic_inc_ref(core->z, next);
      Z3_tactic_dec_ref(core->z, all);
      Z3_tactic_dec_ref(core->z, step);
    }
    all = next;
  }
  return all;
}

/// Brings the deep solver up to date. \returns false when there is none.
static bool update_deep(gs_core *core) {
  if (!core->deep) {
    Z3_tactic tactic = deep_tactic(core);
    core->deep = tactic && check_errors(core) ? Z3_mk_solver_from_tactic(core->z, tactic) : NULL;
    if (core->deep)
      Z3_solver_inc_ref(core->z, core->deep);
    if (tactic)
      Z3_tactic_dec_ref(core->z, tactic);
  }
  for (; core->deep && core->in_deep < core->count; core->in_deep++)
    Z3_solver_assert(core->z, core->deep, core->required[core->in_deep]);
  return core->deep && check_errors(core);
}

static gs_answer search_with(gs_core *core, Z3_solver solver, gs_bv assumption, uint64_t limit) {
  uint64_t spent = gs_core_spent(core); // Z3 would read a limit of 0 as none
  if (core->failed || spent + core->scale > core->budget || limit < core->scale)
    return GS_ANSWER_DONT_KNOW;
  uint64_t left = core->budget - spent;
  set_limits(core, solver, (left < limit ? left : limit) / core->scale);
  Z3_ast assumed = (Z3_ast)assumption;
  if (!check_errors(core))
    return GS_ANSWER_DONT_KNOW;
  Z3_lbool answer = assumed ? Z3_solver_check_assumptions(core->z, solver, 1, &assumed)
                            : Z3_solver_check(core->z, solver);
  if (!check_errors(core) || answer == Z3_L_UNDEF)
    return GS_ANSWER_DONT_KNOW;
  if (answer == Z3_L_FALSE)
    return GS_ANSWER_NO;
  core->model = Z3_solver_get_model(core->z, solver);
  if (!core->model)
    return GS_ANSWER_DONT_KNOW;
  Z3_model_inc_ref(core->z, core->model);
  return GS_ANSWER_YES;
}

gs_answer gs_core_search(gs_core *core, gs_bv assumption, uint64_t limit) {
  drop_model(core);
  uint64_t start = gs_core_spent(core);
  uint64_t quick = core->large ? 0 : limit < QUICK_UNITS ? limit : QUICK_UNITS;
  if (core->linear)
    return search_with(core, core->quick, assumption, limit);
  gs_answer answer = search_with(core, core->quick, assumption, quick);
  uint64_t used = gs_core_spent(core) - start;
  if (answer != GS_ANSWER_DONT_KNOW || used >= limit || !update_deep(core))
    return answer;
  return search_with(core, core->deep, assumption, limit - used);
}

bool gs_core_value(gs_core *core, gs_bv a, uint64_t *value) {
  Z3_ast constant = NULL;
  if (!a || !core->model || !check_errors(core) ||
      !Z3_model_eval(core->z, core->model, (Z3_ast)a, true, &constant) || !constant)
    return false;
  return Z3_get_numeral_uint64(core->z, constant, value) && check_errors(core);
}
