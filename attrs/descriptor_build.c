// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Construction of contract descriptors. The tables come first, then programs
/// and texts in one pool; equal texts are stored once.
#include "gs_descriptor.h"

#include <stdlib.h>
#include <string.h>

typedef struct builder {
  unsigned char *bytes;
  size_t size, capacity;
  size_t pool; ///< where the pool starts
  gs_status status;
} builder;

/// Appends zeros. \returns their offset, 0 on failure.
static uint32_t reserve(builder *b, size_t size) {
  if (b->status != GS_OK)
    return 0;
  if (size > GS_DESCRIPTOR_MAX_SIZE - b->size) {
    b->status = GS_ERROR_LIMIT;
    return 0;
  }
  if (b->size + size > b->capacity) {
    size_t capacity = (b->size + size) * 2;
    unsigned char *bytes = realloc(b->bytes, capacity);
    if (!bytes) {
      b->status = GS_ERROR_MEMORY;
      return 0;
    }
    b->bytes = bytes;
    b->capacity = capacity;
  }
  uint32_t at = (uint32_t)b->size;
  memset(b->bytes + at, 0, size);
  b->size += size;
  return at;
}

static void store(builder *b, uint32_t at, const void *bytes, size_t size) {
  if (b->status == GS_OK && size > 0)
    memcpy(b->bytes + at, bytes, size);
}

static uint32_t put_text(builder *b, const char *text) {
  if (!text || b->status != GS_OK)
    return 0;
  size_t size = strlen(text) + 1;
  for (size_t at = b->pool; at + size <= b->size; at++)
    if (memcmp(b->bytes + at, text, size) == 0)
      return (uint32_t)at;
  uint32_t at = reserve(b, size);
  store(b, at, text, size);
  return at;
}

static uint32_t put_code(builder *b, const gs_clause *clause, uint32_t *code_size) {
  size_t size = 0;
  gs_status status = gs_bytecode_compile(clause, NULL, 0, &size);
  uint32_t at = status == GS_OK ? reserve(b, size) : 0;
  if (status == GS_OK && b->status == GS_OK)
    status = gs_bytecode_compile(clause, b->bytes + at, size, &size);
  if (b->status == GS_OK)
    b->status = status;
  *code_size = (uint32_t)size;
  return at;
}

static void put_params(builder *b, const gs_desc_input *input, uint32_t at) {
  for (uint32_t i = 0; i < input->param_count && b->status == GS_OK;
       i++, at += (uint32_t)sizeof(gs_desc_param_row)) {
    const gs_desc_param *p = &input->params[i];
    gs_desc_param_row row = {0};
    row.name = put_text(b, p->name);
    row.type = put_text(b, p->type);
    row.size = p->size;
    row.offset = p->offset;
    row.kind = p->kind;
    row.flags = p->flags;
    row.elem_size = p->elem_size;
    row.elem_align = p->elem_align;
    store(b, at, &row, sizeof row);
  }
}

static void put_leaves(builder *b, const gs_desc_input *input, uint32_t at) {
  for (uint32_t i = 0; i < input->leaf_count && b->status == GS_OK;
       i++, at += (uint32_t)sizeof(gs_desc_leaf_row)) {
    const gs_desc_leaf_input *l = &input->leaves[i];
    gs_desc_leaf_row row = {0};
    row.name = put_text(b, l->name);
    row.param = l->param;
    row.offset = l->offset;
    row.bits = l->bits;
    row.kind = l->kind;
    row.flags = l->flags;
    row.elem_size = l->elem_size;
    row.elem_align = l->elem_align;
    store(b, at, &row, sizeof row);
  }
}

static void put_clauses(builder *b, const gs_desc_input *input, uint32_t at) {
  for (uint32_t i = 0; i < input->clause_count && b->status == GS_OK;
       i++, at += (uint32_t)sizeof(gs_desc_clause_row)) {
    const gs_desc_clause *c = &input->clauses[i];
    gs_desc_clause_row row = {0};
    row.text = put_text(b, c->clause->text);
    row.code = put_code(b, c->clause, &row.code_size);
    row.file = put_text(b, c->place.file);
    row.line = c->place.line;
    row.column = c->place.column;
    store(b, at, &row, sizeof row);
  }
}

static void put_claims(builder *b, const gs_desc_input *input, uint32_t at) {
  for (uint32_t i = 0; i < input->claim_count && b->status == GS_OK;
       i++, at += (uint32_t)sizeof(gs_desc_claim_row)) {
    const gs_desc_claim *c = &input->claims[i];
    gs_desc_claim_row row = {0};
    row.kind = c->kind;
    row.param = c->param;
    if (c->count) {
      row.text = put_text(b, c->count->text);
      row.code = put_code(b, c->count, &row.code_size);
    }
    row.scope = c->scope;
    row.file = put_text(b, c->place.file);
    row.line = c->place.line;
    row.column = c->place.column;
    store(b, at, &row, sizeof row);
  }
}

static uint32_t put_table(builder *b, uint32_t count, uint32_t most, size_t row) {
  if (count > most && b->status == GS_OK)
    b->status = GS_ERROR_LIMIT;
  return reserve(b, count * row);
}

static void put_header(builder *b, const gs_desc_input *input, gs_desc_header *header) {
  header->magic = GS_DESCRIPTOR_MAGIC;
  header->version = GS_DESCRIPTOR_VERSION;
  header->name = put_text(b, input->name);
  header->mangled = put_text(b, input->mangled);
  header->file = put_text(b, input->place.file);
  header->line = input->place.line;
  header->column = input->place.column;
  header->size = (uint32_t)b->size;
  store(b, 0, header, sizeof *header);
}

gs_status gs_descriptor_build(const gs_desc_input *input, void **block, size_t *size) {
  builder b = {0};
  gs_desc_header header = input->fixed;
  gs_descriptor check;
  *block = NULL;
  reserve(&b, sizeof header);
  header.param_count = input->param_count;
  header.leaf_count = input->leaf_count;
  header.clause_count = input->clause_count;
  header.claim_count = input->claim_count;
  header.params =
      put_table(&b, input->param_count, GS_DESCRIPTOR_MAX_PARAMS, sizeof(gs_desc_param_row));
  header.leaves =
      put_table(&b, input->leaf_count, GS_DESCRIPTOR_MAX_ROWS, sizeof(gs_desc_leaf_row));
  header.clauses =
      put_table(&b, input->clause_count, GS_DESCRIPTOR_MAX_ROWS, sizeof(gs_desc_clause_row));
  header.claims =
      put_table(&b, input->claim_count, GS_DESCRIPTOR_MAX_CLAIMS, sizeof(gs_desc_claim_row));
  b.pool = b.size;
  put_params(&b, input, header.params);
  put_leaves(&b, input, header.leaves);
  put_clauses(&b, input, header.clauses);
  put_claims(&b, input, header.claims);
  put_header(&b, input, &header);
  if (b.status == GS_OK)
    b.status = gs_descriptor_open(b.bytes, b.size, &check, NULL);
  if (b.status != GS_OK) {
    free(b.bytes);
    return b.status;
  }
  *block = b.bytes;
  *size = b.size;
  return GS_OK;
}
