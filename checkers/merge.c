// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool same_loc(gs_loc a, gs_loc b) {
  return a.line == b.line && a.column == b.column &&
         (a.file == b.file || (a.file && b.file && strcmp(a.file, b.file) == 0));
}

/// Is it about the same place and accesses? Values and verdict may differ.
static bool same_place(const gs_finding *a, const gs_finding *b) {
  if (a->rule != b->rule || a->access_count != b->access_count || !same_loc(a->loc, b->loc))
    return false;
  for (uint32_t i = 0; i < a->access_count; i++)
    if (!same_loc(a->access[i].loc, b->access[i].loc) ||
        a->access[i].is_write != b->access[i].is_write)
      return false;
  return a->access_count > 0 || (a->witness && b->witness) || strcmp(a->message, b->message) == 0;
}

static bool same_fixes(const gs_finding *a, const gs_finding *b) {
  bool same = a->fixit_count == b->fixit_count;
  for (uint32_t i = 0; same && i < a->fixit_count; i++)
    same = same_loc(a->fixits[i].loc, b->fixits[i].loc) &&
           strcmp(a->fixits[i].insert, b->fixits[i].insert) == 0;
  return same;
}

/// Puts the findings of one launch to those of the others. A fix is proved for the launch
/// that it was found with: it stays unless another launch with this finding asks for
/// something else. (That all threads reach a barrier is shown for any launch.)
static void merge(gs_result *into, const gs_result *one) {
  for (uint32_t i = 0; i < one->finding_count; i++) {
    const gs_finding *f = &one->findings[i];
    uint32_t at = 0;
    while (at < into->finding_count && !same_place(&into->findings[at], f))
      at++;
    if (at == into->finding_count) {
      gs_result_add(into, f);
      continue;
    }
    bool agreed = same_fixes(&into->findings[at], f);
    if (gs_verdict_worse(f->verdict, into->findings[at].verdict))
      into->findings[at] = *f;
    if (!agreed)
      into->findings[at].fixit_count = 0;
  }
  for (uint32_t i = 0; i < one->assumption_count; i++)
    gs_result_assume(into, one->assumptions[i].text, one->assumptions[i].checked,
                     one->assumptions[i].loc);
  into->assumed |= one->assumed;
  into->reaches_beyond |= one->reaches_beyond;
  into->trusted += one->trusted;
  into->has_gaps |= one->has_gaps;
  if (one->hint_count) {
    memcpy(into->hints, one->hints, sizeof into->hints);
    into->hint_count = one->hint_count;
  }
}

/// Of the launches.
static const char *lines_of(gs_pool *arena, const gs_kernel_desc *desc) {
  uint32_t total = 0, count = 0;
  for (uint32_t i = 0; i < desc->launch_count; i++)
    total += desc->launches[i].loc_count;
  uint32_t *lines = gs_pool_alloc(arena, (total + 1u) * sizeof *lines);
  if (!lines)
    return "";
  for (uint32_t i = 0; i < desc->launch_count; i++)
    for (uint32_t j = 0; j < desc->launches[i].loc_count; j++)
      lines[count++] = desc->launches[i].locs[j].line;
  return gs_result_lines(arena, lines, count);
}

static void name_launch(gs_result *result, const gs_launch_desc *launch) {
  const char *text = "as launched here";
  for (uint32_t i = 0; i < launch->fact_count; i++)
    text = gs_pool_format(result->arena, "%s%s%s", text, i ? ", " : ": ",
                          launch->facts[i].clause->text);
  for (uint32_t i = 0; i < result->finding_count; i++)
    gs_result_note(result, &result->findings[i], launch->locs[0], text);
}

static const char *param_name(const gs_kernel_desc *desc, uint32_t param) {
  return param < desc->param_count ? desc->params[param].name : "";
}

/// One buffer for two parameters: said where it is relied on.
static void tell_aliases(gs_result *result, const gs_kernel_desc *desc,
                         const gs_launch_desc *launch) {
  for (uint32_t a = 0; a < launch->alias_count; a++) {
    const gs_alias *alias = &launch->aliases[a];
    const char *text = gs_pool_format(
        result->arena, "'%s' and '%s' %s here", param_name(desc, alias->of),
        param_name(desc, alias->param), alias->exact ? "are one buffer" : "point into one buffer");
    for (uint32_t i = 0; i < result->finding_count; i++)
      gs_result_note(result, &result->findings[i], launch->locs[0], text);
  }
}

static gs_status check_launch(const gs_kernel_desc *kernel, const gs_launch_desc *launch,
                              gs_analyse_fn analyse, void *user, gs_result *result) {
  gs_kernel_desc desc = *kernel;
  gs_fact *facts = calloc(desc.fact_count + launch->fact_count + 1u, sizeof *facts);
  if (!facts)
    return GS_ERROR_MEMORY;
  if (desc.fact_count)
    memcpy(facts, desc.facts, desc.fact_count * sizeof *facts);
  if (launch->fact_count)
    memcpy(facts + desc.fact_count, launch->facts, launch->fact_count * sizeof *facts);
  desc.facts = facts;
  desc.fact_count += launch->fact_count;
  desc.aliases = launch->aliases;
  desc.alias_count = launch->alias_count;
  gs_result one = {.arena = result->arena};
  gs_status status = analyse(user, &desc, false, &one);
  if (status == GS_OK) {
    name_launch(&one, launch);
    tell_aliases(&one, &desc, launch);
    merge(result, &one);
  }
  free(facts);
  return status;
}

static bool tells_something(const gs_launch_desc *launch) {
  return launch->fact_count || launch->alias_count;
}

gs_status gs_check_launches(const gs_kernel_desc *desc, gs_analyse_fn analyse, void *user,
                            gs_result *result) {
  uint32_t count = desc ? desc->launch_count : 0;
  bool all_tell = count > 0;
  for (uint32_t i = 0; i < count; i++)
    all_tell &= tells_something(&desc->launches[i]);
  gs_result any = {.arena = result->arena}, total = any;
  gs_status status = analyse(user, desc, all_tell, &any);
  gs_verdict verdict = gs_result_verdict(&any);
  bool proved = (verdict == GS_PROVED || verdict == GS_TRUSTED) && !(any.wants_launches && all_tell);
  // What the kernel itself hides stays hidden; only a violation may still go away.
  bool hopeless = any.has_gaps && verdict == GS_UNKNOWN;
  bool by_launch = count && !proved && !hopeless;
  if (proved || !count || !all_tell || hopeless)
    merge(&total, &any);
  if (any.wants_launches && !(by_launch && all_tell))
    gs_result_assume(&total, GS_DYNAMIC_IS_ENOUGH, false, (gs_loc){0});
  bool facts_used = false;
  for (uint32_t i = 0; i < count && status == GS_OK; i++) {
    const gs_launch_desc *launch = &desc->launches[i];
    if (!launch->alias_count && (!by_launch || !tells_something(launch)))
      continue;
    facts_used |= launch->fact_count > 0;
    status = check_launch(desc, launch, analyse, user, &total);
  }
  if (facts_used && by_launch && !desc->only_these_launches)
    gs_result_assume(&total,
                     gs_pool_format(total.arena, "it is launched at %s only",
                                    lines_of(total.arena, desc)),
                     false, desc->launches[0].locs[0]);
  *result = total;
  return status;
}
