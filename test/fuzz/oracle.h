// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compares what the checker says of a kernel with what runs of it show.
#ifndef FZ_ORACLE_H
#define FZ_ORACLE_H

#include "code.h"
#include "gs.h"
#include "kernel.h"

typedef enum fz_outcome {
  FZ_AGREES,
  FZ_UNSOUND,   ///< PROVED, and a run shows a violation that no listed assumption excuses
  FZ_IMPRECISE, ///< definite, and runs of exactly that launch do not show it
  FZ_UNMET,     ///< the same, but the kernel reads memory: runs had other contents
  FZ_UNRUN      ///< no launch fits the contract, or replay refuses
} fz_outcome;

typedef struct fz_report {
  fz_outcome outcome;
  bool broken;     ///< a run showed a violation, whatever the verdict is
  char text[1200]; ///< what was seen
} fz_report;

/// What gs_check must know of the kernel. Owned by whoever made it.
typedef struct fz_description {
  gs_kernel_desc desc;
  void *parts;
} fz_description;

bool fz_describe(const fz_kernel *k, fz_description *out);
void fz_description_free(fz_description *d);

/// Compiles kernels with clang, checks them, decodes and judges each.
typedef struct fz_session {
  const char *clang, *header; ///< program and gpusafe_cuda_min.h
  const char *folder;         ///< for temporary files
  uint32_t runs;
  bool strict;     ///< without default assumptions: arguments may overlap, sizes be 3-D
  bool thrifty;    ///< ask as a build does that wants no verdict: small budgets
  bool quick;      ///< small budgets, and no more questions once a kernel is not proved
  bool all;        ///< run kernels that are not PROVED as well
  const char *gpu; ///< folder that gets kernels and launches for test/gpu; NULL = none
  uint32_t batches; ///< written there
  uint64_t budget; ///< of the solver; 0: the checker's own
  uint64_t verdicts[5], outcomes[5]; ///< counts
  uint64_t refused;
  uint64_t broken, broken_unknown; ///< kernels that a run shows wrong; of those UNKNOWN
} fz_session;

/// \param code NULL: replay refused.
void fz_judge(const fz_kernel *k, const gs_kernel_desc *desc, const gs_kernel_result *result,
              const gs_code *code, const fz_session *session, fz_report *out);

/// \returns false when clang or the checker failed.
bool fz_check_batch(fz_session *s, fz_kernel *const *kernels, uint32_t count, fz_report *reports,
                    gs_verdict *verdicts);

#endif
