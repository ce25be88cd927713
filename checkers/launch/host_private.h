// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GS_HOST_PRIVATE_H
#define GS_HOST_PRIVATE_H

#include "host.h"

struct gs_hosts {
  gs_host_node *nodes; ///< 0 is "not known"
  uint32_t count, capacity;
  int64_t unknowns;
};

/// What a machine integer can hold.
gs_host_bounds gs_host_type_bounds(gs_host_type type);
bool gs_host_fits(gs_host_bounds bounds, gs_host_type type);
/// Bounds of the mathematical result, whatever the operands' machine types. Exact for
/// numbers where the result is defined.
gs_host_bounds gs_host_op_bounds(const gs_hosts *hosts, gs_expr_op op, const uint32_t args[3]);

#endif
