// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "print.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { VERDICT_WIDTH = 8, NAME_WIDTH = 40, DETAIL_LINES = 4 };

static const char *color_of(gs_verdict verdict) {
  switch (verdict) {
  case GS_PROVED:
    return "\033[32m";
  case GS_TRUSTED:
    return "\033[36m";
  case GS_RACE:
    return "\033[1;31m";
  case GS_POSSIBLE:
  case GS_UNKNOWN:
    return "\033[33m";
  }
  return "";
}

/// Three significant digits or so, in the unit that fits.
static const char *time_text(gs_mem *mem, json_int_t us) {
  double ms = (double)us / 1000.0;
  if (ms < 10)
    return gs_mem_printf(mem, "%.2f ms", ms);
  if (ms < 1000)
    return gs_mem_printf(mem, "%.0f ms", ms);
  return gs_mem_printf(mem, "%.1f s", ms / 1000);
}

/// "(3 instances; sm_80 sm_90)", or "" when there is nothing to tell.
static const char *breadth(gs_mem *mem, const gs_group *group) {
  const char *targets = "";
  if (group->targets.count > 1)
    for (size_t i = 0; i < group->targets.count; i++)
      targets = gs_mem_printf(mem, "%s%s%s", targets, i ? " " : "", group->targets.items[i]);
  if (group->instances > 1)
    return gs_mem_printf(mem, "  (%zu instances%s%s)", group->instances, *targets ? "; " : "",
                          targets);
  return *targets ? gs_mem_printf(mem, "  (%s)", targets) : "";
}

static const char *assumes(gs_mem *mem, const gs_group *group) {
  const char *text = group->assume_count ? "  assumes" : "";
  for (size_t i = 0; i < group->assume_count; i++)
    text = gs_mem_printf(mem, "%s %zu", text, group->assumes[i] + 1);
  return text;
}

static void print_reason(const json_t *kernel, int indent, const char *prefix) {
  const char *reason = gs_report_text(kernel, "reason");
  if (*prefix || *reason)
    printf("%*s%s%s%s\n", indent, "", prefix, *prefix && *reason ? ": " : "", reason);
}

/// Under the line: why not proved, member by member when they differ.
static void print_details(gs_mem *mem, const gs_group *group) {
  size_t shown = 0, left = 0;
  const char *last = NULL;
  for (size_t i = 0; i < group->member_count; i++) {
    const json_t *kernel = group->members[i].kernel;
    gs_verdict verdict = gs_report_verdict(kernel);
    if (verdict == GS_PROVED || (!group->mixed && verdict == GS_RACE))
      continue;
    const char *prefix = "";
    if (group->mixed)
      prefix = gs_mem_printf(mem, "%s for %s: %s", gs_report_text(kernel, "name"),
                              group->members[i].target, gs_verdict_name(verdict));
    else if (last && !strcmp(last, gs_report_text(kernel, "reason")))
      continue;
    last = gs_report_text(kernel, "reason");
    if (shown++ < DETAIL_LINES)
      print_reason(kernel, VERDICT_WIDTH + 2, prefix);
    else
      left++;
  }
  if (left)
    printf("%*sand %zu more\n", VERDICT_WIDTH + 2, "", left);
}

/// The rules that the worst member breaks: a RACE may be an access out of bounds.
static const char *rules(gs_mem *mem, const gs_group *group) {
  gs_list names = {0};
  const char *text = "";
  if (group->verdict == GS_PROVED)
    return text; // remarks at most
  for (size_t i = 0; i < group->member_count; i++) {
    size_t f;
    const json_t *finding;
    json_array_foreach(json_object_get(group->members[i].kernel, "findings"), f, finding) {
      const char *name = gs_report_text(finding, "rule");
      if (gs_report_verdict(finding) != group->verdict || gs_list_has(&names, name))
        continue;
      gs_list_add(mem, &names, name);
      text = gs_mem_printf(mem, "%s%s%s", text, *text ? " " : "  ", name);
    }
  }
  return text;
}

/// Is it the contract alone that is wrong, which no launch can satisfy?
static bool is_invalid(const gs_group *group) {
  bool only = group->verdict == GS_RACE;
  for (size_t i = 0; i < group->member_count; i++) {
    size_t f;
    const json_t *finding;
    json_array_foreach(json_object_get(group->members[i].kernel, "findings"), f, finding)
      only &= gs_report_verdict(finding) != GS_RACE || !strcmp(gs_report_text(finding, "rule"), "contract");
  }
  return only;
}

/// The verdict as people read it: no thread races in a launch that cannot be.
static const char *verdict_words(const gs_group *group) {
  return is_invalid(group) ? "INVALID" : gs_verdict_name(group->verdict);
}

static void print_line(gs_mem *mem, const gs_group *group, const gs_print_options *options,
                       int name_width, int place_width) {
  printf("%s%-*s%s  %-*s  %-*s", options->color ? color_of(group->verdict) : "", VERDICT_WIDTH,
         verdict_words(group), options->color ? "\033[0m" : "", name_width, group->name,
         place_width, group->place);
  if (options->times)
    printf("  %8s", time_text(mem, group->time_us));
  printf("%s%s%s%s\n", rules(mem, group), breadth(mem, group),
         group->as_optimised ? "  (as optimised)" : "", assumes(mem, group));
  print_details(mem, group);
}

static int width(const gs_groups *groups, bool of_places) {
  size_t widest = 0;
  for (size_t i = 0; i < groups->count; i++) {
    size_t length = strlen(of_places ? groups->items[i].place : groups->items[i].name);
    if (length > widest && length <= NAME_WIDTH)
      widest = length;
  }
  return (int)widest;
}

static void print_assumed(const gs_groups *groups) {
  if (groups->assumed_count)
    puts("assumptions:");
  for (size_t i = 0; i < groups->assumed_count; i++)
    printf("%4zu  %-17s  %s\n", i + 1,
           groups->assumed[i].checked ? "checked at launch" : "unchecked",
           groups->assumed[i].text);
}

static void print_sum(const gs_groups *groups) {
  size_t sums[GS_UNKNOWN + 1] = {0}, invalid = 0;
  for (size_t i = 0; i < groups->count; i++)
    if (is_invalid(&groups->items[i]))
      invalid++;
    else
      sums[groups->items[i].verdict]++;
  printf("%zu kernel%s", groups->count, groups->count == 1 ? "" : "s");
  const char *separator = ": ";
  for (int v = GS_PROVED; v <= GS_UNKNOWN; v++) {
    if (!sums[v])
      continue;
    printf("%s%zu ", separator, sums[v]);
    for (const char *c = gs_verdict_name((gs_verdict)v); *c; c++)
      putchar(tolower((unsigned char)*c));
    separator = ", ";
  }
  if (invalid)
    printf("%s%zu invalid", separator, invalid);
  putchar('\n');
}

void gs_print_groups(gs_mem *mem, const gs_groups *groups, const gs_print_options *options) {
  int names = width(groups, false), places = width(groups, true);
  for (size_t i = 0; i < groups->count; i++)
    print_line(mem, &groups->items[i], options, names, places);
  print_assumed(groups);
  print_sum(groups);
  if (options->stats)
    gs_print_stats(mem, groups, options->times);
}

/// The place of an object, or of what it belongs to.
static const char *place_or(gs_mem *mem, const json_t *object, const char *fallback) {
  const char *place = gs_report_place(mem, object);
  return *place ? place : fallback;
}

static void print_diagnostic(const char *place, const char *kind, const char *color,
                             const char *text, const char *rule) {
  fprintf(stderr, "%s: %s%s:%s %s%s\n", place, color, kind, *color ? "\033[0m" : "", text, rule);
}

/// Where the accesses of a finding are, when the finding's own place does not say it.
static void print_accesses(gs_mem *mem, const json_t *finding, const char *place,
                           const char *color) {
  const json_t *accesses = json_object_get(finding, "accesses"), *access;
  const char *object = gs_report_text(finding, "object");
  size_t i;
  json_array_foreach(accesses, i, access) {
    const char *where = place_or(mem, access, place);
    if (!strcmp(where, place) && json_array_size(accesses) == 1)
      continue;
    const char *text = gs_mem_printf(
        mem, "%s%s%s%s%s is here",
        json_is_true(json_object_get(access, "atomic")) ? "atomic " : "",
        json_is_true(json_object_get(access, "write")) ? "write" : "read",
        *object ? " of '" : "", object, *object ? "'" : "");
    print_diagnostic(where, "note", color, text, "");
  }
}

static void print_finding(gs_mem *mem, const json_t *finding, const char *fallback, bool color) {
  bool error = json_is_true(json_object_get(finding, "error"));
  const char *place = place_or(mem, finding, fallback), *note_color = color ? "\033[1;36m" : "";
  print_diagnostic(place, error ? "error" : "warning",
                   !color ? "" : error ? "\033[1;31m" : "\033[1;35m",
                   gs_report_text(finding, "message"),
                   gs_mem_printf(mem, " [gpusafe-%s]", gs_report_text(finding, "rule")));
  print_accesses(mem, finding, place, note_color);
  size_t n;
  const json_t *note;
  json_array_foreach(json_object_get(finding, "notes"), n, note) {
    print_diagnostic(place_or(mem, note, place), "note", note_color, gs_report_text(note, "text"),
                     "");
  }
}

void gs_print_findings(gs_mem *mem, const json_t *report, bool color) {
  size_t k, f;
  const json_t *kernel, *finding;
  json_array_foreach(json_object_get(report, "kernels"), k, kernel) {
    const char *fallback = place_or(mem, kernel, gs_report_text(report, "file"));
    json_array_foreach(json_object_get(kernel, "findings"), f, finding) {
      if (gs_finding_counts(finding))
        print_finding(mem, finding, fallback, color);
    }
  }
}
