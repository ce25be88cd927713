// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The operator table; apart from the parser because the runtime needs no more.
#include "gs_contract.h"

const char *gs_expr_op_name(gs_expr_op op) {
  static const char *const names[] = {
#define GS_EXPR(name, arity, text) #name,
#include "contract_ops.def"
  };
  return (size_t)op < sizeof names / sizeof *names ? names[op] : "?";
}

unsigned gs_expr_op_arity(gs_expr_op op) {
  static const uint8_t arities[] = {
#define GS_EXPR(name, arity, text) arity,
#include "contract_ops.def"
  };
  return (size_t)op < sizeof arities ? arities[op] : 0;
}
