// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of memory nobody writes, and accesses with their targets.
#include "lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------- what may be written ----

typedef struct root_walk {
  gs_lowering *low;
  LLVMValueRef *seen;
  uint32_t seen_count, seen_capacity;
  void (*found)(struct root_walk *, LLVMValueRef root, bool is_field, uint64_t field);
  bool flag;
} root_walk;

/// The parameter and offset when `pointer` is a constant place in a by-value parameter.
static bool byval_place(gs_lowering *low, LLVMValueRef pointer, uint64_t *place) {
  uint64_t offset = 0;
  for (;;) {
    if (LLVMIsAArgument(pointer)) {
      *place = (uint64_t)gs_lower_argument_index(pointer) << 32 | offset;
      return gs_lower_is_byval(pointer);
    }
    bool gep = LLVMIsAGetElementPtrInst(pointer) != NULL;
    bool cast = LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsABitCastInst(pointer);
    if (!gep && !cast)
      return false;
    LLVMTypeRef type = gep ? LLVMGetGEPSourceElementType(pointer) : NULL;
    for (unsigned i = 1; gep && i < (unsigned)LLVMGetNumOperands(pointer); i++) {
      LLVMValueRef index = LLVMGetOperand(pointer, i);
      if (!LLVMIsAConstantInt(index))
        return false;
      int64_t n = LLVMConstIntGetSExtValue(index);
      if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        offset += LLVMOffsetOfElement(low->ir->layout, type, (unsigned)n);
        type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
      } else {
        type = i > 1 ? LLVMGetElementType(type) : type;
        offset += (uint64_t)n * LLVMABISizeOfType(low->ir->layout, type);
      }
    }
    pointer = LLVMGetOperand(pointer, 0);
  }
}

/// All extern __shared__ arrays are one piece of memory: the module's first
/// stands for all of them.
static LLVMValueRef canonical(LLVMValueRef v) {
  if (!LLVMIsAGlobalVariable(v) || !LLVMIsDeclaration(v) ||
      LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != GS_SPACE_SHARED)
    return v;
  LLVMValueRef g = LLVMGetFirstGlobal(LLVMGetGlobalParent(v));
  while (g != v && !(LLVMIsDeclaration(g) &&
                     LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == GS_SPACE_SHARED))
    g = LLVMGetNextGlobal(g);
  return g;
}

/// Memory of one thread.
static bool is_own(LLVMValueRef v) { return LLVMIsAAllocaInst(v) || gs_lower_is_own_heap(v); }

/// A number that is added to an address, and is none itself: addresses have 64 bits but
/// in shared memory, and those are made in the kernel.
static bool is_scaled(LLVMValueRef v, int opcode) {
  LLVMTypeRef type = LLVMTypeOf(v);
  bool narrow = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64;
  LLVMValueRef callee = opcode == LLVMCall ? gs_ir_callee(v) : NULL;
  if (callee && gs_has_prefix(gs_ir_name(callee), "llvm.nvvm.read.ptx.sreg"))
    return true;
  return (narrow && (LLVMIsAArgument(v) || opcode == LLVMLoad)) || LLVMIsAConstantInt(v) || opcode == LLVMMul || opcode == LLVMShl || opcode == LLVMAnd ||
         opcode == LLVMLShr || opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem ||
         opcode == LLVMSRem;
}

static void walk_roots(root_walk *walk, LLVMValueRef v) {
  for (uint32_t i = 0; i < walk->seen_count; i++)
    if (walk->seen[i] == v)
      return;
  if (walk->seen_count > 4096 ||
      !gs_lower_grow(walk->low, (void **)&walk->seen, &walk->seen_capacity, walk->seen_count + 1,
                     sizeof *walk->seen)) {
    walk->found(walk, NULL, false, 0);
    return;
  }
  walk->seen[walk->seen_count++] = v;
  uint64_t field = 0;
  bool expression = LLVMIsAConstantExpr(v) != NULL;
  int opcode = LLVMIsAInstruction(v) ? (int)LLVMGetInstructionOpcode(v)
               : expression          ? (int)LLVMGetConstOpcode(v)
                                     : 0;
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
  if (LLVMIsAGlobalVariable(v) || is_own(v) || (pointer && LLVMIsAArgument(v))) {
    walk->found(walk, canonical(v), false, 0);
  } else if (opcode == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast ||
             opcode == LLVMBitCast || opcode == LLVMFreeze) {
    walk_roots(walk, LLVMGetOperand(v, 0));
  } else if (opcode == LLVMSelect) {
    walk_roots(walk, LLVMGetOperand(v, 1));
    walk_roots(walk, LLVMGetOperand(v, 2));
  } else if (opcode == LLVMPHI) {
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
      walk_roots(walk, LLVMGetIncomingValue(v, i));
  } else if (pointer && opcode == LLVMLoad && byval_place(walk->low, LLVMGetOperand(v, 0), &field)) {
    walk->found(walk, v, true, field);
  } else if (opcode == LLVMPtrToInt || opcode == LLVMTrunc || opcode == LLVMZExt ||
             opcode == LLVMSExt || opcode == LLVMIntToPtr) {
    walk_roots(walk, LLVMGetOperand(v, 0)); // an address as a number, for inline PTX
  } else if (opcode == LLVMAdd || opcode == LLVMSub) {
    walk_roots(walk, LLVMGetOperand(v, 0));
    walk_roots(walk, LLVMGetOperand(v, 1));
  } else if (!is_scaled(v, opcode) && !LLVMIsAConstantPointerNull(v) && !LLVMIsAUndefValue(v)) {
    walk->found(walk, NULL, false, 0);
  }
}

static bool known_root(const gs_written *w, LLVMValueRef root, bool is_field, uint64_t field) {
  for (uint32_t i = 0; !is_field && i < w->root_count; i++)
    if (w->roots[i] == root)
      return true;
  for (uint32_t i = 0; is_field && i < w->field_count; i++)
    if (w->fields[i] == field)
      return true;
  return false;
}

static void add_written(root_walk *walk, LLVMValueRef root, bool is_field, uint64_t field) {
  gs_written *w = &walk->low->written;
  if (!root) {
    w->unknown = true;
  } else if (known_root(w, root, is_field, field)) {
    return;
  } else if (is_field) {
    if (gs_lower_grow(walk->low, (void **)&w->fields, &w->field_capacity, w->field_count + 1,
                      sizeof *w->fields))
      w->fields[w->field_count++] = field;
  } else if (gs_lower_grow(walk->low, (void **)&w->roots, &w->root_capacity, w->root_count + 1,
                           sizeof *w->roots)) {
    w->roots[w->root_count++] = root;
  }
}

static void note_write(gs_lowering *low, LLVMValueRef pointer) {
  root_walk walk = {.low = low, .found = add_written};
  walk_roots(&walk, pointer);
  free(walk.seen);
}

void gs_lower_find_written(gs_lowering *low) {
  for (uint32_t b = 0; b < low->cfg.count; b++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(low->cfg.bbs[b]); inst;
         inst = LLVMGetNextInstruction(inst)) {
      int opcode = (int)LLVMGetInstructionOpcode(inst);
      if (opcode == LLVMStore)
        note_write(low, LLVMGetOperand(inst, 1));
      else if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
        note_write(low, LLVMGetOperand(inst, 0));
      else if (opcode == LLVMCall) {
        LLVMValueRef written[GS_LOWER_WRITES];
        uint32_t n = gs_lower_call_writes(inst, written);
        if (n == UINT32_MAX)
          low->written.unknown = true;
        for (uint32_t i = 0; n != UINT32_MAX && i < n; i++)
          note_write(low, written[i]);
      }
    }
}

static bool in_constant_space(LLVMValueRef root) {
  return LLVMIsAGlobalVariable(root) &&
         (LLVMGetPointerAddressSpace(LLVMTypeOf(root)) == GS_SPACE_CONSTANT ||
          LLVMIsGlobalConstant(root));
}

static bool is_shared(LLVMValueRef root) {
  return LLVMIsAGlobalVariable(root) &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(root)) == GS_SPACE_SHARED;
}

/// Is anything written that another pointer argument or a device global holds?
static bool writes_globals(const gs_written *w) {
  for (uint32_t i = 0; i < w->root_count; i++)
    if (!is_shared(w->roots[i]) && !is_own(w->roots[i]) &&
        !(LLVMIsAArgument(w->roots[i]) && gs_lower_is_byval(w->roots[i])))
      return true;
  return w->field_count > 0;
}

/// Does a launch hand the buffer of this pointer parameter to one that is written through?
static bool alias_written(const gs_lowering *low, LLVMValueRef root) {
  const gs_kernel_desc *desc = low->program->desc;
  uint32_t count = desc && root && LLVMIsAArgument(root) ? desc->alias_count : 0;
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t i = 0; i < low->written.root_count; i++) {
      LLVMValueRef other = low->written.roots[i];
      if (!LLVMIsAArgument(other))
        continue;
      uint32_t x = gs_lower_argument_index(root), y = gs_lower_argument_index(other);
      const gs_alias *alias = &desc->aliases[a];
      if ((alias->param == x && alias->of == y) || (alias->param == y && alias->of == x))
        return true;
    }
  return false;
}

/// Sets walk->flag when memory reached from the root may be written.
static void check_written(root_walk *walk, LLVMValueRef root, bool is_field, uint64_t field) {
  gs_lowering *low = walk->low;
  const gs_written *w = &low->written;
  if (root && !is_field && in_constant_space(root))
    return;
  bool byval = root && !is_field && LLVMIsAArgument(root) && gs_lower_is_byval(root);
  if (byval && !known_root(w, root, false, 0))
    return;
  if (w->unknown || (!root && (writes_globals(w) || w->root_count)) ||
      (root && known_root(w, root, is_field, field)) ||
      (root && !is_field && (is_own(root) || alias_written(low, root))))
    walk->flag = true;
  if (root && !is_shared(root) && writes_globals(w)) {
    low->program->reads_only_assumed = true;
    if (low->options->strict)
      walk->flag = true;
  }
}

static bool may_be_written(gs_lowering *low, LLVMValueRef pointer) {
  root_walk walk = {.low = low, .found = check_written};
  walk_roots(&walk, pointer);
  free(walk.seen);
  return walk.flag;
}

gs_term gs_lower_read(gs_lowering *low, LLVMValueRef pointer, LLVMTypeRef type, bool is_volatile,
                      uint32_t block, LLVMValueRef inst) {
  uint8_t width = gs_lower_width(low, type);
  uint32_t loop = low->cfg.loop[block];
  uint64_t place = 0;
  if (gs_lower_is_wide(type))
    return gs_lower_opaque(low, width, GS_LEVEL_THREAD, loop, "a value wider than 64 bits");
  if (is_volatile || may_be_written(low, pointer))
    return gs_lower_opaque(low, width, GS_LEVEL_THREAD, loop,
                           is_volatile ? "a volatile read"
                                       : "a value read from memory that the kernel writes");
  if (byval_place(low, pointer, &place)) {
    uint32_t param = (uint32_t)(place >> 32), offset = (uint32_t)place;
    const gs_field *field = gs_lower_field_desc(gs_lower_param_desc(low, param), offset);
    gs_lower_byval_base(low, LLVMGetParam(low->function, param));
    gs_term t = gs_program_param(low->program, param, offset, width,
                                 field && field->kind == GS_TYPE_INT && field->is_signed);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
      gs_lower_pointer_object(low, t, param, offset);
    return t;
  }
  (void)inst;
  return gs_mk_load(low->terms, gs_lower_use(low, pointer, block), width, 0);
}

static void note_not_shared(root_walk *walk, LLVMValueRef root, bool is_field, uint64_t field) {
  (void)field;
  walk->flag |= !root || is_field || !is_shared(root);
}

bool gs_lower_in_shared(gs_lowering *low, LLVMValueRef pointer) {
  root_walk walk = {.low = low, .found = note_not_shared};
  walk_roots(&walk, pointer);
  free(walk.seen);
  return !walk.flag;
}

gs_term gs_lower_load(gs_lowering *low, LLVMValueRef load, uint32_t block) {
  bool is_volatile = LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
  bool fresh = is_volatile || may_be_written(low, LLVMGetOperand(load, 0));
  gs_term common = fresh ? gs_lower_common_read(low, load, block) : GS_NO_TERM;
  if (common)
    return common;
  return gs_lower_read(low, LLVMGetOperand(load, 0), LLVMTypeOf(load), is_volatile, block, load);
}

// ------------------------------------------------------------ accesses ----

gs_access *gs_lower_access(gs_lowering *low, gs_term pointer, uint32_t size, bool is_write,
                           LLVMValueRef inst, uint32_t block) {
  if (!gs_lower_grow(low, (void **)&low->raw, &low->raw_capacity, low->raw_count + 1,
                     sizeof *low->raw) ||
      !gs_lower_grow(low, (void **)&low->events, &low->event_capacity, low->event_count + 1,
                     sizeof *low->events))
    return NULL;
  low->events[low->event_count++] = (gs_event){GS_EVENT_ACCESS, low->raw_count};
  gs_raw_access *raw = &low->raw[low->raw_count++];
  *raw = (gs_raw_access){.access = {.size = size,
                                    .is_write = is_write,
                                    .scope = GS_SCOPE_GRID,
                                    .place = gs_lower_place(low, inst)},
                         .pointer = pointer,
                         .block = block};
  return &raw->access;
}

static gs_scope atomic_scope(LLVMValueRef inst) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(inst));
  unsigned id = LLVMGetAtomicSyncScopeID(inst);
  if (id == LLVMGetSyncScopeID(context, "block", 5))
    return GS_SCOPE_BLOCK;
  if (id == LLVMGetSyncScopeID(context, "cluster", 7))
    return GS_SCOPE_CLUSTER;
  bool wide = id == LLVMGetSyncScopeID(context, "", 0) || id == LLVMGetSyncScopeID(context, "device", 6);
  return wide ? GS_SCOPE_GRID : GS_SCOPE_WARP; // one thread, or a scope that has no name here
}

/// Bits of a constant that is stored, for "both write the same".
static bool constant_bits(gs_lowering *low, LLVMValueRef value, uint64_t *bits) {
  if (LLVMIsAConstantInt(value) && !gs_lower_is_wide(LLVMTypeOf(value))) {
    *bits = LLVMConstIntGetZExtValue(value);
    return true;
  }
  if (LLVMIsAConstantFP(value)) { // its own bits: one number differs in half and bfloat
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned long long width = LLVMSizeOfTypeInBits(low->ir->layout, type);
    if (width > 64)
      return false;
    LLVMTypeRef integer = LLVMIntTypeInContext(LLVMGetTypeContext(type), (unsigned)width);
    LLVMValueRef same = LLVMConstBitCast(value, integer);
    if (!LLVMIsAConstantInt(same))
      return false;
    *bits = LLVMConstIntGetZExtValue(same);
    return true;
  }
  return LLVMIsAConstantPointerNull(value) ? (*bits = 0, true) : false;
}

/// Loads and stores that acquire or release order what is around them. Read-
/// modify-write operations come as seq_cst for CUDA's relaxed atomics and do not.
static void note_ordering(gs_lowering *low, LLVMAtomicOrdering ordering, bool plain) {
  if (plain && ordering >= LLVMAtomicOrderingAcquire)
    low->program->has_fences = true;
}

static void lower_store(gs_lowering *low, LLVMValueRef inst, uint32_t block) {
  LLVMValueRef value = LLVMGetOperand(inst, 0);
  LLVMTypeRef type = LLVMTypeOf(value);
  gs_term pointer = gs_lower_use(low, LLVMGetOperand(inst, 1), block);
  // Integers that are cheap to know let two equal writes be told apart.
  gs_term stored = GS_NO_TERM;
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && !gs_lower_is_wide(type))
    stored = gs_lower_use(low, value, block);
  uint64_t size = LLVMStoreSizeOfType(low->ir->layout, type);
  gs_access *access = gs_lower_access(low, pointer, (uint32_t)size, true, inst, block);
  if (!access)
    return;
  access->is_volatile = LLVMGetVolatile(inst) != 0;
  access->is_atomic = LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic;
  note_ordering(low, LLVMGetOrdering(inst), true);
  if (access->is_atomic)
    access->scope = (uint8_t)atomic_scope(inst);
  access->value = stored;
  access->is_const = constant_bits(low, value, &access->const_bits);
}

static gs_rmw_kind rmw_kind(LLVMValueRef inst) {
  LLVMValueRef value = LLVMGetOperand(inst, 1);
  if (LLVMIsAAtomicCmpXchgInst(inst)) // a weak one may find what it expects and not store
    return LLVMGetWeak(inst) ? GS_RMW_OTHER : GS_RMW_CAS;
  switch ((int)LLVMGetAtomicRMWBinOp(inst)) {
  case LLVMAtomicRMWBinOpAdd: return GS_RMW_ADD;
  case LLVMAtomicRMWBinOpXchg: return GS_RMW_EXCHANGE;
  case LLVMAtomicRMWBinOpOr: return GS_RMW_OR;
  case LLVMAtomicRMWBinOpUIncWrap: { // without a limit it adds one
    bool free = LLVMIsAConstantInt(value) && LLVMConstIntGetSExtValue(value) == -1;
    return free ? GS_RMW_ADD : GS_RMW_INC;
  }
  default: return GS_RMW_OTHER;
  }
}

/// What an atomic operation on integers does, and the symbol of its result.
static void note_rmw(gs_lowering *low, LLVMValueRef inst, uint32_t block, gs_access *access) {
  LLVMValueRef value = LLVMGetOperand(inst, LLVMIsAAtomicCmpXchgInst(inst) ? 2 : 1);
  gs_rmw_kind kind = rmw_kind(inst);
  if (kind == GS_RMW_OTHER || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind ||
      gs_lower_is_wide(LLVMTypeOf(value)))
    return;
  gs_term result = gs_lower_use(low, inst, block), operand = gs_lower_use(low, value, block);
  gs_term expected = kind == GS_RMW_CAS ? gs_lower_use(low, LLVMGetOperand(inst, 1), block) : GS_NO_TERM;
  if (!result || !gs_term_is(low->terms, result, GS_OP_SYM))
    return;
  bool counts = kind == GS_RMW_ADD && LLVMIsAAtomicRMWInst(inst) &&
                LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpUIncWrap;
  access->rmw = (uint8_t)kind;
  access->result = result;
  access->operand = counts ? gs_mk_const(low->terms, 1, gs_term_width(low->terms, result)) : operand;
  access->expected = expected;
}

/// The symbol of what a load finds, when nothing else is known of it.
static void note_loaded(gs_lowering *low, LLVMValueRef load, uint32_t block, uint32_t raw) {
  gs_term value = gs_lower_use(low, load, block);
  if (value && gs_term_is(low->terms, value, GS_OP_SYM) &&
      gs_sym_get(low->terms, (uint32_t)gs_term_node(low->terms, value)->value)->kind == GS_SYM_OPAQUE)
    low->raw[raw].access.loaded = value;
}

void gs_lower_memory_effects(gs_lowering *low, LLVMValueRef inst, uint32_t block) {
  int opcode = (int)LLVMGetInstructionOpcode(inst);
  if (opcode == LLVMStore) {
    lower_store(low, inst, block);
    return;
  }
  bool load = opcode == LLVMLoad;
  gs_term pointer = gs_lower_use(low, LLVMGetOperand(inst, 0), block);
  LLVMTypeRef type = load ? LLVMTypeOf(inst) : LLVMTypeOf(LLVMGetOperand(inst, 1));
  uint32_t size = (uint32_t)LLVMStoreSizeOfType(low->ir->layout, type);
  gs_access *access = gs_lower_access(low, pointer, size, !load, inst, block);
  if (!access)
    return;
  note_ordering(low, LLVMGetOrdering(inst), load);
  access->is_atomic = !load || LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic;
  access->is_volatile = LLVMGetVolatile(inst) != 0;
  if (access->is_atomic)
    access->scope = (uint8_t)atomic_scope(inst);
  if (!load) {
    note_rmw(low, inst, block, &low->raw[low->raw_count - 1].access);
    return;
  }
  low->raw[low->raw_count - 1].load = inst;
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && !gs_lower_is_wide(type) && !access->is_atomic)
    note_loaded(low, inst, block, low->raw_count - 1);
}

// ------------------------------------------------------------- targets ----

enum { MAX_TARGETS = 16 };

typedef struct target_list {
  gs_lowering *low;
  gs_target items[MAX_TARGETS];
  uint32_t count;
  bool overflow;
} target_list;

static uint32_t special_object(gs_lowering *low, gs_object_kind kind, gs_term base) {
  for (uint32_t i = 0; i < low->program->object_count; i++)
    if (low->program->objects[i].kind == kind && low->program->objects[i].base == base)
      return i;
  gs_object object = {.kind = kind, .base = base};
  return gs_lower_object(low, &object);
}

static void add_target(target_list *list, uint32_t object, gs_term guard, gs_term offset) {
  if (list->count == MAX_TARGETS)
    list->overflow = true;
  else
    list->items[list->count++] = (gs_target){object, guard, offset};
}

bool gs_lower_holds_base(const gs_lowering *low, gs_term t, int depth) {
  const gs_node *node = gs_term_node(low->terms, t);
  if (node->width != 64 || depth > 40)
    return false;
  if (node->op == GS_OP_SYM)
    return node->value < low->sym_object_capacity && low->sym_object[node->value] != GS_NONE;
  if (node->op == GS_OP_ADD || node->op == GS_OP_SUB)
    return gs_lower_holds_base(low, node->arg[0], depth + 1) != gs_lower_holds_base(low, node->arg[1], depth + 1);
  if (node->op == GS_OP_ITE)
    return gs_lower_holds_base(low, node->arg[1], depth + 1) || gs_lower_holds_base(low, node->arg[2], depth + 1);
  return false;
}

static void resolve(target_list *list, gs_term t, gs_term guard, gs_term offset, int depth) {
  gs_lowering *low = list->low;
  gs_terms *terms = low->terms;
  gs_node node = *gs_term_node(terms, t);
  uint64_t no = 0;
  if (gs_term_const(terms, guard, &no) && !no)
    return;
  if (depth > 60)
    list->overflow = true;
  else if (node.op == GS_OP_SYM && node.value < low->sym_object_capacity &&
           low->sym_object[node.value] != GS_NONE)
    add_target(list, low->sym_object[node.value], guard, offset);
  else if (node.op == GS_OP_ADD && gs_lower_holds_base(low, node.arg[0], 0) != gs_lower_holds_base(low, node.arg[1], 0)) {
    int side = gs_lower_holds_base(low, node.arg[0], 0) ? 0 : 1;
    resolve(list, node.arg[side], guard, gs_mk_bin(terms, GS_OP_ADD, offset, node.arg[1 - side]),
            depth + 1);
  } else if (node.op == GS_OP_SUB && gs_lower_holds_base(low, node.arg[0], 0) &&
             !gs_lower_holds_base(low, node.arg[1], 0))
    resolve(list, node.arg[0], guard, gs_mk_bin(terms, GS_OP_SUB, offset, node.arg[1]), depth + 1);
  else if (node.op == GS_OP_ITE) {
    resolve(list, node.arg[1], gs_mk_and(terms, guard, node.arg[0]), offset, depth + 1);
    resolve(list, node.arg[2], gs_mk_and(terms, guard, gs_mk_not(terms, node.arg[0])), offset,
            depth + 1);
  } else if (node.op == GS_OP_ADD && gs_term_is(terms, node.arg[0], GS_OP_LOAD))
    add_target(list, special_object(low, GS_OBJECT_LOADED, GS_NO_TERM), guard,
               gs_mk_bin(terms, GS_OP_ADD, t, offset));
  else if (node.op == GS_OP_LOAD)
    add_target(list, special_object(low, GS_OBJECT_LOADED, GS_NO_TERM), guard,
               gs_mk_bin(terms, GS_OP_ADD, t, offset));
  else
    add_target(list, special_object(low, GS_OBJECT_UNKNOWN, GS_NO_TERM), guard,
               gs_mk_bin(terms, GS_OP_ADD, t, offset));
}

/// Does an offset contain the address of another object, other than to read there?
/// `a[(b - a) + i]` is in b.
static bool crosses_objects(const gs_lowering *low, const gs_target *target, gs_subst *no_loads,
                            unsigned char *seen) {
  uint32_t count = gs_sym_count(low->terms);
  memset(seen, 0, count + 1u);
  gs_term_syms(low->terms, gs_subst_apply(no_loads, target->offset), seen);
  for (uint32_t s = 0; s < count && s < low->sym_object_capacity; s++)
    if (seen[s] && low->sym_object[s] != GS_NONE && low->sym_object[s] != target->object)
      return true;
  return false;
}

/// The kernel as a whole is not decided then: what it writes where is not known.
static void find_crossing(gs_lowering *low, const target_list *list, gs_subst *no_loads) {
  unsigned char *seen = malloc(gs_sym_count(low->terms) + 1u);
  low->failed |= !seen;
  for (uint32_t i = 0; seen && i < list->count && !low->program->gap_count; i++) {
    gs_object_kind kind = low->program->objects[list->items[i].object].kind;
    if (kind != GS_OBJECT_UNKNOWN && kind != GS_OBJECT_LOADED &&
        crosses_objects(low, &list->items[i], no_loads, seen))
      gs_lower_gap(low, "an address is computed from the difference of two pointers", NULL);
  }
  free(seen);
}

static bool resolve_access(gs_lowering *low, const gs_raw_access *raw, gs_subst *no_loads,
                           gs_access *out) {
  target_list list = {.low = low};
  gs_terms *terms = low->terms;
  bool mark = raw->access.async >= GS_ASYNC_COMMIT || raw->access.fence; // touches nothing
  gs_term guard = raw->guard ? raw->guard : gs_mk_bool(terms, true);
  *out = raw->access;
  if (raw->load)
    out->result = gs_lower_common_value(low, raw->load, &out->read);
  if (raw->pointer)
    resolve(&list, raw->pointer, guard, gs_mk_const(terms, 0, 64), 0);
  if (!mark && (list.overflow || !raw->pointer)) {
    list.count = 0;
    add_target(&list, special_object(low, GS_OBJECT_UNKNOWN, GS_NO_TERM), guard,
               raw->pointer ? raw->pointer
                            : gs_lower_opaque(low, 64, GS_LEVEL_THREAD, GS_NONE, "an address that is not known"));
  }
  find_crossing(low, &list, no_loads);
  gs_target *targets = calloc(list.count + 1u, sizeof *targets);
  if (!targets)
    return false;
  memcpy(targets, list.items, list.count * sizeof *targets);
  out->targets = targets;
  out->target_count = list.count;
  for (uint32_t i = 0; out->is_write && i < list.count; i++)
    low->program->objects[targets[i].object].written = true;
  return true;
}

void gs_lower_resolve_targets(gs_lowering *low) {
  gs_program *program = low->program;
  program->accesses = calloc(low->raw_count + 1u, sizeof *program->accesses);
  if (!program->accesses) {
    low->failed = true;
    return;
  }
  gs_subst *no_loads = gs_subst_new(low->terms, NULL, 0);
  low->failed |= !no_loads;
  if (no_loads)
    gs_subst_zero_loads(no_loads);
  for (uint32_t i = 0; i < low->raw_count && !low->failed; i++) {
    if (!resolve_access(low, &low->raw[i], no_loads, &program->accesses[i]))
      low->failed = true;
    program->access_count = i + 1;
  }
  gs_subst_free(no_loads);
}
