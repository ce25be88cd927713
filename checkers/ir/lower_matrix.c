// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that a whole warp loads or stores. Which lane touches which element is not
// specified: any lane may touch any.
#include "lower.h"
#include "lower_ptx.h"

#include <stdio.h>
#include <string.h>

/// An element that the access chooses: every one of them is touched by some lane.
static gs_term choose(gs_lowering *low, uint32_t count, uint32_t block) {
  gs_sym sym = {.kind = GS_SYM_OPAQUE, .level = GS_LEVEL_THREAD, .width = 64, .hi = count - 1,
                .reason = ""};
  uint32_t loop = low->cfg.loop[block];
  sym.loop = loop == GS_NONE ? 0 : loop + 1;
  return gs_mk_sym(low->terms, &sym);
}

static gs_term times(gs_lowering *low, gs_term a, uint64_t b) {
  return gs_mk_bin_flags(low->terms, GS_OP_MUL, a, gs_mk_const(low->terms, b, 64), GS_NSW, 0);
}

/// Bytes from the beginning of the matrix to its run number `run`.
static gs_term run_offset(gs_lowering *low, const gs_matrix *m, gs_term run, gs_term stride) {
  gs_terms *t = low->terms;
  gs_term elements = stride ? gs_mk_bin_flags(t, GS_OP_MUL, run, stride, GS_NSW, 0) : times(low, run, m->inner);
  if (m->bits >= 8)
    return times(low, elements, m->bits / 8);
  return gs_mk_bin(t, GS_OP_UDIV, times(low, elements, m->bits), gs_mk_const(t, 8, 64));
}

void gs_lower_matrix(gs_lowering *low, const gs_matrix *m, gs_term pointer, gs_term stride,
                     LLVMValueRef call, uint32_t block) {
  gs_terms *t = low->terms;
  gs_access *access;
  if (m->is_rows) {
    access = gs_lower_access(low, pointer, 16, m->is_write, call, block);
    if (access) {
      gs_term lane = gs_lower_register(low, "laneid");
      low->raw[low->raw_count - 1].guard = gs_mk_bin(t, GS_OP_ULT, lane, gs_mk_const(t, m->lanes, 32));
    }
  } else {
    if (stride)
      stride = gs_mk_cast(t, GS_OP_SEXT, stride, 64);
    gs_term at = run_offset(low, m, choose(low, m->outer, block), stride);
    bool whole = m->bits >= 8; // elements, else runs
    if (whole)
      at = gs_mk_bin_flags(t, GS_OP_ADD, at, times(low, choose(low, m->inner, block), m->bits / 8), GS_NSW, 0);
    access = gs_lower_access(low, pointer ? gs_mk_bin(t, GS_OP_ADD, pointer, at) : GS_NO_TERM,
                             whole ? m->bits / 8 : m->inner * m->bits / 8, m->is_write, call, block);
  }
  if (!access)
    return;
  access->warp_key = m->key;
  access->by_rows = m->is_rows;
  access->tile = m->is_rows ? GS_NO_TERM : pointer;
  access->stride = stride;
}

void gs_lower_matrix_call(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  const char *name = gs_ir_name(gs_ir_callee(call)) + strlen("llvm.nvvm.");
  gs_matrix m;
  unsigned n = LLVMGetNumArgOperands(call);
  if (!gs_matrix_read(name, strlen(name), &m)) {
    char text[160];
    snprintf(text, sizeof text, "'%.100s', a matrix of a shape that is not modelled", name);
    gs_lower_gap(low, text, call);
    return;
  }
  gs_term stride = m.has_stride ? gs_lower_use(low, LLVMGetOperand(call, n - 1), block) : GS_NO_TERM;
  gs_lower_matrix(low, &m, gs_lower_use(low, LLVMGetOperand(call, 0), block), stride, call, block);
}
