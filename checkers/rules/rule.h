// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a rule sees of a kernel, and how it reports.
#ifndef GS_RULE_H
#define GS_RULE_H

#include "locks.h"
#include "prover.h"
#include "result.h"

struct gs_code;

/// Gives the instructions of the kernel under check, for runs of witnesses.
typedef struct gs_runner {
  /// \returns NULL, and *why, when it cannot be run. The same each time.
  const struct gs_code *(*code)(void *user, const char **why);
  void *user;
} gs_runner;

/// Witnesses that were run.
typedef struct gs_replayed {
  uint64_t runs, refuted, steps;
} gs_replayed;

/// One kernel under check.
typedef struct gs_kernel {
  gs_program *program;
  gs_phases *phases;
  gs_scene *scene;
  gs_prover *prover;
  const gs_options *options;
  const gs_kernel_desc *desc; ///< may be NULL
  gs_result *result;
  gs_locks *locks;         ///< NULL: none are looked for
  const gs_runner *runner; ///< NULL: there are no instructions
  gs_replayed replay;
  uint64_t pairs;      ///< of accesses looked at
  bool is_claim;       ///< what is not proved is an error
  bool cheap;          ///< only what costs little: a better look may follow
  bool proof_only;     ///< nobody reads the findings: see gs_is_decided
  bool doubts_reads;   ///< of memory: not all that count as one for the block are
  bool defaults[GS_DEFAULT_COUNT]; ///< default assumptions relied on
} gs_kernel;

/// Every rule is one function of this type, named gs_rule_<name>.
typedef void gs_rule_fn(gs_kernel *kernel);
gs_rule_fn gs_rule_data_race;
gs_rule_fn gs_rule_disjoint;
gs_rule_fn gs_rule_exclusive;
gs_rule_fn gs_rule_out_of_bounds;
gs_rule_fn gs_rule_contract;
gs_rule_fn gs_rule_async_copy;
gs_rule_fn gs_rule_barrier_divergence;
gs_rule_fn gs_rule_const_write;
gs_rule_fn gs_rule_null_pointer;
gs_rule_fn gs_rule_assertion;
gs_rule_fn gs_rule_uninitialized_shared;
gs_rule_fn gs_rule_atomic_mix;
gs_rule_fn gs_rule_warp_mask;
gs_rule_fn gs_rule_index_overflow;
/// Does an index that proofs took not to wrap do so in every launch that the facts allow? Then
/// the assumption contradicts them, and nothing that was proved from it holds.
bool gs_index_always_wraps(gs_kernel *kernel);
gs_rule_fn gs_rule_redundant_barrier;
gs_rule_fn gs_rule_bank_conflict;
gs_rule_fn gs_rule_uncoalesced;

/// Is the rule among those that are checked?
static inline bool gs_rule_is_on(const gs_kernel *kernel, gs_rule rule) {
  return ((kernel->options->rules ? kernel->options->rules : gs_rule_defaults()) >> rule & 1) != 0;
}

/// Nothing that is still to be asked changes whether the kernel is proved, and that is all that
/// anybody wants to know.
bool gs_is_decided(const gs_kernel *kernel);

/// The phases of the kernel's program, with what is known of its launches. The kernel must
/// outlive them. \returns NULL when memory is short.
gs_phases *gs_kernel_phases(gs_kernel *kernel);

/// Does the runtime check the launches of this kernel, as far as it can?
bool gs_launch_is_checked(const gs_kernel *kernel);

/// What a satisfiable query is about, for the words.
typedef struct gs_violation {
  gs_rule rule;
  uint32_t access[2];
  uint32_t target[2];
  uint32_t count; ///< accesses: 1 or 2
  const gs_spot *spots; ///< not NULL: the threads are there, and at no access
  gs_term extra; ///< what else was asked for, for the threads; may be none
  bool order_matters; ///< what orders the two accesses excuses them
  gs_loc loc;     ///< where to report; unknown = the first access
  gs_meeting meeting;
  const gs_case *c;
  const gs_model *model;
} gs_violation;

/// Is the violation an exact execution? When not, *reason says what it hangs on. One that is
/// has to be run before it is called definite: gs_violation_confirmed (confirm.h).
bool gs_violation_is_exact(gs_kernel *kernel, const gs_violation *violation, const char **reason);

/// Does a term of the program (width 1) hold for thread `who` in the model? \returns false when
/// the model does not tell: something in the term is abstracted, or it has no value.
bool gs_violation_holds(gs_kernel *kernel, const gs_violation *violation, int who, gs_term t,
                        bool *holds);

/// How the iterations of the two accesses are related in the model, in the outermost loop
/// around both where they differ.
typedef struct gs_lag {
  int order;  ///< below 0: the first access' is earlier; above 0: later; 0: none differs
  bool next;  ///< by one iteration
} gs_lag;
gs_lag gs_violation_lag(gs_kernel *kernel, const gs_violation *violation);

/// Are the two threads of one warp in the model?
bool gs_violation_in_warp(gs_kernel *kernel, const gs_violation *violation);

/// The two threads, launch and values of the model, in the report's arena.
const gs_witness *gs_violation_witness(gs_kernel *kernel, const gs_violation *violation);

/// "thread (0,0,0) of block 0 writes" — words for messages.
const char *gs_words_thread(gs_kernel *kernel, const gs_witness *witness, int who);
/// "grid 2, block 256, n = 300"
const char *gs_words_launch(gs_kernel *kernel, const gs_witness *witness);
/// "c[0]" or "c (byte 12)"
const char *gs_words_element(gs_kernel *kernel, const gs_witness *witness, const gs_object *object);
/// "writes", "reads", "updates atomically"
const char *gs_words_verb(const gs_access *access);
/// The number of thread `who` of the latest case in its block, x fastest, as a term of 32 bits.
gs_term gs_words_linear(gs_kernel *kernel, int who);
gs_loc gs_place_loc(const gs_program *program, uint32_t place);
/// In the kernel itself, whatever was inlined there.
gs_loc gs_place_outer(const gs_program *program, uint32_t place);
/// For words that name a line alone: the innermost place in the kernel's own file.
gs_loc gs_place_told(const gs_program *program, uint32_t place);
/// Name of an object for messages; never NULL.
const char *gs_object_words(const gs_object *object);

/// The access as the report shows it.
gs_access_ref gs_access_reference(gs_kernel *kernel, uint32_t access);

/// Is the finding covered by a trust? Then it counts as trusted and is not added.
bool gs_trusted(gs_kernel *kernel, gs_rule rule, const gs_object *object, const gs_loc *locs,
                uint32_t loc_count);

/// Adds an UNKNOWN finding of a rule.
void gs_report_unknown(gs_kernel *kernel, gs_rule rule, gs_loc loc, const char *what,
                       const char *reason);

/// Can two accesses touch one object at all, with a conflict? Shared by the
/// rules about pairs.
bool gs_conflicts(const gs_access *a, const gs_access *b, bool atomics_count, gs_scope reach);

#endif
