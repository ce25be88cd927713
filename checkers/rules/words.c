// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words for messages, trusts, and what the rules share.
#include "pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

gs_loc gs_place_loc(const gs_program *p, uint32_t place) {
  return place < p->place_count ? p->places[place].loc : (gs_loc){0};
}

gs_loc gs_place_outer(const gs_program *p, uint32_t place) {
  while (place && place < p->place_count && p->places[place].inlined_at != GS_NONE)
    place = p->places[place].inlined_at;
  return gs_place_loc(p, place);
}

gs_loc gs_place_told(const gs_program *p, uint32_t place) {
  gs_loc kernel = gs_place_loc(p, place), told = {0};
  for (uint32_t i = place; i < p->place_count && i; i = p->places[i].inlined_at)
    if (p->places[i].loc.line)
      kernel = p->places[i].loc;
  for (uint32_t i = place; i < p->place_count && i && !told.line; i = p->places[i].inlined_at)
    if (p->places[i].loc.file == kernel.file) // names are kept once
      told = p->places[i].loc;
  return told.line ? told : kernel;
}

gs_term gs_words_linear(gs_kernel *k, int who) {
  return gs_scene_term(k->scene, who, gs_program_thread_index(k->program));
}

const char *gs_object_words(const gs_object *object) {
  if (object->name)
    return object->name;
  return object->kind == GS_OBJECT_LOCAL ? "a local array" : "memory of unknown origin";
}

static void index_text(char *out, size_t size, gs_dim d, bool flat) {
  if (flat)
    snprintf(out, size, "%" PRIu32, d.x);
  else
    snprintf(out, size, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", d.x, d.y, d.z);
}

static bool is_flat(gs_dim grid) { return grid.y <= 1 && grid.z <= 1; }

static void size_text(char *out, size_t size, gs_dim d) {
  if (d.y <= 1 && d.z <= 1)
    snprintf(out, size, "%" PRIu32, d.x);
  else if (d.z <= 1)
    snprintf(out, size, "%" PRIu32 "x%" PRIu32, d.x, d.y);
  else
    snprintf(out, size, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, d.x, d.y, d.z);
}

const char *gs_words_thread(gs_kernel *k, const gs_witness *w, int who) {
  char thread[64], block[64];
  index_text(thread, sizeof thread, w->thread[who], false);
  index_text(block, sizeof block, w->ctaid[who], is_flat(w->grid));
  return gs_pool_format(k->result->arena, "thread %s of block %s", thread, block);
}

/// Is it an element of an array of integers that a parameter points to? Of others nobody
/// would know the value by its bits.
static bool is_integer(const gs_kernel_desc *desc, const gs_cell *c, bool *is_signed) {
  const gs_param_desc *p =
      desc && c->array.kind == GS_ARRAY_PARAM && c->array.param < desc->param_count ? &desc->params[c->array.param] : NULL;
  gs_elem elem = p && p->kind == GS_TYPE_POINTER ? p->elem : GS_ELEM_OTHER;
  uint32_t size = p ? p->elem_size : 0;
  for (uint32_t i = 0; p && p->kind == GS_TYPE_RECORD && i < p->field_count; i++)
    if (p->fields[i].offset == c->array.offset && p->fields[i].kind == GS_TYPE_POINTER) {
      elem = p->fields[i].elem;
      size = p->fields[i].elem_size;
    }
  *is_signed = elem == GS_ELEM_SIGNED;
  return elem != GS_ELEM_OTHER && size && c->bits == 8 * size && c->offset % (int64_t)size == 0;
}

/// ", ptr[0] = ptr[1] = 0": what the memory has to contain, for a start.
static const char *contents(gs_kernel *k, const gs_witness *w) {
  enum { MOST = 4 };
  gs_pool *arena = k->result->arena;
  const char *text = "", *value = NULL;
  const gs_cell *last = NULL;
  uint32_t shown = 0;
  for (uint32_t i = 0; i < w->cell_count && shown <= MOST; i++) {
    const gs_cell *c = &w->cells[i];
    bool is_signed = false;
    if (!is_integer(k->desc, c, &is_signed))
      continue;
    if (shown++ == MOST) {
      value = gs_pool_format(arena, "%s, ...", value);
      break;
    }
    const char *element = gs_pool_format(arena, "%s[%" PRId64 "]", c->array.name, c->offset / (c->bits / 8));
    bool chain = last && last->value == c->value && last->array.param == c->array.param &&
                 last->array.offset == c->array.offset;
    text = chain ? gs_pool_format(arena, "%s = %s", text, element)
                 : gs_pool_format(arena, "%s%s, %s", text, value ? value : "", element);
    value = gs_pool_format(arena, " = %" PRId64, is_signed ? gs_sign_extend(c->value, c->bits) : (int64_t)c->value);
    last = c;
  }
  return value ? gs_pool_format(arena, "%s%s", text, value) : "";
}

const char *gs_words_launch(gs_kernel *k, const gs_witness *w) {
  char grid[64], block[64];
  size_text(grid, sizeof grid, w->grid);
  size_text(block, sizeof block, w->block);
  const char *text = gs_pool_format(k->result->arena, "grid %s, block %s", grid, block);
  for (uint32_t i = 0; i < w->value_count; i++)
    text = gs_pool_format(k->result->arena, "%s, %s = %" PRId64, text, w->values[i].name,
                           w->values[i].value);
  return gs_pool_format(k->result->arena, "%s%s", text, contents(k, w));
}

const char *gs_words_element(gs_kernel *k, const gs_witness *w, const gs_object *object) {
  const char *name = gs_object_words(object);
  if (w->has_element)
    return gs_pool_format(k->result->arena, "%s[%" PRId64 "]", name, w->element);
  return gs_pool_format(k->result->arena, "%s (byte %" PRId64 ")", name, w->byte_offset);
}

const char *gs_words_verb(const gs_access *a) {
  if (a->is_atomic)
    return a->is_write ? "updates atomically" : "reads atomically";
  return a->is_write ? "writes" : "reads";
}

static bool in_range(const gs_claim *claim, const gs_loc *locs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const gs_loc *l = &locs[i];
    bool file = l->file && claim->begin.file && strcmp(l->file, claim->begin.file) == 0;
    bool after = l->line > claim->begin.line ||
                 (l->line == claim->begin.line && l->column >= claim->begin.column);
    bool before =
        l->line < claim->end.line || (l->line == claim->end.line && l->column <= claim->end.column);
    if (file && after && before)
      return true;
  }
  return false;
}

/// Who vouches for the absence of races does so for those with atomics.
static bool vouches_for(const char *name, gs_rule rule) {
  return strcmp(name, gs_rule_name(rule)) == 0 ||
         (rule == GS_RULE_ATOMIC_MIX && strcmp(name, gs_rule_name(GS_RULE_DATA_RACE)) == 0);
}

bool gs_trusted(gs_kernel *k, gs_rule rule, const gs_object *object, const gs_loc *locs,
                uint32_t loc_count) {
  for (uint32_t i = 0; k->desc && i < k->desc->claim_count; i++) {
    const gs_claim *claim = &k->desc->claims[i];
    if (claim->kind != GS_CLAIM_TRUSTED || !claim->rule || !vouches_for(claim->rule, rule))
      continue;
    bool statement = claim->begin.file != NULL;
    bool hit = statement ? in_range(claim, locs, loc_count)
               : claim->param < 0
                   ? true
                   : object && object->kind == GS_OBJECT_PARAM &&
                         object->param == (uint32_t)claim->param;
    if (!hit)
      continue;
    k->result->trusted++;
    gs_result_assume(k->result,
                     gs_pool_format(k->result->arena, "trusted(%s): %s", claim->rule,
                                     claim->reason ? claim->reason : ""),
                     false, claim->loc);
    return true;
  }
  return false;
}

void gs_report_unknown(gs_kernel *k, gs_rule rule, gs_loc loc, const char *what,
                       const char *reason) {
  if (gs_trusted(k, rule, NULL, &loc, 1))
    return;
  loc.file = gs_pool_text(k->result->arena, loc.file);
  gs_finding finding = {.rule = rule,
                        .verdict = GS_UNKNOWN,
                        .is_error = k->is_claim,
                        .loc = loc,
                        .message = gs_pool_format(k->result->arena, "cannot prove %s: %s", what, reason),
                        .reason = gs_pool_text(k->result->arena, reason),
                        .instances = 1};
  gs_result_add(k->result, &finding);
}

/// Kernels with claims or a contract have a descriptor, which the runtime finds.
bool gs_launch_is_checked(const gs_kernel *k) {
  bool annotated = k->desc && k->desc->claim_count;
  for (uint32_t i = 0; k->desc && i < k->desc->fact_count; i++)
    annotated |= k->desc->facts[i].origin == GS_FACT_CONTRACT;
  return annotated && !k->options->no_runtime;
}

bool gs_conflicts(const gs_access *a, const gs_access *b, bool atomics_count, gs_scope reach) {
  if (!a->is_write && !b->is_write)
    return false;
  // PTX orders atomics that overlap completely; of different sizes they race.
  bool atomic = a->is_atomic && b->is_atomic && a->scope >= (uint8_t)reach &&
                b->scope >= (uint8_t)reach && a->size == b->size;
  return atomics_count || !atomic;
}
