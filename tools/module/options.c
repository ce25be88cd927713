// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// "16x16" to the clauses "block.x == 16", "block.y == 16", "block.z == 1".
static bool add_dim(gs_mem *mem, gs_list *facts, const char *name, const char *value) {
  char axis = 'x';
  for (; axis <= 'z'; axis++) {
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (end == value || n < 1 || n > 0x7FFFFFFF || (*end && *end != 'x'))
      return false;
    gs_list_addf(mem, facts, "%s.%c == %lu", name, axis, n);
    value = end + (*end == 'x');
    if (!*end)
      break;
  }
  if (axis > 'z')
    return false;
  for (axis++; axis <= 'z'; axis++)
    gs_list_addf(mem, facts, "%s.%c == 1", name, axis);
  return true;
}

/// The plugin's syntax: a plain list says which rules are on, one that begins with
/// a sign changes the defaults.
static bool set_rules(const char *list, uint32_t *out) {
  uint32_t rules = *list == '+' || *list == '-' ? gs_rule_defaults() : 0;
  for (;;) {
    bool remove = *list == '-';
    list += *list == '-' || *list == '+';
    size_t length = strcspn(list, ",");
    gs_rule rule;
    if (!gs_rule_by_name(list, length, &rule))
      return false;
    rules = remove ? rules & ~(1u << rule) : rules | 1u << rule;
    if (!list[length]) {
      *out = rules;
      return rules != 0;
    }
    list += length + 1;
  }
}

/// One clause or several with commas between them, as in a contract.
static void add_clauses(gs_mem *mem, gs_list *clauses, const char *text) {
  size_t length = strlen(text), count = gs_clause_split(text, length, NULL, 0);
  size_t(*spans)[2] = gs_mem_alloc(mem, (count + 1) * sizeof *spans);
  gs_clause_split(text, length, spans, count);
  for (size_t i = 0; i < count; i++)
    gs_list_addf(mem, clauses, "%.*s", (int)(spans[i][1] - spans[i][0]), text + spans[i][0]);
}

/// One "--name=value". \returns false when there is no such option or value.
static bool apply(gs_mem *mem, const char *word, gs_module_options *out) {
  const char *value = strchr(word, '=');
  size_t length = value ? (size_t)(value - word) : strlen(word);
  const char *name = gs_mem_printf(mem, "%.*s", (int)length, word);
  value = value ? value + 1 : "";
  if (!strcmp(name, "--report"))
    out->report = value;
  else if (!strcmp(name, "--replay"))
    out->replay = value;
  else if (!strcmp(name, "--describe"))
    out->descriptions = value;
  else if (!strcmp(name, "--attack"))
    return (out->attack = (uint32_t)strtoul(value, NULL, 10)) != 0;
  else if (!strcmp(name, "--seed"))
    out->seed = strtoull(value, NULL, 10);
  else if (!strcmp(name, "--arch"))
    out->arch = value;
  else if (!strcmp(name, "--assume"))
    add_clauses(mem, &out->assumes, value);
  else if (!strcmp(name, "--verify"))
    out->core.verify = true;
  else if (!strcmp(name, "--strict"))
    out->core.strict = true;
  else if (!strcmp(name, "--same-value"))
    return gs_same_value_by_name(value, &out->core.same_value);
  else if (!strcmp(name, "--dump"))
    return out->dump = !strcmp(value, "accesses");
  else if (!strcmp(name, "--rules"))
    return set_rules(value, &out->core.rules);
  else if (!strcmp(name, "--block") || !strcmp(name, "--grid"))
    return add_dim(mem, &out->facts, name + 2, value);
  else
    return false;
  return true;
}

int gs_module_options_parse(gs_mem *mem, int argc, char **argv, gs_module_options *out) {
  memset(out, 0, sizeof *out);
  out->core.stats = true;
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (!apply(mem, argv[i], out))
      return gs_fail(GS_EXIT_INPUT, "cannot use the option '%s'", argv[i]);
  if (i + 2 != argc || !out->report != out->dump || (out->attack && !out->descriptions))
    return gs_fail(GS_EXIT_INPUT, "usage: %s --report=FILE [options] -- FILE; "
                                  "'gpusafe check' runs it", argv[0]);
  out->file = argv[i + 1];
  return GS_EXIT_OK;
}

int gs_module_write_report(const gs_module_options *options, const gs_report *report) {
  char *text = NULL;
  if (gs_report_to_json(report, true, &text) != GS_OK)
    return gs_fail(GS_EXIT_INTERNAL, "out of memory while writing the report");
  FILE *file = fopen(options->report, "w");
  bool good = file && fputs(text, file) != EOF;
  if (file && fclose(file) != 0)
    good = false;
  free(text);
  return good ? GS_EXIT_OK : gs_fail(GS_EXIT_INTERNAL, "cannot write '%s'", options->report);
}

int gs_module_print_dump(char *text) {
  bool good = fputs(text, stdout) != EOF && fflush(stdout) == 0;
  free(text);
  return good ? GS_EXIT_OK : gs_fail(GS_EXIT_INTERNAL, "cannot write to standard output");
}
