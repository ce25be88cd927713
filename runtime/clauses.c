// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clauses and counts of a contract, and the words for those that do not hold.
#include "rt_internal.h"

#include <stdio.h>
#include <string.h>

uint8_t gsrt_needs(const uint8_t *code, size_t size) {
  gs_name name;
  size_t at = 0;
  uint8_t needs = 0;
  while (gs_bytecode_next_name(code, size, &at, &name)) {
    if (name.kind == GS_NAME_PARAM)
      needs |= GSRT_NEEDS_ARGUMENTS;
    if (name.kind == GS_NAME_POINTER)
      needs |= GSRT_NEEDS_ARGUMENTS | GSRT_NEEDS_POINTERS;
  }
  return needs;
}

// --------------------------------------------------------------- explanation ----

enum { VALUES_SIZE = 320 };

static void name_text(const gsrt_check *check, const gs_name *name, char *out, size_t size) {
  static const char *const kinds[] = {
      "", "", "", "block", "grid", "cluster", "dynamic_smem", "cc", "warp_size", "cooperative"};
  if (name->kind == GS_NAME_BLOCK || name->kind == GS_NAME_GRID || name->kind == GS_NAME_CLUSTER) {
    snprintf(out, size, "%s.%c", kinds[name->kind], "xyz"[name->axis]);
    return;
  }
  if (name->kind != GS_NAME_PARAM && name->kind != GS_NAME_POINTER) {
    snprintf(out, size, "%s", kinds[name->kind]);
    return;
  }
  const gs_desc_leaf_row *leaf = gs_desc_leaf(check->contract, name->param, name->offset);
  const char *text = leaf
                         ? gs_desc_text(check->contract, leaf->name)
                         : gs_desc_text(check->contract, check->contract->params[name->param].name);
  snprintf(out, size, "%s", *text ? text : "?");
}

/// ", n = 5" for each name of the program, each once, as far as there is room.
static void values_text(const gsrt_check *check, const uint8_t *code, size_t size,
                        char out[VALUES_SIZE]) {
  gs_name name;
  size_t at = 0, length = 0;
  out[0] = '\0';
  while (gs_bytecode_next_name(code, size, &at, &name)) {
    char label[64], item[160];
    int64_t value = 0;
    name_text(check, &name, label, sizeof label);
    gs_eval_code known = gs_name_value(&check->env, &name, &value);
    if (known == GS_EVAL_UNSIGNED)
      snprintf(item, sizeof item, ", %s > 2^63 - 1", label);
    else if (known != GS_EVAL_OK)
      snprintf(item, sizeof item, ", %s unknown", label);
    else if (name.kind == GS_NAME_POINTER)
      snprintf(item, sizeof item, ", %s = 0x%llx", label, (unsigned long long)value);
    else
      snprintf(item, sizeof item, ", %s = %lld", label, (long long)value);
    if (strstr(out, item) || length + strlen(item) + 1 > VALUES_SIZE)
      continue;
    memcpy(out + length, item, strlen(item) + 1);
    length += strlen(item);
  }
}

static const char *spelling(gs_expr_op op) {
  static const char *const texts[] = {
#define GS_EXPR(name, arity, text) text,
#include "contract_ops.def"
  };
  return texts[op];
}

/// Reports a program that gave an error or, without one, a clause that is 0.
static void explain(gsrt_check *check, const gsrt_place *place, const uint8_t *code, size_t size,
                    const gs_eval_result *result) {
  char values[VALUES_SIZE], sides[96] = "";
  values_text(check, code, size, values);
  const char *with = values[0] ? values + 2 : "no values";
  if (result->code != GS_EVAL_OK) {
    gsrt_violate(check, GSRT_CLAUSE_VALUE, place, "'%.200s' has no value: %s (%s)", place->clause,
                 gs_eval_code_text(result->code), with);
    return;
  }
  if (result->compared)
    snprintf(sides, sizeof sides, ": %lld %s %lld is false", (long long)result->left,
             spelling(result->compare), (long long)result->right);
  gsrt_violate(check, GSRT_CLAUSE, place, "'%.200s' does not hold%s (%s)", place->clause, sides,
               with);
}

/// Is a comparison that came out false what the clause ended with?
static bool is_last_word(const gs_eval_result *result) {
  bool less = result->left < result->right, equal = result->left == result->right;
  bool held = false;
  if (result->compare == GS_EXPR_LT || result->compare == GS_EXPR_LE ||
      result->compare == GS_EXPR_NE)
    held |= less;
  if (result->compare == GS_EXPR_EQ || result->compare == GS_EXPR_LE ||
      result->compare == GS_EXPR_GE)
    held |= equal;
  if (result->compare == GS_EXPR_GT || result->compare == GS_EXPR_GE ||
      result->compare == GS_EXPR_NE)
    held |= !less && !equal;
  return result->compared && !held;
}

/// A clause that is 0 because of a fact about data, as the device found it.
static void explain_fact(gsrt_check *check, const gsrt_place *place) {
  const gsrt_fact_break *broken = &check->fact_break;
  const gsrt_fact *fact = &check->fact;
  char how[120];
  if (fact->op == GS_EXPR_IN_RANGE)
    snprintf(how, sizeof how, "not in [%lld, %lld)", (long long)fact->low, (long long)fact->high);
  else if (fact->op == GS_EXPR_INJECTIVE)
    snprintf(how, sizeof how, "as %.40s[%llu] is", check->fact_name,
             (unsigned long long)broken->other);
  else
    snprintf(how, sizeof how, "and %.40s[%llu] is %s", check->fact_name,
             (unsigned long long)broken->other, broken->other_value);
  gsrt_violate(check, GSRT_DATA, place, "'%.200s' does not hold: %.40s[%llu] is %s, %s",
               place->clause, check->fact_name, (unsigned long long)broken->index, broken->value,
               how);
}

// ---------------------------------------------------------------- evaluation ----

/// A program of the contract: as bytes, and decoded where that was done.
typedef struct program {
  const uint8_t *code;
  size_t size;
  const gsrt_program *decoded;
} program;

static void run(const gsrt_check *check, const program *p, gs_eval_result *result) {
  if (p->decoded)
    gs_insns_eval(p->decoded->insns, p->decoded->count, &check->env, result);
  else
    gs_bytecode_eval(p->code, p->size, &check->env, result);
}

/// What only a device could tell is left out where there is none.
static bool is_left_out(gsrt_check *check, const gs_eval_result *result) {
  if (result->code != GS_EVAL_UNAVAILABLE || check->memory)
    return false;
  check->unchecked++;
  return true;
}

/// A clause that is not plainly true.
static void not_true(gsrt_check *check, uint32_t index, const gs_eval_result *result) {
  const gs_descriptor *d = check->contract;
  const gs_desc_clause_row *clause = &d->clauses[index];
  if (is_left_out(check, result))
    return;
  gsrt_place place = {gs_desc_text(d, clause->text), gs_desc_text(d, clause->file), clause->line,
                      clause->column};
  if (result->code == GS_EVAL_OK && check->fact_name && !is_last_word(result)) {
    explain_fact(check, &place);
    return;
  }
  explain(check, &place, d->block + clause->code, clause->code_size, result);
}

void gsrt_check_clause(gsrt_check *check, uint32_t index) {
  const gs_desc_clause_row *clause = &check->contract->clauses[index];
  gs_eval_result result;
  check->fact_name = NULL;
  gs_bytecode_eval(check->contract->block + clause->code, clause->code_size, &check->env, &result);
  if (result.code != GS_EVAL_OK || result.value == 0)
    not_true(check, index, &result);
}

void gsrt_check_program(gsrt_check *check, const gsrt_program *program) {
  gs_eval_result result;
  check->fact_name = NULL;
  gs_insns_eval(program->insns, program->count, &check->env, &result);
  if (result.code != GS_EVAL_OK || result.value == 0)
    not_true(check, program->index, &result);
}

gsrt_place gsrt_claim_place(const gsrt_check *check, const gs_desc_claim_row *claim) {
  const gs_descriptor *d = check->contract;
  return (gsrt_place){gs_desc_text(d, claim->text), gs_desc_text(d, claim->file), claim->line,
                      claim->column};
}

/// Reports a count that is negative or beyond any memory.
static void refuse_count(gsrt_check *check, const gs_desc_claim_row *claim, const program *p,
                         int64_t count) {
  const gs_descriptor *d = check->contract;
  gsrt_place place = gsrt_claim_place(check, claim);
  const char *name = gs_desc_text(d, d->params[claim->param].name);
  char values[VALUES_SIZE];
  if (count >= 0) {
    gsrt_violate(check, GSRT_CLAUSE_VALUE, &place, "%lld elements of %.60s exceed any memory",
                 (long long)count, name);
    return;
  }
  values_text(check, p->code, p->size, values);
  gsrt_violate(check, GSRT_COUNT_NEGATIVE, &place, "'%.100s' elements of %.60s: %lld (%s)",
               place.clause, name, (long long)count, values[0] ? values + 2 : "constant");
}

bool gsrt_count_of(gsrt_check *check, uint32_t index, int64_t *count) {
  const gs_descriptor *d = check->contract;
  const gs_desc_claim_row *claim = &d->claims[index];
  program p = {d->block + claim->code, claim->code_size,
               check->counts ? &check->counts[index] : NULL};
  gs_eval_result result;
  run(check, &p, &result);
  *count = result.value;
  if (result.code == GS_EVAL_OK && result.value >= 0 &&
      (uint64_t)result.value <= INT64_MAX / d->params[claim->param].elem_size)
    return true;
  if (result.code == GS_EVAL_OK) {
    refuse_count(check, claim, &p, result.value);
  } else if (!is_left_out(check, &result)) {
    gsrt_place place = gsrt_claim_place(check, claim);
    explain(check, &place, p.code, p.size, &result);
  }
  return false;
}
