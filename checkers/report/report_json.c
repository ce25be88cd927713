// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as JSON; README.md beside this file documents every field.
//
// A failed allocation anywhere makes the whole rendering fail: a report that
// lacks a finding must not look like a report. jansson refuses NULL values and
// passes the refusal on, so one flag collects all of them.
#include "gs.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct gs_writer {
  bool with_times;
  bool failed;
} gs_writer;

static void put(gs_writer *w, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0)
    w->failed = true;
}

static void append(gs_writer *w, json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0)
    w->failed = true;
}

/// Length of the well-formed UTF-8 sequence at `s`, 0 when there is none
/// (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
static size_t utf8_length(const unsigned char *s, size_t left) {
  if (s[0] < 0x80)
    return 1;
  size_t n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
  if (s[0] < 0xC2 || s[0] > 0xF4 || n > left)
    return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80)
      return 0;
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
      (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
    return 0;
  return n;
}

/// File names need not be UTF-8, JSON must be: bytes that are not become U+FFFD.
static json_t *text(const char *s) {
  if (!s)
    return json_null();
  size_t length = strlen(s), used = 0;
  char *clean = malloc(length * 3 + 1);
  if (!clean)
    return NULL;
  for (size_t i = 0; i < length;) {
    size_t n = utf8_length((const unsigned char *)s + i, length - i);
    memcpy(clean + used, n ? s + i : "\xEF\xBF\xBD", n ? n : 3);
    used += n ? n : 3;
    i += n ? n : 1;
  }
  json_t *value = json_stringn_nocheck(clean, used);
  free(clean);
  return value;
}

/// JSON integers are signed here; a counter that large has long stopped to mean anything.
static json_t *number(uint64_t n) {
  return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *location(gs_writer *w, gs_loc loc) {
  if (!loc.file && !loc.line)
    return json_null();
  json_t *object = json_object();
  put(w, object, "file", text(loc.file));
  put(w, object, "line", number(loc.line));
  put(w, object, "column", number(loc.column));
  return object;
}

static json_t *dim(gs_writer *w, gs_dim d) {
  json_t *array = json_array();
  append(w, array, number(d.x));
  append(w, array, number(d.y));
  append(w, array, number(d.z));
  return array;
}

static json_t *access_ref(gs_writer *w, const gs_access_ref *access) {
  json_t *object = json_object();
  put(w, object, "location", location(w, access->loc));
  put(w, object, "write", json_boolean(access->is_write));
  put(w, object, "atomic", json_boolean(access->is_atomic));
  json_t *chain = json_array();
  for (uint32_t i = 0; i < access->inlined_count; i++)
    append(w, chain, location(w, access->inlined_at[i]));
  put(w, object, "inlined_at", chain);
  return object;
}

static json_t *array_ref(gs_writer *w, const gs_array_ref *array) {
  static const char *const kinds[] = {"parameter", "variable", "dynamic", "private"};
  json_t *object = json_object();
  put(w, object, "kind", text(kinds[array->kind]));
  put(w, object, "name", text(array->name));
  if (array->kind == GS_ARRAY_VARIABLE)
    put(w, object, "symbol", text(array->symbol));
  if (array->kind == GS_ARRAY_PARAM) {
    put(w, object, "parameter", number(array->param));
    put(w, object, "offset", number(array->offset));
  }
  return object;
}

/// A value as large as a machine word: JSON has no integers of that size that all readers keep.
static json_t *word(uint64_t value) {
  char digits[32];
  snprintf(digits, sizeof digits, "0x%" PRIx64, value);
  return text(digits);
}

/// What a run of the witness needs.
static json_t *run_of(gs_writer *w, const gs_witness *witness) {
  json_t *object = json_object(), *arguments = json_array(), *memory = json_array();
  put(w, object, "array", array_ref(w, &witness->array));
  put(w, object, "element_size", number(witness->elem_size));
  put(w, object, "dynamic_smem", number(witness->dynamic_smem));
  for (uint32_t i = 0; i < witness->argument_count; i++) {
    const gs_actual *a = &witness->arguments[i];
    json_t *argument = json_object();
    put(w, argument, "parameter", number(a->param));
    put(w, argument, "offset", number(a->offset));
    put(w, argument, "bits", number(a->bits));
    put(w, argument, "pointer", json_boolean(a->is_pointer));
    put(w, argument, "value", word(a->value));
    append(w, arguments, argument);
  }
  put(w, object, "arguments", arguments);
  for (uint32_t i = 0; i < witness->cell_count; i++) {
    const gs_cell *c = &witness->cells[i];
    json_t *cell = json_object();
    put(w, cell, "array", array_ref(w, &c->array));
    put(w, cell, "offset", json_integer(c->offset));
    put(w, cell, "bits", number(c->bits));
    put(w, cell, "value", word(c->value));
    append(w, memory, cell);
  }
  put(w, object, "memory", memory);
  json_t *shared = json_array();
  for (uint32_t i = 0; i < witness->alias_count; i++) {
    if (!witness->aliases[i].exact)
      continue;
    json_t *pair = json_array();
    append(w, pair, number(witness->aliases[i].of));
    append(w, pair, number(witness->aliases[i].param));
    append(w, shared, pair);
  }
  put(w, object, "one_buffer", shared);
  return object;
}

static json_t *witness(gs_writer *w, const gs_witness *witness) {
  if (!witness)
    return json_null();
  json_t *object = json_object();
  put(w, object, "grid", dim(w, witness->grid));
  put(w, object, "block", dim(w, witness->block));
  json_t *threads = json_array();
  for (uint32_t i = 0; i < witness->thread_count && i < 2; i++) {
    json_t *thread = json_object();
    put(w, thread, "thread", dim(w, witness->thread[i]));
    put(w, thread, "block", dim(w, witness->ctaid[i]));
    append(w, threads, thread);
  }
  put(w, object, "threads", threads);
  json_t *values = json_array();
  for (uint32_t i = 0; i < witness->value_count; i++) {
    json_t *value = json_object();
    put(w, value, "name", text(witness->values[i].name));
    put(w, value, "value", json_integer(witness->values[i].value));
    append(w, values, value);
  }
  put(w, object, "values", values);
  put(w, object, "byte_offset", json_integer(witness->byte_offset));
  put(w, object, "element",
      witness->has_element ? json_integer(witness->element) : json_null());
  put(w, object, "run", run_of(w, witness));
  return object;
}

static json_t *notes(gs_writer *w, const gs_finding *finding) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < finding->note_count; i++) {
    json_t *note = json_object();
    put(w, note, "location", location(w, finding->notes[i].loc));
    put(w, note, "text", text(finding->notes[i].text));
    append(w, array, note);
  }
  return array;
}

static json_t *fixits(gs_writer *w, const gs_finding *finding) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < finding->fixit_count; i++) {
    json_t *fixit = json_object();
    put(w, fixit, "location", location(w, finding->fixits[i].loc));
    put(w, fixit, "remove", number(finding->fixits[i].remove));
    put(w, fixit, "insert", text(finding->fixits[i].insert));
    append(w, array, fixit);
  }
  return array;
}

static json_t *finding_json(gs_writer *w, const gs_finding *finding) {
  json_t *object = json_object();
  put(w, object, "rule", text(gs_rule_name(finding->rule)));
  put(w, object, "verdict", text(gs_verdict_name(finding->verdict)));
  put(w, object, "error", json_boolean(finding->is_error));
  put(w, object, "location", location(w, finding->loc));
  put(w, object, "message", text(finding->message));
  put(w, object, "reason", text(finding->reason));
  put(w, object, "object", text(finding->object));
  json_t *accesses = json_array();
  for (uint32_t i = 0; i < finding->access_count && i < 2; i++)
    append(w, accesses, access_ref(w, &finding->access[i]));
  put(w, object, "accesses", accesses);
  put(w, object, "witness", witness(w, finding->witness));
  put(w, object, "replay", text(finding->replay));
  put(w, object, "notes", notes(w, finding));
  put(w, object, "fixits", fixits(w, finding));
  put(w, object, "instances", number(finding->instances));
  return object;
}

static json_t *counters(gs_writer *w, const gs_counters *c) {
  json_t *object = json_object();
  put(w, object, "accesses", number(c->accesses));
  put(w, object, "pairs", number(c->pairs));
  put(w, object, "queries", number(c->queries));
  put(w, object, "trivial", number(c->trivial));
  put(w, object, "affine", number(c->by_affine));
  put(w, object, "enumeration", number(c->by_enumeration));
  put(w, object, "search", number(c->by_search));
  put(w, object, "linear", number(c->by_linear));
  put(w, object, "bitvector", number(c->by_bitvector));
  put(w, object, "undecided", number(c->undecided));
  put(w, object, "cache_hits", number(c->cache_hits));
  put(w, object, "solver_units", number(c->solver_units));
  put(w, object, "terms", number(c->terms));
  put(w, object, "replays", number(c->replays));
  put(w, object, "refuted", number(c->refuted));
  put(w, object, "replay_steps", number(c->replay_steps));
  return object;
}

/// 64 hexadecimal digits.
static json_t *digest(const uint8_t bytes[32]) {
  static const char digits[] = "0123456789abcdef";
  char text[65] = "";
  for (int i = 0; i < 32; i++) {
    text[2 * i] = digits[bytes[i] >> 4];
    text[2 * i + 1] = digits[bytes[i] & 15];
  }
  return json_string(text);
}

static json_t *launch_sites(gs_writer *w, gs_launch_sites sites) {
  json_t *object = json_object();
  put(w, object, "proved", number(sites.proved));
  put(w, object, "depends", number(sites.depends));
  put(w, object, "violated", number(sites.violated));
  return object;
}

static json_t *kernel_json(gs_writer *w, const gs_kernel_result *kernel) {
  json_t *object = json_object();
  put(w, object, "name", text(kernel->name));
  put(w, object, "mangled", text(kernel->mangled));
  put(w, object, "location", location(w, kernel->loc));
  put(w, object, "annotated", json_boolean(kernel->has_claims));
  put(w, object, "verdict", text(gs_verdict_name(kernel->verdict)));
  put(w, object, "reason", text(kernel->reason));
  put(w, object, "proof", digest(kernel->proof));
  put(w, object, "launch_sites", launch_sites(w, kernel->sites));
  json_t *findings = json_array();
  for (uint32_t i = 0; i < kernel->finding_count; i++)
    append(w, findings, finding_json(w, &kernel->findings[i]));
  put(w, object, "findings", findings);
  json_t *assumptions = json_array();
  for (uint32_t i = 0; i < kernel->assumption_count; i++) {
    json_t *assumption = json_object();
    put(w, assumption, "text", text(kernel->assumptions[i].text));
    put(w, assumption, "checked", json_boolean(kernel->assumptions[i].checked));
    put(w, assumption, "location", location(w, kernel->assumptions[i].loc));
    append(w, assumptions, assumption);
  }
  put(w, object, "assumptions", assumptions);
  put(w, object, "counters", counters(w, &kernel->counters));
  if (w->with_times)
    put(w, object, "time_us", number(kernel->time_us));
  return object;
}

gs_status gs_report_to_json(const gs_report *report, bool with_times, char **out) {
  gs_writer w = {.with_times = with_times};
  json_t *root = json_object();
  put(&w, root, "version", json_integer(GS_REPORT_VERSION));
  put(&w, root, "file", text(report->file));
  put(&w, root, "target", text(report->target));
  put(&w, root, "as_optimised", json_boolean(report->as_optimised));
  json_t *kernels = json_array();
  for (uint32_t i = 0; i < report->kernel_count; i++)
    append(&w, kernels, kernel_json(&w, &report->kernels[i]));
  put(&w, root, "kernels", kernels);
  *out = w.failed ? NULL : json_dumps(root, JSON_INDENT(2));
  json_decref(root);
  return *out ? GS_OK : GS_ERROR_MEMORY;
}
