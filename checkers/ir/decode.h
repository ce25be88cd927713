// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From a prepared kernel to the register program that replay runs.
#ifndef GS_DECODE_H
#define GS_DECODE_H

#include "code.h"
#include "ir.h"

/// Decodes one kernel.
/// \param out    owned by the caller: gs_code_free. NULL unless GS_OK.
/// \param reason on GS_ERROR_INPUT: what cannot be run; free with free().
/// \returns GS_ERROR_INPUT for what replay cannot run.
gs_status gs_ir_decode(gs_ir *ir, uint32_t kernel, gs_code **out, char **reason);

#endif
