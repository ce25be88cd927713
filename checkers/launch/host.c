// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The store, and the operations as host code does them. Bounds: host_bounds.c; texts:
// host_print.c.
#include "host_private.h"

#include <stdlib.h>
#include <string.h>

gs_hosts *gs_hosts_new(void) {
  gs_hosts *hosts = calloc(1, sizeof *hosts);
  if (!hosts)
    return NULL;
  hosts->count = 1; // 0 is "not known"
  hosts->capacity = 64;
  hosts->nodes = calloc(hosts->capacity, sizeof *hosts->nodes);
  if (hosts->nodes)
    return hosts;
  free(hosts);
  return NULL;
}

void gs_hosts_free(gs_hosts *hosts) {
  if (!hosts)
    return;
  for (uint32_t i = 0; i < hosts->count; i++)
    free((char *)hosts->nodes[i].name);
  free(hosts->nodes);
  free(hosts);
}

const gs_host_node *gs_host_at(const gs_hosts *hosts, uint32_t at) { return &hosts->nodes[at]; }

/// Index of an equal node, or of a new one; 0 when memory is short. Linear: a unit has
/// few launches, and each few nodes.
static uint32_t intern(gs_hosts *hosts, const gs_host_node *node) {
  for (uint32_t i = 1; i < hosts->count && node->op != GS_EXPR_NAME; i++) {
    const gs_host_node *old = &hosts->nodes[i];
    if (old->op == node->op && old->value == node->value && old->is_address == node->is_address &&
        memcmp(old->args, node->args, sizeof node->args) == 0)
      return i;
  }
  if (hosts->count == hosts->capacity) {
    gs_host_node *moved = realloc(hosts->nodes, hosts->capacity * 2u * sizeof *moved);
    if (!moved)
      return 0;
    hosts->nodes = moved;
    hosts->capacity *= 2;
  }
  hosts->nodes[hosts->count] = *node;
  return hosts->count++;
}

gs_host_value gs_host_number(gs_hosts *hosts, int64_t value) {
  gs_host_node node = {.op = GS_EXPR_INT, .value = value, .bounds = {value, value}};
  return (gs_host_value){intern(hosts, &node), false};
}

static gs_host_value new_unknown(gs_hosts *hosts, const char *name, gs_host_type type,
                                 gs_host_bounds bounds) {
  gs_host_node node = {.op = GS_EXPR_NAME, .value = hosts->unknowns, .type = type, .bounds = bounds};
  char *copy = malloc(strlen(name) + 1);
  if (!copy)
    return (gs_host_value){0};
  node.name = strcpy(copy, name);
  uint32_t at = intern(hosts, &node);
  if (at)
    hosts->unknowns++;
  else
    free(copy);
  return (gs_host_value){at, false};
}

gs_host_value gs_host_unknown(gs_hosts *hosts, const char *name, gs_host_type type) {
  return new_unknown(hosts, name, type, gs_host_type_bounds(type));
}

gs_host_value gs_host_unknown_in(gs_hosts *hosts, const char *name, gs_host_type type, int64_t lo,
                                 int64_t hi) {
  return new_unknown(hosts, name, type, (gs_host_bounds){lo, hi});
}

gs_host_value gs_host_address(gs_hosts *hosts, const char *name) {
  gs_host_value out = gs_host_unknown(hosts, name, (gs_host_type){64, false});
  if (out.at)
    hosts->nodes[out.at].is_address = true;
  return out;
}

gs_host_value gs_host_offset(gs_hosts *hosts, gs_host_value address, gs_host_value bytes) {
  int64_t number = 1;
  if (!address.at || (gs_host_constant(hosts, bytes, &number) && number == 0))
    return address;
  if (!bytes.at)
    bytes = gs_host_unknown(hosts, "offset", (gs_host_type){64, true});
  gs_host_node node = {.op = GS_EXPR_ADD, .args = {address.at, bytes.at}, .is_address = true,
                       .bounds = {-GS_HOST_FAR, GS_HOST_FAR}};
  return (gs_host_value){bytes.at ? intern(hosts, &node) : 0, address.wraps || bytes.wraps};
}

bool gs_host_constant(const gs_hosts *hosts, gs_host_value value, int64_t *out) {
  if (!value.at || hosts->nodes[value.at].op != GS_EXPR_INT)
    return false;
  *out = hosts->nodes[value.at].value;
  return true;
}

gs_host_bounds gs_host_range(const gs_hosts *hosts, gs_host_value value) {
  return value.at ? hosts->nodes[value.at].bounds : (gs_host_bounds){-GS_HOST_FAR, GS_HOST_FAR};
}

// -------------------------------------------------------------- conversions ----

bool gs_host_fits(gs_host_bounds b, gs_host_type type) {
  gs_host_bounds t = gs_host_type_bounds(type);
  return b.lo >= t.lo && b.hi <= t.hi;
}

/// A constant as `type` keeps it: modulo 2^bits, as every compiler here does it. What
/// an int64 cannot hold is not known.
static gs_host_value reduce(gs_hosts *hosts, gs_host_int value, gs_host_type type) {
  gs_host_int range = (gs_host_int)1 << type.bits;
  value = ((value % range) + range) % range;
  if (type.is_signed && value >= range / 2)
    value -= range;
  return value > INT64_MAX ? (gs_host_value){0} : gs_host_number(hosts, (int64_t)value);
}

gs_host_value gs_host_convert(gs_hosts *hosts, gs_host_value value, gs_host_type type) {
  int64_t number = 0;
  if (gs_host_constant(hosts, value, &number)) {
    gs_host_value out = reduce(hosts, number, type);
    out.wraps = value.wraps;
    return out;
  }
  value.wraps = value.at && (value.wraps || !gs_host_fits(gs_host_range(hosts, value), type));
  return value;
}

gs_host_value gs_host_convert_size(gs_hosts *hosts, gs_host_value value) {
  gs_host_type size = {32, false};
  gs_host_bounds b = gs_host_range(hosts, value);
  int64_t number = 0;
  bool fails_or_fits = b.lo >= -((gs_host_int)1 << 31) && b.hi < (gs_host_int)1 << 32;
  if (gs_host_constant(hosts, value, &number) || !fails_or_fits)
    return gs_host_convert(hosts, value, size);
  return value;
}

// --------------------------------------------------------------- operations ----

static gs_host_value make(gs_hosts *hosts, gs_expr_op op, const gs_host_value *args) {
  gs_host_node node = {.op = op};
  bool wraps = false;
  for (unsigned i = 0; i < gs_expr_op_arity(op); i++) {
    node.args[i] = args[i].at;
    wraps |= args[i].wraps;
  }
  node.bounds = gs_host_op_bounds(hosts, op, node.args);
  return (gs_host_value){intern(hosts, &node), wraps};
}

static gs_host_value with(gs_host_value value, bool wraps) {
  value.wraps |= wraps;
  return value;
}

static gs_host_value binary(gs_hosts *hosts, gs_expr_op op, gs_host_value a, gs_host_value b) {
  gs_host_value args[2] = {a, b};
  return make(hosts, op, args);
}

/// x + c, with the constants of nested sums put together.
static gs_host_value add_number(gs_hosts *hosts, gs_host_value x, int64_t c) {
  const gs_host_node *node = gs_host_at(hosts, x.at);
  int64_t inner = 0, sum = 0;
  if (node->op == GS_EXPR_ADD &&
      gs_host_constant(hosts, (gs_host_value){node->args[1], false}, &inner) &&
      !__builtin_add_overflow(inner, c, &sum))
    return add_number(hosts, (gs_host_value){node->args[0], x.wraps}, sum);
  if (c == 0)
    return x;
  return binary(hosts, GS_EXPR_ADD, x, gs_host_number(hosts, c));
}

static bool log2_of(gs_host_int value, unsigned *out) {
  for (unsigned k = 0; k < 63; k++)
    if (value == (gs_host_int)1 << k) {
      *out = k;
      return true;
    }
  return false;
}

/// x & c: a remainder or a rounding down, where c is such a mask.
static gs_host_value mask(gs_hosts *hosts, gs_host_value x, int64_t c, gs_host_type type) {
  unsigned k = 0;
  gs_host_int inverse = c < 0 ? -(gs_host_int)c : ((gs_host_int)1 << type.bits) - c;
  bool negative = gs_host_range(hosts, x).lo < 0;
  if (c >= 0 && log2_of((gs_host_int)c + 1, &k))
    return with(binary(hosts, GS_EXPR_MOD, x, gs_host_number(hosts, c + 1)), negative);
  if (log2_of(inverse, &k)) {
    gs_host_value step = gs_host_number(hosts, (int64_t)1 << k);
    return with(binary(hosts, GS_EXPR_MUL, binary(hosts, GS_EXPR_DIV, x, step), step), negative);
  }
  if (c < 0)
    return (gs_host_value){0};
  return with(binary(hosts, GS_EXPR_BITAND, x, gs_host_number(hosts, c)), negative);
}

/// (x * c) / c
static bool undoes(const gs_hosts *hosts, gs_host_value x, int64_t c) {
  const gs_host_node *node = gs_host_at(hosts, x.at);
  int64_t inner = 0;
  return node->op == GS_EXPR_MUL &&
         gs_host_constant(hosts, (gs_host_value){node->args[1], false}, &inner) && inner == c;
}

/// x op c.
static gs_host_value by_number(gs_hosts *hosts, gs_expr_op op, gs_host_value x, int64_t c,
                               gs_host_type type) {
  bool negative = gs_host_range(hosts, x).lo < 0;
  gs_host_value number = gs_host_number(hosts, c);
  if (op == GS_EXPR_ADD)
    return add_number(hosts, x, c);
  if (op == GS_EXPR_SUB && c != INT64_MIN)
    return add_number(hosts, x, -c);
  if (op == GS_EXPR_MUL && c == 0)
    return number;
  if ((op == GS_EXPR_MUL || op == GS_EXPR_DIV) && c == 1)
    return x;
  if ((op == GS_EXPR_DIV || op == GS_EXPR_MOD) && c == 0)
    return (gs_host_value){0};
  if (op == GS_EXPR_DIV && undoes(hosts, x, c))
    return (gs_host_value){gs_host_at(hosts, x.at)->args[0], x.wraps};
  if (op == GS_EXPR_SHL || op == GS_EXPR_SHR) {
    if (c < 0 || c > 62)
      return (gs_host_value){0};
    // The shift of a negative number rounds down, the division does not.
    gs_host_value power = gs_host_number(hosts, (int64_t)1 << c);
    return c == 0                ? x
           : op == GS_EXPR_SHL ? binary(hosts, GS_EXPR_MUL, x, power)
                                 : with(binary(hosts, GS_EXPR_DIV, x, power), negative);
  }
  if (op == GS_EXPR_BITAND)
    return mask(hosts, x, c, type);
  if ((op == GS_EXPR_BITOR || op == GS_EXPR_BITXOR) && c < 0)
    return (gs_host_value){0};
  return binary(hosts, op, x, number);
}

/// Decides what bounds decide; 0 when they do not.
static gs_host_value by_bounds(gs_hosts *hosts, gs_expr_op op, const gs_host_value *args) {
  gs_host_bounds a = gs_host_range(hosts, args[0]);
  if (op == GS_EXPR_COND)
    return a.lo > 0 || a.hi < 0             ? args[1]
           : a.lo == 0 && a.hi == 0         ? args[2]
           : args[1].at == args[2].at ? with(args[1], args[2].wraps)
                                      : (gs_host_value){0};
  if (gs_expr_op_arity(op) != 2)
    return (gs_host_value){0};
  gs_host_bounds b = gs_host_range(hosts, args[1]);
  bool wraps = args[0].wraps || args[1].wraps;
  if (op == GS_EXPR_MIN || op == GS_EXPR_MAX) {
    bool less = a.hi <= b.lo, more = b.hi <= a.lo;
    if (less || more)
      return with(args[less == (op == GS_EXPR_MIN) ? 0 : 1], wraps);
    return (gs_host_value){0};
  }
  gs_host_bounds out = gs_host_op_bounds(hosts, op, (uint32_t[3]){args[0].at, args[1].at, 0});
  bool truth = op >= GS_EXPR_AND && op <= GS_EXPR_GE && op != GS_EXPR_COND;
  if (truth && out.lo == out.hi)
    return with(gs_host_number(hosts, (int64_t)out.lo), wraps);
  return (gs_host_value){0};
}

/// The mathematical operation.
static gs_host_value exact(gs_hosts *hosts, gs_expr_op op, const gs_host_value *args,
                           gs_host_type type) {
  gs_host_value decided = by_bounds(hosts, op, args);
  if (decided.at)
    return decided;
  bool commutes = op == GS_EXPR_ADD || op == GS_EXPR_MUL || op == GS_EXPR_BITAND ||
                  op == GS_EXPR_BITOR || op == GS_EXPR_BITXOR || op == GS_EXPR_MIN ||
                  op == GS_EXPR_MAX;
  gs_host_value pair[2] = {args[0], args[1]};
  int64_t c = 0;
  bool swap = commutes && (gs_host_constant(hosts, args[0], &c) || args[0].at > args[1].at) &&
              !gs_host_constant(hosts, args[1], &c);
  if (swap) {
    pair[0] = args[1];
    pair[1] = args[0];
  }
  if (gs_expr_op_arity(op) == 2 && gs_host_constant(hosts, pair[1], &c))
    return with(by_number(hosts, op, pair[0], c, type), pair[1].wraps);
  return make(hosts, op, gs_expr_op_arity(op) == 2 ? pair : args);
}

/// All operands are numbers: what the machine computes.
static bool fold(gs_hosts *hosts, gs_expr_op op, const gs_host_value *args, gs_host_type type,
                 gs_host_value *out) {
  uint32_t at[3] = {0};
  int64_t value = 0;
  for (unsigned i = 0; i < gs_expr_op_arity(op); i++) {
    at[i] = args[i].at;
    if (!gs_host_constant(hosts, args[i], &value))
      return false;
  }
  bool divides = op == GS_EXPR_DIV || op == GS_EXPR_MOD || op == GS_EXPR_CEIL_DIV;
  if (op == GS_EXPR_COND || (divides && value == 0))
    return false; // a condition is chosen elsewhere
  gs_host_bounds b = gs_host_op_bounds(hosts, op, at);
  if (b.lo != b.hi || (type.is_signed && !gs_host_fits(b, type)))
    return false;
  *out = reduce(hosts, b.lo, type);
  return true;
}

gs_host_value gs_host_apply(gs_hosts *hosts, gs_expr_op op, const gs_host_value *args,
                            gs_host_type type) {
  gs_host_value none = {0}, out = none;
  unsigned arity = gs_expr_op_arity(op);
  bool wraps = false;
  if (arity == 0 || op >= GS_EXPR_ALIGNED)
    return none;
  for (unsigned i = 0; i < arity; i++) {
    if (!args[i].at)
      return none;
    wraps |= args[i].wraps;
  }
  if (!fold(hosts, op, args, type, &out))
    out = exact(hosts, op, args, type);
  if (!out.at)
    return none;
  bool negative = false;
  if (op == GS_EXPR_BITOR || op == GS_EXPR_BITXOR || op == GS_EXPR_BITAND || op == GS_EXPR_SHL)
    for (unsigned i = 0; i < arity && op != GS_EXPR_BITAND; i++)
      negative |= gs_host_range(hosts, args[i]).lo < 0;
  out.wraps |= wraps || negative || !gs_host_fits(gs_host_range(hosts, out), type);
  return out;
}
