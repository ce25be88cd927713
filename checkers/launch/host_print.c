// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of host code as texts and as clauses.
#include "host_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PRINTED = 200, MAX_TREE = 2000 };

typedef struct printer {
  const gs_hosts *hosts;
  gs_host_namer namer;
  void *user;
  char *buffer;
  size_t size, length;
  uint32_t left; ///< nodes that may still be printed
  bool failed;
} printer;

static const char *op_text(gs_expr_op op) {
  static const char *const texts[] = {
#define GS_EXPR(name, arity, text) text,
#include "contract_ops.def"
  };
  return texts[op];
}

static void put(printer *p, const char *text) {
  size_t n = strlen(text);
  for (size_t i = 0; i < n; i++)
    if (p->length + i + 1 < p->size)
      p->buffer[p->length + i] = text[i];
  p->length += n;
}

static void print(printer *p, uint32_t at, bool inner);

static void print_call(printer *p, const gs_host_node *node) {
  put(p, op_text(node->op));
  put(p, "(");
  for (unsigned i = 0; i < gs_expr_op_arity(node->op); i++) {
    put(p, i ? ", " : "");
    print(p, node->args[i], false);
  }
  put(p, ")");
}

static void print_number(printer *p, int64_t value, bool inner) {
  char text[32];
  snprintf(text, sizeof text, inner && value < 0 ? "(%lld)" : "%lld", (long long)value);
  put(p, text);
}

static void print_operator(printer *p, const gs_host_node *node, bool inner) {
  const gs_host_node *last = gs_host_at(p->hosts, node->args[1]);
  bool minus = node->op == GS_EXPR_ADD && last->op == GS_EXPR_INT && last->value < 0 &&
               last->value != INT64_MIN;
  put(p, inner ? "(" : "");
  if (gs_expr_op_arity(node->op) == 1) {
    put(p, op_text(node->op));
    print(p, node->args[0], true);
  } else {
    print(p, node->args[0], true);
    put(p, " ");
    put(p, node->op == GS_EXPR_COND ? "?" : minus ? "-" : op_text(node->op));
    put(p, " ");
    if (minus)
      print_number(p, -last->value, true);
    else
      print(p, node->args[1], true);
  }
  if (node->op == GS_EXPR_COND) {
    put(p, " : ");
    print(p, node->args[2], true);
  }
  put(p, inner ? ")" : "");
}

static void print(printer *p, uint32_t at, bool inner) {
  const gs_host_node *node = gs_host_at(p->hosts, at);
  const char *name = p->namer ? p->namer(p->user, at) : NULL;
  if (p->left-- == 0 || p->failed || !at || (p->namer && !name && node->op == GS_EXPR_NAME)) {
    p->failed = true;
    p->left = 1;
    return;
  }
  if (name)
    put(p, name);
  else if (node->op == GS_EXPR_NAME)
    put(p, node->name);
  else if (node->op == GS_EXPR_INT)
    print_number(p, node->value, inner);
  else if (node->op >= GS_EXPR_MIN)
    print_call(p, node);
  else
    print_operator(p, node, inner);
}

size_t gs_host_print(const gs_hosts *hosts, uint32_t at, gs_host_namer namer, void *user,
                     char *buffer, size_t size) {
  printer p = {.hosts = hosts, .namer = namer, .user = user, .buffer = buffer, .size = size,
               .left = MAX_PRINTED};
  print(&p, at, false);
  if (size)
    buffer[p.length < size ? p.length : size - 1] = '\0';
  return p.failed ? 0 : p.length;
}

// ------------------------------------------------------------------ clauses ----

/// Nodes of the tree that the expression unfolds to; beyond MAX_TREE just more.
static uint32_t tree_size(const gs_hosts *hosts, uint32_t at) {
  const gs_host_node *node = gs_host_at(hosts, at);
  uint32_t n = 1;
  for (int i = 0; i < 3 && n <= MAX_TREE; i++)
    if (node->args[i])
      n += tree_size(hosts, node->args[i]);
  return n;
}

/// Copies what `at` needs, operands first. Children have smaller indices in the store.
/// Nobody's child is node 0, which stands for no operand in a clause.
static uint32_t copy_nodes(const gs_hosts *hosts, uint32_t at, gs_expr *out) {
  uint32_t *place = calloc(at + 1u, sizeof *place), count = 1;
  out[0] = (gs_expr){.op = GS_EXPR_INT};
  unsigned char *needed = calloc(at + 1u, 1);
  if (place && needed) {
    needed[at] = 1;
    for (uint32_t i = at; i > 0; i--)
      for (int k = 0; needed[i] && k < 3; k++)
        needed[hosts->nodes[i].args[k]] = 1;
    for (uint32_t i = 1; i <= at; i++) {
      const gs_host_node *node = &hosts->nodes[i];
      if (!needed[i])
        continue;
      gs_expr e = {.op = node->op};
      for (unsigned k = 0; k < gs_expr_op_arity(node->op); k++)
        e.args[k] = place[node->args[k]];
      if (node->op == GS_EXPR_INT)
        e.value = node->value;
      if (node->op == GS_EXPR_NAME)
        e.name = (gs_name){.kind = GS_NAME_PARAM, .param = (uint32_t)node->value,
                           .bits = node->type.bits, .is_signed = node->type.is_signed};
      place[i] = count;
      out[count++] = e;
    }
  }
  free(place);
  free(needed);
  return count;
}

gs_clause *gs_host_clause(const gs_hosts *hosts, uint32_t at) {
  if (!at || tree_size(hosts, at) > MAX_TREE)
    return NULL;
  gs_expr *nodes = calloc(at + 2u, sizeof *nodes);
  uint32_t count = nodes ? copy_nodes(hosts, at, nodes) : 0;
  char none = '\0';
  gs_clause whole = {.text = &none, .nodes = nodes, .count = count};
  gs_clause *out = count > 1 ? gs_clause_copy(&whole) : NULL;
  free(nodes);
  return out;
}
