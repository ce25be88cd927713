// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the generator.
#ifndef FZ_MAKE_H
#define FZ_MAKE_H

#include "kernel.h"

typedef struct fz_maker {
  fz_kernel *k;
  fz_random r;
  uint32_t depth; ///< of statements
  uint32_t loops; ///< around here
  uint32_t reserved; ///< bit set: a loop around here counts with this variable
  bool in_switch;
  bool warps; ///< warps synchronise: __syncwarp, votes, shuffles
  fz_node *forms[3]; ///< indices that a skeleton's accesses share
  uint32_t array;    ///< of a skeleton
} fz_maker;

fz_node *fz_const(fz_kernel *k, int64_t value);
fz_node *fz_var_of(fz_kernel *k, uint32_t v);
fz_node *fz_sreg(fz_kernel *k, uint32_t which);
fz_node *fz_binary(fz_kernel *k, uint32_t op, fz_node *a, fz_node *b);
fz_node *fz_one(fz_kernel *k, fz_kind kind, int64_t value, uint32_t op, fz_node *a);

/// Variables of every kernel: 0 the thread's number in its block, 1 in the grid.
enum { FZ_V_THREAD, FZ_V_GLOBAL, FZ_V_FIRST_FREE };

/// Any small expression.
fz_node *fz_any(fz_maker *m, int depth);
/// An expression that is often an element of its own for each thread.
fz_node *fz_index(fz_maker *m, const fz_array *a);
fz_node *fz_condition(fz_maker *m);
/// A parameter or a constant.
fz_node *fz_size(fz_maker *m);
/// Statements, appended at *tail; returns the new tail.
fz_node **fz_statements(fz_maker *m, uint32_t count, fz_node **tail);
/// An expression that all threads of a block (nearly always) agree on.
fz_node *fz_uniform(fz_maker *m);
/// Uniform control around accesses that share a few indices, with barriers between.
fz_node **fz_skeleton(fz_maker *m, fz_node **tail);
/// A barrier: of the block, or where warps synchronise mostly of a warp.
fz_node *fz_sync(fz_maker *m);
/// A test that threads of a warp (nearly always) agree on.
fz_node *fz_warp_test(fz_maker *m);
/// An index of an element of the thread's own warp (mostly).
fz_node *fz_warp_index(fz_maker *m);
/// Writes and reads through warp indices with barriers of warps between, right or nearly.
fz_node **fz_warp_exchange(fz_maker *m, fz_node **tail);
/// A known algorithm, right or nearly.
fz_node **fz_idiom(fz_maker *m, fz_node **tail);
/// An array of one of the spaces in the set of bits; UINT32_MAX when there is none.
uint32_t fz_pick_array(fz_maker *m, uint32_t spaces, bool writable);
/// As what type an access to the array is made; FZ_I32: as its element.
fz_type fz_access_type(fz_maker *m, uint32_t array);
/// Fills kid[0] (and kid[1]) of an element's node.
void fz_element(fz_maker *m, fz_node *n);

#endif
