// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the core: names of clauses that the core itself writes.
#ifndef GS_DESC_NAMES_H
#define GS_DESC_NAMES_H

#include "gs.h"

/// A gs_resolver over a description: pointers, integers, and integers in structures that are
/// passed by value. \param user the gs_kernel_desc
bool gs_desc_resolve(void *user, const char *name, size_t length, gs_name *out, const char **hint);

#endif
