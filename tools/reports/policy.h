// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What of a scan report counts: findings that are known, vouched for, or let a run fail.
#ifndef GS_REPORTS_POLICY_H
#define GS_REPORTS_POLICY_H

#include "sources.h"

/// A set of what a run fails on.
enum {
  GS_FAIL_DEFINITE = 1, ///< a broken claim or a race, with exact threads
  GS_FAIL_CLAIM = 2,    ///< a claim that is not proved
  GS_FAIL_POSSIBLE = 4,
  GS_FAIL_UNKNOWN = 8,
  GS_FAIL_PATH = 64, ///< a path of host code goes wrong
  GS_FAIL_NEW = 16,   ///< whatever is not in the baseline
  GS_FAIL_FAILED = 32, ///< a source that could not be analysed
  GS_FAIL_COVERAGE = 128 ///< a smaller share of the kernels is annotated and proved than in the baseline
};

typedef struct gs_policy {
  const json_t *baseline; ///< scan report or baseline; NULL: none
  const char *suppressions; ///< path of a file of suppressions, or NULL
  unsigned fail_on;
} gs_policy;

/// Reads "definite,claim,new". \returns false, with a message, when a word is none.
bool gs_policy_fail_on(gs_mem *mem, const char *text, unsigned *out);

/// Marks each finding of a report: `baseline` ("new", "known" or null), `suppression` (an
/// object or null), `fails`; adds the suppressions to `trusts`, and the `summary`.
/// What an earlier policy marked is replaced, but for comments that this machine cannot see.
/// \param sources where comments are looked for; NULL: no sources are at hand.
/// \returns an exit code: GS_EXIT_OK, FINDINGS, or INPUT with a message.
int gs_policy_apply(gs_mem *mem, const gs_policy *policy, gs_sources *sources, json_t *report);

/// Loads a baseline: any JSON with `findings` that have an `id`.
/// \returns NULL with a message; else a new reference.
json_t *gs_baseline_load(gs_mem *mem, const char *path);

/// What --write-baseline writes: the ids of all findings that are not suppressed, with enough
/// beside them for a reviewer. \returns a new reference.
json_t *gs_baseline_make(const json_t *report);

/// Looks for `// gpusafe-ignore(rule): reason` on the line of an object's location, or in a
/// line above it that has only comments.
/// \param where receives the comment's line, and `reason` the reason ("" when it gives none).
bool gs_ignore_find(gs_sources *sources, const json_t *object, const char *rule,
                    json_int_t *where, const char **reason);

#endif
