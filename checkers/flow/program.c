// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gs_term gs_program_param(gs_program *program, uint32_t param, uint32_t offset, uint8_t bits,
                         bool is_signed) {
  gs_terms *terms = program->terms;
  for (uint32_t s = 0; s < gs_sym_count(terms); s++) {
    const gs_sym *sym = gs_sym_get(terms, s);
    if (sym->kind == GS_SYM_PARAM && sym->copy == 0 && sym->index == param &&
        sym->offset == offset && sym->width == bits)
      return gs_sym_term(terms, s);
  }
  char name[256];
  const gs_kernel_desc *desc = program->desc;
  const gs_param_desc *p = desc && param < desc->param_count ? &desc->params[param] : NULL;
  const gs_field *field = NULL;
  for (uint32_t i = 0; p && i < p->field_count; i++)
    if (p->fields[i].offset == offset)
      field = &p->fields[i];
  if (!p || !p->name[0])
    snprintf(name, sizeof name, "parameter %u", param + 1);
  else if (field && field->path[0])
    snprintf(name, sizeof name, "%s.%s", p->name, field->path);
  else
    snprintf(name, sizeof name, "%s", p->name);
  gs_sym sym = {.kind = GS_SYM_PARAM,
                .level = GS_LEVEL_GRID,
                .index = param,
                .offset = offset,
                .width = bits,
                .exact = true,
                .is_signed = is_signed,
                .hi = gs_mask(bits),
                .name = name};
  return gs_mk_sym(terms, &sym);
}

static gs_term launch_symbol(gs_terms *terms, gs_sym_kind kind, uint32_t axis, const char *what,
                             uint64_t lo, uint64_t hi, gs_level level) {
  char name[32];
  snprintf(name, sizeof name, "%s.%c", what, "xyz"[axis]);
  gs_sym sym = {.kind = kind,
                .level = level,
                .index = axis,
                .width = 32,
                .exact = true,
                .lo = lo,
                .hi = hi,
                .name = name};
  return gs_mk_sym(terms, &sym);
}

void gs_program_launch_symbols(gs_program *p) {
  static const uint64_t block[3] = {1024, 1024, 64}, grid[3] = {2147483647, 65535, 65535};
  gs_terms *t = p->terms;
  for (uint32_t d = 0; d < 3; d++) {
    p->tid[d] = launch_symbol(t, GS_SYM_TID, d, "threadIdx", 0, block[d] - 1, GS_LEVEL_THREAD);
    p->ctaid[d] = launch_symbol(t, GS_SYM_CTAID, d, "blockIdx", 0, grid[d] - 1, GS_LEVEL_BLOCK);
    p->ntid[d] = launch_symbol(t, GS_SYM_NTID, d, "blockDim", 1, block[d], GS_LEVEL_GRID);
    p->nctaid[d] = launch_symbol(t, GS_SYM_NCTAID, d, "gridDim", 1, grid[d], GS_LEVEL_GRID);
  }
  gs_sym smem = {.kind = GS_SYM_LAUNCH,
                 .index = GS_LAUNCH_DYNAMIC_SMEM,
                 .width = 32,
                 .exact = true,
                 .hi = 1u << 20,
                 .name = "dynamic_smem"};
  p->dynamic_smem = gs_mk_sym(t, &smem);
}

bool gs_program_is_voted(const gs_sym *sym) {
  return sym->level == GS_LEVEL_WARP ||
         (sym->level == GS_LEVEL_BLOCK && sym->kind != GS_SYM_CTAID && sym->kind != GS_SYM_BASE);
}

gs_term gs_program_thread_index(const gs_program *p) {
  gs_terms *t = p->terms;
  gs_term row = gs_mk_bin(t, GS_OP_ADD, p->tid[1], gs_mk_bin(t, GS_OP_MUL, p->ntid[1], p->tid[2]));
  return gs_mk_bin(t, GS_OP_ADD, p->tid[0], gs_mk_bin(t, GS_OP_MUL, p->ntid[0], row));
}

static bool depends_on_trip_alone(const gs_terms *terms, gs_term again, uint32_t trip_sym) {
  uint32_t count = gs_sym_count(terms);
  unsigned char *seen = calloc(count + 1u, 1);
  if (!seen)
    return false;
  gs_term_syms(terms, again, seen);
  seen[trip_sym] = 0;
  bool alone = memchr(seen, 1, count) == NULL;
  free(seen);
  return alone;
}

bool gs_program_count_trips(const gs_terms *terms, gs_term again, uint32_t trip_sym, uint64_t *work,
                            uint64_t *trips) {
  enum { MAX_TRIPS = 4096 };
  uint64_t size = gs_term_size(terms, again), more = 1;
  if (!size || !depends_on_trip_alone(terms, again, trip_sym))
    return false;
  uint64_t *values = calloc(gs_sym_count(terms) + 1u, sizeof *values);
  bool defined = values != NULL;
  for (*trips = 0; defined && *trips < MAX_TRIPS && *work >= size; ++*trips) {
    *work -= size;
    values[trip_sym] = *trips;
    defined = gs_term_eval(terms, again, values, NULL, NULL, &more);
    if (!more)
      break;
  }
  free(values);
  return defined && !more;
}

uint32_t gs_program_loop_at(const gs_program *p, uint32_t loop, uint32_t depth) {
  while (loop != GS_NONE && p->loops[loop].depth > depth)
    loop = p->loops[loop].parent;
  return loop != GS_NONE && p->loops[loop].depth == depth ? loop : GS_NONE;
}

uint32_t gs_loop_depth(const gs_program *p, uint32_t loop) {
  return loop == GS_NONE ? 0 : p->loops[loop].depth;
}

bool gs_loop_holds(const gs_program *p, uint32_t loop, uint32_t block) {
  uint32_t l = p->blocks[block].loop;
  while (l != GS_NONE && l != loop)
    l = p->loops[l].parent;
  return l == loop;
}

uint32_t gs_common_loop(const gs_program *p, uint32_t a, uint32_t b) {
  uint32_t l = p->blocks[a].loop;
  while (l != GS_NONE && !gs_loop_holds(p, l, b))
    l = p->loops[l].parent;
  return l;
}

bool gs_may_overlap(const gs_program *p, const gs_object *a, const gs_object *b, bool strict) {
  if (a == b || !gs_is_global(a->kind) || !gs_is_global(b->kind))
    return false;
  for (uint32_t i = 0; p->desc && i < p->desc->alias_count && !strict; i++) {
    const gs_alias *alias = &p->desc->aliases[i];
    if (a->kind == GS_OBJECT_PARAM && b->kind == GS_OBJECT_PARAM &&
        ((alias->param == a->param && alias->of == b->param) || (alias->param == b->param && alias->of == a->param)))
      return true;
  }
  return strict;
}

bool gs_access_leads(const gs_program *p, uint32_t block, uint32_t from, uint32_t to, gs_stop_fn *stop,
                     const void *user) {
  bool *seen = calloc(p->block_count + 1u, sizeof *seen), found = !seen, first = true;
  uint32_t *stack = malloc((p->block_count + 2u) * sizeof *stack), count = 0;
  if (stack)
    stack[count++] = block;
  found |= !stack;
  while (!found && count) {
    const gs_block *b = &p->blocks[stack[--count]];
    bool stopped = false, behind = !first;
    for (uint32_t e = 0; e < b->event_count && !stopped && !found; e++) {
      bool access = b->events[e].kind == GS_EVENT_ACCESS;
      found = behind && access && b->events[e].index == to;
      stopped = behind && !found && stop && stop(p, b->events[e], user);
      behind |= access && b->events[e].index == from;
    }
    first = false;
    for (uint32_t s = 0; s < b->succ_count && !stopped && !found; s++)
      if (!seen[b->succ[s]]) {
        seen[b->succ[s]] = true;
        stack[count++] = b->succ[s];
      }
  }
  free(seen);
  free(stack);
  return found;
}

static bool is_false(const gs_program *p, gs_term t) {
  uint64_t value = 1;
  return t && gs_term_const(p->terms, t, &value) && !value;
}

static bool is_dead(const gs_program *p, uint32_t block) {
  bool dead = is_false(p, p->blocks[block].guard);
  for (uint32_t l = p->blocks[block].loop; l != GS_NONE && !dead; l = p->loops[l].parent)
    dead = is_false(p, p->loops[l].entry);
  return dead;
}

/// Is the i-th edge out of a block never taken?
static bool is_dead_edge(const gs_program *p, const gs_block *b, uint32_t i) {
  uint64_t value = 0;
  bool decided = b->succ_count == 2 && b->branch && b->succ[0] != b->succ[1] &&
                 gs_term_const(p->terms, b->branch, &value);
  return (decided && (value ? i == 1 : i == 0)) || is_dead(p, b->succ[i]);
}

void gs_program_prune(gs_program *p) {
  for (uint32_t b = 0; b < p->block_count; b++) {
    gs_block *block = &p->blocks[b];
    uint32_t *succ = (uint32_t *)(uintptr_t)block->succ;
    bool live[2] = {true, true}, is_switch = block->succ_count > 2;
    uint32_t kept = 0;
    for (uint32_t i = 0; !is_switch && i < block->succ_count; i++)
      live[i] = !is_dead_edge(p, block, i);
    for (uint32_t i = 0; i < block->succ_count; i++)
      if (is_switch ? !is_dead(p, succ[i]) : live[i])
        succ[kept++] = succ[i];
    if (kept != block->succ_count && kept) { // all: the block itself is dead
      block->succ_count = kept;
      block->branch = GS_NO_TERM;
    }
    for (uint32_t e = 0; is_dead(p, b) && e < block->event_count; e++)
      if (block->events[e].kind == GS_EVENT_ACCESS) {
        p->accesses[block->events[e].index].target_count = 0;
        p->accesses[block->events[e].index].async = GS_ASYNC_NONE;
      }
  }
}

void gs_program_free(gs_program *program) {
  if (!program)
    return;
  for (uint32_t i = 0; i < program->access_count; i++)
    free((void *)program->accesses[i].targets);
  for (uint32_t b = 0; b < program->block_count; b++) {
    free((void *)program->blocks[b].succ);
    free((void *)program->blocks[b].events);
  }
  for (uint32_t i = 0; i < program->text_count; i++)
    free(program->texts[i]);
  free(program->texts);
  free(program->objects);
  free(program->accesses);
  free(program->barriers);
  free(program->warp_ops);
  free(program->blocks);
  free(program->loops);
  free(program->flights);
  free(program->flight_uses);
  free(program->facts);
  free(program->places);
  free(program->origins);
  free(program->gaps);
  gs_terms_free(program->terms);
  free(program);
}
