// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols and terms of the text form.
#include "text_read.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_NESTING = 64, MAX_BITS = 64 };

static uint8_t read_width(gs_reader *r) {
  uint8_t width = (uint8_t)gs_read_number(r, MAX_BITS, "a width in bits");
  if (!width)
    gs_read_fail(r, "a width is 1 to 64 bits");
  return width ? width : 1;
}

// -------------------------------------------------------------- symbols ----

/// "s32" or "u32" as one word.
static void read_type(gs_reader *r, gs_sym *sym) {
  const gs_token *t = &r->token;
  uint32_t width = 0;
  bool fine = t->kind == GS_TOKEN_WORD && t->length >= 2 && t->length <= 3 &&
              (t->text[0] == 's' || t->text[0] == 'u');
  for (size_t i = 1; fine && i < t->length; i++) {
    fine = t->text[i] >= '0' && t->text[i] <= '9';
    width = width * 10 + (uint32_t)(t->text[i] - '0');
  }
  if (!fine || width < 1 || width > MAX_BITS) {
    gs_read_fail(r, "a type is missing, u1 to u64 or s1 to s64");
    width = 1;
  } else {
    sym->is_signed = t->text[0] == 's';
  }
  sym->width = (uint8_t)width;
  gs_read_next(r);
}

static void read_range(gs_reader *r, gs_sym *sym) {
  sym->hi = gs_mask(sym->width);
  if (!gs_read_char(r, '['))
    return;
  sym->lo = gs_read_number(r, sym->hi, "the lower bound");
  gs_read_expect(r, ',');
  sym->hi = gs_read_number(r, sym->hi, "the upper bound");
  if (sym->lo > sym->hi)
    gs_read_fail(r, "the range is empty");
  gs_read_expect(r, ']');
}

/// What the rest of the core takes for granted of symbols.
static void check_symbol(gs_reader *r, const gs_sym *s) {
  bool is_launch = s->kind <= GS_SYM_NCTAID || s->kind == GS_SYM_LAUNCH;
  bool is_wide = s->kind == GS_SYM_BASE || s->kind == GS_SYM_LOOP || s->is_address;
  if (is_launch)
    gs_read_fail(r, "the symbols of the launch are there already");
  if (is_wide && s->width != 64)
    gs_read_fail(r, "addresses and trip numbers have 64 bits");
  if ((s->kind == GS_SYM_PARAM || s->kind == GS_SYM_LOOP) && !s->copy && s->level != GS_LEVEL_GRID)
    gs_read_fail(r, "parameters and trip numbers have the level grid");
  if (s->kind == GS_SYM_LOOP && !s->copy && s->loop != s->index + 1)
    gs_read_fail(r, "a trip number belongs to its loop: 'in %" PRIu32 "' is missing", s->index);
  if (s->kind == GS_SYM_OPAQUE && !s->reason)
    gs_read_fail(r, "an opaque symbol says why: 'because' is missing");
}

/// The value of a symbol after its loop, or in another iteration. Copies 1 and 2 are
/// made when two threads meet.
static void read_copy(gs_reader *r, gs_sym *sym) {
  if (!gs_read_word(r, "copy"))
    return;
  sym->copy = gs_read_u32(r, "a number");
  if (r->status == GS_OK && sym->copy < 3)
    gs_read_fail(r, "copies are numbered from 3");
  if (!gs_read_word(r, "of"))
    gs_read_fail(r, "'of' is missing");
  gs_token start = r->token;
  gs_term of = gs_read_term(r);
  if (r->status == GS_OK && (!of || !gs_term_is(r->program->terms, of, GS_OP_SYM)))
    gs_read_fail_at(r, start.line, start.column, "a copy is of a symbol");
  sym->origin = (uint32_t)gs_term_node(r->program->terms, of)->value;
}

static gs_term read_symbol(gs_reader *r) {
  gs_sym sym = {.kind = (gs_sym_kind)gs_read_one_of(r, gs_text_symbols, "the kind of symbol")};
  if (r->token.kind == GS_TOKEN_NUMBER)
    sym.index = gs_read_u32(r, "an index");
  if (gs_read_char(r, '+'))
    sym.offset = gs_read_u32(r, "an offset");
  sym.level = (gs_level)gs_read_one_of(r, gs_text_levels, "the level");
  read_type(r, &sym);
  read_range(r, &sym);
  sym.exact = gs_read_word(r, "exact");
  sym.is_address = gs_read_word(r, "address");
  if (gs_read_word(r, "in"))
    sym.loop = (uint32_t)gs_read_number(r, UINT32_MAX - 1, "a loop") + 1;
  read_copy(r, &sym);
  sym.name = r->token.kind == GS_TOKEN_STRING ? gs_read_string(r) : "?";
  if (gs_read_word(r, "because"))
    sym.reason = gs_read_string(r);
  check_symbol(r, &sym);
  if (r->status != GS_OK)
    return GS_NO_TERM;
  gs_term term = gs_mk_sym(r->program->terms, &sym);
  if (!term)
    gs_read_no_memory(r);
  return term;
}

// ---------------------------------------------------------------- terms ----

static gs_term read_constant(gs_reader *r) {
  gs_token number = r->token;
  gs_read_next(r);
  gs_read_expect(r, ':');
  uint8_t width = read_width(r);
  bool negative = number.negative;
  uint64_t half = UINT64_C(1) << (width - 1);
  if (negative ? number.value > half : number.value > gs_mask(width))
    gs_read_fail_at(r, number.line, number.column, "the number does not fit %u bits",
                    (unsigned)width);
  return gs_mk_const(r->program->terms, negative ? 0 - number.value : number.value, width);
}

static gs_term read_name(gs_reader *r) {
  const gs_name_slot *slot = gs_name_map_find(&r->names, r->token.text, r->token.length);
  if (!slot)
    gs_read_fail(r, "no term has the name %%%.*s yet",
                 (int)(r->token.length < 60 ? r->token.length : 60), r->token.text);
  gs_read_next(r);
  return slot ? slot->value : GS_NO_TERM;
}

static gs_term read_any(gs_reader *r, uint32_t depth);

static void read_flags(gs_reader *r, gs_node *node) {
  if (gs_read_word(r, "nsw"))
    node->flags |= GS_NSW;
  if (gs_read_word(r, "nuw"))
    node->flags |= GS_NUW;
  if (r->token.kind != GS_TOKEN_ORIGIN)
    return;
  if (r->token.value >= r->program->origin_count)
    gs_read_fail(r, "there is no origin !%" PRIu64 " yet", r->token.value);
  node->origin = (uint32_t)r->token.value;
  gs_read_next(r);
}

/// After the opening bracket.
static gs_term read_operator(gs_reader *r, uint32_t depth) {
  gs_token start = r->token;
  gs_node node = {.op = (uint8_t)gs_read_one_of(r, gs_text_ops, "an operator")};
  gs_op op = (gs_op)node.op;
  bool has_width = op == GS_OP_ZEXT || op == GS_OP_SEXT || op == GS_OP_TRUNC || op == GS_OP_LOAD;
  if (has_width)
    node.width = read_width(r);
  for (uint32_t a = 0; a < gs_text_arity(op); a++)
    node.arg[a] = read_any(r, depth + 1);
  read_flags(r, &node);
  if (op >= GS_OP_EQ && op <= GS_OP_SLE)
    node.width = 1;
  else if (!has_width)
    node.width = gs_term_width(r->program->terms, node.arg[op == GS_OP_ITE ? 1 : 0]);
  gs_term term = r->status == GS_OK ? gs_mk_exact(r->program->terms, &node) : GS_NO_TERM;
  if (!term && gs_terms_failed(r->program->terms))
    gs_read_no_memory(r);
  else if (!term)
    gs_read_fail_at(r, start.line, start.column, "the operands do not fit '%s'",
                    gs_text_ops.items[op]);
  gs_read_expect(r, ')');
  return term;
}

static gs_term read_any(gs_reader *r, uint32_t depth) {
  if (r->token.kind == GS_TOKEN_NUMBER)
    return read_constant(r);
  if (r->token.kind == GS_TOKEN_TERM)
    return read_name(r);
  if (gs_read_word(r, "true"))
    return gs_mk_bool(r->program->terms, true);
  if (gs_read_word(r, "false"))
    return gs_mk_bool(r->program->terms, false);
  if (depth == 0 && gs_read_word(r, "none"))
    return GS_NO_TERM;
  if (depth >= MAX_NESTING)
    gs_read_fail(r, "brackets are nested too deeply; give the inner term a name");
  gs_read_expect(r, '(');
  return r->status == GS_OK ? read_operator(r, depth) : GS_NO_TERM;
}

gs_term gs_read_term(gs_reader *r) { return read_any(r, 0); }

gs_term gs_read_term_of(gs_reader *r, uint8_t width) {
  gs_token start = r->token;
  gs_term term = gs_read_term(r);
  if (r->status == GS_OK && (!term || gs_term_width(r->program->terms, term) != width))
    gs_read_fail_at(r, start.line, start.column, "a term of %u bit%s is needed here",
                    (unsigned)width, width == 1 ? "" : "s");
  return term;
}

void gs_read_definition(gs_reader *r) {
  gs_token name = r->token;
  if (gs_name_map_find(&r->names, name.text, name.length))
    gs_read_fail(r, "%%%.*s is defined twice", (int)(name.length < 60 ? name.length : 60),
                 name.text);
  gs_read_next(r);
  gs_read_expect(r, '=');
  gs_term term = gs_read_word(r, "sym") ? read_symbol(r) : read_any(r, 1);
  if (r->status == GS_OK)
    gs_name_map_add(r, &r->names, name.text, name.length, term);
  gs_read_end_line(r);
}
