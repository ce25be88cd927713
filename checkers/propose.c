// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "propose.h"

#include "desc_names.h"
#include "rule.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What is tried, at most: each is a check of the kernel with small budgets.
enum { MAX_TRIED = 40, MAX_TEXT = 160, MAX_NAMES = 4 };

typedef struct candidates {
  const gs_kernel_desc *desc;
  gs_pool *arena;
  const char *texts[MAX_TRIED];
  uint32_t count;
  const char *names[MAX_NAMES]; ///< of integer parameters
  uint32_t name_count;
} candidates;

void gs_collect_hints(const gs_program *p, gs_result *result) {
  uint32_t most = sizeof result->hints / sizeof *result->hints;
  size_t terms = gs_terms_count(p->terms);
  uint64_t found[64] = {0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->object_count && n < 32; i++)
    if (p->objects[i].kind == GS_OBJECT_SHARED && p->objects[i].elem_size)
      found[n++] = p->objects[i].size / p->objects[i].elem_size;
  for (gs_term t = 1; t < terms && n < 64; t++) {
    gs_node node = *gs_term_node(p->terms, t);
    uint64_t c = 0;
    bool scaled = (node.op == GS_OP_MUL || node.op == GS_OP_SHL) && node.width == 32 &&
                  gs_term_const(p->terms, node.arg[1], &c);
    for (int d = 0; d < 3 && scaled; d++)
      if (node.arg[0] == p->ctaid[d])
        found[n++] = node.op == GS_OP_SHL ? UINT64_C(1) << (c & 31) : c;
    if (n > 60)
      break;
  }
  result->hint_count = 0;
  for (uint32_t i = 0; i < n && result->hint_count < most; i++) {
    bool fresh = found[i] >= 1 && found[i] <= 1024;
    for (uint32_t k = 0; k < result->hint_count; k++)
      fresh &= result->hints[k] != found[i];
    if (fresh)
      result->hints[result->hint_count++] = (uint32_t)found[i];
  }
}

// ------------------------------------------------------------- candidates ----

static void offer(candidates *c, const char *format, ...) {
  char text[MAX_TEXT];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (c->count == MAX_TRIED || length < 0 || (size_t)length >= sizeof text)
    return;
  for (uint32_t i = 0; i < c->desc->fact_count; i++)
    if (strcmp(c->desc->facts[i].clause->text, text) == 0)
      return;
  c->texts[c->count] = gs_pool_text(c->arena, text);
  c->count += c->texts[c->count] != NULL;
}

static bool is_named(const gs_finding *f, const char *name) {
  for (uint32_t i = 0; f->witness && i < f->witness->value_count; i++)
    if (strcmp(f->witness->values[i].name, name) == 0)
      return true;
  return false;
}

static bool is_open(const gs_finding *f) {
  bool rule = f->rule == GS_RULE_DATA_RACE || f->rule == GS_RULE_DISJOINT ||
              f->rule == GS_RULE_EXCLUSIVE || f->rule == GS_RULE_OUT_OF_BOUNDS;
  return rule && f->is_error && f->verdict != GS_PROVED && !f->fixit_count;
}

/// Integer parameters: those that the findings name first.
static void choose_names(candidates *c, const gs_result *r) {
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < c->desc->param_count && c->name_count < MAX_NAMES; i++) {
      const gs_param_desc *p = &c->desc->params[i];
      bool integer = p->kind == GS_TYPE_INT && p->name[0] && p->size >= 4;
      bool named = false;
      for (uint32_t f = 0; f < r->finding_count; f++)
        named |= is_open(&r->findings[f]) && is_named(&r->findings[f], p->name);
      if (integer && named == (pass == 0))
        c->names[c->name_count++] = p->name;
    }
}

/// The count that some claim gives a parameter; NULL = none.
static const char *count_of(const gs_kernel_desc *desc, uint32_t param) {
  for (uint32_t i = 0; i < desc->claim_count; i++)
    if (desc->claims[i].param == (int32_t)param && desc->claims[i].count)
      return desc->claims[i].count->text;
  return NULL;
}

static void offer_data(candidates *c) {
  for (uint32_t i = 0; i < c->desc->param_count; i++) {
    const gs_param_desc *p = &c->desc->params[i];
    const char *count = count_of(c->desc, i);
    if (p->kind != GS_TYPE_POINTER || p->elem == GS_ELEM_OTHER || !p->const_pointee || !p->name[0] ||
        !count)
      continue;
    offer(c, "injective(%s, %s)", p->name, count);
    offer(c, "monotone(%s, %s)", p->name, count);
    for (uint32_t k = 0; k < c->desc->param_count; k++) {
      const char *bound = k != i ? count_of(c->desc, k) : NULL;
      bool again = false;
      for (uint32_t j = 0; j < k && bound; j++)
        again |= j != i && count_of(c->desc, j) && strcmp(count_of(c->desc, j), bound) == 0;
      if (bound && !again)
        offer(c, "in_range(%s, %s, 0, %s)", p->name, count, bound);
    }
  }
}

static void offer_sizes(candidates *c, const gs_result *r) {
  for (uint32_t i = 0; i < r->hint_count; i++)
    offer(c, "block.x <= %" PRIu32, r->hints[i]);
  for (uint32_t i = 0; i < r->hint_count; i++)
    offer(c, "block.x == %" PRIu32, r->hints[i]);
  offer(c, "block.x %% 32 == 0");
  offer(c, "is_pow2(block.x)");
}

static void offer_integers(candidates *c) {
  for (uint32_t i = 0; i < c->name_count; i++)
    for (uint32_t k = 0; k < c->name_count; k++)
      if (i != k)
        offer(c, "%s >= %s", c->names[i], c->names[k]);
  for (uint32_t i = 0; i < c->name_count; i++) {
    offer(c, "%s >= 0", c->names[i]);
    offer(c, "%s >= 1", c->names[i]);
    offer(c, "grid.x * block.x <= %s", c->names[i]);
    offer(c, "%s <= block.x", c->names[i]);
  }
}

// ----------------------------------------------------------------- trials ----

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

/// Is the finding still there, or another of its rule about the same object?
static bool remains(const gs_result *r, const gs_finding *f) {
  for (uint32_t i = 0; i < r->finding_count; i++)
    if (r->findings[i].rule == f->rule && r->findings[i].verdict != GS_PROVED &&
        (same_text(r->findings[i].object, f->object) || r->findings[i].object == NULL))
      return true;
  return false;
}

/// Checks the kernel with one more clause.
static bool try_clause(const gs_kernel_desc *desc, const gs_clause *clause, gs_analyse_fn analyse,
                       void *user, gs_result *out) {
  gs_kernel_desc more = *desc;
  gs_fact *facts = calloc(desc->fact_count + 1u, sizeof *facts);
  if (!facts)
    return false;
  if (desc->fact_count)
    memcpy(facts, desc->facts, desc->fact_count * sizeof *facts);
  facts[desc->fact_count] = (gs_fact){.clause = clause, .origin = GS_FACT_CONTRACT, .loc = desc->loc};
  more.facts = facts;
  more.fact_count++;
  more.launch_count = 0;
  bool fine = analyse(user, &more, true, out) == GS_OK && out->has_launch;
  free(facts);
  return fine;
}

static void propose(gs_result *r, uint32_t at, const gs_kernel_desc *desc, const char *text, bool all) {
  gs_finding *f = &r->findings[at];
  gs_fixit *fix = gs_pool_alloc(r->arena, sizeof *fix);
  bool placed = fix && desc->clause_at.line;
  if (placed)
    *fix = (gs_fixit){.loc = desc->clause_at,
                      .insert = gs_pool_format(r->arena, "%s%s%s", desc->clause_around[0], text,
                                               desc->clause_around[1])};
  gs_result_note(r, f, placed ? desc->clause_at : (gs_loc){0},
                 gs_pool_format(r->arena,
                                all ? "with GS_LAUNCH_CONTRACT(%s) the kernel is proved"
                                    : "with GS_LAUNCH_CONTRACT(%s) this is proved",
                                text));
  if (placed) {
    fix->loc.file = gs_pool_text(r->arena, fix->loc.file);
    f->fixits = fix;
    f->fixit_count = 1;
  }
}

/// Notes for each finding the first clause under which it goes away. \returns true when all
/// of them do.
static bool note_settled(const gs_result *r, const gs_result *trial, const char *text,
                         const char **found) {
  bool all = gs_result_verdict(trial) == GS_PROVED;
  for (uint32_t i = 0; i < r->finding_count; i++)
    if (is_open(&r->findings[i]) && (all || (!found[i] && !remains(trial, &r->findings[i]))))
      found[i] = text;
  return all;
}

static uint32_t count_open(const gs_kernel_desc *desc, const gs_result *r) {
  bool annotated = false;
  uint32_t open = 0;
  for (uint32_t i = 0; desc && i < desc->claim_count; i++)
    annotated |= desc->claims[i].kind != GS_CLAIM_TRUSTED;
  for (uint32_t i = 0; desc && i < desc->fact_count; i++)
    annotated |= desc->facts[i].origin == GS_FACT_CONTRACT;
  for (uint32_t i = 0; annotated && !r->has_gaps && i < r->finding_count; i++)
    open += is_open(&r->findings[i]);
  return open;
}

void gs_propose(const gs_kernel_desc *desc, gs_analyse_fn analyse, void *user, gs_result *r) {
  candidates c = {.desc = desc, .arena = r->arena};
  const char **found = count_open(desc, r) ? calloc(r->finding_count + 1u, sizeof *found) : NULL;
  if (!found)
    return;
  choose_names(&c, r);
  offer_data(&c);
  offer_sizes(&c, r);
  offer_integers(&c);
  bool all = false;
  for (uint32_t i = 0; i < c.count && !all; i++) {
    gs_clause *clause = NULL;
    gs_result trial = {.arena = r->arena};
    if (gs_clause_parse(c.texts[i], strlen(c.texts[i]), gs_desc_resolve, (void *)(uintptr_t)desc, &clause,
                        NULL) == GS_OK &&
        try_clause(desc, clause, analyse, user, &trial))
      all = note_settled(r, &trial, c.texts[i], found);
    gs_clause_free(clause);
  }
  for (uint32_t i = 0; i < r->finding_count; i++)
    if (found[i])
      propose(r, i, desc, found[i], all);
  free(found);
}
