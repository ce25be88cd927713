// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random kernels as trees: made, changed, reduced and printed as CUDA.
#ifndef FZ_KERNEL_H
#define FZ_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum fz_type {
  FZ_I8, FZ_U8, FZ_I16, FZ_U16, FZ_I32, FZ_U32, FZ_I64, FZ_U64, FZ_F32, FZ_F64, FZ_TYPES
} fz_type;

typedef enum fz_kind {
  // Expressions.
  FZ_CONST,   ///< value
  FZ_VAR,     ///< variable `value`
  FZ_SCALAR,  ///< parameter or field `value`
  FZ_SREG,    ///< value: fz_sregs
  FZ_BINARY,  ///< op: fz_binaries
  FZ_UNARY,   ///< op: fz_unaries
  FZ_CAST,    ///< to type
  FZ_CHOOSE,  ///< kid[0] ? kid[1] : kid[2]
  FZ_LOAD,    ///< array `value` at kid[0] (and kid[1]); type not FZ_I32: as that type
  FZ_DEREF,   ///< pointer variable `value` at kid[0]
  FZ_CALL,    ///< op: fz_calls; of kid[0] and kid[1]
  // Statements.
  FZ_ASSIGN,  ///< variable `value`, op: 0 "=", else fz_binaries as compound
  FZ_STORE,   ///< array `value` at kid[0] (kid[1]) = kid[2], op as above; type: how wide
  FZ_POKE,    ///< pointer variable `value` at kid[0] = kid[2]
  FZ_AIM,     ///< pointer variable `value` = &array op [kid[0]], or another by kid[1]
  FZ_MOVE,    ///< pointer variable `value` += kid[0]
  FZ_ATOMIC,  ///< op: fz_atomics on array `value` at kid[0] with kid[2]
  FZ_IF,      ///< kid[0], then kid[1], else kid[2]
  FZ_FOR,     ///< variable `value` from kid[0] to kid[1] by kid[2], body kid[3]; op: fz_loops
  FZ_SWITCH,  ///< kid[0]; cases 0, 1 and default: kid[1..3]
  FZ_BARRIER, ///< op: fz_syncs; of kid[0], into variable `value` (named ones: number `value`)
  FZ_RETURN,
  FZ_BREAK,
  FZ_CONTINUE,
  FZ_BLOCK    ///< kid[1]: statements
} fz_kind;

typedef struct fz_node {
  fz_kind kind;
  fz_type type;
  uint32_t op;
  int64_t value;
  struct fz_node *kid[4];
  struct fz_node *next; ///< statement after this one
} fz_node;

typedef enum fz_space {
  FZ_PARAM, FZ_FIELD, FZ_SHARED, FZ_DYNAMIC, FZ_LOCAL, FZ_GLOBAL, FZ_CONSTANT
} fz_space;

typedef enum fz_claim { FZ_NO_CLAIM, FZ_EXTENT, FZ_DISJOINT } fz_claim;

typedef struct fz_array {
  fz_space space;
  fz_type elem;
  uint32_t rows, cols; ///< rows 0: one dimension of `cols` elements
  bool is_const, is_volatile;
  fz_claim claim;  ///< PARAM
  char count[48];  ///< of the claim
} fz_array;

enum { FZ_MAX_ARRAYS = 8, FZ_MAX_SCALARS = 5, FZ_MAX_VARS = 10, FZ_MAX_POINTERS = 2, FZ_MAX_FACTS = 8 };

typedef struct fz_scalar {
  fz_type type;
  bool is_field; ///< of the struct parameter p
} fz_scalar;

typedef struct fz_var {
  fz_type type;
  fz_node *init; ///< NULL: none
} fz_var;

typedef struct fz_arena fz_arena;

typedef struct fz_kernel {
  uint64_t seed;
  uint32_t index; ///< number in its file
  fz_arena *arena;
  fz_array arrays[FZ_MAX_ARRAYS];
  uint32_t array_count;
  fz_scalar scalars[FZ_MAX_SCALARS];
  uint32_t scalar_count;
  fz_var vars[FZ_MAX_VARS];
  uint32_t var_count;
  fz_type pointer_elem[FZ_MAX_POINTERS];
  uint32_t pointer_count;
  char facts[FZ_MAX_FACTS][64];
  uint32_t fact_count;
  uint32_t block[3]; ///< the launches' size; 0: any
  uint32_t grid[3];
  bool flat; ///< reads .x only
  bool whole_launch_bounds;
  fz_node *body;
} fz_kernel;

// ------------------------------------------------------------ randomness ----

typedef struct fz_random {
  uint64_t state;
} fz_random;
uint64_t fz_next(fz_random *r);
/// Uniform below n (n above 0).
uint32_t fz_below(fz_random *r, uint32_t n);
/// True with probability percent / 100.
bool fz_chance(fz_random *r, uint32_t percent);

// --------------------------------------------------------------- kernels ----

fz_kernel *fz_kernel_new(uint64_t seed);
/// A deep copy.
fz_kernel *fz_kernel_copy(const fz_kernel *k);
void fz_kernel_free(fz_kernel *k);
fz_node *fz_node_new(fz_kernel *k, fz_kind kind, fz_type type);
fz_node *fz_node_copy(fz_kernel *k, const fz_node *n);

/// A random kernel of this seed.
fz_kernel *fz_generate(uint64_t seed);
/// Changes something small: a barrier, a statement, a constant, a comparison.
void fz_mutate(fz_kernel *k, fz_random *r);
/// Does it read memory to decide or to compute anything?
bool fz_reads_memory(const fz_kernel *k);

/// Prints the kernel, and what it needs outside, as CUDA.
void fz_print(const fz_kernel *k, FILE *file);
const char *fz_type_name(fz_type type);
uint32_t fz_type_size(fz_type type);
bool fz_type_signed(fz_type type);

/// Kernels that are looked at together.
enum { FZ_CANDIDATES = 24 };
/// \returns the first of the kernels that is still wrong; `count` when none is.
typedef uint32_t fz_still_fn(void *user, fz_kernel *const *kernels, uint32_t count);
/// The smallest kernel found that is still wrong, by leaving things out.
fz_kernel *fz_minimise(const fz_kernel *k, fz_still_fn *still, void *user);

#define FZ_COUNT(a) (sizeof(a) / sizeof *(a))
extern const char *const fz_binaries[20];
extern const char *const fz_unaries[3];
extern const char *const fz_sregs[12];
extern const char *const fz_calls[8];
extern const char *const fz_atomics[8];
extern const char *const fz_loops[6];

enum { // of fz_binaries
  FZ_ADD = 1, FZ_SUB, FZ_MUL, FZ_DIV, FZ_REM, FZ_SHL, FZ_SHR, FZ_AND, FZ_OR, FZ_XOR,
  FZ_LT, FZ_LE, FZ_GT, FZ_GE, FZ_EQ, FZ_NE, FZ_BOTH, FZ_EITHER
};
enum { // of FZ_BARRIER
  FZ_SYNC, FZ_SYNC_COUNT, FZ_SYNC_WARP, FZ_SYNC_MASK, FZ_WARP_ANY, FZ_WARP_BALLOT, FZ_WARP_SHUFFLE,
  FZ_WARP_XOR, FZ_SYNC_NAMED, FZ_ARRIVE, FZ_SYNC_GRID, FZ_SYNCS
};
enum { FZ_UP, FZ_DOWN, FZ_HALVE, FZ_DOUBLE, FZ_TIMES, FZ_DO }; // of fz_loops
enum { FZ_TID, FZ_CTAID = 3, FZ_NTID = 6, FZ_NCTAID = 9 };     // of fz_sregs, + axis

#endif
