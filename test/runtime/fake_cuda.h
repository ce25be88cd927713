// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A stand-in for the CUDA driver (libcuda.so.1): the entry points that the runtime
/// uses, over devices, memory and functions that the test makes up. Device memory is
/// host memory; a launch calls the kernel's C function at once. Events become ready
/// when their stream is not held. One thread drives the controls.
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

enum { FAKE_ATTRIBUTES = 128, FAKE_MODULE_MAGIC = 0x46414B45 };

/// What cuModuleLoadData takes here. Names end the lists.
typedef struct fake_kernel {
  const char *name;
  void (*body)(void **params); ///< may be NULL
  int attributes[16];          ///< CUfunction_attribute
} fake_kernel;
typedef struct fake_global {
  const char *name;
  const void *bytes;
  size_t size;
} fake_global;
typedef struct fake_image {
  uint32_t magic;
  const fake_kernel *kernels;
  const fake_global *globals;
} fake_image;

/// A function with an sm_90's ordinary attributes.
#define FAKE_KERNEL(name, body)                                                                    \
  {                                                                                                \
    name, body, { 1024, 0, 0, 0, 32, 90, 90, 0, 49152 }                                            \
  }

/// The last launch.
typedef struct fake_launch {
  unsigned count; ///< launches so far
  const fake_kernel *kernel;
  void *function;
  unsigned grid[3], block[3], cluster[3], smem, cooperative;
  void *stream;
} fake_launch;

/// Two devices like an H200, device 0 current, no memory, no failures, no counts.
void fake_reset(void);
void fake_set_device_count(int count);
void fake_set_attribute(int device, int attribute, int value);
void fake_set_current(int device); ///< -1: no context
const fake_launch *fake_last_launch(void);
void *fake_last_function(void); ///< CUfunction of the last launch
/// How often an entry point was called: "cuLaunchKernel", or all for NULL.
unsigned fake_calls(const char *name);
/// Makes an entry point fail with that result; 0 heals it.
void fake_fail(const char *name, int error);

/// Kinds of memory: as CU_MEMORYTYPE_*, and managed.
enum { FAKE_HOST = 1, FAKE_DEVICE = 2, FAKE_MANAGED = 4, FAKE_POOL = 5 };
/// Declares memory that does not exist; it is never accessed. `reserved` is the
/// size of the address range that it is mapped in (0: its own).
void fake_add_memory(uint64_t base, size_t size, int device, int kind, uint64_t reserved_base,
                     size_t reserved);
void fake_set_peer(int enabled); ///< whether devices may access each other's memory
unsigned fake_live_memory(void); ///< cuMemAlloc'd and not freed
unsigned fake_live_events(void);

void *fake_stream_new(int device);
void fake_stream_hold(void *stream, int held); ///< work in it does not finish while held
void fake_stream_capture(void *stream, int capturing);
unsigned fake_stream_waits(void *stream); ///< cuStreamWaitEvent calls on it

#endif
