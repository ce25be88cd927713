// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point by the host, single and double.
#include "machine.h"

#include <math.h>
#include <string.h>

static double load(uint64_t bits, uint32_t width) {
  double d = 0;
  float f = 0;
  if (width == 32) {
    memcpy(&f, &bits, sizeof f);
    return (double)f;
  }
  memcpy(&d, &bits, sizeof d);
  return d;
}

static uint64_t store(double value, uint32_t width) {
  uint64_t bits = 0;
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
/// (53 >= 2 * 24 + 2); FMA is computed at its own width.
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
  switch ((int)insn->op) {
  case GS_CODE_FCMP: regs[insn->dst] = compare(insn->imm, load(a, w), load(b, w)); return true;
  case GS_CODE_FTOS: regs[insn->dst] = to_integer(load(a, from), w, true) & gs_mask_of(w); return true;
  case GS_CODE_FTOU: regs[insn->dst] = to_integer(load(a, from), w, false) & gs_mask_of(w); return true;
  case GS_CODE_STOF:
    regs[insn->dst] = w == 32 ? store((double)(float)gs_signed_of(a, from), 32)
                              : store((double)gs_signed_of(a, from), 64);
    return true;
  case GS_CODE_UTOF:
    regs[insn->dst] = w == 32 ? store((double)(float)a, 32) : store((double)a, 64);
    return true;
  case GS_CODE_FTOF: regs[insn->dst] = store(load(a, from), w); return true;
  default: break;
  }
  if (!value_of(insn, load(a, w), load(b, w), load(regs[insn->c], w), &r))
    return false;
  regs[insn->dst] = store(r, w);
  return true;
}
