// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random launches of random kernels, within their contract.
#ifndef FZ_LAUNCH_H
#define FZ_LAUNCH_H

#include "oracle.h"
#include "replay.h"

/// Clauses as bytecode.
typedef struct fz_contract {
  uint8_t *facts[FZ_MAX_FACTS], *counts[FZ_MAX_ARRAYS];
  size_t fact_sizes[FZ_MAX_FACTS], count_sizes[FZ_MAX_ARRAYS];
  uint32_t fact_count, claim_count;
} fz_contract;

bool fz_contract_make(const gs_kernel_desc *desc, fz_contract *out);
void fz_contract_free(fz_contract *c);

typedef struct fz_launch {
  gs_replay_launch launch;
  uint8_t bytes[24][128]; ///< of the arguments
  const void *args[24];
  gs_replay_memory memory[FZ_MAX_ARRAYS];
  const fz_kernel *kernel;
  const gs_code *code;
  uint64_t seed;
  uint32_t contents; ///< how memory is filled
  bool other;        ///< shared memory starts with other contents
  bool any_size;     ///< extents that no memory has are cut, not refused
  void *user;        ///< of the caller's callback
} fz_launch;

/// Fixes some of a launch; the rest is random.
typedef struct fz_wish {
  const gs_witness *witness; ///< NULL: nothing is fixed
  bool flat;                 ///< sizes are 1 where the contract does not name them
  bool strict;               ///< sizes in all axes, arguments that overlap
} fz_wish;

/// \returns false when no launch was found that the contract allows.
bool fz_launch_make(const fz_kernel *k, const gs_kernel_desc *desc, const fz_contract *contract,
                    const gs_code *code, const fz_wish *wish, fz_random *r, fz_launch *out);
/// "grid 2x1 block 32x1 n0 = 3 …"
void fz_launch_text(const fz_launch *l, const gs_kernel_desc *desc, char *text, size_t size);

#endif
