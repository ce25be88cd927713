// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a checked launch costs over a plain one, side by side: gpu_bench KERNELS.ptx, on a
/// machine with a GPU. Empty kernels of 3 and 12 arguments, 10,000 launches a round, the
/// variants in turn; the median of the rounds is printed.
#include "fixture.h"

#include <cuda.h>
#include <time.h>

/// Launches come in batches that the device's queue holds, or its speed would show.
enum { LAUNCHES = 10000, BATCH = 500, ROUNDS = 15, MAX_ARGS = 12 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values) {
  qsort(values, ROUNDS, sizeof *values, by_value);
  return values[ROUNDS / 2];
}

/// One kernel with its arguments, plain and wrapped with contracts.
typedef struct subject {
  CUfunction function;
  gsrt_kernel *bare, *clauses, *pointers;
  void *params[MAX_ARGS];
  int *n;            ///< the integer that the contract is about
  CUdeviceptr *memory;
  int pointer_count;
} subject;

static bool resolve(void *user, const char *name, size_t length, gs_name *out, const char **hint) {
  (void)hint;
  (void)name;
  *out =
      (gs_name){.kind = GS_NAME_PARAM, .param = *(uint32_t *)user, .bits = 32, .is_signed = true};
  return length == 1;
}

static gs_clause *clause(const char *text, uint32_t n) {
  gs_clause *result = NULL;
  gs_clause_parse(text, strlen(text), resolve, &n, &result, NULL);
  return result;
}

/// Four clauses, and with `extents` a count for each pointer.
static gsrt_kernel *wrap(CUfunction function, uint32_t pointers, uint32_t count, bool extents) {
  gs_desc_param params[MAX_ARGS] = {{0}};
  gs_desc_clause clauses[4] = {{clause("block.x == 64", pointers), {"k.cu", 1, 1}},
                               {clause("grid.x * block.x >= n", pointers), {"k.cu", 2, 1}},
                               {clause("n >= 0", pointers), {"k.cu", 3, 1}},
                               {clause("n % 4 == 0 || n < 64", pointers), {"k.cu", 4, 1}}};
  gs_clause *n = clause("n", pointers);
  gs_desc_claim claims[3];
  gs_desc_input input = {.name = "empty",
                         .mangled = "empty",
                         .params = params,
                         .param_count = count,
                         .clauses = clauses,
                         .clause_count = 4,
                         .claims = claims};
  void *block;
  size_t size;
  gsrt_kernel *kernel = NULL;
  input.fixed.assumptions = GS_DESC_ASSUME_NO_ALIAS | GS_DESC_ASSUME_BLOCK_Y_ONE |
                            GS_DESC_ASSUME_GRID_Y_ONE | GS_DESC_ASSUME_INDEX;
  for (uint32_t i = 0; i < count; i++) {
    bool pointer = i < pointers;
    params[i] = (gs_desc_param){"p",
                                "t",
                                pointer ? 8 : 4,
                                8 * i,
                                pointer ? GS_DESC_POINTER : GS_DESC_INT,
                                0,
                                pointer ? 4 : 0,
                                pointer ? 4 : 0};
    if (pointer && extents)
      claims[input.claim_count++] = (gs_desc_claim){GS_DESC_DISJOINT, i, n, 0, {"k.cu", 5, 1}};
  }
  if (gs_descriptor_build(&input, &block, &size) != GS_OK ||
      gsrt_kernel_wrap(function, block, size, &kernel) != GSRT_OK)
    exit(1);
  free(block);
  return kernel;
}

static double plain(const subject *s) {
  double sum = 0;
  for (int i = 0; i < LAUNCHES; i += BATCH) {
    double start = now_ns();
    for (int k = 0; k < BATCH; k++)
      cuLaunchKernel(s->function, 4, 1, 1, 64, 1, 1, 0, NULL, (void **)(uintptr_t)s->params, NULL);
    sum += now_ns() - start;
    cuCtxSynchronize();
  }
  return sum / (double)LAUNCHES;
}

/// A plain launch with the driver's own query for each pointer, beside it.
static double plain_and_queries(const subject *s) {
  double sum = 0;
  for (int i = 0; i < LAUNCHES; i += BATCH) {
    double start = now_ns();
    for (int k = 0; k < BATCH; k++) {
      CUdeviceptr base;
      size_t size;
      for (int p = 0; p < s->pointer_count; p++)
        cuMemGetAddressRange(&base, &size, s->memory[p]);
      cuLaunchKernel(s->function, 4, 1, 1, 64, 1, 1, 0, NULL, (void **)(uintptr_t)s->params, NULL);
    }
    sum += now_ns() - start;
    cuCtxSynchronize();
  }
  return sum / (double)LAUNCHES;
}

/// \param varies n changes with each launch, so that no answer is remembered
static double checked(const subject *s, gsrt_kernel *kernel, bool varies) {
  gsrt_config config = gsrt_config_1d(4, 64);
  double sum = 0;
  for (int i = 0; i < LAUNCHES; i += BATCH) {
    double start = now_ns();
    for (int k = 0; k < BATCH; k++) {
      *s->n = varies ? 4 * (k & 31) : 256;
      if (gsrt_launch(kernel, &config, (void **)(uintptr_t)s->params) != GSRT_OK)
        exit(1);
    }
    sum += now_ns() - start;
    cuCtxSynchronize();
  }
  *s->n = 256;
  return sum / (double)LAUNCHES;
}

/// The check alone, which the queue of the device does not blur.
static double check_only(const subject *s, gsrt_kernel *kernel) {
  gsrt_config config = gsrt_config_1d(4, 64);
  double start = now_ns();
  for (int i = 0; i < LAUNCHES; i++)
    if (gsrt_launch_check(kernel, &config, (const void *const *)s->params) != GSRT_OK)
      exit(1);
  return (now_ns() - start) / (double)LAUNCHES;
}

static void measure(const subject *s, int arguments, int pointers) {
  enum { VARIANTS = 9 };
  double t[VARIANTS][ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    t[0][i] = plain(s);
    t[1][i] = checked(s, s->bare, false);
    t[2][i] = checked(s, s->clauses, false);
    t[3][i] = checked(s, s->clauses, true);
    t[4][i] = checked(s, s->pointers, false);
    t[5][i] = plain_and_queries(s);
    t[6][i] = check_only(s, s->bare);
    t[7][i] = check_only(s, s->clauses);
    t[8][i] = check_only(s, s->pointers);
  }
  double m[VARIANTS];
  for (int i = 0; i < VARIANTS; i++)
    m[i] = median(t[i]);
  printf("| %d | %d | %.0f | %+.0f | %+.0f | %+.0f | %+.0f | %+.0f | %.0f | %.0f | %.0f |\n",
         arguments, pointers, m[0], m[1] - m[0], m[2] - m[0], m[3] - m[0], m[4] - m[0],
         m[5] - m[0], m[6], m[7], m[8]);
}

static void raw_queries(CUdeviceptr address) {
  CUdeviceptr base;
  CUcontext current;
  size_t size;
  double t[2][ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    double start = now_ns();
    for (int k = 0; k < LAUNCHES; k++)
      cuMemGetAddressRange(&base, &size, address);
    t[0][i] = (now_ns() - start) / (double)LAUNCHES;
    start = now_ns();
    for (int k = 0; k < LAUNCHES; k++)
      cuCtxGetCurrent(&current);
    t[1][i] = (now_ns() - start) / (double)LAUNCHES;
  }
  printf("raw: cuMemGetAddressRange %.0f ns, cuCtxGetCurrent %.0f ns\n\n", median(t[0]),
         median(t[1]));
}

int main(int argc, char **argv) {
  static char text[65536];
  gsrt_module *module;
  CUmodule raw;
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file || fread(text, 1, sizeof text - 1, file) == 0 ||
      gsrt_module_load(text, &module) != GSRT_OK || cuModuleLoadData(&raw, text) != CUDA_SUCCESS)
    return 2;
  CUdeviceptr memory[3];
  for (int i = 0; i < 3; i++)
    if (cuMemAlloc(&memory[i], 4096) != CUDA_SUCCESS)
      return 1;
  int n = 256;
  raw_queries(memory[0]);
  printf("median of %d rounds of %d launches, ns\n\n", ROUNDS, LAUNCHES);
  printf("| arguments | pointers | plain launch | + limits | + 4 clauses | the same, n varies | "
         "+ extents | plain + raw queries | check: limits | clauses | extents |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (uint32_t which = 0; which < 2; which++) {
    uint32_t count = which ? 12 : 3, pointers = which ? 3 : 2;
    subject s = {.n = &n, .memory = memory, .pointer_count = (int)pointers};
    for (uint32_t i = 0; i < MAX_ARGS; i++)
      s.params[i] = i < pointers ? (void *)&memory[i] : (void *)&n;
    if (cuModuleGetFunction(&s.function, raw, which ? "empty12" : "empty3") != CUDA_SUCCESS ||
        gsrt_kernel_wrap(s.function, NULL, 0, &s.bare) != GSRT_OK)
      return 1;
    s.clauses = wrap(s.function, pointers, count, false);
    s.pointers = wrap(s.function, pointers, count, true);
    measure(&s, (int)count, (int)pointers);
  }
  return 0;
}
