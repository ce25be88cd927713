// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random host expressions, evaluated as a machine does and as the store describes them.
// For values of the unknowns and each node: if no step may have left the mathematical
// result then the node is what the machine has; always, when no step has left it.
// And what a launch tells or proves holds for random values.
//
//     host_values_test [EXPRESSIONS]
#include "gs_bytecode.h"
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS = 4, STEPS = 12, SAMPLES = 24 };

static int failures;
static uint64_t state = 1;

static uint32_t random_below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

static const gs_host_type types[] = {{32, true}, {32, false}, {64, true}, {64, false},
                                     {16, true}, {8, false},  {1, false}};

static gs_host_type random_type(void) { return types[random_below(4)]; }

static gs_host_int reduce(gs_host_int value, gs_host_type type) {
  gs_host_int range = (gs_host_int)1 << type.bits;
  value = ((value % range) + range) % range;
  return type.is_signed && value >= range / 2 ? value - range : value;
}

/// A value that a type can hold, near one of its ends or near 0.
static gs_host_int random_value(gs_host_type type) {
  gs_host_int small = (gs_host_int)random_below(600) - 300, top = (gs_host_int)1 << type.bits;
  gs_host_int base = random_below(3) ? 0 : random_below(2) ? top / 2 : top;
  return reduce(base + small * (random_below(4) ? 1 : 1 + random_below(1000)), type);
}

/// One value on both sides.
typedef struct both {
  gs_host_value node;
  gs_host_int machine;
  gs_host_type type;
  bool left;    ///< a machine operation has left the mathematical result
  bool defined; ///< the machine has a value at all
} both;

/// The operation in mathematics; false where it has no value or C does not say.
static bool compute(gs_expr_op op, gs_host_int a, gs_host_int b, gs_host_int c, gs_host_int *out) {
  switch ((int)op) {
  case GS_EXPR_ADD: *out = a + b; return true;
  case GS_EXPR_SUB: *out = a - b; return true;
  case GS_EXPR_MUL: return !__builtin_mul_overflow(a, b, out);
  case GS_EXPR_DIV: *out = b ? a / b : 0; return b != 0;
  case GS_EXPR_MOD: *out = b ? a % b : 0; return b != 0;
  case GS_EXPR_SHL: *out = b >= 0 && b < 40 ? a * ((gs_host_int)1 << b) : 0; return b >= 0 && b < 40;
  case GS_EXPR_SHR: *out = b >= 0 && b < 32 ? a >> b : 0; return b >= 0 && b < 32;
  case GS_EXPR_BITAND: *out = a & b; return true;
  case GS_EXPR_BITOR: *out = a | b; return true;
  case GS_EXPR_BITXOR: *out = a ^ b; return true;
  case GS_EXPR_NEG: *out = -a; return true;
  case GS_EXPR_NOT: *out = !a; return true;
  case GS_EXPR_AND: *out = a && b; return true;
  case GS_EXPR_OR: *out = a || b; return true;
  case GS_EXPR_COND: *out = a ? b : c; return true;
  case GS_EXPR_EQ: *out = a == b; return true;
  case GS_EXPR_NE: *out = a != b; return true;
  case GS_EXPR_LT: *out = a < b; return true;
  case GS_EXPR_LE: *out = a <= b; return true;
  case GS_EXPR_GT: *out = a > b; return true;
  case GS_EXPR_GE: *out = a >= b; return true;
  case GS_EXPR_MIN: *out = a < b ? a : b; return true;
  case GS_EXPR_MAX: *out = a < b ? b : a; return true;
  default: return false;
  }
}

/// The node's mathematical value, by its own operators.
static bool value_of(const gs_hosts *hosts, uint32_t at, const gs_host_int *unknowns,
                     gs_host_int *out) {
  const gs_host_node *node = gs_host_at(hosts, at);
  gs_host_int args[3] = {0, 0, 0};
  if (node->op == GS_EXPR_INT)
    *out = node->value;
  if (node->op == GS_EXPR_NAME)
    *out = unknowns[node->value];
  if (node->op == GS_EXPR_INT || node->op == GS_EXPR_NAME)
    return true;
  for (unsigned i = 0; i < gs_expr_op_arity(node->op); i++) {
    if (!value_of(hosts, node->args[i], unknowns, &args[i]))
      return false;
    if (args[i] > (gs_host_int)1 << 62 || args[i] < -((gs_host_int)1 << 62))
      return false; // products stay within 128 bits
  }
  return compute(node->op, args[0], args[1], args[2], out);
}

static void fail(const gs_hosts *hosts, uint32_t at, const char *what) {
  char text[512];
  gs_host_print(hosts, at, NULL, NULL, text, sizeof text);
  fprintf(stderr, "%s: %s\n", what, text);
  failures++;
}

static both convert(gs_hosts *hosts, both x, gs_host_type type) {
  both out = {gs_host_convert(hosts, x.node, type), reduce(x.machine, type), type, x.left, x.defined};
  out.left |= out.machine != x.machine;
  return out;
}

/// `x op y` as C does it on two operands of one type.
static both step(gs_hosts *hosts, gs_expr_op op, both a, both b, both c) {
  bool truth = op >= GS_EXPR_NOT && op <= GS_EXPR_GE && op != GS_EXPR_COND;
  both out = {.type = truth ? (gs_host_type){1, false} : op == GS_EXPR_COND ? b.type : a.type};
  gs_host_value args[3] = {a.node, b.node, c.node};
  out.node = gs_host_apply(hosts, op, args, out.type);
  gs_host_int exact = 0;
  bool has = compute(op, a.machine, b.machine, c.machine, &exact);
  out.machine = reduce(exact, out.type);
  out.defined = has && a.defined && b.defined && c.defined;
  // Signed overflow has no value in C; here it is a result that left mathematics.
  out.left = a.left || b.left || c.left || out.machine != exact;
  return out;
}

static void check(const gs_hosts *hosts, const both *x, const gs_host_int *unknowns) {
  gs_host_int value = 0;
  if (!x->node.at || !x->defined || !value_of(hosts, x->node.at, unknowns, &value))
    return;
  gs_host_bounds b = gs_host_range(hosts, x->node);
  if ((value < b.lo && b.lo > -GS_HOST_FAR) || (value > b.hi && b.hi < GS_HOST_FAR))
    fail(hosts, x->node.at, "out of its bounds");
  if (!x->node.wraps && value != x->machine)
    fail(hosts, x->node.at, "not what the machine computes");
}

/// One expression, sampled. Every sample builds the same expression again.
static void run_expression(uint64_t seed) {
  for (int sample = 0; sample < SAMPLES; sample++) {
    gs_hosts *hosts = gs_hosts_new();
    both values[UNKNOWNS + STEPS];
    gs_host_int unknowns[UNKNOWNS];
    state = seed;
    uint32_t count = 0;
    for (; count < UNKNOWNS; count++) {
      gs_host_type type = types[random_below(7)];
      values[count] = (both){.node = gs_host_unknown(hosts, "u", type), .type = type, .defined = true};
    }
    uint64_t after = state;
    state = seed * 1000003u + (uint64_t)sample;
    for (int i = 0; i < UNKNOWNS; i++)
      unknowns[i] = values[i].machine = random_value(values[i].type);
    state = after;
    for (; count < UNKNOWNS + STEPS; count++) {
      gs_host_type type = random_type();
      both operands[3];
      for (int i = 0; i < 3; i++) {
        int64_t number = (int64_t)random_below(8) - 2;
        number = random_below(3) ? number : (int64_t)1 << random_below(12);
        operands[i] = (both){gs_host_number(hosts, number), number, {64, true}, false, true};
        if (random_below(3))
          operands[i] = values[random_below(count)];
        operands[i] = convert(hosts, operands[i], type);
      }
      gs_expr_op op = (gs_expr_op)(GS_EXPR_ADD + random_below(GS_EXPR_CEIL_DIV - GS_EXPR_ADD));
      if (op == GS_EXPR_BITNOT || op == GS_EXPR_ABS)
        op = GS_EXPR_MUL;
      values[count] = step(hosts, op, operands[0], operands[1], operands[2]);
      check(hosts, &values[count], unknowns);
    }
    gs_hosts_free(hosts);
  }
}

// ------------------------------------------------------------------ by hand ----

static void expect(const char *what, const char *is, const char *wanted) {
  if (strcmp(is, wanted) == 0)
    return;
  fprintf(stderr, "%s: '%s' instead of '%s'\n", what, is, wanted);
  failures++;
}

static void test_forms(void) {
  gs_hosts *hosts = gs_hosts_new();
  gs_host_type plain = {32, true};
  gs_host_value n = gs_host_unknown(hosts, "n", plain), b = gs_host_number(hosts, 256);
  gs_host_value up = gs_host_apply(hosts, GS_EXPR_ADD, (gs_host_value[]){n, b}, plain);
  up = gs_host_apply(hosts, GS_EXPR_SUB, (gs_host_value[]){up, gs_host_number(hosts, 1)}, plain);
  char text[64];
  gs_host_print(hosts, up.at, NULL, NULL, text, sizeof text);
  expect("a rounded sum", text, "n + 255");
  expect("its overflow", up.wraps ? "may" : "cannot", "may");
  gs_host_value shifted =
      gs_host_apply(hosts, GS_EXPR_SHR, (gs_host_value[]){up, gs_host_number(hosts, 8)}, plain);
  gs_host_value divided = gs_host_apply(hosts, GS_EXPR_DIV, (gs_host_value[]){up, b}, plain);
  expect("a shift", shifted.at == divided.at ? "the division" : "another", "the division");
  gs_host_value size = gs_host_convert_size(hosts, n);
  expect("a size", size.wraps ? "may fail" : "is right or fails", "is right or fails");
  expect("a division by zero",
         gs_host_apply(hosts, GS_EXPR_DIV, (gs_host_value[]){b, gs_host_number(hosts, 0)}, plain).at
             ? "known"
             : "not known",
         "not known");
  gs_hosts_free(hosts);
}

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
  test_forms();
  for (uint64_t i = 1; i <= count / SAMPLES && failures < 10; i++)
    run_expression(i * 7919u);
  printf("%d failures\n", failures);
  return failures != 0;
}
