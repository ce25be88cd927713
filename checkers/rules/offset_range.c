// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offset_range.h"

#include "smt_range.h"

#include <stdlib.h>

/// First and last byte, both within 2^62 of 0: sums cannot overflow.
typedef struct bytes {
  int64_t first, last;
  bool asked, known;
} bytes;

struct gs_offset_ranges {
  gs_kernel *k;
  bytes *at;       ///< by target, those of an access side by side
  uint32_t *start; ///< by access
  gs_term facts[3];
  uint32_t fact_count;
};

gs_offset_ranges *gs_offset_ranges_new(gs_kernel *k) {
  const gs_program *p = k->program;
  gs_offset_ranges *r = calloc(1, sizeof *r);
  uint32_t count = 0;
  if (r)
    r->start = calloc(p->access_count + 1u, sizeof *r->start);
  for (uint32_t a = 0; r && r->start && a < p->access_count; a++) {
    r->start[a] = count;
    count += p->accesses[a].target_count;
  }
  if (r)
    r->at = calloc(count + 1u, sizeof *r->at);
  if (!r || !r->start || !r->at) {
    gs_offset_ranges_free(r);
    return NULL;
  }
  r->k = k;
  for (int d = 0; d < 3; d++) {
    gs_term size = gs_scene_launch_term(k->scene, p->ntid[d]);
    if (gs_term_is(p->terms, size, GS_OP_CONST))
      r->facts[r->fact_count++] = gs_mk_bin(p->terms, GS_OP_ULT, p->tid[d], size);
  }
  return r;
}

void gs_offset_ranges_free(gs_offset_ranges *ranges) {
  if (!ranges)
    return;
  free(ranges->at);
  free(ranges->start);
  free(ranges);
}

static gs_range range_of(const gs_offset_ranges *r, gs_term offset) {
  gs_terms *terms = r->k->program->terms;
  gs_term roots[4] = {offset};
  for (uint32_t i = 0; i < r->fact_count; i++)
    roots[1 + i] = r->facts[i];
  gs_dag dag = {0};
  gs_literals literals = {0};
  gs_ranges ranges = {0};
  gs_range result = gs_range_full(64);
  if (gs_dag_collect(terms, roots, 1 + r->fact_count, &dag) &&
      gs_literals_collect(terms, &dag, r->facts, r->fact_count, &literals, NULL) &&
      gs_ranges_compute(terms, &dag, &literals, NULL, &ranges) && !ranges.empty)
    result = ranges.node[gs_dag_at(&dag, offset)];
  free(ranges.node);
  free(literals.items);
  gs_dag_free(&dag);
  return result;
}

static const bytes *bytes_of(gs_offset_ranges *r, uint32_t access, uint32_t target) {
  enum { FAR_BITS = 62 };
  const gs_access *a = &r->k->program->accesses[access];
  bytes *b = &r->at[r->start[access] + target];
  if (b->asked)
    return b;
  b->asked = true;
  gs_term offset = gs_scene_launch_term(r->k->scene, a->targets[target].offset);
  const int64_t far = INT64_C(1) << FAR_BITS;
  gs_range range = offset ? range_of(r, offset) : gs_range_full(64);
  b->known = a->size && !gs_range_empty(range) && range.slo > -far && range.shi < far;
  b->first = range.slo;
  b->last = b->known ? range.shi + (int64_t)a->size - 1 : range.shi;
  return b;
}

bool gs_offsets_apart(gs_offset_ranges *ranges, uint32_t a, uint32_t ta, uint32_t b, uint32_t tb) {
  if (!ranges)
    return false;
  const bytes *x = bytes_of(ranges, a, ta), *y = bytes_of(ranges, b, tb);
  return x->known && y->known && (x->last < y->first || y->last < x->first);
}

bool gs_offset_inside(gs_offset_ranges *ranges, uint32_t access, uint32_t target, uint64_t size) {
  if (!ranges)
    return false;
  const bytes *b = bytes_of(ranges, access, target);
  return b->known && b->first >= 0 && (uint64_t)b->last < size;
}
