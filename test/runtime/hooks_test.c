// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches through the CUDA runtime's interface: called by their hooks and, linked
/// with --wrap, by their own names; kernels are registered by their section.
#include "fake_cuda.h"
#include "fixture.h"

// Of the names that hooks/hook.c gives them: a sanitizer compares the types of functions.
typedef struct gsrt_dim3 {
  unsigned x, y, z;
} dim3;
typedef struct gsrt_cuda_attribute {
  uint32_t id, pad;
  union {
    char bytes[64];
    int32_t cooperative;
    uint32_t cluster[3];
  } value;
} attribute;
typedef struct gsrt_cuda_config {
  dim3 grid, block;
  size_t smem;
  void *stream;
  attribute *attributes;
  unsigned count;
} config;

extern unsigned fake_launches, fake_refusals;
extern const char *fake_form;
extern void *fake_function;

// What a compiler would make: kernels with a contract (fixture_emit.c) and one without.
const char stub_guarded[8] = "g", stub_cooperative[8] = "c";
static const char stub_plain[8] = "p";

typedef int launch_fn(const void *, dim3, dim3, void **, size_t, void *);
typedef int launch_ex_fn(const config *, const void *, void **);
launch_fn gsrt_cudaLaunchKernel, gsrt_cudaLaunchKernel_ptsz, gsrt_cudaLaunchCooperativeKernel,
    gsrt_cudaLaunchCooperativeKernel_ptsz, cudaLaunchKernel, cudaLaunchKernel_ptsz,
    cudaLaunchCooperativeKernel, __cudaLaunchKernel, __cudaLaunchKernel_ptsz;
launch_ex_fn gsrt_cudaLaunchKernelExC, gsrt_cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC;
int __cudaGetKernel(void **kernel, const void *stub);

static seen log_;
static fixture_args args = {NULL, NULL, 1, {0, 0, NULL}};
static void *params[] = {&args.a, &args.c, &args.n, &args.p};

static int form(launch_fn *launch, const void *stub, unsigned block) {
  memset(&log_, 0, sizeof log_);
  return launch(stub, (dim3){1, 1, 1}, (dim3){block, 1, 1}, params, 0, NULL);
}

static void goes(launch_fn *launch, const void *stub, unsigned block, const char *name) {
  unsigned before = fake_launches;
  CHECK_NUMBER(form(launch, stub, block), 0);
  CHECK_NUMBER(fake_launches - before, 1);
  CHECK_TEXT(fake_form, name);
  CHECK_NUMBER(log_.count, 0);
}

static void refused(launch_fn *launch, const void *stub, unsigned block) {
  unsigned before = fake_launches, refusals = fake_refusals;
  CHECK_NUMBER(form(launch, stub, block), 9); // cudaErrorInvalidConfiguration
  CHECK_NUMBER(fake_launches - before, 0);
  CHECK(fake_refusals > refusals); // cudaGetLastError will tell
  CHECK(log_.count >= 1);
}

static void direct(void) {
  goes(gsrt_cudaLaunchKernel, stub_guarded, 64, "cudaLaunchKernel");
  refused(gsrt_cudaLaunchKernel, stub_guarded, 65);
  CHECK_TEXT(log_.first, "k.cu:7:1: gpusafe: kernel 'k': 'block.x == 64' does not hold: 65 == 64 "
                         "is false (block.x = 65) [clause]");
  goes(gsrt_cudaLaunchKernel, stub_plain, 65, "cudaLaunchKernel");
  goes(gsrt_cudaLaunchKernel_ptsz, stub_guarded, 64, "cudaLaunchKernel_ptsz");
  refused(gsrt_cudaLaunchKernel_ptsz, stub_guarded, 1);
  refused(gsrt_cudaLaunchKernel, stub_cooperative, 64);
  goes(gsrt_cudaLaunchCooperativeKernel, stub_cooperative, 64, "cudaLaunchCooperativeKernel");
  goes(gsrt_cudaLaunchCooperativeKernel_ptsz, stub_cooperative, 64,
       "cudaLaunchCooperativeKernel_ptsz");
}

static void extended(launch_ex_fn *launch, const char *name) {
  attribute attributes[2] = {{.id = 2, .value.cooperative = 1},
                             {.id = 4, .value.cluster = {1, 1, 1}}};
  config c = {{1, 1, 1}, {64, 1, 1}, 0, NULL, attributes, 2};
  unsigned before = fake_launches;
  CHECK_NUMBER(launch(&c, stub_cooperative, params), 0);
  CHECK_NUMBER(fake_launches - before, 1);
  CHECK_TEXT(fake_form, name);
  c.count = 0;
  CHECK_NUMBER(launch(&c, stub_cooperative, params), 9);
  c.smem = SIZE_MAX; // does not wrap
  CHECK_NUMBER(launch(&c, stub_guarded, params), 9);
  CHECK_NUMBER(launch(NULL, stub_guarded, params), 1);
}

/// This program is linked with --wrap for each of these.
static void wrapped(void) {
  void *handle = NULL;
  goes(cudaLaunchKernel, stub_guarded, 64, "cudaLaunchKernel");
  refused(cudaLaunchKernel, stub_guarded, 65);
  refused(cudaLaunchKernel_ptsz, stub_guarded, 65);
  goes(cudaLaunchCooperativeKernel, stub_cooperative, 1, "cudaLaunchCooperativeKernel");
  extended(cudaLaunchKernelExC, "cudaLaunchKernelExC");
  goes(__cudaLaunchKernel, stub_guarded + 1, 65, "__cudaLaunchKernel"); // not known yet
  CHECK_NUMBER(__cudaGetKernel(&handle, stub_guarded), 0);
  CHECK(handle == stub_guarded + 1);
  goes(__cudaLaunchKernel, handle, 64, "__cudaLaunchKernel");
  refused(__cudaLaunchKernel, handle, 65);
  refused(__cudaLaunchKernel_ptsz, handle, 65);
}

static void registration(void) {
  static const char stubs[300] = {0};
  fixture f = {.clauses = {"block.x == 1"}}, other = {.clauses = {"block.x == 2"}};
  size_t size = 0, other_size = 0;
  void *block = fixture_build(&f, &size), *second = fixture_build(&other, &other_size);
  gs_descriptor_entry entry = {stubs, block, size};
  CHECK_NUMBER(gsrt_register(&entry, &entry + 1), GSRT_OK);
  CHECK_NUMBER(gsrt_register(&entry, &entry + 1), GSRT_OK); // a template in two units
  gs_descriptor_entry conflict = {stubs, second, other_size};
  CHECK_NUMBER(gsrt_register(&conflict, &conflict + 1), GSRT_ERROR_DESCRIPTOR);
  refused(gsrt_cudaLaunchKernel, stubs, 2);
  gsrt_unregister(&conflict, &conflict + 1); // it never was the kernel's
  gsrt_unregister(&entry, &entry + 1);
  refused(gsrt_cudaLaunchKernel, stubs, 2); // the other unit's is there still
  gsrt_unregister(&entry, &entry + 1);
  goes(gsrt_cudaLaunchKernel, stubs, 2, "cudaLaunchKernel");
  CHECK_NUMBER(gsrt_register(&conflict, &conflict + 1), GSRT_OK); // loaded anew
  goes(gsrt_cudaLaunchKernel, stubs, 2, "cudaLaunchKernel");
  refused(gsrt_cudaLaunchKernel, stubs, 1);
  for (unsigned i = 1; i < 300; i++) { // the table grows
    entry.stub = stubs + i;
    CHECK_NUMBER(gsrt_register(&entry, &entry + 1), GSRT_OK);
  }
  refused(gsrt_cudaLaunchKernel, stubs + 299, 2);
  goes(gsrt_cudaLaunchKernel, stubs + 299, 1, "cudaLaunchKernel");
  free(block);
  free(second);
}

/// A malformed contract must not let a launch slip through.
static void broken(void) {
  static const uint32_t bytes[2] = {1, 2};
  static const char stub[1] = {0};
  gs_descriptor_entry entry = {stub, bytes, sizeof bytes};
  CHECK_NUMBER(gsrt_register(&entry, &entry + 1), GSRT_ERROR_DESCRIPTOR);
  refused(gsrt_cudaLaunchKernel, stub, 1);
  CHECK_TEXT(log_.first, "gpusafe: kernel '?': its contract descriptor is malformed [descriptor]");
  gsrt_set_policy(GSRT_POLICY_OFF);
  goes(gsrt_cudaLaunchKernel, stub, 1, "cudaLaunchKernel");
  gsrt_set_policy(GSRT_POLICY_ERROR);
}

/// Limits of the function come through cudaGetFuncBySymbol, which may also be what
/// makes the context.
static void functions(void) {
  static const fake_kernel kernels[] = {FAKE_KERNEL("k", NULL), {NULL, NULL, {0}}};
  static const char stub[1] = {0};
  fixture f = {.clauses = {"block.x >= 1"}};
  fake_kernel small = kernels[0];
  size_t size = 0;
  void *block = fixture_build(&f, &size);
  gs_descriptor_entry entry = {stub, block, size};
  small.attributes[0] = 128;
  fake_kernel list[2] = {small, {NULL, NULL, {0}}};
  fake_image image = {FAKE_MODULE_MAGIC, list, NULL};
  gsrt_module *module = NULL;
  gsrt_kernel *kernel = NULL;
  CHECK_NUMBER(gsrt_module_load(&image, &module), GSRT_OK);
  CHECK_NUMBER(gsrt_kernel_get(module, "k", &kernel), GSRT_OK);
  // The stand-in's function handle is found by what a launch records.
  gsrt_config c = gsrt_config_1d(1, 1);
  CHECK_NUMBER(gsrt_launch(kernel, &c, NULL), GSRT_OK);
  fake_function = fake_last_function();
  CHECK_NUMBER(gsrt_register(&entry, &entry + 1), GSRT_OK);
  goes(gsrt_cudaLaunchKernel, stub, 128, "cudaLaunchKernel");
  refused(gsrt_cudaLaunchKernel, stub, 129);
  CHECK_NUMBER(log_.codes[0], GSRT_THREADS_FUNCTION);
  fake_set_current(-1);
  goes(gsrt_cudaLaunchKernel, stub, 129, "cudaLaunchKernel"); // no context: its own error
  fake_set_current(0);
  fake_function = NULL;
  gsrt_module_unload(module);
  free(block);
}

int main(void) {
  gsrt_set_callback(fixture_see, &log_);
  direct();
  extended(gsrt_cudaLaunchKernelExC, "cudaLaunchKernelExC");
  extended(gsrt_cudaLaunchKernelExC_ptsz, "cudaLaunchKernelExC_ptsz");
  wrapped();
  registration();
  broken();
  functions();
  return check_result("hooks_test");
}
