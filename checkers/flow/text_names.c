// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text_names.h"

#define WORDS(name, ...)                                                                           \
  static const char *const name##_items[] = {__VA_ARGS__};                                         \
  const gs_words gs_text_##name = {name##_items, sizeof name##_items / sizeof *name##_items}

WORDS(objects, "param", "shared", "dynamic", "global", "constant", "local", "byval", "loaded",
      "unknown");
WORDS(origins, "signed", "pointer", "counter", "index", "other", "unreached");
WORDS(barriers, "block", "warp", "named", "grid", "vote", "other");
WORDS(symbols, "tid", "ctaid", "ntid", "nctaid", "param", "base", "loop", "phi", "launch", "opaque");
WORDS(levels, "grid", "block", "warp", "thread");
WORDS(types, "int", "float", "pointer", "record", "other");
WORDS(claims, "disjoint", "exclusive", "extent", "trusted");
WORDS(scopes, "warp", "block", "cluster", "grid");
WORDS(asyncs, "none", "from", "to", "commit", "wait", "wait_all");
WORDS(rmws, "other", "add", "exchange", "cas", "or", "inc");
WORDS(facts, "contract", "option", "launch");
WORDS(axes, "block.x", "block.y", "block.z", "grid.x", "grid.y", "grid.z");
WORDS(ops, "none", "const", "sym", "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl",
      "lshr", "ashr", "and", "or", "xor", "eq", "ult", "ule", "slt", "sle", "ite", "zext", "sext",
      "trunc", "ctlz", "ctpop", "bitreverse", "load");

_Static_assert(sizeof ops_items / sizeof *ops_items == GS_OP_COUNT, "a word for each operator");
_Static_assert(sizeof symbols_items / sizeof *symbols_items == GS_SYM_OPAQUE + 1, "and symbol");
_Static_assert(sizeof objects_items / sizeof *objects_items == GS_OBJECT_UNKNOWN + 1, "and object");
_Static_assert(sizeof barriers_items / sizeof *barriers_items == GS_BARRIER_OTHER + 1, "and barrier");
_Static_assert(sizeof origins_items / sizeof *origins_items == GS_ORIGIN_UNREACHED + 1, "and origin");

uint32_t gs_text_arity(gs_op op) {
  static const uint8_t arity[] = {
#define GS_OP(name, arity) arity,
#include "term_ops.def"
  };
  return arity[op];
}
