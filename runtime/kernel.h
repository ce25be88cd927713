// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels and the configurations that have been found valid for them.
#ifndef GSRT_KERNEL_H
#define GSRT_KERNEL_H

#include "driver.h"

#include <stdatomic.h>

enum {
  GSRT_CACHE_SLOTS = 8,
  GSRT_CACHE_KEY = 7,
  GSRT_MAX_SCALARS = 4,
  GSRT_CACHE_WORDS = 11 + GSRT_MAX_SCALARS
};

/// An integer argument that some clause reads.
typedef struct gsrt_scalar {
  uint32_t param, offset, size; ///< bytes
} gsrt_scalar;

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
  // Decoded programs: clauses over integer arguments first, then those that look at
  // pointers as well, then those that the configuration decides, then the counts of the
  // claims. The numbers count from the beginning.
  gsrt_program *programs;
  uint32_t integer_count, argument_count, clause_count;
  /// What the clauses over integer arguments hang on, beside the configuration: where it is
  /// the same again, so is their answer. Too many: none, and they are evaluated each time.
  gsrt_scalar scalars[GSRT_MAX_SCALARS];
  uint32_t scalar_count;
  bool has_scalars; ///< all of them are listed
  gs_insn *insns;            ///< of all these
  bool broken;               ///< its descriptor is malformed
  bool enforced;             ///< whatever the policy (GS_DESC_CODEGEN)
  gsrt_kernel *next_retired; ///< of the registry
  gsrt_cache_slot cache[GSRT_CACHE_SLOTS];
};

/// \returns true when launches of the kernel are to be checked.
static inline bool gsrt_is_checked(const gsrt_kernel *kernel) {
  return kernel->enforced || gsrt_get_policy() != GSRT_POLICY_OFF;
}

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

/// Refuses arguments that cannot be a launch; \param driver receives the driver.
gsrt_status gsrt_usable(const gsrt_kernel *kernel, const gsrt_config *config,
                        const void *const *params, const gsrt_driver **driver);

/// Reports, by the policy, that the contract cannot be read.
gsrt_status gsrt_broken_contract(gsrt_kernel *kernel, const gsrt_config *config);

#endif
