// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One kernel launch as the source shows it: what it tells the proof of a kernel, and
/// whether it keeps the kernel's contract and the limits of every device.
#ifndef GS_LAUNCH_H
#define GS_LAUNCH_H

#include "gs.h"
#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An integer in a structure that is passed by value.
typedef struct gs_launch_field {
  uint32_t param, offset; ///< bytes into the parameter
  gs_host_value value;
} gs_launch_field;

/// Values that the source does not show are "not known" (at == 0).
typedef struct gs_launch {
  gs_host_value grid[3], block[3]; ///< blocks, threads
  gs_host_value cluster[3];        ///< blocks; known ones are 1 where there are no clusters
  gs_host_value dynamic_smem;      ///< bytes
  const gs_host_value *args;       ///< one for each parameter: integers as the kernel gets
                                   ///< them; pointers as addresses, in bytes
  uint32_t arg_count;
  const gs_launch_field *fields; ///< integers in structures that are passed by value
  uint32_t field_count;
  gs_host_value cooperative; ///< 0 or 1
} gs_launch;

/// Receives a clause that the launch satisfies, in the contract language over the names
/// of the kernel's parameters. `wraps`: only if the host computed without overflow.
typedef void (*gs_launch_fact_sink)(void *user, const char *text, bool wraps);

/// What the launch tells about the kernel's run. Sizes that hang on values which are not
/// passed to the kernel give the bounds that they have, or nothing.
/// \param params  those of the kernel; a parameter without a name is not spoken of.
/// \param by_axis one clause for each axis, for comparison with other launches, instead
///                of `block == dim(16, 16, 1)`
void gs_launch_facts(const gs_hosts *hosts, const gs_launch *launch, const gs_param_desc *params,
                     bool by_axis, gs_launch_fact_sink sink, void *user);

/// Pointer parameters that get one buffer. \param out receives up to `capacity` pairs.
/// \returns how many there are.
uint32_t gs_launch_aliases(const gs_hosts *hosts, const gs_launch *launch,
                           const gs_param_desc *params, gs_alias *out, uint32_t capacity);

typedef enum gs_launch_verdict {
  GS_LAUNCH_KEEPS,   ///< proved
  GS_LAUNCH_BREAKS,  ///< certain, whatever the values that are not known
  GS_LAUNCH_DEPENDS  ///< the runtime has to look
} gs_launch_verdict;

/// Does the launch satisfy a clause of the kernel's contract?
/// \param sm   target, 90 for sm_90; 0 = not known
/// \param why  on BREAKS receives, terminated, the two values that were compared, as in
///             "the left side is 128, the right side 256"; "" when they have no short text
gs_launch_verdict gs_launch_check_clause(gs_hosts *hosts, const gs_launch *launch,
                                         const gs_clause *clause, uint32_t sm, char *why,
                                         size_t size);

/// Receives what is wrong, a whole sentence without a full stop.
typedef void (*gs_launch_problem_sink)(void *user, const char *text);

/// Reports what no device can launch: sizes of zero, too many threads or blocks, more
/// threads than the kernel's __launch_bounds__ (`max_threads`, 0 = none), clusters that do
/// not divide the grid or are too large, more shared memory than there is. Only what is
/// certain. \returns false when something was reported.
bool gs_launch_check_limits(gs_hosts *hosts, const gs_launch *launch, uint32_t max_threads,
                            gs_launch_problem_sink sink, void *user);

/// Reports what devices of compute capability `sm` (90 for sm_90; others than those of
/// attrs/device_profiles.def have no limits) cannot launch, and others perhaps can: dynamic
/// shared memory, clusters. \returns false when something was reported.
bool gs_launch_check_target(gs_hosts *hosts, const gs_launch *launch, uint32_t sm,
                            gs_launch_problem_sink sink, void *user);

#ifdef __cplusplus
}
#endif
#endif
