// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate.h"
#include "enumerate_program.h"

#include <stdlib.h>
#include <string.h>

/// Instances of one access, cases aside, that memory is spent on.
enum { MAX_INSTANCES = 1 << 22 };

/// What one instance of a thread touches.
typedef struct entry {
  uint64_t start;    ///< offset; the sign bit is flipped, so that order is unsigned
  uint64_t tie;      ///< tie values, numbered
  uint32_t instance; ///< number of the instance, in the order of the symbols
  uint32_t thread;   ///< number of its identity
  uint32_t who;      ///< access 0 or 1
} entry;

/// The instructions of an access that a symbol fills.
typedef struct binding {
  uint32_t row;
  bool is_uniform;
  uint32_t index; ///< into query->syms or query->uniforms
} binding;

typedef struct side {
  gs_enum_program program;
  binding *bindings;
  uint32_t binding_count;
  bool always; ///< no guard
} side;

typedef struct search {
  const gs_enum_query *query;
  side sides[2];
  uint32_t side_count; ///< 1: an access against itself
  uint64_t instances;  ///< of each side
  uint64_t *chosen;    ///< value of each uniform in this case
  entry *entries, *scratch;
  uint64_t *ties;      ///< tie values of each entry, tie_count apiece
  size_t count;        ///< entries of this case
  bool unknown;        ///< some instance has no value
  uint64_t steps;
} search;

static uint64_t sat_mul(uint64_t a, uint64_t b) {
  uint64_t r = 0;
  return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

static uint64_t sat_add(uint64_t a, uint64_t b) {
  uint64_t r = 0;
  return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

static uint64_t span(uint64_t lo, uint64_t hi) { return hi < lo ? 0 : sat_add(hi - lo, 1); }

static uint64_t uniform_span(const gs_enum_uniform *u) {
  return u->values ? u->value_count : span(u->lo, u->hi);
}

static uint64_t uniform_value(const gs_enum_uniform *u, uint64_t i) {
  return u->values ? u->values[i] : u->lo + i;
}

// ------------------------------------------------------------ preparation ----

/// Which listed symbol is this? \returns false when it is none.
static bool bind(const gs_enum_query *q, uint32_t who, uint32_t sym, binding *out) {
  for (uint32_t i = 0; i < q->sym_count; i++)
    if (q->syms[i].sym[who] == sym) {
      *out = (binding){.index = i};
      return true;
    }
  for (uint32_t i = 0; i < q->uniform_count; i++)
    if (q->uniforms[i].sym == sym) {
      *out = (binding){.index = i, .is_uniform = true};
      return true;
    }
  return false;
}

/// Roots of an access's program: offset, ties, guard (when there is one).
static bool compile_side(const gs_terms *terms, const gs_enum_query *q, uint32_t who, side *out) {
  const gs_enum_access *access = &q->access[who];
  gs_term roots[GS_ENUM_TIES + 2];
  uint32_t n = 0;
  roots[n++] = access->offset;
  for (uint32_t i = 0; i < q->tie_count; i++)
    roots[n++] = access->tie[i];
  out->always = !access->guard;
  if (access->guard)
    roots[n++] = access->guard;
  if (!gs_enum_program_compile(terms, roots, n, &out->program))
    return false;
  out->bindings = calloc(out->program.count + 1, sizeof *out->bindings);
  for (uint32_t row = 0; out->bindings && row < out->program.count; row++) {
    const gs_instruction *in = &out->program.code[row];
    binding found;
    if (in->op != GS_OP_SYM)
      continue;
    if (!bind(q, who, (uint32_t)in->value, &found))
      return false;
    found.row = row;
    out->bindings[out->binding_count++] = found;
  }
  return out->bindings != NULL;
}

/// An access against itself needs one list of entries only.
static bool is_self(const gs_enum_query *q) {
  const gs_enum_access *a = &q->access[0], *b = &q->access[1];
  bool same = a->guard == b->guard && a->offset == b->offset && a->size == b->size;
  for (uint32_t i = 0; i < q->tie_count; i++)
    same &= a->tie[i] == b->tie[i];
  for (uint32_t i = 0; i < q->sym_count; i++)
    same &= q->syms[i].sym[0] == q->syms[i].sym[1];
  return same;
}

static bool well_formed(const gs_terms *terms, const gs_enum_query *q) {
  if (q->tie_count > GS_ENUM_TIES)
    return false;
  for (int who = 0; who < 2; who++) {
    const gs_enum_access *a = &q->access[who];
    if (!a->offset || gs_term_width(terms, a->offset) != 64 || !a->size)
      return false;
    for (uint32_t i = 0; i < q->tie_count; i++)
      if (!a->tie[i])
        return false;
  }
  return true;
}

/// Steps of the whole search; UINT64_MAX when it does not fit memory.
static uint64_t plan(search *s, uint64_t *cases) {
  const gs_enum_query *q = s->query;
  uint64_t nodes = 0;
  s->instances = *cases = 1;
  for (uint32_t i = 0; i < q->sym_count; i++)
    s->instances = sat_mul(s->instances, span(q->syms[i].lo, q->syms[i].hi));
  for (uint32_t i = 0; i < q->uniform_count; i++)
    *cases = sat_mul(*cases, uniform_span(&q->uniforms[i]));
  for (uint32_t i = 0; i < s->side_count; i++)
    nodes += s->sides[i].program.count + 8; // an entry costs about eight nodes to sort
  if (s->instances > MAX_INSTANCES)
    return UINT64_MAX;
  uint64_t rounded = (s->instances + GS_LANES - 1) / GS_LANES * GS_LANES;
  return sat_mul(sat_mul(rounded, nodes), *cases);
}

// ------------------------------------------------------------- evaluation ----

/// Value of a symbol in an instance: digits of its number, the last fastest.
static uint64_t digit(const gs_enum_query *q, uint32_t sym, uint64_t instance) {
  for (uint32_t i = q->sym_count; i-- > sym + 1;)
    instance /= span(q->syms[i].lo, q->syms[i].hi);
  return q->syms[sym].lo + instance % span(q->syms[sym].lo, q->syms[sym].hi);
}

/// The same number for two instances of one thread.
static uint32_t thread_of(const gs_enum_query *q, uint64_t instance) {
  uint64_t number = 0, place = 1;
  for (uint32_t i = q->sym_count; i-- > 0;) {
    uint64_t n = span(q->syms[i].lo, q->syms[i].hi);
    if (q->syms[i].is_identity) {
      number += instance % n * place;
      place *= n;
    }
    instance /= n;
  }
  return (uint32_t)number;
}

static void fill_row(const search *s, const binding *b, uint64_t first, uint8_t width,
                     uint64_t *row) {
  const gs_enum_query *q = s->query;
  uint64_t mask = gs_mask(width);
  if (b->is_uniform) {
    for (uint32_t l = 0; l < GS_LANES; l++)
      row[l] = s->chosen[b->index] & mask;
    return;
  }
  const gs_enum_sym *sym = &q->syms[b->index];
  uint64_t inner = 1, n = span(sym->lo, sym->hi);
  for (uint32_t i = b->index + 1; i < q->sym_count; i++)
    inner *= span(q->syms[i].lo, q->syms[i].hi);
  uint64_t within = first % inner, value = first / inner % n;
  for (uint32_t l = 0; l < GS_LANES; l++) {
    row[l] = (sym->lo + value) & mask;
    if (++within == inner) {
      within = 0;
      value = value + 1 == n ? 0 : value + 1;
    }
  }
}

/// Notes the lanes whose guard holds.
static void collect_lanes(search *s, uint32_t who, uint64_t first) {
  const side *side = &s->sides[who];
  const gs_enum_program *p = &side->program;
  uint32_t ties = s->query->tie_count;
  for (uint64_t l = 0; l < GS_LANES && first + l < s->instances; l++) {
    uint32_t guard = side->always ? 0 : p->root[1 + ties];
    uint64_t bit = UINT64_C(1) << l;
    bool no_guard = !side->always && (gs_enum_program_undefined(p, guard) & bit);
    if (!no_guard && !side->always && !p->rows[guard].value[l])
      continue;
    bool undefined = no_guard;
    for (uint32_t i = 0; i <= ties; i++)
      undefined |= (gs_enum_program_undefined(p, p->root[i]) & bit) != 0;
    if (undefined) {
      s->unknown = true;
      continue;
    }
    entry *e = &s->entries[s->count];
    *e = (entry){.start = p->rows[p->root[0]].value[l] ^ (UINT64_C(1) << 63),
                 .instance = (uint32_t)(first + l),
                 .thread = thread_of(s->query, first + l),
                 .who = who};
    for (uint32_t i = 0; i < ties; i++)
      s->ties[s->count * ties + i] = p->rows[p->root[1 + i]].value[l];
    s->count++;
  }
}

static void evaluate(search *s) {
  s->count = 0;
  for (uint32_t who = 0; who < s->side_count; who++) {
    side *side = &s->sides[who];
    for (uint64_t first = 0; first < s->instances; first += GS_LANES) {
      for (uint32_t i = 0; i < side->binding_count; i++) {
        const binding *b = &side->bindings[i];
        fill_row(s, b, first, side->program.code[b->row].width, side->program.rows[b->row].value);
      }
      gs_enum_program_run(&side->program);
      collect_lanes(s, who, first);
      s->steps += (uint64_t)GS_LANES * (side->program.count + 8);
    }
  }
}

// ---------------------------------------------------------------- meeting ----

/// Numbers the tie values of the entries as digits of one number each.
/// \returns false when they do not fit.
static bool number_ties(search *s) {
  uint32_t ties = s->query->tie_count;
  uint64_t place = 1;
  for (uint32_t i = 0; i < ties; i++) {
    uint64_t lo = UINT64_MAX, hi = 0;
    for (size_t e = 0; e < s->count; e++) {
      uint64_t v = s->ties[e * ties + i];
      lo = v < lo ? v : lo;
      hi = v > hi ? v : hi;
    }
    for (size_t e = 0; e < s->count; e++)
      s->entries[e].tie += (s->ties[e * ties + i] - lo) * place;
    place = s->count ? sat_mul(place, span(lo, hi)) : place;
    if (place == UINT64_MAX)
      return ties == 1; // one tie of 64 bits is its own number
  }
  return true;
}

static uint64_t key_of(const entry *e, bool by_tie) { return by_tie ? e->tie : e->start; }

/// Stable sort by one key, eight bits at a time, on the bits that differ.
static void sort_by(search *s, bool by_tie) {
  uint64_t differ = 0;
  for (size_t i = 1; i < s->count; i++)
    differ |= key_of(&s->entries[i], by_tie) ^ key_of(&s->entries[0], by_tie);
  for (unsigned shift = 0; shift < 64; shift += 8) {
    size_t place[257] = {0};
    if (!(differ >> shift & 255))
      continue;
    for (size_t i = 0; i < s->count; i++)
      place[(key_of(&s->entries[i], by_tie) >> shift & 255) + 1]++;
    for (int b = 0; b < 256; b++)
      place[b + 1] += place[b];
    for (size_t i = 0; i < s->count; i++)
      s->scratch[place[key_of(&s->entries[i], by_tie) >> shift & 255]++] = s->entries[i];
    entry *sorted = s->scratch;
    s->scratch = s->entries;
    s->entries = sorted;
  }
}

/// The two latest entries of one access with different threads: of all entries
/// before, if any other thread's reaches a place, then one of these does.
typedef struct latest {
  const entry *last, *other;
} latest;

static void note(latest *l, const entry *e) {
  if (l->last && l->last->thread != e->thread)
    l->other = l->last;
  l->last = e;
}

/// Does an entry of access `who` before e, of another thread, reach e's start?
static const entry *reaches(const search *s, const latest *l, uint32_t who, const entry *e) {
  uint32_t size = s->query->access[who].size;
  const entry *before = l->last && l->last->thread == e->thread ? l->other : l->last;
  return before && before->tie == e->tie && e->start - before->start < size ? before : NULL;
}

/// Is there any pair? Entries are sorted by tie, then by start.
static bool any_pair(const search *s) {
  latest seen[2] = {{0}};
  bool self = s->side_count == 1;
  for (size_t i = 0; i < s->count; i++) {
    const entry *e = &s->entries[i];
    if (i && e[-1].tie != e->tie)
      memset(seen, 0, sizeof seen);
    uint32_t against = self ? 0 : 1 - e->who;
    if (reaches(s, &seen[against], against, e))
      return true;
    note(&seen[e->who], e);
  }
  return false;
}

/// First entry in (tie, start) order that is not before the given place.
static size_t first_from(const search *s, uint64_t tie, uint64_t start) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const entry *e = &s->entries[middle];
    bool before = e->tie < tie || (e->tie == tie && e->start < start);
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  return low;
}

/// The lowest instance that meets e, or NULL.
static const entry *partner(const search *s, const entry *e, uint64_t *looked) {
  bool self = s->side_count == 1;
  uint32_t size = s->query->access[0].size, other_size = s->query->access[1].size;
  uint64_t from = e->start >= other_size - 1 ? e->start - (other_size - 1) : 0;
  const entry *best = NULL;
  for (size_t i = first_from(s, e->tie, from); i < s->count; i++, ++*looked) {
    const entry *o = &s->entries[i];
    if (o->tie != e->tie || (o->start > e->start && o->start - e->start >= size))
      break;
    bool meets = o->thread != e->thread && (self || o->who == 1);
    if (meets && (!best || o->instance < best->instance))
      best = o;
  }
  return best;
}

/// The pair with the lowest instances. Any pair exists.
static void lowest_pair(const search *s, uint32_t pair[2]) {
  const entry *best = NULL, *best_partner = NULL;
  uint64_t looked = 0; // pathological inputs settle for any pair, at a fixed point
  for (size_t i = 0; i < s->count && (looked < MAX_INSTANCES || !best); i++) {
    const entry *e = &s->entries[i];
    if (e->who != 0 || (best && e->instance > best->instance))
      continue;
    const entry *p = partner(s, e, &looked);
    if (p) {
      best = e;
      best_partner = p;
    }
  }
  pair[0] = best ? best->instance : 0;
  pair[1] = best ? best_partner->instance : 0;
}

// ---------------------------------------------------------------- answers ----

static void set(gs_model *model, uint32_t sym, uint64_t value) {
  if (sym < model->count)
    model->values[sym] = value;
}

static bool fill_models(const gs_terms *terms, const search *s, const uint32_t pair[2],
                        gs_model out[2]) {
  const gs_enum_query *q = s->query;
  bool shared = false;
  for (uint32_t i = 0; i < q->sym_count; i++)
    for (uint32_t k = 0; k < q->sym_count; k++)
      shared |= q->syms[i].sym[0] == q->syms[k].sym[1] && q->syms[i].sym[0] != GS_ENUM_NO_SYM;
  for (int m = 0; m < 2; m++) {
    out[m] = (gs_model){.count = gs_sym_count(terms)};
    out[m].values = calloc(out[m].count + 1u, sizeof *out[m].values);
  }
  if (!out[0].values || !out[1].values) {
    gs_model_free(&out[0]);
    gs_model_free(&out[1]);
    return false;
  }
  for (int m = 0; m < 2; m++) {
    for (uint32_t i = 0; i < q->uniform_count; i++)
      set(&out[m], q->uniforms[i].sym, s->chosen[i]);
    for (uint32_t i = 0; i < q->sym_count; i++)
      for (int who = 0; who < 2; who++)
        if (who == m || !shared)
          set(&out[m], q->syms[i].sym[who], digit(q, i, pair[who]));
  }
  return true;
}

/// Modulo 2^64 two places meet as integers do, if no offset is near an end.
static bool far_from_ends(const search *s) {
  const uint64_t quarter = UINT64_C(1) << 62;
  for (size_t i = 0; i < s->count; i++)
    if (s->entries[i].start < quarter || s->entries[i].start >= 3 * quarter)
      return false;
  return true;
}

/// One case of the uniform symbols.
static gs_answer try_case(search *s, const gs_terms *terms, gs_model out[2]) {
  evaluate(s);
  if (!number_ties(s) || (s->query->modular && !far_from_ends(s))) {
    s->unknown = true;
    return GS_ANSWER_NO;
  }
  sort_by(s, false);
  if (s->query->tie_count)
    sort_by(s, true);
  if (!any_pair(s))
    return GS_ANSWER_NO;
  uint32_t pair[2];
  if (!out)
    return GS_ANSWER_YES;
  lowest_pair(s, pair);
  return fill_models(terms, s, pair, out) ? GS_ANSWER_YES : GS_ANSWER_DONT_KNOW;
}

static gs_answer try_cases(search *s, const gs_terms *terms, uint64_t cases, gs_model out[2]) {
  const gs_enum_query *q = s->query;
  for (uint64_t c = 0; c < cases; c++) {
    uint64_t rest = c;
    for (uint32_t i = q->uniform_count; i-- > 0; rest /= uniform_span(&q->uniforms[i]))
      s->chosen[i] = uniform_value(&q->uniforms[i], rest % uniform_span(&q->uniforms[i]));
    gs_answer answer = try_case(s, terms, out);
    if (answer != GS_ANSWER_NO)
      return answer;
  }
  return s->unknown ? GS_ANSWER_DONT_KNOW : GS_ANSWER_NO;
}

static bool make_room(search *s) {
  size_t entries = (size_t)s->instances * s->side_count + 1;
  s->entries = malloc(entries * sizeof *s->entries);
  s->scratch = malloc(entries * sizeof *s->scratch);
  s->ties = malloc((entries * s->query->tie_count + 1) * sizeof *s->ties);
  s->chosen = calloc(s->query->uniform_count + 1u, sizeof *s->chosen);
  return s->entries && s->scratch && s->ties && s->chosen;
}

static gs_answer run(search *s, const gs_terms *terms, gs_model out[2]) {
  const gs_enum_query *q = s->query;
  uint64_t cases = 0, budget = q->budget ? q->budget : GS_ENUM_DEFAULT_BUDGET;
  if (!well_formed(terms, q))
    return GS_ANSWER_DONT_KNOW;
  s->side_count = is_self(q) ? 1 : 2;
  for (uint32_t who = 0; who < s->side_count; who++)
    if (!compile_side(terms, q, who, &s->sides[who]))
      return GS_ANSWER_DONT_KNOW;
  if (plan(s, &cases) > budget || !make_room(s))
    return GS_ANSWER_DONT_KNOW;
  return try_cases(s, terms, cases, out);
}

gs_answer gs_enumerate(gs_terms *terms, const gs_enum_query *query, gs_model out[2],
                       uint64_t *steps) {
  search s = {.query = query};
  if (out)
    out[0] = out[1] = (gs_model){0};
  gs_answer answer = run(&s, terms, out);
  for (int who = 0; who < 2; who++) {
    gs_enum_program_free(&s.sides[who].program);
    free(s.sides[who].bindings);
  }
  free(s.entries);
  free(s.scratch);
  free(s.ties);
  free(s.chosen);
  if (steps)
    *steps = s.steps;
  return answer;
}
