// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the source says of a kernel, read back.
#include "text_read.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_BINDINGS = 256 };

/// What a clause's names mean, as its line says.
typedef struct bindings {
  const char *names[MAX_BINDINGS];
  gs_name values[MAX_BINDINGS];
  uint32_t count;
} bindings;

// -------------------------------------------------------------- clauses ----

static gs_name read_meaning(gs_reader *r) {
  gs_name name = {.kind = GS_NAME_CONSTANT};
  bool param = gs_read_word(r, "param"), pointer = !param && gs_read_word(r, "pointer");
  if (!param && !pointer) {
    name.value = (int64_t)gs_read_signed(r, 64);
    return name;
  }
  name.kind = param ? GS_NAME_PARAM : GS_NAME_POINTER;
  if (r->token.kind == GS_TOKEN_NUMBER && r->token.value >= r->desc->param_count)
    gs_read_fail(r, "there is no parameter %" PRIu64, r->token.value);
  name.param = gs_read_u32(r, "a parameter");
  if (!param) {
    if (gs_read_char(r, '+'))
      name.offset = gs_read_u32(r, "an offset");
    return name;
  }
  gs_read_expect(r, '+');
  name.offset = gs_read_u32(r, "an offset");
  const gs_token *t = &r->token;
  bool fine = t->kind == GS_TOKEN_WORD && t->length >= 2 && t->length <= 3 &&
              (t->text[0] == 's' || t->text[0] == 'u');
  for (size_t i = 1; fine && i < t->length; i++) {
    fine = t->text[i] >= '0' && t->text[i] <= '9';
    name.bits = name.bits * 10 + (uint32_t)(t->text[i] - '0');
  }
  if (!fine || !name.bits || name.bits > 64)
    gs_read_fail(r, "a type is missing, u1 to u64 or s1 to s64");
  else
    name.is_signed = t->text[0] == 's';
  gs_read_next(r);
  return name;
}

static void read_bindings(gs_reader *r, bindings *b) {
  if (!gs_read_word(r, "where"))
    return;
  do {
    if (b->count == MAX_BINDINGS) {
      gs_read_fail(r, "a clause has at most %d names", MAX_BINDINGS);
      return;
    }
    const char *name = gs_read_string(r);
    gs_read_expect(r, '=');
    b->values[b->count] = read_meaning(r);
    b->names[b->count++] = name ? name : "";
  } while (gs_read_char(r, ','));
}

/// The parser of clauses asks without blanks (`a [2]` as a[2]).
static bool same_name(const char *known, const char *asked, size_t length) {
  size_t i = 0;
  for (; *known; known++) {
    if (*known == ' ' || *known == '\t' || *known == '\n')
      continue;
    if (i == length || *known != asked[i++])
      return false;
  }
  return i == length;
}

static bool resolve(void *user, const char *name, size_t length, gs_name *out, const char **hint) {
  const bindings *b = user;
  (void)hint;
  for (uint32_t i = 0; i < b->count; i++) {
    bool exact = strlen(b->names[i]) == length && memcmp(b->names[i], name, length) == 0;
    if (exact || same_name(b->names[i], name, length)) {
      *out = b->values[i];
      return true;
    }
  }
  return false;
}

static const gs_clause *read_clause(gs_reader *r) {
  gs_token start = r->token;
  const char *text = gs_read_string(r);
  bindings b;
  b.count = 0;
  read_bindings(r, &b);
  gs_clause *clause = NULL, **all = NULL;
  gs_parse_error error = {0};
  all = gs_read_room(r, r->text->clauses, r->text->clause_count, &r->text->clause_capacity,
                     sizeof *all);
  if (!all)
    return NULL;
  r->text->clauses = all;
  gs_status status = text ? gs_clause_parse(text, strlen(text), resolve, &b, &clause, &error)
                          : GS_ERROR_INPUT;
  if (status == GS_ERROR_MEMORY)
    gs_read_no_memory(r);
  else if (status != GS_OK)
    gs_read_fail_at(r, start.line, start.column, "column %" PRIu32 " of the clause: %.150s",
                    error.column + 1, text ? error.message : "it has no text");
  else
    all[r->text->clause_count++] = clause;
  return clause;
}

// ----------------------------------------------------------- parameters ----

static uint32_t read_elem(gs_reader *r, gs_elem *elem) {
  if (!gs_read_word(r, "elem"))
    return 0;
  uint32_t size = gs_read_u32(r, "the size of an element");
  *elem = gs_read_word(r, "signed")     ? GS_ELEM_SIGNED
          : gs_read_word(r, "unsigned") ? GS_ELEM_UNSIGNED
                                        : GS_ELEM_OTHER;
  return size;
}

static void read_param(gs_reader *r) {
  gs_param_desc *all = gs_read_room(r, (void *)r->desc->params, r->desc->param_count,
                                    &r->room.params, sizeof *all);
  if (!all)
    return;
  r->desc->params = all;
  gs_param_desc p = {.name = gs_read_string(r)};
  p.type = gs_read_string(r);
  if (r->status == GS_OK && (!p.name || !p.type))
    gs_read_fail(r, "a parameter has a name and a type, which may be empty");
  p.kind = (gs_type_kind)gs_read_one_of(r, gs_text_types, "the kind of type");
  p.size = gs_read_u32(r, "a size");
  p.elem_size = read_elem(r, &p.elem);
  p.const_pointee = gs_read_word(r, "const");
  p.is_restrict = gs_read_word(r, "restrict");
  if (gs_read_word(r, "at"))
    p.loc = gs_read_loc(r);
  r->room.fields = 0;
  all[r->desc->param_count++] = p;
}

static void read_field(gs_reader *r) {
  if (!r->desc->param_count) {
    gs_read_fail(r, "a field follows its parameter");
    return;
  }
  gs_param_desc *p = (gs_param_desc *)&r->desc->params[r->desc->param_count - 1];
  gs_field *all = gs_read_room(r, (void *)p->fields, p->field_count, &r->room.fields, sizeof *all);
  if (!all)
    return;
  p->fields = all;
  gs_field f = {.path = gs_read_string(r)};
  if (r->status == GS_OK && !f.path)
    gs_read_fail(r, "a field has a path, which may be empty");
  gs_read_expect(r, '+');
  f.offset = gs_read_u32(r, "an offset");
  f.kind = (gs_type_kind)gs_read_one_of(r, gs_text_types, "the kind of type");
  f.bits = gs_read_u32(r, "a width in bits");
  if (r->status == GS_OK && f.kind == GS_TYPE_INT && (!f.bits || f.bits > 64))
    gs_read_fail(r, "an integer has 1 to 64 bits");
  f.elem_size = read_elem(r, &f.elem);
  f.is_signed = gs_read_word(r, "signed");
  all[p->field_count++] = f;
}

// --------------------------------------------------------- claims, facts ----

static void read_claim(gs_reader *r) {
  gs_claim *all = gs_read_room(r, (void *)r->desc->claims, r->desc->claim_count, &r->room.claims,
                               sizeof *all);
  if (!all)
    return;
  r->desc->claims = all;
  gs_claim c = {.kind = (gs_claim_kind)gs_read_one_of(r, gs_text_claims, "the kind of claim"),
                .param = -1,
                .scope = GS_SCOPE_BLOCK};
  if (gs_read_word(r, "param")) {
    if (r->token.kind == GS_TOKEN_NUMBER && r->token.value >= r->desc->param_count)
      gs_read_fail(r, "there is no parameter %" PRIu64, r->token.value);
    c.param = (int32_t)gs_read_number(r, INT32_MAX, "a parameter");
  } else if (c.kind != GS_CLAIM_TRUSTED) {
    gs_read_fail(r, "'param' is missing");
  }
  if (gs_read_word(r, "count"))
    c.count = read_clause(r);
  if (gs_read_word(r, "scope"))
    c.scope = (gs_scope)gs_read_one_of(r, gs_text_scopes, "a scope");
  if (gs_read_word(r, "rule"))
    c.rule = gs_read_string(r);
  if (gs_read_word(r, "because"))
    c.reason = gs_read_string(r);
  if (gs_read_word(r, "at"))
    c.loc = gs_read_loc(r);
  if (gs_read_word(r, "from"))
    c.begin = gs_read_loc(r);
  if (gs_read_word(r, "to"))
    c.end = gs_read_loc(r);
  if (r->status == GS_OK && c.kind == GS_CLAIM_TRUSTED && (!c.rule || !c.reason))
    gs_read_fail(r, "a trust has a rule and a reason");
  all[r->desc->claim_count++] = c;
}

static void read_fact(gs_reader *r) {
  gs_fact *all = gs_read_room(r, (void *)r->desc->facts, r->desc->fact_count, &r->room.desc_facts,
                              sizeof *all);
  if (!all)
    return;
  r->desc->facts = all;
  gs_fact f = {.origin = (gs_fact_origin)gs_read_one_of(r, gs_text_facts, "the origin of a fact")};
  f.clause = read_clause(r);
  if (gs_read_word(r, "at"))
    f.loc = gs_read_loc(r);
  if (r->status == GS_OK)
    all[r->desc->fact_count++] = f;
}

static void read_source_name(gs_reader *r) {
  if (r->desc) {
    gs_read_fail(r, "the kernel has a name already");
    return;
  }
  const char *name = gs_read_string(r);
  r->desc = gs_pool_alloc(r->text->pool, sizeof *r->desc);
  if (!r->desc) {
    gs_read_no_memory(r);
    return;
  }
  r->program->desc = r->desc;
  r->desc->mangled = r->program->mangled;
  r->desc->name = name ? name : "";
  if (gs_read_word(r, "threads"))
    r->desc->max_threads = gs_read_u32(r, "a number of threads");
  if (gs_read_word(r, "at"))
    r->desc->loc = gs_read_loc(r);
}

bool gs_read_description(gs_reader *r) {
  static const struct {
    const char *word;
    void (*read)(gs_reader *r);
  } rows[] = {{"param", read_param}, {"field", read_field}, {"claim", read_claim},
              {"fact", read_fact}};
  if (gs_read_word(r, "name")) {
    read_source_name(r);
    gs_read_end_line(r);
    return true;
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!gs_read_is_word(r, rows[i].word))
      continue;
    if (!r->desc)
      gs_read_fail(r, "'name' comes before everything else about the source");
    gs_read_next(r);
    if (r->desc)
      rows[i].read(r);
    gs_read_end_line(r);
    return true;
  }
  return false;
}
