// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels as the programmer sees them: the instances of a template and the
/// architectures of a kernel are one, and it is proved when all of them are.
#ifndef GS_GROUP_H
#define GS_GROUP_H

#include "unit.h"

/// An assumption, listed once for the whole run.
typedef struct gs_assumed {
  const char *text;
  bool checked;
} gs_assumed;

typedef struct gs_member {
  const json_t *kernel; ///< borrowed from the unit's report
  const char *target;
} gs_member;

typedef struct gs_group {
  const char *name;  ///< without template arguments when there are several instances
  const char *place; ///< "file:line:column"
  const char *key;   ///< what makes members belong together
  gs_verdict verdict; ///< the worst
  bool mixed;        ///< members have different verdicts
  bool as_optimised;
  size_t instances;  ///< distinct mangled names
  gs_list targets;
  gs_list mangled;
  gs_member *members;
  size_t member_count;
  json_int_t time_us; ///< of all members
  size_t *assumes;    ///< indices into gs_groups.assumed, ascending
  size_t assume_count;
} gs_group;

typedef struct gs_groups {
  gs_group *items;
  size_t count;
  gs_assumed *assumed;
  size_t assumed_count;
} gs_groups;

/// Groups the kernels of all units that have a report, in order of appearance.
void gs_groups_build(gs_mem *mem, const gs_unit *units, size_t unit_count, gs_groups *out);

#endif
