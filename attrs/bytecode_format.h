// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The encoding of instructions; private to attrs/.
#ifndef GS_BYTECODE_FORMAT_H
#define GS_BYTECODE_FORMAT_H

#include "gs_bytecode.h"

enum { GS_BC_HEADER = 2 }; ///< version, stack

/// One byte each. The operators of the language keep their numbers; AND, OR
/// and COND are the jumps that make them short-circuit.
typedef enum gs_bc_op {
#define GS_EXPR(name, arity, text) GS_BC_##name,
#include "contract_ops.def"
  GS_BC_OPERATORS,
  GS_BC_BOOL = 0xF0, ///< top = top != 0
  GS_BC_JUMP = 0xF1  ///< skip bytes
} gs_bc_op;

/// A decoded instruction.
typedef struct gs_bc_insn {
  gs_bc_op op;
  int64_t value; ///< INT
  uint32_t skip; ///< AND, OR, COND, JUMP: bytes to skip, counted from `end`
  gs_name name;  ///< NAME; pointer of ALIGNED and its like
  size_t end;    ///< offset of the next instruction
} gs_bc_insn;

/// How an operator works on the stack.
typedef enum gs_bc_shape {
  GS_BC_SHAPE_NONE, ///< no such instruction
  GS_BC_SHAPE_INT,
  GS_BC_SHAPE_NAME,
  GS_BC_SHAPE_OPERATOR, ///< pops its operands, pushes one value
  GS_BC_SHAPE_POINTER,  ///< pops all but the pointer, pushes one value
  GS_BC_SHAPE_SKIP,
  GS_BC_SHAPE_BOOL
} gs_bc_shape;

gs_bc_shape gs_bc_shape_of(unsigned op);

/// \returns how many stack values an OPERATOR or POINTER instruction pops.
unsigned gs_bc_pops(gs_bc_op op);

/// Decodes the instruction at `at`, whatever the bytes are.
/// \returns false when they are none.
bool gs_bc_decode(const uint8_t *code, size_t size, size_t at, gs_bc_insn *insn);

#endif
