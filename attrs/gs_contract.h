// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The contract language: clauses over the launch and the kernel's parameters.
///
/// A clause is a C expression over signed mathematical integers (see
/// attrs/README.md). The parser builds a tree that lives in one allocation;
/// the prover turns it into terms and the runtime into bytecode.
#ifndef GS_CONTRACT_H
#define GS_CONTRACT_H

#include "gs_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a name or a built-in variable of a clause denotes.
typedef enum gs_name_kind {
  GS_NAME_PARAM,    ///< integer, bool or enum kernel parameter, or a field of a by-value struct
  GS_NAME_POINTER,  ///< pointer parameter (argument of aligned, extent, data facts)
  GS_NAME_CONSTANT, ///< value known at compile time (enumerator, constexpr, template argument)
  GS_NAME_BLOCK,    ///< block.{x,y,z}; `axis` says which
  GS_NAME_GRID,     ///< grid.{x,y,z}
  GS_NAME_CLUSTER,  ///< cluster.{x,y,z}
  GS_NAME_DYNAMIC_SMEM, ///< dynamic shared memory in bytes
  GS_NAME_CC,           ///< compute capability times ten
  GS_NAME_WARP_SIZE,    ///< 32
  GS_NAME_COOPERATIVE   ///< 1 for a cooperative launch
} gs_name_kind;

/// A resolved name. Filled by the resolver for everything that is not built in.
typedef struct gs_name {
  gs_name_kind kind;
  uint32_t axis;   ///< 0, 1, 2 for x, y, z (BLOCK, GRID, CLUSTER)
  uint32_t param;  ///< parameter index (PARAM, POINTER)
  uint32_t offset; ///< byte offset inside the parameter (PARAM that is a field), else 0
  uint32_t bits;   ///< 1 to 64: width of the integer in the parameter
  bool is_signed;  ///< signedness of that integer
  int64_t value;   ///< CONSTANT
} gs_name;

/// Looks `name` (dotted for fields, e.g. "p.width") up.
/// \returns true and fills *out when known. When unknown returns false; the
/// resolver may then point *hint at a static or resolver-owned text that says
/// why, else leave it NULL. A hint that starts with a quote is the whole message
/// ("'w' is a float"); any other follows "unknown name 'm'; ".
/// Also asked for `sizeof(T)`, spelt so, of a type that is not built in: a
/// CONSTANT answers. A name with `::` or `[2]` comes without blanks.
typedef bool (*gs_resolver)(void *user, const char *name, size_t length, gs_name *out,
                            const char **hint);

typedef enum gs_expr_op {
#define GS_EXPR(name, arity, text) GS_EXPR_##name,
#include "contract_ops.def"
} gs_expr_op;

/// One node; children are indices into the same array and smaller than the
/// node's own index, so a loop from 0 visits children first.
typedef struct gs_expr {
  gs_expr_op op;
  uint32_t args[4]; ///< children; unused ones are 0
  int64_t value;    ///< INT
  gs_name name;     ///< NAME
  uint32_t begin;   ///< first character of the text this node covers
  uint32_t end;     ///< one past the last
} gs_expr;

/// A parsed clause or count. Owned by whoever parsed it; free with gs_clause_free.
typedef struct gs_clause {
  char *text;     ///< as written, NUL-terminated
  gs_expr *nodes; ///< children before parents; the root is the last
  uint32_t count; ///< number of nodes, at least 1
} gs_clause;

/// Limits of one clause; the parser says which one was exceeded.
#define GS_CLAUSE_MAX_TEXT 65536 ///< characters
#define GS_CLAUSE_MAX_NODES 4096
#define GS_CLAUSE_MAX_DEPTH 200 ///< of the tree and of parentheses

/// A parse error: `column` is the 0-based character in the text it points at.
typedef struct gs_parse_error {
  uint32_t column;
  char message[256]; ///< says what is wrong and what to write instead
} gs_parse_error;

/// Parses one clause (`block.x == 256`) or count (`rows * ld`).
/// \param text     need not be NUL-terminated; `length` bytes.
/// \param resolve  called for names that are not built in; may be NULL.
/// \param out      receives the clause on GS_OK (caller frees), else NULL.
/// \param error    filled whenever the status is not GS_OK; may be NULL.
/// \returns GS_ERROR_INPUT for what is malformed, GS_ERROR_LIMIT beyond a limit.
gs_status gs_clause_parse(const char *text, size_t length, gs_resolver resolve, void *user,
                          gs_clause **out, gs_parse_error *error);

/// Splits the text of GS_LAUNCH_CONTRACT(a, b, f(c, d)) at its top-level commas
/// into [begin, end) pairs without surrounding blanks. Commas in parentheses,
/// brackets, character and string literals do not split.
/// \param spans receives up to `capacity` pairs. \returns the number of parts.
size_t gs_clause_split(const char *text, size_t length, size_t (*spans)[2], size_t capacity);

/// Prints the clause in canonical form (minimal parentheses, single blanks,
/// names of parameters from the original text) into buffer, always terminated.
/// \returns the length the whole text needs, as snprintf does.
size_t gs_clause_print(const gs_clause *clause, char *buffer, size_t size);

/// A deep copy; NULL when memory is short.
gs_clause *gs_clause_copy(const gs_clause *clause);

void gs_clause_free(gs_clause *clause);

/// The root node.
static inline const gs_expr *gs_clause_root(const gs_clause *clause) {
  return &clause->nodes[clause->count - 1];
}

/// \returns the operator's enumerator name, for dumps and tests.
const char *gs_expr_op_name(gs_expr_op op);

/// \returns how many of args[] the operator uses.
unsigned gs_expr_op_arity(gs_expr_op op);

/// \returns true for the first word of what every contract knows: block, grid,
/// cluster, dynamic_smem, cc, warp_size, cooperative. They win over parameters
/// of the same name, so a declaration with both deserves a diagnostic.
bool gs_name_is_builtin(const char *name, size_t length);

#ifdef __cplusplus
}
#endif
#endif
