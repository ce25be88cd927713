// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The solver core on Z3; the only file that includes z3.h. One context serves
// one query: resource counts then do not depend on what was asked before.
#include "smt_core.h"

#include <stdlib.h>
#include <string.h>
#include <z3.h>

struct gs_core {
  Z3_context z;
  Z3_solver solver;
  Z3_model model; ///< of the latest YES; NULL = none
  uint64_t budget;
  int names; ///< variables made so far
  bool failed;
};

/// Z3's own handler prints and exits. Errors are read off the context instead.
static void ignore_error(Z3_context z, Z3_error_code code) {
  (void)z;
  (void)code;
}

gs_core *gs_core_new(uint64_t budget) {
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
  Z3_set_error_handler(core->z, ignore_error);
  core->solver = Z3_mk_solver_for_logic(core->z, Z3_mk_string_symbol(core->z, "QF_BV"));
  if (!core->solver) {
    gs_core_free(core);
    return NULL;
  }
  Z3_solver_inc_ref(core->z, core->solver);
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
  if (core->solver)
    Z3_solver_dec_ref(core->z, core->solver);
  Z3_del_context(core->z);
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

void gs_core_require(gs_core *core, gs_bv truth) {
  if (!truth)
    core->failed = true;
  if (check_errors(core))
    Z3_solver_assert(core->z, core->solver, (Z3_ast)truth);
  check_errors(core);
}

uint64_t gs_core_spent(gs_core *core) {
  Z3_stats stats = Z3_solver_get_statistics(core->z, core->solver);
  uint64_t units = 0;
  if (!stats)
    return core->budget;
  Z3_stats_inc_ref(core->z, stats);
  unsigned count = Z3_stats_size(core->z, stats);
  for (unsigned i = 0; i < count; i++) {
    const char *key = Z3_stats_get_key(core->z, stats, i);
    if (!key || strcmp(key, "rlimit count") != 0)
      continue;
    if (Z3_stats_is_uint(core->z, stats, i))
      units = Z3_stats_get_uint_value(core->z, stats, i);
    else
      units = (uint64_t)Z3_stats_get_double_value(core->z, stats, i);
  }
  Z3_stats_dec_ref(core->z, stats);
  return units;
}

/// Limits the next search; keeps Z3 away from the process's signal handlers.
static void set_limits(gs_core *core, uint64_t units) {
  Z3_params params = Z3_mk_params(core->z);
  if (!params) {
    core->failed = true;
    return;
  }
  Z3_params_inc_ref(core->z, params);
  Z3_params_set_uint(core->z, params, Z3_mk_string_symbol(core->z, "rlimit"),
                     units < UINT32_MAX / 2 ? (unsigned)units : UINT32_MAX / 2);
  Z3_params_set_bool(core->z, params, Z3_mk_string_symbol(core->z, "ctrl_c"), false);
  Z3_solver_set_params(core->z, core->solver, params);
  Z3_params_dec_ref(core->z, params);
}

gs_answer gs_core_search(gs_core *core, gs_bv assumption) {
  drop_model(core);
  uint64_t spent = gs_core_spent(core);
  if (core->failed || spent >= core->budget)
    return GS_ANSWER_DONT_KNOW;
  set_limits(core, core->budget - spent);
  Z3_ast assumed = (Z3_ast)assumption;
  if (!check_errors(core))
    return GS_ANSWER_DONT_KNOW;
  Z3_lbool answer = assumed ? Z3_solver_check_assumptions(core->z, core->solver, 1, &assumed)
                            : Z3_solver_check(core->z, core->solver);
  if (!check_errors(core) || answer == Z3_L_UNDEF)
    return GS_ANSWER_DONT_KNOW;
  if (answer == Z3_L_FALSE)
    return GS_ANSWER_NO;
  core->model = Z3_solver_get_model(core->z, core->solver);
  if (!core->model)
    return GS_ANSWER_DONT_KNOW;
  Z3_model_inc_ref(core->z, core->model);
  return GS_ANSWER_YES;
}

bool gs_core_value(gs_core *core, gs_bv a, uint64_t *value) {
  Z3_ast constant = NULL;
  if (!a || !core->model || !check_errors(core) ||
      !Z3_model_eval(core->z, core->model, (Z3_ast)a, true, &constant) || !constant)
    return false;
  return Z3_get_numeral_uint64(core->z, constant, value) && check_errors(core);
}
