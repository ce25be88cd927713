// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Terms: hash-consed expressions over machine integers.
///
/// A term has a width of 1 to 64 bits and the meaning of the LLVM instruction
/// of the same name on that width (modulo 2^width). Width 1 is a truth value.
/// Terms are 32-bit indices into a store; equal structure is equal index, so
/// a DAG is shared and comparison is `==`. Index 0 is "no term".
#ifndef GS_TERM_H
#define GS_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t gs_term;
#define GS_NO_TERM ((gs_term)0)

typedef enum gs_op {
#define GS_OP(name, arity) GS_OP_##name,
#include "term_ops.def"
  GS_OP_COUNT
} gs_op;

/// Flags of ADD, SUB, MUL, SHL, TRUNC: the exact result fits the signed /
/// unsigned type. Using one in a proof is an assumption or an obligation.
enum { GS_NSW = 1, GS_NUW = 2 };

/// Who can see different values of a symbol.
typedef enum gs_level {
  GS_LEVEL_GRID,  ///< one value for the whole launch
  GS_LEVEL_BLOCK, ///< one value for each block
  GS_LEVEL_WARP,  ///< one value for each warp of 32 threads
  GS_LEVEL_THREAD ///< one value for each thread (and instance)
} gs_level;

typedef enum gs_sym_kind {
  GS_SYM_TID,    ///< threadIdx; index = axis
  GS_SYM_CTAID,  ///< blockIdx
  GS_SYM_NTID,   ///< blockDim
  GS_SYM_NCTAID, ///< gridDim
  GS_SYM_PARAM,  ///< bytes of a kernel parameter; index = parameter, offset = byte
  GS_SYM_BASE,   ///< address of an object; index = object
  GS_SYM_LOOP,   ///< trip number of a loop, from 0; index = loop
  GS_SYM_PHI,    ///< place holder of a loop-carried value during lowering
  GS_SYM_LAUNCH, ///< other launch values; index = gs_launch_value
  GS_SYM_OPAQUE  ///< anything the analysis does not know; `reason` says what
} gs_sym_kind;

typedef enum gs_launch_value {
  GS_LAUNCH_DYNAMIC_SMEM,
  GS_LAUNCH_CLUSTER_X,
  GS_LAUNCH_CLUSTER_Y,
  GS_LAUNCH_CLUSTER_Z,
  GS_LAUNCH_COOPERATIVE,
  GS_LAUNCH_CC = 1000,
  GS_LAUNCH_EXTENT = 1 << 30 ///< + parameter << 16 + byte of the pointer: elements of its allocation
} gs_launch_value;

/// A free variable. `lo` and `hi` bound its unsigned value (inclusive).
typedef struct gs_sym {
  gs_sym_kind kind;
  gs_level level;
  uint32_t index;
  uint32_t offset;
  uint32_t loop;   ///< innermost loop it belongs to + 1; 0 = none
  uint32_t copy;   ///< 0 as lowered; 1, 2 the two threads of a query; more for exits
  uint32_t origin; ///< symbol it is a copy of, or itself
  uint8_t width;
  bool exact;       ///< the program may really have every value in [lo, hi]
  bool is_signed;   ///< PARAM: for printing
  bool is_address;    ///< where an object starts; objects do not wrap around the address space
  uint64_t lo, hi;
  const char *name;   ///< for messages; owned by the store
  const char *reason; ///< OPAQUE: why it is unknown, "" = every value in [lo, hi] happens
                      ///< for some lane; else NULL
} gs_sym;

/// A node. `value` is the constant, or the symbol's index for SYM.
typedef struct gs_node {
  uint8_t op;
  uint8_t width;
  uint8_t flags;
  uint8_t level; ///< gs_level: the highest of its symbols
  uint32_t arg[3];
  uint32_t origin; ///< place that made it (see the lowering's tables); not compared
  uint64_t value;
} gs_node;

typedef struct gs_terms gs_terms;

/// \returns a new store, or NULL when memory is short. An allocation that
/// fails later makes the store "failed": constructors then return GS_NO_TERM
/// and gs_terms_failed tells.
gs_terms *gs_terms_new(void);
void gs_terms_free(gs_terms *terms);
bool gs_terms_failed(const gs_terms *terms);
size_t gs_terms_count(const gs_terms *terms);

const gs_node *gs_term_node(const gs_terms *terms, gs_term t);
static inline bool gs_term_is(const gs_terms *terms, gs_term t, gs_op op) {
  return gs_term_node(terms, t)->op == op;
}
uint8_t gs_term_width(const gs_terms *terms, gs_term t);
/// \returns true and the value (zero-extended) when t is a constant.
bool gs_term_const(const gs_terms *terms, gs_term t, uint64_t *value);
/// The value of a w-bit pattern read as signed.
int64_t gs_sign_extend(uint64_t value, uint8_t width);
uint64_t gs_mask(uint8_t width);

// Constructors simplify locally (constants, identities) and are exact.
gs_term gs_mk_const(gs_terms *terms, uint64_t value, uint8_t width);
gs_term gs_mk_bool(gs_terms *terms, bool value);
/// What a symbol is a function of.
typedef struct gs_dependence {
  uint32_t sym;
  gs_term on;
} gs_dependence;

/// Raises the level of each symbol to those of what it depends on, and of what is made of it.
/// Loops are fine: the lowest levels that fit.
void gs_terms_raise_levels(gs_terms *terms, const gs_dependence *all, uint32_t count);

/// A new symbol; *proto is copied (name and reason too). proto->origin is set.
gs_term gs_mk_sym(gs_terms *terms, const gs_sym *proto);
/// Operators of two operands of one width (comparisons give width 1).
gs_term gs_mk_bin(gs_terms *terms, gs_op op, gs_term a, gs_term b);
/// The same with flags and the place it comes from.
gs_term gs_mk_bin_flags(gs_terms *terms, gs_op op, gs_term a, gs_term b, uint8_t flags,
                        uint32_t origin);
gs_term gs_mk_not(gs_terms *terms, gs_term a); ///< bitwise; on width 1 logical
gs_term gs_mk_and(gs_terms *terms, gs_term a, gs_term b);
gs_term gs_mk_or(gs_terms *terms, gs_term a, gs_term b);
gs_term gs_mk_ite(gs_terms *terms, gs_term c, gs_term a, gs_term b);
/// ZEXT, SEXT or TRUNC to `width`; TRUNC and extension to the same width is the term.
gs_term gs_mk_cast(gs_terms *terms, gs_op op, gs_term a, uint8_t width);
/// TRUNC with flags.
gs_term gs_mk_trunc_flags(gs_terms *terms, gs_term a, uint8_t width, uint8_t flags,
                          uint32_t origin);
/// CTLZ, CTPOP, BITREVERSE (same width; CTLZ of 0 is the width).
gs_term gs_mk_un(gs_terms *terms, gs_op op, gs_term a);
/// Contents of memory that nothing in the launch writes: `width` bits at byte
/// `address` (a 64-bit pointer term). Equal addresses give equal values.
gs_term gs_mk_load(gs_terms *terms, gs_term address, uint8_t width, uint32_t origin);

/// Exactly this operator, without any simplification: reads back what was printed.
/// `node->level` is not looked at. \returns GS_NO_TERM when operands, widths or flags
/// do not fit the operator; CONST and SYM have constructors of their own.
gs_term gs_mk_exact(gs_terms *terms, const gs_node *node);

uint32_t gs_sym_count(const gs_terms *terms);
const gs_sym *gs_sym_get(const gs_terms *terms, uint32_t sym);
/// For lowering: narrows the range or sets the reason of an existing symbol.
gs_sym *gs_sym_edit(gs_terms *terms, uint32_t sym);
/// The SYM term of a symbol.
gs_term gs_sym_term(const gs_terms *terms, uint32_t sym);

/// Replaces symbols: map[s] is the term for symbol s, or GS_NO_TERM to keep it.
/// `map` has `count` entries; symbols beyond keep their meaning.
/// Memoised inside the call; linear in the size of the DAG.
gs_term gs_term_subst(gs_terms *terms, gs_term t, const gs_term *map, uint32_t count);

/// A substitution that keeps its memory over many terms.
typedef struct gs_subst gs_subst;
/// `map` must stay valid and unchanged until gs_subst_free.
gs_subst *gs_subst_new(gs_terms *terms, const gs_term *map, uint32_t count);
gs_term gs_subst_apply(gs_subst *subst, gs_term t);
/// From now on LOADs become 0: contents that memory may have.
void gs_subst_zero_loads(gs_subst *subst);
void gs_subst_free(gs_subst *subst);

/// Marks in `seen` (an array of gs_sym_count bytes) every symbol t contains.
void gs_term_syms(const gs_terms *terms, gs_term t, unsigned char *seen);

/// Number of distinct terms below t, t included; 0 when memory is short.
size_t gs_term_size(const gs_terms *terms, gs_term t);

/// Marks in `seen` (an array of gs_terms_count bytes) every term below t.
void gs_term_mark(const gs_terms *terms, gs_term t, unsigned char *seen);

/// Rebuilds t without the flags of the nodes for which `keep` says false.
typedef bool (*gs_keep_fn)(void *user, gs_term t, const gs_node *node);
gs_term gs_term_drop_flags(gs_terms *terms, gs_term t, gs_keep_fn keep, void *user);

/// Concrete evaluation. values[s] is the value of symbol s; `load` gives the
/// contents for LOAD nodes (address value, width). \returns false when a
/// division by zero or an out-of-range shift makes the result undefined.
typedef uint64_t (*gs_load_fn)(void *user, uint64_t address, uint8_t width);
bool gs_term_eval(const gs_terms *terms, gs_term t, const uint64_t *values, gs_load_fn load,
                  void *user, uint64_t *out);

/// Prints a term (as an s-expression with names) into buffer like snprintf.
size_t gs_term_print(const gs_terms *terms, gs_term t, char *buffer, size_t size);

#endif
