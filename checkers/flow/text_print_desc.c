// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the source says of a kernel, as text.
#include "text_write.h"

#include <inttypes.h>
#include <string.h>

static void put_type(gs_out *out, gs_type_kind kind, uint32_t size, uint32_t elem_size, gs_elem elem) {
  gs_out_put(out, " %s %" PRIu32, gs_text_types.items[kind], size);
  if (elem_size)
    gs_out_put(out, " elem %" PRIu32 "%s", elem_size,
               elem == GS_ELEM_SIGNED     ? " signed"
               : elem == GS_ELEM_UNSIGNED ? " unsigned"
                                          : "");
}

static void put_param(gs_out *out, const gs_param_desc *p) {
  gs_out_put(out, "  param ");
  gs_out_quote(out, p->name);
  gs_out_put(out, " ");
  gs_out_quote(out, p->type);
  put_type(out, p->kind, p->size, p->elem_size, p->elem);
  gs_out_put(out, "%s%s", p->const_pointee ? " const" : "", p->is_restrict ? " restrict" : "");
  gs_out_loc(out, "at", p->loc);
  gs_out_put(out, "\n");
  for (uint32_t i = 0; i < p->field_count; i++) {
    const gs_field *f = &p->fields[i];
    gs_out_put(out, "    field ");
    gs_out_quote(out, f->path);
    gs_out_put(out, " +%" PRIu32, f->offset);
    put_type(out, f->kind, f->bits, f->elem_size, f->elem);
    gs_out_put(out, "%s\n", f->is_signed ? " signed" : "");
  }
}

/// Is there an earlier node with the same name? Then it needs no second binding.
static bool is_bound(const gs_clause *c, uint32_t node) {
  const gs_expr *e = &c->nodes[node];
  for (uint32_t i = 0; i < node; i++) {
    const gs_expr *o = &c->nodes[i];
    if (o->op == GS_EXPR_NAME && o->end - o->begin == e->end - e->begin &&
        memcmp(c->text + o->begin, c->text + e->begin, e->end - e->begin) == 0)
      return true;
  }
  return false;
}

static void put_binding(gs_out *out, const gs_clause *c, const gs_expr *e, bool first) {
  const gs_name *n = &e->name;
  gs_out_put(out, first ? " where " : ", ");
  gs_out_quote_part(out, c->text + e->begin, e->end - e->begin);
  if (n->kind == GS_NAME_PARAM)
    gs_out_put(out, " = param %" PRIu32 " +%" PRIu32 " %c%" PRIu32, n->param, n->offset,
               n->is_signed ? 's' : 'u', n->bits);
  else if (n->kind == GS_NAME_POINTER)
    gs_out_put(out, n->offset ? " = pointer %" PRIu32 " +%" PRIu32 : " = pointer %" PRIu32, n->param,
               n->offset);
  else
    gs_out_put(out, " = %" PRId64, n->value);
}

static void put_clause(gs_out *out, const gs_clause *c) {
  bool first = true;
  gs_out_put(out, " ");
  gs_out_quote(out, c->text);
  for (uint32_t i = 0; i < c->count; i++) {
    if (c->nodes[i].op != GS_EXPR_NAME || c->nodes[i].name.kind > GS_NAME_CONSTANT || is_bound(c, i))
      continue;
    put_binding(out, c, &c->nodes[i], first);
    first = false;
  }
}

static void put_claim(gs_out *out, const gs_claim *c) {
  gs_out_put(out, "  claim %s", gs_text_claims.items[c->kind]);
  if (c->param >= 0)
    gs_out_put(out, " param %" PRId32, c->param);
  if (c->count) {
    gs_out_put(out, " count");
    put_clause(out, c->count);
  }
  if (c->kind == GS_CLAIM_EXCLUSIVE) // elsewhere it means nothing
    gs_out_put(out, " scope %s", gs_text_scopes.items[c->scope]);
  if (c->rule) {
    gs_out_put(out, " rule ");
    gs_out_quote(out, c->rule);
  }
  if (c->reason) {
    gs_out_put(out, " because ");
    gs_out_quote(out, c->reason);
  }
  gs_out_loc(out, "at", c->loc);
  gs_out_loc(out, "from", c->begin);
  gs_out_loc(out, "to", c->end);
  gs_out_put(out, "\n");
}

void gs_out_description(gs_out *out, const gs_kernel_desc *d) {
  gs_out_put(out, "  name ");
  gs_out_quote(out, d->name);
  if (d->max_threads)
    gs_out_put(out, " threads %" PRIu32, d->max_threads);
  gs_out_loc(out, "at", d->loc);
  gs_out_put(out, "\n");
  for (uint32_t i = 0; i < d->param_count; i++)
    put_param(out, &d->params[i]);
  for (uint32_t i = 0; i < d->claim_count; i++)
    put_claim(out, &d->claims[i]);
  for (uint32_t i = 0; i < d->fact_count; i++) {
    gs_out_put(out, "  fact %s", gs_text_facts.items[d->facts[i].origin]);
    put_clause(out, d->facts[i].clause);
    gs_out_loc(out, "at", d->facts[i].loc);
    gs_out_put(out, "\n");
  }
}
