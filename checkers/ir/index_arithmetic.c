// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic that C leaves without a no-wrap flag, because one operand is an
// unsigned built-in: which of it is meant to stay in 32 bits.
#include "lower.h"

enum { MAX_DEPTH = 8, SMALL_FACTOR = 65536, SMALL_SHIFT = 16 };

static bool naturally_unsigned(gs_lowering *low, gs_term t, bool factor, int depth);

/// The same of an instruction that may not have been lowered yet: a step of a loop
/// is computed at its end.
static bool is_unsigned_value(gs_lowering *low, LLVMValueRef v, int depth) {
  if (LLVMIsAConstantInt(v))
    return LLVMConstIntGetSExtValue(v) >= 0;
  gs_term known = *gs_lower_memo(low, v);
  if (known || depth >= MAX_DEPTH)
    return known && naturally_unsigned(low, known, false, depth + 1);
  if (!LLVMIsAInstruction(v))
    return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  if (op == LLVMCall)
    return gs_ir_callee(v) &&
           gs_has_prefix(gs_ir_name(gs_ir_callee(v)), "llvm.nvvm.read.ptx.sreg.");
  if ((op == LLVMAdd || op == LLVMMul) && !LLVMGetNSW(v))
    return is_unsigned_value(low, LLVMGetOperand(v, 0), depth + 1) &&
           is_unsigned_value(low, LLVMGetOperand(v, 1), depth + 1);
  return op == LLVMZExt;
}

/// Does the program read it as an int? (int i += blockDim.x is computed unsigned.)
static bool is_read_signed(LLVMValueRef v) {
  for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsASExtInst(user) || LLVMIsASIToFPInst(user) ||
        (LLVMIsAICmpInst(user) && LLVMGetICmpPredicate(user) >= LLVMIntSGT))
      return true;
  }
  return false;
}

/// A loop counter that starts unsigned and counts up by what is unsigned.
static bool counts_up(gs_lowering *low, gs_term holder, int depth) {
  LLVMValueRef phi = NULL;
  bool starts = false, up = false, plain = true;
  for (uint32_t i = 0; i < low->pending_count && !phi; i++)
    if (low->pending[i].holder == holder)
      phi = low->pending[i].phi;
  if (!phi || depth >= MAX_DEPTH)
    return false;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef v = LLVMGetIncomingValue(phi, i);
    bool adds = LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAdd &&
                LLVMGetOperand(v, 0) == phi;
    LLVMValueRef part = adds ? LLVMGetOperand(v, 1) : v;
    *(adds ? &up : &starts) = is_unsigned_value(low, part, depth);
    plain &= LLVMIsAConstantInt(part) != NULL;
  }
  return starts && up && (plain || !is_read_signed(phi));
}

/// Was the term given this flag as index arithmetic?
static bool has_index_flag(const gs_lowering *low, const gs_node *node, uint8_t flag) {
  return (node->flags & flag) && node->origin &&
         low->program->origins[node->origin].kind == GS_ORIGIN_INDEX;
}

/// Is t an unsigned quantity by nature, so that a sum that passes 2^32 is an
/// accident? (A negative int in an unsigned sum wraps on purpose.)
static bool naturally_unsigned(gs_lowering *low, gs_term t, bool factor, int depth) {
  const gs_node *node = gs_term_node(low->terms, t);
  uint64_t half = gs_mask((uint8_t)(node->width - 1));
  switch ((int)node->op) {
  case GS_OP_CONST: return node->value <= half;
  case GS_OP_SYM: {
    const gs_sym *sym = gs_sym_get(low->terms, (uint32_t)node->value);
    return sym->hi <= half || (sym->kind == GS_SYM_PARAM && (factor || !sym->is_signed)) ||
           (sym->kind == GS_SYM_PHI && (factor || counts_up(low, t, depth)));
  }
  case GS_OP_ZEXT: return true;
  case GS_OP_ADD:
  case GS_OP_MUL:
  case GS_OP_SHL: return has_index_flag(low, node, GS_NUW) || (factor && node->flags);
  case GS_OP_LSHR:
  case GS_OP_UDIV:
  case GS_OP_UREM:
    return depth < MAX_DEPTH && naturally_unsigned(low, node->arg[0], false, depth + 1);
  case GS_OP_AND:
    return depth < MAX_DEPTH && (naturally_unsigned(low, node->arg[0], false, depth + 1) ||
                                 naturally_unsigned(low, node->arg[1], false, depth + 1));
  default: return false;
  }
}

bool gs_lower_is_unsigned(gs_lowering *low, gs_term t) {
  const gs_node node = *gs_term_node(low->terms, t);
  // In 64 bits sums and products of sizes need no flag.
  if (node.width == 64 && (node.op == GS_OP_ADD || node.op == GS_OP_MUL))
    return gs_lower_is_unsigned(low, node.arg[0]) && gs_lower_is_unsigned(low, node.arg[1]);
  return naturally_unsigned(low, t, false, 0);
}

/// Is t an int by nature, so that a sum beyond its range is an accident?
static bool naturally_signed(const gs_lowering *low, gs_term t, int depth) {
  const gs_node *node = gs_term_node(low->terms, t);
  if (depth == MAX_DEPTH)
    return false;
  switch ((int)node->op) {
  case GS_OP_SYM: {
    const gs_sym *sym = gs_sym_get(low->terms, (uint32_t)node->value);
    return sym->kind == GS_SYM_PARAM && sym->is_signed;
  }
  case GS_OP_SEXT: return true;
  case GS_OP_ADD:
  case GS_OP_SUB:
  case GS_OP_MUL:
  case GS_OP_SHL: return (node->flags & GS_NSW) != 0;
  case GS_OP_SDIV:
  case GS_OP_SREM:
  case GS_OP_ASHR: return true;
  case GS_OP_AND:
    return naturally_signed(low, node->arg[0], depth + 1) ||
           naturally_signed(low, node->arg[1], depth + 1);
  case GS_OP_ITE:
    return naturally_signed(low, node->arg[1], depth + 1) &&
           naturally_signed(low, node->arg[2], depth + 1);
  default: return false;
  }
}

/// An element of an array of ints: `ptr[row] + threadIdx.x` is an int like `n + threadIdx.x`.
static bool is_int_element(const gs_lowering *low, gs_term t) {
  const gs_node *node = gs_term_node(low->terms, t);
  if (node->op != GS_OP_LOAD)
    return false;
  gs_term at = node->arg[0];
  for (int depth = 0; depth < MAX_DEPTH && gs_term_is(low->terms, at, GS_OP_ADD); depth++)
    at = gs_term_node(low->terms, at)->arg[0];
  if (!gs_term_is(low->terms, at, GS_OP_SYM))
    return false;
  uint64_t sym = gs_term_node(low->terms, at)->value;
  if (sym >= low->sym_object_capacity || low->sym_object[sym] == GS_NONE)
    return false;
  const gs_object *o = &low->program->objects[low->sym_object[sym]];
  const gs_param_desc *p = o->kind == GS_OBJECT_PARAM ? gs_lower_param_desc(low, o->param) : NULL;
  return p && p->kind == GS_TYPE_POINTER && p->elem == GS_ELEM_SIGNED && p->elem_size == 4;
}

/// Does the constant operand, if there is one, leave room? (i << 24, or a product
/// with 2654435761, is no index arithmetic.)
static bool is_modest(const gs_terms *terms, gs_op op, gs_term a, gs_term b) {
  uint64_t c = 0;
  if (op == GS_OP_SHL)
    return gs_term_const(terms, b, &c) && c <= SMALL_SHIFT;
  return !(gs_term_const(terms, b, &c) || gs_term_const(terms, a, &c)) || c <= SMALL_FACTOR;
}

uint8_t gs_lower_index_flags(gs_lowering *low, gs_op op, gs_term a, gs_term b) {
  bool factor = op == GS_OP_MUL || op == GS_OP_SHL;
  if (!a || !b || low->options->strict || low->options->wraps || gs_term_width(low->terms, a) != 32 ||
      (op != GS_OP_ADD && op != GS_OP_SUB && !factor) || !is_modest(low->terms, op, a, b))
    return 0;
  bool unsigned_a = naturally_unsigned(low, a, factor, 0);
  if (op == GS_OP_SHL)
    return unsigned_a ? GS_NUW : 0;
  bool unsigned_b = naturally_unsigned(low, b, factor, 0);
  if (unsigned_a && unsigned_b)
    return op == GS_OP_SUB ? 0 : GS_NUW; // a difference of indices may well be negative
  bool sum = op == GS_OP_ADD;
  bool signed_a = naturally_signed(low, a, 0) || (sum && is_int_element(low, a));
  bool signed_b = naturally_signed(low, b, 0) || (sum && is_int_element(low, b));
  return (signed_a || signed_b) && (signed_a || unsigned_a) && (signed_b || unsigned_b) ? GS_NSW
                                                                                        : 0;
}
