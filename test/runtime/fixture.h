// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Descriptors for the runtime's tests, from contract texts. The kernel is
///     __global__ void k(const float *a, float *c, int n, P p)
/// with struct P { int width; short *map; }.
#ifndef GSRT_FIXTURE_H
#define GSRT_FIXTURE_H

#include "contract_check.h"
#include "gpusafe_rt.h"
#include "gs_descriptor.h"

#include <stdlib.h>

typedef struct fixture_args {
  const void *a;
  void *c;
  int32_t n;
  struct {
    int32_t width, pad;
    void *map;
  } p;
} fixture_args;

typedef struct fixture_claim {
  gs_desc_claim_kind kind;
  uint32_t param;
  const char *count; ///< NULL: none
} fixture_claim;

typedef struct fixture {
  gs_desc_header fixed;
  const char *clauses[8]; ///< up to the first NULL
  fixture_claim claims[8];
  unsigned claim_count;
} fixture;

static inline bool fixture_resolve(void *user, const char *name, size_t length, gs_name *out,
                                   const char **hint) {
  static const struct {
    const char *text;
    gs_name name;
  } rows[] = {{"a", {.kind = GS_NAME_POINTER, .param = 0}},
              {"c", {.kind = GS_NAME_POINTER, .param = 1}},
              {"n", {.kind = GS_NAME_PARAM, .param = 2, .bits = 32, .is_signed = true}},
              {"p.width", {.kind = GS_NAME_PARAM, .param = 3, .bits = 32, .is_signed = true}},
              {"p.map", {.kind = GS_NAME_POINTER, .param = 3, .offset = 8}}};
  (void)user;
  (void)hint;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].text) == length && memcmp(rows[i].text, name, length) == 0) {
      *out = rows[i].name;
      return true;
    }
  return false;
}

static inline gs_clause *fixture_clause(const char *text) {
  gs_clause *clause = NULL;
  gs_parse_error error;
  if (gs_clause_parse(text, strlen(text), fixture_resolve, NULL, &clause, &error) != GS_OK) {
    fprintf(stderr, "'%s': %s\n", text, error.message);
    exit(1);
  }
  return clause;
}

/// \returns the descriptor; free with free().
static inline void *fixture_build(const fixture *f, size_t *size) {
  static const gs_desc_param params[] = {
      {"a", "const float *", 8, 0, GS_DESC_POINTER, GS_DESC_CONST | GS_DESC_ELEM_FLOAT, 4, 4},
      {"c", "float *", 8, 8, GS_DESC_POINTER, 0, 4, 4},
      {"n", "int", 4, 16, GS_DESC_INT, 0, 0, 0},
      {"p", "P", 16, 24, GS_DESC_RECORD, 0, 0, 0}};
  static const gs_desc_leaf_input leaves[] = {
      {"n", 2, 0, 32, GS_DESC_INT, GS_DESC_SIGNED, 0, 0},
      {"p.width", 3, 0, 32, GS_DESC_INT, GS_DESC_SIGNED, 0, 0},
      {"p.map", 3, 8, 64, GS_DESC_POINTER, GS_DESC_ELEM_INT | GS_DESC_ELEM_SIGNED, 2, 2}};
  gs_desc_clause clauses[8];
  gs_desc_claim claims[8];
  gs_desc_input input = {
      .fixed = f->fixed, .name = "k", .mangled = "_Z1k", .place = {"k.cu", 9, 1}};
  void *block = NULL;
  input.params = params;
  input.param_count = 4;
  input.leaves = leaves;
  input.leaf_count = 3;
  for (; input.clause_count < 8 && f->clauses[input.clause_count]; input.clause_count++)
    clauses[input.clause_count] = (gs_desc_clause){fixture_clause(f->clauses[input.clause_count]),
                                                   {"k.cu", 7, 1 + input.clause_count}};
  for (; input.claim_count < f->claim_count; input.claim_count++) {
    const fixture_claim *claim = &f->claims[input.claim_count];
    claims[input.claim_count] = (gs_desc_claim){claim->kind,
                                                claim->param,
                                                claim->count ? fixture_clause(claim->count) : NULL,
                                                1,
                                                {"k.cu", 10, 5 + input.claim_count}};
  }
  input.clauses = clauses;
  input.claims = claims;
  gs_status status = gs_descriptor_build(&input, &block, size);
  for (uint32_t i = 0; i < input.clause_count; i++)
    free((void *)(uintptr_t)clauses[i].clause);
  for (uint32_t i = 0; i < input.claim_count; i++)
    free((void *)(uintptr_t)claims[i].count);
  CHECK_NUMBER(status, GS_OK);
  return block;
}

/// What the callback has seen.
typedef struct seen {
  unsigned count;
  gsrt_status codes[8];
  char first[1024], last[1024];
} seen;

static inline void fixture_see(void *user, const gsrt_violation *violation) {
  seen *s = user;
  if (s->count < 8)
    s->codes[s->count] = violation->code;
  snprintf(s->last, sizeof s->last, "%s", violation->message);
  if (s->count++ == 0)
    memcpy(s->first, s->last, sizeof s->first);
}

#endif
