// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX that touches memory, and asynchronous copies, in a register program. A copy is
// made where it starts: whether that is allowed is the rule async-copy's business.
#include "decode_private.h"
#include "lower_ptx.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 8, MAX_DEPTH = 16 };

// ------------------------------------------------------------- addresses ----

/// The variable in shared memory that a 32-bit address is counted from; NULL when that is
/// not plain to see.
static LLVMValueRef shared_root(LLVMValueRef v, int depth) {
  unsigned opcode = 0;
  if (depth > MAX_DEPTH)
    return NULL;
  if (LLVMIsAGlobalVariable(v))
    return LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == GS_SPACE_SHARED ? v : NULL;
  if (LLVMIsAInstruction(v))
    opcode = LLVMGetInstructionOpcode(v);
  else if (LLVMIsAConstantExpr(v))
    opcode = LLVMGetConstOpcode(v);
  switch ((int)opcode) {
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMAddrSpaceCast:
  case LLVMGetElementPtr:
  case LLVMFreeze:
  case LLVMSub: return shared_root(LLVMGetOperand(v, 0), depth + 1);
  case LLVMAdd: {
    LLVMValueRef a = shared_root(LLVMGetOperand(v, 0), depth + 1);
    LLVMValueRef b = shared_root(LLVMGetOperand(v, 1), depth + 1);
    return a && b ? NULL : a ? a : b;
  }
  default: return NULL;
  }
}

/// The register of an address of 64 bits. An address in shared memory of 32 bits is what a
/// pointer has in its lower half, which in replay is the distance from its variable's begin.
static uint32_t address(gs_decoder *d, const gs_ptx_operands *o, gs_ptx_address a) {
  LLVMValueRef v = gs_ptx_address_value(o, a);
  LLVMTypeRef type = v ? LLVMTypeOf(v) : NULL;
  bool pointer = v && LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  uint32_t width = v && LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
  LLVMValueRef root = width == 32 ? shared_root(v, 0) : NULL;
  if (!pointer && width != 64 && !root) {
    gs_decode_refuse(d, "an address in inline PTX", NULL);
    return 0;
  }
  uint32_t from = gs_decode_use(d, v), sum = gs_decode_regs(d, 1);
  if (root) {
    uint32_t at = gs_decode_emit(d, GS_CODE_SCALE, 32, sum, from, 0);
    gs_decode_at(d, at)->imm = 1;
    gs_decode_at(d, at)->c = gs_decode_use(d, root);
    from = sum;
  }
  if (!a.offset)
    return from;
  uint32_t moved = gs_decode_regs(d, 1);
  gs_decode_emit(d, GS_CODE_ADD, 64, moved, from, gs_decode_const(d, (uint64_t)a.offset));
  return moved;
}

// --------------------------------------------------------------- accesses ----

static uint8_t flags_of(const gs_ptx_effect *e) {
  if (e->kind != GS_PTX_ATOMIC && !e->is_strong)
    return 0;
  return (uint8_t)((e->kind == GS_PTX_ATOMIC ? 0 : GS_CODE_ATOMIC_ACCESS) |
                   (e->scope == GS_PTX_CTA ? GS_CODE_BLOCK_SCOPE : 0));
}

/// Bytes [0, size) in pieces of at most eight. Which values are written is not computed.
static void touch(gs_decoder *d, const gs_ptx_effect *e, uint32_t at) {
  for (uint32_t done = 0; done < e->size;) {
    uint32_t n = CHUNK;
    while (n > e->size - done)
      n /= 2;
    uint32_t value = gs_decode_regs(d, 1);
    gs_code_op op = e->kind == GS_PTX_LOAD    ? GS_CODE_LOAD
                    : e->kind == GS_PTX_STORE ? GS_CODE_STORE
                                              : GS_CODE_ATOMIC;
    if (op != GS_CODE_LOAD)
      gs_decode_emit(d, GS_CODE_ANY, n * 8, value, 0, 0);
    if (op == GS_CODE_ATOMIC && (n < 4 || done))
      gs_decode_refuse(d, "an atomic operation of unusual size in inline PTX", NULL);
    gs_code_insn *insn = gs_decode_at(d, gs_decode_emit(d, op, n * 8, op == GS_CODE_STORE ? 0 : gs_decode_regs(d, 1),
                                                       at, op == GS_CODE_LOAD ? 0 : value));
    insn->imm = op == GS_CODE_ATOMIC ? (uint64_t)GS_ATOMIC_XCHG : done;
    insn->flags = flags_of(e);
    done += n;
  }
}

/// One load, whose values are the results. \returns false when it is not so simple.
static bool load_results(gs_decoder *d, LLVMValueRef call, const gs_ptx_operands *o, const gs_ptx *ptx) {
  const gs_ptx_effect *e = &ptx->effects[0];
  if (ptx->statements != 1 || ptx->count != 1 || e->kind != GS_PTX_LOAD || !o->outputs)
    return false;
  gs_leaf leaves[GS_MAX_LEAVES];
  uint32_t n = gs_decode_leaves(d, LLVMTypeOf(call), leaves), each = n ? e->size / n : 0;
  for (uint32_t i = 0; i < n; i++)
    if (leaves[i].width != each * 8)
      return false;
  uint32_t dst = gs_decode_result(d, call), at = address(d, o, e->address);
  for (uint32_t i = 0; i < n; i++) {
    gs_code_insn *insn = gs_decode_at(d, gs_decode_emit(d, GS_CODE_LOAD, each * 8, dst + i, at, 0));
    insn->imm = i * each;
    insn->flags = flags_of(e);
  }
  return true;
}

/// \param read register: how many bytes come from the source, the rest is zeros; 0: all
static void copy(gs_decoder *d, uint32_t to, uint32_t from, uint32_t size, uint32_t read) {
  uint32_t whole = gs_decode_const(d, size), rest = gs_decode_regs(d, 1), behind = gs_decode_regs(d, 1);
  uint32_t at = gs_decode_emit(d, GS_CODE_COPY, 8, 0, to, from);
  if (!read) {
    gs_decode_at(d, at)->c = whole;
    return;
  }
  uint32_t some = gs_decode_regs(d, 1); // more than all is all
  *gs_decode_at(d, at) = (gs_code_insn){.op = GS_CODE_UMIN, .width = 64, .dst = some, .a = read, .b = whole,
                                        .line = d->line, .file = d->file};
  gs_decode_at(d, gs_decode_emit(d, GS_CODE_COPY, 8, 0, to, from))->c = some;
  gs_decode_emit(d, GS_CODE_SUB, 64, rest, whole, some);
  gs_decode_emit(d, GS_CODE_ADD, 64, behind, to, some);
  gs_decode_at(d, gs_decode_emit(d, GS_CODE_FILL, 8, 0, behind, 0))->c = rest;
}

static void effect(gs_decoder *d, const gs_ptx_operands *o, const gs_ptx_effect *e) {
  LLVMValueRef read = e->partly ? gs_ptx_address_value(o, e->read) : NULL;
  if (e->predicated) {
    gs_decode_refuse(d, "inline PTX with a predicate", NULL);
    return;
  }
  switch (e->kind) {
  case GS_PTX_LOAD:
  case GS_PTX_STORE:
  case GS_PTX_ATOMIC: touch(d, e, address(d, o, e->address)); return;
  case GS_PTX_COPY:
    if (e->partly && e->reads < 0 && !read)
      gs_decode_refuse(d, "an asynchronous copy of unknown size", NULL);
    else
      copy(d, address(d, o, e->address), address(d, o, e->source), e->size,
           !e->partly      ? 0
           : e->reads >= 0 ? gs_decode_const(d, (uint64_t)e->reads)
                           : gs_decode_use(d, read));
    return;
  case GS_PTX_MATRIX: gs_decode_refuse(d, "a matrix of the warp", NULL); return;
  case GS_PTX_COMMIT:
  case GS_PTX_WAIT:
  case GS_PTX_TEXTURE: return;
  }
}

void gs_decode_ptx(gs_decoder *d, LLVMValueRef call) {
  gs_ptx_operands o;
  gs_ptx ptx;
  gs_ptx_parse_call(call, &o, &ptx);
  if (ptx.unknown[0]) {
    gs_decode_refuse(d, "inline PTX", ptx.unknown);
    return;
  }
  if (load_results(d, call, &o, &ptx))
    return;
  for (uint32_t i = 0; i < ptx.count; i++)
    effect(d, &o, &ptx.effects[i]);
  gs_decode_arbitrary(d, call);
}

void gs_decode_async(gs_decoder *d, LLVMValueRef call, const char *name) {
  static const char prefix[] = "llvm.nvvm.cp.async.c"; // ca or cg
  if (strncmp(name, prefix, strlen(prefix)) != 0 || !strstr(name, ".shared.global."))
    return; // commits and waits
  const char *digits = strstr(name, ".global.") + strlen(".global."); // "16" or "16.s"
  uint32_t size = (uint32_t)strtoul(digits, NULL, 10);
  uint32_t read = LLVMGetNumArgOperands(call) > 2 ? gs_decode_use(d, LLVMGetOperand(call, 2)) : 0;
  copy(d, gs_decode_use(d, LLVMGetOperand(call, 0)), gs_decode_use(d, LLVMGetOperand(call, 1)), size, read);
}
