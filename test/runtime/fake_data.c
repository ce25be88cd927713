// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The runtime's kernels for facts about data, as functions of the host.
#include "fake_internal.h"

#define GSRT_DATA_HOST
#include "data_kernels.c"

// Argument i of a launch, of a type.
#define ARG(type, i) (*(type *)params[i])

static void fill(void **params) { gsrt_data_fill(ARG(uint64_t *, 0), ARG(uint64_t, 1)); }
static void order(void **params) {
  gsrt_data_order(ARG(void *, 0), ARG(uint64_t, 1), ARG(uint32_t, 2), ARG(uint32_t, 3),
                  ARG(uint64_t *, 4));
}
static void range(void **params) {
  gsrt_data_range(ARG(void *, 0), ARG(uint64_t, 1), ARG(uint32_t, 2), ARG(int64_t, 3),
                  ARG(int64_t, 4), ARG(uint64_t *, 5));
}
static void pairs(void **params) {
  gsrt_data_pairs(ARG(void *, 0), ARG(uint64_t, 1), ARG(uint32_t, 2), ARG(uint64_t *, 3),
                  ARG(uint64_t, 4), ARG(uint64_t *, 5));
}
static void find(void **params) {
  gsrt_data_find(ARG(void *, 0), ARG(uint64_t, 1), ARG(uint32_t, 2), ARG(uint64_t, 3),
                 ARG(uint64_t *, 4));
}

fake_body *fake_data_body(const char *name) {
  static const struct {
    const char *name;
    fake_body *body;
  } all[] = {{"gsrt_data_fill", fill},
             {"gsrt_data_order", order},
             {"gsrt_data_range", range},
             {"gsrt_data_pairs", pairs},
             {"gsrt_data_find", find}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].name, name) == 0)
      return all[i].body;
  return NULL;
}
