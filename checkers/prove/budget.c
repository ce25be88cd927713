// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "budget.h"

/// A share of a module's budget that leaves each kernel something.
static uint64_t share(uint64_t all, uint32_t crowd, uint64_t least) {
  uint64_t part = all / (crowd ? crowd : 1);
  return part > least ? part : least;
}

static const gs_budget full = {.affine = 200000,
                               .affine_query = 3000,
                               .affine_patient = 100000,
                               .affine_last = 50000,
                               .enumeration = 400000000,
                               .enumeration_query = 8000000,
                               .search = 60000000,
                               .trials = 24,
                               .solver = 300000,
                               .solver_query = 320000};

static const gs_budget moderate = {.affine = 30000,
                                   .affine_query = 2000,
                                   .affine_patient = 10000,
                                   .affine_last = 30000,
                                   .enumeration = 60000000,
                                   .enumeration_query = 8000000,
                                   .search = 10000000,
                                   .trials = 16,
                                   .solver = 40000,
                                   .solver_query = 64000};

/// No model is looked for.
static const gs_budget trial = {.affine = 30000,
                                .affine_query = 10000,
                                .enumeration = 4000000,
                                .enumeration_query = 400000};

gs_budget gs_budget_new(gs_effort effort, uint32_t crowd) {
  switch (effort) {
  case GS_EFFORT_FULL: return full;
  case GS_EFFORT_MODERATE: return moderate;
  case GS_EFFORT_TRIAL: return trial;
  case GS_EFFORT_THRIFTY: break;
  }
  // The solver costs a second where it is asked at all.
  return (gs_budget){.affine = share(6000, crowd, 200),
                     .affine_query = 600,
                     .enumeration = share(4000000, crowd, 100000),
                     .enumeration_query = 400000,
                     .search = share(1000000, crowd, 50000),
                     .trials = 8};
}

static void fill_up(uint64_t *left, uint64_t start) {
  enum { PART = 4 };
  *left = *left < start / PART ? start / PART : *left;
}

void gs_budget_reserve(gs_budget *left, const gs_budget *start) {
  fill_up(&left->affine, start->affine);
  fill_up(&left->affine_last, start->affine_last);
  fill_up(&left->enumeration, start->enumeration);
  fill_up(&left->search, start->search);
  fill_up(&left->solver, start->solver);
}
