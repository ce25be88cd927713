// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search of the linear tier. Its models come from a relaxation, so each is
// evaluated on the terms before it counts.
#include "smt_linear_private.h"
#include "smt_model.h"

enum {
  MAX_NODES = 20000, ///< larger questions are not asked
  MAX_LOADS = 24,    ///< agreement of more is left open
  SOFT_UNITS = 20000 ///< least resource units for trying one soft constraint
};

typedef struct load_list {
  gs_term items[MAX_LOADS];
  uint32_t count;
} load_list;

static void collect_loads(const gs_linear *l, load_list *out) {
  const gs_dag *dag = l->query->dag;
  for (uint32_t at = 0; at < dag->count && out->count < MAX_LOADS; at++)
    if (gs_term_is(l->query->terms, dag->terms[at], GS_OP_LOAD))
      out->items[out->count++] = dag->terms[at];
}

static gs_term address_of(const gs_linear *l, gs_term load) {
  return gs_term_node(l->query->terms, load)->arg[0];
}

/// Loads of one width at one address are equal. Those that overlap in part are
/// left open: evaluation sees to them.
static void require_agreement(gs_linear *l, const load_list *loads) {
  gs_core *core = l->core;
  for (uint32_t i = 0; i < loads->count; i++)
    for (uint32_t j = 0; j < i; j++) {
      gs_term a = loads->items[i], b = loads->items[j];
      if (gs_term_width(l->query->terms, a) != gs_term_width(l->query->terms, b))
        continue;
      gs_bv same = gs_int_bin(core, GS_INT_EQ, gs_linear_read(l, address_of(l, a), false),
                              gs_linear_read(l, address_of(l, b), false));
      gs_bv equal = gs_int_bin(core, GS_INT_EQ, gs_linear_read(l, a, false),
                               gs_linear_read(l, b, false));
      gs_core_require(core, gs_bv_bin(core, GS_BV_EITHER, gs_bv_not(core, same), equal));
    }
}

static bool value_of(gs_linear *l, gs_term t, uint64_t *value) {
  if (!gs_int_value(l->core, gs_linear_read(l, t, false), value))
    return false;
  *value &= gs_mask(gs_term_width(l->query->terms, t));
  return true;
}

/// Reads the symbols and loads of the core's latest model.
static bool read_model(gs_linear *l, const load_list *loads, gs_model *model) {
  const gs_dag *dag = l->query->dag;
  if (!gs_model_init(model, l->query->terms, loads->count))
    return false;
  bool fine = true;
  for (uint32_t at = 0; fine && at < dag->count; at++) {
    const gs_node *node = gs_term_node(l->query->terms, dag->terms[at]);
    if (node->op == GS_OP_SYM)
      fine = value_of(l, dag->terms[at], &model->values[node->value]);
  }
  for (uint32_t i = 0; fine && i < loads->count; i++) {
    gs_model_load load = {.width = gs_term_width(l->query->terms, loads->items[i])};
    fine = value_of(l, address_of(l, loads->items[i]), &load.address) &&
           value_of(l, loads->items[i], &load.value);
    gs_model_add_load(model, load);
  }
  if (!fine)
    gs_model_free(model);
  return fine;
}

static bool loads_agree(const gs_model *model) {
  for (uint32_t i = 0; i < model->load_count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (!gs_loads_agree(&model->loads[i], &model->loads[j]))
        return false;
  return true;
}

/// Does an assignment satisfy the conjunction itself?
static bool stands(const gs_linear *l, gs_term extra, gs_model *model) {
  const gs_linear_query *q = l->query;
  return loads_agree(model) &&
         gs_model_check(q->terms, q->hard, q->hard_count, model) == GS_CHECK_TRUE &&
         (!extra || gs_model_check(q->terms, &extra, 1, model) == GS_CHECK_TRUE) &&
         (!q->exact || gs_model_keeps_flags(q->terms, q->hard, q->hard_count, model));
}

/// \param extra GS_NO_TERM, or a term that must hold this time besides the hard ones.
static gs_answer find_model(gs_linear *l, const load_list *loads, gs_term extra, uint64_t limit,
                            gs_model *model) {
  gs_answer answer = gs_core_search(l->core, extra ? gs_linear_truth(l, extra) : NULL, limit);
  if (answer != GS_ANSWER_YES)
    return answer;
  if (!read_model(l, loads, model))
    return GS_ANSWER_DONT_KNOW;
  if (stands(l, extra, model))
    return GS_ANSWER_YES;
  gs_model_free(model);
  return GS_ANSWER_DONT_KNOW;
}

/// Keeps soft constraints one after another while there are models.
static void befriend(gs_linear *l, const load_list *loads, gs_model *model) {
  uint64_t limit = gs_core_spent(l->core) + SOFT_UNITS;
  for (size_t i = 0; i < l->query->soft_count; i++) {
    gs_term soft = l->query->soft[i];
    if (gs_model_check(l->query->terms, &soft, 1, model) != GS_CHECK_TRUE) {
      gs_model next = {0};
      if (find_model(l, loads, soft, limit, &next) != GS_ANSWER_YES)
        continue;
      gs_model_free(model);
      *model = next;
    }
    gs_core_require(l->core, gs_linear_truth(l, soft));
  }
}

gs_answer gs_linear_solve(const gs_linear_query *query, gs_model *model, uint64_t *units) {
  gs_linear l = {.query = query};
  gs_answer answer = GS_ANSWER_DONT_KNOW;
  load_list loads = {.count = 0};
  *units = 0;
  if (query->dag->count > MAX_NODES)
    return answer;
  l.core = gs_core_new_linear(query->budget);
  if (l.core && gs_linear_encode(&l)) {
    for (size_t i = 0; i < query->hard_count; i++)
      gs_core_require(l.core, gs_linear_truth(&l, query->hard[i]));
    collect_loads(&l, &loads);
    require_agreement(&l, &loads);
    answer = find_model(&l, &loads, GS_NO_TERM, UINT64_MAX, model);
    if (answer == GS_ANSWER_YES)
      befriend(&l, &loads, model);
  }
  if (l.core)
    *units = gs_core_spent(l.core);
  gs_linear_free(&l);
  return answer;
}
