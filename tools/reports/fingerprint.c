// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding is known again by rule, file, kernel, object and the text of the lines it is
// about; not by their numbers, nor by the values of a witness. Findings that agree in all of
// that are told apart by their order.
#include "collect.h"
#include "report.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

/// FNV-1a, 64 bits (Fowler, Noll, Vo), over the text and its end. Blanks do not count, so
/// that a line indented anew is the same.
static uint64_t mix(uint64_t hash, const char *text) {
  const uint64_t prime = 0x100000001B3u;
  for (; *text; text++)
    if (!strchr(" \t\r\n", *text))
      hash = (hash ^ (unsigned char)*text) * prime;
  return (hash ^ 0xFFu) * prime;
}

static uint64_t mix_place(gs_sources *sources, uint64_t hash, const json_t *object) {
  const json_t *location = json_object_get(object, "location");
  const char *file = gs_report_text(location, "file");
  const char *line = gs_sources_line(sources, file,
                                     json_integer_value(json_object_get(location, "line")));
  hash = mix(hash, file);
  return mix(hash, line ? line : "");
}

static uint64_t hash_of(gs_sources *sources, const json_t *finding) {
  uint64_t hash = 0xCBF29CE484222325u;
  hash = mix(hash, gs_report_text(finding, "rule"));
  const char *kernel = gs_report_text(finding, "kernel");
  hash = mix(hash, gs_mem_printf(sources->mem, "%.*s", (int)strcspn(kernel, "<"), kernel));
  hash = mix(hash, gs_report_text(finding, "object"));
  hash = mix_place(sources, hash, finding);
  size_t i;
  const json_t *access;
  json_array_foreach(json_object_get(finding, "accesses"), i, access) {
    hash = mix_place(sources, hash, access);
    hash = mix(hash, json_is_true(json_object_get(access, "write")) ? "w" : "r");
  }
  return hash;
}

void gs_fingerprint_all(gs_sources *sources, json_t *findings) {
  json_t *seen = json_object(), *finding;
  size_t i;
  json_array_foreach(findings, i, finding) {
    uint64_t hash = hash_of(sources, finding);
    const char *id = gs_mem_printf(sources->mem, "%016" PRIx64, hash);
    json_int_t before = json_integer_value(json_object_get(seen, id));
    json_object_set_new(seen, id, json_integer(before + 1));
    if (before)
      id = gs_mem_printf(sources->mem, "%s-%lld", id, (long long)before + 1);
    json_object_set_new(finding, "id", json_string(id));
  }
  json_decref(seen);
}
