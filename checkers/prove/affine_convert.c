// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine terms as integer polynomials, in two views of the bits.
//
// Each term gets the polynomial of its unsigned or its signed value. Where the
// exact result may leave the range, a multiple of 2^w with a fresh integer is
// taken off; later steps try to show that it is 0. The two views of one term
// are tied by the same means.
#include "problem.h"

#include <string.h>

enum { MAX_DEPTH = 250 };

static uint32_t memo_slot(const gs_memo *memo, uint32_t size, gs_term t) {
  uint32_t slot = (uint32_t)((t * UINT64_C(0x9E3779B97F4A7C15)) >> 40) & (size - 1);
  while (memo[slot].term && memo[slot].term != t)
    slot = (slot + 1) & (size - 1);
  return slot;
}

static bool memo_rehash(gs_problem *p) {
  uint32_t size = p->memo_size * 2;
  gs_memo *memo = gs_arena_alloc(p->arena, size * sizeof *memo);
  if (!memo)
    return false;
  memset(memo, 0, size * sizeof *memo);
  for (uint32_t i = 0; i < p->memo_size; i++)
    if (p->memo[i].term)
      memo[memo_slot(memo, size, p->memo[i].term)] = p->memo[i];
  p->memo = memo;
  p->memo_size = size;
  return true;
}

gs_memo *gs_affine_memo(gs_problem *p, gs_term t) {
  uint32_t slot = memo_slot(p->memo, p->memo_size, t);
  if (p->memo[slot].term)
    return &p->memo[slot];
  if (p->memo_count * 2 >= p->memo_size) {
    if (!memo_rehash(p))
      return NULL;
    slot = memo_slot(p->memo, p->memo_size, t);
  }
  p->memo_count++;
  p->memo[slot] = (gs_memo){.term = t};
  return &p->memo[slot];
}

// ------------------------------------------------------------------ wraps ----

static gs_i128 power(unsigned k) { return (gs_i128)1 << k; }

const gs_poly *gs_affine_wrap(gs_problem *p, gs_term t, const gs_poly *exact, uint8_t width,
                              gs_view view, bool flagged) {
  exact = gs_problem_norm(p, exact);
  if (!exact)
    return NULL;
  gs_span range = gs_span_view(view, width), span = gs_span_of(p, exact);
  gs_span count = gs_span_wraps(span, range, width);
  // With a flag that this contradicts, the wrap is kept on record.
  if (count.lo == count.hi && (count.lo == 0 || !flagged))
    return gs_poly_addc(p->arena, exact, -count.lo * power(width));
  bool was_quick = p->quick;
  p->quick |= flagged && p->options->use_flags; // the flag will do
  bool fits = gs_affine_within(p, exact, range);
  p->quick = was_quick;
  if (fits) {
    gs_problem_hint(p, exact, range);
    return exact;
  }
  for (uint32_t i = 0; i < p->wrap_count; i++) {
    const gs_wrap *w = &p->wraps[i];
    if (w->width == width && w->view == view && w->term == t && gs_poly_equal(w->exact, exact))
      return gs_problem_norm(p, gs_poly_combine(p->arena, exact, 1, gs_poly_var(p->arena, w->q),
                                                -power(width), 0));
  }
  gs_pvar q = gs_problem_var(p, count, GS_PVAR_WRAP, t);
  gs_wrap *wraps =
      gs_arena_grow(p->arena, p->wraps, p->wrap_count + 1, &p->wrap_capacity, sizeof *wraps);
  if (!q || !wraps)
    return NULL;
  p->wraps = wraps;
  wraps[p->wrap_count++] = (gs_wrap){t, view, exact, q, width, flagged, false, p->version};
  const gs_poly *value =
      gs_poly_combine(p->arena, exact, 1, gs_poly_var(p->arena, q), -power(width), 0);
  gs_problem_within(p, value, range);
  return value;
}

// ---------------------------------------------------------------- symbols ----

/// The variable of a term, reading its bits in `view`; span of that view.
static gs_pvar term_var(gs_problem *p, gs_term t, gs_view view, gs_span span, gs_pvar_kind kind) {
  gs_memo *m = gs_affine_memo(p, t);
  if (!m)
    return 0;
  if (!m->var) {
    gs_pvar v = gs_problem_var(p, span, kind, t);
    m->var = v;
    m->var_view = view;
  }
  return m->var;
}

static const gs_poly *symbol(gs_problem *p, gs_term t, gs_view view) {
  const gs_node *node = gs_term_node(p->terms, t);
  const gs_sym *sym = gs_sym_get(p->terms, (uint32_t)node->value);
  gs_span full = gs_span_view(GS_VIEW_U, node->width), span = {sym->lo, sym->hi};
  gs_view base = GS_VIEW_U;
  if (view == GS_VIEW_S && gs_span_in(full, span) && node->width > 1) {
    base = GS_VIEW_S;
    span = gs_span_view(GS_VIEW_S, node->width);
  }
  gs_pvar v = term_var(p, t, base, span, GS_PVAR_SYM);
  if (!v || gs_affine_memo(p, t)->var_view != view)
    return NULL;
  return gs_poly_var(p->arena, v);
}

/// Last resort: anything of this width.
static const gs_poly *opaque(gs_problem *p, gs_term t, gs_view view) {
  uint8_t width = gs_term_width(p->terms, t);
  gs_view base = width == 1 ? GS_VIEW_U : view;
  gs_pvar v = term_var(p, t, base, gs_span_view(base, width), GS_PVAR_ATOM);
  const gs_poly *value = v ? gs_poly_var(p->arena, v) : NULL;
  gs_memo *m = gs_affine_memo(p, t);
  if (!m || m->var_view == view)
    return value;
  return gs_affine_wrap(p, t, value, width, view, false);
}

const gs_poly *gs_affine_atom(gs_problem *p, const gs_atom *proto, gs_span span,
                              gs_pvar_kind kind) {
  for (uint32_t i = 0; i < p->atom_count; i++) {
    gs_atom *a = &p->atoms[i];
    if (a->op != proto->op || a->width != proto->width || !a->arg[0] != !proto->arg[0] ||
        !a->arg[1] != !proto->arg[1])
      continue;
    a->arg[0] = gs_problem_norm(p, a->arg[0]);
    a->arg[1] = gs_problem_norm(p, a->arg[1]);
    if ((!proto->arg[0] || gs_poly_equal(a->arg[0], proto->arg[0])) &&
        (!proto->arg[1] || gs_poly_equal(a->arg[1], proto->arg[1])))
      return a->view == proto->view ? gs_problem_norm(p, gs_poly_var(p->arena, a->var)) : NULL;
  }
  gs_pvar v = gs_problem_var(p, span, kind, GS_NO_TERM);
  gs_atom *atoms =
      gs_arena_grow(p->arena, p->atoms, p->atom_count + 1, &p->atom_capacity, sizeof *atoms);
  if (!v || !atoms)
    return NULL;
  p->atoms = atoms;
  atoms[p->atom_count] = *proto;
  atoms[p->atom_count++].var = v;
  return gs_poly_var(p->arena, v);
}

// ------------------------------------------------------------- operations ----

gs_view gs_affine_view_used(gs_problem *p, gs_term t, gs_view otherwise) {
  const gs_node *node = gs_term_node(p->terms, t);
  gs_memo *m = gs_affine_memo(p, t);
  if (m && m->view[otherwise])
    return otherwise;
  if (m && (m->view[GS_VIEW_U] || m->view[GS_VIEW_S]))
    return m->view[GS_VIEW_U] ? GS_VIEW_U : GS_VIEW_S;
  if (node->op == GS_OP_SEXT || (node->flags & (GS_NSW | GS_NUW)) == GS_NSW)
    return GS_VIEW_S;
  if (node->op == GS_OP_ZEXT || (node->flags & (GS_NSW | GS_NUW)) == GS_NUW)
    return GS_VIEW_U;
  return otherwise;
}

/// An operand of an operation that is exact modulo 2^w: any view will do, and
/// constants are read as signed, so that x + (-1) is x - 1.
static const gs_poly *operand(gs_problem *p, gs_term t, gs_view view, bool strict) {
  uint64_t c = 0;
  if (!strict && gs_term_const(p->terms, t, &c))
    return gs_poly_const(p->arena, gs_sign_extend(c, gs_term_width(p->terms, t)));
  if (!strict && gs_term_is(p->terms, t, GS_OP_SEXT))
    view = GS_VIEW_S;
  return gs_affine_value(p, t, view);
}

static const gs_poly *ring(gs_problem *p, gs_term t, gs_view view) {
  gs_node node = *gs_term_node(p->terms, t);
  uint8_t own = view == GS_VIEW_U ? GS_NUW : GS_NSW, other = GS_NSW | GS_NUW;
  bool flagged = node.flags & own;
  other = (uint8_t)(other & ~own);
  gs_view first = view;
  if (node.op == GS_OP_TRUNC && !node.flags)
    first = gs_affine_view_used(p, node.arg[0], view);
  const gs_poly *a = operand(p, node.arg[0], first, flagged), *exact = a;
  if (node.op == GS_OP_SHL) {
    uint64_t k = 0;
    if (!gs_term_const(p->terms, node.arg[1], &k) || k >= node.width)
      return NULL;
    exact = gs_poly_scale(p->arena, a, power((unsigned)k));
  } else if (node.op != GS_OP_TRUNC) {
    const gs_poly *b = operand(p, node.arg[1], view, flagged);
    exact = node.op == GS_OP_MUL   ? gs_poly_mul(p->arena, a, b)
            : node.op == GS_OP_ADD ? gs_poly_add(p->arena, a, b)
                                   : gs_poly_sub(p->arena, a, b);
  }
  exact = gs_problem_norm(p, exact);
  // Where the flag speaks of the other view, that view is the simple one.
  if (!exact || (!flagged && (node.flags & other) &&
                 !gs_span_in(gs_span_of(p, exact), gs_span_view(view, node.width))))
    return NULL;
  return gs_affine_wrap(p, t, exact, node.width, view, flagged);
}

static const gs_poly *truth_value(gs_problem *p, gs_term t, gs_view view) {
  gs_memo *m = gs_affine_memo(p, t);
  if (m && m->truth)
    return gs_poly_const(p->arena, m->truth < 0 ? 0 : view == GS_VIEW_U ? 1 : -1);
  gs_pvar v = term_var(p, t, GS_VIEW_U, (gs_span){0, 1}, GS_PVAR_BOOL);
  return v ? gs_poly_mono(p->arena, view == GS_VIEW_U ? 1 : -1, gs_mono_var(v)) : NULL;
}

/// min and max when the condition compares the arms, and arms that are ordered.
static void conditional_facts(gs_problem *p, const gs_node *node, const gs_poly *v,
                              const gs_poly *a, const gs_poly *b, gs_view view) {
  gs_node cond = *gs_term_node(p->terms, node->arg[0]);
  gs_op less = view == GS_VIEW_U ? GS_OP_ULT : GS_OP_SLT;
  gs_op less_equal = view == GS_VIEW_U ? GS_OP_ULE : GS_OP_SLE;
  gs_span order = gs_span_of(p, gs_poly_sub(p->arena, b, a));
  bool compares = cond.op == less || cond.op == less_equal;
  bool is_min = compares && cond.arg[0] == node->arg[1] && cond.arg[1] == node->arg[2];
  bool is_max = compares && cond.arg[0] == node->arg[2] && cond.arg[1] == node->arg[1];
  const gs_poly *va = gs_poly_sub(p->arena, v, a), *vb = gs_poly_sub(p->arena, v, b);
  if (is_min || order.lo >= 0) // v <= b in both
    gs_problem_le(p, vb);
  if (is_min || order.hi <= 0)
    gs_problem_le(p, va);
  if (is_max || order.lo >= 0)
    gs_problem_le(p, gs_poly_neg(p->arena, va));
  if (is_max || order.hi <= 0)
    gs_problem_le(p, gs_poly_neg(p->arena, vb));
}

static const gs_poly *conditional(gs_problem *p, gs_term t, gs_view view) {
  gs_node node = *gs_term_node(p->terms, t);
  gs_memo *m = gs_affine_memo(p, node.arg[0]);
  if (m && m->truth)
    return gs_affine_value(p, node.arg[m->truth > 0 ? 1 : 2], view);
  const gs_poly *a = gs_affine_value(p, node.arg[1], view);
  const gs_poly *b = gs_affine_value(p, node.arg[2], view);
  if (!a || !b)
    return NULL;
  gs_span sa = gs_span_of(p, a), sb = gs_span_of(p, b);
  gs_span hull = {sa.lo < sb.lo ? sa.lo : sb.lo, sa.hi > sb.hi ? sa.hi : sb.hi};
  gs_pvar var = gs_problem_var(p, hull, GS_PVAR_ITE, t);
  gs_cond *conds =
      gs_arena_grow(p->arena, p->conds, p->cond_count + 1, &p->cond_capacity, sizeof *conds);
  if (!var || !conds)
    return NULL;
  p->conds = conds;
  conds[p->cond_count++] = (gs_cond){t, view, var, false, 0};
  const gs_poly *v = gs_poly_var(p->arena, var);
  conditional_facts(p, &node, v, a, b, view);
  return v;
}

/// CTLZ, CTPOP, BITREVERSE, LOAD.
static const gs_poly *uninterpreted(gs_problem *p, gs_term t, gs_view view) {
  gs_node node = *gs_term_node(p->terms, t);
  const gs_poly *a = gs_affine_value(p, node.arg[0], gs_affine_view_used(p, node.arg[0], view));
  gs_span span = gs_span_view(view, node.width);
  if (node.op == GS_OP_CTLZ || node.op == GS_OP_CTPOP) {
    span = (gs_span){0, node.width};
    if (view == GS_VIEW_S)
      return NULL;
  }
  gs_atom proto = {
      .op = (gs_op)node.op, .width = node.width, .view = view, .arg = {a, NULL}};
  return a ? gs_affine_atom(p, &proto, span, GS_PVAR_ATOM) : NULL;
}

/// The form of a term in the view it is made for; NULL: derive it from the other view.
static const gs_poly *natural(gs_problem *p, gs_term t, gs_view view) {
  gs_node node = *gs_term_node(p->terms, t);
  switch ((gs_op)node.op) {
  case GS_OP_CONST:
    return gs_poly_const(p->arena, view == GS_VIEW_U ? (gs_i128)node.value
                                                     : gs_sign_extend(node.value, node.width));
  case GS_OP_SYM: return symbol(p, t, view);
  case GS_OP_ADD:
  case GS_OP_SUB:
  case GS_OP_MUL:
  case GS_OP_TRUNC: return node.width == 1 ? NULL : ring(p, t, view);
  case GS_OP_SHL:
    return gs_term_is(p->terms, node.arg[1], GS_OP_CONST) ? ring(p, t, view)
                                                          : gs_affine_shift(p, t, view);
  case GS_OP_LSHR:
  case GS_OP_ASHR: return gs_affine_shift(p, t, view);
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_UREM:
  case GS_OP_SREM: return gs_affine_division(p, t, view, true);
  case GS_OP_AND:
  case GS_OP_OR:
  case GS_OP_XOR:
    return node.width == 1 ? truth_value(p, t, view) : gs_affine_bitwise(p, t, view);
  case GS_OP_EQ:
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE: return truth_value(p, t, view);
  case GS_OP_ITE:
    return node.width == 1 ? truth_value(p, t, view) : conditional(p, t, view);
  case GS_OP_ZEXT: return gs_affine_value(p, node.arg[0], GS_VIEW_U);
  case GS_OP_SEXT:
    return view == GS_VIEW_S ? gs_affine_value(p, node.arg[0], GS_VIEW_S) : NULL;
  case GS_OP_CTLZ:
  case GS_OP_CTPOP:
  case GS_OP_BITREVERSE:
  case GS_OP_LOAD: return uninterpreted(p, t, view);
  case GS_OP_NONE:
  case GS_OP_COUNT: break;
  }
  return NULL;
}

/// Ties the two forms of one term: unsigned = signed - 2^w * q, q in {-1, 0}.
static void relate(gs_problem *p, gs_term t, const gs_poly *u, const gs_poly *s) {
  if (gs_poly_equal(u, s))
    return;
  uint8_t width = gs_term_width(p->terms, t);
  gs_i128 half = power(width - 1u);
  gs_span su = gs_span_of(p, u), ss = gs_span_of(p, s);
  const gs_poly *from_s = s;
  if (su.lo >= half || ss.hi < 0)
    from_s = gs_poly_addc(p->arena, s, power(width));
  else if (su.hi >= half && ss.lo < 0)
    from_s = gs_affine_wrap(p, t, s, width, GS_VIEW_U, false);
  gs_problem_eq(p, gs_poly_sub(p->arena, u, from_s));
}

static const gs_poly *derive(gs_problem *p, gs_term t, gs_view view) {
  gs_view other = view == GS_VIEW_U ? GS_VIEW_S : GS_VIEW_U;
  gs_memo *m = gs_affine_memo(p, t);
  const gs_poly *value = m && m->view[other] ? gs_problem_norm(p, m->view[other]) : NULL;
  if (!value)
    value = natural(p, t, other);
  if (!value)
    return opaque(p, t, view);
  m = gs_affine_memo(p, t);
  if (m)
    m->view[other] = value;
  return gs_affine_wrap(p, t, value, gs_term_width(p->terms, t), view, false);
}

const gs_poly *gs_affine_value(gs_problem *p, gs_term t, gs_view view) {
  gs_memo *m = gs_affine_memo(p, t);
  if (!m)
    return NULL;
  if (m->view[view]) {
    m->view[view] = gs_problem_norm(p, m->view[view]);
    if (m->view[view])
      return m->view[view];
  }
  if (p->depth >= MAX_DEPTH || !gs_problem_step(p, 1))
    return opaque(p, t, view);
  p->depth++;
  const gs_poly *value = natural(p, t, view), *was = NULL;
  bool own = value != NULL;
  if (!value)
    value = derive(p, t, view);
  if (!value)
    value = opaque(p, t, view);
  p->depth--;
  gs_view other = view == GS_VIEW_U ? GS_VIEW_S : GS_VIEW_U;
  m = gs_affine_memo(p, t);
  if (m) {
    m->view[view] = value;
    was = m->view[other];
  }
  if (own && was && value)
    relate(p, t, view == GS_VIEW_U ? value : gs_problem_norm(p, was),
           view == GS_VIEW_U ? gs_problem_norm(p, was) : value);
  return value;
}
