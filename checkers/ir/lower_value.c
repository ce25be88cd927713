// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of instructions and constants, on demand: only what an address, a
// branch or a stored integer needs becomes a term.
#include "lower.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 1500 };

bool gs_lower_grow(gs_lowering *low, void **array, uint32_t *capacity, uint32_t need,
                   size_t size) {
  if (need <= *capacity)
    return true;
  uint32_t next = *capacity ? *capacity : 16;
  while (next < need)
    next *= 2;
  void *moved = realloc(*array, next * size);
  if (!moved) {
    low->failed = true;
    return false;
  }
  memset((char *)moved + *capacity * size, 0, (next - *capacity) * size);
  *array = moved;
  *capacity = next;
  return true;
}

/// Where a value is in the table, or would be.
static uint32_t memo_slot(const gs_lowering *low, LLVMValueRef value) {
  uint64_t h = (uint64_t)(uintptr_t)value * 0x9E3779B97F4A7C15u;
  uint32_t slot = (uint32_t)(h >> 32) & (low->memo_capacity - 1);
  while (low->memo[slot].value && low->memo[slot].value != value)
    slot = (slot + 1) & (low->memo_capacity - 1);
  return slot;
}

gs_term *gs_lower_memo(gs_lowering *low, LLVMValueRef value) {
  if (low->memo_count * 2 >= low->memo_capacity) {
    uint32_t old = low->memo_capacity, capacity = old ? old * 2 : 1024;
    gs_memo *before = low->memo, *memo = calloc(capacity, sizeof *memo);
    if (!memo) {
      low->failed = true;
      return &low->nowhere; // failed makes the caller stop
    }
    low->memo = memo;
    low->memo_capacity = capacity;
    for (uint32_t i = 0; i < old; i++)
      if (before[i].value)
        memo[memo_slot(low, before[i].value)] = before[i];
    free(before);
  }
  uint32_t slot = memo_slot(low, value);
  if (!low->memo[slot].value) {
    if (!gs_lower_grow(low, (void **)&low->memo_keys, &low->memo_keys_capacity, low->memo_count + 1,
                       sizeof *low->memo_keys)) {
      low->nowhere = GS_NO_TERM;
      return &low->nowhere;
    }
    low->memo[slot].value = value;
    low->memo_keys[low->memo_count++] = value;
  }
  return &low->memo[slot].term;
}

bool gs_lower_is_wide(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMIntegerTypeKind)
    return LLVMGetIntTypeWidth(type) > 64;
  return kind != LLVMPointerTypeKind && kind != LLVMHalfTypeKind && kind != LLVMBFloatTypeKind &&
         kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind;
}

uint8_t gs_lower_width(gs_lowering *low, LLVMTypeRef type) {
  (void)low;
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: {
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits > 64 ? 64 : (uint8_t)bits;
  }
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind: return 16;
  case LLVMFloatTypeKind: return 32;
  default: return 64;
  }
}

gs_term gs_lower_opaque(gs_lowering *low, uint8_t width, gs_level level, uint32_t loop,
                        const char *reason) {
  gs_sym sym = {.kind = GS_SYM_OPAQUE,
                .level = level,
                .loop = loop == GS_NONE ? 0 : loop + 1,
                .width = width,
                .lo = 0,
                .hi = gs_mask(width),
                .name = "?",
                .reason = reason};
  return gs_mk_sym(low->terms, &sym);
}

uint32_t gs_lower_block_of(gs_lowering *low, LLVMValueRef inst) {
  return gs_cfg_block(&low->cfg, LLVMGetInstructionParent(inst));
}

void gs_lower_depend(gs_lowering *low, gs_term sym, gs_term on) {
  uint32_t s = sym ? (uint32_t)gs_term_node(low->terms, sym)->value : 0;
  if (!sym || !gs_lower_grow(low, (void **)&low->depends, &low->depend_capacity, low->depend_count + 1,
                             sizeof *low->depends))
    return;
  low->depends[low->depend_count++] = (gs_dependence){s, on ? on : low->program->tid[0]};
}

/// The result is a function of the operands that we do not compute.
static gs_term opaque_function(gs_lowering *low, LLVMValueRef inst, uint32_t block,
                               const char *reason) {
  uint8_t width = gs_lower_width(low, LLVMTypeOf(inst));
  gs_term result = gs_lower_opaque(low, width, GS_LEVEL_GRID, low->cfg.loop[block], reason);
  int operands = LLVMGetNumOperands(inst);
  for (int i = 0; i < operands; i++) {
    gs_term t = gs_lower_use(low, LLVMGetOperand(inst, (unsigned)i), block);
    gs_lower_depend(low, result, t);
    if (!t || gs_term_node(low->terms, t)->level == GS_LEVEL_THREAD)
      break; // no other can raise it
  }
  return result;
}

static gs_op binary_op(LLVMOpcode opcode) {
  switch ((int)opcode) {
  case LLVMAdd: return GS_OP_ADD;
  case LLVMSub: return GS_OP_SUB;
  case LLVMMul: return GS_OP_MUL;
  case LLVMUDiv: return GS_OP_UDIV;
  case LLVMSDiv: return GS_OP_SDIV;
  case LLVMURem: return GS_OP_UREM;
  case LLVMSRem: return GS_OP_SREM;
  case LLVMShl: return GS_OP_SHL;
  case LLVMLShr: return GS_OP_LSHR;
  case LLVMAShr: return GS_OP_ASHR;
  case LLVMAnd: return GS_OP_AND;
  case LLVMOr: return GS_OP_OR;
  case LLVMXor: return GS_OP_XOR;
  default: return GS_OP_NONE;
  }
}

/// Are high bits taken out of a product with a constant: `i * 4096u >> 12`? Then it may well wrap.
static bool is_mixed(LLVMValueRef inst) {
  LLVMOpcode op = LLVMGetInstructionOpcode(inst);
  bool scaled = op == LLVMShl || (op == LLVMMul && (LLVMIsAConstantInt(LLVMGetOperand(inst, 0)) ||
                                                    LLVMIsAConstantInt(LLVMGetOperand(inst, 1))));
  for (LLVMUseRef use = LLVMGetFirstUse(inst); use && scaled; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionOpcode(LLVMGetUser(use)) == LLVMLShr && LLVMGetOperand(LLVMGetUser(use), 0) == inst)
      return true;
  return false;
}

static gs_term lower_binary(gs_lowering *low, LLVMValueRef inst, gs_op op, uint32_t block) {
  gs_term a = gs_lower_use(low, LLVMGetOperand(inst, 0), block);
  gs_term b = gs_lower_use(low, LLVMGetOperand(inst, 1), block);
  uint8_t flags = 0;
  if (op == GS_OP_ADD || op == GS_OP_SUB || op == GS_OP_MUL || op == GS_OP_SHL) {
    flags |= LLVMGetNSW(inst) ? GS_NSW : 0;
    flags |= LLVMGetNUW(inst) ? GS_NUW : 0;
  }
  uint32_t origin = 0;
  if (flags) {
    origin = gs_lower_origin(low, flags & GS_NSW ? GS_ORIGIN_SIGNED : GS_ORIGIN_OTHER, inst);
  } else if (!is_mixed(inst) && (flags = gs_lower_index_flags(low, op, a, b)) != 0) {
    origin = gs_lower_origin(low, GS_ORIGIN_INDEX, inst);
  }
  return gs_mk_bin_flags(low->terms, op, a, b, flags, origin);
}

static gs_term compare(gs_terms *terms, LLVMIntPredicate predicate, gs_term a, gs_term b) {
  switch (predicate) {
  case LLVMIntEQ: return gs_mk_bin(terms, GS_OP_EQ, a, b);
  case LLVMIntNE: return gs_mk_not(terms, gs_mk_bin(terms, GS_OP_EQ, a, b));
  case LLVMIntUGT: return gs_mk_bin(terms, GS_OP_ULT, b, a);
  case LLVMIntUGE: return gs_mk_bin(terms, GS_OP_ULE, b, a);
  case LLVMIntULT: return gs_mk_bin(terms, GS_OP_ULT, a, b);
  case LLVMIntULE: return gs_mk_bin(terms, GS_OP_ULE, a, b);
  case LLVMIntSGT: return gs_mk_bin(terms, GS_OP_SLT, b, a);
  case LLVMIntSGE: return gs_mk_bin(terms, GS_OP_SLE, b, a);
  case LLVMIntSLT: return gs_mk_bin(terms, GS_OP_SLT, a, b);
  case LLVMIntSLE: return gs_mk_bin(terms, GS_OP_SLE, a, b);
  }
  return GS_NO_TERM;
}

static gs_term lower_compare(gs_lowering *low, LLVMValueRef inst, uint32_t block) {
  LLVMValueRef left = LLVMGetOperand(inst, 0);
  if (gs_lower_is_wide(LLVMTypeOf(left)))
    return opaque_function(low, inst, block, "a comparison of vectors or 128-bit integers");
  gs_term a = gs_lower_use(low, left, block);
  gs_term b = gs_lower_use(low, LLVMGetOperand(inst, 1), block);
  return compare(low->terms, LLVMGetICmpPredicate(inst), a, b);
}

typedef struct float_format {
  uint8_t width;
  uint64_t infinity; ///< bits of +inf; larger magnitudes are NaN
} float_format;

static gs_term float_magnitude(gs_terms *t, gs_term a, float_format f) {
  return gs_mk_bin(t, GS_OP_AND, a, gs_mk_const(t, gs_mask((uint8_t)(f.width - 1)), f.width));
}

/// Bits of a float as a number that orders like the float does.
static gs_term float_key(gs_terms *t, gs_term a, float_format f) {
  gs_term sign = gs_mk_const(t, UINT64_C(1) << (f.width - 1), f.width);
  gs_term negative = gs_mk_bin(t, GS_OP_SLT, a, gs_mk_const(t, 0, f.width));
  return gs_mk_ite(t, negative, gs_mk_not(t, a), gs_mk_bin(t, GS_OP_OR, a, sign));
}

/// IEEE 754 comparisons on the bits: exact, so that a branch on data that the
/// program may freely have is a real branch.
static gs_term lower_float_compare(gs_lowering *low, LLVMValueRef inst, uint32_t block) {
  gs_terms *t = low->terms;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
  bool is_float = LLVMGetTypeKind(type) == LLVMFloatTypeKind;
  if (!is_float && LLVMGetTypeKind(type) != LLVMDoubleTypeKind)
    return opaque_function(low, inst, block, "a comparison of floating-point values");
  float_format f = is_float ? (float_format){32, 0x7f800000u}
                            : (float_format){64, UINT64_C(0x7ff0000000000000)};
  gs_term a = gs_lower_use(low, LLVMGetOperand(inst, 0), block);
  gs_term b = gs_lower_use(low, LLVMGetOperand(inst, 1), block);
  if (!a || !b)
    return GS_NO_TERM;
  gs_term ma = float_magnitude(t, a, f), mb = float_magnitude(t, b, f);
  gs_term infinity = gs_mk_const(t, f.infinity, f.width), zero = gs_mk_const(t, 0, f.width);
  gs_term ordered = gs_mk_and(t, gs_mk_bin(t, GS_OP_ULE, ma, infinity),
                              gs_mk_bin(t, GS_OP_ULE, mb, infinity));
  gs_term zeros = gs_mk_and(t, gs_mk_bin(t, GS_OP_EQ, ma, zero), gs_mk_bin(t, GS_OP_EQ, mb, zero));
  gs_term equal = gs_mk_or(t, zeros, gs_mk_bin(t, GS_OP_EQ, a, b));
  gs_term less = gs_mk_and(t, gs_mk_not(t, zeros),
                           gs_mk_bin(t, GS_OP_ULT, float_key(t, a, f), float_key(t, b, f)));
  // The predicates are a set of outcomes: bit 0 equal, 1 greater, 2 less, 3 unordered.
  unsigned predicate = (unsigned)LLVMGetFCmpPredicate(inst);
  gs_term any = gs_mk_bool(t, false);
  if (predicate & 1)
    any = gs_mk_or(t, any, equal);
  if (predicate & 4)
    any = gs_mk_or(t, any, less);
  if (predicate & 2)
    any = gs_mk_or(t, any, gs_mk_and(t, gs_mk_not(t, equal), gs_mk_not(t, less)));
  any = gs_mk_and(t, ordered, any);
  return predicate & 8 ? gs_mk_or(t, any, gs_mk_not(t, ordered)) : any;
}

static gs_term lower_cast(gs_lowering *low, LLVMValueRef inst, LLVMOpcode opcode,
                          uint32_t block) {
  LLVMValueRef from = LLVMGetOperand(inst, 0);
  if (gs_lower_is_wide(LLVMTypeOf(from)) || gs_lower_is_wide(LLVMTypeOf(inst)))
    return opaque_function(low, inst, block, "a conversion of vectors or 128-bit integers");
  gs_term a = gs_lower_use(low, from, block);
  uint8_t width = gs_lower_width(low, LLVMTypeOf(inst));
  uint8_t in = a ? gs_term_width(low->terms, a) : 0;
  if (opcode == LLVMSExt)
    return gs_mk_cast(low->terms, GS_OP_SEXT, a, width);
  if (width < in)
    return gs_mk_cast(low->terms, GS_OP_TRUNC, a, width);
  return gs_mk_cast(low->terms, GS_OP_ZEXT, a, width);
}

/// Index of a GEP as a 64-bit byte offset.
static gs_term scaled(gs_lowering *low, LLVMValueRef index, uint64_t size, uint8_t flags,
                      uint32_t origin, uint32_t block) {
  gs_term t = gs_lower_use(low, index, block);
  if (!t)
    return GS_NO_TERM;
  t = gs_mk_cast(low->terms, GS_OP_SEXT, t, 64);
  return gs_mk_bin_flags(low->terms, GS_OP_MUL, t, gs_mk_const(low->terms, size, 64), flags,
                         origin);
}

gs_term gs_lower_gep(gs_lowering *low, LLVMValueRef gep, uint32_t block) {
  gs_terms *terms = low->terms;
  gs_term sum = gs_lower_use(low, LLVMGetOperand(gep, 0), block);
  if (gs_lower_is_wide(LLVMTypeOf(gep)))
    return gs_lower_opaque(low, 64, GS_LEVEL_THREAD, low->cfg.loop[block], "a vector of pointers");
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  uint8_t flags = LLVMIsInBounds(gep) ? GS_NSW : 0;
  uint32_t origin = flags ? gs_lower_origin(low, GS_ORIGIN_POINTER, gep) : 0;
  unsigned operands = (unsigned)LLVMGetNumOperands(gep);
  gs_term offset = gs_mk_const(terms, 0, 64);
  for (unsigned i = 1; i < operands; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    gs_term part;
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      part = gs_mk_const(terms, LLVMOffsetOfElement(low->ir->layout, type, field), 64);
      type = LLVMStructGetTypeAtIndex(type, field);
    } else {
      if (i > 1)
        type = LLVMGetElementType(type);
      part = scaled(low, index, LLVMABISizeOfType(low->ir->layout, type), flags, origin, block);
    }
    offset = gs_mk_bin_flags(terms, GS_OP_ADD, offset, part, flags, origin);
  }
  return gs_mk_bin_flags(terms, GS_OP_ADD, sum, offset, 0, 0);
}

static bool same_conjuncts_follow(gs_terms *terms, gs_term guard, gs_term t) {
  for (; gs_term_is(terms, guard, GS_OP_AND); guard = gs_term_node(terms, guard)->arg[0])
    if (guard == t || gs_term_node(terms, guard)->arg[1] == t)
      return true;
  return guard == t;
}

/// Drops the conjuncts of an edge's guard that its target's guard implies anyway.
static gs_term relative_to(gs_terms *terms, gs_term edge, gs_term guard) {
  if (!gs_term_is(terms, edge, GS_OP_AND))
    return same_conjuncts_follow(terms, guard, edge) ? gs_mk_bool(terms, true) : edge;
  gs_node node = *gs_term_node(terms, edge);
  return gs_mk_and(terms, relative_to(terms, node.arg[0], guard),
                   relative_to(terms, node.arg[1], guard));
}

gs_term gs_lower_incoming(gs_lowering *low, LLVMValueRef phi, unsigned i, uint32_t loop) {
  uint32_t from = gs_cfg_block(&low->cfg, LLVMGetIncomingBlock(phi, i));
  gs_term value = gs_lower_use(low, LLVMGetIncomingValue(phi, i), from);
  for (uint32_t l = low->cfg.loop[from]; l != loop && l != GS_NONE; l = low->cfg.loops[l].parent)
    value = gs_lower_leave(low, l, value);
  return value;
}

/// A phi that is not at a loop header: nested selections.
static gs_term lower_phi(gs_lowering *low, LLVMValueRef phi, uint32_t block) {
  gs_term result = GS_NO_TERM, guard = low->guards[block];
  uint32_t loop = low->cfg.loop[block];
  for (unsigned i = LLVMCountIncoming(phi); i-- > 0;) {
    uint32_t from = gs_cfg_block(&low->cfg, LLVMGetIncomingBlock(phi, i));
    if (from == GS_NONE || !gs_cfg_has_edge(&low->cfg, from, block))
      continue; // nobody comes this way
    gs_term value = gs_lower_incoming(low, phi, i, loop);
    if (!result) {
      result = value;
      continue;
    }
    gs_term edge = gs_lower_edge_guard(low, loop, from, block);
    result = gs_mk_ite(low->terms, guard ? relative_to(low->terms, edge, guard) : edge, value,
                       result);
  }
  return result;
}

static gs_term lower_extract(gs_lowering *low, LLVMValueRef inst, uint32_t block) {
  LLVMValueRef from = LLVMGetOperand(inst, 0);
  const unsigned *want = LLVMGetIndices(inst);
  unsigned depth = LLVMGetNumIndices(inst);
  while (depth == 1 && LLVMIsAInsertValueInst(from) && LLVMGetNumIndices(from) == 1) {
    if (LLVMGetIndices(from)[0] == want[0])
      return gs_lower_use(low, LLVMGetOperand(from, 1), block);
    from = LLVMGetOperand(from, 0);
  }
  if (depth == 1 && LLVMIsAAtomicCmpXchgInst(from) && (!want[0] || !LLVMGetWeak(from)) &&
      !gs_lower_is_wide(LLVMTypeOf(LLVMGetOperand(from, 1)))) {
    gs_term old = gs_lower_use(low, from, block);
    return want[0] ? gs_mk_bin(low->terms, GS_OP_EQ, old,
                               gs_lower_use(low, LLVMGetOperand(from, 1), block))
                   : old;
  }
  return gs_lower_opaque(low, gs_lower_width(low, LLVMTypeOf(inst)), GS_LEVEL_THREAD,
                         low->cfg.loop[block], "a member of an aggregate value");
}

/// Elements of a vector that was loaded as a whole are loads of their own.
static gs_term lower_extract_element(gs_lowering *low, LLVMValueRef inst, uint32_t block) {
  LLVMValueRef from = LLVMGetOperand(inst, 0), index = LLVMGetOperand(inst, 1);
  while (LLVMIsAInsertElementInst(from) && LLVMIsAConstantInt(index)) {
    LLVMValueRef at = LLVMGetOperand(from, 2);
    if (!LLVMIsAConstantInt(at))
      break;
    if (LLVMConstIntGetZExtValue(at) == LLVMConstIntGetZExtValue(index))
      return gs_lower_use(low, LLVMGetOperand(from, 1), block);
    from = LLVMGetOperand(from, 0);
  }
  return opaque_function(low, inst, block, "an element of a vector");
}

static gs_term lower_instruction(gs_lowering *low, LLVMValueRef inst, LLVMOpcode opcode,
                                 uint32_t block) {
  gs_op op = binary_op(opcode);
  if (op != GS_OP_NONE) {
    if (gs_lower_is_wide(LLVMTypeOf(inst)))
      return opaque_function(low, inst, block, "arithmetic on vectors or 128-bit integers");
    return lower_binary(low, inst, op, block);
  }
  switch ((int)opcode) {
  case LLVMICmp: return lower_compare(low, inst, block);
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMPtrToInt:
  case LLVMPtrToAddr:
  case LLVMIntToPtr: return lower_cast(low, inst, opcode, block);
  case LLVMAddrSpaceCast:
  case LLVMFreeze: return gs_lower_use(low, LLVMGetOperand(inst, 0), block);
  case LLVMGetElementPtr: return gs_lower_gep(low, inst, block);
  case LLVMSelect:
    if (gs_lower_is_wide(LLVMTypeOf(inst)))
      return opaque_function(low, inst, block, "a selection between aggregate values");
    return gs_mk_ite(low->terms, gs_lower_use(low, LLVMGetOperand(inst, 0), block),
                     gs_lower_use(low, LLVMGetOperand(inst, 1), block),
                     gs_lower_use(low, LLVMGetOperand(inst, 2), block));
  case LLVMLoad: return gs_lower_load(low, inst, block);
  case LLVMCall: return gs_lower_call_value(low, inst, block);
  case LLVMExtractValue: return lower_extract(low, inst, block);
  case LLVMExtractElement: return lower_extract_element(low, inst, block);
  case LLVMAlloca: return gs_lower_alloca(low, inst);
  case LLVMAtomicCmpXchg: // stands for the old value; see lower_extract
    return gs_lower_opaque(low, gs_lower_width(low, LLVMTypeOf(LLVMGetOperand(inst, 1))),
                           GS_LEVEL_THREAD, low->cfg.loop[block], "the result of an atomic operation");
  case LLVMAtomicRMW:
    return gs_lower_opaque(low, gs_lower_width(low, LLVMTypeOf(inst)), GS_LEVEL_THREAD,
                           low->cfg.loop[block], "the result of an atomic operation");
  case LLVMBitCast:
    return opaque_function(low, inst, block, "the bits of a floating-point value");
  case LLVMFPToSI:
  case LLVMFPToUI: return opaque_function(low, inst, block, "a number computed in floating point");
  case LLVMFCmp: return lower_float_compare(low, inst, block);
  default: return opaque_function(low, inst, block, "a value computed in floating point");
  }
}

static gs_term lower_constant(gs_lowering *low, LLVMValueRef value, uint32_t block) {
  LLVMTypeRef type = LLVMTypeOf(value);
  uint8_t width = gs_lower_width(low, type);
  if (LLVMIsAConstantInt(value) && !gs_lower_is_wide(type))
    return gs_mk_const(low->terms, LLVMConstIntGetZExtValue(value), width);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (LLVMIsAConstantFP(value) && (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)) {
    LLVMBool lost = 0;
    double d = LLVMConstRealGetDouble(value, &lost);
    float single = (float)d;
    uint64_t bits = 0;
    uint32_t low_bits = 0;
    memcpy(&bits, &d, sizeof bits);
    memcpy(&low_bits, &single, sizeof low_bits);
    return gs_mk_const(low->terms, kind == LLVMFloatTypeKind ? low_bits : bits, width);
  }
  if (LLVMIsAConstantPointerNull(value))
    return gs_mk_const(low->terms, 0, 64);
  if (LLVMIsAUndefValue(value) || LLVMIsAPoisonValue(value))
    return gs_lower_opaque(low, width, GS_LEVEL_THREAD, low->cfg.loop[block],
                           "an undefined value");
  if (LLVMIsAConstantExpr(value))
    return lower_instruction(low, value, LLVMGetConstOpcode(value), block);
  // Constants of floating point, vectors, aggregates: one value for everybody.
  return gs_lower_opaque(low, width, GS_LEVEL_GRID, GS_NONE, "a floating-point constant");
}

static gs_term lower_here(gs_lowering *low, LLVMValueRef value, uint32_t block) {
  if (LLVMIsAPHINode(value)) {
    uint32_t loop = low->cfg.loop[block];
    if (gs_lower_is_wide(LLVMTypeOf(value)))
      return gs_lower_opaque(low, 64, GS_LEVEL_THREAD, loop, "an aggregate value");
    if (loop != GS_NONE && low->cfg.loops[loop].header == block)
      return gs_lower_header_phi(low, value, loop);
    return lower_phi(low, value, block);
  }
  return lower_instruction(low, value, LLVMGetInstructionOpcode(value), block);
}

/// The value in the context of the block that defines it.
static gs_term lower_defined(gs_lowering *low, LLVMValueRef value, uint32_t block) {
  gs_term known = *gs_lower_memo(low, value);
  if (known || low->failed)
    return known;
  if (low->depth > MAX_DEPTH)
    return gs_lower_opaque(low, gs_lower_width(low, LLVMTypeOf(value)), GS_LEVEL_THREAD,
                           low->cfg.loop[block], "an expression that is nested too deeply");
  low->depth++;
  gs_term t = lower_here(low, value, block);
  low->depth--;
  // A header phi has stored its place holder already.
  *gs_lower_memo(low, value) = t;
  return t;
}

gs_term gs_lower_use(gs_lowering *low, LLVMValueRef value, uint32_t user) {
  if (low->failed)
    return GS_NO_TERM;
  if (LLVMIsAArgument(value)) {
    gs_term *memo = gs_lower_memo(low, value);
    if (*memo)
      return *memo;
    gs_term t = gs_lower_argument(low, value);
    *gs_lower_memo(low, value) = t;
    return t;
  }
  if (LLVMIsAGlobalValue(value))
    return gs_lower_global(low, value);
  if (!LLVMIsAInstruction(value))
    return lower_constant(low, value, user);
  uint32_t block = gs_lower_block_of(low, value);
  if (block == GS_NONE)
    return gs_lower_opaque(low, gs_lower_width(low, LLVMTypeOf(value)), GS_LEVEL_THREAD, GS_NONE,
                           "a value of unreachable code");
  gs_term t = lower_defined(low, value, block);
  uint32_t home = low->cfg.loop[block], here = low->cfg.loop[user];
  for (uint32_t l = home; l != GS_NONE && !gs_cfg_loop_contains(&low->cfg, l, here);
       l = low->cfg.loops[l].parent)
    t = gs_lower_leave(low, l, t);
  return t;
}
