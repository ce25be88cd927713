// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "broadcast.h"

#include "dominators.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CONJUNCTS = 64, MAX_ROUNDS = 4 };

typedef struct search {
  gs_program *p;
  bool strict;
  uint32_t *block_of; ///< by access
  gs_term *map;       ///< by symbol: what it is instead
  uint32_t *within;   ///< by symbol of the map: the loop that both store and read are in
  gs_term *lifted;    ///< by symbol: the same value as the block sees it
  uint32_t syms;      ///< of the program as it was lowered
  bool any;
} search;

typedef struct conjuncts {
  gs_term all[MAX_CONJUNCTS];
  uint32_t count;
  bool complete;
} conjuncts;

static void split(const gs_terms *terms, gs_term t, conjuncts *out) {
  uint64_t value = 0;
  while (t && gs_term_width(terms, t) == 1 && gs_term_is(terms, t, GS_OP_AND)) {
    split(terms, gs_term_node(terms, t)->arg[0], out);
    t = gs_term_node(terms, t)->arg[1];
  }
  if (t && gs_term_const(terms, t, &value) && value)
    return;
  out->complete &= t && out->count < MAX_CONJUNCTS;
  if (t && out->count < MAX_CONJUNCTS)
    out->all[out->count++] = t;
}

static gs_level level_of(const gs_terms *terms, gs_term t) { return (gs_level)gs_term_node(terms, t)->level; }

// ---------------------------------------------------------------- the thread ----

/// A thread that every block has: the first, or the last of the first row.
static gs_term in_thread(search *s, gs_term t, bool last) {
  gs_program *p = s->p;
  gs_term map[3];
  uint32_t highest = 0;
  for (int d = 0; d < 3; d++) {
    uint32_t sym = (uint32_t)gs_term_node(p->terms, p->tid[d])->value;
    highest = sym > highest ? sym : highest;
  }
  gs_term *all = calloc(highest + 1u, sizeof *all);
  for (int d = 0; all && d < 3; d++) {
    map[d] = gs_mk_const(p->terms, 0, 32);
    if (last && d == 0)
      map[d] = gs_mk_bin(p->terms, GS_OP_SUB, p->ntid[0], gs_mk_const(p->terms, 1, 32));
    all[gs_term_node(p->terms, p->tid[d])->value] = map[d];
  }
  gs_term out = all ? gs_term_subst(p->terms, t, all, highest + 1) : GS_NO_TERM;
  free(all);
  return out;
}

static bool is_true(const gs_terms *terms, gs_term t) {
  uint64_t value = 0;
  return t && gs_term_const(terms, t, &value) && value;
}

/// The axes of the block in which a condition leaves one index: bits 0 to 2. None when it may
/// leave none.
static uint32_t fixed_axes(const gs_program *p, gs_term t) {
  gs_node node = *gs_term_node(p->terms, t);
  uint64_t zero = 1;
  for (int side = 0; side < 2 && node.op == GS_OP_EQ; side++) {
    gs_term who = node.arg[side];
    if (!gs_term_const(p->terms, node.arg[1 - side], &zero) || zero)
      continue;
    if (who == gs_program_thread_index(p))
      return 7;
    for (uint32_t d = 0; d < 3; d++)
      if (who == p->tid[d])
        return 1u << d;
  }
  return 0;
}

// ------------------------------------------------------------------- lifting ----

/// The value that one thread has, as a value of the block.
static gs_term lift_symbol(search *s, uint32_t sym) {
  if (!s->lifted[sym]) {
    gs_sym copy = *gs_sym_get(s->p->terms, sym);
    copy.level = GS_LEVEL_BLOCK;
    copy.copy = GS_COPY_OF_BLOCK;
    copy.origin = sym;
    s->lifted[sym] = gs_mk_sym(s->p->terms, &copy);
  }
  return s->lifted[sym];
}

/// A term as the block sees it, whose thread's indices are put in. None when it is another
/// thread's in some part.
static gs_term lift(search *s, gs_term t) {
  gs_terms *terms = s->p->terms;
  gs_term *map = calloc(s->syms + 1u, sizeof *map);
  unsigned char *seen = calloc(gs_sym_count(terms) + 1u, 1);
  bool fine = map && seen;
  if (fine)
    gs_term_syms(terms, t, seen);
  for (uint32_t i = 0; i < s->syms && fine; i++) {
    const gs_sym *sym = gs_sym_get(terms, i);
    if (!seen[i] || sym->level <= GS_LEVEL_BLOCK)
      continue;
    fine = sym->kind == GS_SYM_OPAQUE && !sym->copy;
    map[i] = fine ? lift_symbol(s, i) : GS_NO_TERM;
  }
  gs_term out = fine ? gs_term_subst(terms, t, map, s->syms) : GS_NO_TERM;
  free(map);
  free(seen);
  return out && level_of(terms, out) <= GS_LEVEL_BLOCK ? out : GS_NO_TERM;
}

// ---------------------------------------------------------------- broadcasts ----

/// Is a condition the same for all threads of the block, by what is known of what is read?
static bool is_common(const search *s, gs_term t) {
  return level_of(s->p->terms, gs_term_subst(s->p->terms, t, s->map, s->syms)) <= GS_LEVEL_BLOCK;
}

/// Values are given in an iteration only if all threads of the block go round the loops around
/// alike. What is given may decide that, by induction over the iterations.
static void drop_uneven(search *s) {
  const gs_program *p = s->p;
  for (bool dropped = true; dropped;) {
    dropped = false;
    for (uint32_t i = 0; i < s->syms; i++)
      for (uint32_t l = s->map[i] ? s->within[i] : GS_NONE; l != GS_NONE && s->map[i]; l = p->loops[l].parent)
        if (!is_common(s, p->loops[l].entry) || !is_common(s, p->loops[l].again)) {
          s->map[i] = GS_NO_TERM;
          dropped = true;
        }
  }
}

/// What holds where a block is reached, in one iteration of `loop`.
static void reached_when(const gs_program *p, uint32_t block, uint32_t loop, conjuncts *out) {
  out->count = 0;
  out->complete = true;
  split(p->terms, p->blocks[block].guard, out);
  for (uint32_t l = p->blocks[block].loop; l != loop && l != GS_NONE; l = p->loops[l].parent)
    split(p->terms, p->loops[l].entry, out);
}

static bool holds_in(const conjuncts *c, gs_term t) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->all[i] == t)
      return true;
  return false;
}

/// Whenever a thread reads, did the representative thread store before, in this iteration?
static bool stored_before(search *s, uint32_t store, uint32_t load, bool last) {
  const gs_program *p = s->p;
  uint32_t from = s->block_of[store], to = s->block_of[load], loop = p->blocks[from].loop;
  conjuncts stores, loads;
  if ((loop != GS_NONE && !gs_loop_holds(p, loop, to)) || !gs_path_ahead(p, from, to) || (from != to && gs_path_ahead(p, to, from)))
    return false;
  reached_when(p, from, loop, &stores);
  reached_when(p, to, loop, &loads);
  for (uint32_t i = 0; i < stores.count; i++) {
    gs_term c = stores.all[i];
    bool common = level_of(p->terms, c) <= GS_LEVEL_BLOCK && holds_in(&loads, c);
    if (!common && !is_true(p->terms, in_thread(s, c, last)))
      return false;
  }
  return stores.complete;
}

/// The one access that writes an object; GS_NONE = none or several.
static uint32_t only_store(const search *s, uint32_t object) {
  const gs_program *p = s->p;
  uint32_t found = GS_NONE;
  for (uint32_t i = 0; i < p->access_count; i++)
    for (uint32_t t = 0; p->accesses[i].is_write && t < p->accesses[i].target_count; t++)
      if (p->accesses[i].targets[t].object == object) {
        if (found != GS_NONE)
          return GS_NONE;
        found = i;
      }
  const gs_access *a = found == GS_NONE ? NULL : &p->accesses[found];
  bool plain = a && a->target_count == 1 && !a->is_atomic && !a->async && a->value && a->size &&
               is_true(p->terms, a->targets[0].guard) && gs_term_width(p->terms, a->value) == a->size * 8;
  return plain ? found : GS_NONE;
}

static bool reads_it(const gs_program *p, const gs_access *load, const gs_access *store) {
  return !load->is_write && load->loaded && load->target_count == 1 && load->size == store->size &&
         load->targets[0].object == store->targets[0].object &&
         load->targets[0].offset == store->targets[0].offset &&
         is_true(p->terms, load->targets[0].guard) &&
         gs_term_width(p->terms, load->loaded) == gs_term_width(p->terms, store->value);
}

static void find_broadcast(search *s, uint32_t object) {
  const gs_program *p = s->p;
  uint32_t store = only_store(s, object);
  uint64_t offset = 0;
  if (store == GS_NONE || !gs_term_const(p->terms, p->accesses[store].targets[0].offset, &offset))
    return;
  for (uint32_t i = 0; i < p->access_count; i++) {
    if (!reads_it(p, &p->accesses[i], &p->accesses[store]))
      continue;
    bool last = !stored_before(s, store, i, false);
    if (last && !stored_before(s, store, i, true))
      continue;
    gs_term value = lift(s, in_thread(s, p->accesses[store].value, last));
    uint32_t sym = (uint32_t)gs_term_node(p->terms, p->accesses[i].loaded)->value;
    if (value && sym < s->syms) {
      s->map[sym] = value;
      s->within[sym] = p->blocks[s->block_of[store]].loop;
      s->any = true;
    }
  }
}

// -------------------------------------------------------------------- tickets ----

/// The number of blocks, as the kernel would compute it.
static gs_term block_count(const gs_program *p) {
  gs_terms *t = p->terms;
  gs_term all = p->nctaid[0];
  for (int d = 1; d < 3; d++)
    if (p->axes_used >> (3 + d) & 1)
      all = gs_mk_bin(t, GS_OP_MUL, all, p->nctaid[d]);
  return all;
}

static gs_term highest(const gs_program *p) {
  return gs_mk_bin(p->terms, GS_OP_SUB, block_count(p), gs_mk_const(p->terms, 1, 32));
}

gs_term gs_last_is_last(gs_program *p, const gs_last *last) {
  return gs_mk_bin(p->terms, GS_OP_EQ, last->value, highest(p));
}

/// Does one thread of each block take one number here, counting from 0?
static bool is_ticket(const search *s, uint32_t access) {
  const gs_program *p = s->p;
  const gs_access *a = &p->accesses[access];
  uint32_t block = s->block_of[access];
  uint64_t one = 0;
  bool adds = a->rmw == GS_RMW_ADD && a->operand && gs_term_const(p->terms, a->operand, &one) && one == 1;
  bool wraps = a->rmw == GS_RMW_INC && (a->operand == block_count(p) || a->operand == highest(p));
  if (s->strict || (!adds && !wraps) || !a->is_atomic || a->scope < GS_SCOPE_GRID || a->target_count != 1 ||
      a->size != 4 || !a->result || p->blocks[block].loop != GS_NONE ||
      !gs_is_global(p->objects[a->targets[0].object].kind) ||
      level_of(p->terms, a->targets[0].offset) != GS_LEVEL_GRID || !is_true(p->terms, a->targets[0].guard))
    return false;
  conjuncts c = {.complete = true};
  split(p->terms, p->blocks[block].guard, &c);
  uint32_t fixed = ~p->axes_used & 6; // axes that are not read have size 1
  for (uint32_t i = 0; i < c.count; i++) {
    uint32_t more = fixed_axes(p, c.all[i]);
    if (!more)
      return false;
    fixed |= more;
  }
  return c.complete && fixed == 7;
}

/// May something but plain stores, which are looked at as any others, change the counter?
static bool is_disturbed(const search *s, uint32_t ticket) {
  const gs_program *p = s->p;
  uint32_t object = p->accesses[ticket].targets[0].object;
  for (uint32_t i = 0; i < p->access_count; i++)
    for (uint32_t t = 0; i != ticket && p->accesses[i].is_write && t < p->accesses[i].target_count; t++) {
      const gs_object *o = &p->objects[p->accesses[i].targets[t].object];
      if (gs_is_vague(o->kind) || p->accesses[i].is_opaque)
        return true;
      if (p->accesses[i].targets[t].object == object && p->accesses[i].is_atomic)
        return true;
    }
  return p->gap_count > 0 || (p->desc && p->desc->alias_count > 0);
}

static void add_fact(gs_program *p, gs_term sym, gs_term fact) {
  gs_sym_fact *moved = realloc(p->facts, (p->fact_count + 1u) * sizeof *moved);
  if (!moved)
    return; // only less is known
  p->facts = moved;
  p->facts[p->fact_count++] = (gs_sym_fact){(uint32_t)gs_term_node(p->terms, sym)->value, fact};
}

static void find_tickets(search *s) {
  gs_program *p = s->p;
  for (uint32_t i = 0; i < p->access_count && p->last_count < GS_MAX_LASTS; i++) {
    if (!is_ticket(s, i) || is_disturbed(s, i))
      continue;
    uint32_t sym = (uint32_t)gs_term_node(p->terms, p->accesses[i].result)->value;
    gs_term value = lift_symbol(s, sym);
    if (!value)
      continue;
    gs_sym *edit = gs_sym_edit(p->terms, (uint32_t)gs_term_node(p->terms, value)->value);
    free((char *)(uintptr_t)edit->reason);
    edit->reason = calloc(1, 1); // "": in some order of the blocks it has any value
    s->map[sym] = value;
    s->any = true;
    add_fact(p, value, gs_mk_bin(p->terms, GS_OP_ULT, value, block_count(p)));
    p->lasts[p->last_count++] = (gs_last){.ticket = i, .value = value};
  }
}

// -------------------------------------------------------------------- rewriting ----

static void put(gs_subst *subst, gs_term *t) {
  if (*t)
    *t = gs_subst_apply(subst, *t);
}

static void rewrite_accesses(gs_program *p, gs_subst *subst) {
  for (uint32_t i = 0; i < p->access_count; i++) {
    gs_access *a = &p->accesses[i];
    gs_target *targets = (gs_target *)(uintptr_t)a->targets;
    for (uint32_t t = 0; t < a->target_count; t++) {
      put(subst, &targets[t].guard);
      put(subst, &targets[t].offset);
    }
    put(subst, &a->size_term);
    put(subst, &a->value);
    put(subst, &a->operand);
    put(subst, &a->expected);
    put(subst, &a->tile);
    put(subst, &a->stride);
  }
}

static void rewrite(gs_program *p, gs_subst *subst) {
  rewrite_accesses(p, subst);
  for (uint32_t i = 0; i < p->barrier_count; i++)
    put(subst, &p->barriers[i].mask);
  for (uint32_t b = 0; b < p->block_count; b++) {
    put(subst, &p->blocks[b].guard);
    put(subst, &p->blocks[b].live);
    put(subst, &p->blocks[b].branch);
  }
  for (uint32_t l = 0; l < p->loop_count; l++) {
    put(subst, &p->loops[l].entry);
    put(subst, &p->loops[l].again);
    put(subst, &p->loops[l].live_entry);
    put(subst, &p->loops[l].live_again);
  }
  for (uint32_t f = 0; f < p->fact_count; f++)
    put(subst, &p->facts[f].fact);
}

/// A value that was read may have decided what another one was.
static bool settle(search *s) {
  gs_terms *terms = s->p->terms;
  for (int round = 0; round < MAX_ROUNDS; round++)
    for (uint32_t i = 0; i < s->syms; i++)
      if (s->map[i])
        s->map[i] = gs_term_subst(terms, s->map[i], s->map, s->syms);
  unsigned char *seen = calloc(gs_sym_count(terms) + 1u, 1);
  bool fine = seen != NULL;
  for (uint32_t i = 0; i < s->syms && fine; i++)
    gs_term_syms(terms, s->map[i], seen);
  for (uint32_t i = 0; i < s->syms && fine; i++) // of each other, without end
    fine = !s->map[i] || !seen[i];
  free(seen);
  return fine;
}

static bool gives_something(const gs_program *p) {
  for (uint32_t i = 0; i < p->access_count; i++)
    if (p->accesses[i].loaded || p->accesses[i].rmw)
      return true;
  return false;
}

static void find_all(search *s) {
  gs_program *p = s->p;
  bool vague = false;
  for (uint32_t b = 0; b < p->block_count; b++)
    for (uint32_t e = 0; e < p->blocks[b].event_count; e++)
      if (p->blocks[b].events[e].kind == GS_EVENT_ACCESS)
        s->block_of[p->blocks[b].events[e].index] = b;
  find_tickets(s);
  for (uint32_t i = 0; i < p->access_count; i++)
    for (uint32_t t = 0; p->accesses[i].is_write && t < p->accesses[i].target_count; t++)
      vague |= gs_is_vague(p->objects[p->accesses[i].targets[t].object].kind) || p->accesses[i].is_opaque;
  for (uint32_t o = 0; o < p->object_count && !vague && !p->gap_count; o++)
    if (gs_is_shared(p->objects[o].kind))
      find_broadcast(s, o);
  drop_uneven(s);
}

bool gs_broadcasts_find(gs_program *p, bool strict) {
  if (p->has_broadcasts || !gives_something(p))
    return true;
  p->has_broadcasts = true;
  search s = {.p = p, .strict = strict, .syms = gs_sym_count(p->terms)};
  s.block_of = calloc(p->access_count + 1u, sizeof *s.block_of);
  s.map = calloc(s.syms + 1u, sizeof *s.map);
  s.lifted = calloc(s.syms + 1u, sizeof *s.lifted);
  s.within = malloc((s.syms + 1u) * sizeof *s.within);
  bool fine = s.block_of && s.map && s.lifted && s.within;
  for (uint32_t i = 0; i < s.syms && fine; i++)
    s.within[i] = GS_NONE;
  if (fine)
    find_all(&s);
  if (fine && s.any && settle(&s)) {
    gs_subst *subst = gs_subst_new(p->terms, s.map, s.syms);
    fine = subst != NULL;
    if (fine)
      rewrite(p, subst);
    gs_subst_free(subst);
  } else {
    p->last_count = 0;
  }
  free(s.block_of);
  free(s.map);
  free(s.lifted);
  free(s.within);
  return fine && !gs_terms_failed(p->terms);
}
