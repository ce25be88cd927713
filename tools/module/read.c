// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <string.h>

enum { PTX_KERNEL = 71 };

/// LLVM's readers warn about debug information they drop; that is not our user's matter.
static void ignore(LLVMDiagnosticInfoRef info, void *user) {
  (void)info;
  (void)user;
}

/// Moves a message of LLVM into the mem, on one line.
static const char *take(gs_mem *mem, char *message) {
  char *text = gs_mem_copy(mem, message ? message : "");
  LLVMDisposeMessage(message);
  text[strcspn(text, "\n")] = '\0';
  return text;
}

static const char *misfit(gs_mem *mem, LLVMModuleRef module) {
  const char *triple = LLVMGetTarget(module);
  if (gs_starts_with(triple, "nvptx64"))
    return NULL;
  return gs_mem_printf(mem, "the module is for '%s', not for nvptx64", *triple ? triple : "?");
}

LLVMModuleRef gs_module_read(gs_mem *mem, LLVMContextRef context, const char *file,
                             const char **error) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  LLVMContextSetDiagnosticHandler(context, ignore, NULL);
  if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message)) {
    *error = take(mem, message);
    return NULL;
  }
  // The parser takes the buffer over, also when it fails.
  if (LLVMParseIRInContext(context, buffer, &module, &message)) {
    *error = take(mem, message);
    return NULL;
  }
  *error = misfit(mem, module);
  message = NULL;
  if (!*error && LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    *error = take(mem, message);
  else
    LLVMDisposeMessage(message);
  if (!*error)
    return module;
  LLVMDisposeModule(module);
  return NULL;
}

const char *gs_module_target(gs_mem *mem, LLVMModuleRef module) {
  static const char name[] = "target-cpu";
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetFunctionCallConv(f) != PTX_KERNEL || LLVMIsDeclaration(f))
      continue;
    LLVMAttributeRef cpu = LLVMGetStringAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof name - 1);
    unsigned length;
    if (!cpu)
      continue;
    const char *text = LLVMGetStringAttributeValue(cpu, &length);
    return gs_mem_printf(mem, "%.*s", (int)length, text);
  }
  return NULL;
}
