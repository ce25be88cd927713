// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of a register program: what model/device_functions.def names.
#include "decode_private.h"
#include "lower_ptx.h"
#include "model.h"

#include <string.h>

typedef struct named_op {
  const char *name; ///< ends in '*': a prefix
  gs_code_op op;
  uint8_t operands;
  bool is_bits; ///< result narrower than the operand: computed at the operand's width
} named_op;

static const named_op named_ops[] = {
    {"llvm.smin.*", GS_CODE_SMIN, 2, false},   {"llvm.smax.*", GS_CODE_SMAX, 2, false},
    {"llvm.umin.*", GS_CODE_UMIN, 2, false},   {"llvm.umax.*", GS_CODE_UMAX, 2, false},
    {"__nv_min", GS_CODE_SMIN, 2, false},      {"__nv_max", GS_CODE_SMAX, 2, false},
    {"__nv_llmin", GS_CODE_SMIN, 2, false},    {"__nv_llmax", GS_CODE_SMAX, 2, false},
    {"__nv_umin", GS_CODE_UMIN, 2, false},     {"__nv_umax", GS_CODE_UMAX, 2, false},
    {"__nv_ullmin", GS_CODE_UMIN, 2, false},   {"__nv_ullmax", GS_CODE_UMAX, 2, false},
    {"llvm.abs.*", GS_CODE_ABS, 1, false},     {"abs", GS_CODE_ABS, 1, false},
    {"labs", GS_CODE_ABS, 1, false},           {"llabs", GS_CODE_ABS, 1, false},
    {"__nv_abs", GS_CODE_ABS, 1, false},       {"__nv_llabs", GS_CODE_ABS, 1, false},
    {"llvm.ctpop.*", GS_CODE_CTPOP, 1, true},  {"__nv_popc", GS_CODE_CTPOP, 1, true},
    {"__nv_popcll", GS_CODE_CTPOP, 1, true},   {"llvm.ctlz.*", GS_CODE_CTLZ, 1, true},
    {"__nv_clz", GS_CODE_CTLZ, 1, true},       {"__nv_clzll", GS_CODE_CTLZ, 1, true},
    {"llvm.cttz.*", GS_CODE_CTTZ, 1, true},    {"llvm.bitreverse.*", GS_CODE_BITREVERSE, 1, false},
    {"__nv_brev", GS_CODE_BITREVERSE, 1, false}, {"__nv_brevll", GS_CODE_BITREVERSE, 1, false},
    {"llvm.bswap.*", GS_CODE_BSWAP, 1, false}, {"llvm.fshl.*", GS_CODE_FSHL, 3, false},
    {"llvm.fshr.*", GS_CODE_FSHR, 3, false},   {"__nv_mulhi", GS_CODE_SMULHI, 2, false},
    {"__nv_umulhi", GS_CODE_UMULHI, 2, false}, {"llvm.expect.*", GS_CODE_MOVE, 1, false},
    {"__nv_float_as_int", GS_CODE_MOVE, 1, false}, {"__nv_int_as_float", GS_CODE_MOVE, 1, false},
    {"llvm.fabs.*", GS_CODE_FABS, 1, false},   {"__nv_fabs*", GS_CODE_FABS, 1, false},
    {"llvm.sqrt.*", GS_CODE_FSQRT, 1, false},  {"__nv_sqrt*", GS_CODE_FSQRT, 1, false},
    {"llvm.minnum.*", GS_CODE_FMIN, 2, false}, {"llvm.maxnum.*", GS_CODE_FMAX, 2, false},
    {"__nv_fmin*", GS_CODE_FMIN, 2, false},    {"__nv_fmax*", GS_CODE_FMAX, 2, false},
    {"__nv_floor*", GS_CODE_FFLOOR, 1, false}, {"llvm.floor.*", GS_CODE_FFLOOR, 1, false},
    {"__nv_ceil*", GS_CODE_FCEIL, 1, false},   {"llvm.ceil.*", GS_CODE_FCEIL, 1, false},
    {"llvm.fma.*", GS_CODE_FMA, 3, false},     {"llvm.fmuladd.*", GS_CODE_FMA, 3, false},
    {"__nv_fmaf", GS_CODE_FMA, 3, false},      {"__nv_fma", GS_CODE_FMA, 3, false},
};

static bool matches(const char *pattern, const char *name) {
  size_t length = strlen(pattern);
  if (pattern[length - 1] == '*')
    return strncmp(pattern, name, length - 1) == 0;
  return strcmp(pattern, name) == 0;
}

static uint32_t operand(gs_decoder *d, LLVMValueRef call, unsigned i) {
  return gs_decode_use(d, LLVMGetOperand(call, i));
}

static bool is_scalar(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static bool named(gs_decoder *d, LLVMValueRef call, const char *name) {
  for (size_t i = 0; i < sizeof named_ops / sizeof *named_ops; i++) {
    const named_op *row = &named_ops[i];
    if (!matches(row->name, name) || !is_scalar(LLVMTypeOf(call)))
      continue;
    uint32_t regs[3] = {0};
    for (unsigned j = 0; j < row->operands; j++)
      regs[j] = operand(d, call, j);
    LLVMTypeRef type = row->is_bits ? LLVMTypeOf(LLVMGetOperand(call, 0)) : LLVMTypeOf(call);
    uint32_t at = gs_decode_emit(d, row->op, gs_decode_width(d, type), gs_decode_result(d, call),
                                 regs[0], regs[1]);
    gs_decode_at(d, at)->c = regs[2];
    return true;
  }
  return false;
}

bool gs_decode_register(gs_decoder *d, LLVMValueRef call, const char *name) {
  static const char *const names[] = {"tid.", "ctaid.", "ntid.", "nctaid."};
  int special = -1;
  for (int i = 0; i < 4; i++) {
    size_t length = strlen(names[i]);
    if (gs_has_prefix(name, names[i]) && name[length] >= 'x' && name[length] <= 'z')
      special = i * 3 + (name[length] - 'x');
  }
  if (strcmp(name, "laneid") == 0)
    special = GS_SPECIAL_LANE;
  static const char *const masks[] = {"eq", "le", "lt", "ge", "gt"};
  for (int i = 0; i < 5 && gs_has_prefix(name, "lanemask"); i++)
    if (strcmp(name + strlen("lanemask."), masks[i]) == 0)
      special = GS_SPECIAL_MASK + i;
  if (strcmp(name, "warpsize") == 0) {
    gs_decode_emit(d, GS_CODE_MOVE, 32, gs_decode_result(d, call), gs_decode_const(d, 32), 0);
    return true;
  }
  if (special < 0)
    return false;
  uint32_t at = gs_decode_emit(d, GS_CODE_SREG, 32, gs_decode_result(d, call), 0, 0);
  gs_decode_at(d, at)->imm = (uint64_t)special;
  return true;
}

/// isspacep: which memory does a pointer point to?
static bool space(gs_decoder *d, LLVMValueRef call, const char *name) {
  static const char prefix[] = "llvm.nvvm.isspacep.";
  static const struct {
    const char *name;
    uint64_t spaces;
  } rows[] = {{"global", 1u << GS_WINDOW_GLOBAL},
              {"shared", 1u << GS_WINDOW_SHARED | 1u << GS_WINDOW_DYNAMIC}, // of the cluster, too
              {"local", 1u << GS_WINDOW_LOCAL},
              {"const", 1u << GS_WINDOW_CONSTANT}};
  for (size_t i = 0; gs_has_prefix(name, prefix) && i < sizeof rows / sizeof *rows; i++)
    if (gs_has_prefix(name + sizeof prefix - 1, rows[i].name)) {
      uint32_t p = operand(d, call, 0);
      gs_decode_at(d, gs_decode_emit(d, GS_CODE_SPACE, 1, gs_decode_result(d, call), p, 0))->imm = rows[i].spaces;
      return true;
    }
  return false;
}

/// Others (clocks, numbers of processors) are anything.
static bool special_register(gs_decoder *d, LLVMValueRef call, const char *name) {
  static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
  if (!gs_has_prefix(name, prefix))
    return false;
  if (!gs_decode_register(d, call, name + sizeof prefix - 1))
    gs_decode_arbitrary(d, call);
  return true;
}

/// A function of its operands that replay does not compute: equal operands give
/// equal results, which is all that the analysis believes.
static void hashed(gs_decoder *d, LLVMValueRef call, const char *name) {
  gs_leaf leaves[GS_MAX_LEAVES];
  uint32_t n = gs_decode_leaves(d, LLVMTypeOf(call), leaves), dst = gs_decode_result(d, call);
  uint64_t seed = 0;
  for (const char *p = name; *p; p++)
    seed = seed * 31 + (unsigned char)*p;
  uint32_t sum = gs_decode_const(d, seed);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMMetadataTypeKind)
      continue;
    uint32_t leaf_count = gs_decode_leaf_count(d, LLVMTypeOf(argument));
    uint32_t from = gs_decode_use(d, argument);
    for (uint32_t j = 0; j < leaf_count; j++) {
      uint32_t next = gs_decode_regs(d, 1);
      gs_decode_emit(d, GS_CODE_HASH, 64, next, sum, from + j);
      sum = next;
    }
  }
  for (uint32_t i = 0; i < n; i++)
    gs_decode_emit(d, GS_CODE_HASH, leaves[i].width, dst + i, sum, gs_decode_const(d, i));
}

void gs_decode_arbitrary(gs_decoder *d, LLVMValueRef call) {
  gs_leaf leaves[GS_MAX_LEAVES];
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    return;
  uint32_t n = gs_decode_leaves(d, LLVMTypeOf(call), leaves), dst = gs_decode_result(d, call);
  for (uint32_t i = 0; i < n; i++)
    gs_decode_emit(d, GS_CODE_ANY, leaves[i].width, dst + i, 0, 0);
}

/// Matches and reductions of a warp. \returns false for another operation.
static bool collect(gs_decoder *d, LLVMValueRef call, const char *name) {
  static const struct {
    const char *name;
    gs_code_op op;
    uint64_t kind;
  } rows[] = {{"match.any.sync.", GS_CODE_MATCH, 0},      {"match.all.sync.", GS_CODE_MATCH, 1},
              {"redux.sync.add", GS_CODE_REDUX, GS_ATOMIC_ADD}, {"redux.sync.umin", GS_CODE_REDUX, GS_ATOMIC_UMIN},
              {"redux.sync.umax", GS_CODE_REDUX, GS_ATOMIC_UMAX}, {"redux.sync.min", GS_CODE_REDUX, GS_ATOMIC_SMIN},
              {"redux.sync.max", GS_CODE_REDUX, GS_ATOMIC_SMAX}, {"redux.sync.and", GS_CODE_REDUX, GS_ATOMIC_AND},
              {"redux.sync.or", GS_CODE_REDUX, GS_ATOMIC_OR},   {"redux.sync.xor", GS_CODE_REDUX, GS_ATOMIC_XOR}};
  static const char prefix[] = "llvm.nvvm.";
  for (size_t i = 0; i < sizeof rows / sizeof *rows && gs_has_prefix(name, prefix); i++) {
    if (!gs_has_prefix(name + sizeof prefix - 1, rows[i].name))
      continue;
    bool reduces = rows[i].op == GS_CODE_REDUX; // its mask comes last
    uint32_t mask = operand(d, call, reduces), value = operand(d, call, !reduces);
    uint32_t at = gs_decode_emit(d, rows[i].op, 32, gs_decode_result(d, call), mask, value);
    gs_decode_at(d, at)->imm = rows[i].kind;
    return true;
  }
  return false;
}

static void lanes(gs_decoder *d, LLVMValueRef call, const char *name) {
  static const struct {
    const char *name;
    gs_code_op op;
    uint64_t kind;
  } rows[] = {{"llvm.nvvm.shfl.sync.up.", GS_CODE_SHUFFLE, GS_SHUFFLE_UP},
              {"llvm.nvvm.shfl.sync.down.", GS_CODE_SHUFFLE, GS_SHUFFLE_DOWN},
              {"llvm.nvvm.shfl.sync.bfly.", GS_CODE_SHUFFLE, GS_SHUFFLE_BFLY},
              {"llvm.nvvm.shfl.sync.idx.", GS_CODE_SHUFFLE, GS_SHUFFLE_IDX},
              {"llvm.nvvm.vote.all.sync", GS_CODE_VOTE, GS_VOTE_ALL},
              {"llvm.nvvm.vote.any.sync", GS_CODE_VOTE, GS_VOTE_ANY},
              {"llvm.nvvm.vote.uni.sync", GS_CODE_VOTE, GS_VOTE_UNI},
              {"llvm.nvvm.vote.ballot.sync", GS_CODE_VOTE, GS_VOTE_BALLOT}};
  if (gs_has_prefix(name, GS_UNINIT_VALUE)) {
    gs_decode_arbitrary(d, call);
    return;
  }
  if (strcmp(name, "llvm.nvvm.activemask") == 0) {
    uint32_t at = gs_decode_emit(d, GS_CODE_SREG, 32, gs_decode_result(d, call), 0, 0);
    gs_decode_at(d, at)->imm = GS_SPECIAL_ACTIVE;
    return;
  }
  if (collect(d, call, name))
    return;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!gs_has_prefix(name, rows[i].name) || !is_scalar(LLVMTypeOf(call)))
      continue;
    uint32_t mask = operand(d, call, 0), value = operand(d, call, 1), pair = 0;
    if (rows[i].op == GS_CODE_SHUFFLE) {
      uint32_t lane = operand(d, call, 2), clamp = operand(d, call, 3);
      pair = gs_decode_regs(d, 2);
      gs_decode_emit(d, GS_CODE_MOVE, 32, pair, lane, 0);
      gs_decode_emit(d, GS_CODE_MOVE, 32, pair + 1, clamp, 0);
    }
    gs_code_insn *insn = gs_decode_at(
        d, gs_decode_emit(d, rows[i].op, 32, gs_decode_result(d, call), mask, value));
    insn->c = pair;
    insn->imm = rows[i].kind;
    return;
  }
  gs_decode_refuse(d, "the warp operation", name);
}

/// Atomic intrinsics: llvm.nvvm.atomic.<op>.gen.<i|f>.<cta|sys>.*
static void atomic(gs_decoder *d, LLVMValueRef call, const char *name) {
  static const struct {
    const char *name;
    gs_code_atomic kind;
  } rows[] = {{"add.gen.i", GS_ATOMIC_ADD},   {"add.gen.f", GS_ATOMIC_FADD},
              {"exch.gen.i", GS_ATOMIC_XCHG}, {"and.gen.i", GS_ATOMIC_AND},
              {"or.gen.i", GS_ATOMIC_OR},     {"xor.gen.i", GS_ATOMIC_XOR},
              {"max.gen.i", GS_ATOMIC_SMAX},  {"min.gen.i", GS_ATOMIC_SMIN},
              {"inc.gen.i", GS_ATOMIC_INC},   {"dec.gen.i", GS_ATOMIC_DEC}};
  static const char prefix[] = "llvm.nvvm.atomic.";
  const char *what = name + sizeof prefix - 1;
  uint8_t flags = strstr(name, ".cta") ? GS_CODE_BLOCK_SCOPE : 0;
  uint32_t width = gs_decode_width(d, LLVMTypeOf(call)), dst = gs_decode_result(d, call);
  uint32_t p = operand(d, call, 0), value = operand(d, call, 1);
  if (gs_has_prefix(what, "cas.gen.i")) {
    uint32_t both = gs_decode_regs(d, 2), desired = operand(d, call, 2);
    gs_code_insn *insn = gs_decode_at(d, gs_decode_emit(d, GS_CODE_CAS, width, both, p, value));
    insn->c = desired;
    insn->flags = flags;
    gs_decode_emit(d, GS_CODE_MOVE, width, dst, both, 0);
    return;
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (gs_has_prefix(what, rows[i].name)) {
      gs_code_insn *insn =
          gs_decode_at(d, gs_decode_emit(d, GS_CODE_ATOMIC, width, dst, p, value));
      insn->imm = rows[i].kind;
      insn->flags = flags;
      return;
    }
  gs_decode_refuse(d, "the atomic operation", name);
}

/// Reads through the read-only path: plain loads.
static void read(gs_decoder *d, LLVMValueRef call) {
  gs_leaf leaves[GS_MAX_LEAVES];
  uint32_t n = gs_decode_leaves(d, LLVMTypeOf(call), leaves), dst = gs_decode_result(d, call);
  uint32_t p = operand(d, call, 0);
  for (uint32_t i = 0; i < n; i++)
    gs_decode_at(d, gs_decode_emit(d, GS_CODE_LOAD, leaves[i].width, dst + i, p, 0))->imm =
        leaves[i].offset;
}

static void bulk(gs_decoder *d, LLVMValueRef call, gs_code_op op) {
  uint32_t to = operand(d, call, 0), from = operand(d, call, 1), size = operand(d, call, 2);
  gs_decode_at(d, gs_decode_emit(d, op, 8, 0, to, from))->c = size;
}

/// A function that also writes `size` bytes through each of its pointers.
static void outputs(gs_decoder *d, LLVMValueRef call, const char *name, uint32_t size) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    hashed(d, call, name);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) != LLVMPointerTypeKind)
      continue;
    uint32_t value = gs_decode_regs(d, 1);
    gs_decode_emit(d, GS_CODE_ANY, size * 8, value, 0, 0);
    gs_decode_emit(d, GS_CODE_STORE, size * 8, 0, operand(d, call, i), value);
  }
}

/// Inline PTX without accesses: some function of its operands, or anything.
static void registers(gs_decoder *d, LLVMValueRef call, gs_model_kind kind) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    return;
  char name[32];
  const char *read = gs_ptx_register_read(call, name, sizeof name);
  if (read && gs_decode_register(d, call, read))
    return;
  size_t length = 0;
  if (kind == GS_MODEL_PURE)
    hashed(d, call, LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length));
  else
    gs_decode_arbitrary(d, call);
}

void gs_decode_call(gs_decoder *d, LLVMValueRef call) {
  LLVMValueRef callee = gs_ir_callee(call);
  const char *name = callee ? gs_ir_name(callee) : "";
  if (callee && (named(d, call, name) || special_register(d, call, name) || space(d, call, name)))
    return;
  gs_model_kind kind = gs_model_of(call);
  bool assembly = LLVMIsAInlineAsm(LLVMGetCalledValue(call)) != NULL;
  if (!callee && !assembly) {
    gs_decode_refuse(d, "a call through a pointer", NULL);
    return;
  }
  if (gs_model_fence_of(call, kind) > GS_FENCE_MAYBE)
    gs_decode_fence(d, gs_model_fence_of(call, kind) == GS_FENCE_BLOCK ? GS_CODE_BLOCK_SCOPE : 0);
  if (assembly && (kind == GS_MODEL_PURE || kind == GS_MODEL_LANE)) {
    registers(d, call, kind);
    return;
  }
  switch (kind) {
  case GS_MODEL_PURE: hashed(d, call, name); break;
  case GS_MODEL_LANE:
  case GS_MODEL_VOTE:
  case GS_MODEL_REDUCE:
  case GS_MODEL_BROADCAST: lanes(d, call, name); break;
  case GS_MODEL_SYNC:
  case GS_MODEL_SYNC_ID:
  case GS_MODEL_SYNC_N:
  case GS_MODEL_SYNC_ARRIVE:
  case GS_MODEL_SYNC_WARP:
  case GS_MODEL_SYNC_GRID:
  case GS_MODEL_CLUSTER_ARRIVE:
  case GS_MODEL_CLUSTER_WAIT:
  case GS_MODEL_SYNC_PTX: gs_decode_sync(d, call, kind, name); break;
  case GS_MODEL_FENCE: break; // above
  case GS_MODEL_NOTHING: gs_decode_arbitrary(d, call); break;
  case GS_MODEL_READ: read(d, call); break;
  case GS_MODEL_ATOMIC: atomic(d, call, name); break;
  case GS_MODEL_COPY: bulk(d, call, GS_CODE_COPY); break;
  case GS_MODEL_FILL: bulk(d, call, GS_CODE_FILL); break;
  case GS_MODEL_STOPS: gs_decode_emit(d, GS_CODE_TRAP, 0, 0, 0, 0); break;
  case GS_MODEL_OUT4: outputs(d, call, name, 4); break;
  case GS_MODEL_OUT8: outputs(d, call, name, 8); break;
  case GS_MODEL_ASYNC: gs_decode_async(d, call, name); break;
  case GS_MODEL_PTX: gs_decode_ptx(d, call); break;
  case GS_MODEL_BLOCK:
  case GS_MODEL_ALLOC:
  case GS_MODEL_MATRIX:
  case GS_MODEL_UNKNOWN: gs_decode_refuse(d, assembly ? "inline PTX" : "a call of", assembly ? NULL : name); break;
  }
}
