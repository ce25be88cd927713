// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Verification of contract descriptors.
#include "gs_descriptor.h"

#include <string.h>

typedef struct opener {
  const unsigned char *block;
  size_t size;
  const gs_desc_header *header;
  gs_descriptor *out;
  const char *problem;
} opener;

static bool bad(opener *o, const char *problem) {
  o->problem = o->problem ? o->problem : problem;
  return false;
}

static bool text_ok(opener *o, uint32_t offset) {
  if (offset == 0)
    return true;
  if (offset < sizeof(gs_desc_header) || offset >= o->size ||
      !memchr(o->block + offset, 0, o->size - offset))
    return bad(o, "a text lies outside of the descriptor");
  return true;
}

static const void *table(opener *o, uint32_t offset, uint32_t count, uint32_t most, size_t row) {
  if (count > most || offset % 4 != 0 || offset < sizeof(gs_desc_header) || offset > o->size ||
      (o->size - offset) / row < count) {
    bad(o, "a table lies outside of the descriptor");
    return NULL;
  }
  return o->block + offset;
}

static uint32_t param_size(const void *user, uint32_t param) {
  const gs_descriptor *d = user;
  return param < d->header->param_count ? d->params[param].size : 0;
}

static bool code_ok(opener *o, uint32_t offset, uint32_t size) {
  if (offset > o->size || size > o->size - offset)
    return bad(o, "a program lies outside of the descriptor");
  if (gs_bytecode_verify(o->block + offset, size, param_size, o->out, NULL) != GS_OK)
    return bad(o, "malformed bytecode");
  return true;
}

static bool element_ok(opener *o, uint32_t kind, uint32_t size, uint32_t align) {
  bool pointer = kind == GS_DESC_POINTER;
  if (kind > GS_DESC_OTHER || (!pointer && (size | align) != 0) || (align & (align - 1)) != 0 ||
      (size == 0) != (align == 0))
    return bad(o, "a parameter's type makes no sense");
  return true;
}

static bool params_ok(opener *o) {
  uint64_t end = 0;
  for (uint32_t i = 0; i < o->header->param_count; i++) {
    const gs_desc_param_row *p = &o->out->params[i];
    if (!text_ok(o, p->name) || !text_ok(o, p->type) ||
        !element_ok(o, p->kind, p->elem_size, p->elem_align))
      return false;
    if (p->size == 0 || p->size > 65536 || p->offset < end || p->offset > 65536)
      return bad(o, "parameters overlap or are out of order");
    if (p->kind == GS_DESC_POINTER && p->size != sizeof(uint64_t))
      return bad(o, "a pointer that has not 8 bytes");
    end = (uint64_t)p->offset + p->size;
  }
  return true;
}

static bool leaves_ok(opener *o) {
  for (uint32_t i = 0; i < o->header->leaf_count; i++) {
    const gs_desc_leaf_row *l = &o->out->leaves[i];
    uint32_t size = param_size(o->out, l->param);
    uint32_t need = l->kind == GS_DESC_POINTER ? 8 : (l->bits + 7) / 8;
    if (!text_ok(o, l->name) || !element_ok(o, l->kind, l->elem_size, l->elem_align))
      return false;
    if (l->bits > 128 || need == 0 || need > size || l->offset > size - need)
      return bad(o, "a field lies outside of its parameter");
  }
  return true;
}

static bool clauses_ok(opener *o) {
  for (uint32_t i = 0; i < o->header->clause_count; i++) {
    const gs_desc_clause_row *c = &o->out->clauses[i];
    if (!text_ok(o, c->text) || !text_ok(o, c->file) || !code_ok(o, c->code, c->code_size))
      return false;
  }
  return true;
}

static bool claims_ok(opener *o) {
  for (uint32_t i = 0; i < o->header->claim_count; i++) {
    const gs_desc_claim_row *c = &o->out->claims[i];
    if (!text_ok(o, c->text) || !text_ok(o, c->file))
      return false;
    if (c->kind > GS_DESC_EXTENT || c->scope > 3 || c->param >= o->header->param_count ||
        o->out->params[c->param].kind != GS_DESC_POINTER)
      return bad(o, "a claim on something that is no pointer");
    if (c->code_size != 0 && o->out->params[c->param].elem_size == 0)
      return bad(o, "a count of elements whose size is unknown");
    if (c->code_size != 0 && !code_ok(o, c->code, c->code_size))
      return false;
  }
  return true;
}

static bool header_ok(opener *o) {
  const gs_desc_header *h = o->header;
  if (h->magic != GS_DESCRIPTOR_MAGIC)
    return bad(o, "not a contract descriptor");
  if (h->version != GS_DESCRIPTOR_VERSION)
    return bad(o, "a descriptor of another version");
  if (h->size != o->size || o->size > GS_DESCRIPTOR_MAX_SIZE)
    return bad(o, "the descriptor's size is wrong");
  return text_ok(o, h->name) && text_ok(o, h->mangled) && text_ok(o, h->file);
}

static bool tables_ok(opener *o) {
  const gs_desc_header *h = o->header;
  gs_descriptor *d = o->out;
  d->params = table(o, h->params, h->param_count, GS_DESCRIPTOR_MAX_PARAMS, sizeof *d->params);
  d->leaves = table(o, h->leaves, h->leaf_count, GS_DESCRIPTOR_MAX_ROWS, sizeof *d->leaves);
  d->clauses = table(o, h->clauses, h->clause_count, GS_DESCRIPTOR_MAX_ROWS, sizeof *d->clauses);
  d->claims = table(o, h->claims, h->claim_count, GS_DESCRIPTOR_MAX_CLAIMS, sizeof *d->claims);
  return d->params && d->leaves && d->clauses && d->claims;
}

gs_status gs_descriptor_open(const void *block, size_t size, gs_descriptor *out,
                             const char **problem) {
  opener o = {.block = block, .size = size, .header = block, .out = out};
  memset(out, 0, sizeof *out);
  bool ok;
  if (!block || size < sizeof(gs_desc_header) || (uintptr_t)block % 4 != 0)
    ok = bad(&o, "the descriptor is cut off or not aligned to 4 bytes");
  else {
    out->block = block;
    out->header = block;
    ok = header_ok(&o) && tables_ok(&o) && params_ok(&o) && leaves_ok(&o) && clauses_ok(&o) &&
         claims_ok(&o);
  }
  if (!ok)
    memset(out, 0, sizeof *out);
  if (problem)
    *problem = o.problem;
  return ok ? GS_OK : GS_ERROR_INPUT;
}

const gs_desc_leaf_row *gs_desc_leaf(const gs_descriptor *descriptor, uint32_t param,
                                     uint32_t offset) {
  for (uint32_t i = 0; i < descriptor->header->leaf_count; i++)
    if (descriptor->leaves[i].param == param && descriptor->leaves[i].offset == offset)
      return &descriptor->leaves[i];
  return NULL;
}
