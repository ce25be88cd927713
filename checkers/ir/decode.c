// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, edges and parameters of a register program; its instructions are made in
// decode_insn.c and decode_call.c.
#include "decode_private.h"
#include "lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INSNS = 400000 };

void gs_decode_refuse(gs_decoder *d, const char *text, const char *detail) {
  if (d->reason)
    return;
  size_t size = strlen(text) + (detail ? strlen(detail) : 0) + 64;
  d->reason = malloc(size);
  if (!d->reason)
    d->failed = true;
  else
    snprintf(d->reason, size, "%s%s%s%s (line %u)", text, detail ? " '" : "", detail ? detail : "",
             detail ? "'" : "", d->line);
}

bool gs_decode_grow(gs_decoder *d, void **array, uint32_t *capacity, uint32_t need, size_t size) {
  if (need <= *capacity)
    return true;
  uint32_t next = *capacity ? *capacity * 2 : 64;
  while (next < need)
    next *= 2;
  void *moved = realloc(*array, next * size);
  if (!moved) {
    d->failed = true;
    return false;
  }
  *array = moved;
  *capacity = next;
  return true;
}

uint32_t gs_decode_emit(gs_decoder *d, gs_code_op op, uint32_t width, uint32_t dst, uint32_t a,
                        uint32_t b) {
  gs_code *code = d->code;
  if (code->insn_count >= MAX_INSNS)
    gs_decode_refuse(d, "a kernel of this size", NULL);
  if (d->reason || !gs_decode_grow(d, (void **)&code->insns, &d->insn_capacity,
                                   code->insn_count + 1, sizeof *code->insns))
    return 0;
  code->insns[code->insn_count] = (gs_code_insn){.op = (uint16_t)op, .width = (uint8_t)width,
                                                 .dst = dst, .a = a, .b = b, .line = d->line,
                                                 .file = d->file};
  return code->insn_count++;
}



gs_code_insn *gs_decode_at(gs_decoder *d, uint32_t position) {
  return position < d->code->insn_count ? &d->code->insns[position] : &d->nowhere;
}

uint32_t gs_decode_regs(gs_decoder *d, uint32_t count) {
  gs_code *code = d->code;
  uint32_t first = code->reg_count;
  if (!gs_decode_grow(d, (void **)&code->image, &d->image_capacity, first + count + 1,
                      sizeof *code->image))
    return 0;
  memset(code->image + first, 0, (count + 1) * sizeof *code->image);
  code->reg_count += count;
  return first;
}

uint32_t gs_decode_const(gs_decoder *d, uint64_t value) {
  uint32_t reg = gs_decode_regs(d, 1);
  if (!d->failed)
    d->code->image[reg] = value;
  return reg;
}

uint32_t gs_decode_window(gs_decoder *d, gs_window_kind kind, uint64_t size, const char *name) {
  gs_code *code = d->code;
  char *copy = strdup(name);
  if (!copy || !gs_decode_grow(d, (void **)&code->windows, &d->window_capacity,
                               code->window_count + 1, sizeof *code->windows)) {
    free(copy);
    d->failed = true;
    return 0;
  }
  code->windows[code->window_count] = (gs_window){.kind = kind, .size = size, .name = copy};
  return code->window_count++;
}

// ---------------------------------------------------------- parameters ----

static void add_param(gs_decoder *d, uint32_t index) {
  LLVMValueRef argument = LLVMGetParam(d->function, index);
  gs_code_param *param = &d->code->params[index];
  gs_leaf leaves[GS_MAX_LEAVES];
  *param = (gs_code_param){.window = GS_NO_WINDOW};
  if (gs_lower_is_byval(argument)) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMTypeRef type = LLVMGetTypeAttributeValue(
        LLVMGetEnumAttributeAtIndex(d->function, (LLVMAttributeIndex)(index + 1), kind));
    param->size = (uint32_t)LLVMABISizeOfType(d->ir->layout, type);
    param->window = gs_decode_window(d, GS_WINDOW_LOCAL, param->size, "a by-value parameter");
    param->reg = gs_decode_result(d, argument);
    if (!d->failed)
      d->code->image[param->reg] = gs_window_address(param->window);
    return;
  }
  LLVMTypeRef type = LLVMTypeOf(argument);
  param->leaves = gs_decode_leaves(d, type, leaves);
  param->size = (uint32_t)LLVMABISizeOfType(d->ir->layout, type);
  param->reg = gs_decode_result(d, argument);
  param->offsets = calloc(param->leaves + 1u, sizeof(uint32_t));
  param->widths = calloc(param->leaves + 1u, sizeof(uint32_t));
  if (!param->offsets || !param->widths) {
    d->failed = true;
    return;
  }
  for (uint32_t i = 0; i < param->leaves; i++) {
    param->offsets[i] = leaves[i].offset;
    param->widths[i] = leaves[i].width;
  }
}

static void add_params(gs_decoder *d) {
  d->code->param_count = LLVMCountParams(d->function);
  d->code->params = calloc(d->code->param_count + 1u, sizeof *d->code->params);
  if (!d->code->params)
    d->failed = true;
  for (uint32_t i = 0; i < d->code->param_count && !d->failed; i++)
    add_param(d, i);
}

// --------------------------------------------------------------- edges ----

static uint32_t block_index(const gs_decoder *d, LLVMBasicBlockRef bb) {
  uint32_t i = 0;
  while (i < d->block_count && d->blocks[i] != bb)
    i++;
  return i;
}

static void add_patch(gs_decoder *d, uint32_t insn, LLVMBasicBlockRef target) {
  if (gs_decode_grow(d, (void **)&d->patches, &d->patch_capacity, d->patch_count + 1,
                     sizeof *d->patches))
    d->patches[d->patch_count++] = (gs_patch){insn, block_index(d, target)};
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from)
      return LLVMGetIncomingValue(phi, i);
  return NULL;
}

/// The moves of the phis of `to` on the edge, all at once, and the jump.
static void emit_edge(gs_decoder *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  uint32_t count = 0, copies = 0;
  LLVMValueRef first = LLVMGetFirstInstruction(to);
  for (LLVMValueRef phi = first; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
    count += gs_decode_leaf_count(d, LLVMTypeOf(phi));
  copies = count > 1 ? gs_decode_regs(d, count) : 0;
  uint32_t at = 0;
  for (LLVMValueRef phi = first; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef value = incoming(phi, from);
    uint32_t n = gs_decode_leaf_count(d, LLVMTypeOf(phi)), dst = gs_decode_result(d, phi);
    uint32_t src = value ? gs_decode_use(d, value) : 0;
    for (uint32_t i = 0; i < n; i++)
      gs_decode_emit(d, GS_CODE_MOVE, 64, count > 1 ? copies + at++ : dst + i, src + i, 0);
  }
  at = 0;
  for (LLVMValueRef phi = first; count > 1 && phi && LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    uint32_t n = gs_decode_leaf_count(d, LLVMTypeOf(phi)), dst = gs_decode_result(d, phi);
    for (uint32_t i = 0; i < n; i++)
      gs_decode_emit(d, GS_CODE_MOVE, 64, dst + i, copies + at++, 0);
  }
  add_patch(d, gs_decode_emit(d, GS_CODE_JUMP, 0, 0, 0, 0), to);
}

static void emit_branch(gs_decoder *d, LLVMBasicBlockRef bb, LLVMValueRef br) {
  LLVMBasicBlockRef yes = LLVMGetSuccessor(br, 0);
  if (!LLVMIsConditional(br)) {
    emit_edge(d, bb, yes);
    return;
  }
  uint32_t condition = gs_decode_use(d, LLVMGetCondition(br));
  uint32_t at = gs_decode_emit(d, GS_CODE_BRANCH, 1, 0, condition, 0);
  gs_decode_at(d, at)->b = d->code->insn_count;
  emit_edge(d, bb, yes);
  gs_decode_at(d, at)->c = d->code->insn_count;
  emit_edge(d, bb, LLVMGetSuccessor(br, 1));
}

static void emit_switch(gs_decoder *d, LLVMBasicBlockRef bb, LLVMValueRef inst) {
  uint32_t value = gs_decode_use(d, LLVMGetOperand(inst, 0));
  unsigned n = LLVMGetNumSuccessors(inst);
  uint32_t first = d->code->insn_count;
  for (unsigned i = 1; i < n; i++) {
    uint32_t at = gs_decode_emit(d, GS_CODE_CASE, 64, 0, value, 0);
    gs_decode_at(d, at)->imm = LLVMConstIntGetZExtValue(LLVMGetSwitchCaseValue(inst, i));
  }
  emit_edge(d, bb, LLVMGetSuccessor(inst, 0));
  for (unsigned i = 1; i < n && !d->reason && !d->failed; i++) {
    gs_decode_at(d, first + i - 1)->c = d->code->insn_count;
    emit_edge(d, bb, LLVMGetSuccessor(inst, i));
  }
}

static void emit_terminator(gs_decoder *d, LLVMBasicBlockRef bb, LLVMValueRef inst) {
  switch ((int)LLVMGetInstructionOpcode(inst)) {
  case LLVMRet: gs_decode_emit(d, GS_CODE_EXIT, 0, 0, 0, 0); break;
  case LLVMUnreachable: gs_decode_emit(d, GS_CODE_TRAP, 0, 0, 0, 0); break;
  case LLVMBr: emit_branch(d, bb, inst); break;
  case LLVMSwitch: emit_switch(d, bb, inst); break;
  default: gs_decode_refuse(d, "an unusual terminator", NULL); break;
  }
}

// -------------------------------------------------------------- blocks ----

/// The number of a file's path.
static uint32_t file_number(gs_decoder *d, const char *path) {
  gs_code *code = d->code;
  for (uint32_t i = 0; i < code->file_count; i++)
    if (strcmp(code->files[i], path) == 0)
      return i;
  char *copy = strdup(path);
  if (!copy || !gs_decode_grow(d, (void **)&code->files, &d->file_capacity, code->file_count + 1,
                               sizeof *code->files)) {
    free(copy);
    d->failed = true;
    return 0;
  }
  code->files[code->file_count] = copy;
  return code->file_count++;
}

/// From now on instructions come from the place of this one.
static void set_place(gs_decoder *d, LLVMValueRef inst) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);
  LLVMMetadataRef scope = location ? LLVMDILocationGetScope(location) : NULL;
  LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  d->line = LLVMGetDebugLocLine(inst);
  if (file == d->file_node)
    return;
  unsigned length = 0, dir_length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  const char *dir = file ? LLVMDIFileGetDirectory(file, &dir_length) : NULL;
  char path[4096] = "";
  if (name && length && (name[0] == '/' || !dir || !dir_length))
    snprintf(path, sizeof path, "%.*s", (int)length, name);
  else if (name && length)
    snprintf(path, sizeof path, "%.*s/%.*s", (int)dir_length, dir, (int)length, name);
  d->file_node = file;
  d->file = file_number(d, path);
}

static void emit_block(gs_decoder *d, uint32_t index) {
  LLVMBasicBlockRef bb = d->blocks[index];
  LLVMValueRef last = LLVMGetBasicBlockTerminator(bb);
  d->begins[index] = d->code->insn_count;
  for (LLVMValueRef inst = LLVMGetFirstInstruction(bb); inst && !d->reason && !d->failed;
       inst = LLVMGetNextInstruction(inst)) {
    set_place(d, inst);
    if (inst == last)
      emit_terminator(d, bb, inst);
    else if (!LLVMIsAPHINode(inst))
      gs_decode_instruction(d, inst);
  }
}

static void find_blocks(gs_decoder *d) {
  d->block_count = LLVMCountBasicBlocks(d->function);
  d->blocks = calloc(d->block_count + 1u, sizeof(LLVMBasicBlockRef));
  d->begins = calloc(d->block_count + 1u, sizeof *d->begins);
  if (!d->blocks || !d->begins)
    d->failed = true;
  else
    LLVMGetBasicBlocks(d->function, d->blocks);
}

static void apply_patches(gs_decoder *d) {
  for (uint32_t i = 0; i < d->patch_count; i++)
    gs_decode_at(d, d->patches[i].insn)->imm = d->begins[d->patches[i].block];
}

gs_status gs_ir_decode(gs_ir *ir, uint32_t kernel, gs_code **out, char **reason) {
  gs_decoder d = {.ir = ir, .function = ir->kernels[kernel]};
  *out = NULL;
  *reason = NULL;
  d.code = calloc(1, sizeof *d.code);
  if (!d.code)
    return GS_ERROR_MEMORY;
  gs_decode_const(&d, 0); // register 0: nothing
  file_number(&d, "");
  add_params(&d);
  find_blocks(&d);
  for (uint32_t i = 0; i < d.block_count && !d.failed && !d.reason; i++)
    emit_block(&d, i);
  if (!d.failed && !d.reason)
    apply_patches(&d);
  free(d.slots);
  free(d.blocks);
  free(d.begins);
  free(d.patches);
  if (!d.failed && !d.reason) {
    *out = d.code;
    return GS_OK;
  }
  gs_code_free(d.code);
  *reason = d.reason;
  return d.failed ? GS_ERROR_MEMORY : GS_ERROR_INPUT;
}
