// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Closed forms of loop-carried values over the trip number k.
#ifndef GS_CLOSED_FORM_H
#define GS_CLOSED_FORM_H

#include "lower.h"

/// \param p a pending phi with its start and next value, the next value being a
///          term over p->holder.
/// \returns the value in iteration k as a term over the loop's trip number, or
/// GS_NO_TERM when no form applies (yet: it may once others are settled).
gs_term gs_closed_form(gs_lowering *low, const gs_pending *p);

#endif
