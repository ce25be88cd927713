// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "annotate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A clause of a launch, axis by axis where it speaks of all three at once.
static void add_launch_fact(gs_search *s, gs_texts *out, const char *text) {
  static const char *const sizes[] = {"block", "grid"};
  int x, y, z;
  for (int i = 0; i < 2; i++) {
    char format[40];
    snprintf(format, sizeof format, "%s == dim(%%d, %%d, %%d)", sizes[i]);
    if (sscanf(text, format, &x, &y, &z) != 3) // NOLINT: our own text
      continue;
    gs_texts_add(out, s->arena, "%s.x == %d", sizes[i], x);
    gs_texts_add(out, s->arena, "%s.y == %d", sizes[i], y);
    gs_texts_add(out, s->arena, "%s.z == %d", sizes[i], z);
    return;
  }
  gs_texts_add(out, s->arena, "%s", text);
}

/// What all launches of all instances have in common.
static void collect_launches(gs_search *s) {
  bool first = true;
  for (uint32_t i = 0; i < s->host->instance_count; i++)
    for (uint32_t l = 0; l < s->host->descs[i]->launch_count; l++) {
      const gs_launch_desc *launch = &s->host->descs[i]->launches[l];
      gs_texts mine = {.count = 0};
      for (uint32_t f = 0; f < launch->fact_count; f++)
        if (!launch->facts[f].wraps)
          add_launch_fact(s, &mine, launch->facts[f].clause->text);
      gs_texts both = first ? mine : (gs_texts){.count = 0};
      for (uint32_t t = 0; t < s->launch.count && !first; t++)
        if (gs_texts_have(&mine, s->launch.items[t]))
          both.items[both.count++] = s->launch.items[t];
      s->launch = both;
      first = false;
    }
}

/// What the source says already.
static void collect_claims(gs_search *s) {
  for (uint32_t i = 0; i < s->desc->param_count; i++)
    s->owns[i].is_pointer = s->desc->params[i].kind == GS_TYPE_POINTER;
  for (uint32_t c = 0; c < s->desc->claim_count; c++) {
    const gs_claim *claim = &s->desc->claims[c];
    if (claim->kind == GS_CLAIM_TRUSTED)
      continue;
    s->fixed = true;
    if (claim->param >= 0 && (uint32_t)claim->param < s->desc->param_count) {
      s->owns[claim->param].is_claimed = true;
      s->owns[claim->param].has_count |= claim->count != NULL;
    }
  }
  for (uint32_t f = 0; f < s->desc->fact_count; f++)
    s->fixed |= s->desc->facts[f].origin == GS_FACT_CONTRACT;
}

static bool alike(const gs_search *s) {
  for (uint32_t i = 1; i < s->host->instance_count; i++)
    if (s->host->descs[i]->param_count != s->desc->param_count)
      return false;
  return true;
}

static const char *reason_for(const gs_search *s, uint32_t param) {
  const gs_own *own = &s->owns[param];
  if (!own->is_pointer || own->is_claimed)
    return NULL;
  if (!own->is_accessed)
    return "the kernel does not access it directly";
  if (!s->desc->params[param].elem_size)
    return "its elements have no size";
  if (own->count)
    return NULL;
  return own->is_chosen ? "no count is proved: the index hangs on more than the launch's sizes"
                        : "no extent is proved: the index hangs on more than the launch's sizes";
}

static void fill(const gs_search *s, gs_annotation *out) {
  gs_annotate_param *params = gs_pool_alloc(s->arena, (s->desc->param_count + 1u) * sizeof *params);
  const char **clauses = gs_pool_alloc(s->arena, sizeof s->clauses);
  bool any = s->clause_count > 0, refused = out->state == GS_ANNOTATE_REFUSED;
  for (uint32_t i = 0; params && i < s->desc->param_count; i++) {
    const gs_own *own = &s->owns[i];
    params[i] = (gs_annotate_param){
        .proposed = !refused && !own->is_claimed && (own->is_chosen || own->count),
        .kind = own->is_chosen ? own->kind : GS_CLAIM_EXTENT, .scope = own->scope, .count = own->count,
        .is_pointer = own->is_pointer, .is_written = own->is_written, .is_claimed = own->is_claimed,
        .reason = refused ? NULL : reason_for(s, i)};
    any |= params[i].proposed;
  }
  for (uint32_t i = 0; clauses && i < s->clause_count; i++)
    clauses[i] = s->clauses[i];
  out->params = params;
  out->param_count = params ? s->desc->param_count : 0;
  out->clauses = clauses;
  out->clause_count = clauses && !refused ? s->clause_count : 0;
  out->trials = s->trials;
  if (!refused)
    out->state = any ? GS_ANNOTATE_PROPOSED : GS_ANNOTATE_COMPLETE;
}

/// \returns NULL, or why the kernel is to be left alone.
static const char *search(gs_search *s) {
  const char *why = NULL;
  if (!alike(s))
    return "its instances have different numbers of parameters";
  for (uint32_t i = 0; i < s->host->instance_count; i++) {
    gs_program *program = s->host->lower(s->host->user, i);
    if (!program)
      return "it cannot be lowered";
    gs_collect_counts(s, program);
    gs_program_free(program);
  }
  if (!gs_find_ownership(s, &why))
    return why;
  uint32_t before;
  do {
    before = s->clause_count;
    gs_find_counts(s);
  } while (s->clause_count != before); // a clause for one count may prove another
  bool proved = gs_look_well(s, &why);
  for (int whole = 0; whole < 2 && !proved; whole++)
    proved = gs_strengthen(s, whole) && gs_look_well(s, &why);
  return proved ? NULL : why;
}

gs_status gs_annotate_kernel(const gs_annotate_host *host, gs_pool *arena, gs_annotation *out) {
  gs_search s = {.host = host, .desc = host->descs[0], .arena = arena};
  s.owns = gs_pool_alloc(arena, (s.desc->param_count + 1u) * sizeof *s.owns);
  out->instances = host->instance_count;
  if (!s.owns)
    return GS_ERROR_MEMORY;
  collect_claims(&s);
  if (!s.fixed)
    collect_launches(&s);
  out->reason = search(&s);
  out->state = out->reason ? GS_ANNOTATE_REFUSED : GS_ANNOTATE_PROPOSED;
  fill(&s, out);
  return gs_pool_failed(arena) ? GS_ERROR_MEMORY : s.status;
}
