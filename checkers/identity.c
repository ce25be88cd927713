// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "identity.h"

#include "gs_bytecode.h"

#include <stdlib.h>
#include <string.h>

/// Changes when the same input gets to mean something else.
static const char scheme[] = "gpusafe proof 1";

void gs_identity_begin(gs_sha256 *hash) {
  gs_sha256_init(hash);
  gs_identity_text(hash, scheme);
}

void gs_identity_number(gs_sha256 *hash, uint64_t number) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(number >> (8 * i));
  gs_sha256_add(hash, bytes, sizeof bytes);
}

void gs_identity_bytes(gs_sha256 *hash, const void *data, size_t size) {
  gs_identity_number(hash, size);
  gs_sha256_add(hash, data, size);
}

/// NULL differs from "".
void gs_identity_text(gs_sha256 *hash, const char *text) {
  gs_identity_number(hash, text != NULL);
  if (text)
    gs_identity_bytes(hash, text, strlen(text));
}

/// As bytecode: what it means, whatever its names and blanks are.
static void add_clause(gs_sha256 *hash, const gs_clause *clause) {
  size_t size = 0;
  gs_identity_number(hash, clause != NULL);
  if (!clause)
    return;
  gs_status status = gs_bytecode_compile(clause, NULL, 0, &size);
  uint8_t *code = status == GS_OK ? malloc(size) : NULL;
  if (code && gs_bytecode_compile(clause, code, size, &size) == GS_OK)
    gs_identity_bytes(hash, code, size);
  else // too large for bytecode
    gs_identity_text(hash, clause->text);
  free(code);
}

static void add_fact(gs_sha256 *hash, const gs_fact *fact) {
  gs_identity_number(hash, (uint64_t)fact->origin << 1 | fact->wraps);
  add_clause(hash, fact->clause);
}

static void add_claim(gs_sha256 *hash, const gs_claim *claim) {
  gs_identity_number(hash, claim->kind);
  gs_identity_number(hash, (uint64_t)claim->param);
  gs_identity_number(hash, claim->scope);
  add_clause(hash, claim->count);
  gs_identity_text(hash, claim->rule);
  gs_identity_text(hash, claim->reason);
  // Which statements a trust covers is a matter of lines: relative to its own.
  bool is_statement = claim->begin.file != NULL;
  gs_identity_number(hash, is_statement);
  if (!is_statement)
    return;
  gs_identity_number(hash, claim->begin.line - (uint64_t)claim->loc.line);
  gs_identity_number(hash, claim->end.line - (uint64_t)claim->loc.line);
}

static void add_param(gs_sha256 *hash, const gs_param_desc *param) {
  gs_identity_number(hash, param->kind);
  gs_identity_number(hash, param->size);
  gs_identity_number(hash, param->elem_size);
  gs_identity_number(hash, (uint64_t)param->const_pointee << 1 | param->is_restrict);
  gs_identity_number(hash, param->field_count);
  for (uint32_t i = 0; i < param->field_count; i++) {
    const gs_field *f = &param->fields[i];
    gs_identity_number(hash, f->offset);
    gs_identity_number(hash, f->bits);
    gs_identity_number(hash, (uint64_t)f->kind << 1 | f->is_signed);
    gs_identity_number(hash, f->elem_size);
  }
}

static void add_launch(gs_sha256 *hash, const gs_launch_desc *launch) {
  gs_identity_number(hash, launch->fact_count);
  for (uint32_t i = 0; i < launch->fact_count; i++)
    add_fact(hash, &launch->facts[i]);
  gs_identity_number(hash, launch->alias_count);
  for (uint32_t i = 0; i < launch->alias_count; i++) {
    gs_identity_number(hash, launch->aliases[i].param);
    gs_identity_number(hash, launch->aliases[i].of);
    gs_identity_number(hash, launch->aliases[i].exact);
  }
}

static void add_desc(gs_sha256 *hash, const gs_kernel_desc *desc) {
  gs_identity_number(hash, desc->param_count);
  for (uint32_t i = 0; i < desc->param_count; i++)
    add_param(hash, &desc->params[i]);
  gs_identity_number(hash, desc->claim_count);
  for (uint32_t i = 0; i < desc->claim_count; i++)
    add_claim(hash, &desc->claims[i]);
  gs_identity_number(hash, desc->fact_count);
  for (uint32_t i = 0; i < desc->fact_count; i++)
    add_fact(hash, &desc->facts[i]);
  gs_identity_number(hash, desc->max_threads);
  gs_identity_number(hash, desc->launch_count);
  for (uint32_t i = 0; i < desc->launch_count; i++)
    add_launch(hash, &desc->launches[i]);
  gs_identity_number(hash, desc->only_these_launches);
}

/// "… (line 12)": the text without numbers of lines.
static void add_assumption(gs_sha256 *hash, const gs_assumption *assumption) {
  const char *text = assumption->text, *line = strstr(text, "line");
  size_t length = line && assumption->loc.line ? (size_t)(line - text) : strlen(text);
  gs_identity_bytes(hash, text, length);
  // A launch's facts stand behind its line, and they do matter.
  const char *rest = text + length;
  while (*rest && *rest != ':')
    rest++;
  gs_identity_text(hash, rest);
  gs_identity_number(hash, assumption->checked);
}

void gs_identity_end(gs_sha256 *hash, const gs_input *input, const gs_kernel_desc *desc,
                     gs_kernel_result *out) {
  const gs_options *o = &input->options;
  gs_identity_text(hash, out->mangled);
  gs_identity_text(hash, input->target);
  gs_identity_number(hash, desc != NULL);
  if (desc)
    add_desc(hash, desc);
  gs_identity_number(hash, o->strict);
  gs_identity_number(hash, o->as_optimised);
  gs_identity_number(hash, o->same_value);
  gs_identity_number(hash, o->rules ? o->rules : gs_rule_defaults());
  gs_identity_number(hash, out->verdict);
  gs_identity_number(hash, out->assumed);
  gs_identity_number(hash, out->assumption_count);
  for (uint32_t i = 0; i < out->assumption_count; i++)
    add_assumption(hash, &out->assumptions[i]);
  gs_sha256_end(hash, out->proof);
}
