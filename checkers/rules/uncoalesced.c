// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uncoalesced: advice about accesses of a warp that touch more sectors of memory than
// their bytes need. The page is uncoalesced.md.
#include "lone.h"
#include "warp_requests.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SECTOR = 32, MAX_PARTS = GS_WARP_LANES * 2 };

static int order(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t distinct(uint64_t *items, uint32_t count) {
  uint32_t n = 0;
  qsort(items, count, sizeof *items, order);
  for (uint32_t i = 0; i < count; i++)
    n += i == 0 || items[i] != items[i - 1];
  return n;
}

/// Sectors that the request touches, where arrays begin at a sector.
static uint32_t sectors_of(const gs_request *r) {
  uint64_t parts[MAX_PARTS];
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < GS_WARP_LANES; lane++) {
    uint64_t first = r->offset[lane] / SECTOR, last = (r->offset[lane] + r->size - 1) / SECTOR;
    for (uint64_t s = first; r->lanes >> lane & 1 && s <= last && count < MAX_PARTS; s++)
      parts[count++] = s;
  }
  return distinct(parts, count);
}

/// Sectors that as many different bytes fill.
static uint32_t least_of(const gs_request *r) {
  uint64_t places[GS_WARP_LANES];
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < GS_WARP_LANES; lane++)
    if (r->lanes >> lane & 1)
      places[count++] = r->offset[lane];
  uint64_t bytes = (uint64_t)distinct(places, count) * r->size;
  return (uint32_t)((bytes + SECTOR - 1) / SECTOR);
}

/// Sectors above the least; one more comes from where a row begins.
static uint32_t wasted(const gs_request *r) {
  uint32_t sectors = r->size <= SECTOR ? sectors_of(r) : 0, least = least_of(r);
  return sectors > least + 1 ? sectors - least : 0;
}

static void check(gs_kernel *k, gs_block_run *run, uint32_t a, uint32_t t) {
  const gs_program *p = k->program;
  const gs_object *object = &p->objects[p->accesses[a].targets[t].object];
  gs_costly c;
  if (!gs_lone_is_new(k, GS_RULE_UNCOALESCED, gs_place_loc(p, p->accesses[a].place)) ||
      !gs_find_costly(k, run, a, t, wasted, &c) || sectors_of(&c.worst) < 2 * least_of(&c.worst))
    return;
  const char *text = gs_pool_format(k->result->arena,
                                    "uncoalesced: this %s of '%s' touches %" PRIu32 " sectors of 32 bytes for a "
                                    "warp, where %" PRIu32 " would do",
                                    p->accesses[a].is_write ? "write" : "read", gs_object_words(object),
                                    sectors_of(&c.worst), least_of(&c.worst));
  gs_report_costly(k, GS_RULE_UNCOALESCED, run, a, object, &c, text,
                   "let neighbouring threads (threadIdx.x) access neighbouring elements, by another order "
                   "of loops, a structure of arrays, or a tile in shared memory");
}

void gs_rule_uncoalesced(gs_kernel *k) {
  const gs_program *p = k->program;
  gs_block_run *run = k->cheap ? NULL : gs_block_run_new(k, GS_RUN_LARGE);
  if (!run && !k->cheap)
    run = gs_block_run_new(k, GS_RUN_SMALL);
  for (uint32_t a = 0; run && a < p->access_count; a++)
    for (uint32_t t = 0; !p->accesses[a].echo && t < p->accesses[a].target_count; t++) {
      gs_object_kind kind = p->objects[p->accesses[a].targets[t].object].kind;
      if (kind == GS_OBJECT_PARAM || kind == GS_OBJECT_GLOBAL)
        check(k, run, a, t);
    }
  gs_block_run_free(run);
}
