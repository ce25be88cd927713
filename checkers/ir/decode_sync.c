// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of a register program, however they are called.
#include "barrier_call.h"
#include "decode_private.h"

#include <string.h>

/// \param id, count registers; count 0: all threads of the block
static gs_code_insn *emit_barrier(gs_decoder *d, gs_code_op op, uint32_t dst, uint32_t id, uint32_t count) {
  d->code->wide |= count || op != GS_CODE_BARRIER;
  gs_code_insn *insn = gs_decode_at(d, gs_decode_emit(d, op, 32, dst, 0, id));
  insn->c = count;
  return insn;
}

static void emit_cluster(gs_decoder *d, bool arrives, bool relaxed) {
  uint32_t id = gs_decode_const(d, GS_BARRIER_CLUSTER);
  emit_barrier(d, arrives ? GS_CODE_ARRIVE : GS_CODE_WAIT, 0, id, 0)->imm = arrives && relaxed;
}

/// __syncthreads() and its kind: (id, count, predicate), as far as the form has them.
static void block_barrier(gs_decoder *d, LLVMValueRef call, bool has_id, bool has_count, const char *name) {
  gs_code_vote vote = strstr(name, "popc")   ? GS_VOTE_COUNT
                      : strstr(name, ".and") ? GS_VOTE_ALL
                      : strstr(name, ".or")  ? GS_VOTE_ANY
                                             : GS_VOTE_NONE;
  bool result = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
  unsigned n = LLVMGetNumArgOperands(call);
  if (n < (unsigned)has_id + has_count + result || result != (vote != GS_VOTE_NONE)) {
    gs_decode_refuse(d, "the barrier", name);
    return;
  }
  uint32_t id = has_id ? gs_decode_use(d, LLVMGetOperand(call, 0)) : 0;
  uint32_t count = has_count ? gs_decode_use(d, LLVMGetOperand(call, 1)) : 0;
  uint32_t predicate = result ? gs_decode_use(d, LLVMGetOperand(call, n - 1)) : 0;
  gs_code_insn *insn = emit_barrier(d, GS_CODE_BARRIER, result ? gs_decode_result(d, call) : 0, id, count);
  insn->a = predicate;
  insn->imm = vote;
}

static void ptx_barrier(gs_decoder *d, LLVMValueRef call) {
  gs_ptx_barrier b = {0};
  uint32_t regs[2] = {0};
  if (!gs_ptx_find_barrier(call, &b) || LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
    gs_decode_refuse(d, "the barrier in inline PTX", NULL);
    return;
  }
  for (uint32_t i = 0; i < b.count; i++) {
    LLVMValueRef value = gs_ptx_barrier_value(call, &b, i);
    regs[i] = value ? gs_decode_use(d, value) : gs_decode_const(d, b.value[i]);
  }
  if (b.is_warp)
    gs_decode_emit(d, GS_CODE_SYNCWARP, 32, 0, regs[0], 0);
  else if (b.is_cluster)
    emit_cluster(d, b.arrives, b.relaxed);
  else
    emit_barrier(d, b.arrives ? GS_CODE_ARRIVE : GS_CODE_BARRIER, 0, regs[0], regs[1]);
}

void gs_decode_sync(gs_decoder *d, LLVMValueRef call, gs_model_kind kind, const char *name) {
  LLVMValueRef first = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
  if (!gs_ir_callee(call))
    ptx_barrier(d, call);
  else if (kind == GS_MODEL_SYNC_GRID)
    gs_decode_emit(d, GS_CODE_SYNCGRID, 0, 0, 0, 0), d->code->syncs_grid = true;
  else if (kind == GS_MODEL_SYNC_WARP)
    gs_decode_emit(d, GS_CODE_SYNCWARP, 32, 0, gs_decode_use(d, first), 0);
  else if (kind == GS_MODEL_CLUSTER_ARRIVE || kind == GS_MODEL_CLUSTER_WAIT)
    emit_cluster(d, kind == GS_MODEL_CLUSTER_ARRIVE, strstr(name, "relaxed") != NULL);
  else if (kind == GS_MODEL_SYNC_ARRIVE)
    emit_barrier(d, GS_CODE_ARRIVE, 0, gs_decode_use(d, first), gs_decode_use(d, LLVMGetOperand(call, 1)));
  else
    block_barrier(d, call, kind != GS_MODEL_SYNC, kind == GS_MODEL_SYNC_N, name);
}
