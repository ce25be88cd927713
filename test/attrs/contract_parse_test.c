// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parser and printer of the contract language.
#include "contract_check.h"
#include "contract_names.h"

#include <stdlib.h>

static gs_clause *parse(const char *text, gs_parse_error *error) {
  gs_clause *clause = NULL;
  gs_status status = gs_clause_parse(text, strlen(text), test_resolve, NULL, &clause, error);
  CHECK((status == GS_OK) == (clause != NULL));
  return clause;
}

/// The canonical form must be `want`, and a fixed point.
static void prints(const char *text, const char *want) {
  gs_parse_error error;
  char once[512], twice[512];
  gs_clause *clause = parse(text, &error);
  if (!clause) {
    fprintf(stderr, "'%s': %u: %s\n", text, error.column, error.message);
    failures++;
    return;
  }
  CHECK_NUMBER(gs_clause_print(clause, once, sizeof once), strlen(want));
  CHECK_TEXT(once, want);
  CHECK_TEXT(clause->text, text);
  for (uint32_t i = 0; i < clause->count; i++)
    for (unsigned a = 0; a < gs_expr_op_arity(clause->nodes[i].op); a++)
      CHECK(clause->nodes[i].args[a] < i);
  gs_clause *again = parse(once, &error);
  CHECK(again != NULL);
  if (again) {
    gs_clause_print(again, twice, sizeof twice);
    CHECK_TEXT(twice, want);
    CHECK_NUMBER(again->count, clause->count);
  }
  gs_clause_free(again);
  gs_clause_free(clause);
}

static void same(const char *text) { prints(text, text); }

/// Must be refused at `column` with exactly `message`.
static void refused(const char *text, unsigned column, const char *message) {
  gs_parse_error error;
  gs_clause *clause = parse(text, &error);
  CHECK(clause == NULL);
  if (clause)
    fprintf(stderr, "accepted: %s\n", text);
  else {
    CHECK_TEXT(error.message, message);
    if (error.column != column)
      fprintf(stderr, "'%s': column %u, want %u\n", text, error.column, column);
    CHECK_NUMBER(error.column, column);
  }
  gs_clause_free(clause);
}

static void precedence(void) {
  same("n + m * 2 - n / 3 % 4");
  same("(n + m) * 2");
  prints("((n) - (m - 1))", "n - (m - 1)");
  prints("(n-m)-1", "n - m - 1");
  prints("n|m^3&n", "n | m ^ 3 & n");
  same("(n | m) & 1");
  prints("n&m==0", "n & m == 0");
  same("(n & m) == 0");
  prints("n<<2+1", "n << 2 + 1");
  same("(n << 2) + 1");
  prints("n>0&&m>0||n==m", "n > 0 && m > 0 || n == m");
  same("n > 0 && (m > 0 || n == m)");
  same("n && (m && 1)");
  same("n ? m : n ? 1 : 2");
  same("n ? m ? 1 : 2 : 3");
  same("(n ? m : 1) ? 2 : 3");
  same("(n ? m : 1) + 1");
  same("-n * -m");
  same("-(n + m)");
  prints("- -n", "-(-n)");
  prints("+n + +m", "n + m");
  same("!!n");
  same("!(n == m)");
  same("~(n * 2) + 1");
  same("(n < m) < 2");
  same("(n == m) == 1");
  same("n < m == 1");
  prints("(0 <= n) == (n < m)", "0 <= n == n < m");
}

static void literals(void) {
  prints("0x1F + 017 + 0b101 + 1'000'000", "31 + 15 + 5 + 1000000");
  prints("1u + 2UL + 3llu + 4LL + 5z + 0xFFull", "1 + 2 + 3 + 4 + 5 + 255");
  prints("9223372036854775807", "9223372036854775807");
  prints("0x7fffffffffffffff", "9223372036854775807");
  prints("true + false", "1 + 0");
  prints("sizeof(float) * sizeof( unsigned long long int )", "4 * 8");
  prints("sizeof(float4) + sizeof(const double*) + sizeof(void *) + sizeof(uint8_t)",
         "16 + 8 + 8 + 1");
  prints("sizeof(Cell)", "24");
  prints("sizeof(long double) + sizeof(unsigned) + sizeof(bool) + sizeof(uchar3)",
         "16 + 4 + 1 + 3");
  refused("9223372036854775808", 0, "the number does not fit into 64 signed bits");
  refused("n < 18446744073709551616", 4, "the number does not fit into 64 signed bits");
  refused("089", 0, "8 and 9 are not octal digits; the leading 0 makes this number octal");
  refused("0x", 0, "a number without digits");
  refused("12abc", 0, "malformed number: bad digit or suffix");
  refused("1lL", 0, "malformed number: bad digit or suffix");
  const char *no_float =
      "contracts compute with integers; a floating-point number has no meaning here";
  refused("n < 1.5", 4, no_float);
  refused("1e5", 0, no_float);
  refused(".5", 0, no_float);
  refused("1f", 0, no_float);
  refused("n == \"x\"", 5, "a string has no meaning in a contract");
  refused("n == 'x'", 5, "a character has no meaning in a contract; write its number");
}

static void vectors(void) {
  prints("block == dim(32, 8)", "block.x == 32 && block.y == 8 && block.z == 1");
  prints("dim(32) == block", "32 == block.x && 1 == block.y && 1 == block.z");
  prints("grid <= dim(n, m, 4)", "grid.x <= n && grid.y <= m && grid.z <= 4");
  prints("cluster != dim(2)", "cluster.x != 2 || cluster.y != 1 || cluster.z != 1");
  prints("block == grid", "block.x == grid.x && block.y == grid.y && block.z == grid.z");
  prints("n > 0 && block == dim(32)", "n > 0 && (block.x == 32 && block.y == 1 && block.z == 1)");
  prints("!(block == dim(1))", "!(block.x == 1 && block.y == 1 && block.z == 1)");
  prints("block . x*grid.z", "block.x * grid.z");
  refused("block", 0,
          "'block' has three axes; write .x, .y or .z, or compare it with dim(x, y, z)");
  refused("n + block", 4,
          "'block' has three axes; write .x, .y or .z, or compare it with dim(x, y, z)");
  refused("block == 256", 0,
          "'block' has three axes; write .x, .y or .z, or compare it with dim(x, y, z)");
  refused("block == dim(1) == n", 16,
          "a chained comparison does not mean what it says in C; write 'a == b && b == c'");
  refused("block.w == 1", 6, "block has the axes x, y and z");
  refused("block.xy == 1", 6, "block has the axes x, y and z");
  refused("block(1)", 5, "'block' is a value, not a function");
  refused("dim(1, 2, 3, 4) == block", 13, "too many arguments; write dim(x, y, z)");
  refused("dim() == block", 4, "too few arguments; write dim(x, y, z)");
}

static void names(void) {
  same("dynamic_smem + cc + warp_size + cooperative");
  prints("p . width + p.dims[ 0x2 ]", "p.width + p.dims[0x2]");
  same("TILE * Mode::Fast");
  refused("zz > 0", 0, "unknown name 'zz'");
  refused("n > q", 4, "unknown name 'q'; the kernel's parameters are a, c, n, m, big, p, u");
  refused("w > 0", 0, "'w' is a float; a contract computes with integers");
  refused("blockDim.x == 1", 0, "unknown name 'blockDim.x'; write block.x, block.y, block.z");
  refused("threadIdx.x < 3", 0,
          "unknown name 'threadIdx.x'; a contract speaks of the whole launch, not of one thread");
  refused("a != nullptr", 5,
          "unknown name 'nullptr'; a contract does not compare pointers; an extent of 0 permits "
          "null");
  refused("a > 0", 0,
          "'a' is a pointer; a contract can use aligned(a, bytes), extent(a) or a fact about its "
          "data");
  refused("a[n] > 0", 1,
          "a contract cannot read memory; only elements of arrays in by-value structs have names "
          "here, with constant indices");
  refused("a->x", 1, "a contract cannot read memory through a pointer");
  refused("p. > 1", 3, "expected a name after 'p.'");
  gs_clause *clause = parse("p.width <= 4", NULL);
  CHECK(clause && clause->nodes[0].name.param == 5 && clause->nodes[0].name.bits == 32);
  CHECK(clause && clause->nodes[0].begin == 0 && clause->nodes[0].end == 7);
  CHECK(clause && gs_clause_root(clause)->begin == 0 && gs_clause_root(clause)->end == 12);
  gs_clause_free(clause);
  CHECK(gs_name_is_builtin("cc", 2) && !gs_name_is_builtin("ccc", 3));
}

static void functions(void) {
  prints("min(n,m)+max( 1, 2 )", "min(n, m) + max(1, 2)");
  same("abs(n - m) <= ceil_div(n, 32)");
  same("is_pow2(block.x) && aligned(a, 16) && extent(a) >= n");
  same("injective(a, n) && in_range(c, n, 0, m) && (monotone(a, n) || strictly_monotone(c, 3))");
  same("n ? injective(a, n) : 1");
  refused("min(n)", 5, "too few arguments; write min(a, b)");
  refused("min(n, m, 1)", 10, "too many arguments; write min(a, b)");
  refused("min(n,)", 6, "expected an argument after ','; write min(a, b)");
  refused("min(n m)", 6, "expected ',' or ')'; write min(a, b)");
  refused("min(n, m", 3, "this '(' has no ')'");
  refused("min(block, 1)", 4, "this argument must be a number; write min(a, b)");
  refused("aligned(n, 16)", 8,
          "the first argument must be a pointer parameter; write aligned(pointer, bytes)");
  refused("aligned(a + 1, 16)", 8,
          "'a' is a pointer; a contract can use aligned(a, bytes), extent(a) or a fact about its "
          "data");
  refused("extent((a))", 7,
          "the first argument must be a pointer parameter; write extent(pointer)");
  refused("sqrt(n)", 0,
          "unknown function 'sqrt'; there are min, max, abs, ceil_div, is_pow2, aligned, extent, "
          "dim, injective, monotone, strictly_monotone, in_range");
  const char *alone =
      "a fact about data may stand alone or under && and ||, not inside another operation";
  refused("!injective(a, n)", 1, alone);
  refused("injective(a, n) + 1", 0, alone);
  refused("injective(a, n) ? 1 : 2", 0, alone);
  refused("n == monotone(a, n)", 5, alone);
  refused("sizeof(n)", 7, "sizeof takes a built-in type, as in sizeof(float)");
  refused("sizeof n", 7, "write sizeof(type)");
  refused("sizeof(signed float)", 7, "sizeof takes a built-in type, as in sizeof(float)");
}

static void mistakes(void) {
  refused("", 0, "the clause is empty");
  refused("  ", 0, "the clause is empty");
  refused("n = 3", 2, "'=' assigns; write '==' to compare");
  refused("n += 3", 2, "'+=' assigns; a contract only reads");
  refused("n++", 1, "'++' and '--' change a value; a contract only reads");
  refused("--n", 0,
          "'++' and '--' change a value; a contract only reads (write - -n for a double minus)");
  refused("0 <= n < m", 7,
          "a chained comparison does not mean what it says in C; write 'a <= b && b < c'");
  refused("n == m == 1", 7,
          "a chained comparison does not mean what it says in C; write 'a == b && b == c'");
  refused("n & ~7", 4,
          "'~' gives a negative number, which bit operations and shifts do not take; write "
          "n - n % 8 for n & ~7");
  refused("(int)n", 0,
          "a cast has no meaning here: contracts compute with mathematical integers, without "
          "widths");
  refused("&n", 0, "a contract takes no address; write aligned(p, bytes) for the alignment of p");
  refused("*a", 0, "a contract cannot read memory through a pointer");
  refused("n >", 3, "the clause ends where a value is expected");
  refused("(n", 0, "this '(' has no ')'");
  refused("n)", 1, "this ')' has no '('");
  refused("n, m", 1, "one clause ends here; ',' separates the clauses of launch_contract");
  refused("(n, m)", 2, "a contract has no comma operator");
  refused("n m", 2, "expected an operator before 'm'");
  refused("n > 0 and m > 0", 6, "write '&&' for 'and'");
  refused("n ? 1", 5, "expected ':' of the '?' before it");
  refused("n @ 2", 2, "unexpected character");
  refused("n \xC3\xA4", 2, "unexpected character");
  refused("n > 1 // x", 6, "comments are not part of a clause");
  refused("* 3", 0, "a contract cannot read memory through a pointer");
  refused("/ 3", 0, "expected a value before '/'");
  refused("n +;", 3, "expected a value before ';'");
}

static gs_status parse_repeated(const char *open, const char *middle, const char *close, int times,
                                gs_parse_error *error) {
  size_t each = strlen(open) + strlen(close), length = 0;
  char *text = malloc(each * (size_t)times + strlen(middle) + 1);
  gs_clause *clause = NULL;
  if (!text)
    return GS_ERROR_MEMORY;
  for (int i = 0; i < times; i++, length += strlen(open))
    memcpy(text + length, open, strlen(open));
  memcpy(text + length, middle, strlen(middle));
  length += strlen(middle);
  for (int i = 0; i < times; i++, length += strlen(close))
    memcpy(text + length, close, strlen(close));
  gs_status status = gs_clause_parse(text, length, test_resolve, NULL, &clause, error);
  gs_clause_free(clause);
  free(text);
  return status;
}

static void limits(void) {
  static const char *const shapes[][3] = {
      {"(", "n", ")"},   {"-(", "n", ")"},     {"!", "n", ""},  {"n?1:", "2", ""},
      {"n?", "2", ":1"}, {"min(n,", "m", ")"}, {"", "n", "+n"}, {"~(1+", "n", ")"}};
  gs_parse_error error;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const char *const *s = shapes[i];
    CHECK_NUMBER(parse_repeated(s[0], s[1], s[2], 60, &error), GS_OK);
    CHECK_NUMBER(parse_repeated(s[0], s[1], s[2], 5000, &error), GS_ERROR_LIMIT);
    CHECK_TEXT(error.message, "the clause nests deeper than 200 levels; split it");
  }
  CHECK_NUMBER(parse_repeated("  ", "n", "  ", 20000, &error), GS_ERROR_LIMIT);
  CHECK_TEXT(error.message, "the clause is longer than 65536 characters; split it");
  CHECK_NUMBER(parse_repeated("x", "y", "", 300, &error), GS_ERROR_LIMIT);
  CHECK_TEXT(error.message, "a name of more than 255 characters");
  // No depth, many nodes: a balanced tree of sums.
  char text[65536] = "n";
  for (int i = 0; i < 12; i++) {
    char *half = malloc(sizeof text);
    if (!half)
      return;
    memcpy(half, text, sizeof text);
    if (strlen(half) * 2 + 8 < sizeof text)
      snprintf(text, sizeof text, "(%.32000s)+(%.32000s)", half, half);
    free(half);
  }
  CHECK_NUMBER(parse_repeated("", text, "", 1, &error), GS_ERROR_LIMIT);
  CHECK_TEXT(error.message, "the clause has more than 4096 parts; split it");
}

static void split(const char *text, const char *want) {
  size_t spans[8][2];
  char got[256] = "";
  size_t n = gs_clause_split(text, strlen(text), spans, 8);
  for (size_t i = 0; i < n && i < 8; i++)
    snprintf(got + strlen(got), sizeof got - strlen(got), "[%.*s]",
             (int)(spans[i][1] - spans[i][0]), text + spans[i][0]);
  CHECK_TEXT(got, want);
}

static void splitting(void) {
  split("", "");
  split("  ", "");
  split("a", "[a]");
  split(" a , b(c, d) ,e[f,g] ", "[a][b(c, d)][e[f,g]]");
  split("a,,b,", "[a][][b][]");
  split("x == ',' , y == \"a,\\\",\"", "[x == ','][y == \"a,\\\",\"]");
  split("n < 1'000, m", "[n < 1'000][m]");
  split("a), b", "[a)][b]");
  split("(a, b", "[(a, b]");
  CHECK_NUMBER(gs_clause_split("a,b,c", 5, NULL, 0), 3);
}

static void printing(void) {
  gs_clause *clause = parse("block.x == 256", NULL);
  char small[6] = "?????";
  CHECK_NUMBER(gs_clause_print(clause, small, sizeof small), 14);
  CHECK_TEXT(small, "block");
  CHECK_NUMBER(gs_clause_print(clause, NULL, 0), 14);
  gs_clause *copy = gs_clause_copy(clause);
  gs_clause_free(clause);
  CHECK(copy && copy->count == 3 && strcmp(copy->text, "block.x == 256") == 0);
  CHECK_TEXT(gs_expr_op_name(gs_clause_root(copy)->op), "EQ");
  gs_clause_free(copy);
  gs_parse_error error;
  CHECK_NUMBER(gs_clause_parse("n", 1, NULL, NULL, &clause, &error), GS_ERROR_INPUT);
  CHECK_TEXT(error.message, "unknown name 'n'");
  CHECK_NUMBER(gs_clause_parse("1\0+1", 4, NULL, NULL, &clause, &error), GS_ERROR_INPUT);
  CHECK_TEXT(error.message, "a NUL character in the text");
  CHECK_NUMBER(gs_clause_parse(NULL, 0, NULL, NULL, &clause, NULL), GS_ERROR_INPUT);
}

int main(void) {
  precedence();
  literals();
  vectors();
  names();
  functions();
  mistakes();
  limits();
  splitting();
  printing();
  return check_result("contract_parse_test");
}
