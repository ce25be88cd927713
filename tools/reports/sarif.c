// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SARIF 2.1.0 (OASIS Standard, 27 March 2020). The accesses are related locations, and a
// code flow with one thread flow for each thread of the witness.
#include "render.h"
#include "report.h"

#include <ctype.h>
#include <string.h>

typedef struct gs_sarif {
  gs_mem *mem;
  json_t *rules; ///< of the driver
} gs_sarif;

/// A file name as a URI: everything but unreserved characters and '/' is escaped (RFC 3986).
static const char *uri_of(gs_mem *mem, const char *path) {
  char *out = gs_mem_alloc(mem, 3 * strlen(path) + sizeof "file://"), *end = out;
  if (*path == '/') {
    memcpy(out, "file://", 7);
    end += 7;
  }
  for (; *path; path++) {
    if (isalnum((unsigned char)*path) || strchr("/-._~+,=@", *path)) {
      *end++ = *path;
      continue;
    }
    static const char hex[] = "0123456789ABCDEF";
    *end++ = '%';
    *end++ = hex[(unsigned char)*path >> 4];
    *end++ = hex[(unsigned char)*path & 15];
  }
  *end = '\0';
  return out;
}

/// A `location`; NULL when the place is unknown.
static json_t *location(gs_sarif *s, const json_t *object, const char *message) {
  const json_t *place = json_object_get(object, "location");
  const char *file = gs_report_text(place, "file");
  json_int_t line = json_integer_value(json_object_get(place, "line"));
  json_int_t column = json_integer_value(json_object_get(place, "column"));
  if (!*file)
    return NULL;
  json_t *artifact = json_pack("{s:s}", "uri", uri_of(s->mem, file));
  if (*file != '/')
    json_object_set_new(artifact, "uriBaseId", json_string("SRCROOT"));
  json_t *physical = json_pack("{s:o}", "artifactLocation", artifact);
  if (line > 0) {
    json_t *region = json_pack("{s:I}", "startLine", line);
    if (column > 0)
      json_object_set_new(region, "startColumn", json_integer(column));
    json_object_set_new(physical, "region", region);
  }
  json_t *out = json_pack("{s:o}", "physicalLocation", physical);
  if (message)
    json_object_set_new(out, "message", json_pack("{s:s}", "text", message));
  return out;
}

static json_int_t rule_index(gs_sarif *s, const char *rule) {
  size_t i;
  const json_t *known;
  json_array_foreach(s->rules, i, known) {
    if (!strcmp(gs_report_text(known, "id"), rule))
      return (json_int_t)i;
  }
  json_array_append_new(s->rules, json_pack("{s:s,s:s,s:{s:s}}", "id", rule, "name", rule,
                                            "shortDescription", "text", gs_rule_text(rule)));
  return (json_int_t)i;
}

static const char *level_of(const json_t *finding) {
  const char *severity = gs_report_text(finding, "severity");
  if (!strcmp(severity, "definite") || !strcmp(severity, "claim"))
    return json_is_true(json_object_get(finding, "error")) ? "error" : "warning";
  return !strcmp(severity, "possible") || !strcmp(severity, "path") ? "warning" : "note";
}

static json_t *related(gs_sarif *s, const json_t *finding) {
  json_t *out = json_array(), *place;
  const json_t *item;
  size_t i;
  json_array_foreach(json_object_get(finding, "accesses"), i, item) {
    place = location(s, item, gs_access_text(s->mem, finding, item));
    if (place)
      json_array_append_new(out, place);
  }
  json_array_foreach(json_object_get(finding, "notes"), i, item) {
    place = location(s, json_is_object(json_object_get(item, "location")) ? item : finding,
                     gs_report_text(item, "text"));
    if (place)
      json_array_append_new(out, place);
  }
  json_array_foreach(out, i, place) {
    json_object_set_new(place, "id", json_integer((json_int_t)i + 1));
  }
  return out;
}

/// One flow with a thread flow for each access, when there is a witness.
static json_t *code_flows(gs_sarif *s, const json_t *finding) {
  const json_t *accesses = json_object_get(finding, "accesses"), *access;
  const json_t *threads = json_object_get(json_object_get(finding, "witness"), "threads");
  json_t *flows = json_array();
  size_t i;
  json_array_foreach(accesses, i, access) {
    json_t *place = location(s, access, gs_access_text(s->mem, finding, access));
    if (place)
      json_array_append_new(flows, json_pack("{s:s,s:[{s:o}]}", "id", i ? "second" : "first",
                                             "locations", "location", place));
  }
  if (json_array_size(threads) && json_array_size(flows))
    return json_pack("[{s:{s:s},s:o}]", "message", "text", gs_witness_text(s->mem, finding),
                     "threadFlows", flows);
  json_decref(flows);
  return NULL;
}

static json_t *suppressions(const json_t *finding) {
  const json_t *how = json_object_get(finding, "suppression");
  if (!json_is_object(how))
    return NULL;
  bool in_source = !strcmp(gs_report_text(how, "kind"), "comment");
  return json_pack("[{s:s,s:s}]", "kind", in_source ? "inSource" : "external", "justification",
                   gs_report_text(how, "reason"));
}

static void add(json_t *object, const char *key, json_t *value) {
  if (value)
    json_object_set_new(object, key, value);
}

static json_t *result(gs_sarif *s, const json_t *finding) {
  const char *rule = gs_report_text(finding, "rule"), *severity = gs_report_text(finding, "severity");
  const char *baseline = gs_report_text(finding, "baseline");
  json_t *out = json_pack(
      "{s:s,s:I,s:s,s:{s:s},s:{s:s}}", "ruleId", rule, "ruleIndex", rule_index(s, rule), "level",
      level_of(finding), "message", "text", gs_report_text(finding, "message"),
      "partialFingerprints", "gpusafe/v1", gs_report_text(finding, "id"));
  json_t *place = location(s, finding, NULL), *more = related(s, finding);
  json_object_set_new(out, "locations", json_array());
  if (place)
    json_array_append_new(json_object_get(out, "locations"), place);
  json_object_set_new(out, "relatedLocations", more);
  add(out, "codeFlows", code_flows(s, finding));
  add(out, "suppressions", suppressions(finding));
  if (*baseline)
    add(out, "baselineState", json_string(!strcmp(baseline, "known") ? "unchanged" : "new"));
  json_object_set_new(out, "kind", json_string(!strcmp(severity, "remark") ? "informational" : "fail"));
  if (!strcmp(severity, "remark")) // only a failure has another level than none
    json_object_set_new(out, "level", json_string("none"));
  json_t *properties = json_pack("{s:s,s:s}", "severity", severity, "verdict",
                                 gs_report_text(finding, "verdict"));
  static const char *const copied[] = {"kernel", "object", "reason", "targets", "units", "witness"};
  for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
    if (json_object_get(finding, copied[i]) && !json_is_null(json_object_get(finding, copied[i])))
      json_object_set(properties, copied[i], json_object_get(finding, copied[i]));
  json_object_set_new(out, "properties", properties);
  return out;
}

/// Sources without an analysis are notifications of the run.
static json_t *invocation(gs_sarif *s, const json_t *report) {
  json_t *notifications = json_array();
  size_t i;
  const json_t *unit;
  json_array_foreach(json_object_get(report, "units"), i, unit) {
    if (strcmp(gs_report_text(unit, "status"), "failed"))
      continue;
    const char *file = gs_report_text(unit, "file");
    json_t *notification = json_pack("{s:s,s:{s:s}}", "level", "warning", "message", "text",
                                     gs_mem_printf(s->mem, "%s was not analysed: %s", file,
                                                   gs_report_text(unit, "reason")));
    json_array_append_new(notifications, notification);
  }
  return json_pack("{s:b,s:I,s:o}", "executionSuccessful", 1, "exitCode",
                   json_integer_value(json_object_get(json_object_get(report, "summary"),
                                                      "exit_code")),
                   "toolExecutionNotifications", notifications);
}

void gs_render_sarif(gs_mem *mem, const json_t *report, FILE *file) {
  gs_sarif s = {.mem = mem, .rules = json_array()};
  json_t *results = json_array();
  size_t i;
  const json_t *finding;
  json_array_foreach(json_object_get(report, "findings"), i, finding) {
    json_array_append_new(results, result(&s, finding));
  }
  json_t *driver = json_pack("{s:s,s:s,s:o}", "name", "gpusafe", "version", GPUSAFE_VERSION,
                             "rules", s.rules);
  json_t *run = json_pack("{s:{s:o},s:[o],s:s,s:o}", "tool", "driver", driver, "invocations",
                          invocation(&s, report), "columnKind", "utf16CodeUnits", "results",
                          results);
  json_t *log = json_pack("{s:s,s:s,s:[o]}", "$schema",
                          "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                          "runs", run);
  json_dumpf(log, file, JSON_INDENT(1));
  fputc('\n', file);
  json_decref(log);
}
