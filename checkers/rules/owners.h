// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a kernel's claims say about who owns which memory.
#ifndef GS_OWNERS_H
#define GS_OWNERS_H

#include "rule.h"

/// A claim of this kind on the parameter that the object belongs to, which its rule (on)
/// checks and no trust excuses; NULL when there is none.
const gs_claim *gs_checked_claim(const gs_kernel *kernel, gs_claim_kind kind, int32_t param);

/// Is some claim about who accesses the object stronger than the absence of races, and
/// checked? Then a race would be the same finding twice.
bool gs_claimed_owned(const gs_kernel *kernel, const gs_object *object);

/// Does a claim say that the two objects do not overlap: one of them is an exclusive
/// parameter and the other's size is known, too? Then no default assumption need.
bool gs_claimed_apart(const gs_kernel *kernel, const gs_object *a, const gs_object *b);

/// How the launch that is looked at gives both parameters one buffer; NULL: it does not.
const gs_alias *gs_alias_of(const gs_kernel *kernel, const gs_object *a, const gs_object *b);

#endif
