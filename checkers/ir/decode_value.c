// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers and windows of values: constants, globals, results.
#include "decode_private.h"
#include "lower.h"

#include <stdlib.h>
#include <string.h>

static uint8_t scalar_width(LLVMTypeRef type) {
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: {
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits <= 64 ? (uint8_t)bits : 0;
  }
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind: return 16;
  case LLVMFloatTypeKind: return 32;
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind: return 64;
  default: return 0;
  }
}

uint8_t gs_decode_width(gs_decoder *d, LLVMTypeRef type) {
  uint8_t width = scalar_width(type);
  if (!width)
    gs_decode_refuse(d, "a value that is no scalar of at most 64 bits", NULL);
  return width;
}

/// Appends the leaves of `type` at `offset`. \returns the new count, GS_MAX_LEAVES + 1
/// when there are too many or one cannot be held.
static uint32_t flatten(gs_decoder *d, LLVMTypeRef type, uint64_t offset, gs_leaf *out,
                        uint32_t count) {
  LLVMTargetDataRef layout = d->ir->layout;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  uint64_t n = 0;
  if (kind == LLVMStructTypeKind) {
    n = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n && count <= GS_MAX_LEAVES; i++)
      count = flatten(d, LLVMStructGetTypeAtIndex(type, i),
                      offset + LLVMOffsetOfElement(layout, type, i), out, count);
    return count;
  }
  if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
    LLVMTypeRef element = LLVMGetElementType(type);
    n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
    uint64_t step = kind == LLVMArrayTypeKind ? LLVMABISizeOfType(layout, element)
                                              : LLVMStoreSizeOfType(layout, element);
    for (uint64_t i = 0; i < n && count <= GS_MAX_LEAVES; i++)
      count = flatten(d, element, offset + i * step, out, count);
    return count;
  }
  uint8_t width = scalar_width(type);
  if (!width || count >= GS_MAX_LEAVES)
    return GS_MAX_LEAVES + 1;
  if (out)
    out[count] = (gs_leaf){(uint32_t)offset, width};
  return count + 1;
}

uint32_t gs_decode_leaves(gs_decoder *d, LLVMTypeRef type, gs_leaf *out) {
  uint32_t n = flatten(d, type, 0, out, 0);
  if (n <= GS_MAX_LEAVES)
    return n;
  gs_decode_refuse(d, "a value with members wider than 64 bits or too many of them", NULL);
  return 0;
}

uint32_t gs_decode_leaf_count(gs_decoder *d, LLVMTypeRef type) {
  return gs_decode_leaves(d, type, NULL);
}

// ----------------------------------------------------------- registers ----

static gs_reg_slot *slot_of(gs_decoder *d, LLVMValueRef value) {
  if (d->slot_count * 2 >= d->slot_capacity) {
    uint32_t old = d->slot_capacity;
    gs_reg_slot *before = d->slots;
    gs_reg_slot *slots = calloc(old ? old * 2 : 1024, sizeof *slots);
    if (!slots) {
      d->failed = true;
      return NULL;
    }
    d->slots = slots;
    d->slot_capacity = old ? old * 2 : 1024;
    d->slot_count = 0;
    for (uint32_t i = 0; i < old; i++)
      if (before[i].value)
        *slot_of(d, before[i].value) = before[i];
    free(before);
  }
  uint64_t h = (uint64_t)(uintptr_t)value * 0x9E3779B97F4A7C15u;
  uint32_t i = (uint32_t)(h >> 32) & (d->slot_capacity - 1);
  while (d->slots[i].value && d->slots[i].value != value)
    i = (i + 1) & (d->slot_capacity - 1);
  if (!d->slots[i].value) {
    d->slots[i] = (gs_reg_slot){value, GS_NO_REG};
    d->slot_count++;
  }
  return &d->slots[i];
}

static uint32_t remember(gs_decoder *d, LLVMValueRef value, uint32_t reg) {
  gs_reg_slot *slot = slot_of(d, value);
  if (slot)
    slot->reg = reg;
  return reg;
}

uint32_t gs_decode_result(gs_decoder *d, LLVMValueRef inst) {
  gs_reg_slot *slot = slot_of(d, inst);
  if (slot && slot->reg != GS_NO_REG)
    return slot->reg;
  return remember(d, inst, gs_decode_regs(d, gs_decode_leaf_count(d, LLVMTypeOf(inst))));
}

// ----------------------------------------------------------- constants ----

static uint64_t float_bits(LLVMValueRef value) {
  LLVMBool lost = 0;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  uint32_t width = kind == LLVMDoubleTypeKind ? 64 : kind == LLVMFloatTypeKind ? 32 : 16;
  return gs_float_bits(LLVMConstRealGetDouble(value, &lost), width, kind == LLVMBFloatTypeKind);
}

bool gs_decode_bytes(gs_decoder *d, LLVMValueRef constant, uint8_t *out, uint64_t size) {
  LLVMTargetDataRef layout = d->ir->layout;
  LLVMTypeRef type = LLVMTypeOf(constant);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (LLVMABISizeOfType(layout, type) > size)
    return false;
  if (LLVMIsNull(constant) || LLVMIsUndef(constant)) {
    memset(out, 0, LLVMABISizeOfType(layout, type));
    return true;
  }
  if (LLVMIsAConstantInt(constant) || LLVMIsAConstantFP(constant)) {
    if (scalar_width(type) == 0)
      return false;
    uint64_t bits = LLVMIsAConstantInt(constant) ? LLVMConstIntGetZExtValue(constant)
                                                 : float_bits(constant);
    memcpy(out, &bits, LLVMStoreSizeOfType(layout, type));
    return true;
  }
  uint64_t n = kind == LLVMArrayTypeKind    ? LLVMGetArrayLength2(type)
               : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                            : 0;
  bool fine = n > 0;
  for (uint64_t i = 0; i < n && fine; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(constant, (unsigned)i);
    uint64_t at = !element ? 0
                  : kind == LLVMStructTypeKind
                      ? LLVMOffsetOfElement(layout, type, (unsigned)i)
                      : i * LLVMABISizeOfType(layout, LLVMGetElementType(type));
    fine = element && gs_decode_bytes(d, element, out + at, size - at);
  }
  return fine;
}

static uint32_t global_address(gs_decoder *d, LLVMValueRef global) {
  if (!LLVMIsAGlobalVariable(global)) {
    gs_decode_refuse(d, "the address of a function", NULL);
    return gs_decode_const(d, 0);
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  bool declared = LLVMIsDeclaration(global) != 0;
  uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(d->ir->layout, type) : 0;
  gs_window_kind kind = GS_WINDOW_GLOBAL;
  if (space == GS_SPACE_SHARED)
    kind = size && !declared ? GS_WINDOW_SHARED : GS_WINDOW_DYNAMIC;
  else if (space == GS_SPACE_CONSTANT || LLVMIsGlobalConstant(global))
    kind = GS_WINDOW_CONSTANT;
  // All extern __shared__ arrays begin at one address.
  for (uint32_t w = 0; kind == GS_WINDOW_DYNAMIC && w < d->code->window_count; w++)
    if (d->code->windows[w].kind == GS_WINDOW_DYNAMIC)
      return remember(d, global, gs_decode_const(d, gs_window_address(w)));
  uint32_t w = gs_decode_window(d, kind, size, gs_ir_name(global));
  LLVMValueRef init = declared ? NULL : LLVMGetInitializer(global);
  // The host may write what is initialised externally before the launch.
  if (!d->failed && init && size && kind == GS_WINDOW_CONSTANT && !LLVMIsUndef(init) &&
      LLVMIsGlobalConstant(global) && !LLVMIsExternallyInitialized(global)) {
    uint8_t *bytes = calloc(1, size);
    if (bytes && gs_decode_bytes(d, init, bytes, size))
      d->code->windows[w].init = bytes;
    else
      free(bytes);
  }
  return remember(d, global, gs_decode_const(d, gs_window_address(w)));
}

static uint32_t undefined(gs_decoder *d, uint32_t reg, const gs_leaf *leaves, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    gs_decode_emit(d, GS_CODE_ANY, leaves[i].width, reg + i, 0, 0);
  return reg;
}

/// Aggregate and vector constants, leaf by leaf.
static uint32_t composite(gs_decoder *d, LLVMValueRef value, uint32_t count) {
  uint32_t reg = gs_decode_regs(d, count), at = 0;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  uint64_t n = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
               : kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
               : kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
  if (!n)
    gs_decode_refuse(d, "a constant of an unusual kind", NULL);
  for (uint64_t i = 0; i < n && !d->reason && !d->failed; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(value, (unsigned)i);
    if (!element) {
      gs_decode_refuse(d, "a constant of an unusual kind", NULL);
      break;
    }
    uint32_t from = gs_decode_use(d, element);
    uint32_t leaves = gs_decode_leaf_count(d, LLVMTypeOf(element));
    for (uint32_t j = 0; j < leaves && at < count; j++)
      gs_decode_emit(d, GS_CODE_MOVE, 64, reg + at++, from + j, 0);
  }
  return reg;
}

static uint32_t constant(gs_decoder *d, LLVMValueRef value) {
  gs_leaf leaves[GS_MAX_LEAVES];
  uint32_t count = gs_decode_leaves(d, LLVMTypeOf(value), leaves);
  if (!count)
    return gs_decode_const(d, 0);
  if (LLVMIsAUndefValue(value)) // poison included: each use has a value of its own
    return undefined(d, gs_decode_regs(d, count), leaves, count);
  if (LLVMIsNull(value))
    return remember(d, value, gs_decode_regs(d, count));
  if (LLVMIsAConstantInt(value))
    return remember(d, value, gs_decode_const(d, LLVMConstIntGetZExtValue(value)));
  if (LLVMIsAConstantFP(value))
    return remember(d, value, gs_decode_const(d, float_bits(value)));
  if (LLVMIsAConstantExpr(value)) {
    uint32_t reg = gs_decode_regs(d, count);
    LLVMOpcode opcode = LLVMGetConstOpcode(value);
    if (opcode == LLVMGetElementPtr)
      gs_decode_gep(d, value, reg);
    else
      gs_decode_cast(d, value, opcode, reg);
    return reg; // computed where it is used
  }
  return composite(d, value, count);
}

uint32_t gs_decode_use(gs_decoder *d, LLVMValueRef value) {
  gs_reg_slot *slot = slot_of(d, value);
  if (!slot)
    return 0;
  if (slot->reg != GS_NO_REG)
    return slot->reg;
  if (LLVMIsAGlobalValue(value))
    return global_address(d, value);
  if (LLVMIsAInstruction(value) || LLVMIsAArgument(value))
    return gs_decode_result(d, value);
  return constant(d, value);
}
