// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: index registers, integer intrinsics, barriers, modelled functions.
#include "barrier_call.h"
#include "lower.h"
#include "lower_ptx.h"
#include "model.h"

#include <stdio.h>
#include <string.h>

static gs_term operand(gs_lowering *low, LLVMValueRef call, unsigned i, uint32_t block) {
  return gs_lower_use(low, LLVMGetOperand(call, i), block);
}

/// laneid: the thread's number in its block modulo 32.
static gs_term lane_index(gs_lowering *low) {
  low->program->axes_used |= 1;
  return gs_mk_bin(low->terms, GS_OP_AND, gs_program_thread_index(low->program),
                   gs_mk_const(low->terms, 31, 32));
}

#define SREG "llvm.nvvm.read.ptx.sreg."

/// Splits "ctaid.y" into its row (tid, ctaid, ntid, nctaid) and axis.
static bool launch_register(const char *name, size_t *row, size_t *axis) {
  static const char axes[] = "xyz";
  static const char *const names[] = {"tid.", "ctaid.", "ntid.", "nctaid."};
  for (*row = 0; *row < 4; ++*row)
    if (gs_has_prefix(name, names[*row])) {
      const char *at = strchr(axes, name[strlen(names[*row])]);
      *axis = at ? (size_t)(at - axes) : 0;
      return at && *at;
    }
  return false;
}

/// Whatever is done with it: a kernel that stores blockIdx.y is launched with one.
void gs_lower_find_axes(gs_lowering *low) {
  size_t row = 0, axis = 0;
  for (uint32_t b = 0; b < low->cfg.count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(low->cfg.bbs[b]); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef callee = LLVMIsACallInst(i) && LLVMGetFirstUse(i) ? gs_ir_callee(i) : NULL;
      const char *name = callee ? gs_ir_name(callee) : "";
      if (gs_has_prefix(name, SREG) && launch_register(name + strlen(SREG), &row, &axis))
        low->program->axes_used |= 1u << (axis + (row & 1 ? 3 : 0)); // those of the grid are odd
    }
}

/// lanemask_lt and its kin: bits of the lanes below, at or above one's own.
static gs_term lane_mask(gs_lowering *low, const char *which) {
  gs_terms *t = low->terms;
  gs_term one = gs_mk_const(t, 1, 32), bit = gs_mk_bin(t, GS_OP_SHL, one, lane_index(low));
  gs_term below = gs_mk_bin(t, GS_OP_SUB, bit, one), until = gs_mk_bin(t, GS_OP_OR, below, bit);
  if (strcmp(which, "eq") == 0)
    return bit;
  if (strcmp(which, "lt") == 0)
    return below;
  if (strcmp(which, "le") == 0)
    return until;
  if (strcmp(which, "ge") == 0)
    return gs_mk_not(t, below);
  return strcmp(which, "gt") == 0 ? gs_mk_not(t, until) : GS_NO_TERM;
}

gs_term gs_lower_register(gs_lowering *low, const char *name) {
  gs_program *p = low->program;
  const gs_term *sets[] = {p->tid, p->ctaid, p->ntid, p->nctaid};
  size_t row = 0, axis = 0;
  if (launch_register(name, &row, &axis))
    return sets[row][axis];
  if (strcmp(name, "laneid") == 0)
    return lane_index(low);
  if (strcmp(name, "warpsize") == 0)
    return gs_mk_const(low->terms, 32, 32);
  if (gs_has_prefix(name, "lanemask_"))
    return lane_mask(low, name + strlen("lanemask_"));
  if (gs_has_prefix(name, "lanemask."))
    return lane_mask(low, name + strlen("lanemask."));
  return GS_NO_TERM;
}

static gs_term minmax(gs_lowering *low, gs_op less, bool smaller, gs_term a, gs_term b) {
  gs_term c = gs_mk_bin(low->terms, less, a, b);
  return gs_mk_ite(low->terms, c, smaller ? a : b, smaller ? b : a);
}

/// libdevice's names for minimum and maximum.
static gs_term nv_minmax(gs_lowering *low, LLVMValueRef call, const char *name, uint32_t block) {
  static const struct {
    const char *name;
    bool is_signed, smaller;
  } rows[] = {{"__nv_min", true, true},    {"__nv_max", true, false},   {"__nv_llmin", true, true},
              {"__nv_llmax", true, false}, {"__nv_umin", false, true},  {"__nv_umax", false, false},
              {"__nv_ullmin", false, true}, {"__nv_ullmax", false, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0)
      return minmax(low, rows[i].is_signed ? GS_OP_SLT : GS_OP_ULT, rows[i].smaller,
                    gs_lower_use(low, LLVMGetOperand(call, 0), block),
                    gs_lower_use(low, LLVMGetOperand(call, 1), block));
  return GS_NO_TERM;
}

/// libdevice's names for operations on bits; results are 32 bits wide.
static gs_term nv_bits(gs_lowering *low, LLVMValueRef call, const char *name, uint32_t block) {
  static const struct {
    const char *name;
    gs_op op;
  } rows[] = {{"__nv_brev", GS_OP_BITREVERSE}, {"__nv_brevll", GS_OP_BITREVERSE},
              {"__nv_clz", GS_OP_CTLZ},        {"__nv_clzll", GS_OP_CTLZ},
              {"__nv_popc", GS_OP_CTPOP},      {"__nv_popcll", GS_OP_CTPOP}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0)
      return gs_mk_cast(low->terms, GS_OP_TRUNC,
                        gs_mk_un(low->terms, rows[i].op,
                                 gs_lower_use(low, LLVMGetOperand(call, 0), block)),
                        gs_lower_width(low, LLVMTypeOf(call)));
  return GS_NO_TERM;
}

static gs_term byte_swap(gs_terms *t, gs_term a) {
  uint8_t width = gs_term_width(t, a);
  gs_term sum = gs_mk_const(t, 0, width);
  for (uint8_t i = 0; i < width; i = (uint8_t)(i + 8)) {
    gs_term byte = gs_mk_bin(t, GS_OP_AND, gs_mk_bin(t, GS_OP_LSHR, a, gs_mk_const(t, i, width)),
                             gs_mk_const(t, 255, width));
    sum = gs_mk_bin(t, GS_OP_OR, sum,
                    gs_mk_bin(t, GS_OP_SHL, byte, gs_mk_const(t, width - 8u - i, width)));
  }
  return sum;
}

/// fshl/fshr with a constant amount.
static gs_term funnel(gs_lowering *low, LLVMValueRef call, bool left, uint32_t block) {
  gs_terms *t = low->terms;
  LLVMValueRef amount = LLVMGetOperand(call, 2);
  if (!LLVMIsAConstantInt(amount))
    return GS_NO_TERM;
  gs_term high = operand(low, call, 0, block), lowest = operand(low, call, 1, block);
  uint8_t width = gs_term_width(t, high);
  uint64_t n = LLVMConstIntGetZExtValue(amount) % width;
  if (!n)
    return left ? high : lowest;
  uint64_t up = left ? n : width - n;
  return gs_mk_bin(t, GS_OP_OR, gs_mk_bin(t, GS_OP_SHL, high, gs_mk_const(t, up, width)),
                   gs_mk_bin(t, GS_OP_LSHR, lowest, gs_mk_const(t, width - up, width)));
}

/// Is a pointer into memory of the space that an intrinsic asks about? None when its object is
/// not plain to see.
static gs_term is_in_space(gs_lowering *low, LLVMValueRef call, const char *space, uint32_t block) {
  gs_term t = operand(low, call, 0, block);
  gs_node node = *gs_term_node(low->terms, t);
  for (int depth = 0; depth < 40 && node.op == GS_OP_ADD; depth++)
    node = *gs_term_node(low->terms, node.arg[gs_lower_holds_base(low, node.arg[0], 0) ? 0 : 1]);
  if (node.op != GS_OP_SYM || node.value >= low->sym_object_capacity ||
      low->sym_object[node.value] == GS_NONE)
    return GS_NO_TERM;
  gs_object_kind kind = low->program->objects[low->sym_object[node.value]].kind;
  bool shared = gs_is_shared(kind);
  bool global = kind == GS_OBJECT_PARAM || kind == GS_OBJECT_GLOBAL;
  if (!shared && !global)
    return GS_NO_TERM;
  return gs_mk_bool(low->terms, gs_has_prefix(space, "shared") ? shared : global && strcmp(space, "global") == 0);
}

/// Integer intrinsics that have a meaning as terms.
static gs_term integer_intrinsic(gs_lowering *low, LLVMValueRef call, const char *name,
                                 uint32_t block) {
  gs_terms *t = low->terms;
  if (gs_has_prefix(name, SREG))
    return gs_lower_register(low, name + strlen(SREG));
  if (gs_lower_is_wide(LLVMTypeOf(call)) ||
      LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMIntegerTypeKind)
    return GS_NO_TERM;
  gs_term chosen = nv_minmax(low, call, name, block);
  if (!chosen)
    chosen = nv_bits(low, call, name, block);
  if (chosen)
    return chosen;
  if (gs_has_prefix(name, "llvm.umin."))
    return minmax(low, GS_OP_ULT, true, operand(low, call, 0, block), operand(low, call, 1, block));
  if (gs_has_prefix(name, "llvm.umax."))
    return minmax(low, GS_OP_ULT, false, operand(low, call, 0, block), operand(low, call, 1, block));
  if (gs_has_prefix(name, "llvm.smin."))
    return minmax(low, GS_OP_SLT, true, operand(low, call, 0, block), operand(low, call, 1, block));
  if (gs_has_prefix(name, "llvm.smax."))
    return minmax(low, GS_OP_SLT, false, operand(low, call, 0, block), operand(low, call, 1, block));
  if (gs_has_prefix(name, "llvm.abs.") || strcmp(name, "abs") == 0 || strcmp(name, "labs") == 0 ||
      strcmp(name, "llabs") == 0 || strcmp(name, "__nv_abs") == 0 ||
      strcmp(name, "__nv_llabs") == 0) {
    gs_term a = operand(low, call, 0, block), zero = gs_mk_const(t, 0, gs_term_width(t, a));
    return gs_mk_ite(t, gs_mk_bin(t, GS_OP_SLT, a, zero), gs_mk_bin(t, GS_OP_SUB, zero, a), a);
  }
  if (gs_has_prefix(name, "llvm.ctpop."))
    return gs_mk_un(t, GS_OP_CTPOP, operand(low, call, 0, block));
  if (gs_has_prefix(name, "llvm.ctlz."))
    return gs_mk_un(t, GS_OP_CTLZ, operand(low, call, 0, block));
  if (gs_has_prefix(name, "llvm.cttz."))
    return gs_mk_un(t, GS_OP_CTLZ, gs_mk_un(t, GS_OP_BITREVERSE, operand(low, call, 0, block)));
  if (gs_has_prefix(name, "llvm.bitreverse."))
    return gs_mk_un(t, GS_OP_BITREVERSE, operand(low, call, 0, block));
  if (gs_has_prefix(name, "llvm.bswap."))
    return byte_swap(t, operand(low, call, 0, block));
  if (gs_has_prefix(name, "llvm.fshl."))
    return funnel(low, call, true, block);
  if (gs_has_prefix(name, "llvm.fshr."))
    return funnel(low, call, false, block);
  if (gs_has_prefix(name, "llvm.expect."))
    return operand(low, call, 0, block);
  if (gs_has_prefix(name, "llvm.nvvm.isspacep."))
    return is_in_space(low, call, name + strlen("llvm.nvvm.isspacep."), block);
  if (strcmp(name, "__nvvm_get_smem_pointer") == 0) // a pointer's 32 bits, for inline PTX
    return gs_mk_cast(t, GS_OP_TRUNC, operand(low, call, 0, block), 32);
  return GS_NO_TERM;
}

static gs_term pure_result(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  gs_term result = gs_lower_opaque(low, gs_lower_width(low, LLVMTypeOf(call)), GS_LEVEL_GRID,
                                   low->cfg.loop[block], "the result of a function that is not computed");
  unsigned n = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < n; i++) {
    gs_term t = operand(low, call, i, block);
    gs_lower_depend(low, result, t);
    if (!t || gs_term_node(low->terms, t)->level == GS_LEVEL_THREAD)
      break; // no other can raise it
  }
  return result;
}

static LLVMValueRef member_mask(LLVMValueRef call) {
  return LLVMGetOperand(call, gs_model_of(call) == GS_MODEL_REDUCE ? 1 : 0);
}

/// One result of a vote for the warp, if all come to it alike (gs_phases_votes_hold).
static gs_term voted(gs_lowering *low, LLVMValueRef call, uint8_t width, uint32_t block) {
  gs_terms *t = low->terms;
  gs_term mask = gs_lower_use(low, member_mask(call), block), lane = GS_NO_TERM;
  uint64_t members = 0, segment = 0;
  bool whole = mask && gs_term_const(t, mask, &members) && members == UINT32_MAX;
  if (whole && gs_model_of(call) == GS_MODEL_BROADCAST) {
    lane = operand(low, call, 2, block);
    gs_term edge = operand(low, call, 3, block);
    whole = lane && edge && gs_term_const(t, edge, &segment) && segment == 31; // of the whole warp
  }
  gs_term result = gs_lower_opaque(low, width, whole ? GS_LEVEL_WARP : GS_LEVEL_THREAD,
                                   low->cfg.loop[block],
                                   "the result of a warp operation or special register");
  if (lane)
    gs_lower_depend(low, result, lane);
  return result;
}

/// Inline PTX that reads no registers but those that a launch sets.
static bool of_launch(LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  size_t length = 0;
  bool any = false;
  if (!LLVMIsAInlineAsm(called) || LLVMGetInlineAsmHasSideEffects(called))
    return false;
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  for (size_t i = 0; i < length; i++)
    if (text[i] == '%') {
      if (length - i < 7 || strncmp(text + i, "%envreg", 7) != 0)
        return false;
      any = true;
    }
  return any && LLVMGetNumArgOperands(call) == 0;
}

gs_term gs_lower_call_value(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  LLVMValueRef callee = gs_ir_callee(call);
  const char *name = callee ? gs_ir_name(callee) : "";
  gs_term known = callee ? integer_intrinsic(low, call, name, block) : GS_NO_TERM;
  if (!callee && LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
    known = gs_lower_ptx_value(low, call, block);
  if (known)
    return known;
  uint8_t width = gs_lower_width(low, LLVMTypeOf(call));
  uint32_t loop = low->cfg.loop[block];
  switch (gs_model_of(call)) {
  case GS_MODEL_PURE: return pure_result(low, call, block);
  case GS_MODEL_SYNC_ID:
    if (gs_ir_sync_call(call).kind != GS_BARRIER_BLOCK)
      break; // only its own threads see one value
    return gs_lower_opaque(low, width, GS_LEVEL_BLOCK, loop, "the result of a barrier with a vote");
  case GS_MODEL_SYNC:
  case GS_MODEL_BLOCK:
    return gs_lower_opaque(low, width, GS_LEVEL_BLOCK, loop, "the result of a barrier with a vote");
  case GS_MODEL_VOTE:
  case GS_MODEL_REDUCE:
  case GS_MODEL_BROADCAST:
    return voted(low, call, width, block);
  case GS_MODEL_READ:
    return gs_lower_read(low, LLVMGetOperand(call, 0), LLVMTypeOf(call), false, block, call);
  case GS_MODEL_ATOMIC:
    return gs_lower_opaque(low, width, GS_LEVEL_THREAD, loop, "the result of an atomic operation");
  case GS_MODEL_ALLOC: return gs_lower_heap(low, call, block);
  case GS_MODEL_LANE:
    return gs_lower_opaque(low, width, of_launch(call) ? GS_LEVEL_GRID : GS_LEVEL_THREAD, loop,
                           gs_has_prefix(name, GS_UNINIT_VALUE)
                               ? "a variable that may be used before it has a value"
                               : "the result of a warp operation or special register");
  case GS_MODEL_UNKNOWN:
  case GS_MODEL_SYNC_N:
  case GS_MODEL_SYNC_ARRIVE:
  case GS_MODEL_SYNC_WARP:
  case GS_MODEL_SYNC_GRID:
  case GS_MODEL_CLUSTER_ARRIVE:
  case GS_MODEL_CLUSTER_WAIT:
  case GS_MODEL_SYNC_PTX:
  case GS_MODEL_FENCE:
  case GS_MODEL_NOTHING:
  case GS_MODEL_COPY:
  case GS_MODEL_FILL:
  case GS_MODEL_OUT4:
  case GS_MODEL_OUT8:
  case GS_MODEL_ASYNC:
  case GS_MODEL_MATRIX:
  case GS_MODEL_PTX:
  case GS_MODEL_STOPS: break;
  }
  return gs_lower_opaque(low, width, GS_LEVEL_THREAD, loop, "the result of a call");
}

uint32_t gs_lower_call_writes(LLVMValueRef call, LLVMValueRef out[GS_LOWER_WRITES]) {
  uint32_t n = 0;
  switch (gs_model_of(call)) {
  case GS_MODEL_UNKNOWN: return UINT32_MAX;
  case GS_MODEL_PTX: return gs_lower_ptx_writes(call, out);
  case GS_MODEL_MATRIX:
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind) // a store
      out[n++] = LLVMGetOperand(call, 0);
    break;
  case GS_MODEL_ASYNC:
    if (LLVMGetNumArgOperands(call) > 1)
      out[n++] = LLVMGetOperand(call, 0);
    break;
  case GS_MODEL_ATOMIC:
  case GS_MODEL_COPY:
  case GS_MODEL_FILL: out[n++] = LLVMGetOperand(call, 0); break;
  case GS_MODEL_OUT4:
  case GS_MODEL_OUT8:
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && n < 4; i++)
      if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
        out[n++] = LLVMGetOperand(call, i);
    break;
  case GS_MODEL_PURE:
  case GS_MODEL_LANE:
  case GS_MODEL_VOTE:
  case GS_MODEL_REDUCE:
  case GS_MODEL_BROADCAST:
  case GS_MODEL_BLOCK:
  case GS_MODEL_SYNC:
  case GS_MODEL_SYNC_ID:
  case GS_MODEL_SYNC_N:
  case GS_MODEL_SYNC_ARRIVE:
  case GS_MODEL_SYNC_WARP:
  case GS_MODEL_SYNC_GRID:
  case GS_MODEL_CLUSTER_ARRIVE:
  case GS_MODEL_CLUSTER_WAIT:
  case GS_MODEL_SYNC_PTX:
  case GS_MODEL_FENCE:
  case GS_MODEL_NOTHING:
  case GS_MODEL_READ:
  case GS_MODEL_ALLOC:
  case GS_MODEL_STOPS: break;
  }
  return n;
}

/// The wait of a cluster right behind the arrival: together a barrier of the block (and of
/// other blocks). Takes the arrival back.
static bool completes_arrival(gs_lowering *low, const gs_sync_call *sync) {
  gs_program *p = low->program;
  if (sync->id != GS_CLUSTER_ID || sync->arrives || !low->event_count)
    return false;
  gs_event last = low->events[low->event_count - 1];
  if (last.kind != GS_EVENT_BARRIER || p->barriers[last.index].id != GS_CLUSTER_ID ||
      !low->arrived || last.index + 1 != p->barrier_count)
    return false;
  low->event_count--;
  p->barrier_count--;
  return true;
}

static void add_event(gs_lowering *low, const gs_barrier *barrier) {
  gs_program *program = low->program;
  if (!gs_lower_grow(low, (void **)&program->barriers, &low->barrier_capacity,
                     program->barrier_count + 1, sizeof *program->barriers) ||
      !gs_lower_grow(low, (void **)&low->events, &low->event_capacity, low->event_count + 1,
                     sizeof *low->events))
    return;
  low->events[low->event_count++] = (gs_event){GS_EVENT_BARRIER, program->barrier_count};
  program->barriers[program->barrier_count++] = *barrier;
}

static void add_barrier(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  gs_sync_call sync = gs_ir_sync_call(call);
  gs_barrier barrier = {.kind = sync.kind, .id = sync.id, .place = gs_lower_place(low, call)};
  if (sync.mask)
    barrier.mask = gs_lower_use(low, sync.mask, block);
  else if (sync.kind == GS_BARRIER_WARP || sync.kind == GS_BARRIER_NAMED)
    barrier.mask = gs_mk_const(low->terms, sync.number, 32);
  if (completes_arrival(low, &sync))
    barrier.kind = GS_BARRIER_BLOCK;
  low->arrived = sync.arrives;
  add_event(low, &barrier);
}

/// A call that is not known may hold a barrier: inline PTX only where it names one.
static void add_unknown(gs_lowering *low, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  size_t length = 0;
  const char *text = LLVMIsAInlineAsm(called) ? LLVMGetInlineAsmAsmString(called, &length) : "bar";
  bool names = !LLVMIsAInlineAsm(called);
  for (size_t i = 0; i + 3 <= length; i++)
    names |= strncmp(text + i, "bar", 3) == 0;
  gs_barrier barrier = {.kind = GS_BARRIER_NAMED, .id = GS_SOME_ID, .place = gs_lower_place(low, call)};
  if (names)
    add_event(low, &barrier);
}

/// The ranges of memcpy and memset.
static void bulk_access(gs_lowering *low, LLVMValueRef call, unsigned pointer, bool is_write,
                        uint32_t block) {
  gs_term address = operand(low, call, pointer, block);
  LLVMValueRef length = LLVMGetOperand(call, 2);
  bool known = LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) <= UINT32_MAX;
  uint32_t size = known ? (uint32_t)LLVMConstIntGetZExtValue(length) : 0;
  if (known && !size)
    return;
  gs_term bytes = known ? GS_NO_TERM : operand(low, call, 2, block);
  gs_access *access = gs_lower_access(low, address, size, is_write, call, block);
  if (access && bytes)
    access->size_term = gs_mk_cast(low->terms, GS_OP_ZEXT, bytes, 64);
}

static void unknown_call(gs_lowering *low, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call), callee = gs_ir_callee(call);
  char text[400], what[32];
  if (LLVMIsAInlineAsm(called)) {
    gs_model_of_ptx(called, what, sizeof what);
    snprintf(text, sizeof text, "inline PTX '%s' is not modelled", what);
  } else if (!callee) {
    snprintf(text, sizeof text, "a call through a function pointer");
  } else if (LLVMIsDeclaration(callee)) {
    snprintf(text, sizeof text, "a call of '%s', which is not modelled and has no body here",
             gs_ir_name(callee));
  } else {
    snprintf(text, sizeof text, "a call of '%s' that cannot be inlined (recursion, or too much code)",
             gs_ir_name(callee));
  }
  gs_lower_gap(low, text, call);
}

static void note_fence(gs_lowering *low, LLVMValueRef call, gs_model_kind kind, uint32_t block) {
  gs_model_fence fence = gs_model_fence_of(call, kind);
  low->program->has_fences |= fence != GS_FENCE_NONE;
  gs_access *access = fence > GS_FENCE_MAYBE ? gs_lower_access(low, GS_NO_TERM, 0, false, call, block) : NULL;
  if (access)
    access->fence = (uint8_t)((fence == GS_FENCE_GRID ? GS_SCOPE_GRID : GS_SCOPE_BLOCK) + 1);
}

/// The operand that is the member mask of a warp operation; -1 = it is none.
static int mask_operand(const char *name) {
  static const struct {
    const char *prefix;
    int operand;
  } rows[] = {{"llvm.nvvm.shfl.sync.", 0}, {"llvm.nvvm.match.", 0},      {"llvm.nvvm.redux.sync.", 1},
              {"llvm.nvvm.elect.sync", 0}, {"llvm.nvvm.bar.warp.sync", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (gs_has_prefix(name, rows[i].prefix))
      return rows[i].operand;
  return gs_has_prefix(name, "llvm.nvvm.vote.") && strstr(name, ".sync") ? 0 : -1;
}

static void note_warp_op(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  LLVMValueRef callee = gs_ir_callee(call);
  int operand = callee ? mask_operand(gs_ir_name(callee)) : -1;
  gs_program *p = low->program;
  LLVMValueRef mask = operand < 0 ? NULL : LLVMGetOperand(call, (unsigned)operand);
  if (!mask || !LLVMIsAConstantInt(mask) ||
      !gs_lower_grow(low, (void **)&p->warp_ops, &low->warp_op_capacity, p->warp_op_count + 1,
                     sizeof *p->warp_ops))
    return;
  p->warp_ops[p->warp_op_count++] =
      (gs_warp_op){.mask = (uint32_t)LLVMConstIntGetZExtValue(mask), .block = block,
                   .place = gs_lower_place(low, call),
                   .is_barrier = gs_has_prefix(gs_ir_name(callee), "llvm.nvvm.bar.warp.sync")};
}

void gs_lower_call_effects(gs_lowering *low, LLVMValueRef call, uint32_t block) {
  gs_model_kind kind = gs_model_of(call);
  note_fence(low, call, kind, block);
  note_warp_op(low, call, block);
  switch (kind) {
  case GS_MODEL_UNKNOWN:
    add_unknown(low, call);
    unknown_call(low, call);
    break;
  case GS_MODEL_SYNC:
  case GS_MODEL_SYNC_ID:
  case GS_MODEL_SYNC_N:
  case GS_MODEL_SYNC_ARRIVE:
  case GS_MODEL_SYNC_WARP:
  case GS_MODEL_SYNC_GRID:
  case GS_MODEL_CLUSTER_ARRIVE:
  case GS_MODEL_CLUSTER_WAIT:
  case GS_MODEL_SYNC_PTX: add_barrier(low, call, block); break;
  case GS_MODEL_VOTE:
  case GS_MODEL_REDUCE:
  case GS_MODEL_BROADCAST: {
    gs_barrier vote = {.kind = GS_BARRIER_VOTE, .place = gs_lower_place(low, call),
                       .mask = gs_lower_use(low, member_mask(call), block)};
    add_event(low, &vote);
    break;
  }
  case GS_MODEL_READ: {
    uint64_t size = LLVMStoreSizeOfType(low->ir->layout, LLVMTypeOf(call));
    gs_lower_access(low, operand(low, call, 0, block), (uint32_t)size, false, call, block);
    break;
  }
  case GS_MODEL_ATOMIC: {
    uint64_t size = LLVMStoreSizeOfType(low->ir->layout, LLVMTypeOf(call));
    gs_access *access =
        gs_lower_access(low, operand(low, call, 0, block), (uint32_t)size, true, call, block);
    const char *name = gs_ir_name(gs_ir_callee(call));
    if (access) {
      access->is_atomic = true;
      access->scope = strstr(name, ".cta") ? GS_SCOPE_BLOCK : GS_SCOPE_GRID;
    }
    break;
  }
  case GS_MODEL_COPY:
    bulk_access(low, call, 1, false, block);
    bulk_access(low, call, 0, true, block);
    break;
  case GS_MODEL_FILL: bulk_access(low, call, 0, true, block); break;
  case GS_MODEL_OUT4:
  case GS_MODEL_OUT8:
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
      if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
        gs_lower_access(low, operand(low, call, i, block), kind == GS_MODEL_OUT4 ? 4 : 8, true, call,
                        block);
    break;
  case GS_MODEL_PTX: gs_lower_ptx_effects(low, call, block); break;
  case GS_MODEL_MATRIX: gs_lower_matrix_call(low, call, block); break;
  case GS_MODEL_ASYNC: gs_lower_async_call(low, call, block); break;
  case GS_MODEL_PURE:
  case GS_MODEL_LANE:
  case GS_MODEL_BLOCK:
  case GS_MODEL_FENCE:
  case GS_MODEL_NOTHING:
  case GS_MODEL_ALLOC:
  case GS_MODEL_STOPS: break;
  }
}
