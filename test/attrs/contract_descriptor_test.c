// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contract descriptors: built, opened, and refused when damaged.
#include "contract_check.h"
#include "contract_names.h"
#include "gs_descriptor.h"

#include <stdlib.h>

static gs_clause *parse(const char *text) {
  gs_clause *clause = NULL;
  CHECK_NUMBER(gs_clause_parse(text, strlen(text), test_resolve, NULL, &clause, NULL), GS_OK);
  return clause;
}

static const gs_desc_param params[] = {
    {"a", "const float *", 8, 0, GS_DESC_POINTER, GS_DESC_CONST, 4, 4},
    {"c", "float *", 8, 8, GS_DESC_POINTER, 0, 4, 4},
    {"n", "int", 4, 16, GS_DESC_INT, 0, 0, 0},
    {"m", "unsigned", 4, 20, GS_DESC_INT, 0, 0, 0},
    {"big", "long", 8, 24, GS_DESC_INT, 0, 0, 0},
    {"p", "P", 8, 32, GS_DESC_RECORD, 0, 0, 0},
    {"u", "unsigned long", 8, 40, GS_DESC_INT, 0, 0, 0}};
static const gs_desc_leaf_input leaves[] = {
    {"n", 2, 0, 32, GS_DESC_INT, GS_DESC_SIGNED, 0, 0},
    {"p.width", 5, 0, 32, GS_DESC_INT, GS_DESC_SIGNED, 0, 0},
    {"a", 0, 0, 64, GS_DESC_POINTER, 0, 4, 4}};

static gs_desc_input base(void) {
  gs_desc_input input = {.name = "k", .mangled = "_Z1k", .place = {"k.cu", 3, 17}};
  input.fixed.target = 90;
  input.fixed.max_threads = 256;
  input.params = params;
  input.param_count = 7;
  input.leaves = leaves;
  input.leaf_count = 3;
  return input;
}

static unsigned char *build(size_t *size) {
  gs_desc_clause clauses[3] = {{parse("block.x * grid.x >= n"), {"k.cu", 2, 17}},
                               {parse("p.width > 0 || extent(a) > n"), {"k.cu", 2, 40}},
                               {parse("n ? m / n : 1"), {NULL, 0, 0}}};
  gs_desc_claim claims[2] = {{GS_DESC_EXTENT, 0, parse("n"), 0, {"k.cu", 3, 40}},
                             {GS_DESC_EXCLUSIVE, 1, parse("n"), 1, {"k.cu", 3, 60}}};
  gs_desc_input input = base();
  void *block = NULL;
  input.clauses = clauses;
  input.clause_count = 3;
  input.claims = claims;
  input.claim_count = 2;
  CHECK_NUMBER(gs_descriptor_build(&input, &block, size), GS_OK);
  for (unsigned i = 0; i < 3; i++)
    gs_clause_free((gs_clause *)(uintptr_t)clauses[i].clause);
  for (unsigned i = 0; i < 2; i++)
    gs_clause_free((gs_clause *)(uintptr_t)claims[i].count);
  return block;
}

static void round_trip(const unsigned char *block, size_t size) {
  gs_descriptor d;
  const char *problem = "x";
  CHECK_NUMBER(gs_descriptor_open(block, size, &d, &problem), GS_OK);
  CHECK(problem == NULL);
  CHECK_TEXT(gs_desc_text(&d, d.header->name), "k");
  CHECK_TEXT(gs_desc_text(&d, d.header->mangled), "_Z1k");
  CHECK_TEXT(gs_desc_text(&d, d.header->file), "k.cu");
  CHECK_NUMBER(d.header->line, 3);
  CHECK_NUMBER(d.header->target, 90);
  CHECK_NUMBER(d.header->size, size);
  CHECK_TEXT(gs_desc_text(&d, d.params[0].type), "const float *");
  CHECK_TEXT(gs_desc_text(&d, d.clauses[1].text), "p.width > 0 || extent(a) > n");
  CHECK_TEXT(gs_desc_text(&d, d.clauses[2].file), "");
  CHECK_TEXT(gs_desc_text(&d, d.claims[1].text), "n");
  CHECK(d.clauses[0].file == d.header->file); // stored once
  CHECK(gs_desc_leaf(&d, 5, 0) == &d.leaves[1]);
  CHECK(gs_desc_leaf(&d, 5, 4) == NULL);
}

/// Whatever opens must be safe to run.
static int use(const unsigned char *block, size_t size) {
  static const unsigned char zeros[65536];
  const void *arguments[GS_DESCRIPTOR_MAX_PARAMS];
  gs_descriptor d;
  gs_eval_result result;
  const char *problem;
  if (gs_descriptor_open(block, size, &d, &problem) != GS_OK) {
    CHECK(problem != NULL);
    return 0;
  }
  for (uint32_t i = 0; i < d.header->param_count; i++)
    arguments[i] = zeros;
  gs_eval_env env = {.params = arguments, .param_count = d.header->param_count};
  for (uint32_t i = 0; i < d.header->clause_count; i++)
    gs_bytecode_eval(block + d.clauses[i].code, d.clauses[i].code_size, &env, &result);
  size_t sum = strlen(gs_desc_text(&d, d.header->name)) + strlen(gs_desc_text(&d, d.header->file));
  for (uint32_t i = 0; i < d.header->claim_count; i++)
    sum += strlen(gs_desc_text(&d, d.claims[i].text)) + d.params[d.claims[i].param].elem_size;
  return sum < SIZE_MAX;
}

static void damage(const unsigned char *block, size_t size) {
  static const unsigned char values[] = {0, 1, 2, 3, 4, 5, 8, 16, 64, 127, 128, 254, 255};
  unsigned opened = 0;
  for (size_t i = 0; i < size; i++)
    for (size_t v = 0; v < sizeof values; v++) {
      unsigned char *copy = malloc(size);
      if (!copy)
        return;
      memcpy(copy, block, size);
      copy[i] = values[v];
      opened += (unsigned)use(copy, size);
      free(copy);
    }
  CHECK(opened > 0);
  for (size_t n = 0; n < size; n++) {
    unsigned char *copy = malloc(n ? n : 1);
    if (!copy)
      return;
    memcpy(copy, block, n);
    CHECK_NUMBER(use(copy, n), 0);
    free(copy);
  }
  unsigned char *odd = malloc(size + 1);
  if (!odd)
    return;
  memcpy(odd + 1, block, size);
  CHECK_NUMBER(use(odd + 1, size), 0);
  free(odd);
}

static void nonsense(void) {
  gs_desc_input input = base();
  void *block;
  size_t size;
  gs_desc_claim claim = {GS_DESC_EXTENT, 2, NULL, 0, {NULL, 0, 0}}; // n is no pointer
  input.claims = &claim;
  input.claim_count = 1;
  CHECK_NUMBER(gs_descriptor_build(&input, &block, &size), GS_ERROR_INPUT);
  CHECK(block == NULL);
  input = base();
  input.param_count = 2; // leaves of missing parameters
  CHECK_NUMBER(gs_descriptor_build(&input, &block, &size), GS_ERROR_INPUT);
  input = base();
  input.leaf_count = GS_DESCRIPTOR_MAX_ROWS + 1;
  CHECK_NUMBER(gs_descriptor_build(&input, &block, &size), GS_ERROR_LIMIT);
  input = (gs_desc_input){.name = "empty"};
  CHECK_NUMBER(gs_descriptor_build(&input, &block, &size), GS_OK);
  free(block);
}

int main(void) {
  size_t size = 0;
  unsigned char *block = build(&size);
  if (block) {
    round_trip(block, size);
    damage(block, size);
  }
  free(block);
  nonsense();
  return check_result("contract_descriptor_test");
}
