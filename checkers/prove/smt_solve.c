// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for a model: encode, solve, read the model back, check it by
// evaluation, and correct what the encoding left open. LOADs are variables that
// agree where their addresses do (Ackermann's reduction).
#include "smt.h"
#include "smt_encode.h"
#include "smt_linear.h"
#include "smt_model.h"
#include "smt_overlap.h"

#include <stdlib.h>
#include <string.h>

enum {
  SOFT_UNITS = 50000, ///< least resource units for trying one soft constraint
  MAX_CELLS = 250000  ///< larger questions are not asked: Z3 would take minutes
                      ///< before it counts its first unit
};

typedef struct load_site {
  gs_term term;
  gs_bv address;      ///< 64 bits
  gs_model_load seen; ///< in the latest model
} load_site;

typedef struct solver {
  gs_terms *terms;
  const gs_smt_query *query;
  gs_term *hard; ///< the query's, and consequences of them
  size_t hard_count;
  gs_encoding e;
  load_site *loads;
  uint32_t load_count;
} solver;

static bool collect_loads(solver *s) {
  gs_encoding *e = &s->e;
  uint32_t count = 0;
  for (uint32_t at = 0; at < e->dag.count; at++)
    count += gs_term_is(e->terms, e->dag.terms[at], GS_OP_LOAD);
  s->loads = calloc(count ? count : 1, sizeof *s->loads);
  if (!s->loads)
    return false;
  for (uint32_t at = 0; at < e->dag.count; at++) {
    const gs_node *node = gs_term_node(e->terms, e->dag.terms[at]);
    if (node->op == GS_OP_LOAD)
      s->loads[s->load_count++] = (load_site){
          .term = e->dag.terms[at], .address = gs_encoded_bits(e, node->arg[0], 64)};
  }
  return true;
}

/// (b's address - a's == distance) implies: the bytes they then share are equal.
static void require_agreement_at(solver *s, const load_site *a, const load_site *b,
                                 int distance) {
  gs_core *core = s->e.core;
  unsigned wa = gs_term_width(s->e.terms, a->term), wb = gs_term_width(s->e.terms, b->term);
  unsigned in_a = distance > 0 ? 8u * (unsigned)distance : 0;
  unsigned in_b = distance < 0 ? 8u * (unsigned)-distance : 0;
  unsigned common = wa - in_a < wb - in_b ? wa - in_a : wb - in_b;
  gs_bv va = gs_encoded_bits(&s->e, a->term, wa), vb = gs_encoded_bits(&s->e, b->term, wb);
  gs_bv moved = gs_bv_bin(core, GS_BV_ADD, a->address,
                          gs_bv_number(core, (uint64_t)(int64_t)distance, 64));
  gs_bv apart = gs_bv_not(core, gs_bv_bin(core, GS_BV_EQ, moved, b->address));
  gs_bv shared_a = gs_bv_extract(core, in_a + common - 1, in_a, va);
  gs_bv shared_b = gs_bv_extract(core, in_b + common - 1, in_b, vb);
  gs_bv agree = gs_bv_bin(core, GS_BV_EQ, shared_a, shared_b);
  gs_core_require(core, gs_bv_bin(core, GS_BV_EITHER, apart, agree));
}

static void require_agreement(solver *s, const load_site *a, const load_site *b) {
  int first = 1 - (int)gs_load_bytes(gs_term_width(s->e.terms, b->term));
  int last = (int)gs_load_bytes(gs_term_width(s->e.terms, a->term)) - 1;
  for (int distance = first; distance <= last; distance++)
    require_agreement_at(s, a, b, distance);
}

/// Loads of one width at one address are equal: asked for from the start while
/// the pairs are few, and otherwise, like partial overlaps, when a model errs.
static void require_equal_loads(solver *s) {
  enum { MAX_EAGER = 24 };
  for (uint32_t i = 0; i < s->load_count && s->load_count <= MAX_EAGER; i++)
    for (uint32_t j = 0; j < i; j++) {
      const load_site *a = &s->loads[i], *b = &s->loads[j];
      if (gs_term_width(s->e.terms, a->term) == gs_term_width(s->e.terms, b->term))
        require_agreement_at(s, a, b, 0);
    }
}

/// Reads the variables of the core's latest model.
static bool read_model(solver *s, gs_model *model) {
  gs_encoding *e = &s->e;
  if (!gs_model_init(model, e->terms, s->load_count))
    return false;
  bool fine = true;
  for (uint32_t at = 0; fine && at < e->dag.count; at++) {
    const gs_node *node = gs_term_node(e->terms, e->dag.terms[at]);
    if (node->op == GS_OP_SYM)
      fine = gs_core_value(e->core, gs_encoded_bits(e, e->dag.terms[at], node->width),
                           &model->values[node->value]);
  }
  for (uint32_t i = 0; fine && i < s->load_count; i++) {
    load_site *load = &s->loads[i];
    load->seen.width = gs_term_width(e->terms, load->term);
    fine = gs_core_value(e->core, load->address, &load->seen.address) &&
           gs_core_value(e->core, gs_encoded_bits(e, load->term, load->seen.width),
                         &load->seen.value);
    gs_model_add_load(model, load->seen);
  }
  if (!fine)
    gs_model_free(model);
  return fine;
}

/// Asks for agreement of the loads that disagree in the latest model.
/// \returns whether there were any.
static bool refine_loads(solver *s) {
  bool any = false;
  for (uint32_t i = 0; i < s->load_count; i++)
    for (uint32_t j = 0; j < i; j++)
      if (!gs_loads_agree(&s->loads[i].seen, &s->loads[j].seen)) {
        require_agreement(s, &s->loads[i], &s->loads[j]);
        any = true;
      }
  return any;
}

static gs_truth check_model(const solver *s, gs_term extra, gs_model *model) {
  const gs_smt_query *q = s->query;
  gs_truth check = gs_model_check(s->e.terms, q->hard, q->hard_count, model);
  if (check == GS_CHECK_TRUE && extra)
    check = gs_model_check(s->e.terms, &extra, 1, model);
  return check;
}

/// The condition that every hard term and `extra` have a value; NULL = they do.
static gs_bv all_defined(solver *s, gs_term extra) {
  const gs_smt_query *q = s->query;
  gs_bv all = extra ? gs_encoded_defined(&s->e, extra) : NULL;
  for (size_t i = 0; i < q->hard_count; i++) {
    gs_bv defined = gs_encoded_defined(&s->e, q->hard[i]);
    if (defined)
      all = all ? gs_bv_bin(s->e.core, GS_BV_BOTH, all, defined) : defined;
  }
  return all;
}

/// Searches until a model stands up to evaluation.
/// \param extra GS_NO_TERM, or a term that must hold this time besides the hard ones.
/// \param limit resource units for each search.
static gs_answer find_model(solver *s, gs_term extra, uint64_t limit, gs_model *model) {
  gs_core *core = s->e.core;
  gs_bv wanted = extra ? gs_encoded_truth(&s->e, extra) : NULL;
  for (bool narrowed = false;;) {
    gs_answer answer = gs_core_search(core, wanted, limit);
    if (answer == GS_ANSWER_NO && !narrowed)
      return GS_ANSWER_NO;
    if (answer != GS_ANSWER_YES || !read_model(s, model))
      return GS_ANSWER_DONT_KNOW;
    if (refine_loads(s)) {
      gs_model_free(model);
      continue;
    }
    gs_truth check = check_model(s, extra, model);
    if (check == GS_CHECK_TRUE)
      return GS_ANSWER_YES;
    gs_model_free(model);
    gs_bv defined = all_defined(s, extra);
    if (check == GS_CHECK_FALSE || narrowed || !defined)
      return GS_ANSWER_DONT_KNOW;
    // The model rests on an operation without a value; others may not.
    wanted = wanted ? gs_bv_bin(core, GS_BV_BOTH, wanted, defined) : defined;
    narrowed = true;
  }
}

/// Keeps soft constraints one after another while there are models. Each may
/// cost about as much as the answer itself did, no more.
static void befriend(solver *s, gs_model *model) {
  uint64_t limit = gs_core_spent(s->e.core) + SOFT_UNITS;
  for (size_t i = 0; i < s->query->soft_count; i++) {
    gs_term soft = s->query->soft[i];
    if (gs_model_check(s->e.terms, &soft, 1, model) != GS_CHECK_TRUE) {
      gs_model next = {0};
      if (find_model(s, soft, limit, &next) != GS_ANSWER_YES)
        continue;
      gs_model_free(model);
      *model = next;
    }
    gs_core_require(s->e.core, gs_encoded_truth(&s->e, soft));
  }
}

static gs_answer decide(solver *s, gs_model *model) {
  gs_model found = {0};
  if (!gs_encode(&s->e) || !collect_loads(s))
    return GS_ANSWER_DONT_KNOW;
  for (size_t i = 0; i < s->hard_count; i++)
    gs_core_require(s->e.core, gs_encoded_truth(&s->e, s->hard[i]));
  require_equal_loads(s);
  gs_answer answer = find_model(s, GS_NO_TERM, UINT64_MAX, &found);
  if (answer != GS_ANSWER_YES)
    return answer;
  if (model) {
    befriend(s, &found);
    *model = found;
  } else {
    gs_model_free(&found);
  }
  return GS_ANSWER_YES;
}

/// Adds to the hard terms what their overlaps imply.
static bool add_equations(solver *s) {
  enum { MAX_EQUATIONS = 8 };
  const gs_smt_query *q = s->query;
  gs_dag dag;
  gs_literals literals = {0};
  s->hard = malloc((q->hard_count + MAX_EQUATIONS) * sizeof *s->hard);
  if (!s->hard || !gs_dag_collect(s->e.terms, q->hard, q->hard_count, &dag))
    return false;
  bool fine = gs_literals_collect(s->e.terms, &dag, q->hard, q->hard_count, &literals, NULL);
  s->hard_count = q->hard_count;
  if (q->hard_count)
    memcpy(s->hard, q->hard, q->hard_count * sizeof *s->hard);
  if (fine)
    s->hard_count += gs_overlap_equations(s->terms, &dag, &literals, s->hard + q->hard_count,
                                          MAX_EQUATIONS);
  gs_dag_free(&dag);
  free(literals.items);
  return fine;
}

/// The DAG of all terms, and bounds that the hard ones imply.
static bool prepare(solver *s) {
  const gs_smt_query *q = s->query;
  gs_encoding *e = &s->e;
  if (!add_equations(s))
    return false;
  size_t count = s->hard_count + q->soft_count;
  gs_term *roots = malloc((count ? count : 1) * sizeof *roots);
  if (!roots)
    return false;
  for (size_t i = 0; i < count; i++)
    roots[i] = i < s->hard_count ? s->hard[i] : q->soft[i - s->hard_count];
  bool fine = gs_dag_collect(e->terms, roots, count, &e->dag);
  free(roots);
  if (fine && q->assume_flags) {
    e->exact = calloc(e->dag.count ? e->dag.count : 1, 1);
    fine = e->exact != NULL;
  }
  gs_literals literals = {0};
  fine = fine &&
         gs_literals_collect(e->terms, &e->dag, s->hard, s->hard_count, &literals, e->exact);
  fine = fine && gs_ranges_compute(e->terms, &e->dag, &literals, e->exact, &e->ranges);
  free(literals.items);
  return fine;
}

/// Tells the caller what is assumed. Where the bounds contradict, some may not
/// have been computed: then of every certain operation that could assume something.
static void report_assumed(const solver *s) {
  const gs_encoding *e = &s->e;
  for (uint32_t at = 0; s->query->assumed && e->exact && at < e->dag.count; at++) {
    const gs_node *node = gs_term_node(e->terms, e->dag.terms[at]);
    bool risky = node->flags || (node->op >= GS_OP_UDIV && node->op <= GS_OP_ASHR);
    if (e->exact[at] && risky && (e->ranges.empty || gs_encoding_assumes(e, at)))
      s->query->assumed(s->query->user, e->dag.terms[at]);
  }
}

static void finish(solver *s) {
  gs_encoding_free(&s->e);
  free(s->loads);
  free(s->hard);
}

/// The question in linear integers, which knows no width but proves sums and
/// comparisons of wide numbers at once.
static gs_answer decide_linear(const solver *s, gs_model *model, uint64_t *units) {
  const gs_smt_query *q = s->query;
  gs_model found = {0};
  gs_linear_query linear = {.terms = s->terms,
                            .dag = &s->e.dag,
                            .ranges = &s->e.ranges,
                            .exact = s->e.exact,
                            .hard = s->hard,
                            .hard_count = s->hard_count,
                            .soft = model ? q->soft : NULL,
                            .soft_count = model ? q->soft_count : 0,
                            .budget = q->linear_budget};
  gs_answer answer = gs_linear_solve(&linear, &found, units);
  if (model)
    *model = found;
  else
    gs_model_free(&found);
  return answer;
}

/// The question in bit-vectors.
static gs_answer decide_bits(solver *s, uint64_t budget, gs_model *model, uint64_t *units) {
  gs_answer answer = GS_ANSWER_DONT_KNOW;
  uint64_t cells = gs_encoding_cells(&s->e);
  if (cells <= MAX_CELLS)
    s->e.core = gs_core_new(budget, cells);
  if (s->e.core) {
    answer = decide(s, model);
    *units = gs_core_spent(s->e.core);
  }
  return answer;
}

gs_answer gs_smt_solve(gs_terms *terms, const gs_smt_query *query, gs_model *model,
                       uint64_t *units) {
  solver s = {.terms = terms, .query = query, .e = {.terms = terms}};
  gs_answer answer = GS_ANSWER_DONT_KNOW;
  uint64_t linear = 0, bits = 0;
  bool by_linear = false;
  if (model)
    *model = (gs_model){0};
  bool prepared = prepare(&s);
  if (prepared)
    report_assumed(&s);
  if (prepared && s.e.ranges.empty) {
    answer = GS_ANSWER_NO;
  } else if (prepared) {
    uint64_t budget = query->budget ? query->budget : GS_SMT_DEFAULT_BUDGET;
    if (query->linear_budget)
      answer = decide_linear(&s, model, &linear);
    by_linear = answer != GS_ANSWER_DONT_KNOW;
    if (!by_linear && linear < budget)
      answer = decide_bits(&s, budget - linear, model, &bits);
  }
  if (units)
    *units = linear + bits;
  if (query->by_linear)
    *query->by_linear = by_linear;
  finish(&s);
  return answer;
}
