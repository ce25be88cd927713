// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From a clause to bytecode.
#include "bytecode_format.h"

#include <stdlib.h>
#include <string.h>

typedef struct compiler {
  const gs_clause *clause;
  uint8_t *bytes;
  size_t size, capacity;
  unsigned depth, deepest; ///< of the stack
  gs_status status;
} compiler;

static void put(compiler *c, uint8_t byte) {
  if (c->size >= GS_BYTECODE_MAX_SIZE) {
    c->status = c->status ? c->status : GS_ERROR_LIMIT;
    return;
  }
  if (c->size == c->capacity) {
    size_t capacity = c->capacity ? c->capacity * 2 : 64;
    uint8_t *bytes = realloc(c->bytes, capacity);
    if (!bytes) {
      c->status = c->status ? c->status : GS_ERROR_MEMORY;
      return;
    }
    c->bytes = bytes;
    c->capacity = capacity;
  }
  c->bytes[c->size++] = byte;
}

static void put_varint(compiler *c, uint64_t value) {
  for (; value > 0x7F; value >>= 7)
    put(c, (uint8_t)(value | 0x80));
  put(c, (uint8_t)value);
}

static void put_int(compiler *c, int64_t value) {
  uint64_t sign = value < 0 ? UINT64_MAX : 0;
  put(c, GS_BC_INT);
  put_varint(c, ((uint64_t)value << 1) ^ sign);
}

static void moved(compiler *c, unsigned pops, unsigned pushes) {
  c->depth = c->depth - pops + pushes;
  if (c->depth > c->deepest)
    c->deepest = c->depth;
}

/// Writes LEB128. \returns its length.
static size_t encode(uint64_t value, uint8_t *out) {
  size_t length = 0;
  for (; value > 0x7F; value >>= 7)
    out[length++] = (uint8_t)(value | 0x80);
  out[length++] = (uint8_t)value;
  return length;
}

/// Inserts bytes at `at`. Skips are relative, so what moves stays right.
static void insert(compiler *c, size_t at, const uint8_t *bytes, size_t length) {
  size_t tail = c->size - at;
  for (size_t i = 0; i < length; i++)
    put(c, 0);
  if (c->status != GS_OK)
    return;
  memmove(c->bytes + at + length, c->bytes + at, tail);
  memcpy(c->bytes + at, bytes, length);
}

static void compile(compiler *c, uint32_t index);

static void compile_name(compiler *c, const gs_name *name) {
  if (name->kind == GS_NAME_CONSTANT) {
    put_int(c, name->value);
    return;
  }
  put(c, GS_BC_NAME);
  put(c, (uint8_t)name->kind);
  if (name->kind == GS_NAME_PARAM) {
    put_varint(c, name->param);
    put_varint(c, name->offset);
    put(c, (uint8_t)((name->bits - 1) | (name->is_signed ? 0x40u : 0u)));
  } else if (name->kind == GS_NAME_BLOCK || name->kind == GS_NAME_GRID ||
             name->kind == GS_NAME_CLUSTER)
    put(c, (uint8_t)name->axis);
}

/// a, AND skip, b, BOOL: the skip leads behind BOOL and is known only then.
static void compile_junction(compiler *c, const gs_expr *node) {
  uint8_t bytes[10];
  compile(c, node->args[0]);
  put(c, (uint8_t)node->op);
  moved(c, 1, 0);
  size_t at = c->size;
  compile(c, node->args[1]);
  put(c, GS_BC_BOOL);
  insert(c, at, bytes, encode(c->size - at, bytes));
}

/// c, COND skip, a, JUMP skip, b: COND leads to b, JUMP behind it.
static void compile_conditional(compiler *c, const gs_expr *node) {
  uint8_t bytes[11] = {GS_BC_JUMP};
  compile(c, node->args[0]);
  put(c, GS_BC_COND);
  moved(c, 1, 0);
  size_t at = c->size;
  compile(c, node->args[1]);
  moved(c, 1, 0);
  size_t end = c->size;
  compile(c, node->args[2]);
  size_t jump = 1 + encode(c->size - end, bytes + 1);
  insert(c, end, bytes, jump);
  insert(c, at, bytes, encode(end + jump - at, bytes));
}

static void compile_pointer(compiler *c, const gs_expr *node) {
  unsigned arity = gs_expr_op_arity(node->op);
  const gs_name *name = &c->clause->nodes[node->args[0]].name;
  for (unsigned i = 1; i < arity; i++)
    compile(c, node->args[i]);
  put(c, (uint8_t)node->op);
  put_varint(c, name->param);
  put_varint(c, name->offset);
  moved(c, arity - 1, 1);
}

/// Recursion is bounded by GS_CLAUSE_MAX_DEPTH.
static void compile(compiler *c, uint32_t index) {
  const gs_expr *node = &c->clause->nodes[index];
  if (c->status != GS_OK)
    return;
  switch (gs_bc_shape_of(node->op)) {
  case GS_BC_SHAPE_INT:
    put_int(c, node->value);
    moved(c, 0, 1);
    break;
  case GS_BC_SHAPE_NAME:
    compile_name(c, &node->name);
    moved(c, 0, 1);
    break;
  case GS_BC_SHAPE_SKIP:
    if (node->op == GS_EXPR_COND)
      compile_conditional(c, node);
    else
      compile_junction(c, node);
    break;
  case GS_BC_SHAPE_POINTER:
    compile_pointer(c, node);
    break;
  case GS_BC_SHAPE_OPERATOR:
    for (unsigned i = 0; i < gs_expr_op_arity(node->op); i++)
      compile(c, node->args[i]);
    put(c, (uint8_t)node->op);
    moved(c, gs_expr_op_arity(node->op), 1);
    break;
  case GS_BC_SHAPE_NONE:
  case GS_BC_SHAPE_BOOL:
    c->status = GS_ERROR_INTERNAL;
    break;
  }
}

gs_status gs_bytecode_compile(const gs_clause *clause, uint8_t *buffer, size_t capacity,
                              size_t *size) {
  compiler c = {.clause = clause};
  put(&c, GS_BYTECODE_VERSION);
  put(&c, 0);
  compile(&c, clause->count - 1);
  if (c.status == GS_OK && c.deepest > GS_BYTECODE_MAX_STACK)
    c.status = GS_ERROR_LIMIT;
  if (c.status == GS_OK) {
    c.bytes[1] = (uint8_t)c.deepest;
    *size = c.size;
    if (buffer && capacity >= c.size)
      memcpy(buffer, c.bytes, c.size);
  }
  free(c.bytes);
  return c.status;
}
