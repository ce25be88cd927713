// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of a register program. Vectors are taken apart.
#include "decode_private.h"

#include <string.h>

static uint32_t operand(gs_decoder *d, LLVMValueRef inst, unsigned i) {
  return gs_decode_use(d, LLVMGetOperand(inst, i));
}

/// The element type of a vector, else the type itself.
static LLVMTypeRef element_type(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static bool is_bfloat(LLVMTypeRef type) {
  return LLVMGetTypeKind(element_type(type)) == LLVMBFloatTypeKind;
}

static bool is_half(LLVMTypeRef type) {
  return LLVMGetTypeKind(element_type(type)) == LLVMHalfTypeKind;
}

static int plain_op(LLVMOpcode opcode) {
  switch ((int)opcode) {
  case LLVMAdd: return GS_CODE_ADD;
  case LLVMSub: return GS_CODE_SUB;
  case LLVMMul: return GS_CODE_MUL;
  case LLVMUDiv: return GS_CODE_UDIV;
  case LLVMSDiv: return GS_CODE_SDIV;
  case LLVMURem: return GS_CODE_UREM;
  case LLVMSRem: return GS_CODE_SREM;
  case LLVMShl: return GS_CODE_SHL;
  case LLVMLShr: return GS_CODE_LSHR;
  case LLVMAShr: return GS_CODE_ASHR;
  case LLVMAnd: return GS_CODE_AND;
  case LLVMOr: return GS_CODE_OR;
  case LLVMXor: return GS_CODE_XOR;
  case LLVMFAdd: return GS_CODE_FADD;
  case LLVMFSub: return GS_CODE_FSUB;
  case LLVMFMul: return GS_CODE_FMUL;
  case LLVMFDiv: return GS_CODE_FDIV;
  case LLVMFRem: return GS_CODE_FREM;
  case LLVMFNeg: return GS_CODE_FNEG;
  default: return -1;
  }
}

static void decode_plain(gs_decoder *d, LLVMValueRef inst, gs_code_op op, uint32_t dst) {
  LLVMTypeRef type = LLVMTypeOf(inst);
  uint32_t n = gs_decode_leaf_count(d, type), a = operand(d, inst, 0);
  uint32_t b = op == GS_CODE_FNEG ? 0 : operand(d, inst, 1);
  uint8_t flags = is_bfloat(type) ? GS_CODE_BFLOAT : 0;
  if (op == GS_CODE_ADD || op == GS_CODE_SUB || op == GS_CODE_MUL || op == GS_CODE_SHL)
    flags = (uint8_t)((LLVMGetNSW(inst) ? GS_CODE_NSW : 0) | (LLVMGetNUW(inst) ? GS_CODE_NUW : 0));
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = gs_decode_emit(d, op, gs_decode_width(d, element_type(type)), dst + i, a + i,
                                 b ? b + i : 0);
    gs_decode_at(d, at)->flags = flags;
  }
}

static gs_code_compare compare_of(LLVMIntPredicate predicate) {
  switch (predicate) {
  case LLVMIntEQ: return GS_COMPARE_EQ;
  case LLVMIntNE: return GS_COMPARE_NE;
  case LLVMIntUGT: return GS_COMPARE_UGT;
  case LLVMIntUGE: return GS_COMPARE_UGE;
  case LLVMIntULT: return GS_COMPARE_ULT;
  case LLVMIntULE: return GS_COMPARE_ULE;
  case LLVMIntSGT: return GS_COMPARE_SGT;
  case LLVMIntSGE: return GS_COMPARE_SGE;
  case LLVMIntSLT: return GS_COMPARE_SLT;
  case LLVMIntSLE: return GS_COMPARE_SLE;
  }
  return GS_COMPARE_EQ;
}

static void decode_compare(gs_decoder *d, LLVMValueRef inst, bool is_float, uint32_t dst) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
  uint32_t n = gs_decode_leaf_count(d, type), a = operand(d, inst, 0), b = operand(d, inst, 1);
  uint64_t predicate = is_float ? (uint64_t)LLVMGetFCmpPredicate(inst)
                                : (uint64_t)compare_of(LLVMGetICmpPredicate(inst));
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = gs_decode_emit(d, is_float ? GS_CODE_FCMP : GS_CODE_ICMP,
                                 gs_decode_width(d, element_type(type)), dst + i, a + i, b + i);
    gs_decode_at(d, at)->imm = predicate;
    gs_decode_at(d, at)->flags = is_float && is_bfloat(type) ? GS_CODE_BFLOAT : 0;
  }
}

static void decode_select(gs_decoder *d, LLVMValueRef inst, uint32_t dst) {
  uint32_t n = gs_decode_leaf_count(d, LLVMTypeOf(inst));
  LLVMTypeRef chooser = LLVMTypeOf(LLVMGetOperand(inst, 0));
  bool each = LLVMGetTypeKind(chooser) == LLVMVectorTypeKind;
  uint32_t c = operand(d, inst, 0), a = operand(d, inst, 1), b = operand(d, inst, 2);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = gs_decode_emit(d, GS_CODE_SELECT, 64, dst + i, each ? c + i : c, a + i);
    gs_decode_at(d, at)->c = b + i;
  }
}

static void moves(gs_decoder *d, uint32_t dst, uint32_t src, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    gs_decode_emit(d, GS_CODE_MOVE, 64, dst + i, src + i, 0);
}

void gs_decode_cast(gs_decoder *d, LLVMValueRef inst, LLVMOpcode opcode, uint32_t dst) {
  LLVMValueRef value = LLVMGetOperand(inst, 0);
  LLVMTypeRef from = LLVMTypeOf(value), to = LLVMTypeOf(inst);
  uint32_t n = gs_decode_leaf_count(d, to), a = gs_decode_use(d, value);
  uint32_t in = gs_decode_width(d, element_type(from)), out = gs_decode_width(d, element_type(to));
  int op = -1;
  switch ((int)opcode) {
  case LLVMTrunc:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMPtrToAddr: op = in > out ? GS_CODE_TRUNC : GS_CODE_MOVE; break;
  case LLVMZExt:
  case LLVMAddrSpaceCast:
  case LLVMFreeze: op = GS_CODE_MOVE; break;
  case LLVMSExt: op = GS_CODE_SEXT; break;
  case LLVMFPToSI: op = GS_CODE_FTOS; break;
  case LLVMFPToUI: op = GS_CODE_FTOU; break;
  case LLVMSIToFP: op = GS_CODE_STOF; break;
  case LLVMUIToFP: op = GS_CODE_UTOF; break;
  case LLVMFPExt:
  case LLVMFPTrunc: op = GS_CODE_FTOF; break;
  case LLVMBitCast:
    op = in == out && gs_decode_leaf_count(d, from) == n ? GS_CODE_MOVE : -1;
    break;
  default: break;
  }
  bool real = op == GS_CODE_FTOS || op == GS_CODE_FTOU || op == GS_CODE_STOF ||
              op == GS_CODE_UTOF || op == GS_CODE_FTOF;
  bool bfloat = real && (is_bfloat(from) || is_bfloat(to));
  if (op < 0 || (bfloat && (is_half(from) || is_half(to))))
    gs_decode_refuse(d, "a conversion of an unusual kind", NULL);
  for (uint32_t i = 0; i < n && !d->reason; i++) {
    gs_code_insn *insn = gs_decode_at(d, gs_decode_emit(d, (gs_code_op)op, out, dst + i, a + i, 0));
    insn->imm = in;
    insn->flags = bfloat ? GS_CODE_BFLOAT : 0;
  }
}

void gs_decode_gep(gs_decoder *d, LLVMValueRef gep, uint32_t dst) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  if (LLVMGetTypeKind(LLVMTypeOf(gep)) == LLVMVectorTypeKind) {
    gs_decode_refuse(d, "a vector of pointers", NULL);
    return;
  }
  uint32_t base = operand(d, gep, 0), sum = gs_decode_const(d, 0);
  uint8_t flags = LLVMIsInBounds(gep) ? GS_CODE_POINTER : 0;
  unsigned operands = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < operands; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    uint64_t scale = 1;
    uint32_t from;
    uint8_t width = 64;
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      from = gs_decode_const(d, LLVMOffsetOfElement(d->ir->layout, type, field));
      type = LLVMStructGetTypeAtIndex(type, field);
    } else {
      type = i > 1 ? LLVMGetElementType(type) : type;
      scale = LLVMABISizeOfType(d->ir->layout, type);
      from = gs_decode_use(d, index);
      width = gs_decode_width(d, LLVMTypeOf(index));
    }
    uint32_t to = gs_decode_regs(d, 1);
    gs_code_insn *insn =
        gs_decode_at(d, gs_decode_emit(d, GS_CODE_SCALE, width, to, from, 0));
    insn->c = sum;
    insn->imm = scale;
    insn->flags = flags;
    sum = to;
  }
  gs_code_insn *last = gs_decode_at(d, gs_decode_emit(d, GS_CODE_SCALE, 64, dst, sum, 0));
  last->c = base;
  last->imm = 1;
}

// -------------------------------------------------------------- memory ----

static uint8_t memory_flags(LLVMValueRef inst) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(inst));
  bool block = LLVMGetAtomicSyncScopeID(inst) == LLVMGetSyncScopeID(context, "block", 5) ||
               LLVMGetAtomicSyncScopeID(inst) == LLVMGetSyncScopeID(context, "singlethread", 12);
  return block ? GS_CODE_BLOCK_SCOPE : 0;
}

void gs_decode_fence(gs_decoder *d, uint8_t flags) {
  gs_decode_at(d, gs_decode_emit(d, GS_CODE_FENCE, 0, 0, 0, 0))->flags = flags;
  d->code->fences = true;
}

static void decode_access(gs_decoder *d, LLVMValueRef inst, bool store, uint32_t dst) {
  LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(inst, 0)) : LLVMTypeOf(inst);
  gs_leaf leaves[GS_MAX_LEAVES];
  uint32_t n = gs_decode_leaves(d, type, leaves);
  uint32_t address = operand(d, inst, store ? 1 : 0), value = store ? operand(d, inst, 0) : 0;
  uint8_t flags = 0;
  if (LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic)
    flags = (uint8_t)(GS_CODE_ATOMIC_ACCESS | memory_flags(inst));
  for (uint32_t i = 0; i < n; i++) {
    if (leaves[i].width % 8 && (leaves[i].width != 1 || n > 1))
      gs_decode_refuse(d, "memory of integers that are no whole bytes", NULL);
    uint32_t at = gs_decode_emit(d, store ? GS_CODE_STORE : GS_CODE_LOAD, leaves[i].width,
                                 dst + i, address, store ? value + i : 0);
    gs_decode_at(d, at)->imm = leaves[i].offset;
    gs_decode_at(d, at)->flags = flags;
  }
}

static void decode_rmw(gs_decoder *d, LLVMValueRef inst, uint32_t dst) {
  int kind = -1;
  switch ((int)LLVMGetAtomicRMWBinOp(inst)) {
  case LLVMAtomicRMWBinOpXchg: kind = GS_ATOMIC_XCHG; break;
  case LLVMAtomicRMWBinOpAdd: kind = GS_ATOMIC_ADD; break;
  case LLVMAtomicRMWBinOpSub: kind = GS_ATOMIC_SUB; break;
  case LLVMAtomicRMWBinOpAnd: kind = GS_ATOMIC_AND; break;
  case LLVMAtomicRMWBinOpOr: kind = GS_ATOMIC_OR; break;
  case LLVMAtomicRMWBinOpXor: kind = GS_ATOMIC_XOR; break;
  case LLVMAtomicRMWBinOpMax: kind = GS_ATOMIC_SMAX; break;
  case LLVMAtomicRMWBinOpMin: kind = GS_ATOMIC_SMIN; break;
  case LLVMAtomicRMWBinOpUMax: kind = GS_ATOMIC_UMAX; break;
  case LLVMAtomicRMWBinOpUMin: kind = GS_ATOMIC_UMIN; break;
  case LLVMAtomicRMWBinOpFAdd: kind = GS_ATOMIC_FADD; break;
  case LLVMAtomicRMWBinOpUIncWrap: kind = GS_ATOMIC_INC; break;
  case LLVMAtomicRMWBinOpUDecWrap: kind = GS_ATOMIC_DEC; break;
  default: gs_decode_refuse(d, "an atomic operation of an unusual kind", NULL); break;
  }
  uint32_t width = gs_decode_width(d, LLVMTypeOf(inst));
  if (width < 32)
    gs_decode_refuse(d, "an atomic operation on less than 32 bits", NULL);
  uint32_t p = operand(d, inst, 0), value = operand(d, inst, 1);
  gs_code_insn *insn = gs_decode_at(d, gs_decode_emit(d, GS_CODE_ATOMIC, width, dst, p, value));
  insn->imm = (uint64_t)kind;
  insn->flags = memory_flags(inst);
}

static void decode_cas(gs_decoder *d, LLVMValueRef inst, uint32_t dst) {
  uint32_t p = operand(d, inst, 0), expected = operand(d, inst, 1), value = operand(d, inst, 2);
  uint32_t width = gs_decode_width(d, LLVMTypeOf(LLVMGetOperand(inst, 1)));
  gs_code_insn *insn = gs_decode_at(d, gs_decode_emit(d, GS_CODE_CAS, width, dst, p, expected));
  insn->c = value;
  insn->flags = memory_flags(inst);
}

static void decode_alloca(gs_decoder *d, LLVMValueRef inst, uint32_t dst) {
  LLVMValueRef count = LLVMGetOperand(inst, 0);
  uint64_t n = LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
  uint64_t size = n * LLVMABISizeOfType(d->ir->layout, LLVMGetAllocatedType(inst));
  if (!LLVMIsAConstantInt(count) || size > UINT32_MAX)
    gs_decode_refuse(d, "a variable of variable size", NULL);
  uint32_t w = gs_decode_window(d, GS_WINDOW_LOCAL, size, "a local variable");
  gs_decode_emit(d, GS_CODE_MOVE, 64, dst, gs_decode_const(d, gs_window_address(w)), 0);
}

// ---------------------------------------------------------- aggregates ----

/// The leaf where indices [0, count) of an aggregate lead.
static uint32_t leaf_at(gs_decoder *d, LLVMTypeRef type, const unsigned *indices, unsigned count) {
  uint32_t at = 0;
  for (unsigned i = 0; i < count; i++) {
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      for (unsigned j = 0; j < indices[i]; j++)
        at += gs_decode_leaf_count(d, LLVMStructGetTypeAtIndex(type, j));
      type = LLVMStructGetTypeAtIndex(type, indices[i]);
    } else {
      type = LLVMGetElementType(type);
      at += indices[i] * gs_decode_leaf_count(d, type);
    }
  }
  return at;
}

static void decode_member(gs_decoder *d, LLVMValueRef inst, bool insert, uint32_t dst) {
  LLVMValueRef whole = LLVMGetOperand(inst, 0);
  uint32_t from = gs_decode_use(d, whole);
  uint32_t at = leaf_at(d, LLVMTypeOf(whole), LLVMGetIndices(inst), LLVMGetNumIndices(inst));
  if (!insert) {
    moves(d, dst, from + at, gs_decode_leaf_count(d, LLVMTypeOf(inst)));
    return;
  }
  LLVMValueRef part = LLVMGetOperand(inst, 1);
  moves(d, dst, from, gs_decode_leaf_count(d, LLVMTypeOf(whole)));
  moves(d, dst + at, gs_decode_use(d, part), gs_decode_leaf_count(d, LLVMTypeOf(part)));
}

/// An element of a vector by a constant or computed index: a chain of selections.
static void decode_element(gs_decoder *d, LLVMValueRef inst, bool insert, uint32_t dst) {
  LLVMValueRef vector = LLVMGetOperand(inst, 0), index = LLVMGetOperand(inst, insert ? 2 : 1);
  uint32_t n = LLVMGetVectorSize(LLVMTypeOf(vector)), from = gs_decode_use(d, vector);
  uint32_t value = insert ? operand(d, inst, 1) : 0, where = gs_decode_use(d, index);
  if (insert)
    moves(d, dst, from, n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t hit = gs_decode_regs(d, 1);
    gs_decode_emit(d, GS_CODE_ICMP, 64, hit, where, gs_decode_const(d, i)); // imm 0 is EQ
    uint32_t to = insert ? dst + i : dst;
    uint32_t at = gs_decode_emit(d, GS_CODE_SELECT, 64, to, hit, insert ? value : from + i);
    gs_decode_at(d, at)->c = to;
  }
}

static void decode_shuffle(gs_decoder *d, LLVMValueRef inst, uint32_t dst) {
  uint32_t n = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(inst, 0)));
  uint32_t a = operand(d, inst, 0), b = operand(d, inst, 1);
  for (unsigned i = 0; i < LLVMGetNumMaskElements(inst); i++) {
    int from = LLVMGetMaskValue(inst, i);
    if (from == LLVMGetUndefMaskElem())
      gs_decode_emit(d, GS_CODE_ANY, 64, dst + i, 0, 0);
    else
      gs_decode_emit(d, GS_CODE_MOVE, 64, dst + i,
                     (uint32_t)from < n ? a + (uint32_t)from : b + (uint32_t)from - n, 0);
  }
}

void gs_decode_instruction(gs_decoder *d, LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  if (opcode == LLVMCall) {
    gs_decode_call(d, inst);
    return;
  }
  if (opcode == LLVMStore) {
    decode_access(d, inst, true, 0);
    return;
  }
  if (opcode == LLVMFence) {
    gs_decode_fence(d, memory_flags(inst));
    return;
  }
  uint32_t dst = gs_decode_result(d, inst);
  int op = plain_op(opcode);
  if (op >= 0) {
    decode_plain(d, inst, (gs_code_op)op, dst);
    return;
  }
  switch ((int)opcode) {
  case LLVMICmp: decode_compare(d, inst, false, dst); break;
  case LLVMFCmp: decode_compare(d, inst, true, dst); break;
  case LLVMSelect: decode_select(d, inst, dst); break;
  case LLVMGetElementPtr: gs_decode_gep(d, inst, dst); break;
  case LLVMLoad: decode_access(d, inst, false, dst); break;
  case LLVMAtomicRMW: decode_rmw(d, inst, dst); break;
  case LLVMAtomicCmpXchg: decode_cas(d, inst, dst); break;
  case LLVMAlloca: decode_alloca(d, inst, dst); break;
  case LLVMExtractValue: decode_member(d, inst, false, dst); break;
  case LLVMInsertValue: decode_member(d, inst, true, dst); break;
  case LLVMExtractElement: decode_element(d, inst, false, dst); break;
  case LLVMInsertElement: decode_element(d, inst, true, dst); break;
  case LLVMShuffleVector: decode_shuffle(d, inst, dst); break;
  case LLVMFreeze:
    moves(d, dst, operand(d, inst, 0), gs_decode_leaf_count(d, LLVMTypeOf(inst)));
    break;
  default: gs_decode_cast(d, inst, opcode, dst); break;
  }
}
