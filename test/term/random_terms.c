// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_terms.h"

#include <string.h>

uint64_t test_random(test_rng *rng) { // xorshift64*, Vigna 2016
  rng->state ^= rng->state >> 12;
  rng->state ^= rng->state << 25;
  rng->state ^= rng->state >> 27;
  return rng->state * UINT64_C(0x2545F4914F6CDD1D);
}

uint32_t test_below(test_rng *rng, uint32_t bound) {
  return (uint32_t)((test_random(rng) >> 32) % bound);
}

gs_sym test_sym(const char *name, uint8_t width, uint64_t lo, uint64_t hi) {
  return (gs_sym){.kind = GS_SYM_OPAQUE,
                  .level = GS_LEVEL_THREAD,
                  .width = width,
                  .exact = true,
                  .lo = lo,
                  .hi = hi,
                  .name = name};
}

/// Bit `bit` of a, counted from the low end.
static uint64_t bit_at(uint64_t a, unsigned bit) { return bit < 64 ? a >> bit & 1 : 0; }

static uint64_t cut(uint64_t a, unsigned width) {
  return width == 64 ? a : a & ((UINT64_C(1) << width) - 1);
}

static bool is_negative(uint64_t a, unsigned width) { return bit_at(a, width - 1); }
static uint64_t magnitude(uint64_t a, unsigned width) {
  return is_negative(a, width) ? cut(0 - a, width) : a;
}

/// a < b in two's complement: flipping the sign bits maps it to unsigned order.
static bool signed_less(uint64_t a, uint64_t b, unsigned width) {
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (a ^ sign) < (b ^ sign);
}

static plain_value divide(gs_op op, unsigned width, uint64_t a, uint64_t b) {
  if (op == GS_OP_UDIV)
    return (plain_value){b ? a / b : 0, b != 0};
  if (op == GS_OP_UREM)
    return (plain_value){b ? a % b : 0, b != 0};
  bool least = a == UINT64_C(1) << (width - 1), minus_one = b == cut(UINT64_MAX, width);
  if (b == 0 || (least && minus_one))
    return (plain_value){0, false};
  uint64_t x = magnitude(a, width), y = magnitude(b, width);
  uint64_t r = op == GS_OP_SDIV ? x / y : x % y;
  bool negate = is_negative(a, width) != (op == GS_OP_SDIV && is_negative(b, width));
  return (plain_value){cut(negate ? 0 - r : r, width), true};
}

static plain_value shift(gs_op op, unsigned width, uint64_t a, uint64_t b) {
  uint64_t r = 0;
  if (b >= width)
    return (plain_value){0, false};
  for (unsigned bit = 0; bit < width; bit++) {
    unsigned from = op == GS_OP_SHL ? bit - (unsigned)b : bit + (unsigned)b;
    uint64_t moved = from < width ? bit_at(a, from) : 0;
    if (op == GS_OP_ASHR && from >= width)
      moved = bit_at(a, width - 1);
    r |= moved << bit;
  }
  return (plain_value){r, true};
}

static uint64_t count_bits(gs_op op, unsigned width, uint64_t a) {
  uint64_t r = 0;
  if (op == GS_OP_CTLZ) {
    while (r < width && !bit_at(a, width - 1 - (unsigned)r))
      r++;
    return r;
  }
  for (unsigned bit = 0; bit < width; bit++)
    if (op == GS_OP_CTPOP)
      r += bit_at(a, bit);
    else
      r |= bit_at(a, bit) << (width - 1 - bit);
  return r;
}

static uint64_t extend(uint64_t a, unsigned from, unsigned to) {
  for (unsigned bit = from; bit < to; bit++)
    a |= bit_at(a, from - 1) << bit;
  return a;
}

static uint64_t total(gs_op op, unsigned width, unsigned result, uint64_t a, uint64_t b) {
  if (op == GS_OP_ADD)
    return a + b;
  if (op == GS_OP_SUB)
    return a - b;
  if (op == GS_OP_MUL)
    return a * b;
  if (op == GS_OP_AND)
    return a & b;
  if (op == GS_OP_OR)
    return a | b;
  if (op == GS_OP_XOR)
    return a ^ b;
  if (op == GS_OP_EQ)
    return a == b;
  if (op == GS_OP_ULT)
    return a < b;
  if (op == GS_OP_ULE)
    return a <= b;
  if (op == GS_OP_SLT)
    return signed_less(a, b, width);
  if (op == GS_OP_SLE)
    return !signed_less(b, a, width);
  if (op == GS_OP_SEXT)
    return extend(a, width, result);
  if (op == GS_OP_CTLZ || op == GS_OP_CTPOP || op == GS_OP_BITREVERSE)
    return count_bits(op, width, a);
  return a; // ZEXT, TRUNC
}

plain_value plain_operation(gs_op op, uint8_t width, uint8_t result, plain_value a,
                            plain_value b) {
  // A conjunction with a false side is false: the other side need not have run.
  if (op == GS_OP_AND && width == 1 && ((a.defined && !a.value) || (b.defined && !b.value)))
    return (plain_value){0, true};
  if (op == GS_OP_OR && width == 1 && ((a.defined && a.value) || (b.defined && b.value)))
    return (plain_value){1, true};
  if (!a.defined || !b.defined)
    return (plain_value){0, false};
  if (op >= GS_OP_UDIV && op <= GS_OP_SREM)
    return divide(op, width, a.value, b.value);
  if (op >= GS_OP_SHL && op <= GS_OP_ASHR)
    return shift(op, width, a.value, b.value);
  return (plain_value){cut(total(op, width, result, a.value, b.value), result), true};
}

static plain_value eval_one(const test_pool *pool, const plain_node *node, const uint64_t *values,
                            gs_load_fn load, const plain_value *memo) {
  plain_value a = memo[node->arg[0]], b = memo[node->arg[1]];
  if (node->op == GS_OP_CONST)
    return (plain_value){node->value, true};
  if (node->op == GS_OP_SYM)
    return (plain_value){cut(values[node->value], node->width), true};
  if (node->op == GS_OP_ITE)
    return !a.defined ? (plain_value){0, false} : a.value ? b : memo[node->arg[2]];
  if (node->op == GS_OP_LOAD)
    return (plain_value){a.defined && load ? cut(load(NULL, a.value, node->width), node->width) : 0,
                         a.defined && load};
  bool is_unary = node->op >= GS_OP_ZEXT;
  return plain_operation(node->op, pool->nodes[node->arg[0]].width, node->width, a,
                         is_unary ? a : b);
}

void pool_eval(const test_pool *pool, const uint64_t *values, gs_load_fn load, plain_value *out) {
  for (uint32_t i = 0; i < pool->count; i++)
    out[i] = eval_one(pool, &pool->nodes[i], values, load, out);
}

static uint32_t add(test_pool *pool, plain_node node) {
  pool->nodes[pool->count] = node;
  return pool->count++;
}

uint32_t pool_pick(test_pool *pool, uint8_t width) {
  for (uint32_t tries = 0; tries < 8; tries++) { // prefer what was made last
    uint32_t window = pool->count < 24 ? pool->count : 24;
    uint32_t i = pool->count - 1 - test_below(&pool->rng, window);
    if (pool->nodes[i].width == width)
      return i;
  }
  uint32_t start = test_below(&pool->rng, pool->count);
  for (uint32_t i = 0; i < pool->count; i++)
    if (pool->nodes[(start + i) % pool->count].width == width)
      return (start + i) % pool->count;
  return 0;
}

static uint64_t interesting(test_rng *rng, uint8_t width) {
  static const uint64_t few[] = {0, 1, 2, 3, 4, 7, 8, 31, 32, 33, 255, UINT64_MAX, UINT64_MAX - 1};
  if (test_below(rng, 4) == 0)
    return cut(UINT64_C(1) << (width - 1), width);
  if (test_below(rng, 3) == 0)
    return cut(test_random(rng), width);
  return cut(few[test_below(rng, sizeof few / sizeof *few)], width);
}

static void add_leaves(test_pool *pool, const pool_options *options) {
  static const char *const names[POOL_SYMS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  for (uint32_t i = 0; i < options->syms; i++) {
    uint8_t width = options->widths[test_below(&pool->rng, options->width_count)];
    gs_sym proto = test_sym(names[i], width, 0, UINT64_MAX);
    plain_node node = {.op = GS_OP_SYM, .width = width, .value = gs_sym_count(pool->terms)};
    node.term = gs_mk_sym(pool->terms, &proto);
    pool->sym_width[pool->sym_count++] = width;
    add(pool, node);
  }
  for (uint32_t i = 0; i < options->leaf_count; i++) {
    gs_term leaf = options->leaves[i];
    add(pool, (plain_node){.op = GS_OP_SYM,
                           .width = gs_term_width(pool->terms, leaf),
                           .value = gs_term_node(pool->terms, leaf)->value,
                           .term = leaf});
  }
  for (uint32_t i = 0; i < options->width_count; i++)
    for (int k = 0; k < 2; k++) {
      plain_node node = {.op = GS_OP_CONST, .width = options->widths[i]};
      node.value = interesting(&pool->rng, node.width);
      node.term = gs_mk_const(pool->terms, node.value, node.width);
      add(pool, node);
    }
}

static void add_cast(test_pool *pool, const pool_options *options, uint8_t width) {
  uint8_t from = options->widths[test_below(&pool->rng, options->width_count)];
  plain_node node = {.width = width, .arg = {pool_pick(pool, from)}};
  gs_term a = pool->nodes[node.arg[0]].term;
  if (from == width)
    return;
  node.op = from > width ? GS_OP_TRUNC : test_below(&pool->rng, 2) ? GS_OP_ZEXT : GS_OP_SEXT;
  if (node.op == GS_OP_TRUNC && options->flags)
    node.flags = (uint8_t)test_below(&pool->rng, 4);
  node.term = node.flags ? gs_mk_trunc_flags(pool->terms, a, width, node.flags, 1)
                         : gs_mk_cast(pool->terms, node.op, a, width);
  add(pool, node);
}

static void add_binary(test_pool *pool, const pool_options *options, uint8_t width) {
  plain_node node = {.width = width};
  uint8_t from = width;
  node.op = (gs_op)(GS_OP_ADD + test_below(&pool->rng, GS_OP_XOR - GS_OP_ADD + 1));
  if (width == 1 && test_below(&pool->rng, 2)) {
    node.op = (gs_op)(GS_OP_EQ + test_below(&pool->rng, GS_OP_SLE - GS_OP_EQ + 1));
    from = options->widths[test_below(&pool->rng, options->width_count)];
  }
  if (!options->division && node.op >= GS_OP_UDIV && node.op <= GS_OP_ASHR)
    node.op = GS_OP_ADD;
  if (options->flags && (node.op <= GS_OP_MUL || node.op == GS_OP_SHL))
    node.flags = (uint8_t)test_below(&pool->rng, 4);
  node.arg[0] = pool_pick(pool, from);
  node.arg[1] = pool_pick(pool, from);
  node.term = gs_mk_bin_flags(pool->terms, node.op, pool->nodes[node.arg[0]].term,
                              pool->nodes[node.arg[1]].term, node.flags, 1);
  add(pool, node);
}

static void add_unary(test_pool *pool, uint8_t width) {
  plain_node node = {.width = width, .arg = {pool_pick(pool, width)}};
  gs_term a = pool->nodes[node.arg[0]].term;
  uint32_t kind = test_below(&pool->rng, 4);
  if (kind == 3) { // complement: XOR with all ones
    plain_node ones = {.op = GS_OP_CONST, .width = width, .value = cut(UINT64_MAX, width)};
    ones.term = gs_mk_const(pool->terms, ones.value, width);
    node.op = GS_OP_XOR;
    node.arg[1] = add(pool, ones);
    node.term = gs_mk_not(pool->terms, a);
  } else {
    node.op = (gs_op)(GS_OP_CTLZ + kind);
    node.term = gs_mk_un(pool->terms, node.op, a);
  }
  add(pool, node);
}

static void add_ite(test_pool *pool, uint8_t width) {
  plain_node node = {.op = GS_OP_ITE, .width = width};
  node.arg[0] = pool_pick(pool, 1);
  node.arg[1] = pool_pick(pool, width);
  node.arg[2] = pool_pick(pool, width);
  node.term = gs_mk_ite(pool->terms, pool->nodes[node.arg[0]].term,
                        pool->nodes[node.arg[1]].term, pool->nodes[node.arg[2]].term);
  add(pool, node);
}

static void add_load(test_pool *pool, uint8_t width) {
  plain_node node = {.op = GS_OP_LOAD, .width = width, .arg = {pool_pick(pool, 64)}};
  node.term = gs_mk_load(pool->terms, pool->nodes[node.arg[0]].term, width, 0);
  add(pool, node);
}

void pool_fill(test_pool *pool, gs_terms *terms, uint64_t seed, const pool_options *options) {
  memset(pool, 0, sizeof *pool);
  pool->terms = terms;
  pool->rng.state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  add_leaves(pool, options);
  uint32_t wanted = pool->count + options->nodes;
  while (pool->count < wanted &&
         pool->count + 2 < POOL_MAX) {
    uint8_t width = options->widths[test_below(&pool->rng, options->width_count)];
    uint32_t kind = test_below(&pool->rng, 16);
    if (kind < 9)
      add_binary(pool, options, width);
    else if (kind < 12)
      add_cast(pool, options, width);
    else if (kind < 13)
      add_unary(pool, width);
    else if (kind < 15)
      add_ite(pool, width);
    else if (options->loads)
      add_load(pool, width);
  }
}
