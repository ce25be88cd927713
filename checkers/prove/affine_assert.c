// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Truth values as facts, and which operations were certainly executed.
//
// Flags are promises of the program about operations it executes. Below an arm
// of a conditional or an operand of a disjunction they count only in the case
// that takes the arm or the operand.
#include "problem.h"

enum { MAX_PENDING = 512 };

typedef struct pending {
  gs_literal at[MAX_PENDING];
  uint32_t count;
} pending;

static void push(pending *stack, gs_term t, bool truth) {
  if (stack->count < MAX_PENDING) // else forgotten
    stack->at[stack->count++] = (gs_literal){t, truth};
}

static bool is_comparison(gs_op op) {
  return op == GS_OP_ULT || op == GS_OP_ULE || op == GS_OP_SLT || op == GS_OP_SLE;
}

/// !(a < b) is b <= a: the term of the negation, when it is another comparison.
static gs_term negation(gs_problem *p, gs_term t) {
  return is_comparison((gs_op)gs_term_node(p->terms, t)->op) ? gs_mk_not(p->terms, t)
                                                            : GS_NO_TERM;
}

/// Records the truth of one term. \returns false when it was known.
static bool set_truth(gs_problem *p, gs_term t, bool truth) {
  gs_memo *m = t ? gs_affine_memo(p, t) : NULL;
  if (!m)
    return false;
  int8_t value = truth ? 1 : -1;
  if (m->truth) {
    p->contradiction |= m->truth != value;
    return false;
  }
  m->truth = value;
  p->version++;
  if (m->var && m->var_view == GS_VIEW_U)
    gs_problem_eq(p, gs_poly_addc(p->arena, gs_poly_var(p->arena, m->var), -(gs_i128)truth));
  return true;
}

static void add_disjunction(gs_problem *p, gs_disjunction d) {
  gs_disjunction *list = gs_arena_grow(p->arena, p->disjunctions, p->disjunction_count + 1,
                                       &p->disjunction_capacity, sizeof *list);
  if (!list)
    return;
  p->disjunctions = list;
  list[p->disjunction_count++] = d;
}

static void assert_comparison(gs_problem *p, gs_op op, gs_term a, gs_term b, bool truth) {
  gs_view view = op == GS_OP_ULT || op == GS_OP_ULE ? GS_VIEW_U : GS_VIEW_S;
  const gs_poly *x = gs_affine_value(p, a, view), *y = gs_affine_value(p, b, view);
  bool strict = (op == GS_OP_ULT || op == GS_OP_SLT) == truth;
  const gs_poly *d = truth ? gs_poly_sub(p->arena, x, y) : gs_poly_sub(p->arena, y, x);
  gs_problem_le(p, strict ? gs_poly_addc(p->arena, d, 1) : d);
}

/// Both views of an equality hold; the second is learnt where it is known already.
static void assert_equal(gs_problem *p, gs_term a, gs_term b, bool truth) {
  gs_view view = gs_affine_view_used(p, a, GS_VIEW_S);
  if (gs_term_is(p->terms, a, GS_OP_CONST))
    view = gs_affine_view_used(p, b, GS_VIEW_S);
  for (int k = 0; k < 2; k++, view = view == GS_VIEW_U ? GS_VIEW_S : GS_VIEW_U) {
    gs_memo *m = gs_affine_memo(p, a);
    bool has = m && m->view[view];
    m = gs_affine_memo(p, b);
    if (k && !(has && m && m->view[view]))
      continue;
    const gs_poly *x = gs_affine_value(p, a, view), *y = gs_affine_value(p, b, view);
    const gs_poly *d = gs_poly_sub(p->arena, gs_problem_norm(p, x), y);
    if (truth)
      gs_problem_eq(p, d);
    else if (!k)
      gs_problem_ne(p, d);
  }
}

static void assert_same_truth(gs_problem *p, gs_term a, gs_term b, bool same, bool certain) {
  add_disjunction(p, (gs_disjunction){.first = {{a, true}, {b, same}},
                                      .second = {{a, false}, {b, !same}},
                                      .certain = certain});
}

/// One literal that is no conjunction.
static void assert_literal(gs_problem *p, gs_term t, bool truth, bool certain, pending *stack) {
  gs_node node = *gs_term_node(p->terms, t);
  uint64_t c = 0;
  switch ((gs_op)node.op) {
  case GS_OP_CONST: p->contradiction |= (node.value & 1) != truth; return;
  case GS_OP_AND:
  case GS_OP_OR:
    add_disjunction(p, (gs_disjunction){.first = {{node.arg[0], truth}},
                                        .second = {{node.arg[1], truth}},
                                        .certain = certain});
    return;
  case GS_OP_XOR:
    if (gs_term_const(p->terms, node.arg[1], &c))
      push(stack, node.arg[0], truth != (c & 1));
    else
      assert_same_truth(p, node.arg[0], node.arg[1], !truth, certain);
    return;
  case GS_OP_ITE:
    add_disjunction(p, (gs_disjunction){.first = {{node.arg[0], true}, {node.arg[1], truth}},
                                        .second = {{node.arg[0], false}, {node.arg[2], truth}},
                                        .certain = certain});
    return;
  case GS_OP_EQ:
    if (gs_term_width(p->terms, node.arg[0]) == 1)
      assert_same_truth(p, node.arg[0], node.arg[1], truth, certain);
    else
      assert_equal(p, node.arg[0], node.arg[1], truth);
    break;
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE:
    assert_comparison(p, (gs_op)node.op, node.arg[0], node.arg[1], truth);
    break;
  case GS_OP_NONE:
  case GS_OP_SYM:
  case GS_OP_ADD:
  case GS_OP_SUB:
  case GS_OP_MUL:
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_UREM:
  case GS_OP_SREM:
  case GS_OP_SHL:
  case GS_OP_LSHR:
  case GS_OP_ASHR:
  case GS_OP_ZEXT:
  case GS_OP_SEXT:
  case GS_OP_TRUNC:
  case GS_OP_CTLZ:
  case GS_OP_CTPOP:
  case GS_OP_BITREVERSE:
  case GS_OP_LOAD:
  case GS_OP_COUNT:
    gs_problem_eq(p, gs_poly_addc(p->arena, gs_affine_value(p, t, GS_VIEW_U), truth ? -1 : 0));
    break;
  }
  if (certain)
    gs_affine_mark(p, t);
}

void gs_affine_assert(gs_problem *p, gs_term root, bool truth, bool certain) {
  pending stack = {.count = 0};
  push(&stack, root, truth);
  while (stack.count && !p->contradiction) {
    gs_literal l = stack.at[--stack.count];
    gs_node node = *gs_term_node(p->terms, l.term);
    bool known = !set_truth(p, l.term, l.truth);
    set_truth(p, negation(p, l.term), !l.truth);
    gs_memo *m = gs_affine_memo(p, l.term);
    if (known && (!certain || (m && m->certain)))
      continue;
    if (m && certain)
      m->certain = true;
    if ((node.op == GS_OP_AND && l.truth) || (node.op == GS_OP_OR && !l.truth)) {
      push(&stack, node.arg[1], l.truth);
      push(&stack, node.arg[0], l.truth);
    } else {
      assert_literal(p, l.term, l.truth, certain, &stack);
    }
  }
}

/// The operands of t that are executed whenever t is.
static unsigned executed(gs_problem *p, const gs_node *node, gs_term out[3]) {
  unsigned n = 0;
  if (node->op == GS_OP_ITE) {
    gs_memo *m = gs_affine_memo(p, node->arg[0]);
    out[n++] = node->arg[0];
    if (m && m->truth)
      out[n++] = node->arg[m->truth > 0 ? 1 : 2];
    return n;
  }
  if (node->width == 1 && (node->op == GS_OP_AND || node->op == GS_OP_OR))
    return 0;
  if (node->op == GS_OP_CONST || node->op == GS_OP_SYM)
    return 0;
  for (unsigned i = 0; i < 3; i++)
    if (node->arg[i])
      out[n++] = node->arg[i];
  return n;
}

void gs_affine_mark(gs_problem *p, gs_term root) {
  gs_term stack[MAX_PENDING];
  uint32_t count = 1;
  stack[0] = root;
  while (count) {
    gs_term t = stack[--count], out[3];
    gs_node node = *gs_term_node(p->terms, t);
    gs_memo *m = gs_affine_memo(p, t);
    if (!m || (m->certain && t != root))
      continue;
    m->certain = true;
    unsigned n = executed(p, &node, out);
    for (unsigned i = 0; i < n && count < MAX_PENDING; i++)
      stack[count++] = out[i];
  }
}
