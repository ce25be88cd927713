// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate_program.h"

#include "smt_dag.h"

#include <stdlib.h>
#include <string.h>

/// Can the operation lack a value for some operands?
static bool can_fail(const gs_terms *terms, const gs_node *node) {
  uint64_t c = 0;
  if (node->op < GS_OP_UDIV || node->op > GS_OP_ASHR)
    return false;
  if (!gs_term_const(terms, node->arg[1], &c))
    return true;
  if (node->op >= GS_OP_SHL)
    return c >= node->width;
  bool is_signed = node->op == GS_OP_SDIV || node->op == GS_OP_SREM;
  return c == 0 || (is_signed && c == gs_mask(node->width));
}

bool gs_enum_program_compile(const gs_terms *terms, const gs_term *roots, uint32_t root_count,
                        gs_enum_program *out) {
  gs_dag dag;
  *out = (gs_enum_program){0};
  if (!gs_dag_collect(terms, roots, root_count, &dag))
    return false;
  out->count = dag.count;
  out->code = calloc(dag.count + 1, sizeof *out->code);
  out->rows = calloc(dag.count + 1, sizeof *out->rows);
  out->root = calloc(root_count + 1, sizeof *out->root);
  bool fine = out->code && out->rows && out->root, risky = false;
  for (uint32_t i = 0; fine && i < dag.count; i++) {
    const gs_node *node = gs_term_node(terms, dag.terms[i]);
    gs_instruction *in = &out->code[i];
    *in = (gs_instruction){.op = node->op, .width = node->width, .value = node->value};
    for (uint32_t a = 0; a < gs_op_arity((gs_op)node->op); a++)
      in->arg[a] = gs_dag_at(&dag, node->arg[a]);
    in->in_width = gs_op_arity((gs_op)node->op) ? gs_term_width(terms, node->arg[0]) : node->width;
    for (uint32_t lane = 0; node->op == GS_OP_CONST && lane < GS_LANES; lane++)
      out->rows[i].value[lane] = node->value;
    risky |= can_fail(terms, node);
    fine = node->op != GS_OP_LOAD;
  }
  for (uint32_t i = 0; fine && i < root_count; i++)
    out->root[i] = gs_dag_at(&dag, roots[i]);
  if (fine && risky) {
    out->undefined = calloc(dag.count + 1, sizeof *out->undefined);
    fine = out->undefined != NULL;
  }
  gs_dag_free(&dag);
  return fine;
}

void gs_enum_program_free(gs_enum_program *program) {
  free(program->code);
  free(program->rows);
  free(program->undefined);
  free(program->root);
  *program = (gs_enum_program){0};
}

// One loop for each operator, over the lanes: the compiler makes vectors of them.
#define EACH(expression)                                                                           \
  for (uint32_t l = 0; l < GS_LANES; l++)                                                          \
  r[l] = (expression)

static void run_divide(const gs_instruction *in, uint64_t *r, const uint64_t *a,
                       const uint64_t *b) {
  for (uint32_t l = 0; l < GS_LANES; l++) {
    int64_t x = gs_sign_extend(a[l], in->width), y = gs_sign_extend(b[l], in->width);
    bool least = a[l] == UINT64_C(1) << (in->width - 1);
    if (b[l] == 0 || (in->op != GS_OP_UDIV && in->op != GS_OP_UREM && least && y == -1)) {
      r[l] = 0; // the caller marks it undefined
      continue;
    }
    uint64_t value = in->op == GS_OP_UDIV   ? a[l] / b[l]
                     : in->op == GS_OP_UREM ? a[l] % b[l]
                     : in->op == GS_OP_SDIV ? (uint64_t)(x / y)
                                            : (uint64_t)(x % y);
    r[l] = value & gs_mask(in->width);
  }
}

static void run_shift(const gs_instruction *in, uint64_t *r, const uint64_t *a,
                      const uint64_t *b) {
  uint64_t mask = gs_mask(in->width);
  uint8_t width = in->width;
  if (in->op == GS_OP_SHL)
    EACH(b[l] < width ? a[l] << b[l] & mask : 0);
  else if (in->op == GS_OP_LSHR)
    EACH(b[l] < width ? a[l] >> b[l] : 0);
  else
    EACH(b[l] < width ? (uint64_t)(gs_sign_extend(a[l], width) >> b[l]) & mask : 0);
}

static uint64_t reverse(uint64_t a, uint8_t width) { // Hacker's Delight, section 7-1
  a = (a & 0x5555555555555555u) << 1 | (a >> 1 & 0x5555555555555555u);
  a = (a & 0x3333333333333333u) << 2 | (a >> 2 & 0x3333333333333333u);
  a = (a & 0x0f0f0f0f0f0f0f0fu) << 4 | (a >> 4 & 0x0f0f0f0f0f0f0f0fu);
  return __builtin_bswap64(a) >> (64 - width);
}

static void run_count(const gs_instruction *in, uint64_t *r, const uint64_t *a) {
  uint8_t width = in->width;
  if (in->op == GS_OP_CTLZ)
    EACH(a[l] ? (uint64_t)__builtin_clzll(a[l]) - (64u - width) : (uint64_t)width & gs_mask(width));
  else if (in->op == GS_OP_CTPOP)
    EACH((uint64_t)__builtin_popcountll(a[l]) & gs_mask(width));
  else
    EACH(reverse(a[l], width));
}

/// Flipping the sign bits maps signed order to unsigned order.
static void run_compare(const gs_instruction *in, uint64_t *r, const uint64_t *a,
                        const uint64_t *b) {
  uint64_t sign = UINT64_C(1) << (in->in_width - 1);
  if (in->op == GS_OP_EQ)
    EACH(a[l] == b[l]);
  else if (in->op == GS_OP_ULT)
    EACH(a[l] < b[l]);
  else if (in->op == GS_OP_ULE)
    EACH(a[l] <= b[l]);
  else if (in->op == GS_OP_SLT)
    EACH((a[l] ^ sign) < (b[l] ^ sign));
  else
    EACH((a[l] ^ sign) <= (b[l] ^ sign));
}

static void run_row(gs_enum_program *p, uint32_t row) {
  const gs_instruction *in = &p->code[row];
  uint64_t *r = p->rows[row].value, mask = gs_mask(in->width);
  const uint64_t *a = p->rows[in->arg[0]].value, *b = p->rows[in->arg[1]].value,
                 *c = p->rows[in->arg[2]].value;
  switch ((gs_op)in->op) {
  case GS_OP_ADD: EACH((a[l] + b[l]) & mask); break;
  case GS_OP_SUB: EACH((a[l] - b[l]) & mask); break;
  case GS_OP_MUL: EACH((a[l] * b[l]) & mask); break;
  case GS_OP_AND: EACH(a[l] & b[l]); break;
  case GS_OP_OR: EACH(a[l] | b[l]); break;
  case GS_OP_XOR: EACH(a[l] ^ b[l]); break;
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_UREM:
  case GS_OP_SREM: run_divide(in, r, a, b); break;
  case GS_OP_SHL:
  case GS_OP_LSHR:
  case GS_OP_ASHR: run_shift(in, r, a, b); break;
  case GS_OP_EQ:
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE: run_compare(in, r, a, b); break;
  case GS_OP_ITE: EACH(a[l] ? b[l] : c[l]); break;
  case GS_OP_ZEXT: EACH(a[l]); break;
  case GS_OP_SEXT: EACH((uint64_t)gs_sign_extend(a[l], in->in_width) & mask); break;
  case GS_OP_TRUNC: EACH(a[l] & mask); break;
  case GS_OP_CTLZ:
  case GS_OP_CTPOP:
  case GS_OP_BITREVERSE: run_count(in, r, a); break;
  case GS_OP_CONST: // filled once
  case GS_OP_SYM:   // filled by the caller
  case GS_OP_LOAD:  // refused
  case GS_OP_NONE:
  case GS_OP_COUNT: break;
  }
}

/// Lanes in which the operation itself has no value.
static uint64_t fails(const gs_enum_program *p, const gs_instruction *in) {
  const uint64_t *a = p->rows[in->arg[0]].value, *b = p->rows[in->arg[1]].value;
  uint64_t bits = 0, ones = gs_mask(in->width), least = UINT64_C(1) << (in->width - 1);
  bool divides = in->op >= GS_OP_UDIV && in->op <= GS_OP_SREM;
  bool shifts = in->op >= GS_OP_SHL && in->op <= GS_OP_ASHR;
  bool is_signed = in->op == GS_OP_SDIV || in->op == GS_OP_SREM;
  for (uint32_t l = 0; (divides || shifts) && l < GS_LANES; l++) {
    bool overflow = is_signed && a[l] == least && b[l] == ones;
    bool fail = divides ? b[l] == 0 || overflow : b[l] >= in->width;
    bits |= (uint64_t)fail << l;
  }
  return bits;
}

/// Lanes where a row of truth values is `value`.
static uint64_t lanes_with(const uint64_t *row, uint64_t value) {
  uint64_t bits = 0;
  for (uint32_t l = 0; l < GS_LANES; l++)
    bits |= (uint64_t)(row[l] == value) << l;
  return bits;
}

/// The same rules as gs_term_eval: a false side decides an AND, a true one an
/// OR, and of an ITE only the chosen arm counts.
static uint64_t undefined_lanes(const gs_enum_program *p, uint32_t row) {
  const gs_instruction *in = &p->code[row];
  uint32_t arity = gs_op_arity((gs_op)in->op);
  uint64_t u[3] = {0, 0, 0};
  for (uint32_t i = 0; i < arity; i++)
    u[i] = p->undefined[in->arg[i]];
  const uint64_t *a = p->rows[in->arg[0]].value, *b = p->rows[in->arg[1]].value;
  if (in->op == GS_OP_ITE) {
    uint64_t chosen = lanes_with(a, 1);
    return u[0] | (chosen & u[1]) | (~chosen & u[2]);
  }
  uint64_t any = u[0] | u[1];
  if (any && in->width == 1 && (in->op == GS_OP_AND || in->op == GS_OP_OR)) {
    uint64_t decides = in->op == GS_OP_OR;
    return any & ~(lanes_with(a, decides) & ~u[0]) & ~(lanes_with(b, decides) & ~u[1]);
  }
  return any | fails(p, in);
}

void gs_enum_program_run(gs_enum_program *program) {
  for (uint32_t row = 0; row < program->count; row++) {
    run_row(program, row);
    if (program->undefined && gs_op_arity((gs_op)program->code[row].op))
      program->undefined[row] = undefined_lanes(program, row);
  }
}
