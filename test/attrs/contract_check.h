// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks for unit tests in C; they do not depend on NDEBUG.
#ifndef GS_CONTRACT_CHECK_H
#define GS_CONTRACT_CHECK_H

#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                      \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

/// Compares texts and shows both.
#define CHECK_TEXT(got, want)                                                                      \
  do {                                                                                             \
    const char *got_ = (got), *want_ = (want);                                                     \
    if (strcmp(got_, want_) != 0) {                                                                \
      fprintf(stderr, "%s:%d:\n  got  \"%s\"\n  want \"%s\"\n", __FILE__, __LINE__, got_, want_);  \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

#define CHECK_NUMBER(got, want)                                                                    \
  do {                                                                                             \
    long long got_ = (long long)(got), want_ = (long long)(want);                                  \
    if (got_ != want_) {                                                                           \
      fprintf(stderr, "%s:%d: %s is %lld, want %lld\n", __FILE__, __LINE__, #got, got_, want_);    \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

static inline int check_result(const char *name) {
  if (failures)
    fprintf(stderr, "%s: %d failures\n", name, failures);
  return failures ? 1 : 0;
}

#endif
