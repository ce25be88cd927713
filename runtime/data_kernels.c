// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What GPUSAFE_CHECK_DATA runs on the device: kernels that look for the first element
/// which breaks a fact about data. Clang makes PTX of this file when the runtime is built,
/// and the runtime carries that as text (runtime/CMakeLists.txt). The tests' stand-in for
/// the driver compiles it for the host, as one thread.
///
/// An element is read as a number of the type that `type` says: bits 0 to 7 its size in
/// bytes (1, 2, 4, 8), and GSRT_DATA_SIGNED or GSRT_DATA_FLOAT. `*first` is lowered to the
/// index that was found, and must be set to all ones before.
#include "data_kernels.h"

#include <stdint.h>

#ifdef GSRT_DATA_HOST
#define KERNEL static
static uint64_t thread_index(void) { return 0; }
static uint64_t thread_count(void) { return 1; }
#else
#define KERNEL __attribute__((nvptx_kernel))
static uint64_t thread_index(void) {
  return (uint64_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}
static uint64_t thread_count(void) {
  return (uint64_t)__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
}
#endif

/// A number, and which member holds it.
typedef struct number {
  uint32_t type;
  union {
    uint64_t u;
    int64_t s;
    double f;
  } as;
} number;

static number element(const void *p, uint64_t i, uint32_t type) {
  number out = {type, {0}};
  switch (type) {
  case 1: out.as.u = ((const uint8_t *)p)[i]; break;
  case 2: out.as.u = ((const uint16_t *)p)[i]; break;
  case 4: out.as.u = ((const uint32_t *)p)[i]; break;
  case 8: out.as.u = ((const uint64_t *)p)[i]; break;
  case 1 | GSRT_DATA_SIGNED: out.as.s = ((const int8_t *)p)[i]; break;
  case 2 | GSRT_DATA_SIGNED: out.as.s = ((const int16_t *)p)[i]; break;
  case 4 | GSRT_DATA_SIGNED: out.as.s = ((const int32_t *)p)[i]; break;
  case 8 | GSRT_DATA_SIGNED: out.as.s = ((const int64_t *)p)[i]; break;
  case 4 | GSRT_DATA_FLOAT: out.as.f = (double)((const float *)p)[i]; break;
  case 8 | GSRT_DATA_FLOAT: out.as.f = ((const double *)p)[i]; break;
  default: break;
  }
  return out;
}

static int is_less(number a, number b) {
  if (a.type & GSRT_DATA_FLOAT)
    return a.as.f < b.as.f;
  return a.type & GSRT_DATA_SIGNED ? a.as.s < b.as.s : a.as.u < b.as.u;
}

/// What is not a number equals nothing, itself included.
static int is_equal(number a, number b) {
  return a.type & GSRT_DATA_FLOAT ? a.as.f == b.as.f : a.as.u == b.as.u;
}

/// Is it below the integer?
static int is_below(number a, int64_t bound) {
  if (a.type & GSRT_DATA_FLOAT)
    return a.as.f < (double)bound;
  if (a.type & GSRT_DATA_SIGNED)
    return a.as.s < bound;
  return bound > 0 && a.as.u < (uint64_t)bound;
}

/// \returns the word as it was.
static uint64_t lower(uint64_t *word, uint64_t value) {
#ifdef GSRT_DATA_HOST
  uint64_t old = *word;
  *word = value < old ? value : old;
  return old;
#else
  return __atomic_fetch_min(word, value, __ATOMIC_RELAXED);
#endif
}

static void report(uint64_t *first, uint64_t i) { lower(first, i); }

KERNEL void gsrt_data_fill(uint64_t *words, uint64_t count) {
  for (uint64_t i = thread_index(); i < count; i += thread_count())
    words[i] = UINT64_MAX;
}

/// Finds the first i with p[i] > p[i + 1]; with `strict`, also equal ones.
KERNEL void gsrt_data_order(const void *p, uint64_t n, uint32_t type, uint32_t strict,
                            uint64_t *first) {
  for (uint64_t i = thread_index(); i + 1 < n; i += thread_count()) {
    number here = element(p, i, type), next = element(p, i + 1, type);
    if (!is_less(here, next) && (strict || !is_equal(here, next)))
      report(first, i);
  }
}

/// Finds the first element that is not in [low, high).
KERNEL void gsrt_data_range(const void *p, uint64_t n, uint32_t type, int64_t low, int64_t high,
                            uint64_t *first) {
  for (uint64_t i = thread_index(); i < n; i += thread_count()) {
    number x = element(p, i, type);
    if (is_below(x, low) || !is_below(x, high))
      report(first, i);
  }
}

/// Finds the first element that equals an earlier one, by a hash table of indices.
/// \param slots all ones; their number is a power of two above n, and mask one less
///
/// A slot keeps the least index of its value. Of the two least indices of a value, whoever
/// comes second finds the other in the slot, so that the second one is reported.
KERNEL void gsrt_data_pairs(const void *p, uint64_t n, uint32_t type, uint64_t *slots,
                            uint64_t mask, uint64_t *first) {
  for (uint64_t i = thread_index(); i < n; i += thread_count()) {
    number x = element(p, i, type);
    if (!is_equal(x, x))
      continue;
    if (x.type & GSRT_DATA_FLOAT)
      x.as.f += 0.0; // the two zeros are equal
    uint64_t at = x.as.u * UINT64_C(0x9E3779B97F4A7C15);
    at ^= at >> 32;
    for (;; at++) {
      uint64_t held = UINT64_MAX;
      if (__atomic_compare_exchange_n(&slots[at & mask], &held, i, 0, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        break;
      if (!is_equal(element(p, held, type), element(p, i, type)))
        continue;
      uint64_t least = lower(&slots[at & mask], i);
      report(first, least > i ? least : i);
      break;
    }
  }
}

/// Finds the first element that equals element `like`.
KERNEL void gsrt_data_find(const void *p, uint64_t n, uint32_t type, uint64_t like,
                           uint64_t *first) {
  for (uint64_t i = thread_index(); i < n; i += thread_count())
    if (is_equal(element(p, i, type), element(p, like, type)))
      report(first, i);
}
