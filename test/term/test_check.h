// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks that count and go on; shared by the tests of terms and provers.
#ifndef GS_TEST_CHECK_H
#define GS_TEST_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int test_failures;

static inline void test_fail(const char *file, int line, const char *text) {
  test_failures++;
  if (test_failures <= 50)
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
}

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition))                                                                              \
      test_fail(__FILE__, __LINE__, #condition);                                                   \
  } while (0)

#define CHECK_U64(got, wanted)                                                                     \
  do {                                                                                             \
    unsigned long long got_ = (got), wanted_ = (wanted);                                           \
    if (got_ != wanted_) {                                                                         \
      fprintf(stderr, "  %s is %llu, not %llu\n", #got, got_, wanted_);                            \
      test_fail(__FILE__, __LINE__, #got " == " #wanted);                                          \
    }                                                                                              \
  } while (0)

#define CHECK_TEXT(got, wanted)                                                                    \
  do {                                                                                             \
    const char *got_ = (got), *wanted_ = (wanted);                                                 \
    if (strcmp(got_, wanted_) != 0) {                                                              \
      fprintf(stderr, "  got    %s\n  wanted %s\n", got_, wanted_);                                \
      test_fail(__FILE__, __LINE__, #got);                                                         \
    }                                                                                              \
  } while (0)

static inline int test_result(void) {
  if (test_failures)
    fprintf(stderr, "%d checks failed\n", test_failures);
  return test_failures != 0;
}

#endif
