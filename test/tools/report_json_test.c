// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gs_report_to_json: every field arrives, in the documented order, whatever is in it.
#include "gs.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

static const gs_loc here = {"dir/k.cu", 7, 3};
static const gs_loc nowhere = {0};

/// The value at a path like "kernels/0/findings/0/rule".
static const json_t *at(const json_t *json, const char *path) {
  char copy[200], *state = NULL;
  snprintf(copy, sizeof copy, "%s", path);
  for (char *key = strtok_r(copy, "/", &state); key; key = strtok_r(NULL, "/", &state))
    json = json_is_array(json) ? json_array_get(json, (size_t)strtoul(key, NULL, 10))
                               : json_object_get(json, key);
  return json;
}

static void check_text(const json_t *json, const char *path, const char *want) {
  const char *got = json_string_value(at(json, path));
  if (!got || strcmp(got, want) != 0) {
    printf("%s: '%s', expected '%s'\n", path, got ? got : "(none)", want);
    failures++;
  }
}

static void check_number(const json_t *json, const char *path, json_int_t want) {
  const json_t *got = at(json, path);
  if (!json_is_integer(got) || json_integer_value(got) != want) {
    printf("%s: %lld, expected %lld\n", path, (long long)json_integer_value(got), (long long)want);
    failures++;
  }
}

static char *render(const gs_report *report, bool times) {
  char *text = NULL;
  CHECK(gs_report_to_json(report, times, &text) == GS_OK);
  return text;
}

static json_t *parsed(const gs_report *report, bool times) {
  char *text = render(report, times);
  json_error_t error;
  json_t *json = json_loads(text ? text : "", JSON_REJECT_DUPLICATES, &error);
  CHECK(json != NULL);
  free(text);
  return json;
}

static void test_everything(void) {
  gs_value values[] = {{"n", -5}, {"m", INT64_MAX}};
  gs_witness witness = {.grid = {2, 1, 1}, .block = {256, 2, 1}, .thread_count = 2};
  witness.thread[1] = (gs_dim){1, 2, 3};
  witness.ctaid[1] = (gs_dim){4294967295u, 0, 0};
  witness.values = values;
  witness.value_count = 2;
  witness.byte_offset = 12;
  witness.has_element = true;
  witness.element = 3;
  gs_note notes[] = {{here, "a note"}, {nowhere, "another"}};
  gs_fixit fixits[] = {{.loc = here, .remove = 2, .insert = "__syncthreads();"}};
  gs_finding finding = {.rule = GS_RULE_DISJOINT, .verdict = GS_RACE, .is_error = true};
  finding.loc = here;
  finding.message = "quotes \" and \\ and\nlines";
  finding.object = "c";
  finding.access_count = 2;
  finding.access[0] = (gs_access_ref){here, &here, 1, true, false};
  finding.access[1] = (gs_access_ref){nowhere, NULL, 0, false, true};
  finding.witness = &witness;
  finding.notes = notes;
  finding.note_count = 2;
  finding.fixits = fixits;
  finding.fixit_count = 1;
  finding.instances = 4;
  gs_assumption assumption = {"n >= 0", true, here};
  gs_kernel_result kernel = {.name = "f<int>", .mangled = "_Z1f", .loc = here};
  kernel.has_claims = true;
  kernel.verdict = GS_RACE;
  kernel.findings = &finding;
  kernel.finding_count = 1;
  kernel.assumptions = &assumption;
  kernel.assumption_count = 1;
  kernel.counters.solver_units = UINT64_MAX;
  for (int i = 0; i < 32; i++)
    kernel.proof[i] = (uint8_t)(0x10 + 7 * i);
  kernel.sites = (gs_launch_sites){3, 2, 1};
  kernel.time_us = 99;
  gs_report report = {.file = "k.cu", .target = "sm_90", .as_optimised = true};
  report.kernels = &kernel;
  report.kernel_count = 1;
  json_t *json = parsed(&report, true);
  check_number(json, "version", GS_REPORT_VERSION);
  CHECK(json_is_true(at(json, "as_optimised")));
  check_text(json, "kernels/0/verdict", "RACE");
  check_number(json, "kernels/0/location/column", 3);
  check_number(json, "kernels/0/time_us", 99);
  check_text(json, "kernels/0/proof",
             "10171e252c333a41484f565d646b727980878e959ca3aab1b8bfc6cdd4dbe2e9");
  check_number(json, "kernels/0/launch_sites/proved", 3);
  check_number(json, "kernels/0/launch_sites/depends", 2);
  check_number(json, "kernels/0/launch_sites/violated", 1);
  check_number(json, "kernels/0/counters/solver_units", INT64_MAX);
  check_text(json, "kernels/0/assumptions/0/text", "n >= 0");
  check_text(json, "kernels/0/findings/0/rule", "disjoint");
  check_text(json, "kernels/0/findings/0/message", finding.message);
  CHECK(json_is_null(at(json, "kernels/0/findings/0/reason")));
  CHECK(json_is_true(at(json, "kernels/0/findings/0/accesses/0/write")));
  check_text(json, "kernels/0/findings/0/accesses/0/inlined_at/0/file", "dir/k.cu");
  CHECK(json_is_null(at(json, "kernels/0/findings/0/accesses/1/location")));
  check_number(json, "kernels/0/findings/0/witness/threads/1/block/0", 4294967295);
  check_number(json, "kernels/0/findings/0/witness/threads/1/thread/2", 3);
  check_number(json, "kernels/0/findings/0/witness/values/0/value", -5);
  check_number(json, "kernels/0/findings/0/witness/element", 3);
  CHECK(json_is_null(at(json, "kernels/0/findings/0/notes/1/location")));
  check_text(json, "kernels/0/findings/0/fixits/0/insert", "__syncthreads();");
  check_number(json, "kernels/0/findings/0/instances", 4);
  json_decref(json);
}

static void test_bytes(void) {
  // Latin-1, an overlong form, a surrogate, a cut sequence: each byte becomes U+FFFD.
  gs_report report = {.file = "\xe4.cu", .target = "\xc0\xaf \xed\xa0\x80 \xe2\x82"};
  json_t *json = parsed(&report, false);
  check_text(json, "file", "\xEF\xBF\xBD.cu");
  check_text(json, "target",
             "\xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD "
             "\xEF\xBF\xBD\xEF\xBF\xBD");
  json_decref(json);
  gs_report good = {.file = "\xE2\x82\xAC \xF0\x9F\x98\x80.cu", .target = "sm_90"};
  json = parsed(&good, false);
  check_text(json, "file", good.file);
  json_decref(json);
}

static void test_times_and_repetition(void) {
  gs_kernel_result kernel = {.name = "k", .mangled = "k", .verdict = GS_PROVED, .time_us = 5};
  gs_report report = {.file = "k.cu", .target = "sm_90", .kernels = &kernel, .kernel_count = 1};
  char *one = render(&report, false);
  kernel.time_us = 6;
  char *two = render(&report, false);
  CHECK(one && two && strcmp(one, two) == 0);
  CHECK(one && !strstr(one, "time_us"));
  free(one);
  free(two);
}

static void test_names(void) {
  for (unsigned i = 0; i < GS_RULE_COUNT; i++) {
    gs_rule found = GS_RULE_COUNT;
    const char *name = gs_rule_name((gs_rule)i);
    CHECK(gs_rule_by_name(name, strlen(name), &found) && found == (gs_rule)i);
    CHECK(*gs_rule_summary((gs_rule)i));
  }
  gs_rule rule;
  CHECK(!gs_rule_by_name("data-rac", 8, &rule) && !gs_rule_by_name("data-races", 10, &rule));
  CHECK(gs_rule_by_name("data-races", 9, &rule));
  CHECK(gs_rule_defaults() & 1u << GS_RULE_DATA_RACE);
}

int main(void) {
  test_everything();
  test_bytes();
  test_times_and_repetition();
  test_names();
  printf(failures ? "%d failures\n" : "ok\n", failures);
  return failures != 0;
}
