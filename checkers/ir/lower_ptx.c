// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX that touches memory: its accesses, and what it reads.
#include "lower.h"
#include "lower_ptx.h"
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef gs_ptx_operands operands;

static void read_constraints(LLVMValueRef call, operands *out) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &length);
  const char *end = text + length;
  *out = (operands){.call = call, .fine = true};
  memset(out->tied, -1, sizeof out->tied);
  for (const char *p = text; p < end; p++) {
    const char *stop = memchr(p, ',', (size_t)(end - p));
    stop = stop ? stop : end;
    if (*p == '=') {
      out->outputs++;
      out->fine &= !memchr(p, '*', (size_t)(stop - p)); // its result goes to memory
    } else if (*p != '~') {
      unsigned n = 0;
      const char *q = p;
      for (; q < stop && *q >= '0' && *q <= '9'; q++)
        n = n * 10 + (unsigned)(*q - '0');
      out->fine &= !memchr(p, '*', (size_t)(stop - p));
      if (q == stop && q > p && n < GS_PTX_CONSTRAINTS)
        out->tied[n] = (int)out->inputs;
      out->inputs++;
    }
    out->fine &= out->outputs < GS_PTX_CONSTRAINTS && out->inputs < GS_PTX_CONSTRAINTS;
    p = stop;
  }
  out->fine &= out->inputs == LLVMGetNumArgOperands(call);
}

/// What operand n is at the beginning; NULL when it is nothing yet.
static LLVMValueRef operand_value(const operands *o, unsigned n) {
  if (!o->fine)
    return NULL;
  if (n < o->outputs)
    return o->tied[n] >= 0 ? LLVMGetOperand(o->call, (unsigned)o->tied[n]) : NULL;
  n -= o->outputs;
  return n < o->inputs ? LLVMGetOperand(o->call, n) : NULL;
}

static int64_t immediate(void *user, unsigned n) {
  LLVMValueRef v = operand_value(user, n);
  if (!v || !LLVMIsAConstantInt(v) || LLVMConstIntGetZExtValue(v) > INT32_MAX)
    return -1;
  return (int64_t)LLVMConstIntGetZExtValue(v);
}

void gs_ptx_parse_call(LLVMValueRef call, gs_ptx_operands *o, gs_ptx *ptx) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  read_constraints(call, o);
  gs_ptx_parse(text, length, immediate, o, ptx);
}

LLVMValueRef gs_ptx_address_value(const gs_ptx_operands *o, gs_ptx_address a) {
  return a.known ? operand_value(o, a.operand) : NULL;
}

uint32_t gs_lower_ptx_writes(LLVMValueRef call, LLVMValueRef out[GS_PTX_EFFECTS]) {
  operands o;
  gs_ptx ptx;
  uint32_t n = 0;
  gs_ptx_parse_call(call, &o, &ptx);
  if (ptx.unknown[0])
    return UINT32_MAX;
  for (uint32_t i = 0; i < ptx.count; i++) {
    gs_ptx_kind kind = ptx.effects[i].kind;
    bool writes = kind == GS_PTX_STORE || kind == GS_PTX_ATOMIC || kind == GS_PTX_COPY ||
                  (kind == GS_PTX_MATRIX && ptx.effects[i].matrix.is_write);
    if (!writes)
      continue;
    out[n] = gs_ptx_address_value(&o, ptx.effects[i].address);
    if (!out[n++])
      return UINT32_MAX;
  }
  return n;
}

/// Does a 32-bit address in shared memory hold the address of an object?
static bool holds_pointer(gs_lowering *low, gs_term t, int depth) {
  gs_node node = *gs_term_node(low->terms, t);
  if (depth > 40)
    return false;
  if (node.op == GS_OP_TRUNC)
    return gs_term_width(low->terms, node.arg[0]) == 64 &&
           gs_lower_holds_base(low, node.arg[0], 0);
  if (node.op == GS_OP_ITE)
    return holds_pointer(low, node.arg[1], depth + 1) && holds_pointer(low, node.arg[2], depth + 1);
  if (node.op != GS_OP_ADD && node.op != GS_OP_SUB)
    return false;
  bool first = holds_pointer(low, node.arg[0], depth + 1);
  return first || (node.op == GS_OP_ADD && holds_pointer(low, node.arg[1], depth + 1));
}

/// Shared memory is addressed with 32 bits, which a program computes from a pointer by
/// cutting it: the pointer plus what was added, as shared memory is small. An address that
/// is no such sum has no known object.
static gs_term widen(gs_lowering *low, gs_term t) {
  gs_terms *terms = low->terms;
  gs_node node = *gs_term_node(terms, t);
  if (node.width == 64)
    return t;
  if (!holds_pointer(low, t, 0))
    return GS_NO_TERM;
  if (node.op == GS_OP_TRUNC)
    return node.arg[0];
  if (node.op == GS_OP_ITE)
    return gs_mk_ite(terms, node.arg[0], widen(low, node.arg[1]), widen(low, node.arg[2]));
  bool first = holds_pointer(low, node.arg[0], 0);
  gs_term rest = gs_mk_cast(terms, GS_OP_SEXT, node.arg[first], 64);
  return gs_mk_bin(terms, (gs_op)node.op, widen(low, node.arg[!first]), rest);
}

/// The address as a term; none when nobody knows it.
static gs_term address_term(gs_lowering *low, const operands *o, gs_ptx_address a, uint32_t block) {
  LLVMValueRef v = gs_ptx_address_value(o, a);
  gs_term t = v ? gs_lower_use(low, v, block) : GS_NO_TERM;
  t = t ? widen(low, t) : t;
  return t ? gs_mk_bin(low->terms, GS_OP_ADD, t, gs_mk_const(low->terms, (uint64_t)a.offset, 64)) : t;
}

static gs_access *add_access(gs_lowering *low, const operands *o, gs_ptx_address a,
                             const gs_ptx_effect *e, bool is_write, uint32_t block) {
  gs_access *access =
      gs_lower_access(low, address_term(low, o, a, block), e->size, is_write, o->call, block);
  if (access && e->predicated) {
    gs_term whether = gs_lower_opaque(low, 1, GS_LEVEL_THREAD, low->cfg.loop[block],
                                      "whether a predicated instruction is executed");
    low->raw[low->raw_count - 1].guard = whether;
  }
  return access;
}

static void mark(gs_lowering *low, gs_async kind, uint32_t groups, LLVMValueRef call, uint32_t block) {
  gs_access *access = gs_lower_access(low, GS_NO_TERM, 0, false, call, block);
  if (access) {
    access->async = (uint8_t)kind;
    access->groups = groups;
  }
}

/// The latest access is of that many bytes.
static void set_size(gs_lowering *low, gs_term bytes) {
  gs_access *access = &low->raw[low->raw_count - 1].access;
  access->size = 0;
  access->size_term = bytes;
}

/// The latest access is of as many bytes as a value says, or of all or none.
static void read_partly(gs_lowering *low, LLVMValueRef bytes, uint32_t block) {
  gs_term n = bytes ? gs_lower_use(low, bytes, block) : GS_NO_TERM;
  gs_raw_access *raw = &low->raw[low->raw_count - 1];
  if (n && LLVMGetTypeKind(LLVMTypeOf(bytes)) == LLVMIntegerTypeKind) {
    set_size(low, gs_mk_cast(low->terms, GS_OP_ZEXT, n, 64));
  } else {
    raw->guard = gs_lower_opaque(low, 1, GS_LEVEL_THREAD, low->cfg.loop[block],
                                 "whether an asynchronous copy reads its source");
  }
}

static void lower_copy(gs_lowering *low, const operands *o, const gs_ptx_effect *e,
                       uint32_t block) {
  gs_access *from = add_access(low, o, e->source, e, false, block);
  if (from)
    from->async = GS_ASYNC_FROM;
  LLVMValueRef read = e->partly ? gs_ptx_address_value(o, e->read) : NULL;
  if (from && e->partly && e->reads < 0)
    read_partly(low, read, block);
  else if (from && e->partly)
    set_size(low, gs_mk_const(low->terms, (uint64_t)e->reads, 64));
  gs_access *to = add_access(low, o, e->address, e, true, block);
  if (to)
    to->async = GS_ASYNC_TO;
}

void gs_lower_async_call(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  const char *name = gs_ir_name(gs_ir_callee(call)) + strlen("llvm.nvvm.cp.async.");
  if (strcmp(name, "commit.group") == 0) {
    mark(low, GS_ASYNC_COMMIT, 0, call, block);
  } else if (strcmp(name, "wait.all") == 0) {
    mark(low, GS_ASYNC_WAIT_ALL, 0, call, block);
  } else if (strcmp(name, "wait.group") == 0) {
    LLVMValueRef n = LLVMGetOperand(call, 0);
    mark(low, GS_ASYNC_WAIT,
         LLVMIsAConstantInt(n) ? (uint32_t)LLVMConstIntGetZExtValue(n) : UINT32_MAX, call, block);
  } else { // ca.shared.global.16, with a third operand for fewer bytes of the source
    uint32_t size = (uint32_t)strtoul(name + strlen("ca.shared.global."), NULL, 10);
    gs_access *from = gs_lower_access(low, gs_lower_use(low, LLVMGetOperand(call, 1), block), size,
                                      false, call, block);
    if (from)
      from->async = GS_ASYNC_FROM;
    if (from && LLVMGetNumArgOperands(call) > 2)
      read_partly(low, LLVMGetOperand(call, 2), block);
    gs_access *to = gs_lower_access(low, gs_lower_use(low, LLVMGetOperand(call, 0), block), size,
                                    true, call, block);
    if (to)
      to->async = GS_ASYNC_TO;
  }
}

static void lower_matrix(gs_lowering *low, const operands *o, const gs_ptx_effect *e, uint32_t block) {
  LLVMValueRef stride = e->matrix.has_stride ? gs_ptx_address_value(o, e->stride) : NULL;
  if (e->predicated || (e->matrix.has_stride && !stride)) {
    gs_lower_gap(low, "inline PTX that loads or stores a matrix under a predicate, or with a stride "
                      "that is no operand, is not modelled", o->call);
    return;
  }
  gs_lower_matrix(low, &e->matrix, address_term(low, o, e->address, block),
                  stride ? gs_lower_use(low, stride, block) : GS_NO_TERM, o->call, block);
}

static void lower_effect(gs_lowering *low, const operands *o, const gs_ptx_effect *e,
                         uint32_t block) {
  gs_access *access = NULL;
  low->program->has_fences |= e->orders;
  switch (e->kind) {
  case GS_PTX_LOAD:
  case GS_PTX_STORE:
    access = add_access(low, o, e->address, e, e->kind == GS_PTX_STORE, block);
    break;
  case GS_PTX_ATOMIC: access = add_access(low, o, e->address, e, true, block); break;
  case GS_PTX_COPY:
    lower_copy(low, o, e, block);
    return;
  case GS_PTX_COMMIT:
    if (!e->predicated) // what may not be done completes nothing
      mark(low, GS_ASYNC_COMMIT, 0, o->call, block);
    return;
  case GS_PTX_WAIT:
    if (!e->predicated)
      mark(low, e->all ? GS_ASYNC_WAIT_ALL : GS_ASYNC_WAIT, e->groups, o->call, block);
    return;
  case GS_PTX_MATRIX:
    lower_matrix(low, o, e, block);
    return;
  case GS_PTX_TEXTURE: return;
  }
  if (!access)
    return;
  access->is_volatile = e->is_volatile;
  access->is_atomic = e->kind == GS_PTX_ATOMIC || e->is_strong;
  access->scope = e->scope == GS_PTX_CTA       ? GS_SCOPE_BLOCK
                  : e->scope == GS_PTX_CLUSTER ? GS_SCOPE_CLUSTER
                                               : GS_SCOPE_GRID;
}

void gs_lower_ptx_effects(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  operands o;
  gs_ptx ptx;
  gs_ptx_parse_call(call, &o, &ptx);
  if (ptx.unknown[0]) {
    char text[96];
    snprintf(text, sizeof text, "inline PTX '%s' is not modelled", ptx.unknown);
    gs_lower_gap(low, text, call);
    return;
  }
  for (uint32_t i = 0; i < ptx.count; i++)
    lower_effect(low, &o, &ptx.effects[i], block);
}

const char *gs_ptx_register_read(LLVMValueRef call, char *name, size_t size) {
  static const char *const forms[] = {"mov.u32 $0, %", "mov.s32 $0, %", "mov.b32 $0, %"};
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  char plain[64];
  size_t n = 0;
  for (size_t i = 0; i < length && n + 1 < sizeof plain; i++) // one space between words
    if (text[i] != ' ' && text[i] != '\t')
      plain[n++] = text[i];
    else if (n && plain[n - 1] != ' ')
      plain[n++] = ' ';
  plain[n] = 0;
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    size_t at = strlen(forms[f]);
    if (strncmp(plain, forms[f], at) != 0)
      continue;
    size_t stop = strcspn(plain + at, " ;");
    const char *rest = plain + at + stop;
    if (stop + 1 > size || strspn(rest, " ;\n") != strlen(rest))
      return NULL;
    memcpy(name, plain + at, stop);
    name[stop] = 0;
    return name;
  }
  return NULL;
}

gs_term gs_lower_ptx_value(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  char name[32];
  LLVMTypeRef type = LLVMTypeOf(call);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32 &&
      gs_ptx_register_read(call, name, sizeof name))
    return gs_lower_register(low, name);
  if (gs_model_of(call) != GS_MODEL_PTX)
    return GS_NO_TERM;
  operands o;
  gs_ptx ptx;
  gs_ptx_parse_call(call, &o, &ptx);
  const gs_ptx_effect *e = &ptx.effects[0];
  bool plain = ptx.statements == 1 && ptx.count == 1 && o.outputs == 1 && e->kind == GS_PTX_LOAD &&
               !e->is_volatile && !e->is_strong && !e->predicated && !e->address.offset;
  LLVMValueRef pointer = plain ? gs_ptx_address_value(&o, e->address) : NULL;
  if (pointer && LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
      LLVMGetTypeKind(type) != LLVMStructTypeKind &&
      LLVMStoreSizeOfType(low->ir->layout, type) == e->size)
    return gs_lower_read(low, pointer, type, false, block, call);
  return gs_lower_opaque(low, gs_lower_width(low, type), GS_LEVEL_THREAD, low->cfg.loop[block],
                         "a value that inline PTX reads from memory");
}
