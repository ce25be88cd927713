// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module says of its kernels, in the terms of gs.h.
#include "module.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <string.h>

enum { PTX_KERNEL = 71 };

typedef struct gs_describer {
  gs_mem *mem;
  LLVMModuleRef module;
  const gs_module_options *options;
  bool *used;          ///< by index into options->assumes: applies to a kernel
  const char *problem; ///< why the first one that does not apply does not
} gs_describer;

static bool is_kernel(LLVMValueRef f) {
  return LLVMGetFunctionCallConv(f) == PTX_KERNEL && !LLVMIsDeclaration(f);
}

static gs_loc location(gs_mem *mem, LLVMMetadataRef subprogram) {
  gs_loc loc = {0};
  LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
  unsigned length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  if (!name || !length)
    return loc;
  loc.file = gs_mem_printf(mem, "%.*s", (int)length, name);
  loc.line = LLVMDISubprogramGetLine(subprogram);
  return loc;
}

/// The source name, third operand of a DISubprogram (LangRef, "DISubprogram"; the
/// C interface has no getter for it).
static const char *source_name(gs_describer *d, LLVMMetadataRef subprogram) {
  enum { NAME = 2, MOST = 32 };
  if (!subprogram)
    return NULL;
  LLVMValueRef node = LLVMMetadataAsValue(LLVMGetModuleContext(d->module), subprogram);
  LLVMValueRef operands[MOST];
  unsigned count = LLVMGetMDNodeNumOperands(node);
  if (count <= NAME || count > MOST)
    return NULL;
  LLVMGetMDNodeOperands(node, operands);
  unsigned length = 0;
  const char *name = operands[NAME] ? LLVMGetMDString(operands[NAME], &length) : NULL;
  return name && length ? gs_mem_printf(d->mem, "%.*s", (int)length, name) : NULL;
}

/// Integers are one field; everything else is known by kind and size only.
static gs_param_desc describe_param(gs_describer *d, LLVMTargetDataRef layout, LLVMValueRef f,
                                    unsigned index) {
  LLVMValueRef param = LLVMGetParam(f, index);
  LLVMTypeRef type = LLVMTypeOf(param);
  size_t length;
  const char *name = LLVMGetValueName2(param, &length);
  // Compilers mostly drop the names of values; clauses and messages then say arg0, arg1.
  gs_param_desc out = {.name = length ? gs_mem_printf(d->mem, "%.*s", (int)length, name)
                                      : gs_mem_printf(d->mem, "arg%u", index),
                       .type = ""};
  out.size = (uint32_t)LLVMABISizeOfType(layout, type);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMPointerTypeKind) {
    // A by-value struct arrives as a pointer to its bytes, whose fields have no names here.
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef copy = LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)(index + 1), byval);
    out.kind = copy ? GS_TYPE_RECORD : GS_TYPE_POINTER;
    if (copy)
      out.size = (uint32_t)LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(copy));
  } else if (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64) {
    gs_field *field = gs_mem_alloc(d->mem, sizeof *field);
    // A module does not tell signedness; signed is what C programs mostly mean.
    *field = (gs_field){
        .path = "", .bits = LLVMGetIntTypeWidth(type), .kind = GS_TYPE_INT, .is_signed = true};
    out.kind = GS_TYPE_INT;
    out.fields = field;
    out.field_count = 1;
  } else {
    bool is_float = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    out.kind = is_float ? GS_TYPE_FLOAT : GS_TYPE_OTHER;
  }
  return out;
}

static bool resolve(void *user, const char *name, size_t length, gs_name *out, const char **hint) {
  const gs_kernel_desc *kernel = user;
  for (uint32_t i = 0; i < kernel->param_count; i++) {
    const gs_param_desc *param = &kernel->params[i];
    if (strlen(param->name) != length || memcmp(param->name, name, length) != 0)
      continue;
    memset(out, 0, sizeof *out);
    out->param = i;
    if (param->kind == GS_TYPE_POINTER) {
      out->kind = GS_NAME_POINTER;
      return true;
    }
    if (param->kind == GS_TYPE_INT) {
      out->kind = GS_NAME_PARAM;
      out->bits = param->fields->bits;
      out->is_signed = param->fields->is_signed;
      return true;
    }
    *hint = "the parameter is no integer and no pointer";
    return false;
  }
  return false;
}

/// \returns the clause, or NULL when its names are not the kernel's.
static gs_clause *parse(gs_describer *d, gs_kernel_desc *kernel, const char *text) {
  gs_clause *clause = NULL;
  gs_parse_error error;
  gs_status status = gs_clause_parse(text, strlen(text), resolve, kernel, &clause, &error);
  if (status == GS_OK)
    return clause;
  if (!d->problem)
    d->problem = gs_mem_printf(d->mem, "'%s', column %u: %s", text,
                                status == GS_ERROR_INPUT ? error.column + 1 : 1,
                                status == GS_ERROR_INPUT ? error.message : "out of memory");
  return NULL;
}

static void add_facts(gs_describer *d, gs_kernel_desc *kernel) {
  const gs_module_options *o = d->options;
  gs_fact *facts =
      gs_mem_alloc(d->mem, (o->facts.count + o->assumes.count + 1) * sizeof *facts);
  for (size_t i = 0; i < o->facts.count + o->assumes.count; i++) {
    bool assumed = i >= o->facts.count;
    const char *text = assumed ? o->assumes.items[i - o->facts.count] : o->facts.items[i];
    gs_clause *clause = parse(d, kernel, text);
    if (!clause)
      continue;
    if (assumed)
      d->used[i - o->facts.count] = true;
    facts[kernel->fact_count++] = (gs_fact){.clause = clause, .origin = GS_FACT_OPTION};
  }
  kernel->facts = facts;
}

static void describe_kernel(gs_describer *d, LLVMValueRef f, gs_kernel_desc *out) {
  size_t length;
  const char *mangled = LLVMGetValueName2(f, &length);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(d->module);
  out->mangled = gs_mem_printf(d->mem, "%.*s", (int)length, mangled);
  out->name = source_name(d, subprogram);
  if (!out->name)
    out->name = out->mangled;
  out->loc = location(d->mem, subprogram);
  out->param_count = LLVMCountParams(f);
  gs_param_desc *params = gs_mem_alloc(d->mem, (out->param_count + 1) * sizeof *params);
  for (unsigned i = 0; i < out->param_count; i++)
    params[i] = describe_param(d, layout, f, i);
  out->params = params;
  add_facts(d, out);
}

gs_kernel_desc *gs_module_describe(gs_mem *mem, LLVMModuleRef module,
                                   const gs_module_options *options, uint32_t *count,
                                   const char **problem) {
  uint32_t n = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    n += is_kernel(f);
  gs_describer d = {.mem = mem, .module = module, .options = options};
  d.used = gs_mem_alloc(mem, options->assumes.count + 1);
  gs_kernel_desc *kernels = gs_mem_alloc(mem, (n + 1) * sizeof *kernels);
  *count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (is_kernel(f))
      describe_kernel(&d, f, &kernels[(*count)++]);
  *problem = NULL;
  for (size_t i = 0; i < options->assumes.count && *count && !*problem; i++)
    if (!d.used[i])
      *problem = d.problem;
  return kernels;
}

void gs_module_describe_free(gs_kernel_desc *kernels, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t i = 0; i < kernels[k].fact_count; i++)
      // The clauses are ours; gs_fact only promises not to change them.
      gs_clause_free((gs_clause *)kernels[k].facts[i].clause);
}
