// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM numbers the metadata of a whole module to print one of its functions. For many
// kernels it is cheaper to print the module once and to cut it up.
#include "function_text.h"

#include <stdlib.h>
#include <string.h>

struct gs_function_texts {
  char *module;
  gs_function_text *at; ///< in the order of the module
  size_t count;
};

/// The text of the next function from `from` on: nothing but a function starts a line with
/// one of these words, and only its end is a line that starts with a brace.
static const char *next_function(const char *from, gs_function_text *out) {
  for (const char *line = from; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
    bool defined = strncmp(line, "define ", 7) == 0;
    if (!defined && strncmp(line, "declare ", 8) != 0)
      continue;
    const char *end = defined ? strstr(line, "\n}") : strchr(line, '\n');
    out->begin = line;
    out->length = end ? (size_t)(end - line) + (defined ? 2 : 0) : strlen(line);
    return line + out->length;
  }
  return NULL;
}

/// \returns false when a function has no text.
static bool cut(gs_function_texts *texts, LLVMModuleRef module) {
  const char *at = texts->module;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    gs_function_text *text = &texts->at[texts->count];
    at = at ? next_function(at, text) : NULL;
    if (!at)
      return false;
    text->function = f;
    texts->count++;
  }
  return true;
}

gs_function_texts *gs_function_texts_new(LLVMModuleRef module) {
  size_t functions = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    functions++;
  gs_function_texts *texts = calloc(1, sizeof *texts);
  if (!texts)
    return NULL;
  texts->module = LLVMPrintModuleToString(module);
  texts->at = calloc(functions + 1u, sizeof *texts->at);
  if (texts->module && texts->at && cut(texts, module))
    return texts;
  gs_function_texts_free(texts);
  return NULL;
}

void gs_function_texts_free(gs_function_texts *texts) {
  if (!texts)
    return;
  LLVMDisposeMessage(texts->module);
  free(texts->at);
  free(texts);
}

const gs_function_text *gs_function_text_of(const gs_function_texts *texts, LLVMValueRef function) {
  for (size_t i = 0; i < texts->count; i++)
    if (texts->at[i].function == function)
      return &texts->at[i];
  return NULL;
}
