// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preparation: inline everything, promote variables, and nothing else.
//
// Other passes delete racy loads and stores, speculate loads above their guards
// and drop branches by undefined behaviour. sroa alone would turn a variable
// that is read before it is written into `undef` and then a phi of undef and x
// into x: every alloca is therefore given a distinct opaque value first, at its
// lifetime.start (a variable of a loop body dies with each iteration) or, when
// it has none, where it is allocated.
#include "ir_private.h"
#include "model.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LEAVES = 256, MAX_TYPES = 512 };

bool gs_has_prefix(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

const char *gs_ir_name(LLVMValueRef value) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(value, &length);
  return name ? name : "";
}

LLVMValueRef gs_ir_callee(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

static unsigned leaves(LLVMTypeRef type) {
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMArrayTypeKind: {
    uint64_t n = LLVMGetArrayLength2(type), each = leaves(LLVMGetElementType(type));
    return n * each > MAX_LEAVES ? MAX_LEAVES + 1 : (unsigned)(n * each);
  }
  case LLVMStructTypeKind: {
    unsigned sum = 0;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && sum <= MAX_LEAVES; i++)
      sum += leaves(LLVMStructGetTypeAtIndex(type, i));
    return sum;
  }
  default: return 1;
  }
}

typedef struct uninit {
  LLVMModuleRef module;
  LLVMTypeRef types[MAX_TYPES];
  LLVMValueRef functions[MAX_TYPES];
  unsigned count;
  LLVMBuilderRef builder;
} uninit;

static void add_memory_none(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  static const char *const names[] = {"nounwind", "willreturn", "nocallback"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
  }
}

/// The function that returns an unknown value of `type`, or (type NULL) fills memory.
static LLVMValueRef uninit_function(uninit *u, LLVMTypeRef type) {
  for (unsigned i = 0; i < u->count; i++)
    if (u->types[i] == type)
      return u->functions[i];
  if (u->count == MAX_TYPES)
    return NULL;
  LLVMContextRef context = LLVMGetModuleContext(u->module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef signature =
      type ? LLVMFunctionType(type, NULL, 0, 0)
           : LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, 0);
  LLVMValueRef function =
      LLVMAddFunction(u->module, type ? GS_UNINIT_VALUE : GS_UNINIT_MEMORY, signature);
  add_memory_none(function);
  u->types[u->count] = type;
  u->functions[u->count++] = function;
  return function;
}

static void make_opaque_at(uninit *u, LLVMValueRef alloca, LLVMValueRef before) {
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef size = LLVMGetOperand(alloca, 0);
  bool single = LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) == 1;
  bool small = single && leaves(type) <= MAX_LEAVES;
  LLVMValueRef function = uninit_function(u, small ? type : NULL);
  LLVMPositionBuilderBefore(u->builder, before);
  if (function && small) {
    LLVMValueRef value =
        LLVMBuildCall2(u->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
    LLVMBuildStore(u->builder, value, alloca);
  } else if (function && LLVMGetPointerAddressSpace(LLVMTypeOf(alloca)) == 0) {
    LLVMBuildCall2(u->builder, LLVMGlobalGetValueType(function), function, &alloca, 1, "");
  }
}

static bool is_lifetime_start(LLVMValueRef user) {
  if (!LLVMIsACallInst(user))
    return false;
  LLVMValueRef callee = gs_ir_callee(user);
  return callee && gs_has_prefix(gs_ir_name(callee), "llvm.lifetime.start");
}

static void make_opaque(uninit *u, LLVMValueRef alloca) {
  bool done = false;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use;) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use); // uses made below come before this point
    if (is_lifetime_start(user)) {
      make_opaque_at(u, alloca, LLVMGetNextInstruction(user));
      done = true;
    }
  }
  if (!done)
    make_opaque_at(u, alloca, LLVMGetNextInstruction(alloca));
}

static void open_allocas(uninit *u, LLVMValueRef function) {
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb;
       bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(bb); inst;) {
      LLVMValueRef next = LLVMGetNextInstruction(inst);
      if (LLVMIsAAllocaInst(inst))
        make_opaque(u, inst);
      inst = next;
    }
}

static void set_inlining(LLVMValueRef function, bool kernel) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  static const char *const drop[] = {"noinline", "optnone", "inlinehint"};
  for (size_t i = 0; i < sizeof drop / sizeof *drop; i++)
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(drop[i], strlen(drop[i])));
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
  if (gs_model_is_unit(gs_ir_name(function)))
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
  if (kernel || gs_model_is_unit(gs_ir_name(function)))
    return;
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

static LLVMErrorRef run_passes(LLVMModuleRef module, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed = LLVMRunPasses(module, passes, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  return failed;
}

gs_status gs_ir_prepare(LLVMModuleRef module, char **error) {
  uninit *u = calloc(1, sizeof *u);
  if (!u)
    return GS_ERROR_MEMORY;
  u->module = module;
  u->builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  // Only what kernels use is worth the work; globaldce changes no function.
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && LLVMGetFunctionCallConv(f) != GS_PTX_KERNEL)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  LLVMErrorRef failed = run_passes(module, "globaldce");
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !failed; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    set_inlining(f, LLVMGetFunctionCallConv(f) == GS_PTX_KERNEL);
    open_allocas(u, f);
  }
  LLVMDisposeBuilder(u->builder);
  free(u);
  bool bounded = failed || gs_ir_bound_inlining(module);
  if (!failed && bounded)
    failed = run_passes(module, "always-inline,function(sroa)");
  if (!failed && bounded)
    gs_ir_split_assumes(module);
  if (!failed)
    return bounded ? GS_OK : GS_ERROR_MEMORY;
  char *message = LLVMGetErrorMessage(failed);
  if (error)
    *error = strdup(message);
  LLVMDisposeErrorMessage(message);
  return GS_ERROR_INTERNAL;
}

/// Optimised modules have no allocas for parameters; clang without passes stores
/// every parameter of a function into one.
static bool looks_optimised(LLVMValueRef kernel) {
  if (!LLVMCountParams(kernel))
    return false;
  for (LLVMValueRef inst = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)); inst;
       inst = LLVMGetNextInstruction(inst))
    if (LLVMIsAAllocaInst(inst))
      return false;
  return true;
}

gs_status gs_ir_open(struct LLVMOpaqueModule *module, gs_ir **out, char **error) {
  *out = NULL;
  gs_ir *ir = calloc(1, sizeof *ir);
  if (!ir)
    return GS_ERROR_MEMORY;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetFunctionCallConv(f) == GS_PTX_KERNEL && !LLVMIsDeclaration(f) && looks_optimised(f))
      ir->optimised = true;
  ir->module = LLVMCloneModule(module);
  gs_status status = gs_ir_prepare(ir->module, error);
  uint32_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
    count += LLVMGetFunctionCallConv(f) == GS_PTX_KERNEL && !LLVMIsDeclaration(f);
  ir->kernels = calloc(count + 1u, sizeof(LLVMValueRef));
  if (status != GS_OK || !ir->kernels) {
    gs_ir_close(ir);
    return status != GS_OK ? status : GS_ERROR_MEMORY;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetFunctionCallConv(f) == GS_PTX_KERNEL && !LLVMIsDeclaration(f))
      ir->kernels[ir->kernel_count++] = f;
  ir->layout = LLVMGetModuleDataLayout(ir->module);
  *out = ir;
  return GS_OK;
}

void gs_ir_close(gs_ir *ir) {
  if (!ir)
    return;
  gs_function_texts_free(ir->texts);
  if (ir->module)
    LLVMDisposeModule(ir->module);
  free(ir->kernels);
  free(ir);
}

uint32_t gs_ir_kernel_count(const gs_ir *ir) { return ir->kernel_count; }
const char *gs_ir_kernel_name(const gs_ir *ir, uint32_t kernel) {
  return gs_ir_name(ir->kernels[kernel]);
}
bool gs_ir_is_optimised(const gs_ir *ir) { return ir->optimised; }
