// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decoding, verification and printing of bytecode.
#include "bytecode_format.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- decode ----

gs_bc_shape gs_bc_shape_of(unsigned op) {
  if (op == GS_BC_BOOL)
    return GS_BC_SHAPE_BOOL;
  if (op == GS_BC_JUMP || op == GS_BC_AND || op == GS_BC_OR || op == GS_BC_COND)
    return GS_BC_SHAPE_SKIP;
  if (op == GS_BC_INT)
    return GS_BC_SHAPE_INT;
  if (op == GS_BC_NAME)
    return GS_BC_SHAPE_NAME;
  if (op >= GS_BC_ALIGNED && op <= GS_BC_IN_RANGE)
    return GS_BC_SHAPE_POINTER;
  return op < GS_BC_OPERATORS ? GS_BC_SHAPE_OPERATOR : GS_BC_SHAPE_NONE;
}

unsigned gs_bc_pops(gs_bc_op op) {
  unsigned arity = gs_expr_op_arity((gs_expr_op)op);
  return gs_bc_shape_of(op) == GS_BC_SHAPE_POINTER ? arity - 1 : arity;
}

/// LEB128, at most 64 bits, without padding bytes.
static bool read_varint(const uint8_t *code, size_t size, size_t *at, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && *at < size; shift += 7) {
    uint8_t byte = code[(*at)++];
    if (shift == 63 && byte > 1)
      return false;
    *value |= (uint64_t)(byte & 0x7F) << shift;
    if (!(byte & 0x80))
      return byte != 0 || shift == 0;
  }
  return false;
}

static bool read_u32(const uint8_t *code, size_t size, size_t *at, uint32_t *value) {
  uint64_t wide;
  if (!read_varint(code, size, at, &wide) || wide > UINT32_MAX)
    return false;
  *value = (uint32_t)wide;
  return true;
}

static bool read_byte(const uint8_t *code, size_t size, size_t *at, uint32_t *value) {
  if (*at >= size)
    return false;
  *value = code[(*at)++];
  return true;
}

static bool read_name(const uint8_t *code, size_t size, size_t *at, gs_name *name) {
  uint32_t kind, type;
  if (!read_byte(code, size, at, &kind) || kind > GS_NAME_COOPERATIVE)
    return false;
  name->kind = (gs_name_kind)kind;
  if (name->kind == GS_NAME_PARAM) {
    if (!read_u32(code, size, at, &name->param) || !read_u32(code, size, at, &name->offset) ||
        !read_byte(code, size, at, &type) || type > 0x7F)
      return false;
    name->bits = (type & 0x3F) + 1;
    name->is_signed = (type & 0x40) != 0;
    return true;
  }
  if (name->kind == GS_NAME_BLOCK || name->kind == GS_NAME_GRID || name->kind == GS_NAME_CLUSTER)
    return read_byte(code, size, at, &name->axis) && name->axis < 3;
  return name->kind != GS_NAME_POINTER && name->kind != GS_NAME_CONSTANT;
}

static bool read_pointer(const uint8_t *code, size_t size, size_t *at, gs_name *name) {
  name->kind = GS_NAME_POINTER;
  name->bits = 64;
  return read_u32(code, size, at, &name->param) && read_u32(code, size, at, &name->offset);
}

bool gs_bc_decode(const uint8_t *code, size_t size, size_t at, gs_bc_insn *insn) {
  uint64_t raw;
  bool ok = false;
  memset(insn, 0, sizeof *insn);
  if (at >= size)
    return false;
  insn->op = (gs_bc_op)code[at++];
  switch (gs_bc_shape_of(insn->op)) {
  case GS_BC_SHAPE_NONE:
    return false;
  case GS_BC_SHAPE_INT: // zigzag, so that small negative numbers stay short
    ok = read_varint(code, size, &at, &raw);
    if (ok)
      insn->value = (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
    break;
  case GS_BC_SHAPE_NAME:
    ok = read_name(code, size, &at, &insn->name);
    break;
  case GS_BC_SHAPE_POINTER:
    ok = read_pointer(code, size, &at, &insn->name);
    break;
  case GS_BC_SHAPE_SKIP:
    ok = read_u32(code, size, &at, &insn->skip);
    break;
  case GS_BC_SHAPE_OPERATOR:
  case GS_BC_SHAPE_BOOL:
    ok = true;
    break;
  }
  insn->end = at;
  return ok;
}

// ---------------------------------------------------------------- verify ----

/// A jump whose target lies ahead; targets are nested like the expressions.
typedef struct pending {
  size_t target;
  unsigned depth; ///< of the stack at the target
  bool is_cond;   ///< of COND: a JUMP stands right before the target
} pending;

typedef struct verifier {
  const uint8_t *code;
  size_t size, at;
  gs_param_size sizes;
  const void *user;
  unsigned depth, limit;
  pending jumps[GS_CLAUSE_MAX_DEPTH];
  unsigned jump_count;
} verifier;

/// Bytes that hold an integer of that many bits.
static uint32_t storage(uint32_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

static bool fits(const verifier *v, const gs_name *name) {
  if (name->kind != GS_NAME_PARAM && name->kind != GS_NAME_POINTER)
    return true;
  uint32_t size = v->sizes ? v->sizes(v->user, name->param) : 0, need = storage(name->bits);
  return size >= need && name->offset <= size - need;
}

static bool push(verifier *v) {
  v->depth++;
  return v->depth <= v->limit;
}

static bool pop(verifier *v, unsigned count) {
  if (v->depth < count)
    return false;
  v->depth -= count;
  return true;
}

static bool add_jump(verifier *v, const gs_bc_insn *insn, unsigned depth) {
  size_t target = insn->end + insn->skip;
  bool nested = v->jump_count == 0 || target <= v->jumps[v->jump_count - 1].target;
  if (insn->skip == 0 || target > v->size || !nested ||
      v->jump_count == sizeof v->jumps / sizeof *v->jumps)
    return false;
  v->jumps[v->jump_count++] = (pending){target, depth, insn->op == GS_BC_COND};
  return true;
}

/// JUMP ends the first arm of the innermost COND, whose second arm follows.
static bool step_jump(verifier *v, const gs_bc_insn *insn) {
  const pending *cond = v->jump_count > 0 ? &v->jumps[v->jump_count - 1] : NULL;
  unsigned depth = v->depth;
  if (!cond || !cond->is_cond || cond->target != insn->end)
    return false;
  v->depth = cond->depth;
  v->jump_count--;
  return depth == v->depth + 1 && add_jump(v, insn, depth);
}

static bool step_skip(verifier *v, const gs_bc_insn *insn) {
  if (insn->op == GS_BC_JUMP)
    return step_jump(v, insn);
  // AND and OR leave their verdict on the stack when they jump.
  return pop(v, 1) && add_jump(v, insn, insn->op == GS_BC_COND ? v->depth : v->depth + 1);
}

/// Joins the jumps that end here with what falls through.
static bool land(verifier *v) {
  while (v->jump_count > 0 && v->jumps[v->jump_count - 1].target == v->at) {
    const pending *jump = &v->jumps[--v->jump_count];
    if (jump->is_cond || jump->depth != v->depth)
      return false;
  }
  // What was passed over would land inside an instruction.
  return v->jump_count == 0 || v->jumps[v->jump_count - 1].target > v->at;
}

static bool step(verifier *v, const gs_bc_insn *insn) {
  switch (gs_bc_shape_of(insn->op)) {
  case GS_BC_SHAPE_NONE:
    return false;
  case GS_BC_SHAPE_INT:
    return push(v);
  case GS_BC_SHAPE_NAME:
    return fits(v, &insn->name) && push(v);
  case GS_BC_SHAPE_OPERATOR:
    return pop(v, gs_bc_pops(insn->op)) && push(v);
  case GS_BC_SHAPE_POINTER:
    return fits(v, &insn->name) && pop(v, gs_bc_pops(insn->op)) && push(v);
  case GS_BC_SHAPE_SKIP:
    return step_skip(v, insn);
  case GS_BC_SHAPE_BOOL:
    return v->depth > 0;
  }
  return false;
}

static bool verify_all(verifier *v) {
  if (v->size < GS_BC_HEADER || v->size > GS_BYTECODE_MAX_SIZE ||
      v->code[0] != GS_BYTECODE_VERSION || v->code[1] == 0)
    return false;
  v->limit = v->code[1];
  v->at = GS_BC_HEADER;
  while (v->at < v->size) {
    gs_bc_insn insn;
    if (!gs_bc_decode(v->code, v->size, v->at, &insn) || !step(v, &insn))
      return false;
    v->at = insn.end;
    if (!land(v))
      return false;
  }
  return v->depth == 1 && v->jump_count == 0;
}

gs_status gs_bytecode_verify(const uint8_t *code, size_t size, gs_param_size sizes,
                             const void *user, size_t *where) {
  verifier v;
  v.code = code;
  v.size = size;
  v.at = 0;
  v.sizes = sizes;
  v.user = user;
  v.depth = v.jump_count = 0;
  bool ok = verify_all(&v);
  if (where)
    *where = v.at;
  return ok ? GS_OK : GS_ERROR_INPUT;
}

bool gs_bytecode_next_name(const uint8_t *code, size_t size, size_t *at, gs_name *name) {
  gs_bc_insn insn;
  if (*at < GS_BC_HEADER)
    *at = GS_BC_HEADER;
  while (gs_bc_decode(code, size, *at, &insn)) {
    gs_bc_shape shape = gs_bc_shape_of(insn.op);
    *at = insn.end;
    if (shape == GS_BC_SHAPE_NAME || shape == GS_BC_SHAPE_POINTER) {
      *name = insn.name;
      return true;
    }
  }
  return false;
}

// ----------------------------------------------------------------- print ----

static void print_name(const gs_name *name, char *out, size_t size) {
  static const char *const kinds[] = {"param",     "pointer",    "constant",     "block",
                                      "grid",      "cluster",    "dynamic_smem", "cc",
                                      "warp_size", "cooperative"};
  const char *kind = kinds[name->kind];
  if (name->kind == GS_NAME_PARAM)
    snprintf(out, size, "%s %u+%u %c%u", kind, name->param, name->offset,
             name->is_signed ? 'i' : 'u', name->bits);
  else if (name->kind == GS_NAME_POINTER)
    snprintf(out, size, "%s %u+%u", kind, name->param, name->offset);
  else if (name->kind == GS_NAME_BLOCK || name->kind == GS_NAME_GRID ||
           name->kind == GS_NAME_CLUSTER)
    snprintf(out, size, "%s.%c", kind, (char)('x' + name->axis));
  else
    snprintf(out, size, "%s", kind);
}

static void print_insn(const gs_bc_insn *insn, char *out, size_t size) {
  char name[64] = "";
  const char *op = insn->op == GS_BC_BOOL   ? "BOOL"
                   : insn->op == GS_BC_JUMP ? "JUMP"
                                            : gs_expr_op_name((gs_expr_op)insn->op);
  gs_bc_shape shape = gs_bc_shape_of(insn->op);
  if (shape == GS_BC_SHAPE_NAME || shape == GS_BC_SHAPE_POINTER)
    print_name(&insn->name, name, sizeof name);
  else if (shape == GS_BC_SHAPE_INT)
    snprintf(name, sizeof name, "%lld", (long long)insn->value);
  else if (shape == GS_BC_SHAPE_SKIP)
    snprintf(name, sizeof name, "to %zu", insn->end + insn->skip);
  snprintf(out, size, "%s%s%s", op, *name ? " " : "", name);
}

size_t gs_bytecode_print(const uint8_t *code, size_t size, char *buffer, size_t capacity) {
  size_t length = 0, at = GS_BC_HEADER;
  char text[128], line[160];
  bool more = size >= GS_BC_HEADER;
  if (capacity > 0)
    buffer[0] = '\0';
  while (more && at < size) {
    gs_bc_insn insn;
    more = gs_bc_decode(code, size, at, &insn);
    if (more)
      print_insn(&insn, text, sizeof text);
    int n = snprintf(line, sizeof line, "%zu %s\n", at, more ? text : "malformed");
    for (int i = 0; i < n; i++, length++)
      if (length + 1 < capacity) {
        buffer[length] = line[i];
        buffer[length + 1] = '\0';
      }
    at = insn.end;
  }
  return length;
}
