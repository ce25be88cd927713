// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "teams.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ASKED = 32, SHIFTS = GS_WARP_SHIFT + 1, MAX_NEVER = 64 };

/// What is known of a term for every team size.
typedef struct info {
  uint8_t vary[SHIFTS]; ///< by shift; [0] is not used
  uint8_t zeros;        ///< low bits that are certainly 0
  bool known;
  uint64_t most;        ///< unsigned
} info;

struct gs_teams {
  const gs_program *p;
  gs_terms *terms;
  gs_launch_term_fn launch_term;
  gs_refute_fn refute;
  void *user;
  gs_term index;         ///< of the thread in its block, with the launch put in
  gs_term size[3];       ///< of the block
  uint64_t fixed[3];     ///< the same as numbers; 0 = open
  uint8_t multiple[3];   ///< 2^this divides the size
  bool flat[3];          ///< the thread's index there is 0
  uint32_t tid[3];       ///< symbols
  info *infos;           ///< by term
  size_t info_count;
  uint32_t asked;
  bool distrust[GS_LEVEL_THREAD + 1]; ///< by level
};

static bool ask(gs_teams *t, const gs_term *facts, size_t count) {
  gs_term all[MAX_NEVER];
  size_t n = 0;
  if (!t->refute || t->asked == MAX_ASKED || count + 6 > MAX_NEVER)
    return false;
  t->asked++;
  for (uint32_t d = 0; d < 3; d++) {
    const gs_program *p = t->p;
    all[n++] = gs_mk_bin(t->terms, GS_OP_ULT, t->launch_term(t->user, p->tid[d]), t->size[d]);
    all[n++] = gs_mk_bin(t->terms, GS_OP_ULT, t->launch_term(t->user, p->ctaid[d]),
                         t->launch_term(t->user, p->nctaid[d]));
  }
  for (size_t i = 0; i < count; i++)
    all[n++] = facts[i];
  return t->refute(t->user, all, n);
}

/// Is the size certainly a multiple of 2^bits?
static bool is_multiple(gs_teams *t, gs_term size, uint8_t bits) {
  gs_term low = gs_mk_bin(t->terms, GS_OP_AND, size, gs_mk_const(t->terms, (1u << bits) - 1, 32));
  gs_term fact = gs_mk_not(t->terms, gs_mk_bin(t->terms, GS_OP_EQ, low, gs_mk_const(t->terms, 0, 32)));
  return ask(t, &fact, 1);
}

static void learn_sizes(gs_teams *t) {
  const gs_program *p = t->p;
  for (uint32_t d = 0; d < 3; d++) {
    uint64_t value = 0;
    t->tid[d] = (uint32_t)gs_term_node(t->terms, p->tid[d])->value;
    t->size[d] = t->launch_term(t->user, p->ntid[d]);
    t->flat[d] = gs_term_const(t->terms, t->launch_term(t->user, p->tid[d]), &value) && !value;
  }
  for (uint32_t d = 0; d < 3; d++) {
    if (gs_term_const(t->terms, t->size[d], &t->fixed[d])) {
      t->multiple[d] = t->fixed[d] ? (uint8_t)__builtin_ctzll(t->fixed[d]) : 0;
      continue;
    }
    for (uint8_t bits = GS_WARP_SHIFT; bits && !t->multiple[d]; bits--)
      t->multiple[d] = is_multiple(t, t->size[d], bits) ? bits : 0;
  }
}

gs_teams *gs_teams_new(const gs_program *p, gs_launch_term_fn launch_term, gs_refute_fn refute,
                       void *user) {
  gs_teams *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  *t = (gs_teams){.p = p, .terms = p->terms, .launch_term = launch_term, .refute = refute, .user = user};
  t->index = launch_term(user, gs_program_thread_index(p));
  learn_sizes(t);
  if (!gs_terms_failed(p->terms))
    return t;
  gs_teams_free(t);
  return NULL;
}

void gs_teams_free(gs_teams *t) {
  if (t)
    free(t->infos);
  free(t);
}

void gs_teams_distrust(gs_teams *t, gs_level level) {
  if (t->infos && !t->distrust[level])
    memset(t->infos, 0, t->info_count * sizeof *t->infos);
  t->distrust[level] = true;
}

// -------------------------------------------------------------- numbers ----

static uint8_t bits_of(uint64_t most) { return most ? (uint8_t)(64 - __builtin_clzll(most)) : 0; }
static uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }
static uint8_t larger(uint8_t a, uint8_t b) { return a > b ? a : b; }

/// A constant operand as a power of two: its exponent, else 64.
static uint8_t power_of(const gs_teams *t, gs_term c) {
  uint64_t value = 0;
  bool power = gs_term_const(t->terms, c, &value) && value && !(value & (value - 1));
  return power ? (uint8_t)__builtin_ctzll(value) : 64;
}

static uint8_t zeros_of(const gs_teams *t, const gs_node *n, const info *a, const info *b) {
  uint64_t c = 0;
  bool by_const = b && gs_term_const(t->terms, n->arg[1], &c);
  switch ((int)n->op) {
  case GS_OP_CONST: return n->value ? (uint8_t)__builtin_ctzll(n->value) : n->width;
  case GS_OP_SYM:
    for (uint32_t d = 0; d < 3; d++)
      if (n->value == gs_term_node(t->terms, t->p->ntid[d])->value)
        return t->multiple[d];
    return 0;
  case GS_OP_ADD:
  case GS_OP_SUB:
  case GS_OP_OR:
  case GS_OP_XOR: return least(a->zeros, b->zeros);
  case GS_OP_AND: return larger(a->zeros, b->zeros);
  case GS_OP_MUL: return least((uint8_t)(a->zeros + b->zeros), n->width);
  case GS_OP_SHL: return by_const && c < n->width ? least((uint8_t)(a->zeros + c), n->width) : a->zeros;
  case GS_OP_LSHR: return by_const && c < a->zeros ? (uint8_t)(a->zeros - c) : 0;
  case GS_OP_ZEXT:
  case GS_OP_SEXT:
  case GS_OP_TRUNC: return least(a->zeros, n->width);
  default: return 0;
  }
}

static uint64_t most_of_symbol(const gs_teams *t, const gs_node *n) {
  uint64_t most = gs_sym_get(t->terms, (uint32_t)n->value)->hi;
  for (uint32_t d = 0; d < 3; d++)
    if (n->value == t->tid[d] && t->fixed[d])
      return t->fixed[d] - 1 < most ? t->fixed[d] - 1 : most;
  return most;
}

static uint64_t most_of(const gs_teams *t, const gs_node *n, const info *a, const info *b) {
  uint64_t mask = gs_mask(n->width), c = 0, r = 0;
  bool by_const = b && gs_term_const(t->terms, n->arg[1], &c);
  switch ((int)n->op) {
  case GS_OP_CONST: return n->value;
  case GS_OP_SYM: return most_of_symbol(t, n) & mask;
  case GS_OP_ADD: return __builtin_add_overflow(a->most, b->most, &r) || r > mask ? mask : r;
  case GS_OP_MUL: return __builtin_mul_overflow(a->most, b->most, &r) || r > mask ? mask : r;
  case GS_OP_SHL:
    return by_const && c < n->width && bits_of(a->most) + c <= n->width ? a->most << c : mask;
  case GS_OP_LSHR: return by_const && c < n->width ? a->most >> c : a->most;
  case GS_OP_UDIV: return by_const && c ? a->most / c : a->most;
  case GS_OP_UREM: return by_const && c && c - 1 < a->most ? c - 1 : a->most;
  case GS_OP_AND: return a->most < b->most ? a->most : b->most;
  case GS_OP_OR:
  case GS_OP_XOR: return gs_mask(larger(larger(bits_of(a->most), bits_of(b->most)), 1)) & mask;
  case GS_OP_ZEXT: return a->most;
  case GS_OP_TRUNC: return a->most <= mask ? a->most : mask;
  default: return mask;
  }
}

// ----------------------------------------------------------------- vary ----

/// The indices of threads, from the layout of a block: index = x + nx * (y + ny * z).
static uint8_t vary_of_index(const gs_teams *t, uint32_t axis, uint8_t shift) {
  uint64_t nx = t->fixed[0], nxy = nx * t->fixed[1];
  bool power = nx && !(nx & (nx - 1)), power2 = nxy && !(nxy & (nxy - 1));
  uint8_t k = power ? t->multiple[0] : 0;
  if (axis == 0)
    return (t->flat[1] && t->flat[2]) || t->multiple[0] >= shift ? shift : 32;
  if (axis == 1) {
    if (t->multiple[0] >= shift)
      return 0;
    bool whole = t->flat[2] || t->multiple[1] >= shift - k;
    return power && whole ? (uint8_t)(shift - k) : 32;
  }
  if (t->multiple[0] + t->multiple[1] >= shift)
    return 0;
  return power2 ? (uint8_t)(shift - (t->multiple[0] + t->multiple[1])) : 32;
}

static uint8_t vary_of_symbol(const gs_teams *t, const gs_node *n, uint8_t shift) {
  const gs_sym *sym = gs_sym_get(t->terms, (uint32_t)n->value);
  if (gs_program_is_voted(sym) && t->distrust[sym->level])
    return n->width;
  if (sym->level < GS_LEVEL_THREAD)
    return 0;
  for (uint32_t d = 0; d < 3; d++)
    if (n->value == t->tid[d])
      return vary_of_index(t, d, shift);
  return n->width;
}

/// a + b and a - b: what all agree on may only be added where no carry leaves the bits
/// that differ.
static uint8_t vary_of_sum(const gs_teams *t, const gs_node *n, const info *a, const info *b,
                           uint8_t va, uint8_t vb) {
  uint64_t c = 0;
  bool minus = n->op == GS_OP_SUB;
  if (!vb && b->zeros >= va)
    return va;
  if (!va && !minus && a->zeros >= vb)
    return vb;
  // 31 - lane: the low bits of the constant are all ones.
  if (minus && gs_term_const(t->terms, n->arg[0], &c) && vb < 64 && !(~c & gs_mask(vb)))
    return vb;
  bool apart = !minus && (bits_of(a->most) <= b->zeros || bits_of(b->most) <= a->zeros);
  return apart ? larger(va, vb) : n->width;
}

/// x / c and x % c where x is not negative.
static uint8_t vary_of_division(const gs_teams *t, const gs_node *n, uint8_t va) {
  uint64_t c = 0;
  uint8_t k = power_of(t, n->arg[1]);
  bool quotient = n->op == GS_OP_UDIV || n->op == GS_OP_SDIV;
  if (!gs_term_const(t->terms, n->arg[1], &c) || !c)
    return n->width;
  if (k < 64)
    return quotient ? (uint8_t)(va > k ? va - k : 0) : least(va, k);
  bool whole = va < 64 && !(c & gs_mask(va)); // a multiple of 2^va
  return whole ? (quotient ? 0 : va) : n->width;
}

/// A comparison of what differs in the low bits only with what all agree on.
static uint8_t vary_of_order(const gs_teams *t, const gs_node *n, const info *a, const info *b,
                             uint8_t va, uint8_t vb, uint8_t width) {
  uint64_t c = 0;
  bool left = !vb; // what differs stands left
  uint8_t v = left ? va : vb;
  gs_term edge = n->arg[left ? 1 : 0];
  const info *e = left ? b : a;
  if ((va && vb) || v >= width)
    return 1;
  bool strict = n->op == GS_OP_ULT || n->op == GS_OP_SLT;
  if (strict == left) // x < 32*m, 32*m <= x
    return e->zeros >= v ? 0 : 1;
  bool ones = gs_term_const(t->terms, edge, &c) && !(~c & gs_mask(v)); // x <= 31, 31 < x
  return ones ? 0 : 1;
}

/// Is the term never negative?
static bool not_negative(gs_teams *t, gs_term a, const info *known) {
  uint8_t width = gs_term_width(t->terms, a);
  if (known->most < UINT64_C(1) << (width - 1))
    return true;
  gs_term fact = gs_mk_bin(t->terms, GS_OP_SLT, a, gs_mk_const(t->terms, 0, width));
  return ask(t, &fact, 1);
}

static uint8_t vary_of(gs_teams *t, gs_term term, const gs_node *n, const info *arg[3], uint8_t s,
                       bool positive) {
  const info *a = arg[0], *b = arg[1];
  uint64_t c = 0;
  uint8_t v[3] = {0};
  bool same = true;
  uint32_t arity = n->op == GS_OP_ITE ? 3 : b ? 2 : a ? 1 : 0;
  if (term == t->index)
    return s;
  for (uint32_t i = 0; i < arity; i++) {
    v[i] = arg[i]->vary[s];
    same &= !v[i];
  }
  if (n->op == GS_OP_SYM)
    return vary_of_symbol(t, n, s);
  if (same)
    return 0;
  uint8_t width = gs_term_width(t->terms, n->arg[0]);
  bool by_const = b && gs_term_const(t->terms, n->arg[1], &c);
  switch ((int)n->op) {
  case GS_OP_ADD:
  case GS_OP_SUB: return vary_of_sum(t, n, a, b, v[0], v[1]);
  case GS_OP_MUL: {
    uint8_t k = power_of(t, n->arg[1]);
    return k < 64 ? (uint8_t)(v[0] + k) : n->width;
  }
  case GS_OP_SHL: return by_const && c < n->width ? (uint8_t)(v[0] + c) : n->width;
  case GS_OP_ASHR:
    if (v[0] >= width)
      return n->width;
    return by_const && c < n->width ? (uint8_t)(v[0] > c ? v[0] - c : 0) : n->width;
  case GS_OP_LSHR: return by_const && c < n->width ? (uint8_t)(v[0] > c ? v[0] - c : 0) : n->width;
  case GS_OP_AND:
    if (by_const) // the bits that differ and are kept
      return bits_of(c & gs_mask(v[0]));
    return larger(v[0], v[1]);
  case GS_OP_OR:
  case GS_OP_XOR: return larger(v[0], v[1]);
  case GS_OP_UDIV:
  case GS_OP_UREM: return vary_of_division(t, n, v[0]);
  case GS_OP_SDIV:
  case GS_OP_SREM: return positive ? vary_of_division(t, n, v[0]) : n->width;
  case GS_OP_ITE: return v[0] ? n->width : larger(v[1], v[2]);
  case GS_OP_ZEXT:
  case GS_OP_TRUNC: return v[0];
  case GS_OP_SEXT: return v[0] < width ? v[0] : n->width;
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE: return vary_of_order(t, n, a, b, v[0], v[1], width);
  default: return n->width;
  }
}

/// Does the contract say that a parameter is a multiple of the size of a warp?
static bool is_whole_warps(gs_teams *t, gs_term term, const gs_node *n) {
  const gs_kernel_desc *desc = t->p->desc;
  if (n->op != GS_OP_SYM || n->width != 32 || !desc || !desc->fact_count)
    return false;
  const gs_sym *sym = gs_sym_get(t->terms, (uint32_t)n->value);
  return sym->kind == GS_SYM_PARAM && !sym->is_address && is_multiple(t, term, GS_WARP_SHIFT);
}

static void compute(gs_teams *t, gs_term term) {
  const gs_node n = *gs_term_node(t->terms, term);
  const info *arg[3] = {NULL, NULL, NULL};
  bool leaf = n.op == GS_OP_CONST || n.op == GS_OP_SYM;
  for (int i = 0; i < 3 && !leaf; i++)
    arg[i] = n.arg[i] ? &t->infos[n.arg[i]] : NULL;
  info out = {.known = true, .zeros = zeros_of(t, &n, arg[0], arg[1]),
              .most = most_of(t, &n, arg[0], arg[1])};
  if (is_whole_warps(t, term, &n))
    out.zeros = GS_WARP_SHIFT;
  bool divides = n.op == GS_OP_SDIV || n.op == GS_OP_SREM;
  uint64_t c = 0;
  bool positive = divides && arg[0]->vary[GS_WARP_SHIFT] && gs_term_const(t->terms, n.arg[1], &c) &&
                  gs_sign_extend(c, n.width) > 0 && not_negative(t, n.arg[0], arg[0]);
  for (uint8_t s = 1; s < SHIFTS; s++) {
    uint8_t v = vary_of(t, term, &n, arg, s, positive);
    out.vary[s] = least(least(v, n.width), bits_of(out.most));
  }
  t->infos[term] = out;
}

/// Terms come after their operands, so one pass in their order does.
static bool compute_all(gs_teams *t, gs_term term) {
  size_t count = (size_t)term + 1;
  unsigned char *seen = calloc(gs_terms_count(t->terms) + 1, 1);
  if (count > t->info_count) {
    info *moved = realloc(t->infos, count * sizeof *moved);
    if (moved) {
      memset(moved + t->info_count, 0, (count - t->info_count) * sizeof *moved);
      t->infos = moved;
      t->info_count = count;
    }
  }
  bool fine = seen && t->info_count >= count;
  if (fine)
    gs_term_mark(t->terms, term, seen);
  for (gs_term i = 1; i <= term && fine; i++)
    if (seen[i] && !t->infos[i].known)
      compute(t, i);
  free(seen);
  return fine;
}

uint32_t gs_teams_vary(gs_teams *t, gs_term term, uint32_t shift) {
  if (!term)
    return 64;
  if (gs_term_node(t->terms, term)->level == GS_LEVEL_GRID)
    return 0;
  term = t->launch_term(t->user, term);
  if (!term || !compute_all(t, term))
    return 64;
  return t->infos[term].vary[shift];
}

// ---------------------------------------------------------------- lanes ----

static bool only_of_thread(const gs_teams *t, gs_term term, uint64_t **values) {
  uint32_t count = gs_sym_count(t->terms);
  unsigned char *seen = calloc(count + 1u, 1);
  *values = calloc(count + 1u, sizeof **values);
  bool fine = seen && *values;
  if (fine)
    gs_term_syms(t->terms, term, seen);
  for (uint32_t s = 0; s < count && fine; s++)
    fine = !seen[s] || s == t->tid[0] || s == t->tid[1] || s == t->tid[2];
  free(seen);
  return fine;
}

static uint64_t no_memory(void *user, uint64_t address, uint8_t width) {
  (void)address;
  (void)width;
  *(bool *)user = true;
  return 0;
}

bool gs_teams_by_lane(gs_teams *t, gs_term term, uint32_t out[GS_WARP_LANES], uint32_t *lanes) {
  uint64_t value = 0, *values = NULL;
  bool loads = false;
  term = term ? t->launch_term(t->user, term) : term;
  bool flat = t->flat[1] && t->flat[2];
  uint64_t n = flat ? (t->fixed[0] ? t->fixed[0] : 1024) : t->fixed[0] * t->fixed[1] * t->fixed[2];
  *lanes = 0;
  bool fine = term && n;
  if (term && gs_term_const(t->terms, term, &value)) {
    *lanes = !n || n >= GS_WARP_LANES ? UINT32_MAX : (1u << n) - 1;
    for (int l = 0; l < GS_WARP_LANES; l++)
      out[l] = (uint32_t)value;
    return true;
  }
  fine = fine && only_of_thread(t, term, &values);
  for (uint64_t i = 0; i < n && i < 1024 && fine; i++) {
    uint32_t lane = (uint32_t)(i % GS_WARP_LANES);
    values[t->tid[0]] = flat ? i : i % t->fixed[0];
    values[t->tid[1]] = flat ? 0 : i / t->fixed[0] % t->fixed[1];
    values[t->tid[2]] = flat ? 0 : i / t->fixed[0] / t->fixed[1];
    fine = gs_term_eval(t->terms, term, values, no_memory, &loads, &value) && !loads &&
           (!(*lanes >> lane & 1) || out[lane] == (uint32_t)value);
    out[lane] = (uint32_t)value;
    *lanes |= 1u << lane;
  }
  free(values);
  return fine;
}

bool gs_teams_by_thread(gs_teams *t, gs_term term, gs_thread_set *out) {
  uint64_t value = 0, *values = NULL, n = t->fixed[0] * t->fixed[1] * t->fixed[2];
  bool loads = false;
  *out = (gs_thread_set){{0}};
  term = term ? t->launch_term(t->user, term) : term;
  bool fine = term && n && n <= 1024 && only_of_thread(t, term, &values);
  for (uint64_t i = 0; i < n && fine; i++) {
    values[t->tid[0]] = i % t->fixed[0];
    values[t->tid[1]] = i / t->fixed[0] % t->fixed[1];
    values[t->tid[2]] = i / t->fixed[0] / t->fixed[1];
    fine = gs_term_eval(t->terms, term, values, no_memory, &loads, &value) && !loads;
    out->warp[i / 32] |= (uint32_t)(value != 0) << i % 32;
  }
  free(values);
  return fine;
}

bool gs_teams_never(gs_teams *t, const gs_term *terms, size_t count, uint32_t lanes) {
  gs_term all[MAX_NEVER];
  gs_term lane = gs_mk_bin(t->terms, GS_OP_AND, t->index, gs_mk_const(t->terms, 31, 32));
  if (count + 2 > MAX_NEVER)
    return false;
  for (size_t i = 0; i < count; i++)
    all[i] = t->launch_term(t->user, terms[i]);
  for (uint32_t first = 0; first < GS_WARP_LANES;) {
    uint32_t last = first;
    if (!(lanes >> first & 1)) {
      first++;
      continue;
    }
    while (last + 1 < GS_WARP_LANES && (lanes >> (last + 1) & 1))
      last++;
    all[count] = gs_mk_bin(t->terms, GS_OP_ULE, gs_mk_const(t->terms, first, 32), lane);
    all[count + 1] = gs_mk_bin(t->terms, GS_OP_ULE, lane, gs_mk_const(t->terms, last, 32));
    if (!ask(t, all, count + 2))
      return false;
    first = last + 1;
  }
  return true;
}
