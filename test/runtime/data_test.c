// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Facts about data, through the stand-in driver, which runs the kernels that look for what
/// breaks them on the host: every element type, first offenders, memory that does not hold
/// the elements, captures, failures.
#include "data.h"
#include "data_kernels.h"
#include "fake_cuda.h"
#include "fixture.h"

static seen log_;
static float floats[1000];
static int16_t shorts[1000];
static fixture_args args;
static void *params[] = {&args.a, &args.c, &args.n, &args.p};

/// A kernel with one clause.
typedef struct scene {
  fake_kernel kernels[2];
  void *block;
  gsrt_module *module;
  gsrt_kernel *kernel;
  fake_image image;
} scene;

static void set_up(scene *s, const char *clause) {
  fixture f = {.clauses = {clause}};
  fake_kernel k = FAKE_KERNEL("_Z1k", NULL);
  size_t size = 0;
  memset(s, 0, sizeof *s);
  s->kernels[0] = k;
  s->image = (fake_image){FAKE_MODULE_MAGIC, s->kernels, NULL};
  s->block = fixture_build(&f, &size);
  CHECK_NUMBER(gsrt_module_load(&s->image, &s->module), GSRT_OK);
  CHECK_NUMBER(gsrt_kernel_get(s->module, "_Z1k", &s->kernel), GSRT_OK);
  CHECK_NUMBER(gsrt_kernel_attach(s->kernel, s->block, size), GSRT_OK);
}

static void tear_down(scene *s) {
  gsrt_module_unload(s->module);
  free(s->block);
}

static uint64_t unchecked(void) {
  gsrt_counters counters = {.struct_size = sizeof counters};
  gsrt_get_counters(&counters);
  return counters.unchecked;
}

/// Messages go on with values; "" is none.
static void check_message(const char *want) {
  if (*want && strncmp(log_.first, want, strlen(want)) == 0)
    return;
  CHECK_TEXT(log_.first, want);
}

/// Launches under a clause, with `left` checks that cannot be made.
static void expect_in(void *stream, const char *clause, gsrt_status want, const char *message,
                      unsigned left) {
  scene s;
  gsrt_config config = gsrt_config_1d(1, 32);
  uint64_t before = unchecked();
  set_up(&s, clause);
  memset(&log_, 0, sizeof log_);
  config.stream = stream;
  CHECK_NUMBER(gsrt_launch(s.kernel, &config, params), want);
  check_message(message);
  CHECK_NUMBER(unchecked() - before, left);
  tear_down(&s);
}

static void expect(const char *clause, gsrt_status want, const char *message) {
  expect_in(NULL, clause, want, message, 0);
}

/// The runtime keeps memory of its own, so the stand-in's is not reset.
static void reset(void) {
  static bool done;
  gsrt_set_data_checks(1);
  fake_set_attribute(0, 88, 0);
  for (int i = 0; i < 1000; i++) {
    floats[i] = (float)i / 2;
    shorts[i] = (int16_t)(2 * i - 500);
  }
  if (!done) {
    fake_add_memory((uint64_t)(uintptr_t)floats, sizeof floats, 0, FAKE_DEVICE, 0, 0);
    fake_add_memory((uint64_t)(uintptr_t)shorts, sizeof shorts, 0, FAKE_DEVICE, 0, 0);
  }
  done = true;
  args = (fixture_args){floats, floats, 1000, {1, 0, shorts}};
}

static void clauses(void) {
  reset();
  expect("strictly_monotone(a, n) && injective(p.map, n)", GSRT_OK, "");
  expect("monotone(p.map, n) && in_range(p.map, n, -500, 1499)", GSRT_OK, "");
  expect("in_range(p.map, n, -499, 1499)", GSRT_DATA,
         "k.cu:7:1: gpusafe: kernel 'k': 'in_range(p.map, n, -499, 1499)' does not hold: p.map[0] "
         "is -500, not in [-499, 1499) [data]");
  expect("in_range(p.map, n, -500, 1498)", GSRT_DATA,
         "k.cu:7:1: gpusafe: kernel 'k': 'in_range(p.map, n, -500, 1498)' does not hold: "
         "p.map[999] is 1498, not in [-500, 1498) [data]");
  shorts[701] = shorts[800] = shorts[3];
  expect("injective(p.map, n)", GSRT_DATA,
         "k.cu:7:1: gpusafe: kernel 'k': 'injective(p.map, n)' does not hold: p.map[701] is -494, "
         "as p.map[3] is [data]");
  expect("injective(p.map, 701)", GSRT_OK, "");
  expect("monotone(p.map, n)", GSRT_DATA,
         "k.cu:7:1: gpusafe: kernel 'k': 'monotone(p.map, n)' does not hold: p.map[700] is 900, "
         "and p.map[701] is -494 [data]");
  floats[5] = floats[4];
  expect("monotone(a, n)", GSRT_OK, "");
  expect("strictly_monotone(a, n)", GSRT_DATA,
         "k.cu:7:1: gpusafe: kernel 'k': 'strictly_monotone(a, n)' does not hold: a[4] is 2, and "
         "a[5] is 2 [data]");
  // What decides is what is told.
  expect("injective(p.map, n) || n == 1000", GSRT_OK, "");
  expect("n == 1000 ? monotone(a, n) : injective(a, n)", GSRT_OK, "");
  expect("(injective(p.map, n) || monotone(a, n)) && n < 5", GSRT_CLAUSE,
         "k.cu:7:1: gpusafe: kernel 'k': '(injective(p.map, n) || monotone(a, n)) && n < 5' does "
         "not hold: 1000 < 5 is false (n = 1000, ");
}

static void nothing_said(void) {
  reset();
  args.a = args.p.map = NULL;
  args.n = 1;
  expect("injective(a, n) && monotone(p.map, 0) && in_range(a, 0, 1, 0)", GSRT_OK, "");
  args.n = -1;
  expect("injective(a, n)", GSRT_CLAUSE_VALUE,
         "k.cu:7:1: gpusafe: kernel 'k': 'injective(a, n)' has no value: ");
  gsrt_set_data_checks(0);
  args.n = 1000;
  expect_in(NULL, "injective(a, n)", GSRT_OK, "", 1);
}

/// Elements that are not there are not looked at.
static void memory(void) {
  const char *gone = "k.cu:7:1: gpusafe: kernel 'k': 'monotone(a, n)' has no value: ";
  reset();
  args.n = 1001;
  expect("monotone(a, n)", GSRT_CLAUSE_VALUE, gone);
  args.n = 500;
  args.a = &floats[501];
  expect("monotone(a, n)", GSRT_CLAUSE_VALUE, gone);
  args.n = 499;
  expect("monotone(a, n)", GSRT_OK, "");
  args.a = (const char *)floats + 2;
  expect("monotone(a, n)", GSRT_CLAUSE_VALUE, gone);
  args.a = NULL;
  expect("monotone(a, n)", GSRT_CLAUSE_VALUE, gone);
  fake_set_attribute(0, 88, 1); // the device reads pageable memory, whose end nobody knows
  expect_in(NULL, "monotone(a, n)", GSRT_OK, "", 1);
}

static void trouble(void) {
  void *stream = fake_stream_new(0);
  reset();
  shorts[1] = shorts[0];
  expect_in(stream, "injective(p.map, n)", GSRT_DATA,
            "k.cu:7:1: gpusafe: kernel 'k': 'injective(p.map, n)' does not hold: p.map[1] is -500, "
            "as p.map[0] is [data]",
            0);
  fake_stream_capture(stream, 1);
  unsigned waits = fake_calls("cuStreamSynchronize");
  expect_in(stream, "injective(p.map, n)", GSRT_OK, "", 1);
  CHECK_NUMBER(fake_calls("cuStreamSynchronize"), waits);
  fake_stream_capture(stream, 0);
  static const char *const calls[] = {"cuMemAlloc_v2", "cuLaunchKernel", "cuMemcpyDtoHAsync_v2",
                                      "cuMemcpyHtoDAsync_v2"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    scene s;
    gsrt_config config = gsrt_config_1d(1, 32);
    set_up(&s, "injective(p.map, n)");
    uint64_t before = unchecked();
    fake_fail(calls[i], i == 0 ? 2 : 201); // short of memory, and a context that is gone
    CHECK_NUMBER(gsrt_launch_check(s.kernel, &config, (const void *const *)params), GSRT_OK);
    fake_fail(calls[i], 0);
    CHECK_NUMBER(unchecked() - before, 1);
    tear_down(&s);
  }
  // It works again, though what was loaded was forgotten.
  expect("injective(p.map, n)", GSRT_DATA,
         "k.cu:7:1: gpusafe: kernel 'k': 'injective(p.map, n)' does not hold: p.map[1] is -500, "
         "as p.map[0] is [data]");
  free(stream);
}

/// Every element type, with the offender at a known place.
static void types(void) {
  static const struct {
    uint32_t type;
    uint64_t low, high; ///< as stored; low < high
    int64_t between;
  } rows[] = {{1, 1, 0xFF, 2},
              {2, 1, 0xFFFF, 2},
              {4, 1, 0xFFFFFFFF, 2},
              {8, 1, UINT64_MAX, INT64_MAX},
              {1 | GSRT_DATA_SIGNED, 0xFF, 1, 0},
              {2 | GSRT_DATA_SIGNED, 0xFFFF, 1, 0},
              {4 | GSRT_DATA_SIGNED, 0xFFFFFFFF, 1, 0},
              {8 | GSRT_DATA_SIGNED, UINT64_MAX, 1, 0},
              {4 | GSRT_DATA_FLOAT, 0xBF800000, 0x3F800000, 0},
              {8 | GSRT_DATA_FLOAT, UINT64_C(0xBFF0000000000000), UINT64_C(0x3FF0000000000000), 0}};
  static unsigned char bytes[8 * 64];
  const gsrt_driver *driver = gsrt_driver_get();
  reset();
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    size_t size = rows[r].type & 0xFF;
    gsrt_fact_break found;
    gsrt_fact fact = {GS_EXPR_MONOTONE, (uint64_t)(uintptr_t)bytes, 64, INT64_MIN,
                      rows[r].between, rows[r].type};
    for (size_t i = 0; i < 64; i++)
      memcpy(bytes + i * size, i < 40 ? &rows[r].low : &rows[r].high, size);
    CHECK_NUMBER(gsrt_data_test(driver, NULL, &fact, &found), GSRT_FACT_HOLDS);
    fact.op = GS_EXPR_IN_RANGE;
    CHECK_NUMBER(gsrt_data_test(driver, NULL, &fact, &found), GSRT_FACT_BROKEN);
    CHECK_NUMBER(found.index, 40);
    fact.op = GS_EXPR_STRICTLY_MONOTONE;
    CHECK_NUMBER(gsrt_data_test(driver, NULL, &fact, &found), GSRT_FACT_BROKEN);
    CHECK_NUMBER(found.index, 0);
    fact.op = GS_EXPR_INJECTIVE;
    fact.count = 24;
    fact.address += 39 * size;
    CHECK_NUMBER(gsrt_data_test(driver, NULL, &fact, &found), GSRT_FACT_BROKEN);
    CHECK_NUMBER(found.index, 2);
    CHECK_NUMBER(found.other, 1);
    fact.op = GS_EXPR_MONOTONE;
    memcpy(bytes + 50 * size, &rows[r].low, size);
    CHECK_NUMBER(gsrt_data_test(driver, NULL, &fact, &found), GSRT_FACT_BROKEN);
    CHECK_NUMBER(found.index, 10);
  }
  // Zeros are equal; what is no number equals nothing and is in no order.
  static const float odd[] = {0.0f, -0.0f, (float)(1e300 * 1e300 * 0), (float)(1e300 * 1e300 * 0)};
  gsrt_fact fact = {GS_EXPR_INJECTIVE, (uint64_t)(uintptr_t)odd, 4, 0, 0, 4 | GSRT_DATA_FLOAT};
  gsrt_fact_break found;
  CHECK_NUMBER(gsrt_data_test(driver, NULL, &fact, &found), GSRT_FACT_BROKEN);
  CHECK_NUMBER(found.index, 1);
  fact.address += 4;
  fact.count = 3;
  CHECK_NUMBER(gsrt_data_test(driver, NULL, &fact, &found), GSRT_FACT_HOLDS);
  fact.op = GS_EXPR_MONOTONE;
  CHECK_NUMBER(gsrt_data_test(driver, NULL, &fact, &found), GSRT_FACT_BROKEN);
}

int main(void) {
  gsrt_set_callback(fixture_see, &log_);
  clauses();
  nothing_said();
  memory();
  trouble();
  types();
  return check_result("data_test");
}
