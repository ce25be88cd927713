// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the device's heap. What a thread allocates and tells nobody about is its own;
// a pointer that is stored or passed on may be anybody's.
#include "lower.h"
#include "model.h"

enum { MAX_USERS = 512 };

typedef struct trail {
  LLVMValueRef values[MAX_USERS]; ///< the pointer, and what is derived from it
  uint32_t count;
  bool escapes;
} trail;

static void add(trail *t, LLVMValueRef v) {
  for (uint32_t i = 0; i < t->count; i++)
    if (t->values[i] == v)
      return;
  if (t->count == MAX_USERS)
    t->escapes = true;
  else
    t->values[t->count++] = v;
}

/// Does a call only use the pointer as an address, here and now?
static bool call_is_harmless(LLVMValueRef call) {
  gs_model_kind kind = gs_model_of(call);
  return kind == GS_MODEL_COPY || kind == GS_MODEL_FILL || kind == GS_MODEL_NOTHING ||
         kind == GS_MODEL_READ;
}

static void follow(trail *t, LLVMValueRef user, LLVMValueRef pointer) {
  switch ((int)(LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : 0)) {
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
  case LLVMPHI:
  case LLVMSelect: add(t, user); break;
  case LLVMLoad:
  case LLVMICmp: break;
  case LLVMStore: t->escapes |= LLVMGetOperand(user, 0) == pointer; break;
  case LLVMAtomicRMW: t->escapes |= LLVMGetOperand(user, 1) == pointer; break;
  case LLVMAtomicCmpXchg:
    t->escapes |= LLVMGetOperand(user, 1) == pointer || LLVMGetOperand(user, 2) == pointer;
    break;
  case LLVMCall: t->escapes |= !call_is_harmless(user); break;
  default: t->escapes = true; break;
  }
}

bool gs_lower_is_own_heap(LLVMValueRef value) {
  if (!LLVMIsACallInst(value) || gs_model_of(value) != GS_MODEL_ALLOC)
    return false;
  trail t = {.values = {value}, .count = 1};
  for (uint32_t i = 0; i < t.count && !t.escapes; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(t.values[i]); use && !t.escapes; use = LLVMGetNextUse(use))
      follow(&t, LLVMGetUser(use), t.values[i]);
  return !t.escapes;
}

gs_term gs_lower_heap(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  LLVMValueRef bytes = LLVMGetOperand(call, 0);
  if (!gs_lower_is_own_heap(call))
    return gs_lower_opaque(low, 64, GS_LEVEL_THREAD, low->cfg.loop[block],
                           "a pointer into the device's heap that other threads may know");
  return gs_lower_own_memory(low, "heap memory",
                             LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 0, 0);
}
