// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point by the host: half, bfloat, single and double.
#include "machine.h"

#include <math.h>
#include <string.h>

/// A float of 16 bits: how many of them are its fraction and its exponent.
typedef struct small {
  int fraction, exponent;
} small;

static small small_of(bool bfloat) { return bfloat ? (small){7, 8} : (small){10, 5}; }

static double from_small(uint64_t bits, small s) {
  int bias = (1 << (s.exponent - 1)) - 1, e = (int)(bits >> s.fraction) & ((1 << s.exponent) - 1);
  double fraction = (double)(bits & gs_mask_of((uint32_t)s.fraction));
  double size = e == (1 << s.exponent) - 1 ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                : e == 0                   ? ldexp(fraction, 1 - bias - s.fraction)
                                           : ldexp(fraction + ldexp(1, s.fraction), e - bias - s.fraction);
  return bits >> 15 & 1 ? -size : size;
}

static uint64_t to_small(double value, small s) {
  int bias = (1 << (s.exponent - 1)) - 1, e = 0;
  uint64_t sign = signbit(value) ? UINT64_C(0x8000) : 0;
  uint64_t most = gs_mask_of((uint32_t)s.exponent) << s.fraction; // infinity
  if (isnan(value))
    return sign | most | UINT64_C(1) << (s.fraction - 1);
  double size = fabs(value);
  if (isinf(size))
    return sign | most;
  frexp(size, &e);
  e = size == 0 || e - 1 < 1 - bias ? 1 - bias : e - 1; // below: a subnormal number
  uint64_t bits = (uint64_t)rint(ldexp(size, s.fraction - e));
  bits += (uint64_t)(e + bias - 1) << s.fraction; // carries into the exponent where it must
  return sign | (bits < most ? bits : most);
}

static double load(uint64_t bits, uint32_t width, bool bfloat) {
  double d = 0;
  float f = 0;
  if (width == 16)
    return from_small(bits, small_of(bfloat));
  if (width == 32) {
    memcpy(&f, &bits, sizeof f);
    return (double)f;
  }
  memcpy(&d, &bits, sizeof d);
  return d;
}

uint64_t gs_float_bits(double value, uint32_t width, bool bfloat) {
  uint64_t bits = 0;
  if (width == 16)
    return to_small(value, small_of(bfloat));
  float f = (float)value;
  if (width == 32)
    memcpy(&bits, &f, sizeof f);
  else
    memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Conversion to an integer, rounded to zero, saturating, NaN to 0, as cvt does.
static uint64_t to_integer(double value, uint32_t width, bool is_signed) {
  double top = ldexp(1.0, (int)(is_signed ? width - 1 : width));
  if (isnan(value))
    return 0;
  if (value >= top)
    return is_signed ? gs_mask_of(width - 1) : gs_mask_of(width);
  if (is_signed)
    return value <= -top ? UINT64_C(1) << (width - 1) : (uint64_t)(int64_t)value;
  return value <= 0 ? 0 : (uint64_t)value;
}

static bool compare(uint64_t predicate, double a, double b) {
  unsigned outcome = isnan(a) || isnan(b) ? 8u : a == b ? 1u : a > b ? 2u : 4u;
  return (predicate & outcome) != 0;
}

/// The value of an operation on floats of one width.
/// A product and a sum of floats computed in double and rounded are those of float
/// (53 >= 2 * 24 + 2), and of 16 bits; FMA is computed at its own width, of 16 bits in double.
static bool value_of(const gs_code_insn *insn, double a, double b, double c, double *r) {
  switch ((int)insn->op) {
  case GS_CODE_FADD: *r = a + b; return true;
  case GS_CODE_FSUB: *r = a - b; return true;
  case GS_CODE_FMUL: *r = a * b; return true;
  case GS_CODE_FDIV: *r = a / b; return true;
  case GS_CODE_FREM: *r = fmod(a, b); return true;
  case GS_CODE_FNEG: *r = -a; return true;
  case GS_CODE_FABS: *r = fabs(a); return true;
  case GS_CODE_FSQRT: *r = sqrt(a); return true;
  case GS_CODE_FMIN: *r = fmin(a, b); return true;
  case GS_CODE_FMAX: *r = fmax(a, b); return true;
  case GS_CODE_FFLOOR: *r = floor(a); return true;
  case GS_CODE_FCEIL: *r = ceil(a); return true;
  case GS_CODE_FMA:
    *r = insn->width == 32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
    return true;
  default: return false;
  }
}

bool gs_machine_float(const gs_code_insn *insn, uint64_t *regs) {
  uint32_t w = insn->width, from = (uint32_t)insn->imm;
  uint64_t a = regs[insn->a], b = regs[insn->b];
  double r = 0;
  bool bf = insn->flags & GS_CODE_BFLOAT;
  switch ((int)insn->op) {
  case GS_CODE_FCMP: regs[insn->dst] = compare(insn->imm, load(a, w, bf), load(b, w, bf)); return true;
  case GS_CODE_FTOS: regs[insn->dst] = to_integer(load(a, from, bf), w, true) & gs_mask_of(w); return true;
  case GS_CODE_FTOU: regs[insn->dst] = to_integer(load(a, from, bf), w, false) & gs_mask_of(w); return true;
  case GS_CODE_STOF:
    r = w == 32 ? (double)(float)gs_signed_of(a, from) : (double)gs_signed_of(a, from);
    regs[insn->dst] = gs_float_bits(r, w, bf);
    return true;
  case GS_CODE_UTOF:
    regs[insn->dst] = gs_float_bits(w == 32 ? (double)(float)a : (double)a, w, bf);
    return true;
  case GS_CODE_FTOF: regs[insn->dst] = gs_float_bits(load(a, from, bf), w, bf); return true;
  default: break;
  }
  if (!value_of(insn, load(a, w, bf), load(b, w, bf), load(regs[insn->c], w, bf), &r))
    return false;
  regs[insn->dst] = gs_float_bits(r, w, bf);
  return true;
}
