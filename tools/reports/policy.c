// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "policy.h"

#include "collect.h"
#include "report.h"
#include "words.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  unsigned bit;
} failures[] = {{"definite", GS_FAIL_DEFINITE}, {"claim", GS_FAIL_CLAIM},
                {"path", GS_FAIL_PATH},
                {"possible", GS_FAIL_POSSIBLE}, {"unknown", GS_FAIL_UNKNOWN},
                {"new", GS_FAIL_NEW},           {"failed", GS_FAIL_FAILED},
                {"coverage-drop", GS_FAIL_COVERAGE},
                {"never", 0}};
enum { FAILURES = sizeof failures / sizeof *failures };

static const char *const severities[] = {"definite", "claim", "path", "possible", "unknown", "remark"};
enum { SEVERITIES = sizeof severities / sizeof *severities };

bool gs_policy_fail_on(gs_mem *mem, const char *text, unsigned *out) {
  gs_list words = {0};
  gs_words_split_list(mem, text, &words);
  *out = 0;
  for (size_t i = 0; i < words.count; i++) {
    size_t n = 0;
    while (n < FAILURES && strcmp(words.items[i], failures[n].name))
      n++;
    if (n == FAILURES) {
      gs_fail(GS_EXIT_INPUT,
              "--fail-on takes definite, claim, path, possible, unknown, new, failed, coverage-drop or never, not '%s'",
              words.items[i]);
      return false;
    }
    *out |= failures[n].bit;
  }
  return true;
}

// ------------------------------------------------------------ suppressions ----

/// A line of the file of suppressions.
typedef struct gs_suppression {
  const char *rule, *path, *kernel, *reason; ///< patterns of the shell; rule may be "id:..."
  json_int_t line;
  json_int_t uses;
} gs_suppression;

typedef struct gs_marking {
  gs_mem *mem;
  const gs_policy *policy;
  gs_sources *sources;
  json_t *report;
  gs_suppression *suppressions;
  size_t suppression_count;
  json_t *known; ///< ids of the baseline
} gs_marking;

/// The first blank-separated word of *text, which moves behind it.
static const char *word(gs_mem *mem, const char **text) {
  *text += strspn(*text, " \t");
  size_t length = strcspn(*text, " \t\r");
  const char *out = gs_mem_printf(mem, "%.*s", (int)length, *text);
  *text += length;
  *text += strspn(*text, " \t\r");
  return out;
}

/// RULE PATH KERNEL REASON, or id:ID REASON. \returns false when the reason is missing.
static bool read_suppression(gs_mem *mem, const char *line, gs_suppression *out) {
  out->rule = word(mem, &line);
  out->path = out->kernel = "*";
  if (!gs_starts_with(out->rule, "id:")) {
    out->path = word(mem, &line);
    out->kernel = word(mem, &line);
  }
  out->reason = gs_mem_printf(mem, "%.*s", (int)strcspn(line, "\r"), line);
  return *out->reason != '\0';
}

static int load_suppressions(gs_marking *m) {
  const char *path = m->policy->suppressions;
  if (!path)
    return GS_EXIT_OK;
  char *text = gs_words_read_file(m->mem, path);
  if (!text)
    return gs_fail(GS_EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
  size_t lines = 1;
  for (const char *p = text; (p = strchr(p, '\n')); p++)
    lines++;
  m->suppressions = gs_mem_alloc(m->mem, lines * sizeof *m->suppressions);
  json_int_t number = 0;
  for (const char *p = text; *p;) {
    size_t length = strcspn(p, "\n");
    const char *line = gs_mem_printf(m->mem, "%.*s", (int)length, p);
    p += length + (p[length] == '\n');
    number++;
    line += strspn(line, " \t\r");
    if (!*line || *line == '#')
      continue;
    gs_suppression *s = &m->suppressions[m->suppression_count++];
    s->line = number;
    if (!read_suppression(m->mem, line, s))
      return gs_fail(GS_EXIT_INPUT,
                     "%s:%lld: a suppression is 'RULE PATH KERNEL REASON' or 'id:ID REASON'; the "
                     "reason is missing",
                     path, (long long)number);
  }
  return GS_EXIT_OK;
}

static bool matches(const gs_suppression *s, const json_t *finding) {
  if (gs_starts_with(s->rule, "id:"))
    return !strcmp(s->rule + 3, gs_report_text(finding, "id"));
  const json_t *location = json_object_get(finding, "location");
  return !fnmatch(s->rule, gs_report_text(finding, "rule"), 0) &&
         !fnmatch(s->path, gs_report_text(location, "file"), 0) &&
         !fnmatch(s->kernel, gs_report_text(finding, "kernel"), 0);
}

static json_t *suppression(gs_mem *mem, const char *kind, const char *reason, const char *file,
                           json_int_t line) {
  return json_pack("{s:s,s:o,s:{s:o,s:I,s:i}}", "kind", kind, "reason",
                   gs_json_text(mem, reason), "location", "file", gs_json_text(mem, file), "line",
                   line, "column", 0);
}

/// A comment at the finding's place or at one of its accesses.
static json_t *by_comment(gs_marking *m, const json_t *finding, const json_t *object) {
  json_int_t line;
  const char *reason, *file = gs_report_text(json_object_get(object, "location"), "file");
  if (!m->sources ||
      !gs_ignore_find(m->sources, object, gs_report_text(finding, "rule"), &line, &reason))
    return NULL;
  if (*reason)
    return suppression(m->mem, "comment", reason, file, line);
  gs_remark("%s:%lld: gpusafe-ignore without a reason suppresses nothing; write "
            "'gpusafe-ignore(%s): reason'",
            file, (long long)line, gs_report_text(finding, "rule"));
  return NULL;
}

static json_t *suppression_of(gs_marking *m, const json_t *finding) {
  const json_t *old = json_object_get(finding, "suppression"), *access;
  json_t *found = by_comment(m, finding, finding);
  size_t i;
  json_array_foreach(json_object_get(finding, "accesses"), i, access) {
    if (!found)
      found = by_comment(m, finding, access);
  }
  for (size_t s = 0; s < m->suppression_count && !found; s++) {
    if (!matches(&m->suppressions[s], finding))
      continue;
    m->suppressions[s].uses++;
    found = suppression(m->mem, "file", m->suppressions[s].reason, m->policy->suppressions,
                        m->suppressions[s].line);
  }
  // Without sources an earlier run's word stands.
  if (!found && !m->sources && !strcmp(gs_report_text(old, "kind"), "comment"))
    found = json_incref((json_t *)(uintptr_t)old);
  return found ? found : json_null();
}

static void list_trust(gs_marking *m, const json_t *finding) {
  const json_t *how = json_object_get(finding, "suppression");
  json_t *trusts = json_object_get(m->report, "trusts"), *trust = NULL;
  size_t i;
  if (!json_is_object(how))
    return;
  const char *place = gs_report_place(m->mem, how), *rule = gs_report_text(finding, "rule");
  json_array_foreach(trusts, i, trust) {
    if (!strcmp(gs_report_text(trust, "kind"), gs_report_text(how, "kind")) &&
        !strcmp(gs_report_text(trust, "rule"), rule) &&
        !strcmp(gs_report_place(m->mem, trust), place))
      break;
  }
  if (i == json_array_size(trusts)) {
    trust = json_deep_copy(how);
    json_object_set_new(trust, "rule", json_string(rule));
    json_object_set_new(trust, "kernels", json_array());
    json_array_append_new(trusts, trust);
  }
  json_t *kernels = json_object_get(trust, "kernels"), *kernel;
  json_array_foreach(kernels, i, kernel) {
    if (json_equal(kernel, json_object_get(finding, "kernel")))
      return;
  }
  json_array_append(kernels, json_object_get(finding, "kernel"));
}

/// Trusts of an earlier policy go, those of the source stay.
static void drop_trusts(json_t *report) {
  json_t *trusts = json_object_get(report, "trusts");
  for (size_t i = json_array_size(trusts); i-- > 0;)
    if (strcmp(gs_report_text(json_array_get(trusts, i), "kind"), "attribute"))
      json_array_remove(trusts, i);
}

// ------------------------------------------------------------------- marks ----

static size_t severity_index(const json_t *finding) {
  const char *severity = gs_report_text(finding, "severity");
  size_t i = 0;
  while (i + 1 < SEVERITIES && strcmp(severity, severities[i]))
    i++;
  return i;
}

static bool fails(const gs_marking *m, const json_t *finding) {
  static const unsigned bits[SEVERITIES] = {GS_FAIL_DEFINITE, GS_FAIL_CLAIM,
                                            GS_FAIL_PATH,     GS_FAIL_POSSIBLE,
                                            GS_FAIL_UNKNOWN,  0};
  const char *baseline = gs_report_text(finding, "baseline");
  size_t severity = severity_index(finding);
  if (json_is_object(json_object_get(finding, "suppression")) || !strcmp(baseline, "known"))
    return false;
  bool is_new = !strcmp(baseline, "new") && severity + 1 < SEVERITIES;
  return (m->policy->fail_on & bits[severity]) || (is_new && (m->policy->fail_on & GS_FAIL_NEW));
}

/// In the baseline, and no worse than there: what was unknown and is a race now is new.
static bool is_known(const gs_marking *m, const json_t *finding) {
  const json_t *before = json_object_get(m->known, gs_report_text(finding, "id"));
  return before && (size_t)json_integer_value(before) <= severity_index(finding);
}

static void mark(gs_marking *m, json_t *finding) {
  bool known = is_known(m, finding);
  json_object_set_new(finding, "baseline",
                      !m->known ? json_null() : json_string(known ? "known" : "new"));
  json_object_set_new(finding, "suppression", suppression_of(m, finding));
  json_object_set_new(finding, "fails", json_boolean(fails(m, finding)));
  list_trust(m, finding);
}

static void note_unused(const gs_marking *m) {
  for (size_t s = 0; s < m->suppression_count; s++)
    if (!m->suppressions[s].uses)
      gs_remark("%s:%lld: this suppression matches no finding", m->policy->suppressions,
                (long long)m->suppressions[s].line);
}

static void add_to(json_t *object, const char *key, json_int_t number) {
  json_object_set_new(object, key,
                      json_integer(json_integer_value(json_object_get(object, key)) + number));
}

// ---------------------------------------------------------------- coverage ----

/// Of a report: its kernels, and those that are annotated and proved or taken on trust.
static json_t *coverage_of(const json_t *report) {
  json_int_t kernels = 0, covered = 0;
  size_t i;
  const json_t *kernel;
  json_array_foreach(json_object_get(report, "kernels"), i, kernel) {
    gs_verdict verdict = gs_report_verdict(kernel);
    kernels++;
    covered += json_is_true(json_object_get(kernel, "annotated")) && (verdict == GS_PROVED || verdict == GS_TRUSTED);
  }
  return json_pack("{s:I,s:I}", "kernels", kernels, "covered", covered);
}

/// What the baseline, a report or a history of `gpusafe annotate` says; NULL: nothing.
static json_t *coverage_before(const json_t *baseline) {
  json_t *said = json_object_get(baseline, "coverage");
  return said ? json_incref(said) : json_is_array(json_object_get(baseline, "kernels")) ? coverage_of(baseline) : NULL;
}

/// Is a smaller share covered than in the baseline? Says so.
static bool has_dropped(const gs_marking *m, const json_t *now) {
  json_t *before = coverage_before(m->policy->baseline);
  json_int_t old = json_integer_value(json_object_get(before, "covered"));
  json_int_t old_all = json_integer_value(json_object_get(before, "kernels"));
  json_int_t covered = json_integer_value(json_object_get(now, "covered"));
  json_int_t all = json_integer_value(json_object_get(now, "kernels"));
  json_decref(before);
  bool dropped = covered * old_all < old * all;
  if (dropped)
    gs_remark("coverage has dropped: %lld of %lld kernels are annotated and proved, and %lld of %lld were",
              (long long)covered, (long long)all, (long long)old, (long long)old_all);
  return dropped;
}

/// Counts; \returns the exit code.
static int summarise(const gs_marking *m) {
  json_t *summary = json_object();
  size_t i, failed = 0, failing = 0;
  const json_t *item;
  static const char *const zero[] = {"units", "failed", "kernels", "suppressed", "known", "failing"};
  for (size_t k = 0; k < sizeof zero / sizeof *zero; k++)
    add_to(summary, zero[k], 0);
  for (int v = GS_PROVED; v <= GS_UNKNOWN; v++)
    add_to(summary, gs_verdict_name((gs_verdict)v), 0);
  for (size_t s = 0; s < SEVERITIES; s++)
    add_to(summary, severities[s], 0);
  json_array_foreach(json_object_get(m->report, "units"), i, item) {
    failed += !strcmp(gs_report_text(item, "status"), "failed");
    add_to(summary, "units", 1);
  }
  json_array_foreach(json_object_get(m->report, "kernels"), i, item) {
    add_to(summary, gs_report_text(item, "verdict"), 1);
    add_to(summary, "kernels", 1);
  }
  json_array_foreach(json_object_get(m->report, "findings"), i, item) {
    bool suppressed = json_is_object(json_object_get(item, "suppression"));
    add_to(summary, suppressed ? "suppressed" : severities[severity_index(item)], 1);
    add_to(summary, "known", !strcmp(gs_report_text(item, "baseline"), "known"));
    failing += json_is_true(json_object_get(item, "fails"));
  }
  add_to(summary, "failed", (json_int_t)failed);
  add_to(summary, "failing", (json_int_t)failing);
  bool bad = failing || (failed && (m->policy->fail_on & GS_FAIL_FAILED));
  json_t *coverage = coverage_of(m->report);
  bad |= (m->policy->fail_on & GS_FAIL_COVERAGE) && has_dropped(m, coverage);
  json_object_set_new(m->report, "coverage", coverage);
  json_object_set_new(summary, "exit_code", json_integer(bad ? GS_EXIT_FINDINGS : GS_EXIT_OK));
  json_object_set_new(m->report, "summary", summary);
  return bad ? GS_EXIT_FINDINGS : GS_EXIT_OK;
}

int gs_policy_apply(gs_mem *mem, const gs_policy *policy, gs_sources *sources, json_t *report) {
  gs_marking m = {.mem = mem, .policy = policy, .sources = sources, .report = report};
  json_t *before = coverage_before(policy->baseline);
  bool tells = before != NULL;
  json_decref(before);
  if ((policy->fail_on & GS_FAIL_COVERAGE) && !tells)
    return gs_fail(GS_EXIT_INPUT, "--fail-on=coverage-drop needs a --baseline that tells the coverage: of "
                                  "'gpusafe scan --write-baseline', or a history of 'gpusafe annotate --report'");
  int code = load_suppressions(&m);
  if (code != GS_EXIT_OK)
    return code;
  size_t i;
  json_t *finding;
  if (policy->baseline) {
    m.known = json_object();
    json_array_foreach(json_object_get(policy->baseline, "findings"), i, finding) {
      json_object_set_new(m.known, gs_report_text(finding, "id"),
                          json_integer((json_int_t)severity_index(finding)));
    }
  }
  drop_trusts(report);
  json_array_foreach(json_object_get(report, "findings"), i, finding) { mark(&m, finding); }
  gs_json_sort(json_object_get(report, "trusts"), gs_compare_places);
  note_unused(&m);
  json_decref(m.known);
  return summarise(&m);
}

// ---------------------------------------------------------------- baseline ----

json_t *gs_baseline_load(gs_mem *mem, const char *path) {
  json_error_t error;
  (void)mem;
  json_t *baseline = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  if (!baseline) {
    gs_fail(GS_EXIT_INPUT, "the baseline '%s' cannot be read: %s", path, error.text);
    return NULL;
  }
  size_t i = 0;
  const json_t *findings = json_object_get(baseline, "findings"), *finding;
  bool good = json_is_array(findings);
  json_array_foreach(findings, i, finding) {
    good = good && json_is_string(json_object_get(finding, "id"));
  }
  if (good)
    return baseline;
  gs_fail(GS_EXIT_INPUT, "'%s' is no baseline: it has no findings with an id; "
                         "'gpusafe scan --write-baseline=FILE' makes one",
          path);
  json_decref(baseline);
  return NULL;
}

json_t *gs_baseline_make(const json_t *report) {
  static const char *const fields[] = {"id", "rule", "severity", "kernel", "location", "message"};
  json_t *findings = json_array();
  size_t i;
  const json_t *finding;
  json_array_foreach(json_object_get(report, "findings"), i, finding) {
    if (json_is_object(json_object_get(finding, "suppression")))
      continue;
    json_t *entry = json_object();
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
      json_object_set(entry, fields[f], json_object_get(finding, fields[f]));
    json_array_append_new(findings, entry);
  }
  return json_pack("{s:i,s:s,s:o,s:o}", "version", 1, "kind", "baseline", "coverage", coverage_of(report), "findings",
                   findings);
}
