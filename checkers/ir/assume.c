// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the source takes for granted: `assume(c)` becomes `if (!c) unreachable`, so that it is
// in the guards of what follows and is listed like any other code that is not reached.
#include "ir_private.h"

static bool is_assume(LLVMValueRef inst) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? gs_ir_callee(inst) : NULL;
  return callee && gs_has_prefix(gs_ir_name(callee), "llvm.assume") && !LLVMIsAConstantInt(LLVMGetOperand(inst, 0));
}

/// Whatever led to `block` leads to `head`. Phis name the blocks that they come from, which
/// is no use of these: they stay right, as `block` keeps its end.
static void redirect(LLVMBasicBlockRef block, LLVMBasicBlockRef head) {
  LLVMValueRef from = LLVMBasicBlockAsValue(block);
  for (bool more = true; more;) {
    more = false;
    for (LLVMUseRef use = LLVMGetFirstUse(from); use && !more; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (!LLVMIsATerminatorInst(user))
        continue;
      for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == from) {
          LLVMSetOperand(user, (unsigned)i, LLVMBasicBlockAsValue(head));
          more = true;
        }
    }
  }
}

/// Moves what comes before the call into a block of its own, which ends with the question.
static void split_at(LLVMValueRef call, LLVMBuilderRef builder) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMValueRef function = LLVMGetBasicBlockParent(block), condition = LLVMGetOperand(call, 0);
  LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "");
  LLVMBasicBlockRef nowhere = LLVMAppendBasicBlockInContext(context, function, "");
  LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(call);
  redirect(block, head);
  for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst != call;) {
    LLVMValueRef next = LLVMGetNextInstruction(inst);
    LLVMInstructionRemoveFromParent(inst);
    LLVMPositionBuilderAtEnd(builder, head);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMInsertIntoBuilder(builder, inst);
    inst = next;
  }
  LLVMPositionBuilderAtEnd(builder, head);
  LLVMSetCurrentDebugLocation2(builder, loc);
  LLVMBuildCondBr(builder, condition, block, nowhere);
  LLVMPositionBuilderAtEnd(builder, nowhere);
  LLVMBuildUnreachable(builder);
  LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef first_assume(LLVMBasicBlockRef block) {
  LLVMValueRef inst = LLVMGetFirstInstruction(block);
  while (inst && !is_assume(inst))
    inst = LLVMGetNextInstruction(inst);
  return inst;
}

void gs_ir_split_assumes(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      LLVMValueRef call = NULL;
      while ((call = first_assume(b)) != NULL) // the block keeps what comes behind
        split_at(call, builder);
    }
  LLVMDisposeBuilder(builder);
}
