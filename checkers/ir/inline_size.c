// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large functions get when all that they call is put into them. Field
// arithmetic of a few hundred lines can mean millions of instructions: such a
// function is left as a call, which makes a kernel that needs it UNKNOWN.
#include "ir_private.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INLINED = 200000, MAX_DEPTH = 500 };

typedef enum state { NEW, OPEN, DONE } state;

typedef struct sized {
  LLVMValueRef function;
  state state;
  uint64_t size; ///< instructions, calls expanded
} sized;

typedef struct sizes {
  sized *at; ///< sorted by address; only looked up, so the order does not show
  size_t count;
} sizes;

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t)((const sized *)a)->function, y = (uintptr_t)((const sized *)b)->function;
  return x < y ? -1 : x > y;
}

static sized *find(const sizes *all, LLVMValueRef function) {
  sized key = {.function = function};
  return bsearch(&key, all->at, all->count, sizeof key, by_address);
}

static void leave_as_call(LLVMValueRef call) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMGetCalledValue(call)));
  unsigned kind = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(context, kind, 0));
}

static uint64_t size_of(const sizes *all, sized *f, unsigned depth);

/// Instructions that a call stands for; 1 when it stays a call.
static uint64_t size_of_call(const sizes *all, LLVMValueRef call, unsigned depth) {
  LLVMValueRef callee = gs_ir_callee(call);
  sized *f = callee && !LLVMIsDeclaration(callee) ? find(all, callee) : NULL;
  if (!f || f->state == OPEN) // recursion stays a call as well
    return 1;
  uint64_t size = depth < MAX_DEPTH ? size_of(all, f, depth + 1) : MAX_INLINED + 1;
  if (size <= MAX_INLINED)
    return size;
  leave_as_call(call);
  return 1;
}

static uint64_t size_of(const sizes *all, sized *f, unsigned depth) {
  if (f->state == DONE)
    return f->size;
  f->state = OPEN;
  uint64_t size = 0;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f->function); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
      size += LLVMIsACallInst(i) ? size_of_call(all, i, depth) : 1;
  f->state = DONE;
  f->size = size;
  return size;
}

bool gs_ir_bound_inlining(LLVMModuleRef module) {
  sizes all = {NULL, 0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    all.count += !LLVMIsDeclaration(f);
  all.at = calloc(all.count + 1, sizeof *all.at);
  if (!all.at)
    return false;
  size_t n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      all.at[n++].function = f;
  qsort(all.at, all.count, sizeof *all.at, by_address);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && LLVMGetFunctionCallConv(f) == GS_PTX_KERNEL)
      size_of(&all, find(&all, f), 0);
  free(all.at);
  return true;
}
