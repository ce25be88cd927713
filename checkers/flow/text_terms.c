// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terms are a shared graph. A term that is used once, by the term that was made right
// after it, stands inside of it; everything else has a name. So the text shows
// expressions where it can, and parsing makes all terms in the order of the original.
#include "text_write.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 8, MAX_INSIDE = 12, NAME_SIZE = 64 };

/// How one term is shown.
typedef struct shown {
  uint32_t uses;     ///< by other terms; by the tables counts twice
  uint32_t position; ///< among the shown terms that are no constants
  uint32_t first;    ///< position of the first term that stands inside of it
  uint32_t name;     ///< number; symbols: into `texts`
  uint8_t nesting;
  bool seen, inside;
} shown;

struct gs_term_names {
  const gs_program *program;
  shown *terms;
  uint32_t count;
  char (*texts)[NAME_SIZE]; ///< names of symbols, by symbol
};

// ---------------------------------------------------------------- marks ----

static void root(gs_term_names *n, gs_term t) {
  if (t && t < n->count) {
    n->terms[t].seen = true;
    n->terms[t].uses += 2;
  }
}

static void mark_roots(gs_term_names *n) {
  const gs_program *p = n->program;
  for (uint32_t d = 0; d < 3; d++) {
    root(n, p->tid[d]), root(n, p->ctaid[d]);
    root(n, p->ntid[d]), root(n, p->nctaid[d]);
  }
  root(n, p->dynamic_smem);
  for (uint32_t i = 0; i < p->object_count; i++)
    root(n, p->objects[i].base);
  for (uint32_t i = 0; i < p->access_count; i++) {
    const gs_access *a = &p->accesses[i];
    root(n, a->size_term), root(n, a->value);
    root(n, a->result), root(n, a->operand), root(n, a->expected);
    root(n, a->loaded), root(n, a->tile), root(n, a->stride);
    for (uint32_t t = 0; t < a->target_count; t++)
      root(n, a->targets[t].guard), root(n, a->targets[t].offset);
  }
  for (uint32_t i = 0; i < p->barrier_count; i++)
    root(n, p->barriers[i].mask);
  for (uint32_t i = 0; i < p->block_count; i++)
    root(n, p->blocks[i].guard), root(n, p->blocks[i].live), root(n, p->blocks[i].branch);
  for (uint32_t i = 0; i < p->loop_count; i++) {
    const gs_loop *l = &p->loops[i];
    root(n, l->entry), root(n, l->again), root(n, l->trip);
    root(n, l->live_entry), root(n, l->live_again);
  }
  for (uint32_t i = 0; i < p->fact_count; i++) {
    root(n, gs_sym_term(p->terms, p->facts[i].sym));
    root(n, p->facts[i].fact);
  }
  // A clause finds the parameter that the kernel reads by looking through the symbols.
  for (uint32_t s = 0; s < gs_sym_count(p->terms); s++)
    if (gs_sym_get(p->terms, s)->kind == GS_SYM_PARAM)
      root(n, gs_sym_term(p->terms, s));
}

/// Operands have smaller indices, so one pass backwards reaches everything.
static void mark_operands(gs_term_names *n) {
  const gs_terms *terms = n->program->terms;
  for (gs_term t = n->count; t-- > 1;) {
    const gs_node *node = gs_term_node(terms, t);
    const gs_sym *sym = node->op == GS_OP_SYM ? gs_sym_get(terms, (uint32_t)node->value) : NULL;
    if (n->terms[t].seen && sym && sym->copy)
      root(n, gs_sym_term(terms, sym->origin));
    for (uint32_t a = 0; n->terms[t].seen && a < gs_text_arity((gs_op)node->op); a++) {
      n->terms[node->arg[a]].seen = true;
      n->terms[node->arg[a]].uses++;
    }
  }
}

/// Which operands stand inside of t: from the last to the first, each must have been
/// made right before what follows it in the text.
static void nest_operands(gs_term_names *n, gs_term t, uint32_t position) {
  const gs_terms *terms = n->program->terms;
  const gs_node *node = gs_term_node(terms, t);
  shown *self = &n->terms[t];
  self->position = self->first = position;
  for (uint32_t a = gs_text_arity((gs_op)node->op); a-- > 0;) {
    shown *arg = &n->terms[node->arg[a]];
    gs_op op = (gs_op)gs_term_node(terms, node->arg[a])->op;
    if (op == GS_OP_CONST || op == GS_OP_SYM || arg->uses != 1)
      continue;
    bool next = arg->position + 1 == self->first;
    if (!next || arg->nesting >= MAX_NESTING || position - arg->first > MAX_INSIDE)
      continue;
    arg->inside = true;
    self->first = arg->first;
    self->nesting = arg->nesting + 1 > self->nesting ? (uint8_t)(arg->nesting + 1) : self->nesting;
  }
}

// ---------------------------------------------------------------- names ----

/// Words of a source name with what the parser does not take replaced. Names of
/// symbols do not begin with a digit, and those of other terms do.
static void make_word(const char *name, char *out, size_t size) {
  size_t used = 0;
  if (!name || !isalpha((unsigned char)*name))
    out[used++] = 's';
  for (; name && *name && used + 1 < size; name++)
    out[used++] = isalnum((unsigned char)*name) || *name == '.' ? *name : '_';
  out[used] = 0;
}

typedef struct word_set {
  const char **slots;
  uint32_t mask;
} word_set;

static bool is_new(word_set *set, const char *word) {
  uint32_t h = 2166136261u; // FNV-1a
  for (const char *c = word; *c; c++)
    h = (h ^ (unsigned char)*c) * 16777619u;
  for (h &= set->mask; set->slots[h]; h = (h + 1) & set->mask)
    if (strcmp(set->slots[h], word) == 0)
      return false;
  set->slots[h] = word;
  return true;
}

/// Gives every shown symbol a word of its own; the first with a word has it alone.
static bool name_symbols(gs_term_names *n) {
  gs_terms *terms = n->program->terms;
  uint32_t count = gs_sym_count(terms), number = 0, slots = 16;
  while (slots < count * 2)
    slots *= 2;
  word_set set = {calloc(slots, sizeof *set.slots), slots - 1};
  n->texts = calloc(count + 1u, sizeof *n->texts);
  if (set.slots && n->texts)
    for (uint32_t s = 0; s < count; s++) {
      gs_term t = gs_sym_term(terms, s);
      if (t >= n->count || !n->terms[t].seen)
        continue;
      make_word(gs_sym_get(terms, s)->name, n->texts[s], NAME_SIZE - 12);
      size_t length = strlen(n->texts[s]);
      number++;
      if (!is_new(&set, n->texts[s]))
        snprintf(n->texts[s] + length, NAME_SIZE - length, "~%" PRIu32, number);
    }
  bool fine = set.slots && n->texts;
  free(set.slots);
  return fine;
}

gs_term_names *gs_term_names_new(const gs_program *program) {
  gs_term_names *n = calloc(1, sizeof *n);
  if (!n)
    return NULL;
  n->program = program;
  n->count = (uint32_t)gs_terms_count(program->terms);
  n->terms = calloc(n->count + 1u, sizeof *n->terms);
  if (!n->terms) {
    gs_term_names_free(n);
    return NULL;
  }
  mark_roots(n);
  mark_operands(n);
  uint32_t position = 1, number = 0;
  for (gs_term t = 1; t < n->count; t++)
    if (n->terms[t].seen && !gs_term_is(program->terms, t, GS_OP_CONST))
      nest_operands(n, t, position++);
  for (gs_term t = 1; t < n->count; t++)
    if (n->terms[t].seen && !n->terms[t].inside && !gs_term_is(program->terms, t, GS_OP_CONST) &&
        !gs_term_is(program->terms, t, GS_OP_SYM))
      n->terms[t].name = number++;
  if (!name_symbols(n)) {
    gs_term_names_free(n);
    return NULL;
  }
  return n;
}

void gs_term_names_free(gs_term_names *names) {
  if (!names)
    return;
  free(names->terms);
  free(names->texts);
  free(names);
}

// ---------------------------------------------------------------- lines ----

static void put_constant(gs_out *out, const gs_node *node) {
  if (node->width == 1)
    gs_out_put(out, node->value ? "true" : "false");
  else
    gs_out_put(out, "%" PRId64 ":%u", gs_sign_extend(node->value, node->width),
               (unsigned)node->width);
}

static void put_operator(gs_out *out, const gs_term_names *n, gs_term t) {
  const gs_node *node = gs_term_node(n->program->terms, t);
  gs_op op = (gs_op)node->op;
  gs_out_put(out, "(%s", gs_text_ops.items[op]);
  if (op == GS_OP_ZEXT || op == GS_OP_SEXT || op == GS_OP_TRUNC || op == GS_OP_LOAD)
    gs_out_put(out, " %u", (unsigned)node->width);
  for (uint32_t a = 0; a < gs_text_arity(op); a++) {
    gs_out_put(out, " ");
    if (n->terms[node->arg[a]].inside)
      put_operator(out, n, node->arg[a]); // at most MAX_NESTING deep
    else
      gs_out_term(out, n, node->arg[a]);
  }
  gs_out_put(out, "%s%s", node->flags & GS_NSW ? " nsw" : "", node->flags & GS_NUW ? " nuw" : "");
  if (node->origin)
    gs_out_put(out, " !%" PRIu32, node->origin);
  gs_out_put(out, ")");
}

static bool has_index(gs_sym_kind kind) { return kind != GS_SYM_OPAQUE; }

static void put_symbol(gs_out *out, const gs_term_names *n, const gs_sym *sym) {
  gs_out_put(out, "sym %s", gs_text_symbols.items[sym->kind]);
  if (has_index(sym->kind) || sym->index)
    gs_out_put(out, " %" PRIu32, sym->index);
  if (sym->offset)
    gs_out_put(out, " +%" PRIu32, sym->offset);
  gs_out_put(out, " %s %c%u", gs_text_levels.items[sym->level], sym->is_signed ? 's' : 'u',
             (unsigned)sym->width);
  if (sym->lo || sym->hi != gs_mask(sym->width))
    gs_out_put(out, " [%" PRIu64 ", %" PRIu64 "]", sym->lo, sym->hi);
  if (sym->exact)
    gs_out_put(out, " exact");
  if (sym->is_address)
    gs_out_put(out, " address");
  if (sym->loop)
    gs_out_put(out, " in %" PRIu32, sym->loop - 1);
  if (sym->copy) {
    gs_out_put(out, " copy %" PRIu32 " of ", sym->copy);
    gs_out_term(out, n, gs_sym_term(n->program->terms, sym->origin));
  }
  if (sym->name) {
    gs_out_put(out, " ");
    gs_out_quote(out, sym->name);
  }
  if (sym->reason) {
    gs_out_put(out, " because ");
    gs_out_quote(out, sym->reason);
  }
}

void gs_out_term(gs_out *out, const gs_term_names *n, gs_term t) {
  const gs_node *node = gs_term_node(n->program->terms, t);
  if (!t)
    gs_out_put(out, "none");
  else if (node->op == GS_OP_CONST)
    put_constant(out, node);
  else if (node->op == GS_OP_SYM)
    gs_out_put(out, "%%%s", n->texts[node->value]);
  else
    gs_out_put(out, "%%%" PRIu32, n->terms[t].name);
}

/// The symbols of the launch are there from the beginning.
static bool is_predefined(const gs_terms *terms, const gs_node *node) {
  if (node->op != GS_OP_SYM)
    return false;
  gs_sym_kind kind = gs_sym_get(terms, (uint32_t)node->value)->kind;
  return kind <= GS_SYM_NCTAID || kind == GS_SYM_LAUNCH;
}

void gs_out_definitions(gs_out *out, const gs_term_names *n) {
  const gs_terms *terms = n->program->terms;
  for (gs_term t = 1; t < n->count; t++) {
    const gs_node *node = gs_term_node(terms, t);
    if (!n->terms[t].seen || n->terms[t].inside || node->op == GS_OP_CONST ||
        is_predefined(terms, node))
      continue;
    gs_out_put(out, "  ");
    gs_out_term(out, n, t);
    gs_out_put(out, " = ");
    if (node->op == GS_OP_SYM)
      put_symbol(out, n, gs_sym_get(terms, (uint32_t)node->value));
    else
      put_operator(out, n, t);
    gs_out_put(out, "\n");
  }
}
