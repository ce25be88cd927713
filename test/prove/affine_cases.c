// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "affine_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCH_LIMIT = 100000 };

static const char *const spellings[] = {"int", "unsigned", "size_t"};

static bool expect(const shape *sh, spelling s, bool racy, bool refuted) {
  kit k;
  uint64_t values[MAX_SYMS] = {0}, steps = 0, tried = 0;
  gs_used used = {0};
  kit_init(&k, s);
  sh->build(&k, racy);
  bool no = world_refute(&k.w, &used, &steps) == GS_ANSWER_NO;
  k.w.used = no ? &used : NULL;
  bool found = world_search(&k.w, values, SEARCH_LIMIT, &tried);
  const char *wrong = no && found                           ? "UNSOUND: has a solution"
                      : no != refuted                       ? (no ? "refuted" : "not refuted")
                      : racy && !found && !(sh->flags & NO_WITNESS) ? "racy twin has no solution"
                                                            : NULL;
  if (wrong || getenv("VERBOSE"))
    printf("%-20s %-8s %-5s steps %6" PRIu64 " flags %" PRIu32 " searched %" PRIu64 "  %s\n",
           sh->name, spellings[s], racy ? "racy" : "fine", steps, used.count, tried,
           wrong ? wrong : "ok");
  if (wrong)
    world_print(&k.w, found ? values : NULL);
  free(used.origins);
  world_free(&k.w);
  return !wrong;
}

int run_shapes(const shape *shapes, size_t count) {
  int failures = 0;
  for (size_t i = 0; i < count; i++)
    for (int s = 0; s < SPELL_COUNT; s++) {
      unsigned f = shapes[i].flags;
      if ((f & ONLY_INT) && s != SPELL_INT)
        continue;
      bool weak = (s == SPELL_UNSIGNED && (f & NOT_UNSIGNED)) ||
                  (s == SPELL_SIZE && (f & NOT_SIZE)) || (s == SPELL_INT && (f & NOT_INT));
      if (getenv("ONLY") && strcmp(getenv("ONLY"), shapes[i].name)) continue;
      failures += !expect(&shapes[i], (spelling)s, false, !weak);
      failures += !expect(&shapes[i], (spelling)s, true, false);
    }
  printf("%zu shapes, %d failures\n", count, failures);
  return failures != 0;
}
