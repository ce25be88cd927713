// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A prepared kernel as a flat register program, made by ir/decode.c and run by
/// replay.c. Nothing here knows LLVM.
///
/// Addresses are 64-bit numbers. Each object has a window of 2^40 bytes and begins in
/// its middle, so that an index that runs out of its object by less than 2^39 bytes
/// is seen as what it is. Shared and local variables are at the same addresses in all
/// blocks and threads, each with its own memory behind them.
#ifndef GS_CODE_H
#define GS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gs_code_op {
#define GS_CODE(name, text) GS_CODE_##name,
#include "opcodes.def"
  GS_CODE_COUNT
} gs_code_op;

typedef enum gs_code_compare {
  GS_COMPARE_EQ,
  GS_COMPARE_NE,
  GS_COMPARE_UGT,
  GS_COMPARE_UGE,
  GS_COMPARE_ULT,
  GS_COMPARE_ULE,
  GS_COMPARE_SGT,
  GS_COMPARE_SGE,
  GS_COMPARE_SLT,
  GS_COMPARE_SLE
} gs_code_compare;

typedef enum gs_code_special {
  GS_SPECIAL_TID, ///< + axis
  GS_SPECIAL_CTAID = 3,
  GS_SPECIAL_NTID = 6,
  GS_SPECIAL_NCTAID = 9,
  GS_SPECIAL_LANE = 12,
  GS_SPECIAL_ACTIVE, ///< lanes of the warp that exist
  GS_SPECIAL_MASK    ///< + 0 to 4: the lanes that are equal, less or equal, less, greater or
                     ///< equal, greater
} gs_code_special;

typedef enum gs_code_atomic {
  GS_ATOMIC_XCHG,
  GS_ATOMIC_ADD,
  GS_ATOMIC_SUB,
  GS_ATOMIC_AND,
  GS_ATOMIC_OR,
  GS_ATOMIC_XOR,
  GS_ATOMIC_SMAX,
  GS_ATOMIC_SMIN,
  GS_ATOMIC_UMAX,
  GS_ATOMIC_UMIN,
  GS_ATOMIC_FADD,
  GS_ATOMIC_INC,
  GS_ATOMIC_DEC
} gs_code_atomic;

typedef enum gs_code_vote {
  GS_VOTE_NONE,
  GS_VOTE_COUNT,
  GS_VOTE_ALL,
  GS_VOTE_ANY,
  GS_VOTE_UNI,
  GS_VOTE_BALLOT
} gs_code_vote;

typedef enum gs_code_shuffle {
  GS_SHUFFLE_UP,
  GS_SHUFFLE_DOWN,
  GS_SHUFFLE_BFLY,
  GS_SHUFFLE_IDX
} gs_code_shuffle;

// Flags of an instruction.
enum {
  GS_CODE_NSW = 1,     ///< signed overflow is an event
  GS_CODE_NUW = 2,     ///< unsigned overflow is an event of another front end's flag
  GS_CODE_ATOMIC_ACCESS = 4, ///< LOAD, STORE
  GS_CODE_BLOCK_SCOPE = 8,   ///< atomics, FENCE
  GS_CODE_POINTER = 16, ///< SCALE: signed overflow is an event of pointer arithmetic
  GS_CODE_BFLOAT = 32   ///< 16-bit floats are bfloat, else IEEE half
};

typedef struct gs_code_insn {
  uint16_t op;   ///< gs_code_op
  uint8_t width; ///< bits
  uint8_t flags;
  uint32_t dst, a, b, c; ///< registers, but for targets
  uint64_t imm;
  uint32_t line; ///< 0 = unknown
  uint32_t file; ///< of gs_code.files
} gs_code_insn;

typedef enum gs_window_kind {
  GS_WINDOW_GLOBAL,  ///< device global, or a buffer of the launch
  GS_WINDOW_CONSTANT,
  GS_WINDOW_SHARED,  ///< one for each block
  GS_WINDOW_DYNAMIC, ///< the same, of the size that the launch says
  GS_WINDOW_LOCAL    ///< one for each thread
} gs_window_kind;

typedef struct gs_window {
  gs_window_kind kind;
  uint64_t size;       ///< bytes
  char *name;          ///< owned; "" when it has none
  uint8_t *init;       ///< owned; `size` bytes it starts with; NULL: arbitrary
} gs_window;

/// A parameter of the kernel: registers [reg, reg + leaves) or, by value in memory,
/// a LOCAL window that starts with its bytes.
typedef struct gs_code_param {
  uint32_t reg, leaves, size;
  uint32_t window; ///< GS_NO_WINDOW: in registers
  uint32_t *offsets, *widths; ///< owned; of each leaf: bytes into the argument, bits
} gs_code_param;

#define GS_NO_WINDOW UINT32_MAX

/// Numbers of barriers: those of PTX, and that of the block's cluster.
enum { GS_BARRIER_CLUSTER = 16, GS_BARRIER_NUMBERS };

typedef struct gs_code {
  gs_code_insn *insns;
  uint32_t insn_count;
  uint32_t reg_count;
  uint64_t *image; ///< what the registers of a thread start with
  gs_window *windows;
  uint32_t window_count;
  gs_code_param *params;
  uint32_t param_count;
  bool wide;      ///< has barriers that order some threads of several warps
  bool syncs_grid; ///< has a barrier of the grid
  bool fences;     ///< has a fence
  char **files; ///< owned; the first is "", unknown
  uint32_t file_count;
} gs_code;

#define GS_WINDOW_BITS 40

/// The address where window `w` begins.
static inline uint64_t gs_window_address(uint32_t w) {
  return ((uint64_t)(w + 1) << GS_WINDOW_BITS) + (UINT64_C(1) << (GS_WINDOW_BITS - 1));
}
/// The window that an address lies in; may be past the last.
static inline uint32_t gs_address_window(uint64_t address) {
  return (uint32_t)(address >> GS_WINDOW_BITS) - 1;
}

/// The bits of a float of 16 (half, or bfloat), 32 or 64 bits that is nearest to `value`, ties to
/// even.
uint64_t gs_float_bits(double value, uint32_t width, bool bfloat);

void gs_code_free(gs_code *code);
/// The program as text, one instruction a line. NULL when memory is short; free().
char *gs_code_dump(const gs_code *code);

#endif
