// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of --stats. Its columns are the counters of the report, by their names.
#include "print.h"

#include <stdio.h>
#include <string.h>

static const char *const columns[] = {
    "accesses", "pairs",  "queries",   "trivial",   "cache_hits",   "affine", "enumeration",
    "search",   "linear", "bitvector", "undecided", "solver_units", "terms",  "time_us"};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns, TIME = COLUMN_COUNT - 1 };

typedef struct gs_row {
  const char *name;
  json_int_t values[COLUMN_COUNT];
} gs_row;

/// The instances and architectures of a group count together.
static void add_group(gs_row *row, const gs_group *group) {
  for (size_t m = 0; m < group->member_count; m++) {
    const json_t *counters = json_object_get(group->members[m].kernel, "counters");
    for (size_t c = 0; c < TIME; c++)
      row->values[c] += json_integer_value(json_object_get(counters, columns[c]));
  }
  row->values[TIME] += group->time_us;
}

static int width_of(gs_mem *mem, const gs_row *rows, size_t count, size_t column) {
  size_t widest = strlen(columns[column]);
  for (size_t i = 0; i < count; i++) {
    size_t n = strlen(gs_mem_printf(mem, "%lld", (long long)rows[i].values[column]));
    widest = n > widest ? n : widest;
  }
  return (int)widest;
}

void gs_print_stats(gs_mem *mem, const gs_groups *groups, bool times) {
  size_t count = groups->count, shown = times ? COLUMN_COUNT : COLUMN_COUNT - 1;
  gs_row *rows = gs_mem_alloc(mem, (count + 1) * sizeof *rows);
  size_t name_width = strlen("all");
  for (size_t i = 0; i < count; i++) {
    rows[i].name = groups->items[i].name;
    name_width = strlen(rows[i].name) > name_width ? strlen(rows[i].name) : name_width;
    add_group(&rows[i], &groups->items[i]);
    add_group(&rows[count], &groups->items[i]);
  }
  rows[count].name = "all";
  size_t row_count = count == 1 ? 1 : count + 1;
  puts("statistics:");
  for (size_t r = 0; r <= row_count; r++) {
    printf("  %-*s", (int)name_width, r ? rows[r - 1].name : "");
    for (size_t c = 0; c < shown; c++) {
      int width = width_of(mem, rows, count + 1, c);
      if (r)
        printf("  %*lld", width, (long long)rows[r - 1].values[c]);
      else
        printf("  %*s", width, columns[c]);
    }
    putchar('\n');
  }
}
