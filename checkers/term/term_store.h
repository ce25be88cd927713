// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to term/: the store's representation.
#ifndef GS_TERM_STORE_H
#define GS_TERM_STORE_H

#include "term.h"

struct gs_terms {
  gs_node *nodes;
  uint32_t count, capacity;
  gs_sym *syms;
  gs_term *sym_terms; ///< SYM node of each symbol
  uint32_t sym_count, sym_capacity;
  uint32_t *table; ///< open addressing, 0 = free; size is a power of two
  uint32_t table_size;
  bool failed;
  // Scratch for walks: mark[t] == epoch means visited in this walk.
  uint32_t *mark;
  uint32_t mark_capacity;
  uint32_t epoch;
  uint32_t *order; ///< post-order of the latest walk
  uint32_t order_count, order_capacity;
};

/// Interns a node; simplification has been done.
gs_term gs_store_intern(gs_terms *terms, const gs_node *node);
/// Fills terms->order with every node reachable from t, operands first. Nodes
/// with an entry in `known` (may be NULL) are neither listed nor entered.
/// \returns false when memory is short.
bool gs_store_walk(gs_terms *terms, gs_term t, const gs_term *known, uint32_t known_count);
/// Values of an operator on constants. \returns false when undefined.
bool gs_fold(gs_op op, uint8_t width, uint64_t a, uint64_t b, uint64_t *out);

#endif
