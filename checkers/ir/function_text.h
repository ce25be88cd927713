// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of a module as text.
#ifndef GS_FUNCTION_TEXT_H
#define GS_FUNCTION_TEXT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct gs_function_text {
  LLVMValueRef function;
  const char *begin; ///< not terminated
  size_t length;
} gs_function_text;

typedef struct gs_function_texts gs_function_texts;

/// Prints a module, which must not change as long as the texts are used.
/// \returns NULL when memory is short; free it with gs_function_texts_free.
gs_function_texts *gs_function_texts_new(LLVMModuleRef module);
void gs_function_texts_free(gs_function_texts *texts);

/// \returns the text of a function of that module, with or without a body; NULL for others.
const gs_function_text *gs_function_text_of(const gs_function_texts *texts, LLVMValueRef function);

#endif
