// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form of a lowered kernel: its tables, in an order that a reader follows.
#include "text.h"
#include "text_write.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_place(gs_out *out, uint32_t place) {
  if (place)
    gs_out_put(out, " @%" PRIu32, place);
}

/// " word term", unless the term is the default.
static void put_unless(gs_out *out, const gs_term_names *names, const char *word, gs_term t,
                       gs_term usual) {
  if (t == usual)
    return;
  gs_out_put(out, " %s ", word);
  gs_out_term(out, names, t);
}

static void print_tables(gs_out *out, const gs_program *p) {
  for (uint32_t i = 1; i < p->place_count; i++) {
    gs_out_put(out, "  place @%" PRIu32, i);
    gs_out_loc(out, "at", p->places[i].loc);
    if (p->places[i].inlined_at != GS_NONE)
      gs_out_put(out, " in @%" PRIu32, p->places[i].inlined_at);
    gs_out_put(out, "\n");
  }
  for (uint32_t i = 1; i < p->origin_count; i++) {
    gs_out_put(out, "  origin !%" PRIu32 " %s", i, gs_text_origins.items[p->origins[i].kind]);
    put_place(out, p->origins[i].place);
    gs_out_put(out, "\n");
  }
  if (p->axes_used) {
    gs_out_put(out, "  axes");
    for (uint32_t i = 0; i < gs_text_axes.count; i++)
      if (p->axes_used >> i & 1)
        gs_out_put(out, " %s", gs_text_axes.items[i]);
    gs_out_put(out, "\n");
  }
  if (p->static_smem)
    gs_out_put(out, "  static_smem %" PRIu64 "\n", p->static_smem);
  if (p->has_fences)
    gs_out_put(out, "  fences\n");
  if (p->reads_only_assumed)
    gs_out_put(out, "  reads_only_assumed\n");
}

static void print_objects(gs_out *out, const gs_program *p, const gs_term_names *names) {
  for (uint32_t i = 0; i < p->object_count; i++) {
    const gs_object *o = &p->objects[i];
    gs_out_put(out, "  object %" PRIu32 " %s ", i, gs_text_objects.items[o->kind]);
    gs_out_quote(out, o->name);
    if (o->kind == GS_OBJECT_PARAM || o->kind == GS_OBJECT_BYVAL || o->param || o->offset)
      gs_out_put(out, " of %" PRIu32, o->param);
    if (o->offset)
      gs_out_put(out, " +%" PRIu32, o->offset);
    if (o->size)
      gs_out_put(out, " size %" PRIu64, o->size);
    if (o->elem_size)
      gs_out_put(out, " elem %" PRIu32, o->elem_size);
    put_unless(out, names, "base", o->base, GS_NO_TERM);
    gs_out_put(out, "%s\n", o->written ? " written" : "");
  }
}

static void print_loops(gs_out *out, const gs_program *p, const gs_term_names *names, gs_term yes) {
  for (uint32_t i = 0; i < p->loop_count; i++) {
    const gs_loop *l = &p->loops[i];
    gs_out_put(out, "  loop %" PRIu32, i);
    if (l->parent != GS_NONE)
      gs_out_put(out, " in %" PRIu32, l->parent);
    gs_out_put(out, " header %" PRIu32, l->header);
    put_unless(out, names, "enter", l->entry, yes);
    put_unless(out, names, "live_enter", l->live_entry, l->entry);
    put_unless(out, names, "again", l->again, GS_NO_TERM);
    put_unless(out, names, "live_again", l->live_again, l->again);
    put_unless(out, names, "trip", l->trip, GS_NO_TERM);
    put_place(out, l->place);
    gs_out_put(out, "\n");
  }
}

static void print_access(gs_out *out, const gs_program *p, const gs_term_names *names, gs_term yes,
                         uint32_t index) {
  const gs_access *a = &p->accesses[index];
  gs_out_put(out, "    access %" PRIu32 " %s %" PRIu32, index, a->is_write ? "write" : "read",
             a->size);
  put_unless(out, names, "bytes", a->size_term, GS_NO_TERM);
  if (a->is_atomic)
    gs_out_put(out, " atomic");
  if (a->scope != GS_SCOPE_GRID)
    gs_out_put(out, " scope %s", gs_text_scopes.items[a->scope]);
  gs_out_put(out, "%s%s", a->is_volatile ? " volatile" : "", a->is_opaque ? " opaque" : "");
  if (a->async)
    gs_out_put(out, " async %s", gs_text_asyncs.items[a->async]);
  if (a->async == GS_ASYNC_WAIT)
    gs_out_put(out, " %" PRIu32, a->groups);
  if (a->rmw) {
    gs_out_put(out, " rmw %s ", gs_text_rmws.items[a->rmw]);
    gs_out_term(out, names, a->result);
    gs_out_put(out, " ");
    gs_out_term(out, names, a->operand);
    put_unless(out, names, "expected", a->expected, GS_NO_TERM);
  }
  if (!a->is_write)
    put_unless(out, names, "common", a->result, GS_NO_TERM);
  put_unless(out, names, "value", a->value, GS_NO_TERM);
  if (a->is_const)
    gs_out_put(out, " const 0x%" PRIx64, a->const_bits);
  put_unless(out, names, "loaded", a->loaded, GS_NO_TERM);
  if (a->warp_key)
    gs_out_put(out, " warp %" PRIu32 "%s", a->warp_key, a->by_rows ? " rows" : "");
  put_unless(out, names, "tile", a->tile, GS_NO_TERM);
  put_unless(out, names, "stride", a->stride, GS_NO_TERM);
  if (a->fence)
    gs_out_put(out, " fence %s", gs_text_scopes.items[a->fence - 1]);
  put_place(out, a->place);
  gs_out_put(out, "\n");
  for (uint32_t i = 0; i < a->target_count; i++) {
    const gs_target *t = &a->targets[i];
    gs_out_put(out, "      to %" PRIu32 " + ", t->object);
    gs_out_term(out, names, t->offset);
    put_unless(out, names, "if", t->guard, yes);
    // The name is for readers only.
    const char *name = p->objects[t->object].name;
    gs_out_put(out, name ? " ; %s\n" : "\n", name);
  }
}

static void print_barrier(gs_out *out, const gs_program *p, const gs_term_names *names,
                          uint32_t index) {
  const gs_barrier *b = &p->barriers[index];
  gs_out_put(out, "    barrier %" PRIu32 " %s", index, gs_text_barriers.items[b->kind]);
  if (b->id == GS_NONE)
    gs_out_put(out, " id any");
  else if (b->id)
    gs_out_put(out, " id %" PRIu32, b->id);
  put_unless(out, names, "mask", b->mask, GS_NO_TERM);
  put_place(out, b->place);
  gs_out_put(out, "\n");
}

static void print_blocks(gs_out *out, const gs_program *p, const gs_term_names *names,
                         gs_term yes) {
  for (uint32_t i = 0; i < p->block_count; i++) {
    const gs_block *b = &p->blocks[i];
    gs_out_put(out, "  block %" PRIu32, i);
    if (b->loop != GS_NONE)
      gs_out_put(out, " in %" PRIu32, b->loop);
    put_unless(out, names, "if", b->guard, yes);
    put_unless(out, names, "live", b->live, b->guard);
    put_unless(out, names, "on", b->branch, GS_NO_TERM);
    for (uint32_t s = 0; s < b->succ_count; s++)
      gs_out_put(out, "%s %" PRIu32, s ? "" : " ->", b->succ[s]);
    gs_out_put(out, "%s%s%s", b->exits ? " exits" : "", b->traps ? " traps" : "",
               b->asserts ? " asserts" : "");
    put_place(out, b->place);
    gs_out_put(out, "\n");
    for (uint32_t e = 0; e < b->event_count; e++)
      if (b->events[e].kind == GS_EVENT_ACCESS)
        print_access(out, p, names, yes, b->events[e].index);
      else
        print_barrier(out, p, names, b->events[e].index);
    for (uint32_t w = 0; w < p->warp_op_count; w++)
      if (p->warp_ops[w].block == i) {
        gs_out_put(out, "    lanes 0x%" PRIx32 "%s", p->warp_ops[w].mask,
                   p->warp_ops[w].is_barrier ? " sync" : "");
        put_place(out, p->warp_ops[w].place);
        gs_out_put(out, "\n");
      }
  }
}

static void print_kernel(gs_out *out, const gs_program *p) {
  gs_term yes = gs_mk_bool(p->terms, true);
  gs_term_names *names = yes ? gs_term_names_new(p) : NULL;
  if (!names) {
    out->failed = true;
    return;
  }
  gs_out_put(out, "\nkernel ");
  gs_out_quote(out, p->mangled);
  gs_out_put(out, "\n");
  if (p->desc)
    gs_out_description(out, p->desc);
  print_tables(out, p);
  gs_out_definitions(out, names);
  for (uint32_t i = 0; i < p->fact_count; i++) {
    gs_out_put(out, "  given ");
    gs_out_term(out, names, gs_sym_term(p->terms, p->facts[i].sym));
    gs_out_put(out, " ");
    gs_out_term(out, names, p->facts[i].fact);
    gs_out_put(out, "\n");
  }
  print_objects(out, p, names);
  print_loops(out, p, names, yes);
  print_blocks(out, p, names, yes);
  for (uint32_t i = 0; i < p->gap_count; i++) {
    gs_out_put(out, "  gap ");
    gs_out_quote(out, p->gaps[i].text);
    put_place(out, p->gaps[i].place);
    gs_out_put(out, "\n");
  }
  gs_out_put(out, "end\n");
  gs_term_names_free(names);
}

char *gs_text_print(gs_program *const *kernels, uint32_t count, const char *target,
                    bool is_optimised) {
  gs_out out = {0};
  gs_out_put(&out, "%s %d\n", GS_TEXT_MAGIC, GS_TEXT_VERSION);
  if (target) {
    gs_out_put(&out, "target ");
    gs_out_quote(&out, target);
    gs_out_put(&out, "\n");
  }
  if (is_optimised)
    gs_out_put(&out, "as_optimised\n");
  for (uint32_t i = 0; i < count; i++)
    print_kernel(&out, kernels[i]);
  if (out.failed) {
    free(out.data);
    return NULL;
  }
  return out.data;
}
