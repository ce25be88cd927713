// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What only a real driver can show: gpu_test KERNELS.ptx, on a machine with a GPU.
/// Memory of every kind, limits against what the driver itself refuses, captures,
/// streams and threads, facts about data.
#include "data.h"
#include "data_kernels.h"
#include "fixture.h"

#include <cuda.h>
#include <pthread.h>

static seen log_;
static char *ptx;

/// Stops: nothing below would make sense.
static void need(CUresult error, const char *what) {
  if (error != CUDA_SUCCESS) {
    fprintf(stderr, "%s: %d\n", what, (int)error);
    exit(1);
  }
}
#define NEED(call) need(call, #call)

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 65536);
  if (!file || !text || fread(text, 1, 65535, file) == 0)
    exit(2);
  fclose(file);
  return text;
}

/// The kernels with the contract of `k` as a constant of the module, as a compiler would
/// leave it there.
static gsrt_module *load(const fixture *f, gsrt_kernel **kernel) {
  gsrt_module *module = NULL;
  size_t size = 0;
  unsigned char *block = fixture_build(f, &size);
  char *text = malloc(strlen(ptx) + 6 * size + 200);
  if (!text)
    exit(1);
  int n = sprintf(text, "%s\n.visible .const .align 4 .b8 %sk[%zu] = {", ptx, GS_DESCRIPTOR_PREFIX,
                  size);
  for (size_t i = 0; i < size; i++)
    n += sprintf(text + n, "%s%u", i ? "," : "", block[i]);
  sprintf(text + n, "};\n");
  CHECK_NUMBER(gsrt_module_load(text, &module), GSRT_OK);
  CHECK_NUMBER(gsrt_kernel_get(module, "k", kernel), GSRT_OK);
  CHECK(gsrt_kernel_has_contract(*kernel));
  free(text);
  free(block);
  return module;
}

static const fixture claims = {.claims = {{GS_DESC_EXTENT, 0, "n"}, {GS_DESC_EXCLUSIVE, 1, "n"}},
                               .claim_count = 2};

static gsrt_status check(gsrt_kernel *kernel, CUdeviceptr a, CUdeviceptr c, int n) {
  fixture_args args = {(void *)a, (void *)c, n, {0, 0, NULL}};
  const void *params[] = {&args.a, &args.c, &args.n, &args.p};
  gsrt_config config = gsrt_config_1d(4, 256);
  memset(&log_, 0, sizeof log_);
  return gsrt_launch_check(kernel, &config, params);
}

// -------------------------------------------------------------------- memory ----

/// Exactly as many elements as fit, and one more.
static void fits(gsrt_kernel *kernel, CUdeviceptr a, CUdeviceptr c, size_t bytes,
                 const char *what) {
  gsrt_status exact = check(kernel, a, c, (int)(bytes / 4));
  gsrt_status more = check(kernel, a, c, (int)(bytes / 4) + 1);
  printf("%-28s exact %s, one more %s\n", what, gsrt_status_name(exact), gsrt_status_name(more));
  CHECK_NUMBER(exact, GSRT_OK);
  CHECK_NUMBER(more, GSRT_EXTENT);
}

static void mapped_memory(gsrt_kernel *kernel, CUdeviceptr big) {
  CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                              .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
  CUmemAccessDesc access = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemGenericAllocationHandle handles[2];
  CUdeviceptr base;
  size_t piece;
  NEED(cuMemGetAllocationGranularity(&piece, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  NEED(cuMemAddressReserve(&base, 4 * piece, 0, 0, 0));
  for (int i = 0; i < 2; i++) {
    NEED(cuMemCreate(&handles[i], piece, &prop, 0));
    NEED(cuMemMap(base + (CUdeviceptr)i * piece, piece, 0, handles[i], 0));
    NEED(cuMemSetAccess(base + (CUdeviceptr)i * piece, piece, &access, 1));
  }
  fits(kernel, base, big, 2 * piece, "mapped in two pieces");
  fits(kernel, base + 64, big, 2 * piece - 64, "inside of that");
  for (int i = 0; i < 2; i++) {
    NEED(cuMemUnmap(base + (CUdeviceptr)i * piece, piece));
    NEED(cuMemRelease(handles[i]));
  }
  gsrt_status status = check(kernel, base, big, 4);
  printf("%-28s %s\n", "reserved, unmapped", gsrt_status_name(status));
  CHECK_NUMBER(status, GSRT_POINTER_UNKNOWN);
  NEED(cuMemAddressFree(base, 4 * piece));
}

static void host_memory(gsrt_kernel *kernel, CUdeviceptr big) {
  void *pinned, *plain = aligned_alloc(4096, 8192);
  NEED(cuMemAllocHost(&pinned, 8192));
  fits(kernel, (CUdeviceptr)(uintptr_t)pinned, big, 8192, "pinned");
  NEED(cuMemFreeHost(pinned));
  gsrt_counters before = {.struct_size = sizeof before}, after = before;
  gsrt_get_counters(&before);
  gsrt_status status = check(kernel, (CUdeviceptr)(uintptr_t)plain, big, 4);
  gsrt_get_counters(&after);
  printf("%-28s %s, unchecked %llu\n", "host pointer", gsrt_status_name(status),
         (unsigned long long)(after.unchecked - before.unchecked));
  NEED(cuMemHostRegister(plain, 8192, 0));
  fits(kernel, (CUdeviceptr)(uintptr_t)plain, big, 8192, "registered");
  NEED(cuMemHostUnregister(plain));
  free(plain);
}

static void memory(void) {
  gsrt_kernel *kernel;
  gsrt_module *module = load(&claims, &kernel);
  CUdeviceptr big, small[3], pool[3];
  NEED(cuMemAlloc(&big, 1 << 26));
  for (int i = 0; i < 3; i++)
    NEED(cuMemAlloc(&small[i], 4096));
  printf("small allocations at +%lld, +%lld\n", (long long)(small[1] - small[0]),
         (long long)(small[2] - small[0]));
  for (int i = 0; i < 3; i++)
    fits(kernel, small[i], big, 4096, "cuMemAlloc");
  fits(kernel, small[1] + 400, big, 3696, "inside of that");
  for (int i = 0; i < 3; i++)
    NEED(cuMemAllocAsync(&pool[i], 4096, NULL));
  NEED(cuStreamSynchronize(NULL));
  printf("pool allocations at +%lld, +%lld\n", (long long)(pool[1] - pool[0]),
         (long long)(pool[2] - pool[0]));
  for (int i = 0; i < 3; i++)
    fits(kernel, pool[i], big, 4096, "cuMemAllocAsync");
  for (int i = 0; i < 3; i++)
    NEED(cuMemFreeAsync(pool[i], NULL));
  NEED(cuStreamSynchronize(NULL));
  mapped_memory(kernel, big);
  host_memory(kernel, big);
  NEED(cuMemFree(small[1]));
  gsrt_status status = check(kernel, small[1], big, 4);
  printf("%-28s %s\n", "freed", gsrt_status_name(status));
  CHECK_NUMBER(status, GSRT_POINTER_UNKNOWN);
  status = check(kernel, big, big + 1024, 1024);
  CHECK_NUMBER(status, GSRT_OVERLAP);
  NEED(cuMemFree(small[0]));
  NEED(cuMemFree(small[2]));
  NEED(cuMemFree(big));
  gsrt_module_unload(module);
}

// -------------------------------------------------------------------- limits ----

/// The runtime must refuse what the driver refuses, and nothing else.
static void agrees(gsrt_kernel *kernel, gsrt_config config, const char *what) {
  int n = 0;
  fixture_args args = {NULL, NULL, n, {0, 0, NULL}};
  void *params[] = {&args.a, &args.c, &args.n, &args.p};
  memset(&log_, 0, sizeof log_);
  gsrt_status mine = gsrt_launch_check(kernel, &config, (const void *const *)params);
  gsrt_set_policy(GSRT_POLICY_OFF);
  gsrt_status driver = gsrt_launch(kernel, &config, params);
  gsrt_set_policy(GSRT_POLICY_ERROR);
  printf("%-28s %s; the driver: %s\n", what, gsrt_status_name(mine),
         driver == GSRT_OK ? "ok" : gsrt_last_message());
  CHECK((mine == GSRT_OK) == (driver == GSRT_OK));
  cuCtxSynchronize();
}

static void limits(void) {
  gsrt_kernel *kernel;
  fixture none = {.clauses = {NULL}};
  gsrt_module *module = load(&none, &kernel);
  gsrt_config c = gsrt_config_1d(1, 1024);
  agrees(kernel, c, "block 1024");
  agrees(kernel, gsrt_config_1d(1, 1025), "block 1025");
  c = gsrt_config_1d(1, 32);
  c.block[1] = 33;
  agrees(kernel, c, "block 32x33");
  c = gsrt_config_1d(1, 1);
  c.block[2] = 65;
  agrees(kernel, c, "block 1x1x65");
  agrees(kernel, gsrt_config_1d(0, 32), "grid 0");
  c = gsrt_config_1d(1, 1);
  c.grid[1] = 65535;
  agrees(kernel, c, "grid.y 65535");
  c.grid[1] = 65536;
  agrees(kernel, c, "grid.y 65536");
  agrees(kernel, gsrt_config_1d(0x80000000u, 1), "grid.x 2^31");
  c = gsrt_config_1d(1, 32);
  for (uint32_t smem = 49152; smem <= 49153; smem++) {
    c.dynamic_smem = smem;
    agrees(kernel, c, smem == 49152 ? "smem 48 KiB" : "smem 48 KiB + 1");
  }
  gsrt_device profile;
  gsrt_device_profile(90, &profile);
  CHECK_NUMBER(gsrt_kernel_allow_smem(kernel, profile.smem_per_block_optin), GSRT_OK);
  c.dynamic_smem = profile.smem_per_block_optin;
  agrees(kernel, c, "smem opted in");
  c.dynamic_smem++;
  agrees(kernel, c, "smem opted in + 1");
  c = gsrt_config_1d(1, 1024);
  c.cooperative = 1;
  for (c.grid[0] = 262; c.grid[0] <= 266; c.grid[0]++) // 132 multiprocessors, 2 blocks each
    agrees(kernel, c, "cooperative");
  c = gsrt_config_1d(16, 32);
  c.cluster[1] = c.cluster[2] = 1;
  for (uint32_t x = 2; x <= 16; x *= 2) {
    c.cluster[0] = x;
    agrees(kernel, c, "cluster");
  }
  c.cluster[0] = 3;
  agrees(kernel, c, "cluster 3 of grid 16");
  gsrt_module_unload(module);
}

// ------------------------------------------------------------- buffers, capture ----

static gsrt_status run(gsrt_kernel *kernel, gsrt_buffer *a, gsrt_buffer *c, int n,
                       CUstream stream) {
  fixture_args args = {.n = n};
  gsrt_arg list[] = {gsrt_arg_buffer(a), gsrt_arg_buffer(c), gsrt_arg_value(&args.n),
                     gsrt_arg_value(&args.p)};
  gsrt_config config = gsrt_config_1d(((uint32_t)n + 255) / 256, 256);
  config.stream = stream;
  return gsrt_launch_args(kernel, &config, list, 4);
}

static void capture(CUstreamCaptureMode mode) {
  enum { N = 4096 };
  static float data[N];
  gsrt_kernel *kernel;
  gsrt_module *module = load(&claims, &kernel);
  gsrt_buffer *a, *c;
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  for (int i = 0; i < N; i++)
    data[i] = (float)i;
  CHECK_NUMBER(gsrt_buffer_upload(data, sizeof data, &a), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_alloc(sizeof data, &c), GSRT_OK);
  NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_NUMBER(run(kernel, a, c, N, stream), GSRT_OK); // a use before the capture
  NEED(cuStreamSynchronize(stream));
  NEED(cuStreamBeginCapture(stream, mode));
  CHECK_NUMBER(run(kernel, a, c, N, stream), GSRT_OK);
  if (failures)
    fprintf(stderr, "%s\n", gsrt_last_message());
  CHECK_NUMBER(run(kernel, a, c, N + 1, stream), GSRT_EXTENT); // checked in a capture too
  CHECK_NUMBER(run(kernel, c, a, N, stream), GSRT_OK);
  NEED(cuStreamEndCapture(stream, &graph));
  NEED(cuGraphInstantiateWithFlags(&exec, graph, 0));
  NEED(cuGraphLaunch(exec, stream));
  NEED(cuStreamSynchronize(stream));
  CHECK_NUMBER(gsrt_buffer_download(a, data), GSRT_OK);
  CHECK(data[1] == 4 && data[N - 1] == 4 * (N - 1));
  CHECK_NUMBER(gsrt_buffer_free(a), GSRT_BUFFER_CAPTURED);
  NEED(cuGraphExecDestroy(exec));
  NEED(cuGraphDestroy(graph));
  gsrt_buffer_release_graphs(a);
  gsrt_buffer_release_graphs(c);
  CHECK_NUMBER(gsrt_buffer_free(a), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_free(c), GSRT_OK);
  NEED(cuStreamDestroy(stream));
  gsrt_module_unload(module);
}

/// A chain of doublings that hops between streams: wrong order gives wrong results.
static void hops(void) {
  enum { N = 1 << 20, STEPS = 40 };
  static float data[N];
  gsrt_kernel *kernel;
  gsrt_module *module = load(&claims, &kernel);
  gsrt_buffer *pair[2];
  CUstream streams[3];
  unsigned wrong = 0;
  for (int i = 0; i < 3; i++)
    NEED(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
  for (int i = 0; i < N; i++)
    data[i] = 1 + (float)(i % 7);
  CHECK_NUMBER(gsrt_buffer_upload(data, sizeof data, &pair[0]), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_alloc(sizeof data, &pair[1]), GSRT_OK);
  for (int i = 0; i < STEPS; i++)
    CHECK_NUMBER(run(kernel, pair[i % 2], pair[1 - i % 2], N, streams[i % 3]), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_download(pair[STEPS % 2], data), GSRT_OK);
  for (int i = 0; i < N; i++)
    wrong += data[i] != (1 + (float)(i % 7)) * (float)(1ll << STEPS);
  CHECK_NUMBER(wrong, 0);
  CHECK_NUMBER(run(kernel, pair[0], pair[1], N, streams[0]), GSRT_OK);
  CHECK_NUMBER(gsrt_buffer_free(pair[1]), GSRT_OK); // in use: waits
  CHECK_NUMBER(gsrt_buffer_free(pair[0]), GSRT_OK);
  for (int i = 0; i < 3; i++)
    NEED(cuStreamDestroy(streams[i]));
  gsrt_module_unload(module);
}

static CUcontext context;
static gsrt_kernel *shared_kernel;

static void *worker(void *user) {
  enum { N = 10000 };
  static const float zero[N];
  gsrt_buffer *a, *c;
  uintptr_t wrong = 0;
  float out[4];
  (void)user;
  if (cuCtxSetCurrent(context) != CUDA_SUCCESS ||
      gsrt_buffer_upload(zero, sizeof zero, &a) != GSRT_OK ||
      gsrt_buffer_alloc(sizeof zero, &c) != GSRT_OK)
    return (void *)1;
  for (int i = 0; i < 300; i++) {
    float x = (float)i;
    wrong += gsrt_buffer_write(a, 4, &x, 4) != GSRT_OK;
    wrong += run(shared_kernel, a, c, N - i, CU_STREAM_PER_THREAD) != GSRT_OK;
    wrong += run(shared_kernel, a, c, N + 1, CU_STREAM_PER_THREAD) != GSRT_EXTENT;
    wrong += gsrt_buffer_read(c, 0, out, sizeof out) != GSRT_OK || out[1] != 2 * x;
  }
  wrong += gsrt_buffer_free(a) != GSRT_OK;
  wrong += gsrt_buffer_free(c) != GSRT_OK;
  return (void *)wrong;
}

static void ignore(void *user, const gsrt_violation *violation) {
  (void)user;
  (void)violation;
}

static void threads(void) {
  pthread_t ids[8];
  gsrt_module *module = load(&claims, &shared_kernel);
  NEED(cuCtxGetCurrent(&context));
  gsrt_set_callback(ignore, NULL);
  for (int i = 0; i < 8; i++)
    pthread_create(&ids[i], NULL, worker, NULL);
  for (int i = 0; i < 8; i++) {
    void *wrong = &module;
    pthread_join(ids[i], &wrong);
    CHECK(wrong == NULL);
  }
  gsrt_set_callback(fixture_see, &log_);
  gsrt_module_unload(module);
}

static void expect_fact(const gsrt_fact *fact, CUstream stream, gsrt_fact_answer want,
                        uint64_t index, uint64_t other) {
  gsrt_fact_break found;
  CHECK_NUMBER(gsrt_data_test(gsrt_driver_get(), stream, fact, &found), want);
  if (want == GSRT_FACT_BROKEN) {
    CHECK_NUMBER(found.index, index);
    CHECK_NUMBER(found.other, other);
  }
}

/// A million numbers, each once; then with mistakes.
static void large_facts(CUstream stream) {
  enum { N = 1 << 20 };
  static int host[N];
  CUdeviceptr p;
  for (int i = 0; i < N; i++)
    host[i] = (int)((unsigned)i * 1664525u % N); // an odd factor: a permutation
  NEED(cuMemAlloc(&p, sizeof host));
  NEED(cuMemcpyHtoD(p, host, sizeof host));
  gsrt_fact fact = {GS_EXPR_INJECTIVE, p, N, 0, N, 4 | GSRT_DATA_SIGNED};
  expect_fact(&fact, stream, GSRT_FACT_HOLDS, 0, 0);
  fact.op = GS_EXPR_IN_RANGE;
  expect_fact(&fact, stream, GSRT_FACT_HOLDS, 0, 0);
  fact.op = GS_EXPR_MONOTONE;
  expect_fact(&fact, stream, GSRT_FACT_BROKEN, 1, 2);
  host[700001] = host[900000] = host[5];
  host[300000] = N;
  NEED(cuMemcpyHtoD(p, host, sizeof host));
  fact.op = GS_EXPR_INJECTIVE;
  expect_fact(&fact, stream, GSRT_FACT_BROKEN, 700001, 5);
  fact.op = GS_EXPR_IN_RANGE;
  expect_fact(&fact, stream, GSRT_FACT_BROKEN, 300000, UINT64_MAX);
  NEED(cuMemsetD32(p, 7, N)); // everybody wants one slot
  fact.op = GS_EXPR_INJECTIVE;
  expect_fact(&fact, stream, GSRT_FACT_BROKEN, 1, 0);
  fact.op = GS_EXPR_MONOTONE;
  expect_fact(&fact, stream, GSRT_FACT_HOLDS, 0, 0);
  fact.op = GS_EXPR_STRICTLY_MONOTONE;
  expect_fact(&fact, stream, GSRT_FACT_BROKEN, 0, 1);
  NEED(cuMemFree(p));
}

/// Clauses of a launch, and a capture that they leave alone.
static void launched_facts(CUstream stream) {
  fixture f = {.clauses = {"strictly_monotone(a, n)"}};
  gsrt_kernel *kernel = NULL;
  gsrt_module *module = load(&f, &kernel);
  float host[64];
  CUdeviceptr a, c;
  CUgraph graph;
  for (int i = 0; i < 64; i++)
    host[i] = (float)i;
  NEED(cuMemAlloc(&a, sizeof host));
  NEED(cuMemAlloc(&c, sizeof host));
  NEED(cuMemcpyHtoD(a, host, sizeof host));
  int n = 64;
  char p[16] = {0};
  void *params[] = {&a, &c, &n, p};
  gsrt_config config = gsrt_config_1d(1, 64);
  config.stream = stream;
  CHECK_NUMBER(gsrt_launch(kernel, &config, params), GSRT_OK);
  host[40] = host[39];
  NEED(cuMemcpyHtoD(a, host, sizeof host));
  memset(&log_, 0, sizeof log_);
  CHECK_NUMBER(gsrt_launch(kernel, &config, params), GSRT_DATA);
  CHECK(strstr(log_.first, "does not hold: a[39] is 39, and a[40] is 39") != NULL);
  NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK_NUMBER(gsrt_launch(kernel, &config, params), GSRT_OK); // not tested, and counted so
  NEED(cuStreamEndCapture(stream, &graph));
  NEED(cuGraphDestroy(graph));
  NEED(cuMemFree(a));
  NEED(cuMemFree(c));
  gsrt_module_unload(module);
}

static void data(void) {
  CUstream stream;
  NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  gsrt_set_data_checks(1);
  large_facts(NULL);
  large_facts(stream);
  launched_facts(stream);
  gsrt_set_data_checks(0);
  NEED(cuStreamDestroy(stream));
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  ptx = read_text(argv[1]);
  gsrt_set_callback(fixture_see, &log_);
  memory();
  limits();
  capture(CU_STREAM_CAPTURE_MODE_GLOBAL);
  capture(CU_STREAM_CAPTURE_MODE_RELAXED);
  hops();
  threads();
  data();
  free(ptx);
  return check_result("gpu_test");
}
