// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terms that are one for the launch, as the text that a user would write.
#include "annotate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/// What binds tighter than what, for parentheses.
typedef struct piece {
  const char *text; ///< NULL: it has none
  int binds;        ///< 3: a name or number, 2: a product, 1: a sum
} piece;

static const char axis_name[3] = {'x', 'y', 'z'};

/// The parameter's integer at that byte; NULL where a contract cannot name it.
static const char *param_text(gs_pool *arena, const gs_kernel_desc *desc, const gs_sym *sym) {
  const gs_param_desc *p = desc && sym->index < desc->param_count ? &desc->params[sym->index] : NULL;
  if (!p || !p->name[0] || gs_name_is_builtin(p->name, strlen(p->name)))
    return NULL;
  for (uint32_t i = 0; i < p->field_count; i++) {
    const gs_field *f = &p->fields[i];
    if (f->kind != GS_TYPE_INT || f->offset != sym->offset || f->bits != sym->width)
      continue;
    return p->kind == GS_TYPE_RECORD ? gs_pool_format(arena, "%s.%s", p->name, f->path) : p->name;
  }
  return NULL;
}

static piece symbol_piece(gs_pool *arena, const gs_program *p, const gs_sym *sym) {
  const char *of = sym->kind == GS_SYM_NTID ? "block" : sym->kind == GS_SYM_NCTAID ? "grid" : NULL;
  if (of && sym->index < 3)
    return (piece){gs_pool_format(arena, "%s.%c", of, axis_name[sym->index]), 3};
  if (sym->kind == GS_SYM_PARAM)
    return (piece){param_text(arena, p->desc, sym), 3};
  return (piece){0};
}

static const char *wrapped(gs_pool *arena, piece p, int least) {
  return p.binds < least ? gs_pool_format(arena, "(%s)", p.text) : p.text;
}

static piece print(gs_pool *arena, const gs_program *p, gs_term t, int depth);

/// `x + -3` is `x - 3`, and `3 + x` is `x + 3`.
static piece sum_piece(gs_pool *arena, const gs_program *p, const gs_node *n, int depth) {
  uint64_t c = 0;
  bool swap = n->op == GS_OP_ADD && gs_term_const(p->terms, n->arg[0], &c);
  gs_term first = n->arg[swap], second = n->arg[!swap];
  piece a = print(arena, p, first, depth), b = print(arena, p, second, depth);
  bool minus = n->op == GS_OP_SUB;
  if (!a.text || !b.text)
    return (piece){0};
  if (gs_term_const(p->terms, second, &c) && gs_sign_extend(c, n->width) < 0) {
    minus = !minus;
    b = (piece){gs_pool_format(arena, "%" PRIi64, -gs_sign_extend(c, n->width)), 3};
  }
  return (piece){gs_pool_format(arena, "%s %c %s", a.text, minus ? '-' : '+', wrapped(arena, b, minus ? 2 : 1)), 1};
}

static piece product_piece(gs_pool *arena, const gs_program *p, const gs_node *n, int depth) {
  uint64_t c = 0;
  piece a = print(arena, p, n->arg[0], depth);
  bool constant = gs_term_const(p->terms, n->arg[1], &c);
  piece b = n->op == GS_OP_MUL ? print(arena, p, n->arg[1], depth) : (piece){0};
  if (n->op == GS_OP_SHL && constant && c < 31)
    b = (piece){gs_pool_format(arena, "%" PRIu64, UINT64_C(1) << c), 3};
  if (!a.text || !b.text)
    return (piece){0};
  return (piece){gs_pool_format(arena, "%s * %s", wrapped(arena, a, 2), wrapped(arena, b, 2)), 2};
}

/// Division truncates in a contract as in C; a shift to the right is one of what is not negative.
static piece quotient_piece(gs_pool *arena, const gs_program *p, const gs_node *n, int depth) {
  uint64_t c = 0;
  piece a = print(arena, p, n->arg[0], depth), b = print(arena, p, n->arg[1], depth);
  if (!a.text || !b.text || !gs_term_const(p->terms, n->arg[1], &c) || !c || c > INT32_MAX)
    return (piece){0};
  if (n->op == GS_OP_LSHR || n->op == GS_OP_ASHR)
    b = (piece){c < 31 ? gs_pool_format(arena, "%" PRIu64, UINT64_C(1) << c) : NULL, 3};
  if (!b.text)
    return (piece){0};
  return (piece){gs_pool_format(arena, "%s / %s", wrapped(arena, a, 2), b.text), 2};
}

static piece print(gs_pool *arena, const gs_program *p, gs_term t, int depth) {
  enum { DEEPEST = 8 };
  const gs_node n = *gs_term_node(p->terms, t);
  piece none = {0};
  if (depth > DEEPEST || n.level != GS_LEVEL_GRID)
    return none;
  switch ((gs_op)n.op) {
  case GS_OP_CONST:
    return (piece){gs_pool_format(arena, "%" PRIi64, gs_sign_extend(n.value, n.width)), 3};
  case GS_OP_SYM: return symbol_piece(arena, p, gs_sym_get(p->terms, (uint32_t)n.value));
  case GS_OP_ADD:
  case GS_OP_SUB: return sum_piece(arena, p, &n, depth + 1);
  case GS_OP_MUL:
  case GS_OP_SHL: return product_piece(arena, p, &n, depth + 1);
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_LSHR:
  case GS_OP_ASHR: return quotient_piece(arena, p, &n, depth + 1);
  case GS_OP_ZEXT:
  case GS_OP_SEXT:
  case GS_OP_TRUNC: return print(arena, p, n.arg[0], depth + 1);
  case GS_OP_NONE:
  case GS_OP_UREM:
  case GS_OP_SREM:
  case GS_OP_AND:
  case GS_OP_OR:
  case GS_OP_XOR:
  case GS_OP_EQ:
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE:
  case GS_OP_ITE:
  case GS_OP_CTLZ:
  case GS_OP_CTPOP:
  case GS_OP_BITREVERSE:
  case GS_OP_LOAD:
  case GS_OP_COUNT: return none;
  }
  return none;
}

const char *gs_uniform_text(gs_pool *arena, const gs_program *program, gs_term t) {
  enum { LONGEST = 60 };
  piece p = print(arena, program, t, 0);
  return p.text && strlen(p.text) <= LONGEST ? p.text : NULL;
}

bool gs_texts_have(const gs_texts *texts, const char *text) {
  for (uint32_t i = 0; i < texts->count; i++)
    if (strcmp(texts->items[i], text) == 0)
      return true;
  return false;
}

void gs_texts_add(gs_texts *texts, gs_pool *arena, const char *format, ...) {
  char text[160];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length < 0 || (size_t)length >= sizeof text || texts->count == GS_MOST_TEXTS || gs_texts_have(texts, text))
    return;
  texts->items[texts->count] = gs_pool_text(arena, text);
  texts->count += texts->items[texts->count] != NULL;
}
