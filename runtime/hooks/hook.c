// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ways into the CUDA runtime's launches; libgpusafe_cuda.a. CMake compiles this
/// file once for each: -DGSRT_HOOK_<kind> -DREAL=<function that launches>
/// -DHOOK=<function that checks first>. Each is an archive member of its own, so a
/// program links what it calls and needs no function of the CUDA runtime that it
/// would not need anyway. The archive is always linked statically: a shared library
/// could not reach a CUDA runtime that is linked statically.
///
/// Two families: gsrt_cudaLaunchKernel and its like, which compiled stubs call
/// instead, and __wrap_…, for objects that are linked with -Wl,--wrap=….
#include "gpusafe_rt.h"
#include "gs_descriptor.h"

#include <string.h>

typedef struct gsrt_dim3 {
  unsigned x, y, z;
} gsrt_dim3;

/// cudaLaunchConfig_t with its cudaLaunchAttribute.
typedef struct gsrt_cuda_attribute {
  uint32_t id, pad;
  union {
    char bytes[64];
    int32_t cooperative;
    uint32_t cluster[3];
    uint64_t align;
  } value;
} gsrt_cuda_attribute;
typedef struct gsrt_cuda_config {
  gsrt_dim3 grid, block;
  size_t dynamic_smem;
  void *stream;
  gsrt_cuda_attribute *attributes;
  unsigned attribute_count;
} gsrt_cuda_config;

enum {
  CUDA_ERROR_INVALID_CONFIGURATION = 9,
  CUDA_ATTRIBUTE_COOPERATIVE = 2,
  CUDA_ATTRIBUTE_CLUSTER = 4
};

int cudaGetFuncBySymbol(void **function, const void *stub);
extern const char gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt;

#if !defined(GSRT_HOOK_image) && !defined(GSRT_HOOK_handle)
static gsrt_config make_config(gsrt_dim3 grid, gsrt_dim3 block, size_t smem, void *stream) {
  gsrt_config c = {.struct_size = sizeof c, .grid = {grid.x, grid.y, grid.z}};
  c.block[0] = block.x;
  c.block[1] = block.y;
  c.block[2] = block.z;
  c.dynamic_smem = smem > UINT32_MAX ? UINT32_MAX : (uint32_t)smem; // too much either way
  c.stream = stream;
  return c;
}

/// Referring to the archive's anchor links the registration of this image's kernels.
static int is_refused(const void *stub, const gsrt_config *config, void **params) {
  return gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt &&
         gsrt_check_stub(stub, config, (const void *const *)params,
                                              cudaGetFuncBySymbol) != GSRT_OK;
}

/// A launch that is refused becomes one with an empty grid, which the CUDA runtime
/// refuses: that sets what cudaGetLastError returns, where programs look after <<<>>>
/// (cudaErrorInvalidConfiguration or, from CUDA 13, cudaErrorInvalidValue), and it
/// invalidates a capture, so that no graph comes out with a kernel missing.
static int refusal(int error) { return error ? error : CUDA_ERROR_INVALID_CONFIGURATION; }
#endif

#if defined(GSRT_HOOK_image)
/// Kernels of the program or library that this is linked into.
extern const gs_descriptor_entry __start_gpusafe_kernels[]
    __attribute__((weak, visibility("hidden")));
extern const gs_descriptor_entry __stop_gpusafe_kernels[]
    __attribute__((weak, visibility("hidden")));

/// Objects of annotated kernels refer to it, so that the message of a linker that does not
/// find it says what is missing.
__attribute__((visibility("hidden"))) const char gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt = 1;

__attribute__((constructor)) static void load(void) {
  if (__start_gpusafe_kernels)
    gsrt_register(__start_gpusafe_kernels, __stop_gpusafe_kernels);
}

__attribute__((destructor)) static void unload(void) {
  if (__start_gpusafe_kernels)
    gsrt_unregister(__start_gpusafe_kernels, __stop_gpusafe_kernels);
}

#elif defined(GSRT_HOOK_launch)
#ifndef COOPERATIVE
#define COOPERATIVE 0
#endif
int REAL(const void *stub, gsrt_dim3 grid, gsrt_dim3 block, void **params, size_t smem,
         void *stream);
int HOOK(const void *stub, gsrt_dim3 grid, gsrt_dim3 block, void **params, size_t smem,
         void *stream);
int HOOK(const void *stub, gsrt_dim3 grid, gsrt_dim3 block, void **params, size_t smem,
         void *stream) {
  gsrt_config config = make_config(grid, block, smem, stream);
  config.cooperative = COOPERATIVE;
  if (is_refused(stub, &config, params)) {
    gsrt_dim3 none = {0, 0, 0};
    return refusal(REAL(stub, none, none, params, 0, stream));
  }
  return REAL(stub, grid, block, params, smem, stream);
}

#elif defined(GSRT_HOOK_launch_ex)
int REAL(const gsrt_cuda_config *launch, const void *stub, void **params);
int HOOK(const gsrt_cuda_config *launch, const void *stub, void **params);
int HOOK(const gsrt_cuda_config *launch, const void *stub, void **params) {
  if (!launch)
    return REAL(launch, stub, params); // the CUDA runtime knows what to say
  gsrt_config config = make_config(launch->grid, launch->block, launch->dynamic_smem,
                                   launch->stream);
  for (unsigned i = 0; i < launch->attribute_count; i++) {
    const gsrt_cuda_attribute *a = &launch->attributes[i];
    if (a->id == CUDA_ATTRIBUTE_COOPERATIVE)
      config.cooperative = a->value.cooperative != 0;
    if (a->id == CUDA_ATTRIBUTE_CLUSTER)
      memcpy(config.cluster, a->value.cluster, sizeof config.cluster);
  }
  if (is_refused(stub, &config, params)) {
    gsrt_cuda_config none = {.stream = launch->stream};
    return refusal(REAL(&none, stub, params));
  }
  return REAL(launch, stub, params);
}

#elif defined(GSRT_HOOK_handle)
/// __cudaGetKernel and cudaGetKernel: the handle that launches will use.
int REAL(void **kernel, const void *stub);
int HOOK(void **kernel, const void *stub);
int HOOK(void **kernel, const void *stub) {
  int error = REAL(kernel, stub);
  if (error == 0)
    gsrt_register_alias(*kernel, stub);
  return error;
}
#else
#error "no kind of hook"
#endif
