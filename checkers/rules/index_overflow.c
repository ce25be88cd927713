// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// index-overflow: 32-bit index arithmetic that wraps for sizes that the contract and the
// memory of a device allow. The page is index-overflow.md.
#include "lone.h"

#include "clause_terms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Bytes that one array may have: more than the memory of any device.
enum { MEMORY_BITS = 38 };
enum { MAX_QUESTIONS = 24 };

typedef struct search {
  gs_kernel *k;
  unsigned char *done; ///< by origin
  uint32_t asked;
  bool found; ///< one finding for a kernel: what cures it cures others
} search;

/// Operation of 32 bits on an index whose flag a proof believed.
static bool is_candidate(const gs_program *p, const gs_node *node) {
  bool op = node->op == GS_OP_ADD || node->op == GS_OP_SUB || node->op == GS_OP_MUL;
  if (!op || node->width != 32 || !node->flags || !node->origin || node->origin >= p->origin_count)
    return false;
  gs_origin_kind kind = p->origins[node->origin].kind;
  return kind == GS_ORIGIN_SIGNED || kind == GS_ORIGIN_INDEX;
}

static bool drop_all(void *user, gs_term t, const gs_node *node) {
  const gs_program *p = user;
  (void)t;
  return !node->origin || node->origin >= p->origin_count ||
         p->origins[node->origin].kind == GS_ORIGIN_COUNTER;
}

/// The exact result, in 64 bits. `plain` operands have no flags to believe.
static gs_term exact_result(gs_terms *t, const gs_node *node, gs_term a, gs_term b) {
  gs_op extend = node->flags & GS_NSW ? GS_OP_SEXT : GS_OP_ZEXT;
  return gs_mk_bin_flags(t, (gs_op)node->op, gs_mk_cast(t, extend, a, 64), gs_mk_cast(t, extend, b, 64),
                         GS_NSW, 0);
}

/// "The exact result does not fit."
static gs_term overflow(gs_terms *t, const gs_node *node, gs_term exact) {
  bool is_signed = node->flags & GS_NSW;
  int64_t lowest = is_signed ? INT32_MIN : 0, highest = is_signed ? INT32_MAX : UINT32_MAX;
  return gs_mk_or(t, gs_mk_bin(t, GS_OP_SLT, exact, gs_mk_const(t, (uint64_t)lowest, 64)),
                  gs_mk_bin(t, GS_OP_SLT, gs_mk_const(t, (uint64_t)highest, 64), exact));
}

/// Arrays fit into memory.
static gs_term sizes_fit(gs_kernel *k) {
  gs_program *p = k->program;
  gs_terms *t = p->terms;
  gs_term all = gs_mk_bool(t, true);
  for (uint32_t i = 0; k->desc && i < k->desc->claim_count; i++) {
    const gs_claim *claim = &k->desc->claims[i];
    uint32_t size = claim->param >= 0 && (uint32_t)claim->param < k->desc->param_count
                        ? k->desc->params[claim->param].elem_size : 0;
    gs_term count = size ? gs_clause_value(p, claim->count, k->options->sm) : GS_NO_TERM;
    if (!count)
      continue;
    gs_term most = gs_mk_const(t, (UINT64_C(1) << MEMORY_BITS) / size, 64);
    all = gs_mk_and(t, all, gs_mk_bin(t, GS_OP_SLE, gs_scene_launch_term(k->scene, count), most));
  }
  return all;
}

static bool report(gs_kernel *k, gs_lone *lone, const gs_node *node, gs_term exact) {
  const gs_program *p = k->program;
  gs_finding f;
  uint64_t value = 0;
  gs_loc loc = gs_place_loc(p, p->origins[node->origin].place);
  if (!gs_term_eval(p->terms, gs_scene_term(k->scene, 0, exact), lone->model.values,
                    gs_model_load_value, &lone->model, &value) ||
      !gs_lone_finding(k, lone, loc, NULL, &f))
    return false;
  // An assumption that is listed excuses it, unless nothing is to be assumed.
  if (!k->options->strict) {
    f.verdict = GS_PROVED;
    f.is_error = false;
    f.reason = NULL;
  }
  f.message = gs_pool_format(
      k->result->arena,
      "index overflow: %s is %" PRId64 " for %s, which %s cannot hold, when launched with %s",
      node->op == GS_OP_MUL ? "this product" : node->op == GS_OP_ADD ? "this sum" : "this difference",
      (int64_t)value, gs_words_thread(k, f.witness, 0),
      node->flags & GS_NSW ? "an int" : "an unsigned int", gs_words_launch(k, f.witness));
  gs_lone_report(k, &f, "compute the index in 64 bits (size_t, long long), or bound the sizes in "
                        "GS_LAUNCH_CONTRACT(...)");
  return true;
}

/// Does a part of the term overflow, perhaps? Then nothing is known of the whole.
static bool has_inner(const gs_program *p, const search *s, const gs_node *node, unsigned char *marks) {
  size_t count = gs_terms_count(p->terms);
  for (size_t i = 0; i <= count; i++)
    marks[i] = 0;
  gs_term_mark(p->terms, node->arg[0], marks);
  gs_term_mark(p->terms, node->arg[1], marks);
  for (size_t i = 1; i < count; i++) {
    const gs_node *inner = gs_term_node(p->terms, (gs_term)i);
    if (marks[i] && is_candidate(p, inner) && s->done[inner->origin] == 2)
      return true;
  }
  return false;
}

/// One operation, as the thread executes it that comes to the access.
static void ask(search *s, uint32_t access, uint32_t target, gs_term t, unsigned char *marks) {
  gs_kernel *k = s->k;
  gs_terms *terms = k->program->terms;
  gs_node node = *gs_term_node(terms, t);
  gs_lone lone;
  if (s->found || s->done[node.origin] || s->asked == MAX_QUESTIONS || has_inner(k->program, s, &node, marks))
    return;
  s->asked++;
  s->done[node.origin] = 2;
  gs_term a = gs_term_drop_flags(terms, node.arg[0], drop_all, k->program);
  gs_term b = gs_term_drop_flags(terms, node.arg[1], drop_all, k->program);
  gs_term exact = exact_result(terms, &node, a, b);
  gs_term wrong = gs_mk_and(terms, overflow(terms, &node, exact), sizes_fit(k));
  wrong = gs_mk_and(terms, wrong, k->program->accesses[access].targets[target].guard);
  gs_answer answer = gs_lone_block(k, GS_RULE_INDEX_OVERFLOW, gs_phases_block(k->phases, access),
                                   true, wrong, &lone);
  if (answer == GS_ANSWER_NO)
    s->done[node.origin] = 1;
  if (answer == GS_ANSWER_YES && lone.exact)
    s->found = report(k, &lone, &node, exact);
  gs_lone_free(&lone);
}

static bool has_claim(const gs_kernel *k, const gs_object *object) {
  for (uint32_t i = 0; object->kind == GS_OBJECT_PARAM && k->desc && i < k->desc->claim_count; i++)
    if (k->desc->claims[i].kind != GS_CLAIM_TRUSTED && k->desc->claims[i].param == (int32_t)object->param)
      return true;
  return false;
}

static void check(search *s, uint32_t access, uint32_t target) {
  const gs_program *p = s->k->program;
  size_t count = gs_terms_count(p->terms);
  gs_term *found = malloc((count + 1) * sizeof *found);
  unsigned char *marks = calloc(count + 1, 1);
  uint32_t n = 0;
  if (found && marks) {
    gs_term_mark(p->terms, p->accesses[access].targets[target].offset, marks);
    for (size_t t = 1; t < count; t++) // inner terms have lower numbers
      if (marks[t] && is_candidate(p, gs_term_node(p->terms, (gs_term)t)))
        found[n++] = (gs_term)t;
  }
  for (uint32_t i = 0; i < n; i++) {
    unsigned char *more = realloc(marks, gs_terms_count(p->terms) + 1);
    if (!more)
      break;
    marks = more;
    ask(s, access, target, found[i], marks);
  }
  free(found);
  free(marks);
}

// --------------------------------------------- contracts against assumptions ----

/// "It is the last thread of the last block": where sums and products of indices are largest.
static gs_term is_last_thread(gs_program *p) {
  gs_terms *t = p->terms;
  gs_term all = gs_mk_bool(t, true), one = gs_mk_const(t, 1, 32);
  for (int d = 0; d < 3; d++) {
    all = gs_mk_and(t, all, gs_mk_bin(t, GS_OP_EQ, p->tid[d], gs_mk_bin(t, GS_OP_SUB, p->ntid[d], one)));
    all = gs_mk_and(t, all, gs_mk_bin(t, GS_OP_EQ, p->ctaid[d], gs_mk_bin(t, GS_OP_SUB, p->nctaid[d], one)));
  }
  return all;
}

static gs_answer ask_block(gs_kernel *k, uint32_t block, gs_term what) {
  gs_lone lone;
  gs_answer answer = gs_lone_block(k, GS_RULE_INDEX_OVERFLOW, block, true, what, &lone);
  gs_lone_free(&lone);
  return answer;
}

/// "The operation wraps", for operands of which nothing is believed.
static gs_term wraps(gs_kernel *k, gs_term term) {
  gs_terms *t = k->program->terms;
  gs_node node = *gs_term_node(t, term);
  gs_term a = gs_term_drop_flags(t, node.arg[0], drop_all, k->program);
  gs_term b = gs_term_drop_flags(t, node.arg[1], drop_all, k->program);
  return overflow(t, &node, exact_result(t, &node, a, b));
}

static bool is_used(const gs_kernel *k, const gs_node *node) {
  const gs_used *used = gs_prover_used(k->prover);
  for (uint32_t i = 0; i < used->count; i++)
    if (used->origins[i] == node->origin)
      return is_candidate(k->program, node) && k->program->origins[node->origin].kind == GS_ORIGIN_INDEX;
  return false;
}

/// Would some operation of the address wrap in the last thread in every launch, and does one in
/// some thread that comes to the access?
static bool always_wraps(gs_kernel *k, uint32_t access, uint32_t target, unsigned char *marks, size_t count,
                         uint32_t *asked) {
  const gs_program *p = k->program;
  gs_terms *t = p->terms;
  gs_term any = GS_NO_TERM;
  memset(marks, 0, count + 1);
  gs_term_mark(t, p->accesses[access].targets[target].offset, marks);
  for (size_t i = 1; i < count; i++)
    if (marks[i] && is_used(k, gs_term_node(t, (gs_term)i))) {
      gs_term one = wraps(k, (gs_term)i);
      any = any ? gs_mk_or(t, any, one) : one;
    }
  if (!any || ++*asked > MAX_QUESTIONS)
    return false;
  gs_term fits_last = gs_mk_and(t, gs_mk_not(t, any), is_last_thread(k->program));
  gs_term comes = gs_mk_and(t, any, p->accesses[access].targets[target].guard);
  return ask_block(k, 0, fits_last) == GS_ANSWER_NO &&
         ask_block(k, gs_phases_block(k->phases, access), comes) == GS_ANSWER_YES;
}

bool gs_index_always_wraps(gs_kernel *k) {
  const gs_program *p = k->program;
  size_t count = gs_terms_count(p->terms);
  unsigned char *marks = malloc(count + 1);
  bool found = false;
  uint32_t asked = 0;
  bool open = k->desc && k->desc->fact_count && gs_prover_used(k->prover)->count;
  for (uint32_t a = 0; open && marks && a < p->access_count; a++)
    for (uint32_t i = 0; !found && !p->accesses[a].echo && i < p->accesses[a].target_count; i++)
      if (gs_is_global(p->objects[p->accesses[a].targets[i].object].kind))
        found = always_wraps(k, a, i, marks, count, &asked);
  free(marks);
  return found;
}

void gs_rule_index_overflow(gs_kernel *k) {
  const gs_program *p = k->program;
  search s = {.k = k, .done = calloc(p->origin_count + 1u, 1)};
  for (uint32_t a = 0; s.done && k->is_claim && a < p->access_count; a++)
    for (uint32_t t = 0; !p->accesses[a].echo && t < p->accesses[a].target_count; t++)
      if (has_claim(k, &p->objects[p->accesses[a].targets[t].object]))
        check(&s, a, t);
  free(s.done);
}
