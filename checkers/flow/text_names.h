// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the text form: words for enumerators, in their order.
#ifndef GS_TEXT_NAMES_H
#define GS_TEXT_NAMES_H

#include "program.h"

#define GS_TEXT_MAGIC "gpusafe_text"
enum { GS_TEXT_VERSION = 1 };

typedef struct gs_words {
  const char *const *items;
  uint32_t count;
} gs_words;

extern const gs_words gs_text_objects;  ///< gs_object_kind
extern const gs_words gs_text_origins;  ///< gs_origin_kind
extern const gs_words gs_text_barriers; ///< gs_barrier_kind
extern const gs_words gs_text_symbols;  ///< gs_sym_kind
extern const gs_words gs_text_levels;   ///< gs_level
extern const gs_words gs_text_types;    ///< gs_type_kind
extern const gs_words gs_text_claims;   ///< gs_claim_kind
extern const gs_words gs_text_scopes;   ///< gs_scope
extern const gs_words gs_text_asyncs;   ///< gs_async
extern const gs_words gs_text_rmws;     ///< gs_rmw_kind
extern const gs_words gs_text_facts;    ///< gs_fact_origin
extern const gs_words gs_text_axes;     ///< bits of gs_program.axes_used
extern const gs_words gs_text_ops;      ///< gs_op, as in term_ops.def, in small letters

/// Operands of an operator.
uint32_t gs_text_arity(gs_op op);

#endif
