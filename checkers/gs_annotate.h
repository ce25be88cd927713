// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Looks for the annotations under which the kernels of a module are proved: for
/// `gpusafe annotate`. Nothing is written; the caller knows the source.
#ifndef GS_ANNOTATE_H
#define GS_ANNOTATE_H

#include "gs.h"
#include "launch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gs_annotate_state {
  GS_ANNOTATE_PROPOSED, ///< there is something to add, and with it the kernel is proved
  GS_ANNOTATE_COMPLETE, ///< annotated and proved; nothing stronger was found
  GS_ANNOTATE_REFUSED   ///< left alone: `reason`
} gs_annotate_state;

/// What is proposed for a pointer parameter, or why nothing is.
typedef struct gs_annotate_param {
  bool proposed;      ///< the next three hold
  gs_claim_kind kind; ///< DISJOINT, EXCLUSIVE or EXTENT
  gs_scope scope;     ///< EXCLUSIVE
  const char *count;  ///< NULL: none is proved
  bool is_pointer, is_written, is_claimed; ///< claimed: the source has an annotation for it
  const char *reason; ///< nothing is proposed for a pointer, or no count; else NULL
} gs_annotate_param;

/// All instances of one kernel in the source.
typedef struct gs_annotation {
  uint32_t kernel; ///< first instance: index into gs_input.kernels
  uint32_t instances;
  gs_annotate_state state;
  const char *reason; ///< REFUSED
  const gs_annotate_param *params; ///< one for each parameter of the first instance
  uint32_t param_count;
  const char *const *clauses; ///< to be added to the contract
  uint32_t clause_count;
  uint32_t trials;  ///< looks that it took
} gs_annotation;

/// What the launches that the source shows say to a clause: BREAKS if one does, KEEPS if there
/// are some and all do.
typedef gs_launch_verdict gs_ask_launches_fn(void *user, const gs_kernel_desc *kernel,
                                             const gs_clause *clause);

typedef struct gs_annotations {
  const gs_annotation *items; ///< in the order of gs_input.kernels
  uint32_t count;
} gs_annotations;

/// \param ask    may be NULL: no launch is known
/// \param error  receives a message on failure; free with free(). May be NULL.
/// \param out    free with gs_annotations_free
gs_status gs_annotate(struct LLVMOpaqueModule *module, const gs_input *input,
                      gs_ask_launches_fn *ask, void *user, gs_annotations **out, char **error);
void gs_annotations_free(gs_annotations *annotations);

#ifdef __cplusplus
}
#endif
#endif
