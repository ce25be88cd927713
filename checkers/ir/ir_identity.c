// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a prepared kernel adds to its identity: its text, without the numbers that LLVM
// gives to groups of attributes and to metadata, which other kernels of the module move;
// what these numbers stand for; and the globals that it refers to.
#include "ir_private.h"

#include "identity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8 };

typedef struct walk {
  gs_sha256 *hash;
  const gs_function_texts *texts;
  LLVMValueRef *globals; ///< to be added, each once, in the order of their first use
  size_t count, capacity;
  bool failed;
} walk;

/// A reference to a global, from the kernel or from another global.
static void need(walk *w, LLVMValueRef global) {
  for (size_t i = 0; i < w->count; i++)
    if (w->globals[i] == global)
      return;
  if (w->count == w->capacity) {
    size_t capacity = w->capacity ? 2 * w->capacity : 16;
    LLVMValueRef *larger = realloc(w->globals, capacity * sizeof *larger);
    if (!larger) {
      w->failed = true;
      return;
    }
    w->globals = larger;
    w->capacity = capacity;
  }
  w->globals[w->count++] = global;
}

static void need_all(walk *w, LLVMValueRef constant, unsigned depth) {
  if (LLVMIsAGlobalValue(constant)) {
    need(w, constant);
    return;
  }
  int operands = LLVMGetNumOperands(constant);
  for (int i = 0; i < operands && depth < MAX_DEPTH; i++)
    if (LLVMIsAConstant(LLVMGetOperand(constant, (unsigned)i)))
      need_all(w, LLVMGetOperand(constant, (unsigned)i), depth + 1);
}

/// Adds text without comments and without the digits of `#12` and `!12`. Strings and
/// quoted names are kept; quotes inside of them are written as \22.
static void add_plain(walk *w, const char *text, size_t length) {
  char *plain = malloc(length + 1u), *to = plain;
  w->failed |= !plain;
  bool quoted = false;
  const char *end = text + length;
  for (const char *c = text; plain && c < end; c++) {
    quoted ^= *c == '"';
    if (!quoted && *c == ';') {
      while (c + 1 < end && c[1] != '\n')
        c++;
      continue;
    }
    *to++ = *c;
    if (!quoted && (*c == '#' || *c == '!'))
      while (c + 1 < end && isdigit((unsigned char)c[1]))
        c++;
  }
  if (plain)
    gs_identity_bytes(w->hash, plain, (size_t)(to - plain));
  free(plain);
}

static void add_value(walk *w, LLVMValueRef value) {
  char *text = LLVMPrintValueToString(value);
  if (text)
    add_plain(w, text, strlen(text));
  else
    w->failed = true;
  LLVMDisposeMessage(text);
}

static void add_function_text(walk *w, LLVMValueRef function) {
  const gs_function_text *text = gs_function_text_of(w->texts, function);
  if (text)
    add_plain(w, text->begin, text->length);
  else
    w->failed = true;
}

// -------------------------------------------------------- what numbers stand for ----

static void add_attribute(walk *w, LLVMAttributeRef attribute) {
  unsigned length = 0;
  if (LLVMIsStringAttribute(attribute)) {
    const char *kind = LLVMGetStringAttributeKind(attribute, &length);
    gs_identity_bytes(w->hash, kind, length);
    const char *value = LLVMGetStringAttributeValue(attribute, &length);
    gs_identity_bytes(w->hash, value, length);
  } else if (LLVMIsEnumAttribute(attribute)) {
    gs_identity_number(w->hash, LLVMGetEnumAttributeKind(attribute));
    gs_identity_number(w->hash, LLVMGetEnumAttributeValue(attribute));
  }
}

/// Those of a function or call as a whole; the others stand in the text.
static void add_attributes(walk *w, LLVMValueRef of, bool is_call) {
  LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  unsigned count = is_call ? LLVMGetCallSiteAttributeCount(of, index)
                           : LLVMGetAttributeCountAtIndex(of, index);
  gs_identity_number(w->hash, count);
  LLVMAttributeRef *all = count ? calloc(count, sizeof *all) : NULL;
  w->failed |= count && !all;
  if (all && is_call)
    LLVMGetCallSiteAttributes(of, index, all);
  else if (all)
    LLVMGetAttributesAtIndex(of, index, all);
  for (unsigned i = 0; all && i < count; i++)
    add_attribute(w, all[i]);
  free(all);
}

/// A node's operands, its own nodes down to a small depth: what the analysis reads, ranges
/// for instance, is flat, and a loop's node refers to itself.
static void add_node(walk *w, LLVMValueRef node, unsigned depth) {
  enum { NESTED = 2, MAX_OPERANDS = 64 };
  LLVMValueRef operands[MAX_OPERANDS];
  unsigned length = 0;
  const char *string = LLVMIsAMDString(node) ? LLVMGetMDString(node, &length) : NULL;
  if (string) {
    gs_identity_bytes(w->hash, string, length);
    return;
  }
  if (LLVMIsAConstant(node)) {
    add_value(w, node);
    return;
  }
  unsigned count = LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
  gs_identity_number(w->hash, count);
  if (depth >= NESTED || count > MAX_OPERANDS)
    return;
  LLVMGetMDNodeOperands(node, operands);
  for (unsigned i = 0; i < count; i++)
    if (operands[i])
      add_node(w, operands[i], depth + 1);
}

static void add_metadata(walk *w, LLVMValueRef instruction, LLVMContextRef context) {
  size_t count = 0;
  LLVMValueMetadataEntry *entries =
      LLVMInstructionGetAllMetadataOtherThanDebugLoc(instruction, &count);
  gs_identity_number(w->hash, count);
  for (unsigned i = 0; i < count; i++) {
    gs_identity_number(w->hash, LLVMValueMetadataEntriesGetKind(entries, i));
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
    add_node(w, LLVMMetadataAsValue(context, node), 0);
  }
  LLVMDisposeValueMetadataEntries(entries);
}

/// What is behind the name of a structure.
static void add_type(walk *w, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  gs_identity_number(w->hash, kind);
  if (kind == LLVMStructTypeKind) {
    unsigned count = LLVMCountStructElementTypes(type);
    gs_identity_number(w->hash, (uint64_t)count << 1 | (LLVMIsPackedStruct(type) != 0));
    for (unsigned i = 0; i < count; i++)
      add_type(w, LLVMStructGetTypeAtIndex(type, i));
  } else if (kind == LLVMArrayTypeKind) {
    gs_identity_number(w->hash, LLVMGetArrayLength2(type));
    add_type(w, LLVMGetElementType(type));
  } else {
    char *text = LLVMPrintTypeToString(type);
    gs_identity_text(w->hash, text);
    LLVMDisposeMessage(text);
  }
}

// ------------------------------------------------------------------- functions ----

static void add_instruction(walk *w, LLVMValueRef instruction, LLVMContextRef context) {
  if (LLVMIsACallInst(instruction))
    add_attributes(w, instruction, true);
  if (LLVMIsAGetElementPtrInst(instruction))
    add_type(w, LLVMGetGEPSourceElementType(instruction));
  if (LLVMIsAAllocaInst(instruction))
    add_type(w, LLVMGetAllocatedType(instruction));
  add_metadata(w, instruction, context);
  int operands = LLVMGetNumOperands(instruction);
  for (int i = 0; i < operands; i++)
    if (LLVMIsAConstant(LLVMGetOperand(instruction, (unsigned)i)))
      need_all(w, LLVMGetOperand(instruction, (unsigned)i), 0);
}

static void add_function(walk *w, LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  add_function_text(w, function);
  add_attributes(w, function, false);
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(function); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
      add_instruction(w, i, context);
}

gs_status gs_ir_identity(gs_ir *ir, uint32_t kernel, gs_sha256 *hash) {
  if (!ir->texts)
    ir->texts = gs_function_texts_new(ir->module);
  if (!ir->texts)
    return GS_ERROR_MEMORY;
  walk w = {.hash = hash, .texts = ir->texts};
  need(&w, ir->kernels[kernel]);
  for (size_t i = 0; i < w.count && !w.failed; i++) {
    LLVMValueRef global = w.globals[i];
    if (LLVMIsAFunction(global)) {
      add_function(&w, global);
      continue;
    }
    add_value(&w, global);
    if (LLVMIsAGlobalVariable(global))
      add_type(&w, LLVMGlobalGetValueType(global));
    LLVMValueRef init = LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
    if (init)
      need_all(&w, init, 0);
  }
  free(w.globals);
  return w.failed ? GS_ERROR_MEMORY : GS_OK;
}
