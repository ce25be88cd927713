// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The names that the tests and the fuzzers of the contract language know:
/// those of `k(const float *a, float *c, int n, unsigned m, long big, P p,
/// unsigned long u)` with `struct P { int width; unsigned char dims[4]; }`.
#ifndef GS_CONTRACT_NAMES_H
#define GS_CONTRACT_NAMES_H

#include "gs_contract.h"

#include <string.h>

static const struct {
  const char *text;
  gs_name name;
} test_names[] = {
    {"a", {.kind = GS_NAME_POINTER, .param = 0}},
    {"c", {.kind = GS_NAME_POINTER, .param = 1}},
    {"n", {.kind = GS_NAME_PARAM, .param = 2, .bits = 32, .is_signed = true}},
    {"m", {.kind = GS_NAME_PARAM, .param = 3, .bits = 32}},
    {"big", {.kind = GS_NAME_PARAM, .param = 4, .bits = 64, .is_signed = true}},
    {"p.width", {.kind = GS_NAME_PARAM, .param = 5, .bits = 32, .is_signed = true}},
    {"p.dims[2]", {.kind = GS_NAME_PARAM, .param = 5, .offset = 6, .bits = 8}},
    {"u", {.kind = GS_NAME_PARAM, .param = 6, .bits = 64}},
    {"TILE", {.kind = GS_NAME_CONSTANT, .value = 16}},
    {"Mode::Fast", {.kind = GS_NAME_CONSTANT, .value = -1}},
    {"sizeof(Cell)", {.kind = GS_NAME_CONSTANT, .value = 24}},
};

static inline bool test_resolve(void *user, const char *name, size_t length, gs_name *out,
                                const char **hint) {
  (void)user;
  for (size_t i = 0; i < sizeof test_names / sizeof *test_names; i++)
    if (strlen(test_names[i].text) == length && memcmp(test_names[i].text, name, length) == 0) {
      *out = test_names[i].name;
      return true;
    }
  if (length == 1 && *name == 'w')
    *hint = "'w' is a float; a contract computes with integers";
  else if (length == 1 && *name == 'q')
    *hint = "the kernel's parameters are a, c, n, m, big, p, u";
  return false;
}

#endif
