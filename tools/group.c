// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "group.h"

#include <string.h>

/// Grows an array of `count` items to hold one more, at powers of two.
static void *grow(gs_mem *mem, void *items, size_t count, size_t size) {
  if (count && (count & (count - 1)))
    return items;
  void *more = gs_mem_alloc(mem, (count ? 2 * count : 1) * size);
  if (count)
    memcpy(more, items, count * size);
  return more;
}

/// The name up to its template arguments: kernels are no operators, so the
/// first '<' opens them.
static const char *base_name(gs_mem *mem, const char *name) {
  return gs_mem_printf(mem, "%.*s", (int)strcspn(name, "<"), name);
}

/// Kernels of one place and base name belong together. Without a place (a
/// module without debug locations) only the same function of the same file does.
static const char *key_of(gs_mem *mem, const gs_unit *unit, const json_t *kernel) {
  const char *place = gs_report_place(mem, kernel);
  if (*place)
    return gs_mem_printf(mem, "%s\n%s", place, base_name(mem, gs_report_text(kernel, "name")));
  return gs_mem_printf(mem, "\n%s\n%s", unit->file, gs_report_text(kernel, "mangled"));
}

static gs_group *find_group(gs_mem *mem, gs_groups *groups, const char *key) {
  for (size_t i = 0; i < groups->count; i++)
    if (!strcmp(groups->items[i].key, key))
      return &groups->items[i];
  groups->items = grow(mem, groups->items, groups->count, sizeof *groups->items);
  gs_group *group = &groups->items[groups->count++];
  group->key = key;
  return group;
}

static size_t assumed_index(gs_mem *mem, gs_groups *groups, const json_t *assumption) {
  const char *text = gs_report_text(assumption, "text");
  bool checked = json_is_true(json_object_get(assumption, "checked"));
  for (size_t i = 0; i < groups->assumed_count; i++)
    if (groups->assumed[i].checked == checked && !strcmp(groups->assumed[i].text, text))
      return i;
  groups->assumed = grow(mem, groups->assumed, groups->assumed_count, sizeof *groups->assumed);
  groups->assumed[groups->assumed_count] = (gs_assumed){text, checked};
  return groups->assumed_count++;
}

/// Inserts into the ascending list of the group.
static void assume(gs_mem *mem, gs_group *group, size_t index) {
  size_t at = 0;
  while (at < group->assume_count && group->assumes[at] < index)
    at++;
  if (at < group->assume_count && group->assumes[at] == index)
    return;
  group->assumes = grow(mem, group->assumes, group->assume_count, sizeof *group->assumes);
  memmove(group->assumes + at + 1, group->assumes + at,
          (group->assume_count - at) * sizeof *group->assumes);
  group->assumes[at] = index;
  group->assume_count++;
}

static void add_member(gs_mem *mem, gs_groups *groups, const gs_unit *unit,
                       const json_t *kernel) {
  gs_group *group = find_group(mem, groups, key_of(mem, unit, kernel));
  const char *name = gs_report_text(kernel, "name"), *mangled = gs_report_text(kernel, "mangled");
  const char *target = gs_report_text(unit->report, "target");
  gs_verdict verdict = gs_report_verdict(kernel);
  if (!group->member_count) {
    group->name = name;
    group->place = gs_report_place(mem, kernel);
    if (!*group->place)
      group->place = unit->file;
    group->verdict = verdict;
  }
  group->mixed |= verdict != group->verdict;
  if (gs_verdict_badness(verdict) > gs_verdict_badness(group->verdict))
    group->verdict = verdict;
  group->as_optimised |= json_is_true(json_object_get(unit->report, "as_optimised"));
  if (!gs_list_has(&group->mangled, mangled))
    gs_list_add(mem, &group->mangled, mangled);
  group->instances = group->mangled.count;
  if (group->instances == 2)
    group->name = gs_mem_printf(mem, "%s<...>", base_name(mem, name));
  if (!gs_list_has(&group->targets, target))
    gs_list_add(mem, &group->targets, target);
  group->time_us += json_integer_value(json_object_get(kernel, "time_us"));
  group->members = grow(mem, group->members, group->member_count, sizeof *group->members);
  group->members[group->member_count++] = (gs_member){kernel, target};
  size_t i;
  const json_t *assumption;
  json_array_foreach(json_object_get(kernel, "assumptions"), i, assumption) {
    size_t index = assumed_index(mem, groups, assumption);
    assume(mem, group, index);
  }
}

void gs_groups_build(gs_mem *mem, const gs_unit *units, size_t unit_count, gs_groups *out) {
  memset(out, 0, sizeof *out);
  for (size_t u = 0; u < unit_count; u++) {
    size_t k;
    const json_t *kernel;
    json_array_foreach(json_object_get(units[u].report, "kernels"), k, kernel) {
      add_member(mem, out, &units[u], kernel);
    }
  }
}
