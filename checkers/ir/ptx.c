// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REGISTERS = 64, MAX_OPERANDS = 8 };

/// A piece of the text.
typedef struct piece {
  const char *at;
  size_t length;
} piece;

/// A register of the text (or an output of the assembly) that holds an address.
typedef struct held {
  piece name;
  gs_ptx_address address;
} held;

typedef struct parser {
  gs_ptx_immediate_fn immediate;
  void *user;
  gs_ptx *out;
  held registers[MAX_REGISTERS];
  uint32_t register_count;
} parser;

typedef struct statement {
  bool predicated;
  piece opcode; ///< with its qualifiers
  piece operands[MAX_OPERANDS];
  uint32_t operand_count;
  bool too_many;
} statement;

static const char *const memory_opcodes[] = {"ld", "ldu", "st", "red", "atom", "cp", "tex", "tld4",
                                             "suld", "ldmatrix", "stmatrix", "wmma"};

bool gs_ptx_touches_memory(const char *opcode) {
  for (size_t i = 0; i < sizeof memory_opcodes / sizeof *memory_opcodes; i++)
    if (strcmp(memory_opcodes[i], opcode) == 0)
      return true;
  return false;
}

static bool same(piece a, const char *b) {
  return a.length == strlen(b) && memcmp(a.at, b, a.length) == 0;
}

static piece trim(piece p) {
  while (p.length && isspace((unsigned char)*p.at))
    p.at++, p.length--;
  while (p.length && isspace((unsigned char)p.at[p.length - 1]))
    p.length--;
  return p;
}

/// Takes the next qualifier of an opcode off: "global" of "ld.global.v2.f32" after "ld".
static bool next_qualifier(piece *opcode, piece *out) {
  while (opcode->length && (*opcode->at == '.' || *opcode->at == ':'))
    opcode->at++, opcode->length--;
  *out = (piece){opcode->at, 0};
  while (opcode->length && *opcode->at != '.' && *opcode->at != ':')
    opcode->at++, opcode->length--, out->length++;
  return out->length != 0;
}

static bool has_qualifier(piece opcode, const char *name) {
  piece q;
  while (next_qualifier(&opcode, &q))
    if (same(q, name))
      return true;
  return false;
}

// ------------------------------------------------------------ statements ----

/// Cuts at commas that stand in no brackets.
static void cut_operands(piece rest, statement *s) {
  int depth = 0;
  piece part = {rest.at, 0};
  for (size_t i = 0; i <= rest.length; i++) {
    char c = i < rest.length ? rest.at[i] : ',';
    depth += c == '[' || c == '{' || c == '(';
    depth -= c == ']' || c == '}' || c == ')';
    if (c != ',' || (depth > 0 && i < rest.length)) {
      part.length++;
      continue;
    }
    part = trim(part);
    if (part.length && s->operand_count < MAX_OPERANDS)
      s->operands[s->operand_count++] = part;
    else if (part.length)
      s->too_many = true;
    part = (piece){rest.at + i + 1, 0};
  }
}

/// Spaces, comments, and the brackets of a block of declarations.
static const char *skip(const char *p, const char *end) {
  for (;;) {
    while (p < end && (isspace((unsigned char)*p) || *p == '{' || *p == '}' || *p == ';'))
      p++;
    if (p + 1 < end && p[0] == '/' && p[1] == '/') {
      while (p < end && *p != '\n')
        p++;
    } else if (p + 1 < end && p[0] == '/' && p[1] == '*') {
      p += 2;
      while (p + 1 < end && (p[0] != '*' || p[1] != '/'))
        p++;
      p = p + 2 < end ? p + 2 : end;
    } else {
      return p;
    }
  }
}

/// Reads one statement. \returns the text behind it.
static const char *read_statement(const char *p, const char *end, statement *s) {
  *s = (statement){0};
  p = skip(p, end);
  if (p < end && *p == '@') {
    s->predicated = true;
    while (p < end && !isspace((unsigned char)*p))
      p++;
    p = skip(p, end);
  }
  s->opcode.at = p;
  while (p < end && (isalnum((unsigned char)*p) || strchr("._$%:", *p)))
    p++;
  s->opcode.length = (size_t)(p - s->opcode.at);
  if (s->opcode.length && s->opcode.at[s->opcode.length - 1] == ':') { // a label
    s->opcode.length = 0;
    return p;
  }
  piece rest = {p, 0};
  int depth = 0; // "{ ... }" of a vector, not of a block
  while (p < end && *p != ';' && (*p != '}' || depth > 0)) {
    depth += *p == '{';
    depth -= *p == '}';
    p++, rest.length++;
  }
  cut_operands(rest, s);
  return p == s->opcode.at && p < end ? p + 1 : p; // always forward
}

// ------------------------------------------------------------- addresses ----

static held *find_register(parser *ps, piece name) {
  for (uint32_t i = 0; i < ps->register_count; i++)
    if (ps->registers[i].name.length == name.length &&
        memcmp(ps->registers[i].name.at, name.at, name.length) == 0)
      return &ps->registers[i];
  return NULL;
}

static void set_register(parser *ps, piece name, gs_ptx_address address) {
  held *h = find_register(ps, name);
  if (!h && ps->register_count < MAX_REGISTERS)
    h = &ps->registers[ps->register_count++];
  if (h)
    *h = (held){name, address};
  else // no room: nothing that is read later may be believed
    for (uint32_t i = 0; i < ps->register_count; i++)
      ps->registers[i].address.known = false;
}

/// "$3" or "${3:x}" without its modifier. \returns false when it is no operand.
static bool operand_number(piece p, unsigned *number) {
  if (!p.length || *p.at != '$')
    return false;
  p.at++, p.length--;
  if (p.length && *p.at == '{')
    p.at++, p.length--;
  uint64_t n = 0;
  size_t digits = 0;
  for (; digits < p.length && isdigit((unsigned char)p.at[digits]); digits++)
    n = n * 10 + (uint64_t)(p.at[digits] - '0');
  *number = (unsigned)n;
  return digits && n < 1000 && (digits == p.length || p.at[digits] == ':' || p.at[digits] == '}');
}

static bool is_name(piece p) {
  bool fine = p.length > 0;
  for (size_t i = 0; i < p.length; i++)
    fine &= isalnum((unsigned char)p.at[i]) || strchr("_$%.{}:", p.at[i]) != NULL;
  return fine;
}

/// A number, or an operand that is a constant.
static bool constant(parser *ps, piece p, int64_t *value) {
  unsigned n = 0;
  char text[32], *end = NULL;
  if (operand_number(p, &n)) {
    *value = ps->immediate ? ps->immediate(ps->user, n) : -1;
    return *value >= 0;
  }
  if (!p.length || p.length >= sizeof text)
    return false;
  memcpy(text, p.at, p.length);
  text[p.length] = 0;
  *value = strtoll(text, &end, 0);
  return end != text && *end == 0;
}

static gs_ptx_address value_of(parser *ps, piece p) {
  gs_ptx_address a = {0};
  held *h = find_register(ps, p);
  if (h)
    return h->address; // an output that was written before is no longer what came in
  a.known = operand_number(p, &a.operand);
  return a;
}

/// "[$1 + 16]"
static gs_ptx_address address_of(parser *ps, piece p) {
  gs_ptx_address none = {0};
  if (p.length < 2 || p.at[0] != '[' || p.at[p.length - 1] != ']')
    return none;
  p = trim((piece){p.at + 1, p.length - 2});
  size_t plus = 0;
  while (plus < p.length && p.at[plus] != '+' && p.at[plus] != '-')
    plus++;
  piece base = trim((piece){p.at, plus});
  gs_ptx_address a = value_of(ps, base);
  if (plus == p.length || !a.known)
    return is_name(base) ? a : none;
  int64_t sign = p.at[plus] == '-' ? -1 : 1, offset = 0;
  piece rest = trim((piece){p.at + plus + 1, p.length - plus - 1});
  if (!constant(ps, rest, &offset) || !is_name(base))
    return none;
  a.offset += sign * offset;
  return a;
}

// --------------------------------------------------------------- effects ----

/// Bytes of "b128", "f32", "u8", "f16x2": the last qualifier that is a type.
static uint32_t type_bytes(piece opcode) {
  piece q;
  uint32_t bytes = 0;
  while (next_qualifier(&opcode, &q)) {
    if (same(q, "f16x2") || same(q, "bf16x2"))
      bytes = 4;
    else if (same(q, "bf16"))
      bytes = 2;
    else if (q.length >= 2 && strchr("bsuf", q.at[0]) && isdigit((unsigned char)q.at[1])) {
      uint32_t bits = 0;
      size_t i = 1;
      for (; i < q.length && isdigit((unsigned char)q.at[i]); i++)
        bits = bits * 10 + (uint32_t)(q.at[i] - '0');
      if (i == q.length && bits >= 8 && bits <= 128)
        bytes = bits / 8;
    }
  }
  return bytes;
}

static uint32_t vector_of(piece opcode) {
  return has_qualifier(opcode, "v2")   ? 2
         : has_qualifier(opcode, "v4") ? 4
         : has_qualifier(opcode, "v8") ? 8
                                       : 1;
}

static gs_ptx_space space_of(piece opcode) {
  if (has_qualifier(opcode, "global"))
    return GS_PTX_GLOBAL;
  if (has_qualifier(opcode, "shared"))
    return GS_PTX_SHARED;
  bool other = has_qualifier(opcode, "local") || has_qualifier(opcode, "const") ||
               has_qualifier(opcode, "param");
  return other ? GS_PTX_OTHER : GS_PTX_GENERIC;
}

static gs_ptx_scope scope_of(piece opcode) {
  return has_qualifier(opcode, "cta")       ? GS_PTX_CTA
         : has_qualifier(opcode, "cluster") ? GS_PTX_CLUSTER
         : has_qualifier(opcode, "sys")     ? GS_PTX_SYS
                                            : GS_PTX_GPU;
}

static void refuse(parser *ps, piece opcode) {
  size_t n = 0;
  if (ps->out->unknown[0])
    return;
  while (n < opcode.length && n + 1 < GS_PTX_WORD)
    n++;
  memcpy(ps->out->unknown, opcode.at, n);
  ps->out->unknown[n] = 0;
}

static void add_effect(parser *ps, const statement *s, const gs_ptx_effect *effect) {
  if (ps->out->count == GS_PTX_EFFECTS) {
    refuse(ps, s->opcode);
    return;
  }
  gs_ptx_effect *e = &ps->out->effects[ps->out->count++];
  *e = *effect;
  e->predicated = s->predicated;
}

static void plain_access(parser *ps, const statement *s, gs_ptx_kind kind) {
  uint32_t at = kind == GS_PTX_LOAD ? 1 : 0;
  bool strong = has_qualifier(s->opcode, "relaxed") || has_qualifier(s->opcode, "acquire") ||
                has_qualifier(s->opcode, "release") || has_qualifier(s->opcode, "mmio");
  gs_ptx_effect e = {.kind = kind,
                     .space = space_of(s->opcode),
                     .scope = scope_of(s->opcode),
                     .size = type_bytes(s->opcode) * vector_of(s->opcode),
                     .is_volatile = has_qualifier(s->opcode, "volatile"),
                     .is_strong = strong,
                     .orders = has_qualifier(s->opcode, "acquire") ||
                               has_qualifier(s->opcode, "release")};
  if (has_qualifier(s->opcode, "async") || s->operand_count <= at || !e.size) {
    refuse(ps, s->opcode); // st.async completes on an mbarrier
    return;
  }
  if (e.space == GS_PTX_OTHER)
    return; // local, constant and parameter space: nobody else's
  e.address = address_of(ps, s->operands[at]);
  add_effect(ps, s, &e);
}

static void atomic_access(parser *ps, const statement *s, bool returns) {
  uint32_t at = returns ? 1 : 0;
  bool acquires = has_qualifier(s->opcode, "acquire") || has_qualifier(s->opcode, "release") ||
                  has_qualifier(s->opcode, "acq_rel");
  gs_ptx_effect e = {.kind = GS_PTX_ATOMIC,
                     .space = space_of(s->opcode),
                     .scope = scope_of(s->opcode),
                     .size = type_bytes(s->opcode) * vector_of(s->opcode),
                     .orders = acquires};
  if (has_qualifier(s->opcode, "async") || s->operand_count <= at || !e.size) {
    refuse(ps, s->opcode);
    return;
  }
  e.address = address_of(ps, s->operands[at]);
  add_effect(ps, s, &e);
}

/// cp.async.ca.shared.global [to], [from], bytes{, filled};
static void async_copy(parser *ps, const statement *s) {
  gs_ptx_effect e = {.kind = GS_PTX_COPY, .space = GS_PTX_SHARED};
  int64_t bytes = 0;
  bool plain = (has_qualifier(s->opcode, "ca") || has_qualifier(s->opcode, "cg")) &&
               has_qualifier(s->opcode, "shared") && has_qualifier(s->opcode, "global") &&
               !has_qualifier(s->opcode, "bulk") && !has_qualifier(s->opcode, "mbarrier");
  if (has_qualifier(s->opcode, "commit_group") && !has_qualifier(s->opcode, "bulk")) {
    e.kind = GS_PTX_COMMIT;
  } else if (has_qualifier(s->opcode, "wait_all") && !has_qualifier(s->opcode, "bulk")) {
    e.kind = GS_PTX_WAIT;
    e.all = true;
  } else if (has_qualifier(s->opcode, "wait_group") && !has_qualifier(s->opcode, "bulk") &&
             s->operand_count == 1 && constant(ps, s->operands[0], &bytes) && bytes >= 0) {
    e.kind = GS_PTX_WAIT;
    e.groups = (uint32_t)bytes;
  } else if (plain && s->operand_count >= 3 && constant(ps, s->operands[2], &bytes) && bytes > 0 &&
             bytes <= 16) {
    e.size = (uint32_t)bytes;
    e.address = address_of(ps, s->operands[0]);
    e.source = address_of(ps, s->operands[1]);
    uint32_t sizes = s->operand_count - has_qualifier(s->opcode, "cache_hint");
    int64_t read = 0;
    e.partly = sizes > 3 && (!constant(ps, s->operands[3], &read) || read < bytes);
    e.reads = sizes > 3 && constant(ps, s->operands[3], &read) ? read : -1;
    if (e.partly)
      e.read = value_of(ps, s->operands[3]);
  } else {
    refuse(ps, s->opcode);
    return;
  }
  add_effect(ps, s, &e);
}

/// ldmatrix {...}, [from]; stmatrix [to], {...}; wmma.load {...}, [from]{, stride};
/// wmma.store [to], {...}{, stride}. wmma.mma touches registers only.
static void matrix_access(parser *ps, const statement *s) {
  gs_ptx_effect e = {.kind = GS_PTX_MATRIX, .space = space_of(s->opcode)};
  if (has_qualifier(s->opcode, "mma"))
    return;
  bool known = gs_matrix_read(s->opcode.at, s->opcode.length, &e.matrix);
  uint32_t at = e.matrix.is_write ? 0 : 1;
  e.matrix.has_stride = !e.matrix.is_rows && s->operand_count > 2;
  if (!known || s->operand_count < 2) {
    refuse(ps, s->opcode);
    return;
  }
  e.address = address_of(ps, s->operands[at]);
  if (e.matrix.has_stride)
    e.stride = value_of(ps, s->operands[2]);
  add_effect(ps, s, &e);
}

/// Registers that an opcode without memory writes: its first operand, "p|q" and "{a, b}"
/// being several.
static void carry_value(parser *ps, const statement *s, piece name) {
  if (!s->operand_count)
    return;
  gs_ptx_address value = {0};
  bool copies = same(name, "mov") || same(name, "cvta") ||
                (same(name, "cvt") && s->operand_count == 2 &&
                 (has_qualifier(s->opcode, "u64") || has_qualifier(s->opcode, "u32")) &&
                 !has_qualifier(s->opcode, "f32") && !has_qualifier(s->opcode, "f64"));
  if (copies && s->operand_count == 2 && !s->predicated && s->operands[0].at[0] != '{' &&
      is_name(s->operands[1]))
    value = value_of(ps, s->operands[1]);
  piece to = s->operands[0], part = {to.at, 0};
  for (size_t i = 0; i <= to.length; i++) {
    char c = i < to.length ? to.at[i] : ',';
    if (c != ',' && c != '|' && c != '{' && c != '}') {
      part.length++;
      continue;
    }
    if (c == '{' && part.length && part.at[part.length - 1] == '$') { // ${3:x}
      part.length++;
      continue;
    }
    part = trim(part);
    if (part.length)
      set_register(ps, part, value);
    part = (piece){to.at + i + 1, 0};
  }
}

static void read_effects(parser *ps, const statement *s) {
  piece rest = s->opcode, name;
  if (!s->opcode.length || s->opcode.at[0] == '.' || !next_qualifier(&rest, &name))
    return;
  ps->out->statements++;
  if (s->too_many) {
    refuse(ps, s->opcode);
  } else if (same(name, "ld") || same(name, "ldu")) {
    plain_access(ps, s, GS_PTX_LOAD);
    carry_value(ps, s, name);
  } else if (same(name, "st")) {
    plain_access(ps, s, GS_PTX_STORE);
  } else if (same(name, "red")) {
    atomic_access(ps, s, false);
  } else if (same(name, "atom")) {
    atomic_access(ps, s, true);
    carry_value(ps, s, name);
  } else if (same(name, "cp")) {
    async_copy(ps, s);
  } else if (same(name, "ldmatrix") || same(name, "stmatrix") || same(name, "wmma")) {
    matrix_access(ps, s);
    carry_value(ps, s, name);
  } else if (same(name, "tex") || same(name, "tld4") || same(name, "suld")) {
    gs_ptx_effect e = {.kind = GS_PTX_TEXTURE};
    add_effect(ps, s, &e);
    carry_value(ps, s, name);
  } else {
    carry_value(ps, s, name);
  }
}

void gs_ptx_parse(const char *text, size_t length, gs_ptx_immediate_fn immediate, void *user,
                  gs_ptx *out) {
  parser ps = {.immediate = immediate, .user = user, .out = out};
  memset(out, 0, sizeof *out);
  for (const char *p = text, *end = text + length; p < end;) {
    statement s;
    const char *next = read_statement(p, end, &s);
    read_effects(&ps, &s);
    p = next > p ? next : p + 1;
  }
}
