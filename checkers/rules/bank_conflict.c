// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bank-conflict: advice about lanes that need different words of one bank of shared
// memory. The page is bank-conflict.md.
#include "lone.h"
#include "warp_requests.h"

#include <inttypes.h>
#include <string.h>

enum { BANKS = 32, WORD = 4, QUARTER = 8, HALF = 16 };

/// How lanes may be laid out instead.
typedef enum layout { LAYOUT_AS_IS, LAYOUT_PADDED, LAYOUT_SWIZZLED } layout;

/// Distinct words of the fullest bank among lanes [from, to): what has to be done one after
/// another. One word serves any number of lanes.
static uint32_t passes(const gs_request *r, uint32_t from, uint32_t to) {
  uint64_t words[GS_WARP_LANES * 4];
  uint32_t count = 0, degree = 0;
  uint32_t in_bank[BANKS] = {0};
  for (uint32_t lane = from; lane < to; lane++) {
    uint64_t first = r->offset[lane] / WORD, last = (r->offset[lane] + r->size - 1) / WORD;
    for (uint64_t w = first; r->lanes >> lane & 1 && w <= last && w < first + 4; w++) {
      uint32_t i = 0;
      while (i < count && words[i] != w)
        i++;
      if (i == count)
        words[count++] = w;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *bank = &in_bank[words[i] % BANKS];
    degree = ++*bank > degree ? *bank : degree;
  }
  return degree;
}

/// Wide accesses are served in halves and quarters of a warp; the degree is that of the
/// worst part.
static uint32_t degree_of(const gs_request *r) {
  uint32_t part = r->size > 2 * WORD ? QUARTER : r->size > WORD ? HALF : GS_WARP_LANES, worst = 0;
  if (r->size > 4 * WORD)
    return 0; // no one instruction
  for (uint32_t from = 0; from < GS_WARP_LANES; from += part) {
    uint32_t degree = passes(r, from, from + part);
    worst = degree > worst ? degree : worst;
  }
  return worst;
}

/// The distance of neighbouring lanes, if it is one for all.
static uint64_t stride_of(const gs_request *r) {
  uint64_t stride = 0;
  for (uint32_t lane = 1; lane < GS_WARP_LANES; lane++) {
    if (!(r->lanes >> lane & 1) || !(r->lanes >> (lane - 1) & 1))
      continue;
    uint64_t step = r->offset[lane] - r->offset[lane - 1];
    if (!stride)
      stride = step;
  }
  return (int64_t)stride < 0 ? 0 - stride : stride;
}

/// The degree if rows of `row` bytes were laid out in another way.
static uint32_t degree_in(const gs_request *r, uint64_t row, layout how) {
  gs_request other = *r;
  for (uint32_t lane = 0; lane < GS_WARP_LANES; lane++) {
    uint64_t y = r->offset[lane] / row, x = r->offset[lane] % row;
    uint64_t unit = r->size > WORD ? r->size : WORD;
    if (how == LAYOUT_PADDED)
      other.offset[lane] = r->offset[lane] + y * unit;
    else if (how == LAYOUT_SWIZZLED)
      other.offset[lane] = y * row + (x ^ (y * unit) % row);
  }
  return degree_of(&other);
}

static const char *advice(gs_kernel *k, const gs_request *r, const gs_object *object, uint32_t degree) {
  uint64_t row = stride_of(r), element = object->elem_size ? object->elem_size : r->size;
  if (row >= 16 * element && row % WORD == 0) { // shorter ones are no rows of a tile
    if (degree_in(r, row, LAYOUT_PADDED) < degree && row % element == 0)
      return gs_pool_format(k->result->arena,
                            "pad each row of %" PRIu64 " elements by %" PRIu32 " bytes (tile[...][%" PRIu64
                            " + 1]): then it is %" PRIu32 "-way", row / element,
                            r->size > WORD ? r->size : WORD, row / element,
                            degree_in(r, row, LAYOUT_PADDED));
    if (degree_in(r, row, LAYOUT_SWIZZLED) < degree)
      return gs_pool_format(k->result->arena,
                            "swizzle the column by the row (column ^ row), for reads and writes: then it "
                            "is %" PRIu32 "-way", degree_in(r, row, LAYOUT_SWIZZLED));
  }
  return "let neighbouring lanes access neighbouring words";
}

static void check(gs_kernel *k, gs_block_run *run, uint32_t a, uint32_t t) {
  const gs_program *p = k->program;
  const gs_object *object = &p->objects[p->accesses[a].targets[t].object];
  gs_costly c;
  if (!gs_lone_is_new(k, GS_RULE_BANK_CONFLICT, gs_place_loc(p, p->accesses[a].place)) ||
      !gs_find_costly(k, run, a, t, degree_of, &c) || c.cost < 2)
    return;
  const char *text = gs_pool_format(k->result->arena,
                                    "bank conflict: this %s of '%s' is %" PRIu32 "-way for the warp of thread "
                                    "%" PRIu32 " of a block",
                                    p->accesses[a].is_write ? "write" : "read", gs_object_words(object),
                                    c.cost, c.worst.first);
  gs_report_costly(k, GS_RULE_BANK_CONFLICT, run, a, object, &c, text, advice(k, &c.worst, object, c.cost));
}

void gs_rule_bank_conflict(gs_kernel *k) {
  const gs_program *p = k->program;
  gs_block_run *run = k->cheap ? NULL : gs_block_run_new(k, GS_RUN_LARGE);
  if (!run && !k->cheap)
    run = gs_block_run_new(k, GS_RUN_SMALL);
  for (uint32_t a = 0; run && a < p->access_count; a++)
    for (uint32_t t = 0; !p->accesses[a].echo && t < p->accesses[a].target_count; t++) {
      gs_object_kind kind = p->objects[p->accesses[a].targets[t].object].kind;
      if (gs_is_shared(kind))
        check(k, run, a, t);
    }
  gs_block_run_free(run);
}
