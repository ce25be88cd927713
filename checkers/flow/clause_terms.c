// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clause_terms.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct builder {
  gs_program *program;
  gs_terms *terms;
  const gs_clause *clause;
  uint32_t sm;
  uint32_t at; ///< the node that is looked at
} builder;

static gs_term launch_value(gs_terms *terms, gs_launch_value value, uint64_t lo, uint64_t hi,
                            const char *name) {
  for (uint32_t s = 0; s < gs_sym_count(terms); s++) {
    const gs_sym *sym = gs_sym_get(terms, s);
    if (sym->kind == GS_SYM_LAUNCH && sym->index == (uint32_t)value && sym->copy == 0)
      return gs_sym_term(terms, s);
  }
  gs_sym sym = {.kind = GS_SYM_LAUNCH, .index = (uint32_t)value, .width = 32, .exact = true,
                .lo = lo, .hi = hi, .name = name};
  return gs_mk_sym(terms, &sym);
}

gs_term gs_program_cluster(gs_program *program, uint32_t axis) {
  return launch_value(program->terms, (gs_launch_value)(GS_LAUNCH_CLUSTER_X + axis), 1, 16, "cluster");
}

static gs_term name_value(builder *b, const gs_name *name) {
  gs_terms *t = b->terms;
  gs_term v = GS_NO_TERM;
  switch (name->kind) {
  case GS_NAME_CONSTANT: return gs_mk_const(t, (uint64_t)name->value, 64);
  case GS_NAME_WARP_SIZE: return gs_mk_const(t, 32, 64);
  case GS_NAME_BLOCK: v = b->program->ntid[name->axis]; break;
  case GS_NAME_GRID: v = b->program->nctaid[name->axis]; break;
  case GS_NAME_DYNAMIC_SMEM: v = b->program->dynamic_smem; break;
  case GS_NAME_CLUSTER:
    v = gs_program_cluster(b->program, name->axis);
    break;
  case GS_NAME_COOPERATIVE:
    v = launch_value(b->terms, GS_LAUNCH_COOPERATIVE, 0, 1, "cooperative");
    break;
  case GS_NAME_CC: {
    // A device that runs code for sm_NN has at least that capability.
    gs_sym sym = {.kind = GS_SYM_LAUNCH, .index = GS_LAUNCH_CC, .width = 32, .exact = true,
                  .lo = b->sm, .hi = 1000, .name = "cc"};
    v = gs_mk_sym(t, &sym);
    break;
  }
  case GS_NAME_PARAM: {
    if (name->bits == 0 || name->bits > 64)
      return GS_NO_TERM;
    v = gs_program_param(b->program, name->param, name->offset, (uint8_t)name->bits,
                         name->is_signed);
    return gs_mk_cast(t, name->is_signed ? GS_OP_SEXT : GS_OP_ZEXT, v, 64);
  }
  case GS_NAME_POINTER: return GS_NO_TERM;
  }
  return gs_mk_cast(t, GS_OP_ZEXT, v, 64);
}

/// Bytes of what a pointer points to; 0 = not known.
static uint32_t elem_size_of(const gs_kernel_desc *desc, const gs_name *name) {
  const gs_param_desc *p = desc && name->param < desc->param_count ? &desc->params[name->param] : NULL;
  if (p && p->kind == GS_TYPE_POINTER)
    return p->elem_size;
  for (uint32_t i = 0; p && i < p->field_count; i++)
    if (p->fields[i].offset == name->offset && p->fields[i].kind == GS_TYPE_POINTER)
      return p->fields[i].elem_size;
  return 0;
}

/// extent(p): any number of elements that an address space of 2^57 bytes has room for.
static gs_term extent_value(builder *b, const gs_name *name) {
  gs_terms *t = b->terms;
  char text[96];
  uint32_t index = GS_LAUNCH_EXTENT + (name->param << 16) + name->offset, size = elem_size_of(b->program->desc, name);
  for (uint32_t s = 0; s < gs_sym_count(t); s++)
    if (gs_sym_get(t, s)->kind == GS_SYM_LAUNCH && gs_sym_get(t, s)->index == index && !gs_sym_get(t, s)->copy)
      return gs_sym_term(t, s);
  snprintf(text, sizeof text, "%.80s", b->clause->text + b->clause->nodes[b->at].begin);
  size_t length = b->clause->nodes[b->at].end - b->clause->nodes[b->at].begin;
  text[length < sizeof text ? length : sizeof text - 1] = 0;
  gs_sym sym = {.kind = GS_SYM_LAUNCH, .index = index, .width = 64, .exact = true,
                .hi = (UINT64_C(1) << 57) / (size ? size : 1), .name = text};
  return gs_mk_sym(t, &sym);
}

/// The address in a pointer that the kernel uses; GS_NO_TERM: it does not.
static gs_term address_of(const builder *b, const gs_name *name) {
  for (uint32_t i = 0; i < b->program->object_count; i++) {
    const gs_object *o = &b->program->objects[i];
    if (o->kind == GS_OBJECT_PARAM && o->param == name->param && o->offset == name->offset)
      return o->base;
  }
  return GS_NO_TERM;
}

static gs_term as_bool(gs_terms *t, gs_term v) {
  if (!v || gs_term_width(t, v) == 1)
    return v;
  return gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, v, gs_mk_const(t, 0, 64)));
}

static gs_term as_int(gs_terms *t, gs_term v) { return gs_mk_cast(t, GS_OP_ZEXT, v, 64); }

static gs_term exact(builder *b, gs_op op, gs_term x, gs_term y) {
  return gs_mk_bin_flags(b->terms, op, x, y, GS_NSW, 0);
}

static gs_term ceil_div(builder *b, gs_term x, gs_term y) {
  gs_terms *t = b->terms;
  gs_term zero = gs_mk_const(t, 0, 64), one = gs_mk_const(t, 1, 64);
  gs_term positive = gs_mk_and(t, gs_mk_bin(t, GS_OP_SLE, zero, x), gs_mk_bin(t, GS_OP_SLT, zero, y));
  gs_term up = gs_mk_bin(t, GS_OP_SDIV, exact(b, GS_OP_ADD, x, exact(b, GS_OP_SUB, y, one)), y);
  gs_term rest = gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, gs_mk_bin(t, GS_OP_SREM, x, y), zero));
  gs_term same = gs_mk_bin(t, GS_OP_EQ, gs_mk_bin(t, GS_OP_SLT, x, zero),
                           gs_mk_bin(t, GS_OP_SLT, y, zero));
  gs_term other = gs_mk_bin(t, GS_OP_ADD, gs_mk_bin(t, GS_OP_SDIV, x, y),
                            as_int(t, gs_mk_and(t, rest, same)));
  return gs_mk_ite(t, positive, up, other);
}

static gs_term combine(builder *b, gs_expr_op op, const gs_term *a) {
  gs_terms *t = b->terms;
  gs_term zero = gs_mk_const(t, 0, 64), one = gs_mk_const(t, 1, 64);
  switch (op) {
  case GS_EXPR_ADD: return exact(b, GS_OP_ADD, a[0], a[1]);
  case GS_EXPR_SUB: return exact(b, GS_OP_SUB, a[0], a[1]);
  case GS_EXPR_MUL: return exact(b, GS_OP_MUL, a[0], a[1]);
  case GS_EXPR_DIV: return gs_mk_bin(t, GS_OP_SDIV, a[0], a[1]);
  case GS_EXPR_MOD: return gs_mk_bin(t, GS_OP_SREM, a[0], a[1]);
  case GS_EXPR_SHL: return exact(b, GS_OP_SHL, a[0], a[1]);
  case GS_EXPR_SHR: return gs_mk_bin(t, GS_OP_LSHR, a[0], a[1]);
  case GS_EXPR_BITAND: return gs_mk_bin(t, GS_OP_AND, a[0], a[1]);
  case GS_EXPR_BITOR: return gs_mk_bin(t, GS_OP_OR, a[0], a[1]);
  case GS_EXPR_BITXOR: return gs_mk_bin(t, GS_OP_XOR, a[0], a[1]);
  case GS_EXPR_BITNOT: return GS_NO_TERM;
  case GS_EXPR_NEG: return exact(b, GS_OP_SUB, zero, a[0]);
  case GS_EXPR_EQ: return gs_mk_bin(t, GS_OP_EQ, a[0], a[1]);
  case GS_EXPR_NE: return gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, a[0], a[1]));
  case GS_EXPR_LT: return gs_mk_bin(t, GS_OP_SLT, a[0], a[1]);
  case GS_EXPR_LE: return gs_mk_bin(t, GS_OP_SLE, a[0], a[1]);
  case GS_EXPR_GT: return gs_mk_bin(t, GS_OP_SLT, a[1], a[0]);
  case GS_EXPR_GE: return gs_mk_bin(t, GS_OP_SLE, a[1], a[0]);
  case GS_EXPR_MIN: return gs_mk_ite(t, gs_mk_bin(t, GS_OP_SLT, a[0], a[1]), a[0], a[1]);
  case GS_EXPR_MAX: return gs_mk_ite(t, gs_mk_bin(t, GS_OP_SLT, a[0], a[1]), a[1], a[0]);
  case GS_EXPR_ABS:
    return gs_mk_ite(t, gs_mk_bin(t, GS_OP_SLT, a[0], zero), exact(b, GS_OP_SUB, zero, a[0]), a[0]);
  case GS_EXPR_CEIL_DIV: return ceil_div(b, a[0], a[1]);
  case GS_EXPR_IS_POW2:
    return gs_mk_and(t, gs_mk_bin(t, GS_OP_SLT, zero, a[0]),
                     gs_mk_bin(t, GS_OP_EQ,
                               gs_mk_bin(t, GS_OP_AND, a[0], exact(b, GS_OP_SUB, a[0], one)), zero));
  case GS_EXPR_INT:
  case GS_EXPR_NAME:
  case GS_EXPR_NOT:
  case GS_EXPR_AND:
  case GS_EXPR_OR:
  case GS_EXPR_COND:
  case GS_EXPR_ALIGNED:
  case GS_EXPR_EXTENT:
  case GS_EXPR_INJECTIVE:
  case GS_EXPR_MONOTONE:
  case GS_EXPR_STRICTLY_MONOTONE:
  case GS_EXPR_IN_RANGE: return GS_NO_TERM;
  }
  return GS_NO_TERM;
}

/// Facts about data, and `aligned`: truths about a pointer, with a number behind it.
static bool is_data(gs_expr_op op) {
  return op == GS_EXPR_ALIGNED || (op >= GS_EXPR_INJECTIVE && op <= GS_EXPR_IN_RANGE);
}

/// x % n, as a mask where n is a power of two.
static gs_term remainder_of(gs_terms *t, gs_term x, gs_term n) {
  uint64_t c = 0;
  if (gs_term_const(t, n, &c) && c && !(c & (c - 1)))
    return gs_mk_bin(t, GS_OP_AND, x, gs_mk_const(t, c - 1, 64));
  return gs_mk_bin(t, GS_OP_UREM, x, n);
}

static gs_term build(builder *b, uint32_t at) {
  const gs_expr *e = &b->clause->nodes[at];
  gs_terms *t = b->terms;
  if (e->op == GS_EXPR_INT)
    return gs_mk_const(t, (uint64_t)e->value, 64);
  if (e->op == GS_EXPR_NAME)
    return name_value(b, &e->name);
  if (e->op == GS_EXPR_NOT) {
    gs_term v = as_bool(t, build(b, e->args[0]));
    return v ? gs_mk_not(t, v) : GS_NO_TERM;
  }
  if (e->op == GS_EXPR_AND || e->op == GS_EXPR_OR) {
    gs_term x = as_bool(t, build(b, e->args[0])), y = as_bool(t, build(b, e->args[1]));
    // Dropping an unknown conjunct keeps a true fact; an unknown disjunct does not.
    if (e->op == GS_EXPR_AND && (!x || !y))
      return x ? x : y;
    return e->op == GS_EXPR_AND ? gs_mk_and(t, x, y) : gs_mk_or(t, x, y);
  }
  if (e->op == GS_EXPR_COND) {
    gs_term x = build(b, e->args[1]), y = build(b, e->args[2]);
    return gs_mk_ite(t, as_bool(t, build(b, e->args[0])), as_int(t, x), as_int(t, y));
  }
  if (e->op == GS_EXPR_EXTENT) {
    b->at = at;
    return extent_value(b, &b->clause->nodes[e->args[0]].name);
  }
  if (is_data(e->op)) { // what remains of it: its count is not negative
    gs_term count = as_int(t, build(b, e->args[1])), zero = gs_mk_const(t, 0, 64);
    gs_term fact = gs_mk_bin(t, GS_OP_SLE, zero, count);
    gs_term address = e->op == GS_EXPR_ALIGNED ? address_of(b, &b->clause->nodes[e->args[0]].name) : GS_NO_TERM;
    return address ? gs_mk_and(t, gs_mk_bin(t, GS_OP_SLT, zero, count),
                               gs_mk_bin(t, GS_OP_EQ, remainder_of(t, address, count), zero))
                   : fact;
  }
  gs_term args[4] = {0};
  for (int i = 0; i < 4; i++)
    if (i == 0 || e->args[i])
      args[i] = as_int(t, build(b, e->args[i]));
  return combine(b, e->op, args);
}

/// Below a negation or a comparison with a truth value a part must not be replaced by a
/// weaker one: then the whole clause is given up.
static bool drops_safely(const gs_clause *clause, uint32_t at, bool positive) {
  const gs_expr *e = &clause->nodes[at];
  if (is_data(e->op))
    return positive;
  if (e->op == GS_EXPR_INT || e->op == GS_EXPR_NAME || e->op == GS_EXPR_EXTENT)
    return true;
  bool keep = positive && (e->op == GS_EXPR_AND || e->op == GS_EXPR_OR || e->op == GS_EXPR_COND);
  bool fine = drops_safely(clause, e->args[0], keep && e->op != GS_EXPR_COND);
  for (int i = 1; i < 4; i++)
    if (e->args[i])
      fine &= drops_safely(clause, e->args[i], keep);
  return fine;
}

/// A clause that holds has evaluated without error: what it certainly evaluates of
/// unsigned 64-bit parameters lies in the signed range.
static gs_term evaluates(builder *b, uint32_t at, bool holds) {
  const gs_expr *e = &b->clause->nodes[at];
  gs_terms *t = b->terms;
  if (e->op == GS_EXPR_NAME && e->name.kind == GS_NAME_PARAM && e->name.bits == 64 &&
      !e->name.is_signed)
    return gs_mk_bin(t, GS_OP_SLE, gs_mk_const(t, 0, 64), name_value(b, &e->name));
  gs_term all = gs_mk_bool(t, true);
  if (e->op == GS_EXPR_INT || e->op == GS_EXPR_NAME || e->op >= GS_EXPR_ALIGNED)
    return all;
  bool both = e->op == GS_EXPR_AND && holds;
  bool lazy = e->op == GS_EXPR_AND || e->op == GS_EXPR_OR || e->op == GS_EXPR_COND;
  all = evaluates(b, e->args[0], both);
  for (int i = 1; i < 4; i++)
    if (e->args[i] && (both || !lazy))
      all = gs_mk_and(t, all, evaluates(b, e->args[i], both));
  return all;
}

gs_term gs_clause_fact(gs_program *program, const gs_clause *clause, uint32_t sm) {
  builder b = {program, program->terms, clause, sm, 0};
  if (!clause || !clause->count || !drops_safely(clause, clause->count - 1, true))
    return GS_NO_TERM;
  uint32_t root = clause->count - 1;
  gs_term fact = as_bool(b.terms, build(&b, root));
  return fact ? gs_mk_and(b.terms, fact, evaluates(&b, root, true)) : GS_NO_TERM;
}

gs_term gs_clause_value(gs_program *program, const gs_clause *clause, uint32_t sm) {
  builder b = {program, program->terms, clause, sm, 0};
  if (!clause || !clause->count || !drops_safely(clause, clause->count - 1, false))
    return GS_NO_TERM;
  gs_term value = build(&b, clause->count - 1);
  return value ? as_int(b.terms, value) : GS_NO_TERM;
}

// ------------------------------------------------------------------- data ----

typedef struct data_walk {
  builder b;
  gs_data_fact *out;
  uint32_t count, capacity;
  bool lost;
} data_walk;

static bool has_data(const gs_clause *clause, uint32_t at) {
  const gs_expr *e = &clause->nodes[at];
  bool found = is_data(e->op) && e->op != GS_EXPR_ALIGNED;
  for (unsigned i = 0; i < gs_expr_op_arity(e->op) && !found; i++)
    found = has_data(clause, e->args[i]);
  return found;
}

bool gs_clause_has_data(const gs_clause *clause) {
  for (uint32_t i = 0; i < clause->count; i++)
    if (clause->nodes[i].op >= GS_EXPR_ALIGNED)
      return true;
  return false;
}

/// What the pointer points to. \returns false when these are no integers.
static bool elements_of(const gs_kernel_desc *desc, const gs_name *name, gs_data_fact *out) {
  gs_elem elem = GS_ELEM_OTHER;
  if (!desc || name->param >= desc->param_count)
    return false;
  const gs_param_desc *p = &desc->params[name->param];
  if (p->kind == GS_TYPE_POINTER) {
    elem = p->elem;
    out->elem_size = p->elem_size;
  }
  for (uint32_t i = 0; p->kind == GS_TYPE_RECORD && i < p->field_count; i++)
    if (p->fields[i].offset == name->offset && p->fields[i].kind == GS_TYPE_POINTER) {
      elem = p->fields[i].elem;
      out->elem_size = p->fields[i].elem_size;
    }
  out->param = name->param;
  out->offset = name->offset;
  out->is_signed = elem == GS_ELEM_SIGNED;
  bool sized = out->elem_size == 1 || out->elem_size == 2 || out->elem_size == 4 || out->elem_size == 8;
  return elem != GS_ELEM_OTHER && sized;
}

static void add_data(data_walk *w, const gs_expr *e, gs_term when) {
  gs_terms *t = w->b.terms;
  const gs_expr *pointer = &w->b.clause->nodes[e->args[0]];
  gs_data_fact f = {.op = e->op, .when = when};
  bool fine = pointer->op == GS_EXPR_NAME && elements_of(w->b.program->desc, &pointer->name, &f);
  f.count = as_int(t, build(&w->b, e->args[1]));
  fine &= f.count != GS_NO_TERM;
  if (e->op == GS_EXPR_IN_RANGE) {
    f.lo = as_int(t, build(&w->b, e->args[2]));
    f.hi = as_int(t, build(&w->b, e->args[3]));
    fine &= f.lo && f.hi;
  }
  if (fine && w->count < w->capacity)
    w->out[w->count++] = f;
  else
    w->lost = true;
}

static void walk_data(data_walk *w, uint32_t at, gs_term when) {
  const gs_expr *e = &w->b.clause->nodes[at];
  gs_terms *t = w->b.terms;
  if (!has_data(w->b.clause, at))
    return;
  if (is_data(e->op)) {
    add_data(w, e, when);
  } else if (e->op == GS_EXPR_AND) {
    walk_data(w, e->args[0], when);
    walk_data(w, e->args[1], when);
  } else if (e->op == GS_EXPR_OR || e->op == GS_EXPR_COND) {
    bool cond = e->op == GS_EXPR_COND;
    bool first = has_data(w->b.clause, e->args[0]);
    uint32_t other = e->args[!cond && first ? 1 : 0];
    gs_term test = has_data(w->b.clause, other) ? GS_NO_TERM : as_bool(t, build(&w->b, other));
    if (!test) { // one fact or another: neither is certain
      w->lost = true;
      return;
    }
    gs_term no = gs_mk_not(t, test), if_no = when ? gs_mk_and(t, when, no) : no;
    if (!cond) {
      walk_data(w, e->args[first ? 0 : 1], if_no);
      return;
    }
    walk_data(w, e->args[1], when ? gs_mk_and(t, when, test) : test);
    walk_data(w, e->args[2], if_no);
  } else {
    w->lost = true;
  }
}

uint32_t gs_clause_data(gs_program *program, const gs_clause *clause, uint32_t sm,
                        gs_data_fact *out, uint32_t capacity, bool *lost) {
  data_walk w = {.b = {program, program->terms, clause, sm, 0}, .out = out, .capacity = capacity};
  if (clause && clause->count)
    walk_data(&w, clause->count - 1, GS_NO_TERM);
  *lost |= w.lost;
  return w.count;
}

bool gs_clause_names(const gs_clause *clause, gs_name_kind kind) {
  for (uint32_t i = 0; i < clause->count; i++)
    if (clause->nodes[i].op == GS_EXPR_NAME && clause->nodes[i].name.kind == kind)
      return true;
  return false;
}

uint32_t gs_clause_axes(const gs_clause *clause) {
  uint32_t axes = 0;
  for (uint32_t i = 0; i < clause->count; i++) {
    const gs_expr *e = &clause->nodes[i];
    for (int c = 0; c < 4; c++) {
      // Unused children are 0, and so is the first leaf's index: it is looked at
      // for its real parent as well, which decides.
      const gs_expr *child = &clause->nodes[e->args[c]];
      bool used = e->op != GS_EXPR_INT && e->op != GS_EXPR_NAME && (c == 0 || e->args[c]);
      if (!used || child->op != GS_EXPR_NAME ||
          (child->name.kind != GS_NAME_BLOCK && child->name.kind != GS_NAME_GRID))
        continue;
      const gs_expr *other = &clause->nodes[e->args[c == 0 ? 1 : 0]];
      bool is_one = e->op == GS_EXPR_EQ && other->op == GS_EXPR_INT && other->value == 1;
      if (!is_one)
        axes |= 1u << (child->name.axis + (child->name.kind == GS_NAME_GRID ? 3 : 0));
    }
  }
  return axes;
}
