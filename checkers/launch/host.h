// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What host code computes for a launch: integer expressions over values that are
/// not known, hash-consed, so that equal structure is an equal index.
///
/// The operators are those of the contract language and mean the same here:
/// mathematical integers. Host code computes in machine types, so each value carries
/// whether a machine operation on the way may have left the mathematical result.
#ifndef GS_HOST_H
#define GS_HOST_H

#include "gs_contract.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_hosts gs_hosts;

/// `at` indexes a node; 0 = nothing is known. `wraps`: the number is only right if the
/// host computed it without overflow, truncation or a negative operand of a bit operation.
typedef struct gs_host_value {
  uint32_t at;
  bool wraps;
} gs_host_value;

/// A machine integer; bits is 1 to 64.
typedef struct gs_host_type {
  uint8_t bits;
  bool is_signed;
} gs_host_type;

/// Bounds of a node, as the mathematical value they are of; clamped to what
/// GS_HOST_FAR says, which then means "none".
__extension__ typedef __int128 gs_host_int;
#define GS_HOST_FAR ((gs_host_int)1 << 100)
typedef struct gs_host_bounds {
  gs_host_int lo, hi;
} gs_host_bounds;

/// \returns NULL when memory is short. Later failures make values "not known".
gs_hosts *gs_hosts_new(void);
void gs_hosts_free(gs_hosts *hosts);

gs_host_value gs_host_number(gs_hosts *hosts, int64_t value);
/// A new unknown of a machine type. `name` is copied.
gs_host_value gs_host_unknown(gs_hosts *hosts, const char *name, gs_host_type type);
/// The same with tighter bounds.
gs_host_value gs_host_unknown_in(gs_hosts *hosts, const char *name, gs_host_type type, int64_t lo,
                                 int64_t hi);
/// An address that is not known: the start of some buffer, or a place in one.
gs_host_value gs_host_address(gs_hosts *hosts, const char *name);
/// An address some bytes further; an offset that is not known may be any.
gs_host_value gs_host_offset(gs_hosts *hosts, gs_host_value address, gs_host_value bytes);
/// The operation as host code does it in `type`. Not known when an operand that it has
/// is not known, or for operators that compute nothing (INT, NAME, functions of pointers).
gs_host_value gs_host_apply(gs_hosts *hosts, gs_expr_op op, const gs_host_value *args,
                            gs_host_type type);
/// The value as another machine type reads it: unchanged where it fits.
gs_host_value gs_host_convert(gs_hosts *hosts, gs_host_value value, gs_host_type type);
/// The same for a size of a launch: a negative or oversized one makes the launch fail,
/// so for all launches that happen a conversion of up to 32 bits changes nothing.
gs_host_value gs_host_convert_size(gs_hosts *hosts, gs_host_value value);

bool gs_host_constant(const gs_hosts *hosts, gs_host_value value, int64_t *out);
gs_host_bounds gs_host_range(const gs_hosts *hosts, gs_host_value value);

/// A node, to walk over: its operator, operands, number, or the unknown that it is.
typedef struct gs_host_node {
  gs_expr_op op;    ///< INT, NAME or an operator
  uint32_t args[3]; ///< operands; 0 = none
  int64_t value;    ///< INT: the number; NAME: the unknown's index, from 0
  gs_host_type type; ///< NAME
  bool is_address;   ///< NAME: address; ADD: address in args[0], bytes in args[1]
  const char *name;  ///< NAME; owned by the store
  gs_host_bounds bounds;
} gs_host_node;
const gs_host_node *gs_host_at(const gs_hosts *hosts, uint32_t at);

/// The text that stands for node `at`, or NULL for none.
typedef const char *(*gs_host_namer)(void *user, uint32_t at);

/// Prints an expression in the contract language, like snprintf.
/// \param namer asked for every node from the top: what it names is not looked into. An
///              unknown that it has no name for cannot be printed. NULL: unknowns have
///              their own names.
/// \returns the length it needs; 0 when it cannot be printed or is too large (a shared
///          part counts each time).
size_t gs_host_print(const gs_hosts *hosts, uint32_t at, gs_host_namer namer, void *user,
                     char *buffer, size_t size);

/// The expression as a clause whose parameters are the unknowns: parameter i is unknown
/// number i. \returns NULL when it is too large or memory is short; free with
/// gs_clause_free.
gs_clause *gs_host_clause(const gs_hosts *hosts, uint32_t at);

#ifdef __cplusplus
}
#endif
#endif
