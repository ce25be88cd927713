// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The tiers: each query goes to the cheapest prover that can answer it.
#ifndef GS_PROVER_H
#define GS_PROVER_H

#include "affine.h"
#include "budget.h"
#include "gs.h"
#include "scene.h"
#include "smt.h"

typedef struct gs_prover gs_prover;

typedef struct gs_prover_options {
  uint64_t solver_budget; ///< Z3 resource units for one query; 0 = default
  gs_effort effort;
  uint32_t sm; ///< target, for the contract's clauses
  uint32_t crowd; ///< kernels that share a thrifty budget
  bool wary; ///< the kernel claims nothing: more launch shapes may excuse a conflict
} gs_prover_options;

/// \param program for the friendly values a witness should have.
gs_prover *gs_prover_new(gs_program *program, gs_scene *scene, const gs_prover_options *options);
void gs_prover_free(gs_prover *prover);

/// Can the case happen, with the byte ranges overlapping (`overlap`), and two
/// different threads? `extra` (may be none) must hold too.
/// \param model on YES: the friendliest model found. Free with gs_model_free.
gs_answer gs_prover_decide(gs_prover *prover, const gs_case *c, bool overlap, gs_term extra,
                           gs_model *model);

/// The next rule's questions follow: it has a reserve of its own (budget.h).
void gs_prover_next_rule(gs_prover *prover);
/// Is all work done that this rule may cost? Then every answer is DONT_KNOW.
bool gs_prover_exhausted(const gs_prover *prover);

/// After a YES: is the block size open, and did some common launch shape exclude
/// the case? Then it hangs on a launch that nothing promises.
bool gs_prover_some_shapes(const gs_prover *prover);

/// After a YES: may the model contradict what the contract says about the contents of
/// arrays?
bool gs_prover_data_open(const gs_prover *prover);

/// Does a proof rest on divisors that are not 0 and shifts that are in range?
bool gs_prover_took_defined(const gs_prover *prover);

/// Origins of flags that proofs relied on so far.
const gs_used *gs_prover_used(const gs_prover *prover);
/// Counters of queries by tier; `terms` is filled.
void gs_prover_counters(const gs_prover *prover, gs_counters *out);

#endif
