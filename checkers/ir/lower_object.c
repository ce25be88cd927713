// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects: what pointers point to.
#include "lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gs_lower_is_byval(LLVMValueRef argument) {
  LLVMValueRef function = LLVMGetParamParent(argument);
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  unsigned count = LLVMCountParams(function);
  for (unsigned i = 0; i < count; i++)
    if (LLVMGetParam(function, i) == argument)
      return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
  return false;
}

uint32_t gs_lower_argument_index(LLVMValueRef argument) {
  LLVMValueRef function = LLVMGetParamParent(argument);
  uint32_t i = 0;
  while (LLVMGetParam(function, i) != argument)
    i++;
  return i;
}

// ------------------------------------------------------------- objects ----

uint32_t gs_lower_object(gs_lowering *low, const gs_object *object) {
  gs_program *program = low->program;
  if (!gs_lower_grow(low, (void **)&program->objects, &low->object_capacity,
                     program->object_count + 1, sizeof *object))
    return 0;
  uint32_t index = program->object_count++;
  program->objects[index] = *object;
  if (object->base && gs_term_is(low->terms, object->base, GS_OP_SYM)) {
    uint32_t sym = (uint32_t)gs_term_node(low->terms, object->base)->value;
    uint32_t old = low->sym_object_capacity;
    if (gs_lower_grow(low, (void **)&low->sym_object, &low->sym_object_capacity, sym + 1,
                      sizeof(uint32_t))) {
      for (uint32_t i = old; i < low->sym_object_capacity; i++)
        low->sym_object[i] = GS_NONE;
      low->sym_object[sym] = index;
    }
  }
  return index;
}

static gs_term base_symbol(gs_lowering *low, const char *name, gs_level level) {
  gs_sym sym = {.kind = GS_SYM_BASE,
                .level = level,
                .index = low->program->object_count,
                .width = 64,
                .is_address = true,
                .lo = 0,
                .hi = UINT64_MAX,
                .name = name};
  return gs_mk_sym(low->terms, &sym);
}

const gs_param_desc *gs_lower_param_desc(const gs_lowering *low, uint32_t param) {
  const gs_kernel_desc *desc = low->program->desc;
  return desc && param < desc->param_count ? &desc->params[param] : NULL;
}

const gs_field *gs_lower_field_desc(const gs_param_desc *param, uint32_t offset) {
  for (uint32_t i = 0; param && i < param->field_count; i++)
    if (param->fields[i].offset == offset)
      return &param->fields[i];
  return NULL;
}

/// "p.data" for a field, "c" for a parameter.
static const char *param_name(gs_lowering *low, uint32_t param, uint32_t offset) {
  char text[512];
  const gs_param_desc *desc = gs_lower_param_desc(low, param);
  const gs_field *field = gs_lower_field_desc(desc, offset);
  if (!desc || !desc->name[0])
    snprintf(text, sizeof text, "parameter %u", param + 1);
  else if (field && field->path[0])
    snprintf(text, sizeof text, "%s.%s", desc->name, field->path);
  else if (offset)
    snprintf(text, sizeof text, "%s+%u", desc->name, offset);
  else
    snprintf(text, sizeof text, "%s", desc->name);
  return gs_lower_text(low, text);
}

/// The object that a pointer parameter or a pointer field points to.
void gs_lower_pointer_object(gs_lowering *low, gs_term pointer, uint32_t param, uint32_t offset) {
  uint32_t sym = (uint32_t)gs_term_node(low->terms, pointer)->value;
  if (sym < low->sym_object_capacity && low->sym_object[sym] != GS_NONE)
    return;
  gs_sym_edit(low->terms, sym)->is_address = true;
  const gs_param_desc *desc = gs_lower_param_desc(low, param);
  const gs_field *field = gs_lower_field_desc(desc, offset);
  gs_object object = {.kind = GS_OBJECT_PARAM,
                      .name = param_name(low, param, offset),
                      .elem_size = field ? field->elem_size : desc ? desc->elem_size : 0,
                      .param = param,
                      .offset = offset,
                      .base = pointer};
  gs_lower_object(low, &object);
}

gs_term gs_lower_byval_base(gs_lowering *low, LLVMValueRef argument) {
  gs_term *memo = gs_lower_memo(low, argument);
  if (*memo)
    return *memo;
  uint32_t param = gs_lower_argument_index(argument);
  const gs_param_desc *desc = gs_lower_param_desc(low, param);
  gs_object object = {.kind = GS_OBJECT_BYVAL,
                      .name = param_name(low, param, 0),
                      .size = desc ? desc->size : 0,
                      .param = param,
                      .base = base_symbol(low, param_name(low, param, 0), GS_LEVEL_GRID)};
  gs_lower_object(low, &object);
  *gs_lower_memo(low, argument) = object.base;
  return object.base;
}

gs_term gs_lower_argument(gs_lowering *low, LLVMValueRef argument) {
  LLVMTypeRef type = LLVMTypeOf(argument);
  uint32_t index = gs_lower_argument_index(argument);
  if (gs_lower_is_byval(argument))
    return gs_lower_byval_base(low, argument);
  const gs_param_desc *desc = gs_lower_param_desc(low, index);
  bool is_signed = desc && desc->field_count == 1 && desc->fields[0].is_signed;
  gs_term t = gs_program_param(low->program, index, 0, gs_lower_width(low, type), is_signed);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    gs_lower_pointer_object(low, t, index, 0);
  return t;
}

/// `_ZZ6kernelPfE5sdata` and `_ZN2ns1xE` as sdata and x; plain names as they are.
static const char *global_name(gs_lowering *low, LLVMValueRef global) {
  const char *name = gs_ir_name(global), *found = name;
  char text[256];
  if (name[0] == '_' && name[1] == 'Z') {
    // The last <length><name> pair is the variable.
    for (const char *p = name + 2; *p; p++)
      if (*p >= '0' && *p <= '9') {
        char *end = NULL;
        unsigned long length = strtoul(p, &end, 10);
        if (length && length <= strlen(end)) {
          snprintf(text, sizeof text, "%.*s", (int)(length < 255 ? length : 255), end);
          found = text;
          p = end + length - 1;
        } else {
          p = end - 1;
        }
      }
  }
  return gs_lower_text(low, found);
}

gs_term gs_lower_global(gs_lowering *low, LLVMValueRef global) {
  gs_term *memo = gs_lower_memo(low, global);
  if (*memo)
    return *memo;
  if (!LLVMIsAGlobalVariable(global))
    return gs_lower_opaque(low, 64, GS_LEVEL_GRID, GS_NONE, "the address of a function");
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  bool sized = LLVMTypeIsSized(type);
  gs_object object = {.kind = GS_OBJECT_GLOBAL,
                      .name = global_name(low, global),
                      .symbol = gs_lower_text(low, gs_ir_name(global)),
                      .size = sized ? LLVMABISizeOfType(low->ir->layout, type) : 0};
  LLVMTypeRef element = type;
  while (LLVMGetTypeKind(element) == LLVMArrayTypeKind)
    element = LLVMGetElementType(element);
  object.elem_size = sized ? (uint32_t)LLVMABISizeOfType(low->ir->layout, element) : 0;
  if (space == GS_SPACE_SHARED)
    object.kind = object.size && !LLVMIsDeclaration(global) ? GS_OBJECT_SHARED : GS_OBJECT_DYNAMIC;
  else if (space == GS_SPACE_CONSTANT || LLVMIsGlobalConstant(global))
    object.kind = GS_OBJECT_CONSTANT;
  if (object.kind == GS_OBJECT_SHARED)
    low->program->static_smem += object.size;
  if (object.kind == GS_OBJECT_DYNAMIC) {
    object.size = 0;
    // All extern __shared__ arrays of a kernel start at one address.
    for (uint32_t i = 0; i < low->program->object_count; i++)
      if (low->program->objects[i].kind == GS_OBJECT_DYNAMIC)
        return *gs_lower_memo(low, global) = low->program->objects[i].base;
  }
  object.base = base_symbol(low, object.name,
                            space == GS_SPACE_SHARED ? GS_LEVEL_BLOCK : GS_LEVEL_GRID);
  // A shared variable is at the same place in every block's own memory.
  gs_sym_edit(low->terms, (uint32_t)gs_term_node(low->terms, object.base)->value)->exact = true;
  gs_lower_object(low, &object);
  return *gs_lower_memo(low, global) = object.base;
}

gs_term gs_lower_own_memory(gs_lowering *low, const char *name, uint64_t size, uint32_t elem_size) {
  gs_object object = {.kind = GS_OBJECT_LOCAL,
                      .size = size,
                      .elem_size = elem_size,
                      .base = base_symbol(low, name, GS_LEVEL_THREAD)};
  gs_lower_object(low, &object);
  return object.base;
}

gs_term gs_lower_alloca(gs_lowering *low, LLVMValueRef alloca) {
  LLVMTypeRef type = LLVMGetAllocatedType(alloca), element = type;
  LLVMValueRef n = LLVMGetOperand(alloca, 0);
  uint64_t count = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
  while (LLVMGetTypeKind(element) == LLVMArrayTypeKind)
    element = LLVMGetElementType(element);
  return gs_lower_own_memory(low, "local", LLVMABISizeOfType(low->ir->layout, type) * count,
                             (uint32_t)LLVMABISizeOfType(low->ir->layout, element));
}

