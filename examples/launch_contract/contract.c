// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The contract of vector_add, stated by the host program: for modules that carry no
/// descriptor of their own.
#include "contract.h"

#include <gs_descriptor.h>
#include <stdlib.h>
#include <string.h>

static const gs_desc_param params[] = {
    {"a", "const float *", 8, 0, GS_DESC_POINTER, GS_DESC_CONST, 4, 4},
    {"b", "const float *", 8, 8, GS_DESC_POINTER, GS_DESC_CONST, 4, 4},
    {"c", "float *", 8, 16, GS_DESC_POINTER, 0, 4, 4},
    {"n", "int", 4, 24, GS_DESC_INT, 0, 0, 0}};

static bool resolve(void *user, const char *name, size_t length, gs_name *out, const char **hint) {
  (void)user;
  (void)hint;
  *out = (gs_name){.kind = GS_NAME_PARAM, .param = 3, .bits = 32, .is_signed = true};
  return length == 1 && *name == 'n';
}

static gs_clause *clause(const char *text) {
  gs_clause *result = NULL;
  gs_clause_parse(text, strlen(text), resolve, NULL, &result, NULL);
  return result;
}

gsrt_status contract_attach(gsrt_kernel *kernel) {
  gs_clause *n = clause("n"), *warps = clause("block.x % 32 == 0");
  gs_clause *covers = clause("grid.x * block.x >= n");
  gs_desc_clause clauses[] = {{warps, {"vector_add.cu", 5, 31}},
                              {covers, {"vector_add.cu", 5, 50}}};
  gs_desc_claim claims[] = {{GS_DESC_EXTENT, 0, n, 0, {"vector_add.cu", 6, 43}},
                            {GS_DESC_EXTENT, 1, n, 0, {"vector_add.cu", 6, 70}},
                            {GS_DESC_EXCLUSIVE, 2, n, 1, {"vector_add.cu", 7, 37}}};
  gs_desc_input input = {.name = "vector_add",
                         .mangled = "vector_add",
                         .place = {"vector_add.cu", 6, 17},
                         .params = params,
                         .param_count = 4,
                         .clauses = clauses,
                         .clause_count = 2,
                         .claims = claims,
                         .claim_count = 3};
  void *block = NULL;
  size_t size = 0;
  gsrt_status status = GSRT_ERROR_MEMORY;
  if (n && warps && covers && gs_descriptor_build(&input, &block, &size) == GS_OK)
    status = gsrt_kernel_attach(kernel, block, size);
  free(block);
  gs_clause_free(n);
  gs_clause_free(warps);
  gs_clause_free(covers);
  return status;
}
