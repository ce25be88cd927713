// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include <string.h>

/// JSON types that a field may have, as bits (1 << json_type).
enum {
  TEXT = 1 << JSON_STRING,
  INTEGER = 1 << JSON_INTEGER,
  BOOLEAN = 1 << JSON_TRUE | 1 << JSON_FALSE,
  ARRAY = 1 << JSON_ARRAY,
  OBJECT = 1 << JSON_OBJECT,
  NOTHING = 1 << JSON_NULL
};

typedef struct gs_shape {
  const char *key; ///< NULL ends a table
  unsigned types;
} gs_shape;

static const gs_shape report_shape[] = {{"version", INTEGER}, {"file", TEXT},     {"target", TEXT},
                                        {"kernels", ARRAY},   {NULL, 0}};
static const gs_shape kernel_shape[] = {
    {"name", TEXT},       {"mangled", TEXT},          {"location", OBJECT | NOTHING},
    {"verdict", TEXT},    {"reason", TEXT | NOTHING}, {"findings", ARRAY},
    {"counters", OBJECT}, {"assumptions", ARRAY},     {NULL, 0}};
static const gs_shape finding_shape[] = {
    {"rule", TEXT},    {"verdict", TEXT}, {"error", BOOLEAN}, {"location", OBJECT | NOTHING},
    {"message", TEXT}, {"notes", ARRAY},  {NULL, 0}};
static const gs_shape note_shape[] = {
    {"location", OBJECT | NOTHING}, {"text", TEXT}, {NULL, 0}};
static const gs_shape assumption_shape[] = {{"text", TEXT}, {"checked", BOOLEAN}, {NULL, 0}};
static const gs_shape location_shape[] = {
    {"file", TEXT | NOTHING}, {"line", INTEGER}, {"column", INTEGER}, {NULL, 0}};

typedef struct gs_reader {
  gs_mem *mem;
  const char *problem; ///< of the first misfit
} gs_reader;

static bool has_shape(gs_reader *r, const char *what, const json_t *object,
                      const gs_shape *shape) {
  if (!json_is_object(object)) {
    r->problem = gs_mem_printf(r->mem, "a %s is no object", what);
    return false;
  }
  for (; shape->key; shape++) {
    const json_t *field = json_object_get(object, shape->key);
    if (!field || !(shape->types & 1u << json_typeof(field))) {
      r->problem = gs_mem_printf(r->mem, "field '%s' of a %s is %s", shape->key, what,
                                  field ? "of the wrong type" : "missing");
      return false;
    }
  }
  const json_t *location = json_object_get(object, "location");
  return !json_is_object(location) || has_shape(r, "location", location, location_shape);
}

static bool has_verdict(gs_reader *r, const json_t *object) {
  const char *verdict = gs_report_text(object, "verdict");
  for (int v = GS_PROVED; v <= GS_UNKNOWN; v++)
    if (!strcmp(verdict, gs_verdict_name((gs_verdict)v)))
      return true;
  r->problem = gs_mem_printf(r->mem, "'%s' is no verdict", verdict);
  return false;
}

static bool is_finding(gs_reader *r, const json_t *finding) {
  if (!has_shape(r, "finding", finding, finding_shape) || !has_verdict(r, finding))
    return false;
  size_t i;
  const json_t *note;
  json_array_foreach(json_object_get(finding, "notes"), i, note) {
    if (!has_shape(r, "note", note, note_shape))
      return false;
  }
  return true;
}

static bool is_kernel(gs_reader *r, const json_t *kernel) {
  if (!has_shape(r, "kernel", kernel, kernel_shape) || !has_verdict(r, kernel))
    return false;
  size_t i;
  const json_t *item;
  json_array_foreach(json_object_get(kernel, "findings"), i, item) {
    if (!is_finding(r, item))
      return false;
  }
  json_array_foreach(json_object_get(kernel, "assumptions"), i, item) {
    if (!has_shape(r, "assumption", item, assumption_shape))
      return false;
  }
  return true;
}

static bool is_report(gs_reader *r, const json_t *report) {
  if (!has_shape(r, "report", report, report_shape))
    return false;
  json_int_t version = json_integer_value(json_object_get(report, "version"));
  if (version != GS_REPORT_VERSION) {
    r->problem = gs_mem_printf(r->mem, "it has version %lld and this tool reads version %d",
                                (long long)version, GS_REPORT_VERSION);
    return false;
  }
  size_t i;
  const json_t *kernel;
  json_array_foreach(json_object_get(report, "kernels"), i, kernel) {
    if (!is_kernel(r, kernel))
      return false;
  }
  return true;
}

const char *gs_report_problem(gs_mem *mem, const json_t *report) {
  gs_reader reader = {.mem = mem};
  return is_report(&reader, report) ? NULL : reader.problem;
}

json_t *gs_report_load(gs_mem *mem, const char *path, const char **problem) {
  json_error_t error;
  json_t *report = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  if (!report) {
    *problem = gs_mem_printf(mem, "line %d: %s", error.line, error.text);
    return NULL;
  }
  *problem = gs_report_problem(mem, report);
  if (*problem) {
    json_decref(report);
    return NULL;
  }
  return report;
}

const char *gs_report_text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

gs_verdict gs_report_verdict(const json_t *object) {
  const char *verdict = gs_report_text(object, "verdict");
  int v = GS_PROVED;
  while (v < GS_UNKNOWN && strcmp(verdict, gs_verdict_name((gs_verdict)v)) != 0)
    v++;
  return (gs_verdict)v;
}

const char *gs_report_place(gs_mem *mem, const json_t *object) {
  const json_t *location = json_object_get(object, "location");
  const char *file = gs_report_text(location, "file");
  json_int_t line = json_integer_value(json_object_get(location, "line"));
  json_int_t column = json_integer_value(json_object_get(location, "column"));
  if (!*file)
    return "";
  if (line <= 0)
    return file;
  if (column <= 0)
    return gs_mem_printf(mem, "%s:%lld", file, (long long)line);
  return gs_mem_printf(mem, "%s:%lld:%lld", file, (long long)line, (long long)column);
}

int gs_verdict_badness(gs_verdict verdict) {
  switch (verdict) {
  case GS_PROVED:
    return 0;
  case GS_TRUSTED:
    return 1;
  case GS_UNKNOWN:
    return 2;
  case GS_POSSIBLE:
    return 3;
  case GS_RACE:
    return 4;
  }
  return 2;
}

bool gs_finding_counts(const json_t *finding) {
  return json_is_true(json_object_get(finding, "error")) || gs_report_verdict(finding) == GS_RACE;
}

size_t gs_report_findings(const json_t *report) {
  size_t k, f, count = 0;
  const json_t *kernel, *finding;
  json_array_foreach(json_object_get(report, "kernels"), k, kernel) {
    json_array_foreach(json_object_get(kernel, "findings"), f, finding) {
      count += gs_finding_counts(finding);
    }
  }
  return count;
}
