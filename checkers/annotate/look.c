// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One look at the kernel as if the source said more of it.
#include "annotate.h"

#include "desc_names.h"

#include <stdlib.h>
#include <string.h>

/// A description with more claims and facts than the source has, and what it owns.
typedef struct variant {
  gs_kernel_desc desc;
  gs_claim *claims;
  gs_fact *facts;
  gs_clause **clauses;
  uint32_t clause_count;
} variant;

static void drop(variant *v) {
  for (uint32_t i = 0; i < v->clause_count; i++)
    gs_clause_free(v->clauses[i]);
  free(v->clauses);
  free(v->claims);
  free(v->facts);
}

/// \returns NULL when it is no clause of this kernel.
static const gs_clause *parse(variant *v, const gs_kernel_desc *names, const char *text) {
  gs_clause *clause = NULL;
  if (gs_clause_parse(text, strlen(text), gs_desc_resolve, (void *)(uintptr_t)names, &clause, NULL) != GS_OK)
    return NULL;
  v->clauses[v->clause_count++] = clause;
  return clause;
}

static bool add_claim(variant *v, const gs_kernel_desc *names, uint32_t param, gs_claim_kind kind,
                      gs_scope scope, const char *count) {
  gs_claim claim = {.kind = kind, .param = (int32_t)param, .scope = scope, .loc = names->loc};
  if (count && !(claim.count = parse(v, names, count)))
    return false;
  v->claims[v->desc.claim_count++] = claim;
  return true;
}

static bool add_fact(variant *v, const gs_kernel_desc *names, const char *text) {
  const gs_clause *clause = parse(v, names, text);
  if (clause)
    v->facts[v->desc.fact_count++] =
        (gs_fact){.clause = clause, .origin = GS_FACT_CONTRACT, .loc = names->loc};
  return clause != NULL;
}

static bool add_claims(const gs_search *s, const gs_attempt *a, const gs_kernel_desc *names, variant *v) {
  if (a->count)
    return add_claim(v, names, a->param, GS_CLAIM_EXTENT, GS_SCOPE_BLOCK, a->count);
  bool fine = true;
  for (uint32_t i = 0; i < s->desc->param_count && fine; i++) {
    const gs_own *own = &s->owns[i];
    if (own->is_chosen)
      fine = add_claim(v, names, i, own->kind, own->scope, own->count);
    else if (own->count)
      fine = add_claim(v, names, i, GS_CLAIM_EXTENT, GS_SCOPE_BLOCK, own->count);
  }
  return fine;
}

/// \returns false when something that is tried means nothing in this instance, or memory is short.
static bool make(const gs_search *s, const gs_attempt *a, const gs_kernel_desc *from, variant *v) {
  uint32_t room = s->clause_count + a->more_count + from->param_count + 1;
  *v = (variant){.desc = *from};
  v->claims = calloc(from->claim_count + from->param_count + 1u, sizeof *v->claims);
  v->facts = calloc(from->fact_count + room, sizeof *v->facts);
  v->clauses = calloc(room, sizeof *v->clauses);
  if (!v->claims || !v->facts || !v->clauses)
    return false;
  v->desc.claim_count = 0;
  for (uint32_t i = 0; i < from->claim_count; i++)
    if (!a->count || from->claims[i].kind == GS_CLAIM_TRUSTED)
      v->claims[v->desc.claim_count++] = from->claims[i];
  if (from->fact_count)
    memcpy(v->facts, from->facts, from->fact_count * sizeof *v->facts);
  v->desc.claims = v->claims;
  v->desc.facts = v->facts;
  bool fine = add_claims(s, a, from, v);
  for (uint32_t i = 0; i < s->clause_count && fine; i++)
    if (s->clauses[i] != a->without)
      fine = add_fact(v, from, s->clauses[i]);
  for (uint32_t i = 0; i < a->more_count && fine; i++)
    if (a->more[i] != a->without)
      fine = add_fact(v, from, a->more[i]);
  return fine;
}

static bool is_proved(const gs_result *r) {
  gs_verdict verdict = gs_result_verdict(r);
  return verdict == GS_PROVED || verdict == GS_TRUSTED;
}

bool gs_search_is_spent(const gs_search *s) {
  enum { MOST_TRIALS = 160 };
  return s->status != GS_OK || s->trials >= MOST_TRIALS || (s->work_limit && s->work >= s->work_limit);
}

static bool look_at(gs_search *s, const gs_attempt *a, uint32_t instance, gs_result *result) {
  variant v;
  gs_options options = *s->host->options;
  const uint32_t bounds = 1u << GS_RULE_OUT_OF_BOUNDS | 1u << GS_RULE_CONTRACT;
  if (a->count) // the rest is proved already
    options.rules = bounds;
  bool proved = false;
  if (make(s, a, s->host->descs[instance], &v)) {
    v.desc.launch_count = 0; // what launches tell is to be in the contract
    gs_status status = s->host->look(s->host->user, instance, &v.desc, &options,
                                     a->only_proof ? GS_LOOK_PROOF : GS_LOOK_TRIAL, result);
    s->status = status == GS_ERROR_MEMORY ? status : s->status;
    proved = status == GS_OK && is_proved(result) && result->has_launch;
  }
  drop(&v);
  s->trials++;
  return proved;
}

bool gs_try(gs_search *s, const gs_attempt *attempt, gs_pool *pool, gs_result *blame) {
  bool proved = true;
  for (uint32_t i = 0; i < s->host->instance_count && proved && s->status == GS_OK; i++) {
    gs_pool *own = pool ? NULL : gs_pool_new();
    gs_result result = {.arena = pool ? pool : own};
    if (!result.arena)
      s->status = GS_ERROR_MEMORY;
    proved = result.arena && look_at(s, attempt, i, &result);
    if (blame && !proved)
      *blame = result;
    gs_pool_free(own);
  }
  return proved && s->status == GS_OK;
}

/// The worst of what is not proved, in a line.
static const char *reason_of(gs_search *s, const gs_result *result) {
  const gs_finding *worst = NULL;
  for (uint32_t i = 0; i < result->finding_count; i++) {
    const gs_finding *f = &result->findings[i];
    if (f->verdict != GS_PROVED && (!worst || gs_verdict_worse(f->verdict, worst->verdict)))
      worst = f;
  }
  if (!worst)
    return "nothing proves it";
  if (worst->loc.line)
    return gs_pool_format(s->arena, "line %u: %s", (unsigned)worst->loc.line, worst->message);
  return gs_pool_text(s->arena, worst->message);
}

bool gs_look_well(gs_search *s, const char **why) {
  const gs_attempt nothing = {0};
  bool proved = true;
  for (uint32_t i = 0; i < s->host->instance_count && proved; i++) {
    gs_pool *pool = gs_pool_new();
    gs_result result = {.arena = pool};
    variant v = {.desc = {0}};
    proved = pool && make(s, &nothing, s->host->descs[i], &v);
    // Beside a contract launches are no facts; the buffers they pass still are.
    gs_launch_desc *launches = calloc(v.desc.launch_count + 1u, sizeof *launches);
    for (uint32_t l = 0; proved && launches && l < v.desc.launch_count; l++) {
      launches[l] = v.desc.launches[l];
      if (s->clause_count)
        launches[l].fact_count = 0;
    }
    v.desc.launches = launches;
    proved = proved && launches &&
             s->host->check(s->host->user, i, &v.desc, &result) == GS_OK && is_proved(&result);
    if (!proved && why)
      *why = reason_of(s, &result);
    free(launches);
    drop(&v);
    gs_pool_free(pool);
  }
  return proved;
}

gs_launch_verdict gs_ask_launches(const gs_search *s, const char *clause) {
  gs_launch_verdict worst = GS_LAUNCH_KEEPS;
  bool depends = false;
  for (uint32_t i = 0; i < s->host->instance_count && s->host->ask; i++) {
    gs_clause *parsed = NULL;
    const gs_kernel_desc *desc = s->host->descs[i];
    if (gs_clause_parse(clause, strlen(clause), gs_desc_resolve, (void *)(uintptr_t)desc, &parsed, NULL) != GS_OK)
      return GS_LAUNCH_DEPENDS;
    gs_launch_verdict verdict = s->host->ask(s->host->ask_user, desc, parsed);
    gs_clause_free(parsed);
    if (verdict == GS_LAUNCH_BREAKS)
      worst = verdict;
    depends |= verdict == GS_LAUNCH_DEPENDS;
  }
  if (worst == GS_LAUNCH_BREAKS)
    return worst;
  return depends || !s->host->ask ? GS_LAUNCH_DEPENDS : GS_LAUNCH_KEEPS;
}
