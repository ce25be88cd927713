// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The CUDA driver, found when it is first needed. Handles are void *, device
/// addresses uint64_t, results int: the ABI of cuda.h without the header (a test
/// compares the two where a toolkit is present).
#ifndef GSRT_DRIVER_H
#define GSRT_DRIVER_H

#include "memory.h"

// Results that the runtime tells apart.
enum {
  CU_OK = 0,
  CU_INVALID_VALUE = 1,
  CU_OUT_OF_MEMORY = 2,
  CU_NO_DEVICE = 100,
  CU_INVALID_CONTEXT = 201,
  CU_NOT_FOUND = 500,
  CU_NOT_READY = 600,
  CU_NOT_SUPPORTED = 801
};

// CUdevice_attribute
enum {
  CU_DEV_MAX_THREADS_PER_BLOCK = 1,
  CU_DEV_MAX_BLOCK_X = 2,
  CU_DEV_MAX_GRID_X = 5,
  CU_DEV_SMEM_PER_BLOCK = 8,
  CU_DEV_WARP_SIZE = 10,
  CU_DEV_REGS_PER_BLOCK = 12,
  CU_DEV_SM_COUNT = 16,
  CU_DEV_THREADS_PER_SM = 39,
  CU_DEV_CC_MAJOR = 75,
  CU_DEV_CC_MINOR = 76,
  CU_DEV_SMEM_PER_SM = 81,
  CU_DEV_REGS_PER_SM = 82,
  CU_DEV_PAGEABLE_ACCESS = 88,
  CU_DEV_COOPERATIVE = 95,
  CU_DEV_SMEM_OPTIN = 97,
  CU_DEV_BLOCKS_PER_SM = 106,
  CU_DEV_SMEM_RESERVED = 111,
  CU_DEV_CLUSTER = 120
};

// CUfunction_attribute
enum {
  CU_FN_MAX_THREADS = 0,
  CU_FN_STATIC_SMEM = 1,
  CU_FN_LOCAL = 3,
  CU_FN_REGISTERS = 4,
  CU_FN_MAX_DYNAMIC_SMEM = 8,
  CU_FN_CLUSTER_X = 11,
  CU_FN_CLUSTER_Y = 12,
  CU_FN_CLUSTER_Z = 13,
  CU_FN_NON_PORTABLE_CLUSTER = 14
};

// CUpointer_attribute, CUmemorytype
enum {
  CU_PTR_MEMORY_TYPE = 2,
  CU_PTR_IS_MANAGED = 8,
  CU_PTR_DEVICE_ORDINAL = 9,
  CU_PTR_RANGE_START = 11,
  CU_PTR_RANGE_SIZE = 12,
  CU_PTR_MAPPED = 13,
  CU_PTR_ACCESS_FLAGS = 16,
  CU_PTR_MEMPOOL = 17,
  CU_MEMORY_HOST = 1,
  CU_MEMORY_DEVICE = 2,
  CU_MEMORY_ARRAY = 3,
  CU_MEMORY_UNIFIED = 4
};

// CUlaunchAttributeID, streams
enum { CU_ATTR_COOPERATIVE = 2, CU_ATTR_CLUSTER = 4 };
#define CU_STREAM_LEGACY_HANDLE 1
#define CU_STREAM_PER_THREAD_HANDLE 2
enum { CU_EVENT_NO_TIMING = 2, CU_CAPTURE_RELAXED = 2 };

/// CUlaunchAttribute: an identifier, padded to 8 bytes, and 64 bytes of value.
typedef struct gsrt_cu_attribute {
  uint32_t id, pad;
  union {
    char bytes[64];
    int32_t cooperative;
    uint32_t cluster[3];
    uint64_t align;
  } value;
} gsrt_cu_attribute;

/// CUlaunchConfig
typedef struct gsrt_cu_config {
  uint32_t grid[3], block[3];
  uint32_t dynamic_smem;
  void *stream;
  gsrt_cu_attribute *attributes;
  uint32_t attribute_count;
} gsrt_cu_config;

typedef struct gsrt_driver {
#define GSRT_SYMBOL(field, name, version, required, parameters) int(*field) parameters;
#include "driver_symbols.def"
#undef GSRT_SYMBOL
  int device_count;
} gsrt_driver;

/// \returns the driver, initialised, or NULL: then the thread's last message says why.
const gsrt_driver *gsrt_driver_get(void);

/// Sets the thread's last message: what was tried, and the driver's name for `error`.
/// \returns GSRT_ERROR_DRIVER.
gsrt_status gsrt_driver_failed(const gsrt_driver *driver, const char *what, int error);

/// Limits of a device, asked for once. \returns NULL on failure, with a message.
const gsrt_device *gsrt_device_of(const gsrt_driver *driver, int ordinal);

/// What the driver knows of a function, for one configuration.
void gsrt_function_query(const gsrt_driver *driver, const gsrt_device *device, void *function,
                         const gsrt_config *config, gsrt_function *out);

/// Fills the driver's launch configuration; `attributes` has room for two.
void gsrt_cu_config_from(const gsrt_config *config, gsrt_cu_attribute attributes[2],
                         gsrt_cu_config *out);

/// Memory whose bounds are known already.
typedef struct gsrt_span {
  uint64_t base, size;
} gsrt_span;

/// The memory of the current context.
typedef struct gsrt_driver_memory {
  gsrt_memory memory;
  const gsrt_driver *driver;
  const gsrt_span *spans; ///< looked at first; may be NULL
  size_t span_count;
  void *stream; ///< of the launch
} gsrt_driver_memory;
void gsrt_driver_memory_init(gsrt_driver_memory *memory, const gsrt_driver *driver, int device,
                             void *stream);

/// Makes a launch without checking it. \returns a driver's result.
int gsrt_make_launch(const gsrt_driver *driver, void *function, const gsrt_config *config,
                     void **params);

#endif
