// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gpusafe's core: checks the kernels of one NVPTX device module.
///
/// The caller (the clang plugin, or the tool for .ll/.bc files) hands over an
/// LLVM module and a plain description of what the source said; it gets a
/// report back as data. The core never prints and never exits. A context of
/// use is one call: there is no global state.
#ifndef GS_H
#define GS_H

#include "gs_contract.h"
#include "gs_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct LLVMOpaqueModule; ///< llvm-c's LLVMModuleRef points to this

/// Version of the JSON report (`"version"`).
#define GS_REPORT_VERSION 1

/// A place in the source. `file` may be NULL: unknown place.
typedef struct gs_loc {
  const char *file;
  uint32_t line;   ///< 1-based; 0 = unknown
  uint32_t column; ///< 1-based; 0 = unknown
} gs_loc;

// ---------------------------------------------------------------- input ----

typedef enum gs_type_kind {
  GS_TYPE_INT, ///< integer, bool, char, enum
  GS_TYPE_FLOAT,
  GS_TYPE_POINTER,
  GS_TYPE_RECORD,
  GS_TYPE_OTHER
} gs_type_kind;

/// What a pointer points to, as far as clauses about contents (injective) ask.
typedef enum gs_elem { GS_ELEM_OTHER, GS_ELEM_SIGNED, GS_ELEM_UNSIGNED } gs_elem;

/// A scalar or pointer inside a by-value struct parameter, or the parameter
/// itself when it is a scalar (then path is "" and offset 0).
typedef struct gs_field {
  const char *path;   ///< "width", "dims.x", "data[2]"
  uint32_t offset;    ///< bytes from the start of the parameter
  uint32_t bits;      ///< width of an INT or FLOAT; 64 for a pointer
  gs_type_kind kind;  ///< INT, FLOAT, POINTER or OTHER
  bool is_signed;     ///< INT only
  uint32_t elem_size; ///< POINTER to complete type: sizeof the pointee; else 0
  gs_elem elem;       ///< POINTER to an integer: its signedness
} gs_field;

/// One kernel parameter; its index is that of the IR parameter.
typedef struct gs_param_desc {
  const char *name; ///< source name; "" when unnamed
  const char *type; ///< as the source spells it
  gs_type_kind kind;
  uint32_t size;      ///< sizeof the parameter in bytes
  uint32_t elem_size; ///< POINTER to complete type: sizeof the pointee; else 0
  gs_elem elem;       ///< POINTER to an integer: its signedness
  bool const_pointee;
  bool is_restrict;
  const gs_field *fields; ///< RECORD: every scalar leaf; INT: exactly one
  uint32_t field_count;
  gs_loc loc;
} gs_param_desc;

typedef enum gs_claim_kind {
  GS_CLAIM_DISJOINT,
  GS_CLAIM_EXCLUSIVE,
  GS_CLAIM_EXTENT,
  GS_CLAIM_TRUSTED
} gs_claim_kind;

typedef enum gs_scope { GS_SCOPE_WARP, GS_SCOPE_BLOCK, GS_SCOPE_CLUSTER, GS_SCOPE_GRID } gs_scope;

/// An ownership or extent attribute, or a trust.
typedef struct gs_claim {
  gs_claim_kind kind;
  int32_t param;          ///< parameter index; -1 for a trust on a kernel or statement
  const gs_clause *count; ///< elements; NULL when none was given
  gs_scope scope;         ///< EXCLUSIVE
  const char *rule;       ///< TRUSTED: name of the rule, e.g. "data-race"
  const char *reason;     ///< TRUSTED
  gs_loc loc;             ///< of the attribute
  gs_loc begin, end;      ///< TRUSTED on a statement: its range; else file NULL
} gs_claim;

typedef enum gs_fact_origin {
  GS_FACT_CONTRACT, ///< launch_contract: checked by the runtime
  GS_FACT_OPTION,   ///< -fplugin-arg-gpusafe-{block,grid,assume}: unchecked
  GS_FACT_LAUNCH    ///< read off a launch in the translation unit: unchecked
} gs_fact_origin;

/// A clause the prover may use.
typedef struct gs_fact {
  const gs_clause *clause;
  gs_fact_origin origin;
  gs_loc loc; ///< of the clause, option (unknown) or launch
  bool wraps; ///< LAUNCH: only if the host computed it without overflow
} gs_fact;

/// Pointer parameter `param` is given the buffer that parameter `of`, before it, gets.
typedef struct gs_alias {
  uint32_t param, of;
  bool exact; ///< the same address; else some other place of it, perhaps
} gs_alias;

/// One way in which the translation unit launches a kernel. What several launches
/// have in common is described once.
typedef struct gs_launch_desc {
  const gs_fact *facts; ///< GS_FACT_LAUNCH
  uint32_t fact_count;
  const gs_alias *aliases;
  uint32_t alias_count;
  const gs_loc *locs; ///< of the launches, at least one
  uint32_t loc_count;
} gs_launch_desc;

/// Text to insert (length 0) or replace at a location.
typedef struct gs_fixit {
  gs_loc loc;
  uint32_t remove; ///< characters to remove
  const char *insert;
  gs_loc stands; ///< where what is new comes to stand, when not at `loc`; line 0: there
} gs_fixit;

/// Where a message says "here".
static inline gs_loc gs_fixit_place(const gs_fixit *fix) {
  return fix->stands.line ? fix->stands : fix->loc;
}

/// Finds where a statement can be inserted in a kernel's body so that it is executed
/// exactly where the core means: after what stands at `before`, ahead of what stands at
/// `after`. The places are the kernel's own (not of what is inlined into it); `after[0]` is
/// what comes first.
/// \param statement its text, e.g. "__syncthreads();"
/// \param out       receives what to insert, indented as its neighbours; its texts must live
///                  as long as the input.
/// \returns false when no such place is between two statements, or a macro wrote it.
typedef bool gs_find_gap_fn(void *user, const gs_loc *before, uint32_t before_count,
                            const gs_loc *after, uint32_t after_count, const char *statement,
                            gs_fixit *out);

/// What is known at compile time of the places that launch a kernel.
typedef struct gs_launch_sites {
  uint32_t proved;   ///< keep every clause of its contract, and all limits that are checked
  uint32_t depends;  ///< some clause is left to the runtime, and none is broken
  uint32_t violated; ///< certain to break a clause or a limit
} gs_launch_sites;

/// Finds the statement of a kernel that an access belongs to, and the index as the source
/// writes it, for a condition in front: `if (i < n) `.
/// \param access its place; the kernel's own (not of what is inlined into it)
/// \param array  what it accesses, as the source names it
/// \param bound  C text that the index must stay below; NULL = there is no need
/// \param below  it must not be below 0, either
/// \param out    receives what to insert; its texts must live as long as the input
/// \returns false where a condition would change more than whether the statement is executed,
///          or where the index is not a plain one of that array.
typedef bool gs_find_guard_fn(void *user, const gs_loc *access, const char *array, const char *bound,
                              bool below, gs_fixit *out);

/// One kernel of the translation unit, as the source describes it.
typedef struct gs_kernel_desc {
  const char *mangled; ///< name of the IR function
  const char *name;    ///< readable name, template arguments included
  gs_loc loc;
  const gs_param_desc *params;
  uint32_t param_count;
  const gs_claim *claims;
  uint32_t claim_count;
  const gs_fact *facts;
  uint32_t fact_count;
  uint32_t max_threads; ///< __launch_bounds__: threads per block; 0 = not given
  const gs_launch_desc *launches; ///< all that the unit shows, or none
  uint32_t launch_count;
  bool only_these_launches; ///< no other unit and no pointer can launch it
  gs_launch_sites sites;    ///< of the launches; for the report
  const gs_alias *aliases; ///< of the launch that is being looked at: left to gs_check
  uint32_t alias_count;
  gs_find_gap_fn *find_gap; ///< NULL: there is no source to insert into
  gs_find_guard_fn *find_guard; ///< likewise
  void *find_gap_user;          ///< of both
  gs_loc clause_at;             ///< where a clause can be inserted; unknown = nowhere
  const char *clause_around[2]; ///< texts before and behind it
} gs_kernel_desc;

typedef enum gs_rule {
#define GS_RULE(name, text, on, summary) GS_RULE_##name,
#include "rules.def"
  GS_RULE_COUNT
} gs_rule;

/// What of two unordered writes that can only store one constant in one place?
typedef enum gs_same_value {
  GS_SAME_VALUE_NOTE, ///< harmless: a listed assumption, and a finding that is only a remark
  GS_SAME_VALUE_ERROR, ///< a data race as any other
  GS_SAME_VALUE_OFF   ///< harmless: the listed assumption alone
} gs_same_value;

typedef struct gs_options {
  uint32_t sm;              ///< target, 90 for sm_90
  bool verify;              ///< treat every kernel as a claim
  bool strict;              ///< none of the default assumptions
  bool no_runtime;          ///< launches will not be checked: every assumption stays unchecked
  bool stats;               ///< fill the counters
  bool thorough;            ///< someone reads the verdicts of kernels that claim nothing:
                            ///< spend on them what a claim gets
  bool as_optimised;        ///< the module was optimised before it came here
  gs_same_value same_value;
  uint32_t rules;           ///< bit (1 << gs_rule) set: rule is on; 0 = defaults
  uint64_t solver_budget;   ///< Z3 resource units per query; 0 = default
  uint32_t crowd;           ///< kernels that share the budget of those that claim nothing;
                            ///< gs_check fills it in
} gs_options;

/// What the caller knows. Everything it points to must outlive the call only;
/// the report keeps copies.
typedef struct gs_input {
  const char *file;   ///< main source file, for the report
  const char *target; ///< "sm_90"
  const gs_kernel_desc *kernels;
  uint32_t kernel_count; ///< kernels of the module without a description are
                         ///< checked with what the IR tells
  gs_options options;
} gs_input;

// --------------------------------------------------------------- output ----

typedef enum gs_verdict {
  GS_PROVED,
  GS_TRUSTED,
  GS_RACE,     ///< definite: a violation with an exact model (whatever the rule)
  GS_POSSIBLE, ///< a model exists that hangs on something abstracted
  GS_UNKNOWN   ///< unsupported or out of budget
} gs_verdict;

typedef struct gs_dim {
  uint32_t x, y, z;
} gs_dim;

/// One source-level access of a finding.
typedef struct gs_access_ref {
  gs_loc loc;               ///< innermost location
  const gs_loc *inlined_at; ///< call chain, innermost first
  uint32_t inlined_count;
  bool is_write;
  bool is_atomic;
} gs_access_ref;

typedef struct gs_value {
  const char *name; ///< "n", "p.width", "loop counter (line 12)"
  int64_t value;
} gs_value;

/// Bytes of a parameter that the witness fixes.
typedef struct gs_actual {
  uint32_t param, offset; ///< parameter, bytes into it
  uint8_t bits;
  bool is_pointer; ///< value: 0 = null, else where its array starts, as far as alignment goes
  uint64_t value;
} gs_actual;

typedef enum gs_array_kind {
  GS_ARRAY_PARAM,    ///< what a pointer, or a pointer in a by-value parameter, points to
  GS_ARRAY_VARIABLE, ///< shared variable, device global, constant
  GS_ARRAY_DYNAMIC,  ///< dynamic shared memory
  GS_ARRAY_PRIVATE   ///< of one thread
} gs_array_kind;

/// Which array.
typedef struct gs_array_ref {
  gs_array_kind kind;
  const char *name;       ///< as messages say it
  const char *symbol;     ///< VARIABLE: its name in the module; else NULL
  uint32_t param, offset; ///< PARAM: of the pointer: parameter, bytes into it
} gs_array_ref;

/// Memory that the witness fixes: an integer, little-endian. All other memory is 0.
typedef struct gs_cell {
  gs_array_ref array;
  int64_t offset; ///< bytes
  uint8_t bits;
  uint64_t value;
} gs_cell;

/// Two concrete threads (or one, for a bound) that break a claim.
typedef struct gs_witness {
  gs_dim grid, block;
  uint32_t thread_count; ///< 1 or 2
  gs_dim thread[2];      ///< threadIdx
  gs_dim ctaid[2];       ///< blockIdx
  const gs_value *values;
  uint32_t value_count;
  int64_t byte_offset; ///< in the object; of the first access
  bool has_element;
  int64_t element; ///< byte_offset / element size, when that is exact
  // What a run of it needs. Parameters and memory that are not named may have any value.
  gs_array_ref array; ///< that byte_offset is in
  uint32_t elem_size; ///< of its elements; 0 = not known
  uint64_t dynamic_smem;
  const gs_actual *arguments;
  uint32_t argument_count;
  const gs_cell *cells;
  uint32_t cell_count;
  const gs_alias *aliases; ///< parameters that get one buffer
  uint32_t alias_count;
} gs_witness;

/// A remark that belongs to a finding.
typedef struct gs_note {
  gs_loc loc; ///< unknown: same as the finding's
  const char *text;
} gs_note;

typedef struct gs_finding {
  gs_rule rule;
  gs_verdict verdict; ///< RACE, POSSIBLE or UNKNOWN; PROVED for a remark: a listed assumption
                      ///< excuses it
  bool is_error;      ///< breaks a claim (else a warning)
  gs_loc loc;         ///< where to report it
  const char *message; ///< complete, without the trailing [gpusafe-rule]
  const char *reason;  ///< POSSIBLE, UNKNOWN: on what it hangs; else NULL
  const char *object;  ///< "c", "sdata"; NULL when it has no name
  gs_access_ref access[2];
  uint32_t access_count; ///< 0 to 2
  const gs_witness *witness; ///< NULL when there is none
  const char *replay; ///< what a run of the witness showed: "confirmed", "refuted", or
                      ///< "refused: <cause>"; NULL: not run (it is not definite by itself)
  const gs_note *notes;
  uint32_t note_count;
  const gs_fixit *fixits; ///< they belong to the note at the place of the first, if there is one
  uint32_t fixit_count;
  uint32_t instances; ///< how many pairs this finding stands for, at least 1
} gs_finding;

typedef struct gs_assumption {
  const char *text;
  bool checked; ///< the runtime checks it at launch
  gs_loc loc;   ///< may be unknown
} gs_assumption;

/// Work done, by tier; all counted, none timed. Each query is trivial, a cache hit,
/// answered by one tier, or undecided.
typedef struct gs_counters {
  uint64_t accesses, pairs, queries;
  uint64_t trivial; ///< a fact of the query is false as it stands
  uint64_t by_affine, by_enumeration, by_search, by_linear, by_bitvector, undecided;
  uint64_t cache_hits, solver_units, terms;
  uint64_t replays, refuted, replay_steps; ///< witnesses run, those that their run did not
                                           ///< show (each an imprecision), instructions run
} gs_counters;

typedef struct gs_kernel_result {
  const char *name;
  const char *mangled;
  gs_loc loc;
  bool has_claims;
  gs_verdict verdict; ///< the worst of its rules
  const char *reason; ///< UNKNOWN, POSSIBLE: the first cause
  const gs_finding *findings;
  uint32_t finding_count;
  const gs_assumption *assumptions;
  uint32_t assumption_count;
  uint32_t assumed; ///< what the runtime checks of them: GS_DESC_ASSUME_… (gs_descriptor.h)
  bool reaches_beyond; ///< some access may be to other memory than parameters point to: a
                       ///< global, what a pointer in memory leads to, or unknown
  uint8_t proof[32]; ///< identity of the verdict (checkers/identity.h)
  gs_launch_sites sites;
  gs_counters counters;
  uint64_t time_us; ///< processor time; never decides anything
} gs_kernel_result;

typedef struct gs_report {
  const char *file;
  const char *target;
  bool as_optimised; ///< verdicts are about IR that was optimised before it came here
  const gs_kernel_result *kernels; ///< in the order of the module
  uint32_t kernel_count;
} gs_report;

/// Checks every kernel definition in `module`.
/// \param module not modified, not kept.
/// \param out    receives the report on GS_OK; free with gs_report_free.
/// \param error  receives a message on failure; free with free(). May be NULL.
gs_status gs_check(struct LLVMOpaqueModule *module, const gs_input *input, gs_report **out,
                   char **error);

/// The same for kernels in their text form (checkers/flow/text.md), without LLVM.
/// \param input the description of kernels is that of the text; `target` may be NULL,
///              then it and the number in the options are what the text says.
/// \param error "line:column: what is wrong" on GS_ERROR_INPUT; free with free().
gs_status gs_check_text(const char *text, size_t length, const gs_input *input, gs_report **out,
                        char **error);

/// Prints the kernels of a module in their text form, and checks nothing.
/// \param out receives NUL-terminated text; free with free().
gs_status gs_dump(struct LLVMOpaqueModule *module, const gs_input *input, char **out, char **error);

void gs_report_free(gs_report *report);

/// Renders the report as JSON (see checkers/report/README.md).
/// \param with_times include time_us, the only field that differs between runs.
/// \param out        receives NUL-terminated text; free with free().
gs_status gs_report_to_json(const gs_report *report, bool with_times, char **out);

/// \returns the name users see, e.g. "data-race".
const char *gs_rule_name(gs_rule rule);
/// Finds a rule by that name. \returns false when there is none.
bool gs_rule_by_name(const char *name, size_t length, gs_rule *out);
/// Finds a level by its name, "note", "error" or "off". \returns false when there is none.
bool gs_same_value_by_name(const char *name, gs_same_value *out);
/// One sentence on what the rule finds.
const char *gs_rule_summary(gs_rule rule);
/// The set of rules that is on by default.
uint32_t gs_rule_defaults(void);
/// \returns "PROVED", "TRUSTED", "RACE", "POSSIBLE" or "UNKNOWN".
const char *gs_verdict_name(gs_verdict verdict);

#ifdef __cplusplus
}
#endif
#endif
