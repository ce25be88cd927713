// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collect.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_KERNELS = 8 };

struct gs_collector {
  gs_mem *mem;
  gs_sources *sources;
  json_t *units, *kernels, *findings, *trusts;
  json_t *by_key; ///< finds kernels, findings and trusts again; borrowed values
};

/// The unit that is being added.
typedef struct gs_adding {
  gs_collector *c;
  const gs_result *result;
  const char *file;   ///< as the report shows it
  const char *target; ///< of the report that is being read; "" for none
} gs_adding;

gs_collector *gs_collector_create(gs_mem *mem, gs_sources *sources) {
  gs_collector *c = gs_mem_alloc(mem, sizeof *c);
  *c = (gs_collector){mem,          sources,      json_array(), json_array(),
                      json_array(), json_array(), json_object()};
  return c;
}

const char *gs_finding_severity(const json_t *finding) {
  if (json_is_true(json_object_get(finding, "host")))
    return "path";
  switch (gs_report_verdict(finding)) {
  case GS_RACE:
    return "definite";
  case GS_POSSIBLE:
    return json_is_true(json_object_get(finding, "error")) ? "claim" : "possible";
  case GS_UNKNOWN:
    return json_is_true(json_object_get(finding, "error")) ? "claim" : "unknown";
  case GS_PROVED:
  case GS_TRUSTED:
    break;
  }
  return "remark";
}

// ------------------------------------------------------------------ places ----

/// Makes the paths of all locations below `value` those of the report.
static void normalise(gs_adding *a, json_t *value) {
  size_t i;
  json_t *item;
  const char *key;
  if (json_is_array(value))
    json_array_foreach(value, i, item) { normalise(a, item); }
  if (!json_is_object(value))
    return;
  const char *file = json_string_value(json_object_get(value, "file"));
  if (file && json_object_get(value, "line"))
    json_object_set_new(value, "file",
                        gs_json_text(a->c->mem, gs_sources_path(a->c->sources,
                                                                a->result->directory, file)));
  json_object_foreach(value, key, item) { normalise(a, item); }
}

/// Adds a text to an array of texts once; `limit` 0: no limit.
static void add_once(json_t *array, json_t *text, size_t limit) {
  size_t i;
  const json_t *item;
  json_array_foreach(array, i, item) {
    if (json_equal(item, text)) {
      json_decref(text);
      return;
    }
  }
  if (limit && json_array_size(array) >= limit)
    json_decref(text);
  else
    json_array_append_new(array, text);
}

static json_t *list_of(json_t *object, const char *key) {
  json_t *list = json_object_get(object, key);
  if (list)
    return list;
  json_object_set_new(object, key, json_array());
  return json_object_get(object, key);
}

static void add_origin(gs_adding *a, json_t *object) {
  if (*a->target)
    add_once(list_of(object, "targets"), gs_json_text(a->c->mem, a->target), 0);
  add_once(list_of(object, "units"), gs_json_text(a->c->mem, a->file), 0);
}

// ----------------------------------------------------------------- kernels ----

static const char *base_name(gs_mem *mem, const char *name) {
  return gs_mem_printf(mem, "%.*s", (int)strcspn(name, "<"), name);
}

/// What `key` stands for, or a new object at the end of `array`.
static json_t *entry(gs_collector *c, json_t *array, const char *key, bool *is_new) {
  json_t *old = json_object_get(c->by_key, key);
  *is_new = !old;
  if (old)
    return old;
  json_t *object = json_object();
  json_array_append(array, object);
  json_object_set_new(c->by_key, key, object);
  return object;
}

static void add_trust(gs_adding *a, const json_t *kernel, const json_t *assumption) {
  static const char head[] = "trusted(";
  const char *text = gs_report_text(assumption, "text");
  const char *close = strstr(text, "): ");
  if (!gs_starts_with(text, head) || !close)
    return;
  gs_mem *mem = a->c->mem;
  const char *rule = gs_mem_printf(mem, "%.*s", (int)(close - text) - (int)strlen(head),
                                   text + strlen(head));
  const char *key = gs_mem_printf(mem, "trust\n%s\n%s", text, gs_report_place(mem, assumption));
  bool is_new;
  json_t *trust = entry(a->c, a->c->trusts, key, &is_new);
  if (is_new) {
    json_object_set_new(trust, "kind", json_string("attribute"));
    json_object_set_new(trust, "rule", json_string(rule));
    json_object_set_new(trust, "reason", json_string(close + 3));
    json_object_set(trust, "location", json_object_get(assumption, "location"));
  }
  add_once(list_of(trust, "kernels"),
           json_string(base_name(mem, gs_report_text(kernel, "name"))), 0);
}

static void merge_kernel(gs_adding *a, json_t *into, const json_t *kernel, bool is_new) {
  static const char *const fields[] = {"verdict", "reason"};
  gs_mem *mem = a->c->mem;
  if (is_new) {
    json_object_set_new(into, "name",
                        json_string(base_name(mem, gs_report_text(kernel, "name"))));
    json_object_set(into, "location", json_object_get(kernel, "location"));
    json_object_set(into, "annotated", json_object_get(kernel, "annotated"));
  }
  if (is_new || gs_verdict_badness(gs_report_verdict(kernel)) >
                    gs_verdict_badness(gs_report_verdict(into)))
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
      json_object_set(into, fields[i], json_object_get(kernel, fields[i]));
  add_once(list_of(into, "instances"), json_string(gs_report_text(kernel, "name")), SHOWN_KERNELS);
  json_t *list = list_of(into, "assumptions");
  size_t i;
  json_t *assumption;
  json_array_foreach(json_object_get(kernel, "assumptions"), i, assumption) {
    add_once(list, json_incref(assumption), 0);
    add_trust(a, kernel, assumption);
  }
  add_origin(a, into);
}

// ---------------------------------------------------------------- findings ----

static const char *finding_key(gs_adding *a, const json_t *finding, const char *kernel) {
  gs_mem *mem = a->c->mem;
  const json_t *accesses = json_object_get(finding, "accesses"), *access;
  const char *key = gs_mem_printf(mem, "finding\n%s\n%s\n%s\n%s", gs_report_text(finding, "rule"),
                                  gs_report_place(mem, finding), base_name(mem, kernel),
                                  gs_report_text(finding, "object"));
  size_t i;
  json_array_foreach(accesses, i, access) {
    key = gs_mem_printf(mem, "%s\n%s", key, gs_report_place(mem, access));
  }
  if (!json_array_size(accesses)) // nothing but the text tells two of them apart
    key = gs_mem_printf(mem, "%s\n%s", key, gs_report_text(finding, "message"));
  return key;
}

/// `finding` is ours, with its paths made those of the report.
static void add_finding(gs_adding *a, json_t *finding, const char *kernel, const json_t *place) {
  static const char *const lists[] = {"targets", "units", "kernels"};
  if (!json_is_object(json_object_get(finding, "location")) && place)
    json_object_set(finding, "location", (json_t *)(uintptr_t)place);
  bool is_new;
  json_t *into = entry(a->c, a->c->findings, finding_key(a, finding, kernel), &is_new);
  bool worse = is_new || gs_verdict_badness(gs_report_verdict(finding)) >
                             gs_verdict_badness(gs_report_verdict(into));
  if (worse) {
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
      if (json_object_get(into, lists[i]))
        json_object_set(finding, lists[i], json_object_get(into, lists[i]));
    json_object_update(into, finding);
    json_object_set_new(into, "severity", json_string(gs_finding_severity(into)));
    json_object_set_new(into, "kernel", gs_json_text(a->c->mem, base_name(a->c->mem, kernel)));
  }
  if (*kernel)
    add_once(list_of(into, "kernels"), gs_json_text(a->c->mem, kernel), SHOWN_KERNELS);
  add_origin(a, into);
}

static void add_kernel(gs_adding *a, json_t *kernel) {
  gs_mem *mem = a->c->mem;
  normalise(a, kernel);
  const char *name = gs_report_text(kernel, "name"), *place = gs_report_place(mem, kernel);
  const char *key = *place ? gs_mem_printf(mem, "kernel\n%s\n%s", place, base_name(mem, name))
                           : gs_mem_printf(mem, "kernel\n%s\n%s", a->file,
                                           gs_report_text(kernel, "mangled"));
  bool is_new;
  json_t *into = entry(a->c, a->c->kernels, key, &is_new);
  merge_kernel(a, into, kernel, is_new);
  size_t i;
  json_t *finding;
  json_array_foreach(json_object_get(kernel, "findings"), i, finding) {
    json_object_set(finding, "mangled", json_object_get(kernel, "mangled")); // for replay
    add_finding(a, finding, name, json_object_get(kernel, "location"));
  }
}

// ------------------------------------------------------------------- units ----

static bool is_reported(const json_t *merged, const char *message) {
  size_t r, k, f;
  const json_t *report, *kernel, *finding;
  json_array_foreach(json_object_get(merged, "reports"), r, report) {
    json_array_foreach(json_object_get(report, "kernels"), k, kernel) {
      json_array_foreach(json_object_get(kernel, "findings"), f, finding) {
        if (!strcmp(gs_report_text(finding, "message"), message))
          return true;
      }
    }
  }
  return false;
}

static json_t *location_of(gs_adding *a, const gs_diagnostic *d) {
  const char *path = gs_sources_path(a->c->sources, a->result->directory, d->file);
  return json_pack("{s:o,s:I,s:I}", "file", gs_json_text(a->c->mem, path), "line", d->line,
                   "column", d->column);
}

/// About host code, path by path. What the compiler says of launches has the name of such a
/// rule, and other words.
static bool is_host(const gs_diagnostic *d) {
  static const char *const rules[] = {
#define HOST_RULE(id, name, package, model, summary) name,
#include "host/host_rules.def"
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (!strcmp(d->rule, rules[i]))
      return strcmp(d->rule, "launch-contract") || gs_starts_with(d->message, "on this path ");
  return false;
}

/// The finding of a diagnostic. Those about host code hold on the path that their notes show,
/// which the analyzer takes for possible.
static json_t *printed(gs_adding *a, const gs_diagnostic *d) {
  bool host = is_host(d);
  const char *verdict = host                                   ? "POSSIBLE"
                        : gs_starts_with(d->message, "cannot ") ? "UNKNOWN"
                                                                : "RACE";
  json_t *finding = json_pack("{s:s,s:s,s:b,s:b,s:o,s:o,s:n,s:n,s:[],s:n,s:[],s:[],s:i}", "rule",
                              d->rule, "verdict", verdict, "error", d->is_error, "host", host,
                              "location", location_of(a, d), "message",
                              gs_json_text(a->c->mem, d->message), "reason", "object", "accesses",
                              "witness", "notes", "fixits", "instances", 1);
  if (host)
    json_object_set_new(finding, "reason", json_string("the path that the notes show"));
  return finding;
}

/// Findings that only the compiler printed: launches that break a contract or a limit, and
/// annotations that mean nothing.
static void add_printed(gs_adding *a) {
  gs_diagnostic d;
  json_t *last = NULL;
  a->target = "";
  for (const char *text = a->result->errors; gs_diagnostic_next(a->c->mem, &text, &d);) {
    if (d.is_note && last)
      json_array_append_new(json_object_get(last, "notes"),
                            json_pack("{s:o,s:o}", "location", location_of(a, &d), "text",
                                      gs_json_text(a->c->mem, d.message)));
    if (d.is_note)
      continue;
    if (last) {
      add_finding(a, last, "", NULL);
      json_decref(last);
      last = NULL;
    }
    if (!d.rule || is_reported(a->result->merged, d.message))
      continue;
    last = printed(a, &d);
  }
  if (last) {
    add_finding(a, last, "", NULL);
    json_decref(last);
  }
}

/// Why a unit has no report: clang's first error, or what the tool said.
static const char *failure(gs_adding *a) {
  gs_diagnostic d;
  gs_mem *mem = a->c->mem;
  for (const char *text = a->result->errors; gs_diagnostic_next(mem, &text, &d);)
    if (d.is_error)
      return gs_mem_printf(mem, "%s:%lld:%lld: %s%s%s",
                           gs_sources_path(a->c->sources, a->result->directory, d.file),
                           (long long)d.line, (long long)d.column, d.message,
                           d.rule ? " [gpusafe-" : "",
                           d.rule ? gs_mem_printf(mem, "%s]", d.rule) : "");
  const char *error = strstr(a->result->errors, "error: ");
  if (error) {
    error += strlen("error: ");
    return gs_mem_printf(mem, "%.*s", (int)strcspn(error, "\n"), error);
  }
  const json_t *first = json_array_get(json_object_get(a->result->merged, "failures"), 0);
  const char *message = gs_report_text(first, "message");
  return *message ? message : "gpusafe ended without a report";
}

void gs_collector_add(gs_collector *c, const gs_result *result) {
  gs_adding a = {.c = c, .result = result, .target = ""};
  a.file = gs_sources_path(c->sources, result->directory, result->file);
  json_t *unit = json_object(), *reports = json_object_get(result->merged, "reports"), *report;
  const json_t *failures = json_object_get(result->merged, "failures");
  bool failed = !result->merged || json_array_size(failures) > 0;
  json_object_set_new(unit, "file", gs_json_text(c->mem, a.file));
  json_object_set_new(unit, "status", json_string(failed ? "failed" : "checked"));
  json_object_set_new(unit, "reason", gs_json_optional(c->mem, failed ? failure(&a) : NULL));
  json_object_set_new(unit, "targets", json_array());
  json_t *remarks = list_of(unit, "remarks");
  for (size_t i = 0; result->remarks && i < result->remarks->count; i++)
    add_once(remarks, gs_json_text(c->mem, result->remarks->items[i]), 0);
  const char *host = strstr(result->errors, ": host code was not analysed: ");
  if (host)
    add_once(remarks, gs_json_text(c->mem, gs_mem_printf(c->mem, "%.*s",
                                                        (int)strcspn(host, "\n") - 2, host + 2)),
             0);
  // What was printed is compared with the reports as they came, so it is read first.
  add_printed(&a);
  json_int_t kernels = 0;
  size_t r, k;
  json_t *kernel;
  json_array_foreach(reports, r, report) {
    a.target = gs_report_text(report, "target");
    add_once(list_of(unit, "targets"), gs_json_text(c->mem, a.target), 0);
    json_array_foreach(json_object_get(report, "kernels"), k, kernel) {
      add_kernel(&a, kernel);
    }
    if ((json_int_t)json_array_size(json_object_get(report, "kernels")) > kernels)
      kernels = (json_int_t)json_array_size(json_object_get(report, "kernels"));
  }
  json_object_set_new(unit, "kernels", json_integer(kernels));
  add_once(c->units, unit, 0);
}

// ------------------------------------------------------------------ finish ----

int gs_compare_places(const json_t *a, const json_t *b) {
  const json_t *x = json_object_get(a, "location"), *y = json_object_get(b, "location");
  int order = strcmp(gs_report_text(x, "file"), gs_report_text(y, "file"));
  static const char *const keys[] = {"line", "column"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys && !order; i++) {
    json_int_t m = json_integer_value(json_object_get(x, keys[i]));
    json_int_t n = json_integer_value(json_object_get(y, keys[i]));
    order = (m > n) - (m < n);
  }
  return order;
}

static int compare_findings(const json_t *a, const json_t *b) {
  int order = gs_compare_places(a, b);
  static const char *const keys[] = {"rule", "kernel", "message"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys && !order; i++)
    order = strcmp(gs_report_text(a, keys[i]), gs_report_text(b, keys[i]));
  return order;
}

static int compare_units(const json_t *a, const json_t *b) {
  return strcmp(gs_report_text(a, "file"), gs_report_text(b, "file"));
}

/// Merges the halves [from, middle) and [middle, to) of `items`.
static void merge_sort(json_t **items, json_t **room, size_t from, size_t to,
                       int (*compare)(const json_t *, const json_t *)) {
  if (to - from < 2)
    return;
  size_t middle = from + (to - from) / 2, i = from, j = middle, n = from;
  merge_sort(items, room, from, middle, compare);
  merge_sort(items, room, middle, to, compare);
  while (i < middle || j < to)
    room[n++] = j == to || (i < middle && compare(items[i], items[j]) <= 0) ? items[i++]
                                                                           : items[j++];
  memcpy(items + from, room + from, (to - from) * sizeof *items);
}

void gs_json_sort(json_t *array, int (*compare)(const json_t *, const json_t *)) {
  size_t count = json_array_size(array);
  json_t **items = malloc(2 * count * sizeof *items + 1);
  if (!items)
    return;
  for (size_t i = 0; i < count; i++)
    items[i] = json_incref(json_array_get(array, i));
  merge_sort(items, items + count, 0, count, compare);
  json_array_clear(array);
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, items[i]);
  free(items);
}

json_t *gs_collector_finish(gs_collector *c) {
  gs_json_sort(c->units, compare_units);
  gs_json_sort(c->kernels, gs_compare_places);
  gs_json_sort(c->findings, compare_findings);
  gs_json_sort(c->trusts, gs_compare_places);
  gs_fingerprint_all(c->sources, c->findings);
  json_decref(c->by_key);
  json_t *report = json_pack("{s:i,s:s,s:s,s:o,s:o,s:o,s:o}", "version", 1, "kind", "scan",
                             "generator", "gpusafe " GPUSAFE_VERSION, "units", c->units,
                             "kernels", c->kernels, "findings", c->findings, "trusts", c->trusts);
  gs_collect_sources(c->sources, report);
  return report;
}
