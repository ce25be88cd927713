// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What can be found out about an address.
#ifndef GSRT_MEMORY_H
#define GSRT_MEMORY_H

#include "rt_internal.h"

typedef enum gsrt_memory_kind {
  GSRT_MEMORY_NONE,     ///< no allocation that the device can access
  GSRT_MEMORY_PAGEABLE, ///< unknown to the driver, but the device can access host memory
  GSRT_MEMORY_DEVICE,   ///< of `device`
  GSRT_MEMORY_SHARED    ///< pinned host memory or managed memory
} gsrt_memory_kind;

typedef struct gsrt_allocation {
  gsrt_memory_kind kind;
  bool reachable;      ///< DEVICE: by the launching device
  int device;          ///< DEVICE: ordinal
  uint64_t base, size; ///< bytes; size 0 when unknown
} gsrt_allocation;

struct gsrt_memory {
  /// Finds the allocation that holds `address`, and adjoining pieces of memory that
  /// was mapped in pieces when it does not reach to `end`. Never fails: NONE.
  void (*look)(const gsrt_memory *memory, uint64_t address, uint64_t end, gsrt_allocation *out);
  /// Tests a fact about data; NULL when that is not asked for.
  gsrt_fact_answer (*test)(const gsrt_memory *memory, const gsrt_fact *fact, gsrt_fact_break *out);
  int device; ///< the launching one
};

#endif
