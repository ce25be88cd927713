// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels and the configurations that have been found valid for them.
#ifndef GSRT_KERNEL_H
#define GSRT_KERNEL_H

#include "driver.h"

#include <stdatomic.h>

enum { GSRT_CACHE_SLOTS = 8, GSRT_CACHE_KEY = 7, GSRT_CACHE_WORDS = 10 };

/// A slot of the cache. `turn` is odd while a writer is at work; a reader that sees
/// it change starts over (a sequence lock: Lamport, "Concurrent reading and
/// writing", 1977). So hits take no lock and nothing is ever freed under a reader.
typedef struct gsrt_cache_slot {
  atomic_uint turn;
  _Atomic uint64_t words[GSRT_CACHE_WORDS];
} gsrt_cache_slot;

struct gsrt_kernel {
  void *function;         ///< CUfunction; NULL for a kernel that is found by its stub
  char *name;             ///< in the module
  void *block;            ///< own copy of the descriptor; NULL without a contract
  gs_descriptor contract; ///< valid when block is not NULL
  // Decoded programs: clauses that need arguments first, then those that the
  // configuration decides, then the counts of the claims.
  gsrt_program *programs;
  uint32_t argument_count, clause_count;
  gs_insn *insns;            ///< of all these
  bool broken;               ///< its descriptor is malformed
  gsrt_kernel *next_retired; ///< of the registry
  gsrt_cache_slot cache[GSRT_CACHE_SLOTS];
};

/// Makes a kernel; the descriptor is copied. Free with gsrt_kernel_free.
gsrt_status gsrt_kernel_new(void *function, const char *name, const void *descriptor, size_t size,
                            gsrt_kernel **out);

/// Finds the CUfunction of a kernel in the current context. \returns NULL when it
/// cannot; then only the contract is checked.
typedef void *(*gsrt_find_function)(void *user);

/// One launch to check.
typedef struct gsrt_request {
  gsrt_kernel *kernel;
  const gsrt_config *config;
  const void *const *params;
  gsrt_find_function find; ///< asked only for a configuration that is new; NULL:
  void *user;              ///< kernel->function
  const gsrt_span *spans;  ///< known memory; may be NULL
  size_t span_count;
} gsrt_request;

/// Checks a launch and applies the policy. The whole cost of a checked launch is here.
gsrt_status gsrt_check_launch(const gsrt_driver *driver, const gsrt_request *request);

/// Makes the primary context of device 0 current when no context is.
gsrt_status gsrt_need_context(const gsrt_driver *driver);

/// Makes a launch without checking it. \returns a driver's result.
int gsrt_make_launch(const gsrt_driver *driver, void *function, const gsrt_config *config,
                     void **params);

/// Refuses arguments that cannot be a launch; \param driver receives the driver.
gsrt_status gsrt_usable(const gsrt_kernel *kernel, const gsrt_config *config,
                        const void *const *params, const gsrt_driver **driver);

/// Reports, by the policy, that the contract cannot be read.
gsrt_status gsrt_broken_contract(gsrt_kernel *kernel, const gsrt_config *config);

#endif
