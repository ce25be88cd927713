// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutated reports through everything the tool does with one: load, group, merge,
// print. What is loaded must survive; what is not must have a reason.
#include "group.h"
#include "merge.h"
#include "print.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char seed[] =
    "{\"version\":1,\"file\":\"a.cu\",\"target\":\"sm_90\",\"as_optimised\":false,\"kernels\":["
    "{\"name\":\"f<int>\",\"mangled\":\"_Z1f\","
    "\"location\":{\"file\":\"a.cu\",\"line\":4,\"column\":1},"
    "\"annotated\":true,\"verdict\":\"RACE\",\"reason\":null,\"findings\":[{\"rule\":\"disjoint\","
    "\"verdict\":\"RACE\",\"error\":true,\"location\":{\"file\":\"a.cu\",\"line\":9,\"column\":5},"
    "\"message\":\"both write\",\"reason\":null,\"object\":\"p\",\"accesses\":[{\"location\":null,"
    "\"write\":true,\"atomic\":false,\"inlined_at\":[]}],\"witness\":null,\"notes\":[{\"location\":"
    "null,\"text\":\"x\"}],\"fixits\":[],\"instances\":1}],\"assumptions\":[{\"text\":\"n >= 0\","
    "\"checked\":false,\"location\":null}],\"counters\":{\"accesses\":2},\"time_us\":12}]}";

static uint32_t state = 12345;

static uint32_t below(uint32_t n) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % n;
}

/// Changes, drops, doubles or swaps pieces; now and then a whole token.
static size_t mutate(char *text, size_t size, size_t room) {
  static const char *const tokens[] = {"null", "{}", "[]", "1", "-1", "true", "\"\"", "1e400",
                                       "99999999999999999999", "\"\\u0000\""};
  for (uint32_t n = 1 + below(3); n > 0; n--) {
    size_t where = below((uint32_t)size), length = 1 + below(12);
    if (where + length > size)
      length = size - where;
    switch (below(4)) {
    case 0:
      text[where] = (char)(32 + below(95));
      break;
    case 1:
      memmove(text + where, text + where + length, size - where - length);
      size -= length;
      break;
    case 2:
      if (size + length < room) {
        memmove(text + where + length, text + where, size - where);
        size += length;
      }
      break;
    default: {
      // Replace the value after some colon.
      const char *token = tokens[below(sizeof tokens / sizeof *tokens)];
      char *colon = memchr(text + where, ':', size - where);
      if (!colon || size + strlen(token) >= room)
        break;
      size_t at = (size_t)(colon - text) + 1, end = at;
      while (end < size && !strchr(",}]", text[end]))
        end++;
      memmove(text + at + strlen(token), text + end, size - end);
      memcpy(text + at, token, strlen(token));
      size = size - (end - at) + strlen(token);
    }
    }
    if (!size)
      break;
  }
  return size;
}

static int try_report(const char *path) {
  gs_mem *mem = gs_mem_create();
  const char *problem = NULL;
  gs_unit unit = {.file = "a.cu", .target = "sm_90"};
  unit.report = gs_report_load(mem, path, &problem);
  int good = unit.report || (problem && *problem);
  if (unit.report) {
    gs_groups groups;
    gs_groups_build(mem, &unit, 1, &groups);
    gs_print_options options = {.color = true, .times = true, .stats = true};
    gs_print_groups(mem, &groups, &options);
    gs_print_findings(mem, unit.report, true);
    json_t *merged = gs_merge(&unit, 1, &groups, 0, false);
    good = merged != NULL;
    json_decref(merged);
  }
  json_decref(unit.report);
  gs_mem_free(mem);
  return good;
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 5000;
  char path[64], text[4096];
  int file = memfd_create("report", 0), wrong = 0;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (file < 0 || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
    return 2;
  for (long i = 0; i < rounds; i++) {
    size_t size = strlen(seed);
    memcpy(text, seed, size);
    if (i > 0)
      size = mutate(text, size, sizeof text);
    if (ftruncate(file, 0) != 0 || pwrite(file, text, size, 0) != (ssize_t)size)
      return 2;
    wrong += !try_report(path);
  }
  close(file);
  return wrong != 0;
}
