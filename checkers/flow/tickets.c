// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tickets.h"

#include "broadcast.h"

#include <stdlib.h>
#include <string.h>

enum { ALWAYS = 0 };
enum { MAX_RESULTS = 12 }; // of one access

/// What is known of one access.
typedef struct ticket {
  bool holds;
  uint32_t block, position; ///< of the access in the program's events
  uint32_t within; ///< depth of the loop in one iteration of which results are compared:
                   ///< something resets the place in between. ALWAYS = anywhere
  uint32_t loop;   ///< that loop
  bool assumed;
} ticket;

/// Two results as two threads have them.
typedef struct result_pair {
  const gs_ticket_meeting *meeting;
  uint32_t sym[2];
  gs_term result[2];
} result_pair;

struct gs_tickets {
  const gs_program *program;
  gs_tickets_options options;
  ticket *tickets;   ///< by access
  uint32_t *sym_of;  ///< by symbol: the access, or GS_NONE
  uint32_t sym_count;
  bool barriers_match; ///< each barrier is met by its threads at one place of the program
};

// ---------------------------------------------------------- the program ----

/// The target of `a` in an object, GS_NONE = none.
static uint32_t target_in(const gs_access *a, uint32_t object) {
  for (uint32_t t = 0; t < a->target_count; t++)
    if (a->targets[t].object == object)
      return t;
  return GS_NONE;
}

/// Can control come from one access to another without going round `loop`? (GS_NONE: at all)
static bool leads_to(const gs_tickets *ts, uint32_t from, uint32_t to, uint32_t loop) {
  const gs_program *p = ts->program;
  const ticket *a = &ts->tickets[from], *b = &ts->tickets[to];
  if (a->block == b->block && a->position < b->position)
    return true;
  bool *seen = calloc(p->block_count + 1u, sizeof *seen), found = false;
  uint32_t *stack = malloc((p->block_count + 1u) * sizeof *stack), count = 0;
  if (!seen || !stack) {
    free(seen);
    free(stack);
    return true;
  }
  stack[count++] = a->block;
  while (count && !found) {
    uint32_t at = stack[--count];
    for (uint32_t s = 0; s < p->blocks[at].succ_count && !found; s++) {
      uint32_t next = p->blocks[at].succ[s];
      if (loop != GS_NONE && (next == p->loops[loop].header || !gs_loop_holds(p, loop, next)))
        continue;
      found = next == b->block;
      if (!seen[next])
        seen[next] = true, stack[count++] = next;
    }
  }
  free(seen);
  free(stack);
  return found;
}

// ---------------------------------------------------------------- values ----

/// Is a number that is added never below 0, read as signed?
static bool never_negative(const gs_terms *terms, gs_term t, int depth) {
  gs_node node = *gs_term_node(terms, t);
  uint64_t value = 0;
  if (gs_term_const(terms, t, &value))
    return gs_sign_extend(value, node.width) >= 0;
  if (depth > 8)
    return false;
  if (node.op == GS_OP_SYM) // blockDim.x
    return gs_sym_get(terms, (uint32_t)node.value)->hi <= gs_mask(node.width) / 2;
  if (node.op == GS_OP_ZEXT || node.op == GS_OP_CTPOP || node.op == GS_OP_CTLZ)
    return node.width > 8 || node.op == GS_OP_ZEXT;
  if (node.op == GS_OP_TRUNC) { // __popcll
    gs_op inner = (gs_op)gs_term_node(terms, node.arg[0])->op;
    return node.width > 8 && (inner == GS_OP_CTPOP || inner == GS_OP_CTLZ);
  }
  if (node.op == GS_OP_LSHR)
    return gs_term_const(terms, node.arg[1], &value) && value > 0 && value < node.width;
  if (node.op == GS_OP_AND)
    return never_negative(terms, node.arg[0], depth + 1) ||
           never_negative(terms, node.arg[1], depth + 1);
  return node.op == GS_OP_ITE && never_negative(terms, node.arg[1], depth + 1) &&
         never_negative(terms, node.arg[2], depth + 1);
}

static bool always_differ(const gs_terms *terms, gs_term a, gs_term b) {
  uint64_t x = 0, y = 0;
  return a && b && gs_term_const(terms, a, &x) && gs_term_const(terms, b, &y) && x != y;
}

static bool is_constant(const gs_terms *terms, gs_term t) {
  uint64_t value = 0;
  return t && gs_term_const(terms, t, &value);
}

// ------------------------------------------------------------ conditions ----

/// Constant places that do not overlap.
static bool apart(const gs_terms *terms, const gs_access *a, gs_term at, const gs_access *b,
                  gs_term bt) {
  uint64_t x = 0, y = 0;
  if (!a->size || !b->size || !gs_term_const(terms, at, &x) || !gs_term_const(terms, bt, &y))
    return false;
  int64_t away = (int64_t)(y - x);
  return away >= (int64_t)a->size || away <= -(int64_t)b->size;
}

/// Does what `w` may do to the place leave what `a`'s results say true?
static bool agrees(const gs_terms *terms, const gs_access *a, const gs_access *w) {
  gs_rmw_kind kind = (gs_rmw_kind)w->rmw;
  if (!w->is_atomic || w->target_count != 1 || w->size != a->size)
    return false;
  switch ((gs_rmw_kind)a->rmw) {
  case GS_RMW_ADD:
    return kind == GS_RMW_ADD && w->operand && never_negative(terms, w->operand, 0);
  case GS_RMW_OR: return kind == GS_RMW_OR;
  case GS_RMW_EXCHANGE: // all store one constant
    return (kind == GS_RMW_EXCHANGE || kind == GS_RMW_CAS) &&
           is_constant(terms, w->operand) && w->operand == a->operand;
  case GS_RMW_CAS: // nothing brings the expected value back
    return (kind == GS_RMW_CAS && w->expected == a->expected) ||
           ((kind == GS_RMW_CAS || kind == GS_RMW_EXCHANGE) &&
            always_differ(terms, w->operand, a->expected));
  case GS_RMW_INC:
  case GS_RMW_OTHER: break;
  }
  return false;
}

/// Is the access of a kind that says something, on one known place of its object?
static bool may_hold(const gs_tickets *ts, const gs_access *a) {
  const gs_program *p = ts->program;
  if (!a->is_atomic || !a->is_write || a->target_count != 1 || !a->size || !a->result)
    return false;
  gs_object_kind kind = p->objects[a->targets[0].object].kind;
  gs_scope needed = gs_is_global(kind) ? GS_SCOPE_GRID : GS_SCOPE_BLOCK;
  if ((!gs_is_global(kind) && !gs_is_shared(kind)) || a->scope < (uint8_t)needed)
    return false;
  if (a->rmw == GS_RMW_CAS && !is_constant(p->terms, a->expected))
    return false;
  return agrees(p->terms, a, a);
}

/// A plain write that sets the place to something new. That it is ordered against the
/// atomic operation is for the rule about races to prove; what happens after it is another
/// round. \returns false when rounds cannot be told apart.
static bool takes_reset(gs_tickets *ts, uint32_t at, uint32_t reset) {
  const gs_program *p = ts->program;
  ticket *t = &ts->tickets[at];
  if (!ts->options.races_checked || !ts->barriers_match || p->accesses[reset].is_atomic)
    return false;
  if (!leads_to(ts, at, reset, GS_NONE))
    return true; // all of them come first
  uint32_t loop = gs_common_loop(p, t->block, ts->tickets[reset].block);
  if (loop == GS_NONE || leads_to(ts, at, reset, loop))
    return false;
  if (p->loops[loop].depth > t->within) {
    t->within = p->loops[loop].depth;
    t->loop = loop;
  }
  return true;
}

/// Looks at everything that may write the place of an access.
static bool check_writes(gs_tickets *ts, uint32_t at) {
  const gs_program *p = ts->program;
  const gs_access *a = &p->accesses[at];
  uint32_t object = a->targets[0].object;
  for (uint32_t i = 0; i < p->access_count; i++) {
    const gs_access *w = &p->accesses[i];
    if (!w->is_write)
      continue;
    if (w->is_opaque)
      return false;
    for (uint32_t t = 0; t < w->target_count; t++) {
      const gs_object *o = &p->objects[w->targets[t].object];
      if (gs_is_vague(o->kind) || gs_may_overlap(p, &p->objects[object], o, ts->options.strict))
        return false;
    }
    uint32_t target = target_in(w, object);
    if (target == GS_NONE || agrees(p->terms, a, w) ||
        apart(p->terms, a, a->targets[0].offset, w, w->targets[target].offset))
      continue;
    if (!takes_reset(ts, at, i))
      return false;
  }
  return true;
}

// ----------------------------------------------------------------- facts ----

static bool has_loop_symbol(const gs_terms *terms, gs_term t) {
  uint32_t count = gs_sym_count(terms);
  unsigned char *seen = calloc(count + 1u, 1);
  bool found = !seen;
  if (seen)
    gs_term_syms(terms, t, seen);
  for (uint32_t s = 0; seen && s < count && !found; s++)
    found = seen[s] && gs_sym_get(terms, s)->loop != 0;
  free(seen);
  return found;
}

/// A term of the access as thread `who` had it when it took the result.
static gs_term then(const gs_tickets *ts, const result_pair *pair, int who, gs_term t) {
  const gs_sym *sym = gs_sym_get(ts->program->terms, pair->sym[who]);
  // The value of another iteration, or after the loop: what belongs to it is not at hand.
  if (sym->copy != 0 && (gs_term_node(ts->program->terms, t)->level > GS_LEVEL_BLOCK ||
                         has_loop_symbol(ts->program->terms, t)))
    return GS_NO_TERM;
  return gs_subst_apply(pair->meeting->subst[who], t);
}

/// Are both results of one iteration of the loop in which the place is set anew?
static bool one_round(const gs_tickets *ts, const result_pair *pair) {
  const gs_program *p = ts->program;
  for (int who = 0; who < 2; who++) {
    const ticket *t = &ts->tickets[ts->sym_of[pair->sym[who]]];
    const gs_sym *sym = gs_sym_get(p->terms, pair->sym[who]);
    if (t->within == ALWAYS)
      continue;
    bool inside = sym->copy == 0 && sym->loop != 0;
    uint32_t l = inside ? sym->loop - 1 : GS_NONE, own = pair->meeting->loop[who];
    while (l != GS_NONE && l != t->loop)
      l = p->loops[l].parent;
    while (own != GS_NONE && own != t->loop)
      own = p->loops[own].parent;
    if (l != t->loop || own != t->loop || !pair->meeting->same_block || pair->meeting->tied < t->within)
      return false;
  }
  return true;
}

/// The result counted from 0, and room for what is added.
static gs_term in_range(gs_terms *terms, gs_term r) {
  return gs_mk_bin(terms, GS_OP_SLE, gs_mk_const(terms, 0, gs_term_width(terms, r)), r);
}

static bool is_one(const gs_terms *terms, gs_term t) {
  uint64_t value = 0;
  return gs_term_const(terms, t, &value) && value == 1;
}

/// The ranges [result, result + added) are apart.
static gs_term counter_fact(gs_terms *terms, const gs_term r[2], const gs_term added[2]) {
  gs_term apart;
  if (is_one(terms, added[0]) && is_one(terms, added[1])) {
    apart = gs_mk_not(terms, gs_mk_bin(terms, GS_OP_EQ, r[0], r[1]));
  } else {
    gs_term end[2];
    for (int i = 0; i < 2; i++)
      end[i] = gs_mk_bin_flags(terms, GS_OP_ADD, r[i], added[i], GS_NSW | GS_NUW, 0);
    apart = gs_mk_or(terms, gs_mk_bin(terms, GS_OP_SLE, end[0], r[1]),
                     gs_mk_bin(terms, GS_OP_SLE, end[1], r[0]));
  }
  return apart;
}

static gs_term kind_fact(gs_tickets *ts, const gs_access *a, const gs_access *b,
                         const result_pair *pair, const gs_term operand[2]) {
  gs_terms *terms = ts->program->terms;
  const gs_term *r = pair->result;
  switch ((gs_rmw_kind)a->rmw) {
  case GS_RMW_ADD: return counter_fact(terms, r, operand);
  case GS_RMW_EXCHANGE: // whoever comes second finds the constant
    return gs_mk_or(terms, gs_mk_bin(terms, GS_OP_EQ, r[0], operand[0]),
                    gs_mk_bin(terms, GS_OP_EQ, r[1], operand[1]));
  case GS_RMW_CAS: { // only one finds what it expects, if that changed it
    if (a->expected != b->expected)
      return GS_NO_TERM;
    gs_term kept[2], lost[2];
    for (int i = 0; i < 2; i++) {
      kept[i] = gs_mk_bin(terms, GS_OP_EQ, operand[i], a->expected);
      lost[i] = gs_mk_not(terms, gs_mk_bin(terms, GS_OP_EQ, r[i], a->expected));
    }
    return gs_mk_or(terms, gs_mk_or(terms, lost[0], lost[1]), gs_mk_or(terms, kept[0], kept[1]));
  }
  case GS_RMW_OR: { // whoever comes second finds the bits of the first
    gs_term follows[2];
    for (int i = 0; i < 2; i++) {
      gs_term missing = gs_mk_bin(terms, GS_OP_AND, operand[i], gs_mk_not(terms, r[1 - i]));
      follows[i] = gs_mk_bin(terms, GS_OP_EQ, missing,
                             gs_mk_const(terms, 0, gs_term_width(terms, missing)));
    }
    return gs_mk_or(terms, follows[0], follows[1]);
  }
  case GS_RMW_INC:
  case GS_RMW_OTHER: break;
  }
  return GS_NO_TERM;
}

/// Is it the result of one thread as all of its block have it?
static bool is_of_block(const gs_terms *terms, uint32_t sym) {
  return gs_sym_get(terms, sym)->copy == GS_COPY_OF_BLOCK;
}

static gs_term fact_of(gs_tickets *ts, const result_pair *pair) {
  const gs_program *p = ts->program;
  gs_terms *terms = p->terms;
  if (pair->meeting->same_block && (is_of_block(terms, pair->sym[0]) || is_of_block(terms, pair->sym[1])))
    return GS_NO_TERM; // it may be one and the same operation
  uint32_t at[2] = {ts->sym_of[pair->sym[0]], ts->sym_of[pair->sym[1]]};
  const gs_access *a = &p->accesses[at[0]], *b = &p->accesses[at[1]];
  bool shared = gs_is_shared(p->objects[a->targets[0].object].kind);
  if (a->rmw != b->rmw || a->targets[0].object != b->targets[0].object ||
      a->size != b->size || (shared && !pair->meeting->same_block) || !one_round(ts, pair))
    return GS_NO_TERM;
  gs_term operand[2], place[2];
  for (int who = 0; who < 2; who++) {
    const gs_access *x = &p->accesses[at[who]];
    operand[who] = then(ts, pair, who, x->operand);
    place[who] = then(ts, pair, who, x->targets[0].offset);
  }
  if (!operand[0] || !operand[1] || !place[0] || !place[1])
    return GS_NO_TERM;
  gs_term fact = kind_fact(ts, a, b, pair, operand);
  if (!fact)
    return GS_NO_TERM;
  gs_term elsewhere = gs_mk_not(terms, gs_mk_bin(terms, GS_OP_EQ, place[0], place[1]));
  fact = gs_mk_or(terms, elsewhere, fact);
  if (a->rmw != GS_RMW_ADD)
    return fact;
  ts->tickets[at[0]].assumed = ts->tickets[at[1]].assumed = true;
  return gs_mk_and(terms, gs_mk_and(terms, in_range(terms, pair->result[0]),
                                    in_range(terms, pair->result[1])), fact);
}

// ------------------------------------------------------------------- API ----

static void find_places(gs_tickets *ts) {
  const gs_program *p = ts->program;
  for (uint32_t b = 0; b < p->block_count; b++)
    for (uint32_t e = 0; e < p->blocks[b].event_count; e++)
      if (p->blocks[b].events[e].kind == GS_EVENT_ACCESS) {
        ts->tickets[p->blocks[b].events[e].index].block = b;
        ts->tickets[p->blocks[b].events[e].index].position = e;
      }
}

static void find_symbols(gs_tickets *ts) {
  const gs_program *p = ts->program;
  for (uint32_t i = 0; i < p->access_count; i++)
    if (ts->tickets[i].holds)
      ts->sym_of[gs_term_node(p->terms, p->accesses[i].result)->value] = i;
  for (uint32_t s = 0; s < ts->sym_count; s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    if (sym->copy != 0 && sym->origin < ts->sym_count)
      ts->sym_of[s] = ts->sym_of[sym->origin];
  }
}

gs_tickets *gs_tickets_new(const gs_program *p, const gs_tickets_options *options) {
  gs_tickets *ts = calloc(1, sizeof *ts);
  if (!ts)
    return NULL;
  *ts = (gs_tickets){.program = p, .options = *options, .sym_count = gs_sym_count(p->terms),
                     .barriers_match = true};
  ts->tickets = calloc(p->access_count + 1u, sizeof *ts->tickets);
  ts->sym_of = malloc((ts->sym_count + 1u) * sizeof *ts->sym_of);
  if (!ts->tickets || !ts->sym_of) {
    gs_tickets_free(ts);
    return NULL;
  }
  memset(ts->sym_of, 0xff, (ts->sym_count + 1u) * sizeof *ts->sym_of);
  for (uint32_t i = 0; i < p->barrier_count; i++)
    ts->barriers_match &= p->barriers[i].kind == GS_BARRIER_BLOCK || p->barriers[i].kind == GS_BARRIER_VOTE;
  find_places(ts);
  for (uint32_t i = 0; i < p->access_count; i++)
    ts->tickets[i].holds = may_hold(ts, &p->accesses[i]) && check_writes(ts, i);
  find_symbols(ts);
  return ts;
}

void gs_tickets_free(gs_tickets *ts) {
  if (!ts)
    return;
  free(ts->tickets);
  free(ts->sym_of);
  free(ts);
}

uint32_t *gs_tickets_among(const gs_tickets *ts, const unsigned char *seen, uint32_t *count) {
  uint32_t found[MAX_RESULTS], *out = NULL;
  *count = 0;
  // The latest ones: an unrolled loop has many, and each pair of them is a fact.
  for (uint32_t s = ts->sym_count; s-- > 0 && *count < MAX_RESULTS;)
    if (seen[s] && ts->sym_of[s] != GS_NONE)
      found[(*count)++] = s;
  if (*count)
    out = malloc(*count * sizeof *out);
  if (!out)
    *count = 0; // none, or without what would follow
  else
    memcpy(out, found, *count * sizeof *out);
  return out;
}

void gs_tickets_facts(gs_tickets *ts, const gs_ticket_meeting *m,
                      void (*add)(void *user, gs_term fact), void *user) {
  const gs_terms *terms = ts->program->terms;
  for (uint32_t i = 0; i < m->count[0]; i++)
    for (uint32_t j = 0; j < m->count[1]; j++) {
      result_pair pair = {.meeting = m, .sym = {m->syms[0][i], m->syms[1][j]}};
      for (int who = 0; who < 2; who++)
        pair.result[who] = gs_subst_apply(m->subst[who], gs_sym_term(terms, pair.sym[who]));
      gs_term fact = fact_of(ts, &pair);
      if (fact)
        add(user, fact);
    }
}

bool gs_tickets_assumed(const gs_tickets *ts, uint32_t access) {
  return ts->tickets[access].assumed;
}
