// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checked launches through the stand-in driver: modules, limits, pointers, cache,
/// policies, log, threads.
#include "fake_cuda.h"
#include "fixture.h"

#include <pthread.h>
#include <unistd.h>

/// The program is linked with --wrap: what the runtime allocates is counted.
static _Atomic unsigned allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  allocations++;
  return __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
  allocations++;
  return __real_realloc(old, size);
}

static seen log_;
static fixture_args args;
static void *params[] = {&args.a, &args.c, &args.n, &args.p};

/// A module with one kernel _Z1k and, unless it is NULL, its contract.
typedef struct loaded {
  fake_kernel kernels[2];
  fake_global globals[2];
  fake_image image;
  void *block;
  gsrt_module *module;
  gsrt_kernel *kernel;
} loaded;

static void load(loaded *l, const fixture *f) {
  fake_kernel kernel = FAKE_KERNEL("_Z1k", NULL);
  memset(l, 0, sizeof *l);
  memset(&log_, 0, sizeof log_);
  l->kernels[0] = kernel;
  if (f) {
    l->block = fixture_build(f, &l->globals[0].size);
    l->globals[0].name = "__gpusafe_contract__Z1k";
    l->globals[0].bytes = l->block;
  }
  l->image = (fake_image){FAKE_MODULE_MAGIC, l->kernels, l->globals};
  CHECK_NUMBER(gsrt_module_load(&l->image, &l->module), GSRT_OK);
  CHECK_NUMBER(gsrt_kernel_get(l->module, "_Z1k", &l->kernel), GSRT_OK);
}

static void unload(loaded *l) {
  gsrt_module_unload(l->module);
  free(l->block);
}

/// Launches; the violation, if any, is the only one, and nothing is launched then.
static void launch(loaded *l, gsrt_config config, gsrt_status want, const char *message) {
  unsigned before = fake_last_launch()->count;
  memset(&log_, 0, sizeof log_);
  CHECK_NUMBER(gsrt_launch(l->kernel, &config, params), want);
  CHECK_NUMBER(fake_last_launch()->count - before, want == GSRT_OK);
  CHECK_TEXT(log_.first, message);
  if (log_.count > 1)
    CHECK_TEXT(log_.last, "only one violation");
}

static void reset_args(void) {
  fake_reset();
  fake_add_memory(0x10000, 4000, 0, FAKE_DEVICE, 0, 0);
  fake_add_memory(0x20000, 4000, 0, FAKE_DEVICE, 0, 0);
  args = (fixture_args){(void *)0x10000, (void *)0x20000, 1000, {1, 0, NULL}};
}

static void plain(void) {
  loaded l;
  fixture f = {.clauses = {"grid.x * block.x >= n"}};
  reset_args();
  load(&l, &f);
  CHECK(gsrt_kernel_has_contract(l.kernel));
  launch(&l, gsrt_config_1d(4, 256), GSRT_OK, "");
  const fake_launch *made = fake_last_launch();
  CHECK(made->grid[0] == 4 && made->block[0] == 256 && made->grid[1] == 1 && !made->cooperative);
  launch(&l, gsrt_config_1d(3, 256), GSRT_CLAUSE,
         "k.cu:7:1: gpusafe: kernel 'k': 'grid.x * block.x >= n' does not hold: 768 >= 1000 is "
         "false (grid.x = 3, block.x = 256, n = 1000) [clause]");
  gsrt_config c = gsrt_config_1d(4, 256);
  c.cooperative = 1;
  launch(&l, c, GSRT_OK, "");
  CHECK_NUMBER(fake_last_launch()->cooperative, 1);
  c.cluster[0] = 2;
  c.cluster[1] = c.cluster[2] = 1;
  launch(&l, c, GSRT_OK, "");
  CHECK(fake_last_launch()->cooperative == 1 && fake_last_launch()->cluster[0] == 2);
  CHECK_NUMBER(gsrt_launch_check(l.kernel, &c, (const void *const *)params), GSRT_OK);
  gsrt_kernel *again = NULL;
  CHECK_NUMBER(gsrt_kernel_get(l.module, "_Z1k", &again), GSRT_OK);
  CHECK(again == l.kernel);
  CHECK_NUMBER(gsrt_kernel_get(l.module, "nope", &again), GSRT_ERROR_NOT_FOUND);
  CHECK_TEXT(gsrt_last_message(), "the module has no kernel 'nope'");
  unload(&l);
}

static void device_limits(void) {
  loaded l;
  reset_args();
  load(&l, NULL);
  CHECK(!gsrt_kernel_has_contract(l.kernel));
  gsrt_config c = gsrt_config_1d(1, 1);
  c.grid[1] = 70000;
  launch(&l, c, GSRT_GRID_LIMIT,
         "gpusafe: kernel '_Z1k': grid.y is 70000; device 0 (Stand-in) allows 65535 [grid-limit]");
  c = gsrt_config_1d(1, 32);
  c.dynamic_smem = 60000;
  launch(&l, c, GSRT_SHARED_OPT_IN,
         "gpusafe: kernel '_Z1k': 60000 bytes of dynamic shared memory; the kernel is set to at "
         "most 49152: raise its MaxDynamicSharedMemorySize attribute first (device 0 (Stand-in) "
         "allows 232448) [shared-opt-in]");
  CHECK_NUMBER(gsrt_kernel_allow_smem(l.kernel, 60000), GSRT_OK);
  launch(&l, c, GSRT_OK, "");
  c = gsrt_config_1d(264, 1024);
  c.cooperative = 1;
  launch(&l, c, GSRT_OK, "");
  c.grid[0]++;
  launch(&l, c, GSRT_COOPERATIVE_RESIDENCY,
         "gpusafe: kernel '_Z1k': a cooperative grid of 265 blocks; device 0 (Stand-in) holds 264 "
         "of them at once (2 on each of 132 multiprocessors) [cooperative-residency]");
  c = gsrt_config_1d(2, 32);
  c.cluster[0] = 2;
  c.cluster[1] = c.cluster[2] = 1;
  CHECK_NUMBER(gsrt_kernel_allow_smem(l.kernel, 210000), GSRT_OK);
  c.dynamic_smem = 210000;
  launch(&l, c, GSRT_CLUSTER_RESIDENCY,
         "gpusafe: kernel '_Z1k': no cluster of (2, 1, 1) such blocks fits onto device 0 "
         "(Stand-in) [cluster-residency]");
  unload(&l);
  load(&l, NULL);
  unload(&l);
}

/// Attributes that the compiled function brings.
static void function_limits(void) {
  loaded l;
  fake_kernel kernel = FAKE_KERNEL("_Z1k", NULL);
  reset_args();
  load(&l, NULL);
  gsrt_module_unload(l.module);
  kernel.attributes[0] = 256;
  kernel.attributes[3] = 1 << 20; // local memory
  l.kernels[0] = kernel;
  CHECK_NUMBER(gsrt_module_load(&l.image, &l.module), GSRT_OK);
  CHECK_NUMBER(gsrt_kernel_get(l.module, "_Z1k", &l.kernel), GSRT_OK);
  launch(&l, gsrt_config_1d(1, 256), GSRT_LOCAL_MEMORY,
         "gpusafe: kernel '_Z1k': 1048576 bytes of local memory for each of 270336 resident "
         "threads exceed the 137438953472 bytes of device 0 (Stand-in) [local-memory]");
  gsrt_module_unload(l.module);
  kernel.attributes[3] = 0;
  kernel.attributes[14] = 1; // clusters above the portable size
  l.kernels[0] = kernel;
  CHECK_NUMBER(gsrt_module_load(&l.image, &l.module), GSRT_OK);
  CHECK_NUMBER(gsrt_kernel_get(l.module, "_Z1k", &l.kernel), GSRT_OK);
  launch(&l, gsrt_config_1d(1, 257), GSRT_THREADS_FUNCTION,
         "gpusafe: kernel '_Z1k': a block of 257 threads; the kernel was compiled for at most 256 "
         "[threads-function]");
  gsrt_config c = gsrt_config_1d(16, 32);
  c.cluster[0] = 16;
  c.cluster[1] = c.cluster[2] = 1;
  launch(&l, c, GSRT_OK, "");
  unload(&l);
}

static const fixture claims = {.claims = {{GS_DESC_EXTENT, 0, "n"}, {GS_DESC_EXCLUSIVE, 1, "n"}},
                               .claim_count = 2};

static void extents(void) {
  loaded l;
  gsrt_config c = gsrt_config_1d(1, 32);
  reset_args();
  load(&l, &claims);
  launch(&l, c, GSRT_OK, "");
  args.n = 1001;
  memset(&log_, 0, sizeof log_);
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, params), GSRT_EXTENT);
  CHECK_NUMBER(log_.count, 2); // a and c
  CHECK_TEXT(log_.first,
             "k.cu:10:5: gpusafe: kernel 'k': a needs 1001 elements, 4004 bytes; its allocation "
             "has 4000 bytes from there on [extent]");
  args.n = 1000;
  args.a = (void *)0x10004;
  launch(&l, c, GSRT_EXTENT,
         "k.cu:10:5: gpusafe: kernel 'k': a needs 1000 elements, 4000 bytes; its allocation has "
         "3996 bytes from there on [extent]");
  args.a = (void *)0x10002;
  args.n = 900;
  launch(&l, c, GSRT_ALIGNMENT,
         "k.cu:10:5: gpusafe: kernel 'k': a = 0x10002 is not aligned to the 4 bytes of its type "
         "[alignment]");
  args.a = NULL;
  launch(&l, c, GSRT_POINTER_NULL,
         "k.cu:10:5: gpusafe: kernel 'k': a is null, but has 900 elements [pointer-null]");
  args.a = &args;
  launch(&l, c, GSRT_POINTER_UNKNOWN, log_.first[0] ? gsrt_last_message() : "");
  CHECK_NUMBER(log_.codes[0], GSRT_POINTER_UNKNOWN);
  args.a = (void *)0x10000;
  args.n = -1;
  memset(&log_, 0, sizeof log_);
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, params), GSRT_COUNT_NEGATIVE);
  args.n = 0;
  args.a = args.c = NULL;
  launch(&l, c, GSRT_OK, "");
  unload(&l);
}

static void kinds_of_memory(void) {
  loaded l;
  gsrt_config c = gsrt_config_1d(1, 32);
  reset_args();
  load(&l, &claims);
  fake_add_memory(0x30000, 4000, 1, FAKE_DEVICE, 0, 0);
  args.a = (void *)0x30000;
  launch(&l, c, GSRT_POINTER_DEVICE,
         "k.cu:10:5: gpusafe: kernel 'k': a = 0x30000 lies on device 1, which device 0 cannot "
         "access [pointer-device]");
  fake_set_peer(1);
  launch(&l, c, GSRT_OK, "");
  fake_set_peer(0);
  fake_fail("cuPointerGetAttribute", 1); // a driver without access flags
  launch(&l, c, GSRT_POINTER_DEVICE, gsrt_last_message());
  fake_add_memory(0x40000, 4000, 1, FAKE_MANAGED, 0, 0);
  args.a = (void *)0x40000;
  launch(&l, c, GSRT_OK, "");
  fake_add_memory(0x50000, 3000, 0, FAKE_HOST, 0, 0);
  args.a = (void *)0x50000;
  launch(&l, c, GSRT_EXTENT,
         "k.cu:10:5: gpusafe: kernel 'k': a needs 1000 elements, 4000 bytes; its allocation has "
         "3000 bytes from there on [extent]");
  args.a = (void *)0x60000; // unknown, but the device reads host memory
  fake_set_attribute(0, 88, 1);
  gsrt_counters before = {.struct_size = sizeof before}, after = before;
  gsrt_get_counters(&before);
  launch(&l, c, GSRT_OK, "");
  gsrt_get_counters(&after);
  CHECK_NUMBER(after.unchecked - before.unchecked, 1);
  CHECK_NUMBER(after.pointers - before.pointers, 2);
  unload(&l);
}

/// Memory mapped in pieces is one range; neighbours are not.
static void pieces(void) {
  loaded l;
  gsrt_config c = gsrt_config_1d(1, 32);
  reset_args();
  load(&l, &claims);
  fake_add_memory(0x100000, 2000, 0, FAKE_DEVICE, 0x100000, 8000);
  fake_add_memory(0x100000 + 2000, 2000, 0, FAKE_DEVICE, 0x100000, 8000);
  args.a = (void *)0x100000;
  launch(&l, c, GSRT_OK, "");
  args.n = 1001;
  args.c = (void *)0x200000;
  fake_add_memory(0x200000, 8000, 0, FAKE_DEVICE, 0, 0);
  launch(&l, c, GSRT_EXTENT,
         "k.cu:10:5: gpusafe: kernel 'k': a needs 1001 elements, 4004 bytes; its allocation has "
         "4000 bytes from there on [extent]");
  fake_add_memory(0x300000, 2000, 0, FAKE_DEVICE, 0, 0);
  fake_add_memory(0x300000 + 2000, 4000, 0, FAKE_DEVICE, 0, 0);
  args.a = (void *)0x300000;
  launch(&l, c, GSRT_EXTENT,
         "k.cu:10:5: gpusafe: kernel 'k': a needs 1001 elements, 4004 bytes; its allocation has "
         "2000 bytes from there on [extent]");
  fake_add_memory(0x400000, 2000, 0, FAKE_POOL, 0x400000, 100000);
  fake_add_memory(0x400000 + 2000, 4000, 0, FAKE_POOL, 0x400000, 100000);
  args.a = (void *)0x400000;
  launch(&l, c, GSRT_EXTENT,
         "k.cu:10:5: gpusafe: kernel 'k': a needs 1001 elements, 4004 bytes; its allocation has "
         "2000 bytes from there on [extent]");
  unload(&l);
}

static void overlap(void) {
  loaded l;
  gsrt_config c = gsrt_config_1d(1, 32);
  reset_args();
  load(&l, &claims);
  args.n = 500;
  args.c = (void *)(0x10000 + 1996);
  launch(&l, c, GSRT_OVERLAP,
         "k.cu:10:6: gpusafe: kernel 'k': c, 0x107cc to 0x10f9c, overlaps a, 0x10000 to 0x107d0 "
         "[overlap]");
  args.c = (void *)(0x10000 + 2000);
  launch(&l, c, GSRT_OK, "");
  args.p.map = (void *)(0x10000 + 2100);
  launch(&l, c, GSRT_OVERLAP,
         "k.cu:10:6: gpusafe: kernel 'k': c, 0x107d0 to 0x10fa0, overlaps p.map = 0x10834 "
         "[overlap]");
  unload(&l);
  fixture f = {.fixed = {.assumptions = GS_DESC_ASSUME_NO_ALIAS},
               .claims = {{GS_DESC_EXTENT, 0, "n"}, {GS_DESC_DISJOINT, 1, "n"}},
               .claim_count = 2};
  reset_args();
  load(&l, &f);
  launch(&l, c, GSRT_OK, "");
  args.c = (void *)(uintptr_t)args.a;
  launch(&l, c, GSRT_OVERLAP,
         "k.cu:10:5: gpusafe: kernel 'k': a, 0x10000 to 0x10fa0, overlaps c, 0x10000 to 0x10fa0, "
         "which the proof takes to be apart [overlap]");
  unload(&l);
  f.claim_count = 1;
  f.claims[0] = (fixture_claim){GS_DESC_EXCLUSIVE, 0, "n"};
  load(&l, &f); // c has no count
  launch(&l, c, GSRT_OVERLAP,
         "k.cu:10:5: gpusafe: kernel 'k': a, 0x10000 to 0x10fa0, overlaps c = 0x10000 [overlap]");
  unload(&l);
}

static void clause_pointers(void) {
  loaded l;
  fixture f = {.clauses = {"extent(c) >= n && aligned(c, 16)"}};
  gsrt_config c = gsrt_config_1d(1, 32);
  reset_args();
  load(&l, &f);
  launch(&l, c, GSRT_OK, "");
  args.n = 1001;
  launch(&l, c, GSRT_CLAUSE,
         "k.cu:7:1: gpusafe: kernel 'k': 'extent(c) >= n && aligned(c, 16)' does not hold: 1000 >= "
         "1001 is false (c = 0x20000, n = 1001) [clause]");
  args.c = (void *)0x99999;
  launch(&l, c, GSRT_CLAUSE_VALUE,
         "k.cu:7:1: gpusafe: kernel 'k': 'extent(c) >= n && aligned(c, 16)' has no value: a "
         "pointer about which nothing is known (c = 0x99999, n = 1001) [clause-value]");
  unload(&l);
}

/// A configuration that was found valid costs no query but those for pointers.
static void cache(void) {
  loaded l;
  fixture f = {.clauses = {"block.x == 64", "n < 2000"}};
  gsrt_config c = gsrt_config_1d(2, 64);
  reset_args();
  load(&l, &f);
  launch(&l, c, GSRT_OK, "");
  unsigned calls = fake_calls(NULL), allocated = allocations;
  launch(&l, c, GSRT_OK, "");
  CHECK_NUMBER(fake_calls(NULL) - calls, 2); // cuCtxGetCurrent, cuLaunchKernel
  CHECK(allocated > 0 && allocations == allocated);
  args.n = 2000;
  launch(&l, c, GSRT_CLAUSE,
         "k.cu:7:2: gpusafe: kernel 'k': 'n < 2000' does not hold: 2000 < 2000 is false (n = 2000) "
         "[clause]");
  args.n = 1;
  c.block[0] = 65;
  for (int i = 0; i < 3; i++) // what is wrong is not cached
    launch(&l, c, GSRT_CLAUSE,
           "k.cu:7:1: gpusafe: kernel 'k': 'block.x == 64' does not hold: 65 == 64 is false "
           "(block.x = 65) [clause]");
  c.block[0] = 64;
  fake_set_current(1); // another context, another device
  calls = fake_calls("cuFuncGetAttribute");
  launch(&l, c, GSRT_OK, "");
  CHECK(fake_calls("cuFuncGetAttribute") > calls);
  void *stream = fake_stream_new(0);
  c.stream = stream;
  launch(&l, c, GSRT_STREAM_CONTEXT,
         "gpusafe: kernel 'k': the stream belongs to another context than the one that is current "
         "[stream-context]");
  fake_set_current(0);
  launch(&l, c, GSRT_OK, "");
  CHECK(fake_last_launch()->stream == stream);
  gsrt_counters counters = {.struct_size = sizeof counters};
  gsrt_get_counters(&counters);
  CHECK(counters.launches > counters.cache_hits && counters.cache_hits >= 4);
  for (uint32_t i = 1; i < 200; i++) { // slots are reused
    c.grid[0] = i;
    launch(&l, c, GSRT_OK, "");
  }
  free(stream);
  unload(&l);
}

/// Arguments that were found valid are not looked at again, others always are; a pointer's
/// clauses every time.
static void remembered(void) {
  loaded l;
  fixture f = {.clauses = {"n > 0 && p.width < 9", "grid.x * block.x >= n", "aligned(a, 16)"}};
  gsrt_config c = gsrt_config_1d(4, 256);
  reset_args();
  load(&l, &f);
  for (int round = 0; round < 3; round++) {
    args.n = 1000;
    args.p.width = 8;
    launch(&l, c, GSRT_OK, "");
    args.p.width = 9;
    launch(&l, c, GSRT_CLAUSE,
           "k.cu:7:1: gpusafe: kernel 'k': 'n > 0 && p.width < 9' does not hold: 9 < 9 is false "
           "(n = 1000, p.width = 9) [clause]");
    args.p.width = 8;
    args.a = (void *)0x10004;
    launch(&l, c, GSRT_CLAUSE,
           "k.cu:7:3: gpusafe: kernel 'k': 'aligned(a, 16)' does not hold (a = 0x10004) [clause]");
    args.a = (void *)0x10000;
    args.n = 1024 + round / 2; // the last of them is one too many
    launch(&l, c, round < 2 ? GSRT_OK : GSRT_CLAUSE,
           round < 2 ? ""
                     : "k.cu:7:2: gpusafe: kernel 'k': 'grid.x * block.x >= n' does not hold: 1024 "
                       ">= 1025 is false (grid.x = 4, block.x = 256, n = 1025) [clause]");
  }
  c.grid[0] = 5; // another configuration has other answers
  args.n = 1025;
  launch(&l, c, GSRT_OK, "");
  unload(&l);
}

/// Code that takes the contract for granted is not launched against it.
static void enforced(void) {
  loaded l;
  fixture f = {.fixed = {.assumptions = GS_DESC_CODEGEN, .required_block = {64, 1, 1}}};
  const char *message = "gpusafe: kernel 'k': block is (65, 1, 1); the kernel was compiled for "
                        "(64, 1, 1) [required-block]";
  reset_args();
  load(&l, &f);
  for (int policy = GSRT_POLICY_ERROR; policy <= GSRT_POLICY_OFF; policy++) {
    if (policy == GSRT_POLICY_ABORT)
      continue;
    gsrt_set_policy((gsrt_policy)policy);
    launch(&l, gsrt_config_1d(1, 65), GSRT_REQUIRED_BLOCK, message);
    launch(&l, gsrt_config_1d(1, 64), GSRT_OK, "");
  }
  gsrt_set_policy(GSRT_POLICY_ERROR);
  unload(&l);
}

static void policies(void) {
  loaded l;
  fixture f = {.clauses = {"block.x == 64"}};
  gsrt_config c = gsrt_config_1d(1, 32);
  reset_args();
  load(&l, &f);
  unsigned before = fake_last_launch()->count;
  gsrt_set_policy(GSRT_POLICY_WARN);
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, params), GSRT_OK);
  CHECK_NUMBER(log_.count, 1);
  gsrt_set_policy(GSRT_POLICY_OFF);
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, params), GSRT_OK);
  CHECK_NUMBER(log_.count, 1);
  CHECK_NUMBER(fake_last_launch()->count - before, 2);
  gsrt_set_policy((gsrt_policy)77);
  CHECK_NUMBER(gsrt_get_policy(), GSRT_POLICY_OFF);
  gsrt_set_policy(GSRT_POLICY_ERROR);
  unload(&l);
}

static void log_file(void) {
  loaded l;
  fixture f = {.clauses = {"block.x == 64 && n != 3"}};
  gsrt_config c = gsrt_config_1d(1, 32);
  char path[] = "/tmp/gsrt_log_XXXXXX", line[2048] = "";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  reset_args();
  load(&l, &f);
  CHECK_NUMBER(gsrt_set_log(path), GSRT_OK);
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, params), GSRT_CLAUSE);
  CHECK_NUMBER(gsrt_set_log(NULL), GSRT_OK);
  CHECK(read(fd, line, sizeof line - 1) > 0);
  CHECK_TEXT(
      line, "{\"version\":1,\"number\":100,\"code\":\"clause\",\"line\":7,\"column\":1,\"grid\":[1,"
            "1,1],\"block\":[32,1,1],\"cluster\":[0,0,0],\"dynamic_smem\":0,\"kernel\":\"k\","
            "\"file\":\"k.cu\",\"clause\":\"block.x == 64 && n != 3\",\"message\":\"k.cu:7:1: "
            "gpusafe: kernel 'k': 'block.x == 64 && n != 3' does not hold: 32 == 64 is false "
            "(block.x = 32, n = 1000) [clause]\"}\n");
  CHECK_NUMBER(gsrt_set_log("/nonexistent/x"), GSRT_ERROR_NOT_FOUND);
  close(fd);
  unlink(path);
  unload(&l);
}

static void failures_of_the_driver(void) {
  loaded l;
  gsrt_config c = gsrt_config_1d(1, 32);
  gsrt_module *module = NULL;
  gsrt_kernel *kernel = NULL;
  uint32_t nothing[4] = {0};
  reset_args();
  CHECK_NUMBER(gsrt_module_load(nothing, &module), GSRT_ERROR_DRIVER);
  CHECK_TEXT(gsrt_last_message(), "cuModuleLoadData: CUDA_ERROR_INVALID_VALUE (1)");
  CHECK_NUMBER(gsrt_module_load_file("/nonexistent", &module), GSRT_ERROR_NOT_FOUND);
  load(&l, NULL);
  fake_fail("cuLaunchKernel", 700);
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, params), GSRT_ERROR_DRIVER);
  CHECK_TEXT(gsrt_last_message(), "cuLaunchKernel: ? (700)");
  fake_set_current(-1);
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, params), GSRT_ERROR_DRIVER);
  CHECK_TEXT(gsrt_last_message(),
             "a launch without a current context: CUDA_ERROR_INVALID_CONTEXT (201)");
  fake_fail("cuModuleGetGlobal_v2", 1);
  CHECK_NUMBER(gsrt_kernel_get(l.module, "_Z1k", &kernel), GSRT_OK); // known already
  unload(&l);
  reset_args();
  fake_set_current(-1); // a program without a context gets one
  load(&l, NULL);
  launch(&l, c, GSRT_OK, "");
  unload(&l);
}

static void misuse(void) {
  loaded l;
  fixture f = {.clauses = {"n > 0"}};
  gsrt_config c = gsrt_config_1d(1, 32);
  gsrt_kernel *kernel = NULL;
  reset_args();
  load(&l, &f);
  CHECK_NUMBER(gsrt_launch(NULL, &c, params), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_launch(l.kernel, NULL, params), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, NULL), GSRT_ERROR_ARGUMENT);
  CHECK_TEXT(gsrt_last_message(), "a launch of '_Z1k' without its arguments");
  c.struct_size = 0;
  CHECK_NUMBER(gsrt_launch(l.kernel, &c, params), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_module_load(NULL, NULL), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_kernel_get(l.module, NULL, &kernel), GSRT_ERROR_ARGUMENT);
  CHECK_NUMBER(gsrt_kernel_wrap(&l, "bad", 3, &kernel), GSRT_ERROR_DESCRIPTOR);
  CHECK_TEXT(gsrt_last_message(),
             "the contract of '?': the descriptor is cut off or not aligned to 4 bytes");
  CHECK_NUMBER(gsrt_kernel_wrap(&l, NULL, 0, &kernel), GSRT_OK);
  gsrt_kernel_free(kernel);
  gsrt_kernel_free(NULL);
  gsrt_module_unload(NULL);
  gsrt_get_counters(NULL);
  unload(&l);
}

static void *hammer(void *user) {
  loaded *l = user;
  fixture_args mine = {(void *)0x10000, (void *)0x20000, 100, {1, 0, NULL}};
  void *my_params[] = {&mine.a, &mine.c, &mine.n, &mine.p};
  uintptr_t wrong = 0;
  fake_set_current(0);
  for (uint32_t i = 0; i < 5000; i++) {
    gsrt_config c = gsrt_config_1d(1 + i % 13, 64 + (i % 50 == 0));
    mine.n = i % 7 ? 100 : 3000;
    gsrt_status want = i % 50 == 0 ? GSRT_CLAUSE : i % 7 ? GSRT_OK : GSRT_EXTENT;
    wrong += gsrt_launch(l->kernel, &c, my_params) != want;
  }
  return (void *)wrong;
}

static void ignore(void *user, const gsrt_violation *violation) {
  (void)user;
  (void)violation;
}

static void threads(void) {
  loaded l;
  pthread_t workers[4];
  fixture f = claims;
  f.clauses[0] = "block.x == 64";
  reset_args();
  load(&l, &f);
  gsrt_set_callback(ignore, NULL);
  for (int i = 0; i < 4; i++)
    CHECK_NUMBER(pthread_create(&workers[i], NULL, hammer, &l), 0);
  for (int i = 0; i < 4; i++) {
    void *wrong = &l;
    pthread_join(workers[i], &wrong);
    CHECK(wrong == NULL);
  }
  gsrt_set_callback(fixture_see, &log_);
  unload(&l);
}

int main(void) {
  gsrt_set_callback(fixture_see, &log_);
  plain();
  device_limits();
  function_limits();
  extents();
  kinds_of_memory();
  pieces();
  overlap();
  clause_pointers();
  cache();
  remembered();
  enforced();
  policies();
  log_file();
  failures_of_the_driver();
  misuse();
  threads();
  return check_result("launch_test");
}
