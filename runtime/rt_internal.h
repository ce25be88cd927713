// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the parts of the runtime share.
#ifndef GSRT_INTERNAL_H
#define GSRT_INTERNAL_H

#include "gpusafe_rt.h"
#include "gs_descriptor.h"

#include <stdarg.h>

#if defined(__GNUC__)
#define GSRT_PRINTF_LIKE(m, n) __attribute__((format(printf, m, n)))
#else
#define GSRT_PRINTF_LIKE(m, n)
#endif

#define GSRT_UNKNOWN UINT32_MAX

/// What the driver knows about a compiled kernel. Without a device: from the
/// descriptor, and GSRT_UNKNOWN for the rest.
typedef struct gsrt_function {
  uint32_t max_threads; ///< per block, as compiled
  uint32_t static_smem, max_dynamic_smem;
  uint32_t registers;            ///< per thread
  uint32_t local;                ///< bytes per thread
  uint32_t required_cluster[3];  ///< compiled in; 0 = none
  uint32_t non_portable_cluster; ///< 0 or 1
  uint32_t blocks_per_sm;        ///< resident at once with this configuration
  uint32_t resident_clusters;    ///< on the device at once with this configuration
} gsrt_function;

/// Answers questions about the pointer arguments of a launch; NULL without a device.
typedef struct gsrt_memory gsrt_memory;

/// A fact about the data that a pointer argument leads to.
typedef struct gsrt_fact {
  gs_expr_op op; ///< INJECTIVE, MONOTONE, STRICTLY_MONOTONE, IN_RANGE
  uint64_t address, count;
  int64_t low, high; ///< IN_RANGE
  uint32_t type;     ///< of the elements, as data_kernels.c has it
} gsrt_fact;
typedef enum gsrt_fact_answer { GSRT_FACT_HOLDS, GSRT_FACT_BROKEN, GSRT_FACT_UNTESTED } gsrt_fact_answer;

/// How a fact is broken: by which element, and for all but IN_RANGE beside which other.
typedef struct gsrt_fact_break {
  uint64_t index, other;
  char value[40], other_value[40];
} gsrt_fact_break;

/// A program decoded for speed.
typedef struct gsrt_program {
  const gs_insn *insns;
  uint32_t count;
  uint32_t index; ///< of its clause or claim
} gsrt_program;

/// One validation under way.
typedef struct gsrt_check {
  const gs_descriptor *contract; ///< NULL: none
  const gsrt_program *counts;    ///< counts of its claims, decoded; NULL: run the bytecode
  const char *kernel;            ///< readable name; "" when no kernel is concerned
  const gsrt_config *config;
  const gsrt_device *device;
  const gsrt_function *function;
  const gsrt_memory *memory;
  bool silent;       ///< report to a callback only, not to the log or stderr
  gsrt_status first; ///< the first violation
  uint32_t violations, unchecked, pointers;
  /// The last fact about data that was found broken; valid when `fact_name` is set.
  const char *fact_name; ///< of the pointer
  gsrt_fact fact;
  gsrt_fact_break fact_break;
  gs_eval_env env;
} gsrt_check;

/// Where a violated claim stands; NULL for a limit.
typedef struct gsrt_place {
  const char *clause, *file;
  uint32_t line, column;
} gsrt_place;

// report.c

/// Records a violation and reports it.
void gsrt_violate(gsrt_check *check, gsrt_status code, const gsrt_place *place, const char *format,
                  ...) GSRT_PRINTF_LIKE(4, 5);

/// \returns whether the variable of that name is on: 1 or on; what it cannot be is said.
bool gsrt_environment_switch(const char *name);

/// Sets the thread's last message. \returns status.
gsrt_status gsrt_fail(gsrt_status status, const char *format, ...) GSRT_PRINTF_LIKE(2, 3);

typedef enum gsrt_counter {
  GSRT_COUNT_NEW,  ///< launches with a configuration that is new
  GSRT_COUNT_HITS, ///< and with one seen before
  GSRT_COUNT_VIOLATIONS,
  GSRT_COUNT_REFUSED,
  GSRT_COUNT_POINTERS,
  GSRT_COUNT_UNCHECKED,
  GSRT_COUNTERS
} gsrt_counter;
void gsrt_count(gsrt_counter counter, uint32_t more);

/// What the policy makes of a finished check: GSRT_OK to launch, else the code to
/// return. Does not return under GSRT_POLICY_ABORT with a violation.
gsrt_status gsrt_apply_policy(const gsrt_check *check);

// check.c

/// \returns false when *config cannot be one (GSRT_ERROR_ARGUMENT).
bool gsrt_config_ok(const gsrt_config *config);
void gsrt_check_init(gsrt_check *check, const gs_descriptor *contract, const gsrt_device *device,
                     const gsrt_function *function, const gsrt_config *config,
                     const void *const *params);
/// Blocks of a cluster that the launch will have: configured or compiled in.
void gsrt_cluster_of(const gsrt_config *config, const gsrt_function *function, uint32_t out[3]);

// limits.c

/// All that depends on device, function and configuration only.
void gsrt_check_limits(gsrt_check *check);
/// What a descriptor alone tells about the function.
void gsrt_function_from(const gs_descriptor *contract, gsrt_function *function);
/// Blocks of `threads` threads that one SM holds at once, from the limits in
/// `device` (CUDA C++ Programming Guide, occupancy; cuda_occupancy.h).
uint32_t gsrt_occupancy(const gsrt_device *device, const gsrt_function *function, uint32_t threads,
                        uint32_t dynamic_smem);

// clauses.c

enum { GSRT_NEEDS_ARGUMENTS = 1, GSRT_NEEDS_POINTERS = 2 };
/// Which of the above a program needs.
uint8_t gsrt_needs(const uint8_t *code, size_t size);
/// Evaluates the clause with that index and reports when it does not hold.
void gsrt_check_clause(gsrt_check *check, uint32_t index);
/// The same, of the decoded clause.
void gsrt_check_program(gsrt_check *check, const gsrt_program *program);
/// Evaluates the count of elements of a claim. \returns false when it has no usable
/// value; that is reported.
bool gsrt_count_of(gsrt_check *check, uint32_t claim, int64_t *count);
gsrt_place gsrt_claim_place(const gsrt_check *check, const gs_desc_claim_row *claim);

// pointers.c

/// Counts, pointers and overlap of the kernel's claims.
void gsrt_check_claims(gsrt_check *check);
/// The pointer query of clause evaluation; `user` is the gsrt_check.
gs_eval_code gsrt_pointer_query(void *user, gs_expr_op op, const gs_name *name, const int64_t *args,
                                int64_t *value);

#endif
