// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gsrt_validate: clauses, counts and limits against device profiles.
#include "fixture.h"

static seen log_;
static fixture_args args = {NULL, NULL, 1000, {4, 0, NULL}};
static const void *const params[] = {&args.a, &args.c, &args.n, &args.p};

/// Validates on a profile. \returns the code; the messages are in log_.
static gsrt_status validate(const fixture *f, int cc, gsrt_config config, bool with_args,
                            uint32_t *unchecked) {
  gsrt_device device;
  size_t size = 0;
  memset(&log_, 0, sizeof log_);
  CHECK_NUMBER(gsrt_device_profile(cc, &device), GSRT_OK);
  void *block = fixture_build(f, &size);
  gsrt_status status =
      gsrt_validate(block, size, &device, &config, with_args ? params : NULL, unchecked);
  free(block);
  return status;
}

static void violates(const fixture *f, int cc, gsrt_config config, gsrt_status code,
                     const char *message) {
  gsrt_status status = validate(f, cc, config, true, NULL);
  CHECK_NUMBER(status, code);
  CHECK_TEXT(log_.first, message);
  CHECK_TEXT(gsrt_last_message(), message);
}

static void clauses(void) {
  fixture f = {.clauses = {"block.x == 256", "grid.x * block.x >= n"}};
  gsrt_config good = gsrt_config_1d(4, 256), bad = gsrt_config_1d(2, 256);
  uint32_t unchecked = 9;
  CHECK_NUMBER(validate(&f, 90, good, true, &unchecked), GSRT_OK);
  CHECK_NUMBER(unchecked, 0);
  CHECK_NUMBER(validate(&f, 90, bad, false, &unchecked), GSRT_OK);
  CHECK_NUMBER(unchecked, 1);
  violates(&f, 90, bad, GSRT_CLAUSE,
           "k.cu:7:2: gpusafe: kernel 'k': 'grid.x * block.x >= n' does not hold: 512 >= 1000 is "
           "false (grid.x = 2, block.x = 256, n = 1000) [clause]");
  bad = gsrt_config_1d(4, 128);
  CHECK_NUMBER(validate(&f, 90, bad, true, NULL), GSRT_CLAUSE);
  CHECK_NUMBER(log_.count, 2); // both are reported
  f = (fixture){.clauses = {"n / p.width > 0"}};
  CHECK_NUMBER(validate(&f, 90, good, true, NULL), GSRT_OK);
  args.p.width = 0;
  violates(&f, 90, good, GSRT_CLAUSE_VALUE,
           "k.cu:7:1: gpusafe: kernel 'k': 'n / p.width > 0' has no value: a division by zero (n = "
           "1000, p.width = 0) [clause-value]");
  args.p.width = 4;
  f = (fixture){.clauses = {"n % 2"}};
  args.n = 10;
  violates(&f, 90, good, GSRT_CLAUSE,
           "k.cu:7:1: gpusafe: kernel 'k': 'n % 2' does not hold (n = 10) [clause]");
  args.n = 1000;
  f = (fixture){.clauses = {"0 == 1"}};
  violates(&f, 90, good, GSRT_CLAUSE,
           "k.cu:7:1: gpusafe: kernel 'k': '0 == 1' does not hold: 0 == 1 is false (no values) "
           "[clause]");
}

static void pointers(void) {
  fixture f = {.clauses = {"aligned(a, 16)", "extent(a) >= n", "injective(p.map, n)"}};
  uint32_t unchecked = 0;
  args.a = (void *)0x1010;
  CHECK_NUMBER(validate(&f, 90, gsrt_config_1d(1, 1), true, &unchecked), GSRT_OK);
  CHECK_NUMBER(unchecked, 2); // extent and injective
  args.a = (void *)0x1008;
  violates(&f, 90, gsrt_config_1d(1, 1), GSRT_CLAUSE,
           "k.cu:7:1: gpusafe: kernel 'k': 'aligned(a, 16)' does not hold (a = 0x1008) [clause]");
  CHECK_NUMBER(validate(&f, 90, gsrt_config_1d(1, 1), false, &unchecked), GSRT_OK);
  CHECK_NUMBER(unchecked, 3);
  args.a = NULL;
  f = (fixture){.claims = {{GS_DESC_EXTENT, 0, "n"}, {GS_DESC_DISJOINT, 1, "n - 2000"}},
                .claim_count = 2};
  violates(&f, 90, gsrt_config_1d(1, 1), GSRT_COUNT_NEGATIVE,
           "k.cu:10:6: gpusafe: kernel 'k': 'n - 2000' elements of c: -1000 (n = 1000) "
           "[count-negative]");
  f = (fixture){.claims = {{GS_DESC_EXTENT, 0, "9223372036854775807"}}, .claim_count = 1};
  CHECK_NUMBER(validate(&f, 90, gsrt_config_1d(1, 1), true, NULL), GSRT_CLAUSE_VALUE);
  f = (fixture){.claims = {{GS_DESC_EXTENT, 0, "n << 60"}}, .claim_count = 1};
  violates(&f, 90, gsrt_config_1d(1, 1), GSRT_CLAUSE_VALUE,
           "k.cu:10:5: gpusafe: kernel 'k': 'n << 60' has no value: a result that does not fit "
           "into 64 bits (n = 1000) [clause-value]");
}

/// A limit is violated on one axis after another.
static void dimensions(void) {
  fixture f = {.clauses = {NULL}};
  gsrt_config c = gsrt_config_1d(1, 0);
  violates(&f, 90, c, GSRT_ZERO_DIMENSION, "gpusafe: kernel 'k': block.x is 0 [zero-dimension]");
  c = gsrt_config_1d(0, 1);
  violates(&f, 90, c, GSRT_ZERO_DIMENSION, "gpusafe: kernel 'k': grid.x is 0 [zero-dimension]");
  c = gsrt_config_1d(1, 1);
  c.grid[1] = 65536;
  violates(&f, 90, c, GSRT_GRID_LIMIT,
           "gpusafe: kernel 'k': grid.y is 65536; profile sm_90 allows 65535 [grid-limit]");
  c = gsrt_config_1d(0x80000000u, 1);
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_GRID_LIMIT);
  c = gsrt_config_1d(0x7FFFFFFF, 1);
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_OK);
  c = gsrt_config_1d(1, 1);
  c.block[2] = 65;
  violates(&f, 90, c, GSRT_BLOCK_LIMIT,
           "gpusafe: kernel 'k': block.z is 65; profile sm_90 allows 64 [block-limit]");
  c = gsrt_config_1d(1, 64);
  c.block[1] = 32;
  violates(&f, 90, c, GSRT_THREADS_DEVICE,
           "gpusafe: kernel 'k': a block of 2048 threads; profile sm_90 allows 1024 "
           "[threads-device]");
  f.fixed.max_threads = 256;
  violates(&f, 90, gsrt_config_1d(1, 257), GSRT_THREADS_FUNCTION,
           "gpusafe: kernel 'k': a block of 257 threads; the kernel was compiled for at most 256 "
           "[threads-function]");
  f.fixed.max_threads = 0;
  f.fixed.registers = 128;
  CHECK_NUMBER(validate(&f, 90, gsrt_config_1d(1, 512), true, NULL), GSRT_OK);
  violates(&f, 90, gsrt_config_1d(1, 513), GSRT_REGISTERS,
           "gpusafe: kernel 'k': a block of 513 threads with 128 registers each needs 69632 "
           "registers; profile sm_90 has 65536 [registers]");
  f.fixed.registers = 0;
  f.fixed.required_block[0] = 32;
  f.fixed.required_block[1] = f.fixed.required_block[2] = 1;
  CHECK_NUMBER(validate(&f, 90, gsrt_config_1d(1, 32), true, NULL), GSRT_OK);
  violates(&f, 90, gsrt_config_1d(1, 33), GSRT_REQUIRED_BLOCK,
           "gpusafe: kernel 'k': block is (33, 1, 1); the kernel was compiled for (32, 1, 1) "
           "[required-block]");
}

static void shared_memory(void) {
  fixture f = {.fixed = {.static_smem = 1024}};
  gsrt_config c = gsrt_config_1d(1, 32);
  uint32_t unchecked = 0;
  c.dynamic_smem = 47 * 1024;
  CHECK_NUMBER(validate(&f, 80, c, true, &unchecked), GSRT_OK);
  CHECK_NUMBER(unchecked, 0);
  c.dynamic_smem++;
  CHECK_NUMBER(validate(&f, 80, c, true, &unchecked), GSRT_OK);
  CHECK_NUMBER(unchecked, 1); // whether the program opts in
  c.dynamic_smem = 163 * 1024 - 1023;
  violates(&f, 80, c, GSRT_SHARED_DEVICE,
           "gpusafe: kernel 'k': 1024 bytes of static and 165889 of dynamic shared memory; profile "
           "sm_80 allows 166912 in all [shared-device]");
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_OK);
  c.dynamic_smem = UINT32_MAX;
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_SHARED_DEVICE);
}

static void clusters(void) {
  fixture f = {.clauses = {"cluster.x == 2 || n == 1000"}};
  gsrt_config c = gsrt_config_1d(6, 32);
  c.cluster[0] = 2;
  violates(&f, 90, c, GSRT_ZERO_DIMENSION, "gpusafe: kernel 'k': cluster.y is 0 [zero-dimension]");
  c.cluster[1] = c.cluster[2] = 1;
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_OK);
  violates(&f, 80, c, GSRT_CLUSTER_UNSUPPORTED,
           "gpusafe: kernel 'k': profile sm_80 has no clusters [cluster-unsupported]");
  c.cluster[0] = 4;
  violates(&f, 90, c, GSRT_CLUSTER_DIVIDES,
           "gpusafe: kernel 'k': grid.x is 6, which cluster.x = 4 does not divide "
           "[cluster-divides]");
  c.grid[0] = 9;
  c.cluster[0] = 9;
  violates(&f, 90, c, GSRT_CLUSTER_SIZE,
           "gpusafe: kernel 'k': a cluster of 9 blocks; at most 8 are allowed [cluster-size]");
  f.fixed.required_cluster[0] = 3;
  f.fixed.required_cluster[1] = f.fixed.required_cluster[2] = 1;
  c.cluster[0] = 1;
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_CLUSTER_SIZE);
  c.cluster[0] = c.cluster[1] = c.cluster[2] = 0; // compiled in
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_OK);
  c.grid[0] = 10;
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_CLUSTER_DIVIDES);
}

static void cooperative(void) {
  fixture f = {.fixed = {.registers = 64}};
  gsrt_config c = gsrt_config_1d(264, 512);
  gsrt_device device;
  uint32_t unchecked = 0;
  size_t size = 0;
  c.cooperative = 1;
  CHECK_NUMBER(validate(&f, 90, c, true, &unchecked), GSRT_OK);
  CHECK_NUMBER(unchecked, 1); // how many multiprocessors there are
  gsrt_device_profile(90, &device);
  device.sm_count = 132; // 2 blocks of 512 threads with 64 registers each
  void *block = fixture_build(&f, &size);
  CHECK_NUMBER(gsrt_validate(block, size, &device, &c, params, &unchecked), GSRT_OK);
  CHECK_NUMBER(unchecked, 0);
  c.grid[0]++;
  memset(&log_, 0, sizeof log_);
  CHECK_NUMBER(gsrt_validate(block, size, &device, &c, params, NULL), GSRT_COOPERATIVE_RESIDENCY);
  CHECK_TEXT(log_.first,
             "gpusafe: kernel 'k': a cooperative grid of 265 blocks; profile sm_90 holds 264 of "
             "them at once (2 on each of 132 multiprocessors) [cooperative-residency]");
  device.cooperative = 0;
  CHECK_NUMBER(gsrt_validate(block, size, &device, &c, params, NULL), GSRT_COOPERATIVE_UNSUPPORTED);
  c.dynamic_smem = 100 * 1024;
  c.grid[0] = 264;
  device.cooperative = 1;
  CHECK_NUMBER(gsrt_validate(block, size, &device, &c, params, NULL), GSRT_OK);
  c.dynamic_smem = 114 * 1024; // with 1 KiB of the system: only one fits
  CHECK_NUMBER(gsrt_validate(block, size, &device, &c, params, NULL), GSRT_COOPERATIVE_RESIDENCY);
  free(block);
}

static void premises(void) {
  fixture f = {.fixed = {.target = 90}};
  violates(&f, 86, gsrt_config_1d(1, 1), GSRT_CAPABILITY,
           "gpusafe: kernel 'k': compiled for sm_90; profile sm_86 is sm_86 [capability]");
  f.fixed.assumptions = GS_DESC_ASSUME_BLOCK_Y_ONE | GS_DESC_ASSUME_GRID_Z_ONE |
                        GS_DESC_ASSUME_INDEX;
  gsrt_config c = gsrt_config_1d(0x7FFFFF, 256);
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_OK);
  c.grid[0]++;
  violates(&f, 90, c, GSRT_INDEX_RANGE,
           "gpusafe: kernel 'k': grid.x * block.x is 2147483648; the proof holds up to 2^31 - 1 "
           "[index-range]");
  c = gsrt_config_1d(1, 1);
  c.block[1] = 2;
  violates(&f, 90, c, GSRT_AXIS,
           "gpusafe: kernel 'k': block.y is 2; the kernel does not read that axis of the block, so "
           "the proof holds for 1 only [axis]");
  c = gsrt_config_1d(1, 1);
  c.grid[1] = 3; // which is not assumed
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_OK);
  c.grid[2] = 3;
  CHECK_NUMBER(validate(&f, 90, c, true, NULL), GSRT_AXIS);
}

static void misuse(void) {
  gsrt_device device;
  gsrt_config c = gsrt_config_1d(1, 1);
  CHECK_NUMBER(gsrt_device_profile(85, &device), GSRT_ERROR_NOT_FOUND);
  CHECK_TEXT(gsrt_last_message(), "no profile for sm_85");
  CHECK_NUMBER(gsrt_device_profile(90, NULL), GSRT_ERROR_ARGUMENT);
  gsrt_device_profile(90, &device);
  CHECK_NUMBER(gsrt_validate("x", 1, &device, &c, NULL, NULL), GSRT_ERROR_DESCRIPTOR);
  CHECK_NUMBER(gsrt_validate(NULL, 0, &device, &c, NULL, NULL), GSRT_OK);
  CHECK_NUMBER(gsrt_validate(NULL, 0, NULL, &c, NULL, NULL), GSRT_ERROR_ARGUMENT);
  c.struct_size = 3;
  CHECK_NUMBER(gsrt_validate(NULL, 0, &device, &c, NULL, NULL), GSRT_ERROR_ARGUMENT);
  int last = 0;
  for (size_t i = 0; gsrt_device_profile_at(i); i++) {
    CHECK(gsrt_device_profile_at(i) > last);
    last = gsrt_device_profile_at(i);
  }
  CHECK_NUMBER(last, 121);
  CHECK_TEXT(gsrt_status_name(GSRT_EXTENT), "extent");
  CHECK_TEXT(gsrt_status_name((gsrt_status)99), "?");
  CHECK_TEXT(gsrt_status_text(GSRT_ERROR_NO_DRIVER), "no usable CUDA driver or device");
}

int main(void) {
  gsrt_set_callback(fixture_see, &log_);
  clauses();
  pointers();
  dimensions();
  shared_memory();
  clusters();
  cooperative();
  premises();
  misuse();
  return check_result("validate_test");
}
