// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Bytecode: compilation, verification, evaluation, dump.
#include "contract_check.h"
#include "contract_names.h"
#include "gs_bytecode.h"

#include <stdlib.h>

/// Sizes of the parameters that contract_names.h describes.
static uint32_t size_of(const void *user, uint32_t param) {
  static const uint32_t sizes[] = {8, 8, 4, 4, 8, 8, 8};
  (void)user;
  return param < sizeof sizes / sizeof *sizes ? sizes[param] : 0;
}

static struct {
  const void *a, *c;
  int32_t n;
  uint32_t m;
  int64_t big;
  struct {
    int32_t width;
    uint8_t dims[4];
  } p;
  uint64_t u;
} arguments = {NULL, NULL, 1000, 4000000000u, INT64_MAX, {-7, {1, 2, 200, 4}}, 5};

static const void *const params[] = {&arguments.a,   &arguments.c, &arguments.n, &arguments.m,
                                     &arguments.big, &arguments.p, &arguments.u};

static gs_eval_code answer(void *user, gs_expr_op op, const gs_name *name, const int64_t *args,
                           int64_t *value) {
  (void)user;
  CHECK_NUMBER(name->kind, GS_NAME_POINTER);
  if (op == GS_EXPR_EXTENT && name->param == 1)
    return GS_EVAL_UNAVAILABLE;
  *value = op == GS_EXPR_EXTENT     ? 4096
           : op == GS_EXPR_ALIGNED  ? 64 % args[0] == 0
           : op == GS_EXPR_IN_RANGE ? args[0] == 10 && args[1] == 20 && args[2] == 30
                                    : args[0] == 10;
  return GS_EVAL_OK;
}

static const gs_eval_env env = {.block = {256, 2, 1},
                                .grid = {4, 1, 1},
                                .cluster = {1, 1, 1},
                                .dynamic_smem = 1024,
                                .cc = 90,
                                .warp_size = 32,
                                .cooperative = 1,
                                .params = params,
                                .param_count = 7,
                                .query = answer};

static size_t compile(const char *text, uint8_t *code, size_t capacity) {
  gs_clause *clause = NULL;
  gs_parse_error error;
  size_t size = 0;
  if (gs_clause_parse(text, strlen(text), test_resolve, NULL, &clause, &error) != GS_OK) {
    fprintf(stderr, "'%s': %s\n", text, error.message);
    failures++;
    return 0;
  }
  CHECK_NUMBER(gs_bytecode_compile(clause, code, capacity, &size), GS_OK);
  gs_clause_free(clause);
  return size;
}

static gs_eval_result evaluate(const char *text) {
  uint8_t code[512];
  gs_eval_result result = {.code = GS_EVAL_MALFORMED};
  size_t size = compile(text, code, sizeof code), where = 0;
  CHECK_NUMBER(gs_bytecode_verify(code, size, size_of, NULL, &where), GS_OK);
  gs_bytecode_eval(code, size, &env, &result);
  return result;
}

static void gives(const char *text, int64_t value) {
  gs_eval_result result = evaluate(text);
  if (result.code != GS_EVAL_OK || result.value != value) {
    fprintf(stderr, "'%s': code %d, value %lld, want %lld\n", text, (int)result.code,
            (long long)result.value, (long long)value);
    failures++;
  }
}

static void fails(const char *text, gs_eval_code code) {
  gs_eval_result result = evaluate(text);
  if (result.code != code) {
    fprintf(stderr, "'%s': %s, want %s\n", text, gs_eval_code_text(result.code),
            gs_eval_code_text(code));
    failures++;
  }
}

static void values(void) {
  gives("block.x * grid.x >= n", 1);
  gives("block == dim(256, 2)", 1);
  gives("block == dim(256)", 0);
  gives("grid != dim(4)", 0);
  gives("cc * 1000 + warp_size + cooperative + dynamic_smem + cluster.z", 91058);
  gives("n + m", 4000001000);
  gives("p.width", -7);
  gives("p.dims[2]", 200);
  gives("big", INT64_MAX);
  gives("TILE + Mode::Fast", 15);
  gives("7 / 2 * 100 + -7 / 2 * 10 + -7 % 2", 269);
  gives("-8 / -1", 8);
  gives("(-big - 1) % -1", 0);
  gives("ceil_div(7, 2) * 1000 + ceil_div(-7, 2) * 100 + ceil_div(8, 2) * 10 + ceil_div(-7, -2)",
        3744);
  gives("min(3, -4) * 10 + max(3, -4)", -37);
  gives("abs(-5) + abs(5)", 10);
  gives("is_pow2(64) * 1000 + is_pow2(0) * 100 + is_pow2(-8) * 10 + is_pow2(6)", 1000);
  gives("1 << 62", INT64_C(1) << 62);
  gives("1000 >> 3", 125);
  gives("~5", -6);
  gives("(12 & 10) * 10000 + (12 | 10) * 100 + (12 ^ 10)", 81406);
  gives("!0 * 10 + !7", 10);
  gives("5 && 7", 1);
  gives("0 || 7", 1);
  gives("0 || 0", 0);
  gives("n ? 3 : 4", 3);
  gives("n - 1000 ? 3 : 4", 4);
  gives("1 ? 0 ? 1 : 2 : 3", 2);
  gives("extent(a) >= n && aligned(a, 16) && !aligned(a, 128)", 1);
  gives("injective(a, 10) && in_range(c, 10, 20, 30)", 1);
  gives("in_range(c, 10, 20, 31)", 0);
  gives("9223372036854775807", INT64_MAX);
  gives("-9223372036854775807 - 1", INT64_MIN);
}

static void violations(void) {
  fails("big + 1", GS_EVAL_OVERFLOW);
  fails("-big - 2", GS_EVAL_OVERFLOW);
  fails("big * 2", GS_EVAL_OVERFLOW);
  fails("-(-big - 1)", GS_EVAL_OVERFLOW);
  fails("abs(-big - 1)", GS_EVAL_OVERFLOW);
  fails("(-big - 1) / -1", GS_EVAL_OVERFLOW);
  fails("ceil_div(-big - 1, -1)", GS_EVAL_OVERFLOW);
  fails("2 << 62", GS_EVAL_OVERFLOW);
  fails("n / 0", GS_EVAL_DIVISION_BY_ZERO);
  fails("n % (n - n)", GS_EVAL_DIVISION_BY_ZERO);
  fails("ceil_div(n, 0)", GS_EVAL_DIVISION_BY_ZERO);
  fails("1 << 63", GS_EVAL_SHIFT);
  fails("1 >> -1", GS_EVAL_SHIFT);
  fails("p.width & 1", GS_EVAL_NEGATIVE);
  fails("1 | p.width", GS_EVAL_NEGATIVE);
  fails("~p.width", GS_EVAL_NEGATIVE);
  fails("p.width >> 1", GS_EVAL_NEGATIVE);
  fails("aligned(a, 0)", GS_EVAL_ARGUMENT);
  fails("injective(a, p.width)", GS_EVAL_ARGUMENT);
  fails("extent(c)", GS_EVAL_UNAVAILABLE);
  gives("0 && 1 / 0", 0);
  gives("1 || 1 / 0", 1);
  gives("1 ? 2 : 1 / 0", 2);
  gives("0 ? 1 / 0 : 2", 2);
  arguments.u = (uint64_t)INT64_MAX + 1;
  fails("u > 0", GS_EVAL_UNSIGNED);
  arguments.u = 5;
}

static void sides(void) {
  gs_eval_result result = evaluate("n > 0 && block.x * grid.x >= n + 25");
  CHECK(result.code == GS_EVAL_OK && result.value == 0 && result.compared);
  CHECK(result.compare == GS_EXPR_GE && result.left == 1024 && result.right == 1025);
  result = evaluate("n * 2");
  CHECK(!result.compared);
  uint8_t code[64];
  size_t size = compile("n + 1 / 0", code, sizeof code);
  gs_bytecode_eval(code, size, &env, &result);
  CHECK_NUMBER(result.at, size - 2);
  gs_eval_env bare = {.block = {1, 1, 1}};
  size = compile("n", code, sizeof code);
  gs_bytecode_eval(code, size, &bare, &result);
  CHECK_NUMBER(result.code, GS_EVAL_UNAVAILABLE);
  size = compile("extent(a)", code, sizeof code);
  gs_bytecode_eval(code, size, &bare, &result);
  CHECK_NUMBER(result.code, GS_EVAL_UNAVAILABLE);
}

static void dumps(const char *text, const char *want) {
  uint8_t code[256];
  char got[512];
  size_t size = compile(text, code, sizeof code);
  CHECK_NUMBER(gs_bytecode_print(code, size, got, sizeof got), strlen(want));
  CHECK_TEXT(got, want);
}

static void dump(void) {
  dumps("block.y * 300 >= p.dims[2]", "2 NAME block.y\n5 INT 300\n8 MUL\n9 NAME param 5+6 u8\n"
                                      "14 GE\n");
  dumps("n && cc || 1",
        "2 NAME param 2+0 i32\n7 AND to 12\n9 NAME cc\n11 BOOL\n12 OR to 17\n14 INT 1\n16 BOOL\n");
  dumps("n ? -1 : aligned(c, 4)",
        "2 NAME param 2+0 i32\n7 COND to 14\n9 INT 1\n11 NEG\n12 JUMP to 19\n14 INT 4\n"
        "16 ALIGNED pointer 1+0\n");
  dumps("cooperative", "2 NAME cooperative\n");
  uint8_t code[64];
  char small[8];
  size_t size = compile("n + cc", code, sizeof code), at = 0;
  CHECK_NUMBER(gs_bytecode_print(code, size, small, sizeof small), 37);
  CHECK_TEXT(small, "2 NAME ");
  gs_name name;
  CHECK(gs_bytecode_next_name(code, size, &at, &name) && name.kind == GS_NAME_PARAM &&
        name.param == 2 && name.bits == 32 && name.is_signed);
  CHECK(gs_bytecode_next_name(code, size, &at, &name) && name.kind == GS_NAME_CC);
  CHECK(!gs_bytecode_next_name(code, size, &at, &name));
}

typedef struct bad_program {
  const char *why;
  uint8_t size;
  uint8_t code[16];
} bad_program;

enum { INT = 0, NAME = 1, ADD = 2, AND = 15, COND = 17, EXTENT = 30, BOOL = 0xF0, JUMP = 0xF1 };

static const bad_program bad[] = {
    {"nothing", 0, {0}},
    {"no stack size", 1, {1}},
    {"no code", 2, {1, 1}},
    {"other version", 4, {2, 1, INT, 2}},
    {"stack of nothing", 4, {1, 0, INT, 2}},
    {"stack too small", 7, {1, 1, INT, 2, INT, 2, ADD}},
    {"two values left", 6, {1, 2, INT, 2, INT, 2}},
    {"underflow", 5, {1, 2, INT, 2, ADD}},
    {"unknown operator", 5, {1, 2, INT, 2, 35}},
    {"unknown operator", 5, {1, 2, INT, 2, 0xFF}},
    {"number cut off", 4, {1, 1, INT, 0x80}},
    {"number padded", 5, {1, 1, INT, 0x80, 0}},
    {"number of 65 bits", 13, {1, 1, INT, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2}},
    {"number of 11 bytes", 14, {1, 1, INT, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0}},
    {"unknown kind", 4, {1, 1, NAME, 10}},
    {"pointer as a number", 6, {1, 1, NAME, 1, 0, 0}},
    {"constant by name", 4, {1, 1, NAME, 2}},
    {"axis 3", 5, {1, 1, NAME, 3, 3}},
    {"axis cut off", 4, {1, 1, NAME, 3}},
    {"parameter 7", 7, {1, 1, NAME, 0, 7, 0, 31}},
    {"past the parameter", 7, {1, 1, NAME, 0, 2, 1, 31}},
    {"type of 8 bits", 7, {1, 1, NAME, 0, 2, 0, 0x80}},
    {"pointer too narrow", 5, {1, 1, EXTENT, 2, 0}},
    {"jump over nothing", 7, {1, 1, INT, 2, AND, 0, BOOL}},
    {"jump too far", 9, {1, 1, INT, 2, AND, 4, INT, 2, BOOL}},
    {"jump into an instruction", 9, {1, 1, INT, 2, AND, 1, INT, 2, BOOL}},
    {"condition without else", 9, {1, 1, INT, 2, COND, 3, INT, 2, BOOL}},
    {"condition to its end", 8, {1, 1, INT, 2, COND, 2, INT, 2}},
    {"jump without condition", 8, {1, 1, INT, 2, JUMP, 2, INT, 2}},
    {"condition with an empty arm", 10, {1, 2, INT, 2, COND, 2, JUMP, 2, INT, 2}},
    {"depths differ", 11, {1, 9, INT, 2, AND, 5, INT, 2, INT, 2, BOOL}},
    {"else of two values", 14, {1, 9, INT, 2, COND, 4, INT, 2, JUMP, 4, INT, 2, INT, 2}},
    {"bool of nothing", 3, {1, 1, BOOL}},
};

static void malformed(void) {
  size_t where;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (gs_bytecode_verify(bad[i].code, bad[i].size, size_of, NULL, &where) != GS_ERROR_INPUT) {
      fprintf(stderr, "accepted: %s\n", bad[i].why);
      failures++;
    }
  static const uint8_t good[] = {1, 1, NAME, 0, 2, 0, 31};
  CHECK_NUMBER(gs_bytecode_verify(good, sizeof good, size_of, NULL, NULL), GS_OK);
  CHECK_NUMBER(gs_bytecode_verify(good, sizeof good, NULL, NULL, NULL), GS_ERROR_INPUT);
  char text[64];
  gs_bytecode_print(bad[8].code, bad[8].size, text, sizeof text);
  CHECK_TEXT(text, "2 INT 1\n4 malformed\n");
}

/// Sums nest to the right need a deep stack; long conditionals long skips.
static void sizes(void) {
  char text[16384] = "n";
  uint8_t *code = malloc(GS_BYTECODE_MAX_SIZE);
  if (!code)
    return;
  for (int i = 0; i < 150; i++) {
    char half[2048];
    snprintf(half, sizeof half, "%.2000s", text);
    snprintf(text, sizeof text, "1+(%s)", half);
  }
  size_t size = compile(text, code, GS_BYTECODE_MAX_SIZE);
  CHECK_NUMBER(gs_bytecode_verify(code, size, size_of, NULL, NULL), GS_OK);
  gs_eval_result result;
  gs_bytecode_eval(code, size, &env, &result);
  CHECK_NUMBER(result.value, 1150);
  snprintf(text, sizeof text, "n == 1000");
  for (int i = 0; i < 150; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), " && m + 12345678901234 > %d", i);
  snprintf(text + strlen(text), sizeof text - strlen(text), " ? 1 / n : 1 / (n - 1000)");
  size = compile(text, code, GS_BYTECODE_MAX_SIZE);
  CHECK_NUMBER(gs_bytecode_verify(code, size, size_of, NULL, NULL), GS_OK);
  gs_bytecode_eval(code, size, &env, &result);
  CHECK(result.code == GS_EVAL_OK && result.value == 0);
  size_t needed = 0;
  gs_clause *clause = NULL;
  CHECK_NUMBER(gs_clause_parse("1", 1, NULL, NULL, &clause, NULL), GS_OK);
  CHECK_NUMBER(gs_bytecode_compile(clause, NULL, 0, &needed), GS_OK);
  CHECK_NUMBER(needed, 4);
  gs_clause_free(clause);
  free(code);
}

int main(void) {
  values();
  violations();
  sides();
  dump();
  malformed();
  sizes();
  return check_result("contract_bytecode_test");
}
