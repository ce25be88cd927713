// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model table, LLVM's own attributes for intrinsics, and inline PTX.
#include "model.h"

#include "barrier_call.h"
#include "ptx.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct row {
  const char *pattern;
  gs_model_kind kind;
} row;

static const row rows[] = {
#define GS_MODEL(pattern, kind) {pattern, GS_MODEL_##kind},
#include "device_functions.def"
};

/// '*' stands for anything.
static bool matches(const char *pattern, const char *name) {
  const char *star = NULL, *again = name;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      again = name;
    } else if (*pattern == *name) {
      pattern++;
      name++;
    } else if (star) { // let the latest star take one more
      pattern = star + 1;
      name = ++again;
    } else {
      return false;
    }
  }
  while (*pattern == '*')
    pattern++;
  return !*pattern;
}

bool gs_model_is_unit(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (matches(rows[i].pattern, name))
      return rows[i].kind == GS_MODEL_SYNC_GRID;
  return false;
}

/// An intrinsic that LLVM says neither reads nor writes memory.
static bool touches_no_memory(LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
  return attribute && LLVMGetEnumAttributeValue(attribute) == 0;
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     kind) != NULL;
}

gs_model_kind gs_model_of(LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call), callee = gs_ir_callee(call);
  char what[32];
  if (LLVMIsAInlineAsm(called))
    return gs_model_of_ptx(called, what, sizeof what);
  if (!callee)
    return GS_MODEL_UNKNOWN;
  const char *name = gs_ir_name(callee);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (matches(rows[i].pattern, name))
      return rows[i].kind;
  if (!gs_has_prefix(name, "llvm.") || !touches_no_memory(callee))
    return GS_MODEL_UNKNOWN;
  bool special = gs_has_prefix(name, "llvm.nvvm.read.ptx.sreg");
  return special || has_attribute(callee, "convergent") ? GS_MODEL_LANE : GS_MODEL_PURE;
}

static bool holds(const char *text, size_t length, const char *part) {
  size_t n = strlen(part);
  for (size_t i = 0; i + n <= length; i++)
    if (strncmp(text + i, part, n) == 0)
      return true;
  return false;
}

gs_model_fence gs_model_fence_of(LLVMValueRef call, gs_model_kind kind) {
  LLVMValueRef called = LLVMGetCalledValue(call), callee = gs_ir_callee(call);
  bool assembly = LLVMIsAInlineAsm(called) != NULL;
  size_t length = 0;
  const char *text = assembly ? LLVMGetInlineAsmAsmString(called, &length) : callee ? gs_ir_name(callee) : "";
  length = assembly ? length : strlen(text);
  if (assembly ? !holds(text, length, "fence") && !holds(text, length, "membar") : kind != GS_MODEL_FENCE)
    return GS_FENCE_NONE;
  // What else a piece of assembly does is not told apart.
  if (assembly && (kind == GS_MODEL_PTX || gs_model_synchronises(kind) || holds(text, length, "@")))
    return GS_FENCE_MAYBE;
  bool wide = holds(text, length, ".gpu") || holds(text, length, ".sys") || holds(text, length, "membar.gl");
  return wide ? GS_FENCE_GRID : GS_FENCE_BLOCK;
}

// Opcodes of PTX that touch registers only.
static const char *const register_opcodes[] = {
    "abs",   "add",   "addc",  "and",   "bfe",   "bfi",   "bfind", "brev",  "clz",  "cnot",
    "copysign", "cos", "cvt",  "cvta",  "div",   "dp2a",  "dp4a",  "elect", "ex2",  "fma",
    "fns",   "isspacep", "istypep", "lg2", "lop3", "mad",   "mad24", "madc",  "max",   "min",  "mma", "movmatrix",
    "mov",   "mul",   "mul24", "nanosleep", "neg", "not", "or",    "popc",  "prmt", "rcp",
    "rem",   "rsqrt", "sad",   "selp",  "set",   "setp",  "shf",   "shl",   "shr",  "sin",
    "slct",  "sqrt",  "sub",   "subc",  "szext", "tanh",  "testp", "vabsdiff", "vadd", "vmax",
    "vmin",  "vote",  "shfl",  "match", "redux", "activemask", "xor", "fence", "membar",
    "prefetch", "prefetchu", "pmevent", "createpolicy", "bmsk", "vsub", "vmad", "vset", "vshl",
    "vshr", "applypriority", "griddepcontrol", "setmaxnreg", "txq", "suq", "mapa", "getctarank", "brkpt",
    "vabsdiff2", "vabsdiff4", "vadd2", "vadd4", "vavrg2", "vavrg4", "vmax2", "vmax4", "vmin2",
    "vmin4", "vset2", "vset4", "vsub2", "vsub4"};

static bool is_register_opcode(const char *op) {
  for (size_t i = 0; i < sizeof register_opcodes / sizeof *register_opcodes; i++)
    if (strcmp(register_opcodes[i], op) == 0)
      return true;
  return false;
}

/// Reads the opcode of the statement at *text into op; moves *text past the statement.
static void next_opcode(const char **text, const char *end, char *op, size_t size) {
  const char *p = *text;
  size_t n = 0;
  op[0] = 0;
  for (;;) {
    while (p < end && (isspace((unsigned char)*p) || *p == '{' || *p == '}' || *p == ';'))
      p++;
    if (p + 1 < end && p[0] == '/' && p[1] == '/') {
      while (p < end && *p != '\n')
        p++;
    } else if (p < end && *p == '@') { // a predicate
      while (p < end && !isspace((unsigned char)*p))
        p++;
    } else {
      break;
    }
  }
  const char *word = p;
  while (p < end && (isalnum((unsigned char)*p) || *p == '_' || *p == '$'))
    p++;
  if (p < end && *p == ':') { // a label
    *text = p + 1;
    return;
  }
  if (word < end && *word == '.')
    op[n++] = '.';
  for (const char *q = word; q < p && n + 1 < size; q++)
    op[n++] = *q;
  op[n] = 0;
  while (p < end && *p != ';')
    p++;
  *text = p < end ? p + 1 : end;
}

/// Is the text this one opcode?
static bool is_statement(const char *text, const char *end, const char *opcode) {
  size_t n = strlen(opcode);
  while (text < end && isspace((unsigned char)*text))
    text++;
  if ((size_t)(end - text) < n || memcmp(text, opcode, n) != 0)
    return false;
  for (text += n; text < end && (isspace((unsigned char)*text) || *text == ';'); text++)
    ;
  return text == end;
}

gs_model_kind gs_model_of_ptx(LLVMValueRef assembly, char *what, size_t size) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length), *end = text + length;
  gs_model_kind kind = LLVMGetInlineAsmHasSideEffects(assembly) ? GS_MODEL_LANE : GS_MODEL_PURE;
  what[0] = 0;
  if (is_statement(text, end, "trap") || is_statement(text, end, "exit"))
    return GS_MODEL_STOPS;
  bool barrier = false, memory = false, plain = false;
  for (const char *p = text; p < end;) {
    char op[32];
    const char *statement = p;
    next_opcode(&p, end, op, sizeof op);
    gs_ptx_barrier found;
    if (gs_ptx_read_barrier(statement, end, &found)) {
      if (barrier) {
        snprintf(what, size, "%s", op);
        return GS_MODEL_UNKNOWN; // one call is one barrier here
      }
      barrier = true;
      plain = !found.is_warp && !found.is_cluster && !found.arrives && found.count == 1 &&
              !found.is_operand[0] && !found.value[0];
      continue;
    }
    if (!op[0] || op[0] == '.' || is_register_opcode(op)) {
      if (strcmp(op, "shfl") == 0 || strcmp(op, "vote") == 0 || strcmp(op, "match") == 0 ||
          strcmp(op, "redux") == 0 || strcmp(op, "activemask") == 0 || strcmp(op, "elect") == 0 ||
          strcmp(op, "mma") == 0)
        kind = GS_MODEL_LANE;
      continue;
    }
    if (gs_ptx_touches_memory(op)) {
      memory = true;
      continue;
    }
    if (!what[0] && size > strlen(op))
      memcpy(what, op, strlen(op) + 1);
    return GS_MODEL_UNKNOWN;
  }
  if (barrier && memory)
    return GS_MODEL_UNKNOWN;
  if (barrier || memory)
    return plain ? GS_MODEL_SYNC : barrier ? GS_MODEL_SYNC_PTX : GS_MODEL_PTX;
  // Reads of special registers differ between threads.
  for (const char *p = text; p + 1 < end; p++)
    if (*p == '%' && isalpha((unsigned char)p[1]))
      kind = GS_MODEL_LANE;
  return kind;
}
