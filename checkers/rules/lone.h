// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Questions about one thread: can it come here, with this being true? Shared by the rules
/// that need no second thread.
#ifndef GS_LONE_H
#define GS_LONE_H

#include "rule.h"

/// A question and its answer. Must not be moved: the violation points into it.
typedef struct gs_lone {
  gs_violation violation;
  gs_spot spots[2];
  gs_case c;
  gs_model model;
  uint32_t line;      ///< of the instruction, where a finding is told elsewhere; else 0
  const char *reason; ///< YES: on what the model hangs; NULL = it is an execution
  bool exact;
} gs_lone;

/// Can a thread execute the access with this target, and `extra` be true of it?
/// \param extra a term of the program, width 1; may be none
/// \returns DONT_KNOW also when the budget is spent. Free `out` with gs_lone_free after any answer.
gs_answer gs_lone_access(gs_kernel *kernel, gs_rule rule, uint32_t access, uint32_t target,
                         gs_term extra, gs_lone *out);
/// Can a thread come to a block of the program?
/// \param plain no flag of the conditions that lead there is believed
gs_answer gs_lone_block(gs_kernel *kernel, gs_rule rule, uint32_t block, bool plain, gs_term extra,
                        gs_lone *out);
void gs_lone_free(gs_lone *lone);

/// Has the rule no finding at this place yet?
bool gs_lone_is_new(const gs_kernel *kernel, gs_rule rule, gs_loc loc);
/// After a YES: a finding at `loc` with verdict, reason and witness, but without message. A
/// definite one has been run.
/// \returns false when a trust covers it, or memory is short.
bool gs_lone_finding(gs_kernel *kernel, gs_lone *lone, gs_loc loc, const gs_object *object,
                     gs_finding *out);
/// "possible " where the finding is not certain.
const char *gs_lone_doubt(const gs_finding *finding);
/// Adds the note on what it hangs, if it does, then `advice`, and the finding to the result.
void gs_lone_report(gs_kernel *kernel, gs_finding *finding, const char *advice);

#endif
