// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form, read back: the tables of a kernel. One statement is one line.
#include "text_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------- tables ----

/// The number of a row of a table: rows come in order.
static void read_index(gs_reader *r, uint32_t count, const char *what) {
  if (r->status == GS_OK && (r->token.kind != GS_TOKEN_NUMBER || r->token.negative ||
                             r->token.value != count))
    gs_read_fail(r, "the next %s has the number %" PRIu32, what, count);
  gs_read_next(r);
}

static void read_place_row(gs_reader *r) {
  gs_program *p = r->program;
  gs_place *all = gs_read_room(r, p->places, p->place_count, &r->room.places, sizeof *all);
  if (!all)
    return;
  p->places = all;
  if (r->token.kind != GS_TOKEN_PLACE || r->token.value != p->place_count)
    gs_read_fail(r, "the next place is @%" PRIu32, p->place_count);
  gs_read_next(r);
  gs_place place = {.inlined_at = GS_NONE};
  if (gs_read_word(r, "at"))
    place.loc = gs_read_loc(r);
  if (gs_read_word(r, "in")) {
    if (r->token.kind != GS_TOKEN_PLACE)
      gs_read_fail(r, "the place of the call is missing");
    place.inlined_at = gs_read_place(r);
  }
  if (r->status == GS_OK)
    all[p->place_count++] = place;
}

static void read_origin_row(gs_reader *r) {
  gs_program *p = r->program;
  gs_origin *all = gs_read_room(r, p->origins, p->origin_count, &r->room.origins, sizeof *all);
  if (!all)
    return;
  p->origins = all;
  if (r->token.kind != GS_TOKEN_ORIGIN || r->token.value != p->origin_count)
    gs_read_fail(r, "the next origin is !%" PRIu32, p->origin_count);
  gs_read_next(r);
  gs_origin origin = {.kind = (gs_origin_kind)gs_read_one_of(r, gs_text_origins, "the kind of origin")};
  origin.place = gs_read_place(r);
  if (r->status == GS_OK)
    all[p->origin_count++] = origin;
}

static void read_axes(gs_reader *r) {
  do
    r->program->axes_used |= 1u << gs_read_one_of(r, gs_text_axes, "an axis");
  while (r->token.kind == GS_TOKEN_WORD);
}

static void read_static_smem(gs_reader *r) {
  r->program->static_smem = gs_read_number(r, UINT64_MAX, "a number of bytes");
}

static void read_fences(gs_reader *r) { r->program->has_fences = true; }
static void read_reads_only(gs_reader *r) { r->program->reads_only_assumed = true; }

static void read_given(gs_reader *r) {
  gs_program *p = r->program;
  gs_sym_fact *all = gs_read_room(r, p->facts, p->fact_count, &r->room.facts, sizeof *all);
  if (!all)
    return;
  p->facts = all;
  gs_token start = r->token;
  gs_term symbol = gs_read_term(r);
  if (r->status == GS_OK && (!symbol || !gs_term_is(p->terms, symbol, GS_OP_SYM)))
    gs_read_fail_at(r, start.line, start.column, "a fact is about a symbol");
  gs_term fact = gs_read_term_of(r, 1);
  if (r->status == GS_OK)
    all[p->fact_count++] = (gs_sym_fact){(uint32_t)gs_term_node(p->terms, symbol)->value, fact};
}

static void read_object(gs_reader *r) {
  gs_program *p = r->program;
  gs_object *all = gs_read_room(r, p->objects, p->object_count, &r->room.objects, sizeof *all);
  if (!all)
    return;
  p->objects = all;
  read_index(r, p->object_count, "object");
  gs_object o = {.kind = (gs_object_kind)gs_read_one_of(r, gs_text_objects, "the kind of object")};
  o.name = gs_read_string(r);
  if (gs_read_word(r, "of"))
    o.param = gs_read_u32(r, "a parameter");
  if (gs_read_char(r, '+'))
    o.offset = gs_read_u32(r, "an offset");
  if (gs_read_word(r, "size"))
    o.size = gs_read_number(r, UINT64_MAX, "a size");
  if (gs_read_word(r, "elem"))
    o.elem_size = gs_read_u32(r, "the size of an element");
  if (gs_read_word(r, "base"))
    o.base = gs_read_term_of(r, 64);
  o.written = gs_read_word(r, "written");
  if (r->status == GS_OK)
    all[p->object_count++] = o;
}

// ---------------------------------------------------------- control flow ----

static gs_term read_condition(gs_reader *r, const char *word, gs_term usual) {
  if (!gs_read_word(r, word))
    return usual;
  if (gs_read_word(r, "none"))
    return GS_NO_TERM;
  return gs_read_term_of(r, 1);
}

static void read_loop(gs_reader *r) {
  gs_program *p = r->program;
  gs_loop *all = gs_read_room(r, p->loops, p->loop_count, &r->room.loops, sizeof *all);
  if (!all)
    return;
  p->loops = all;
  read_index(r, p->loop_count, "loop");
  gs_loop l = {.parent = GS_NONE, .depth = 1};
  if (gs_read_word(r, "in")) {
    if (r->token.kind == GS_TOKEN_NUMBER && r->token.value >= p->loop_count)
      gs_read_fail(r, "the loop around another one comes before it");
    l.parent = gs_read_u32(r, "a loop");
    l.depth = r->status == GS_OK ? all[l.parent].depth + 1 : 1;
  }
  if (!gs_read_word(r, "header"))
    gs_read_fail(r, "'header' is missing");
  l.header = gs_read_u32(r, "a block");
  l.entry = read_condition(r, "enter", gs_mk_bool(p->terms, true));
  l.live_entry = read_condition(r, "live_enter", l.entry);
  l.again = read_condition(r, "again", GS_NO_TERM);
  l.live_again = read_condition(r, "live_again", l.again);
  gs_token start = r->token;
  if (!gs_read_word(r, "trip"))
    gs_read_fail(r, "'trip' is missing");
  l.trip = gs_read_term_of(r, 64);
  const gs_node *node = gs_term_node(p->terms, l.trip);
  if (r->status == GS_OK &&
      (node->op != GS_OP_SYM || gs_sym_get(p->terms, (uint32_t)node->value)->kind != GS_SYM_LOOP ||
       gs_sym_get(p->terms, (uint32_t)node->value)->index != p->loop_count))
    gs_read_fail_at(r, start.line, start.column, "the trip is 'sym loop %" PRIu32 "'", p->loop_count);
  l.trip_sym = r->status == GS_OK ? (uint32_t)node->value : 0;
  l.place = gs_read_place(r);
  if (r->status == GS_OK)
    all[p->loop_count++] = l;
}

static void read_successors(gs_reader *r, gs_block *b) {
  uint32_t *succ = NULL, capacity = 0;
  if (r->token.kind != GS_TOKEN_ARROW)
    return;
  gs_read_next(r);
  do {
    uint32_t *moved = gs_read_room(r, succ, b->succ_count, &capacity, sizeof *moved);
    if (!moved)
      break;
    succ = moved;
    succ[b->succ_count++] = gs_read_u32(r, "a block");
  } while (r->token.kind == GS_TOKEN_NUMBER);
  b->succ = succ;
}

static void read_block(gs_reader *r) {
  gs_program *p = r->program;
  gs_block *all = gs_read_room(r, p->blocks, p->block_count, &r->room.blocks, sizeof *all);
  if (!all)
    return;
  p->blocks = all;
  read_index(r, p->block_count, "block");
  gs_block *b = &all[p->block_count++]; // the program's at once, so that it is freed
  *b = (gs_block){.loop = GS_NONE};
  r->room.events = 0;
  if (gs_read_word(r, "in"))
    b->loop = (uint32_t)gs_read_number(r, GS_NONE - 1, "a loop");
  b->guard = read_condition(r, "if", gs_mk_bool(p->terms, true));
  b->live = read_condition(r, "live", b->guard);
  b->branch = read_condition(r, "on", GS_NO_TERM);
  read_successors(r, b);
  b->exits = gs_read_word(r, "exits");
  b->traps = gs_read_word(r, "traps");
  b->asserts = gs_read_word(r, "asserts");
  b->place = gs_read_place(r);
}

static void add_event(gs_reader *r, gs_event_kind kind, uint32_t index) {
  gs_program *p = r->program;
  if (!p->block_count) {
    gs_read_fail(r, "accesses and barriers follow their block");
    return;
  }
  gs_block *b = &p->blocks[p->block_count - 1];
  gs_event *all = gs_read_room(r, (void *)b->events, b->event_count, &r->room.events, sizeof *all);
  if (!all)
    return;
  b->events = all;
  all[b->event_count++] = (gs_event){kind, index};
}

/// Accesses and barriers come in the order of the blocks, which need not be that of
/// their numbers; gs_text_validate puts them in order.
static void read_event(gs_reader *r, gs_event_kind kind) {
  uint32_t index = gs_read_u32(r, "a number");
  if (r->status == GS_OK)
    add_event(r, kind, index);
}

/// What an atomic operation does: "add %old 1:32", "cas %old %new expected 0:32".
static void read_rmw(gs_reader *r, gs_access *a) {
  const gs_terms *terms = r->program->terms;
  a->rmw = (uint8_t)gs_read_one_of(r, gs_text_rmws, "an atomic operation");
  a->result = gs_read_term(r);
  a->operand = gs_read_term(r);
  if (gs_read_word(r, "expected"))
    a->expected = gs_read_term(r);
  if (r->status != GS_OK)
    return;
  uint8_t width = gs_term_width(terms, a->result);
  if (!a->is_atomic || !a->is_write || !a->rmw)
    gs_read_fail(r, "only an atomic write has an operation");
  else if (!gs_term_is(terms, a->result, GS_OP_SYM) ||
           gs_sym_get(terms, (uint32_t)gs_term_node(terms, a->result)->value)->copy)
    gs_read_fail(r, "the result of an atomic operation is a symbol");
  else if (gs_term_width(terms, a->operand) != width || (a->rmw == GS_RMW_CAS) != (a->expected != 0) ||
           (a->expected && gs_term_width(terms, a->expected) != width))
    gs_read_fail(r, "the operands of an atomic operation do not fit it");
}

/// What few accesses have.
static void read_more(gs_reader *r, gs_access *a) {
  const gs_terms *terms = r->program->terms;
  if (gs_read_word(r, "loaded"))
    a->loaded = gs_read_term(r);
  if (a->loaded && (a->is_write || !gs_term_is(terms, a->loaded, GS_OP_SYM) ||
                    gs_sym_get(terms, (uint32_t)gs_term_node(terms, a->loaded)->value)->kind != GS_SYM_OPAQUE))
    gs_read_fail(r, "what is loaded is an opaque symbol");
  if (gs_read_word(r, "warp")) {
    a->warp_key = gs_read_u32(r, "a number for the shares of the lanes");
    a->by_rows = gs_read_word(r, "rows");
  }
  if (gs_read_word(r, "tile"))
    a->tile = gs_read_term_of(r, 64);
  if (gs_read_word(r, "stride"))
    a->stride = gs_read_term_of(r, 64);
  if (gs_read_word(r, "fence"))
    a->fence = (uint8_t)(gs_read_one_of(r, gs_text_scopes, "a scope") + 1);
}

/// The value of a read that counts as one for the block.
static void read_common(gs_reader *r, gs_access *a) {
  const gs_terms *terms = r->program->terms;
  a->result = gs_read_term(r);
  if (r->status == GS_OK && (a->is_write || !gs_term_is(terms, a->result, GS_OP_SYM)))
    gs_read_fail(r, "the common value of a read is a symbol");
}

static void read_access(gs_reader *r) {
  gs_program *p = r->program;
  gs_access *all = gs_read_room(r, p->accesses, p->access_count, &r->room.accesses, sizeof *all);
  if (!all)
    return;
  p->accesses = all;
  gs_access *a = &all[p->access_count++];
  *a = (gs_access){.scope = GS_SCOPE_GRID};
  r->room.targets = 0;
  read_event(r, GS_EVENT_ACCESS);
  a->is_write = gs_read_word(r, "write");
  if (!a->is_write && !gs_read_word(r, "read"))
    gs_read_fail(r, "'read' or 'write' is missing");
  a->size = gs_read_u32(r, "a number of bytes");
  if (gs_read_word(r, "bytes"))
    a->size_term = gs_read_term_of(r, 64);
  a->is_atomic = gs_read_word(r, "atomic");
  if (gs_read_word(r, "scope"))
    a->scope = (uint8_t)gs_read_one_of(r, gs_text_scopes, "a scope");
  a->is_volatile = gs_read_word(r, "volatile");
  a->is_opaque = gs_read_word(r, "opaque");
  if (gs_read_word(r, "async"))
    a->async = (uint8_t)gs_read_one_of(r, gs_text_asyncs, "a part of an asynchronous copy");
  if (a->async == GS_ASYNC_WAIT)
    a->groups = gs_read_u32(r, "a number of groups");
  if (gs_read_word(r, "rmw"))
    read_rmw(r, a);
  if (gs_read_word(r, "common"))
    read_common(r, a);
  if (gs_read_word(r, "value"))
    a->value = gs_read_term(r);
  a->is_const = gs_read_word(r, "const");
  if (a->is_const)
    a->const_bits = gs_read_number(r, UINT64_MAX, "a pattern of bits");
  read_more(r, a);
  a->place = gs_read_place(r);
}

static void read_target(gs_reader *r) {
  gs_program *p = r->program;
  gs_access *a = p->access_count ? &p->accesses[p->access_count - 1] : NULL;
  const gs_block *b = p->block_count ? &p->blocks[p->block_count - 1] : NULL;
  if (!a || !b || !b->event_count || b->events[b->event_count - 1].kind != GS_EVENT_ACCESS) {
    gs_read_fail(r, "a target follows its access");
    return;
  }
  gs_target *all =
      gs_read_room(r, (void *)a->targets, a->target_count, &r->room.targets, sizeof *all);
  if (!all)
    return;
  a->targets = all;
  gs_target t = {0};
  if (r->token.kind == GS_TOKEN_NUMBER && r->token.value >= p->object_count)
    gs_read_fail(r, "there is no object %" PRIu64 " yet", r->token.value);
  t.object = gs_read_u32(r, "an object");
  gs_read_expect(r, '+');
  t.offset = gs_read_term_of(r, 64);
  t.guard = read_condition(r, "if", gs_mk_bool(p->terms, true));
  if (r->status == GS_OK)
    all[a->target_count++] = t;
}

static void read_barrier(gs_reader *r) {
  gs_program *p = r->program;
  gs_barrier *all = gs_read_room(r, p->barriers, p->barrier_count, &r->room.barriers, sizeof *all);
  if (!all)
    return;
  p->barriers = all;
  gs_barrier *b = &all[p->barrier_count++];
  *b = (gs_barrier){0};
  read_event(r, GS_EVENT_BARRIER);
  b->kind = (gs_barrier_kind)gs_read_one_of(r, gs_text_barriers, "the kind of barrier");
  if (gs_read_word(r, "id"))
    b->id = gs_read_word(r, "any") ? GS_NONE : (uint32_t)gs_read_number(r, GS_SOME_ID, "the id of a barrier");
  if (gs_read_word(r, "mask"))
    b->mask = gs_read_term_of(r, 32);
  b->place = gs_read_place(r);
}

static void read_lanes(gs_reader *r) {
  gs_program *p = r->program;
  gs_warp_op *all = gs_read_room(r, p->warp_ops, p->warp_op_count, &r->room.warp_ops, sizeof *all);
  if (!all)
    return;
  p->warp_ops = all;
  if (!p->block_count)
    gs_read_fail(r, "warp operations follow their block");
  gs_warp_op op = {.mask = (uint32_t)gs_read_number(r, UINT32_MAX, "a mask of lanes")};
  op.is_barrier = gs_read_word(r, "sync");
  op.block = p->block_count - 1;
  op.place = gs_read_place(r);
  if (r->status == GS_OK)
    all[p->warp_op_count++] = op;
}

static void read_gap(gs_reader *r) {
  gs_program *p = r->program;
  gs_gap *all = gs_read_room(r, p->gaps, p->gap_count, &r->room.gaps, sizeof *all);
  if (!all)
    return;
  p->gaps = all;
  gs_gap gap = {.text = gs_read_string(r)};
  if (r->status == GS_OK && !gap.text)
    gs_read_fail(r, "a gap has a text");
  gap.place = gs_read_place(r);
  if (r->status == GS_OK)
    all[p->gap_count++] = gap;
}

// -------------------------------------------------------------- kernels ----

/// The symbols of the launch are there from the beginning, with their names.
static void start_terms(gs_reader *r) {
  const gs_terms *terms = r->program->terms;
  gs_program_launch_symbols(r->program);
  for (uint32_t s = 0; r->status == GS_OK && s < gs_sym_count(terms); s++) {
    const char *name = gs_sym_get(terms, s)->name;
    gs_name_map_add(r, &r->names, name, strlen(name), gs_sym_term(terms, s));
  }
}

static bool start_kernel(gs_reader *r, const char *mangled) {
  gs_text *text = r->text;
  gs_program **all =
      gs_read_room(r, text->kernels, text->count, &text->capacity, sizeof *all);
  if (!all)
    return false;
  text->kernels = all;
  gs_program *p = calloc(1, sizeof *p);
  if (!p || !(p->terms = gs_terms_new())) {
    free(p);
    gs_read_no_memory(r);
    return false;
  }
  all[text->count++] = r->program = p;
  p->mangled = mangled;
  r->desc = NULL;
  memset(&r->room, 0, sizeof r->room);
  gs_name_map_free(&r->names);
  p->places = gs_read_room(r, NULL, 0, &r->room.places, sizeof *p->places);
  p->origins = gs_read_room(r, NULL, 0, &r->room.origins, sizeof *p->origins);
  if (!p->places || !p->origins)
    return false;
  p->places[0] = (gs_place){.inlined_at = GS_NONE};
  p->origins[0] = (gs_origin){0};
  p->place_count = p->origin_count = 1;
  start_terms(r);
  return true;
}

static void read_statement(gs_reader *r) {
  static const struct {
    const char *word;
    void (*read)(gs_reader *r);
  } rows[] = {{"to", read_target},       {"access", read_access},
              {"block", read_block},     {"barrier", read_barrier},
              {"place", read_place_row}, {"given", read_given},
              {"origin", read_origin_row}, {"object", read_object},
              {"loop", read_loop},       {"axes", read_axes},
              {"static_smem", read_static_smem}, {"fences", read_fences},
              {"reads_only_assumed", read_reads_only}, {"gap", read_gap},
              {"lanes", read_lanes}};
  if (r->token.kind == GS_TOKEN_TERM) {
    gs_read_definition(r);
    return;
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (gs_read_word(r, rows[i].word)) {
      rows[i].read(r);
      gs_read_end_line(r);
      return;
    }
  if (!gs_read_description(r))
    gs_read_fail(r, "no statement begins like this");
}

static void skip_lines(gs_reader *r) {
  while (r->token.kind == GS_TOKEN_LINE)
    gs_read_next(r);
}

static void read_kernel(gs_reader *r) {
  r->kernel_line = r->token.line;
  if (!gs_read_word(r, "kernel")) {
    gs_read_fail(r, "'kernel' is missing");
    return;
  }
  const char *mangled = gs_read_string(r);
  if (r->status == GS_OK && !mangled)
    gs_read_fail(r, "a kernel has a name");
  gs_read_end_line(r);
  if (r->status != GS_OK || !start_kernel(r, mangled))
    return;
  for (skip_lines(r); r->status == GS_OK && !gs_read_is_word(r, "end"); skip_lines(r)) {
    if (r->token.kind == GS_TOKEN_END)
      gs_read_fail(r, "'end' is missing");
    else
      read_statement(r);
    if (gs_terms_failed(r->program->terms))
      gs_read_no_memory(r);
  }
  gs_text_validate(r);
  gs_read_word(r, "end");
  gs_read_end_line(r);
}

static void read_file(gs_reader *r) {
  gs_read_next(r);
  skip_lines(r);
  if (!gs_read_word(r, GS_TEXT_MAGIC))
    gs_read_fail(r, "the text does not begin with '" GS_TEXT_MAGIC " %d'", GS_TEXT_VERSION);
  if (r->status == GS_OK && (r->token.kind != GS_TOKEN_NUMBER || r->token.value != GS_TEXT_VERSION))
    gs_read_fail(r, "only version %d is known", GS_TEXT_VERSION);
  gs_read_next(r);
  gs_read_end_line(r);
  skip_lines(r);
  if (gs_read_word(r, "target")) {
    r->text->target = gs_read_string(r);
    gs_read_end_line(r);
    skip_lines(r);
  }
  if (gs_read_word(r, "as_optimised")) {
    r->text->is_optimised = true;
    gs_read_end_line(r);
    skip_lines(r);
  }
  while (r->status == GS_OK && r->token.kind != GS_TOKEN_END) {
    read_kernel(r);
    skip_lines(r);
  }
}

// ------------------------------------------------------------------ API ----

gs_status gs_text_parse(const char *text, size_t length, gs_text **out, gs_text_error *error) {
  gs_text_error ignored;
  gs_reader r = {.at = text, .end = text + length, .line_start = text,
                 .line = 1, .error = error ? error : &ignored};
  *out = NULL;
  *r.error = (gs_text_error){0};
  r.text = calloc(1, sizeof *r.text);
  if (!r.text || !(r.text->pool = gs_pool_new())) {
    free(r.text);
    return GS_ERROR_MEMORY;
  }
  read_file(&r);
  if (r.status == GS_OK && gs_pool_failed(r.text->pool))
    r.status = GS_ERROR_MEMORY;
  gs_name_map_free(&r.names);
  gs_name_map_free(&r.strings);
  if (r.status == GS_OK)
    *out = r.text;
  else
    gs_text_free(r.text);
  return r.status;
}

static void free_desc(const gs_kernel_desc *d) {
  for (uint32_t i = 0; d && i < d->param_count; i++)
    free((void *)d->params[i].fields);
  if (d) {
    free((void *)d->params);
    free((void *)d->claims);
    free((void *)d->facts);
  }
}

void gs_text_free(gs_text *text) {
  if (!text)
    return;
  for (uint32_t i = 0; i < text->count; i++) {
    free_desc(text->kernels[i]->desc);
    gs_program_free(text->kernels[i]);
  }
  for (uint32_t i = 0; i < text->clause_count; i++)
    gs_clause_free(text->clauses[i]);
  free(text->kernels);
  free(text->clauses);
  gs_pool_free(text->pool);
  free(text);
}

uint32_t gs_text_kernel_count(const gs_text *text) { return text->count; }
gs_program *gs_text_kernel(const gs_text *text, uint32_t kernel) { return text->kernels[kernel]; }
const char *gs_text_target(const gs_text *text) { return text->target; }
bool gs_text_is_optimised(const gs_text *text) { return text->is_optimised; }
