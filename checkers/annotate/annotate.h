// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the core: the search for annotations of one kernel (tools/annotate/annotate.md).
#ifndef GS_ANNOTATE_SEARCH_H
#define GS_ANNOTATE_SEARCH_H

#include "check_program.h"
#include "gs_annotate.h"
#include "pool.h"

/// How the search looks at an instance of the kernel.
typedef struct gs_annotate_host {
  const gs_kernel_desc *const *descs; ///< of the instances, at least one
  uint32_t instance_count;
  const gs_options *options;
  /// Checks an instance as `desc` describes it.
  gs_status (*look)(void *user, uint32_t instance, const gs_kernel_desc *desc,
                    const gs_options *options, gs_look look, gs_result *result);
  /// The same for all its launches, with full effort.
  gs_status (*check)(void *user, uint32_t instance, const gs_kernel_desc *desc, gs_result *result);
  /// \returns a program of the caller's, or NULL.
  gs_program *(*lower)(void *user, uint32_t instance);
  gs_ask_launches_fn *ask; ///< may be NULL
  void *ask_user;
  void *user;
} gs_annotate_host;

/// Searches, and fills `out` but for `kernel`. Texts live in `arena`.
gs_status gs_annotate_kernel(const gs_annotate_host *host, gs_pool *arena, gs_annotation *out);

enum {
  GS_MOST_CLAUSES = 4,  ///< that are proposed for a kernel
  GS_MOST_TEXTS = 64,   ///< candidates of one kind
};

/// Distinct texts in the order in which they are to be tried.
typedef struct gs_texts {
  const char *items[GS_MOST_TEXTS];
  uint32_t count;
} gs_texts;

/// What is known of a pointer parameter.
typedef struct gs_own {
  bool is_pointer, is_written, is_accessed;
  bool is_claimed;    ///< the source has a claim: left as it is
  bool has_count;     ///< and that has a count
  bool is_chosen;     ///< `kind` (not EXTENT) and `scope` are proposed, or tried
  gs_claim_kind kind;
  gs_scope scope;
  const char *count;  ///< found; NULL: none
  gs_texts counts;    ///< candidates; from `of_launch` on in sizes of the launch
  uint32_t of_launch;
} gs_own;

typedef struct gs_search {
  const gs_annotate_host *host;
  const gs_kernel_desc *desc; ///< of the first instance
  gs_pool *arena;
  gs_own *owns; ///< by parameter
  const char *clauses[GS_MOST_CLAUSES];
  uint32_t clause_count;
  bool fixed;         ///< the source has annotations: its contract stays
  gs_texts launch;    ///< clauses that hold of all launches that the source shows
  gs_texts relations; ///< clauses over what indices are made of
  gs_texts sizes;     ///< clauses about the block, and about what walks over an array
  gs_texts bounds;    ///< of all indices, as far as they are arguments
  uint32_t trials;
  uint64_t work, work_limit; ///< counted
  gs_status status;
} gs_search;

// ------------------------------------------------------------------- looks ----

/// What is tried, on top of what the search has chosen.
typedef struct gs_attempt {
  const char *more[GS_MOST_TEXTS]; ///< clauses
  uint32_t more_count;
  const char *count; ///< with nothing else claimed: extent(count) on `param`
  uint32_t param;
  bool only_proof;   ///< ends with the first question that is open; nothing is to be read
  const char *without; ///< a clause that was chosen, and is left out
} gs_attempt;

/// Looks at all instances. \returns true when all of them are proved.
/// \param blame receives, when it is not NULL, what the first instance that is not proved
///              brought; its texts are in `pool`.
bool gs_try(gs_search *s, const gs_attempt *attempt, gs_pool *pool, gs_result *blame);
/// Checks what is chosen as the compile will. \param why receives what is not proved
bool gs_look_well(gs_search *s, const char **why);
/// Is the search to end, as it has cost what it may?
bool gs_search_is_spent(const gs_search *s);
/// What launches say to a clause; DEPENDS where it is none of this kernel.
gs_launch_verdict gs_ask_launches(const gs_search *s, const char *clause);

// -------------------------------------------------------------- candidates ----

/// Adds a text unless it is there.
void gs_texts_add(gs_texts *texts, gs_pool *arena, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool gs_texts_have(const gs_texts *texts, const char *text);

/// Reads off a lowered instance what parameters are for, and candidates for counts and clauses.
void gs_collect_counts(gs_search *s, gs_program *program);
/// A term that is one for the launch as text of the contract language. \returns NULL when it has none.
const char *gs_uniform_text(gs_pool *arena, const gs_program *program, gs_term t);

/// Finds claims of ownership and the contract they need. \returns false, and *why, when the
/// kernel is not proved whatever is tried.
bool gs_find_ownership(gs_search *s, const char **why);
/// Puts the block of the launches in place of what was made of it: some rules only look for
/// violations, and small looks do not find them.
/// \param whole all three axes in one clause, those of size 1 too
/// \returns false when the launches tell none
bool gs_strengthen(gs_search *s, bool whole);
/// Finds counts for parameters.
void gs_find_counts(gs_search *s);

#endif
