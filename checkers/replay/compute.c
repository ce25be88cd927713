// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of 1 to 64 bits with PTX's meaning (they wrap), and floats by the host.
#include "machine.h"

#include <math.h>
#include <string.h>

static bool compare(gs_code_compare predicate, uint64_t a, uint64_t b, uint32_t width) {
  int64_t x = gs_signed_of(a, width), y = gs_signed_of(b, width);
  switch (predicate) {
  case GS_COMPARE_EQ: return a == b;
  case GS_COMPARE_NE: return a != b;
  case GS_COMPARE_UGT: return a > b;
  case GS_COMPARE_UGE: return a >= b;
  case GS_COMPARE_ULT: return a < b;
  case GS_COMPARE_ULE: return a <= b;
  case GS_COMPARE_SGT: return x > y;
  case GS_COMPARE_SGE: return x >= y;
  case GS_COMPARE_SLT: return x < y;
  case GS_COMPARE_SLE: return x <= y;
  }
  return false;
}

static bool signed_overflow(gs_code_op op, int64_t x, int64_t y, uint32_t width) {
  int64_t r = 0;
  bool wide = op == GS_CODE_ADD   ? __builtin_add_overflow(x, y, &r)
              : op == GS_CODE_SUB ? __builtin_sub_overflow(x, y, &r)
                                  : __builtin_mul_overflow(x, y, &r);
  return wide || r != gs_signed_of((uint64_t)r & gs_mask_of(width), width);
}

static bool unsigned_overflow(gs_code_op op, uint64_t a, uint64_t b, uint32_t width) {
  uint64_t r = 0;
  bool wide = op == GS_CODE_ADD   ? __builtin_add_overflow(a, b, &r)
              : op == GS_CODE_SUB ? __builtin_sub_overflow(a, b, &r)
                                  : __builtin_mul_overflow(a, b, &r);
  return wide || r > gs_mask_of(width);
}

/// Notes what overflowed of an addition, subtraction, product or left shift.
static void note_overflow(gs_machine *m, const gs_code_insn *insn, uint64_t a, uint64_t b) {
  uint32_t w = insn->width;
  gs_code_op op = (gs_code_op)insn->op;
  if (op == GS_CODE_SHL) {
    if (b >= w)
      return;
    b = UINT64_C(1) << b;
    op = GS_CODE_MUL;
  }
  // A shift into the sign bit multiplies by a power that is itself no signed number.
  bool top = insn->op == GS_CODE_SHL && b == UINT64_C(1) << (w - 1);
  bool s = top ? a != 0 : signed_overflow(op, gs_signed_of(a, w), gs_signed_of(b, w), w);
  bool u = unsigned_overflow(op, a, b, w);
  if ((insn->flags & GS_CODE_NSW) && s)
    gs_machine_broke(m, GS_BROKE_SIGNED, insn->line);
  if ((insn->flags & GS_CODE_NUW) && u)
    gs_machine_broke(m, GS_BROKE_WRAP, insn->line);
  bool free = !(insn->flags & (GS_CODE_NSW | GS_CODE_NUW));
  if (free && u)
    gs_machine_broke(m, w == 32 ? GS_BROKE_UNSIGNED : GS_BROKE_WRAP, insn->line);
  if (free && s && w == 32)
    gs_machine_broke(m, GS_BROKE_INT, insn->line);
}

/// A counter narrower than int wraps where it is truncated.
static void note_truncation(gs_machine *m, const gs_code_insn *insn, uint64_t a) {
  uint64_t kept = a & gs_mask_of(insn->width);
  if (kept != a && gs_signed_of(kept, insn->width) != gs_signed_of(a, (uint32_t)insn->imm))
    gs_machine_broke(m, GS_BROKE_WRAP, insn->line);
}

static uint64_t divide(gs_machine *m, const gs_code_insn *insn, uint64_t a, uint64_t b) {
  uint32_t w = insn->width;
  int64_t x = gs_signed_of(a, w), y = gs_signed_of(b, w);
  gs_code_op op = (gs_code_op)insn->op;
  if (b == 0) {
    gs_machine_broke(m, GS_BROKE_UNDEFINED, insn->line);
    return op == GS_CODE_UREM || op == GS_CODE_SREM ? a : UINT64_MAX;
  }
  if (op == GS_CODE_UDIV)
    return a / b;
  if (op == GS_CODE_UREM)
    return a % b;
  if (y == -1) { // the one quotient that overflows, and no trap of the host
    if (op == GS_CODE_SDIV && a == UINT64_C(1) << (w - 1))
      gs_machine_broke(m, GS_BROKE_SIGNED, insn->line);
    return op == GS_CODE_SDIV ? 0 - a : 0;
  }
  return (uint64_t)(op == GS_CODE_SDIV ? x / y : x % y);
}

static uint64_t shift(gs_machine *m, const gs_code_insn *insn, uint64_t a, uint64_t b) {
  uint32_t w = insn->width;
  int64_t x = gs_signed_of(a, w);
  if (b >= w) { // PTX clamps the amount
    gs_machine_broke(m, GS_BROKE_UNDEFINED, insn->line);
    return insn->op == GS_CODE_ASHR && x < 0 ? UINT64_MAX : 0;
  }
  if (insn->op == GS_CODE_SHL)
    return a << b;
  return insn->op == GS_CODE_LSHR ? a >> b : (uint64_t)(x >> b);
}

static uint64_t reverse(uint64_t a, uint32_t width, uint32_t unit) {
  uint64_t out = 0;
  for (uint32_t i = 0; i + unit <= width; i += unit)
    out |= ((a >> i) & gs_mask_of(unit)) << (width - unit - i);
  return out;
}

static uint64_t count_bits(const gs_code_insn *insn, uint64_t a) {
  uint32_t w = insn->width;
  if (insn->op == GS_CODE_CTPOP)
    return (uint64_t)__builtin_popcountll(a);
  if (!a)
    return w;
  return (uint64_t)(insn->op == GS_CODE_CTLZ ? __builtin_clzll(a) - (int)(64 - w)
                                             : __builtin_ctzll(a));
}

static uint64_t funnel(const gs_code_insn *insn, uint64_t a, uint64_t b, uint64_t c) {
  uint32_t w = insn->width;
  uint64_t n = c % w;
  if (!n)
    return insn->op == GS_CODE_FSHL ? a : b;
  uint64_t up = insn->op == GS_CODE_FSHL ? n : w - n;
  return a << up | b >> (w - up);
}

static uint64_t special(const gs_machine *m, const gs_thread *t, uint64_t which) {
  const gs_dim *dims[] = {&t->tid, &m->ctaid, &m->launch->block, &m->launch->grid};
  if (which == GS_SPECIAL_LANE)
    return t->index % GS_LANES;
  if (which >= GS_SPECIAL_MASK) {
    uint32_t own = UINT32_C(1) << t->index % GS_LANES, less = own - 1;
    const uint32_t masks[] = {own, own | less, less, ~less, ~less & ~own};
    return masks[which - GS_SPECIAL_MASK];
  }
  if (which == GS_SPECIAL_ACTIVE) {
    uint32_t left = m->thread_count - t->index / GS_LANES * GS_LANES;
    return gs_mask_of(left < GS_LANES ? left : GS_LANES);
  }
  const gs_dim *d = dims[which / 3];
  return which % 3 == 0 ? d->x : which % 3 == 1 ? d->y : d->z;
}

static uint64_t scaled(gs_machine *m, const gs_code_insn *insn, const uint64_t *regs) {
  int64_t index = gs_signed_of(regs[insn->a], insn->width), part = 0, sum = 0;
  bool over = __builtin_mul_overflow(index, (int64_t)insn->imm, &part);
  over |= __builtin_add_overflow((int64_t)regs[insn->c], part, &sum);
  if (over && (insn->flags & GS_CODE_POINTER))
    gs_machine_broke(m, GS_BROKE_POINTER, insn->line);
  return (uint64_t)sum;
}

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_unsigned;

static uint64_t multiply_high(const gs_code_insn *insn, uint64_t a, uint64_t b) {
  uint32_t w = insn->width;
  if (insn->op == GS_CODE_UMULHI)
    return (uint64_t)((wide_unsigned)a * b >> w);
  return (uint64_t)((wide)gs_signed_of(a, w) * gs_signed_of(b, w) >> w);
}

static uint64_t extreme(const gs_code_insn *insn, uint64_t a, uint64_t b) {
  int64_t x = gs_signed_of(a, insn->width), y = gs_signed_of(b, insn->width);
  if (insn->op == GS_CODE_SMIN)
    return x < y ? a : b;
  if (insn->op == GS_CODE_SMAX)
    return x < y ? b : a;
  return (insn->op == GS_CODE_UMIN) == (a < b) ? a : b;
}

static uint64_t bits_of(const gs_code_insn *insn, const uint64_t *regs, uint64_t a, uint64_t b) {
  switch ((int)insn->op) {
  case GS_CODE_ABS: return gs_signed_of(a, insn->width) < 0 ? 0 - a : a;
  case GS_CODE_CTPOP:
  case GS_CODE_CTLZ:
  case GS_CODE_CTTZ: return count_bits(insn, a);
  case GS_CODE_BITREVERSE: return reverse(a, insn->width, 1);
  case GS_CODE_BSWAP: return reverse(a, insn->width, 8);
  case GS_CODE_FSHL:
  case GS_CODE_FSHR: return funnel(insn, a, b, regs[insn->c]);
  case GS_CODE_SMULHI:
  case GS_CODE_UMULHI: return multiply_high(insn, a, b);
  case GS_CODE_HASH: return gs_mix(gs_mix(a) ^ b);
  default: return extreme(insn, a, b);
  }
}

/// \param spaces bit k: gs_window_kind k. What lies in no window of the code is a buffer, or nowhere.
static bool is_in_space(const gs_code *code, uint64_t address, uint64_t spaces) {
  uint32_t window = gs_address_window(address);
  gs_window_kind kind = window < code->window_count ? code->windows[window].kind : GS_WINDOW_GLOBAL;
  return window != UINT32_MAX && (spaces >> kind & 1);
}

void gs_machine_compute(gs_machine *m, const gs_code_insn *insn, uint64_t *regs) {
  uint64_t a = regs[insn->a], b = regs[insn->b], r = 0;
  switch ((int)insn->op) {
  case GS_CODE_MOVE: r = a; break;
  case GS_CODE_ADD:
    note_overflow(m, insn, a, b);
    r = a + b;
    break;
  case GS_CODE_SUB:
    note_overflow(m, insn, a, b);
    r = a - b;
    break;
  case GS_CODE_MUL:
    note_overflow(m, insn, a, b);
    r = a * b;
    break;
  case GS_CODE_UDIV:
  case GS_CODE_SDIV:
  case GS_CODE_UREM:
  case GS_CODE_SREM: r = divide(m, insn, a, b); break;
  case GS_CODE_SHL: note_overflow(m, insn, a, b); // fallthrough
  case GS_CODE_LSHR:
  case GS_CODE_ASHR: r = shift(m, insn, a, b); break;
  case GS_CODE_AND: r = a & b; break;
  case GS_CODE_OR: r = a | b; break;
  case GS_CODE_XOR: r = a ^ b; break;
  case GS_CODE_ICMP:
    regs[insn->dst] = compare((gs_code_compare)insn->imm, a, b, insn->width);
    return;
  case GS_CODE_SELECT: r = a ? b : regs[insn->c]; break;
  case GS_CODE_TRUNC:
    note_truncation(m, insn, a);
    r = a;
    break;
  case GS_CODE_SEXT: r = (uint64_t)gs_signed_of(a, (uint32_t)insn->imm); break;
  case GS_CODE_SCALE: regs[insn->dst] = scaled(m, insn, regs); return;
  case GS_CODE_SPACE: r = is_in_space(m->code, a, insn->imm); break;
  case GS_CODE_ANY: r = gs_random(m); break;
  default:
    if (gs_machine_float(insn, regs))
      return;
    r = bits_of(insn, regs, a, b);
    break;
  }
  regs[insn->dst] = r & gs_mask_of(insn->width);
}

void gs_machine_special(gs_machine *m, const gs_code_insn *insn, const gs_thread *thread) {
  thread->regs[insn->dst] = special(m, thread, insn->imm);
}
