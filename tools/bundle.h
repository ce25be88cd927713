// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Everything that a verdict came from, in one folder: kernels.ll (the module), kernels.gs
/// (contracts, claims, lowered kernels), report.json, bundle.json (options, versions, seed).
#ifndef GS_TOOL_BUNDLE_H
#define GS_TOOL_BUNDLE_H

#include "unit.h"

/// What a bundle cannot be made of. \returns NULL, or what is wrong.
const char *gs_bundle_problem(const gs_check_options *options);

/// Writes the bundle of a check that has been done. Prints a message on failure.
/// \param report the merged report \returns an exit code.
int gs_bundle_write(const gs_run *run, const json_t *report);

/// Checks a bundle again, compares the verdicts, and attacks what is proved with launches of
/// its contract.
/// \param runs for each kernel \param seed NULL: the bundle's
/// \returns 0 when all verdicts are the same and hold, 1 when one does not, 2, 3.
int gs_bundle_replay(gs_mem *mem, const char *folder, unsigned long runs, const char *seed);

#endif
