// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Terms compiled for evaluation at many points: a flat list of operations that
/// each work on a row of GS_LANES values. Private to the enumeration tier.
#ifndef GS_ENUMERATE_PROGRAM_H
#define GS_ENUMERATE_PROGRAM_H

#include "term.h"

enum { GS_LANES = 64 };

typedef struct gs_row {
  uint64_t value[GS_LANES];
} gs_row;

typedef struct gs_instruction {
  uint8_t op;       ///< gs_op; SYM rows are filled by the caller
  uint8_t width;    ///< of the result
  uint8_t in_width; ///< of the first operand
  uint32_t arg[3];  ///< rows
  uint64_t value;   ///< CONST: the value; SYM: the symbol
} gs_instruction;

typedef struct gs_enum_program {
  gs_instruction *code; ///< instruction i fills row i
  gs_row *rows;
  uint64_t *undefined; ///< by row: bit l set = lane l has no value; NULL when no
                       ///< operation of the program can fail
  uint32_t *root;      ///< rows of the roots
  uint32_t count;
} gs_enum_program;

/// \returns false when memory is short or a term has a LOAD; free in either case.
bool gs_enum_program_compile(const gs_terms *terms, const gs_term *roots, uint32_t root_count,
                        gs_enum_program *out);
void gs_enum_program_free(gs_enum_program *program);
/// Evaluates all lanes. Rows of SYM instructions must be filled. An operation has
/// a value where gs_term_eval gives it one.
void gs_enum_program_run(gs_enum_program *program);
/// Bit l set: the row has no value in lane l.
static inline uint64_t gs_enum_program_undefined(const gs_enum_program *program, uint32_t row) {
  return program->undefined ? program->undefined[row] : 0;
}

#endif
