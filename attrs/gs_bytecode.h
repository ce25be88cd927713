// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clauses as bytecode: what descriptors carry and the runtime evaluates.
///
/// A program is a byte string: a version, the size of the stack it needs, and
/// postfix instructions (format: attrs/CONTRACTS.md). The evaluator trusts a
/// program that gs_bytecode_verify accepted, allocates nothing and calls back
/// only for pointers. Arithmetic is checked 64-bit: what does not fit is a
/// violation, never a wrapped number.
#ifndef GS_BYTECODE_H
#define GS_BYTECODE_H

#include "gs_contract.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GS_BYTECODE_VERSION 1
#define GS_BYTECODE_MAX_STACK 255
#define GS_BYTECODE_MAX_SIZE 65536 ///< bytes

/// Why a clause has no value. The numbers are pinned.
typedef enum gs_eval_code {
  GS_EVAL_OK = 0,
  GS_EVAL_OVERFLOW = 1,         ///< a result outside of 64 signed bits
  GS_EVAL_DIVISION_BY_ZERO = 2, ///< / % ceil_div
  GS_EVAL_SHIFT = 3,            ///< shift by less than 0 or more than 62
  GS_EVAL_NEGATIVE = 4,         ///< negative operand of a bit operation or shift
  GS_EVAL_UNSIGNED = 5,         ///< unsigned 64-bit parameter above the signed range
  GS_EVAL_ARGUMENT = 6,         ///< aligned(p, n) with n < 1; a data fact with n < 0
  GS_EVAL_UNAVAILABLE = 7,      ///< what a pointer points to cannot be found out
  GS_EVAL_MALFORMED = 8         ///< the program was not verified
} gs_eval_code;

/// \returns a phrase for messages, e.g. "a division by zero".
const char *gs_eval_code_text(gs_eval_code code);

/// Answers aligned, extent and the data facts about a pointer argument.
/// \param op   GS_EXPR_ALIGNED (args: n), GS_EXPR_EXTENT (none; elements from
///             the pointer to the end of its allocation), GS_EXPR_INJECTIVE …
///             GS_EXPR_IN_RANGE (args: n, low, high as the function has them)
/// \param name POINTER: parameter index and byte offset inside the parameter
typedef gs_eval_code (*gs_pointer_query)(void *user, gs_expr_op op, const gs_name *name,
                                         const int64_t *args, int64_t *value);

/// A launch, as clauses see it.
typedef struct gs_eval_env {
  int64_t block[3], grid[3], cluster[3];
  int64_t dynamic_smem; ///< bytes
  int64_t cc;           ///< 90 for 9.0
  int64_t warp_size;
  int64_t cooperative;       ///< 0 or 1
  const void *const *params; ///< address of each argument, as cudaLaunchKernel takes them
  uint32_t param_count;
  gs_pointer_query query; ///< NULL: GS_EVAL_UNAVAILABLE
  void *user;             ///< of query
} gs_eval_env;

/// A clause's outcome. When the value comes from a comparison, its sides are kept
/// for the message.
typedef struct gs_eval_result {
  gs_eval_code code;
  int64_t value; ///< OK; a clause holds when it is not 0
  uint32_t at;   ///< not OK: the byte of the program that failed
  bool compared; ///< a comparison was made; the last one is kept:
  gs_expr_op compare;
  int64_t left, right;
} gs_eval_result;

/// Sizes in bytes of the kernel's parameters. \returns 0 when there is no such
/// parameter.
typedef uint32_t (*gs_param_size)(const void *user, uint32_t param);

/// Compiles a clause. Shared nodes are compiled once for each use.
/// \param buffer receives the program; NULL or too small: only *size is set.
/// \param size   receives the size in bytes of the whole program.
/// \returns GS_ERROR_LIMIT when it exceeds the limits above.
gs_status gs_bytecode_compile(const gs_clause *clause, uint8_t *buffer, size_t capacity,
                              size_t *size);

/// Checks that every run of the program is safe: known instructions, operands
/// inside the parameters, jumps forward and nested, a stack that fits and ends
/// with one value. Linear, allocates nothing.
/// \param where receives the offending byte; may be NULL.
gs_status gs_bytecode_verify(const uint8_t *code, size_t size, gs_param_size sizes,
                             const void *user, size_t *where);

/// Runs a verified program. Deterministic; allocates nothing; never fails but
/// through result->code.
void gs_bytecode_eval(const uint8_t *code, size_t size, const gs_eval_env *env,
                      gs_eval_result *result);

/// An instruction decoded for speed; its fields are the evaluator's business.
typedef struct gs_insn {
  uint8_t op, type;
  uint32_t param;
  union {
    int64_t value;
    struct {
      uint32_t offset, skip;
    } at;
  } u;
} gs_insn;

/// Decodes a verified program for programs that run often.
/// \param insns receives up to `capacity`; may be NULL. \returns how many there are.
size_t gs_bytecode_decode(const uint8_t *code, size_t size, gs_insn *insns, size_t capacity);
/// Runs a decoded program. The result is that of gs_bytecode_eval, but for `at`, which
/// counts instructions.
void gs_insns_eval(const gs_insn *insns, size_t count, const gs_eval_env *env,
                   gs_eval_result *result);

/// Steps through the launch values, parameters and pointers of a program that
/// was verified. Start with *at = 0. \returns false at the end.
bool gs_bytecode_next_name(const uint8_t *code, size_t size, size_t *at, gs_name *name);

/// The value of one name, as a program would load it; a POINTER's is its address.
/// For messages: names that gs_bytecode_next_name gave.
gs_eval_code gs_name_value(const gs_eval_env *env, const gs_name *name, int64_t *value);

/// Prints one instruction a line, like snprintf. Takes any bytes; stops at the
/// first that is no instruction with a line that says so.
size_t gs_bytecode_print(const uint8_t *code, size_t size, char *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
