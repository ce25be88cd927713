// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_options.h"

#include "gs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum gs_option_id {
#define GS_OPTION(id, name, argument, meta, help) OPTION_##id,
#include "check_options.def"
  OPTION_COUNT
} gs_option_id;

typedef enum gs_argument { ARGUMENT_NONE, ARGUMENT_REQUIRED, ARGUMENT_OPTIONAL } gs_argument;

typedef struct gs_option_row {
  const char *name;
  gs_argument argument;
  const char *meta;
  const char *help;
} gs_option_row;

static const gs_option_row rows[OPTION_COUNT] = {
#define GS_OPTION(id, name, argument, meta, help) {name, ARGUMENT_##argument, meta, help},
#include "check_options.def"
};

static void print_help(void) {
  fputs("usage: gpusafe check [options] FILE... [-- clang flags]\n\n"
        "FILE is a CUDA source (.cu), a plain C kernel (.c), an LLVM module for NVPTX (.ll,\n"
        ".bc), or kernels as --dump=accesses prints them (.gs). Each kernel gets one line: verdict, name, place, time and the numbers\n"
        "of the assumptions listed below the lines.\n\noptions:\n",
        stdout);
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    char left[40];
    if (rows[i].argument == ARGUMENT_NONE)
      snprintf(left, sizeof left, "--%s", rows[i].name);
    else
      snprintf(left, sizeof left, rows[i].argument == ARGUMENT_OPTIONAL ? "--%s[=%s]" : "--%s=%s",
               rows[i].name, rows[i].meta);
    printf("  %-20s %s\n", left, rows[i].help);
  }
  fputs("\nrules:\n", stdout);
  for (unsigned i = 0; i < GS_RULE_COUNT; i++)
    printf("  %-20s %s\n", gs_rule_name((gs_rule)i), gs_rule_summary((gs_rule)i));
  fputs("\nexit code: 0 proved or nothing found, 1 findings, 2 usage or input error,\n"
        "3 internal error. Environment: GPUSAFE_CLANG (the clang to run), CUDA_PATH.\n",
        stdout);
}

/// "16x16": one to three positive 31-bit numbers.
static bool is_dim(const char *text) {
  for (int axis = 0; axis < 3; axis++) {
    char *end;
    if (!isdigit((unsigned char)*text))
      return false;
    unsigned long long n = strtoull(text, &end, 10);
    if (n < 1 || n > 0x7FFFFFFF)
      return false;
    if (!*end)
      return true;
    if (*end != 'x')
      return false;
    text = end + 1;
  }
  return false;
}

static bool is_arch(const char *text) {
  if (!gs_starts_with(text, "sm_") || !isdigit((unsigned char)text[3]))
    return false;
  text += 3 + strspn(text + 3, "0123456789");
  return !*text || ((*text == 'a' || *text == 'f') && !text[1]);
}

/// Cuts a comma-separated list; empty parts are kept so that they get a message.
static gs_list cut(gs_mem *mem, const char *text) {
  gs_list parts = {0};
  for (;;) {
    size_t length = strcspn(text, ",");
    gs_list_addf(mem, &parts, "%.*s", (int)length, text);
    if (!text[length])
      return parts;
    text += length + 1;
  }
}

static bool set_archs(gs_mem *mem, gs_check_options *o, const char *value) {
  gs_list parts = cut(mem, value);
  o->archs.count = 0;
  o->archs_given = true;
  for (size_t i = 0; i < parts.count; i++) {
    if (!is_arch(parts.items[i])) {
      gs_fail(GS_EXIT_INPUT, "'%s' is no architecture; write --arch=sm_90 or --arch=sm_80,sm_90",
              parts.items[i]);
      return false;
    }
    if (!gs_list_has(&o->archs, parts.items[i]))
      gs_list_add(mem, &o->archs, parts.items[i]);
  }
  return true;
}

static bool set_rules(gs_mem *mem, gs_check_options *o, const char *value) {
  gs_list parts = cut(mem, value), known = {0};
  for (unsigned i = 0; i < GS_RULE_COUNT; i++)
    gs_list_add(mem, &known, gs_rule_name((gs_rule)i));
  for (size_t i = 0; i < parts.count; i++) {
    // A sign in front adds to the default rules or takes away from them.
    const char *name = parts.items[i] + (*parts.items[i] == '+' || *parts.items[i] == '-');
    if (gs_list_has(&known, name))
      continue;
    const char *near = gs_nearest(name, known.items);
    if (near)
      gs_fail(GS_EXIT_INPUT, "unknown rule '%s'; did you mean '%s'?", name, near);
    else
      gs_fail(GS_EXIT_INPUT, "unknown rule '%s'; 'gpusafe check --help' lists the rules", name);
    return false;
  }
  o->rules = value;
  return true;
}

static bool set_dim(const char **where, const char *name, const char *value) {
  if (!is_dim(value)) {
    gs_fail(GS_EXIT_INPUT, "'%s' is no size; write --%s=256, --%s=16x16 or --%s=8x8x4", value, name,
            name, name);
    return false;
  }
  *where = value;
  return true;
}

static bool set_color(gs_check_options *o, const char *value) {
  if (!value || !strcmp(value, "always"))
    o->color = GS_COLOR_ALWAYS;
  else if (!strcmp(value, "auto"))
    o->color = GS_COLOR_AUTO;
  else if (!strcmp(value, "never"))
    o->color = GS_COLOR_NEVER;
  else {
    gs_fail(GS_EXIT_INPUT, "--color is auto, always or never, not '%s'", value);
    return false;
  }
  return true;
}

static bool set_same_value(gs_check_options *o, const char *value) {
  gs_same_value level;
  o->same_value = value;
  if (gs_same_value_by_name(value, &level))
    return true;
  gs_fail(GS_EXIT_INPUT, "--same-value is error, note or off, not '%s'", value);
  return false;
}

static bool set_dialect(gs_check_options *o, const char *value) {
  o->dialect = strcmp(value, "nvcc") == 0 ? GS_DIALECT_NVCC : GS_DIALECT_CLANG;
  if (o->dialect == GS_DIALECT_NVCC || strcmp(value, "clang") == 0)
    return true;
  gs_fail(GS_EXIT_INPUT, "--dialect is nvcc or clang, not '%s'", value);
  return false;
}

static bool set_host_rules(gs_check_options *o, const char *value) {
  if (!strcmp(value, "on") || !strcmp(value, "all"))
    o->host_rules = value;
  else if (!strcmp(value, "off"))
    o->host_rules = NULL;
  else {
    gs_fail(GS_EXIT_INPUT, "--host-rules is on, all or off, not '%s'", value);
    return false;
  }
  return true;
}

/// Stores one option. \returns false when its value is wrong.
static bool apply(gs_mem *mem, gs_check_options *o, gs_option_id id, const char *value) {
  switch (id) {
  case OPTION_ARCH:
    return set_archs(mem, o, value);
  case OPTION_VERIFY:
  case OPTION_NO_VERIFY:
    o->verify = id == OPTION_VERIFY;
    return true;
  case OPTION_BLOCK:
    return set_dim(&o->block, "block", value);
  case OPTION_GRID:
    return set_dim(&o->grid, "grid", value);
  case OPTION_ASSUME:
    gs_list_add(mem, &o->assumes, value);
    return true;
  case OPTION_RULES:
    return set_rules(mem, o, value);
  case OPTION_HOST_RULES:
    return set_host_rules(o, value);
  case OPTION_SAME_VALUE:
    return set_same_value(o, value);
  case OPTION_STRICT:
    return o->strict = true;
  case OPTION_PTX:
    o->ptx_file = value;
    return o->ptx = true;
  case OPTION_BUNDLE:
    o->bundle = value;
    return true;
  case OPTION_JSON:
    o->json_file = value ? value : "-";
    return o->json = true;
  case OPTION_NO_TIMES:
    return o->no_times = true;
  case OPTION_STATS:
    return o->stats = true;
  case OPTION_DUMP:
    o->dump = !strcmp(value, "accesses");
    if (!o->dump)
      gs_fail(GS_EXIT_INPUT, "--dump knows 'accesses', not '%s'", value);
    return o->dump;
  case OPTION_QUIET:
    return o->quiet = true;
  case OPTION_COLOR:
    return set_color(o, value);
  case OPTION_CUDA_PATH:
    o->cuda_path = value;
    return true;
  case OPTION_DIALECT:
    return set_dialect(o, value);
  case OPTION_VERSION:
  case OPTION_HELP:
  case OPTION_COUNT:
    break;
  }
  return true;
}

static gs_option_id find_row(const char *name, size_t length) {
  size_t i = 0;
  while (i < OPTION_COUNT &&
         (strlen(rows[i].name) != length || memcmp(rows[i].name, name, length) != 0))
    i++;
  return (gs_option_id)i;
}

static void unknown_option(gs_mem *mem, const char *word, size_t name_length) {
  const char *names[OPTION_COUNT + 1] = {NULL};
  for (size_t i = 0; i < OPTION_COUNT; i++)
    names[i] = rows[i].name;
  const char *near = NULL;
  if (gs_starts_with(word, "--"))
    near = gs_nearest(gs_mem_printf(mem, "%.*s", (int)name_length, word + 2), names);
  if (near)
    gs_fail(GS_EXIT_INPUT, "unknown option '%s'; did you mean '--%s'?", word, near);
  else
    gs_fail(GS_EXIT_INPUT, "unknown option '%s'; flags for clang go after '--'", word);
}

/// One `--option`, at argv[*i]. \returns false when it is wrong or ends the tool.
static bool parse_option(gs_mem *mem, int argc, char **argv, int *i, gs_check_options *o,
                         int *exit_code) {
  const char *word = argv[*i], *name = gs_starts_with(word, "--") ? word + 2 : word;
  size_t length = strcspn(name, "=");
  const char *value = name[length] == '=' ? name + length + 1 : NULL;
  gs_option_id id = strcmp(word, "-h") ? find_row(name, length) : OPTION_HELP;
  if (id == OPTION_COUNT || (name == word && id != OPTION_HELP)) {
    unknown_option(mem, word, length);
    return false;
  }
  if (id == OPTION_HELP || id == OPTION_VERSION) {
    if (id == OPTION_HELP)
      print_help();
    else
      gs_print_version();
    *exit_code = GS_EXIT_OK;
    return false;
  }
  if (rows[id].argument == ARGUMENT_NONE && value) {
    gs_fail(GS_EXIT_INPUT, "option '--%s' takes no value", rows[id].name);
    return false;
  }
  if (rows[id].argument == ARGUMENT_REQUIRED && !value && *i + 1 < argc &&
      strcmp(argv[*i + 1], "--") != 0)
    value = argv[++*i];
  if ((rows[id].argument == ARGUMENT_REQUIRED && !value) || (value && !*value)) {
    gs_fail(GS_EXIT_INPUT, "option '--%s' needs a value: --%s=%s", rows[id].name, rows[id].name,
            rows[id].meta);
    return false;
  }
  return apply(mem, o, id, value);
}

/// Takes the flags after `--`. Architectures among them are ours to loop over,
/// unless --arch was given, which then wins.
static bool take_clang_flags(gs_mem *mem, int argc, char **argv, gs_check_options *o) {
  gs_list archs = {0};
  for (int i = 0; i < argc; i++) {
    const char *flag = argv[i];
    if (gs_starts_with(flag, "--cuda-gpu-arch=") || gs_starts_with(flag, "--offload-arch=")) {
      gs_list_add(mem, &archs, strchr(flag, '=') + 1);
      continue;
    }
    if (gs_starts_with(flag, "--cuda-path=") && !o->cuda_path)
      o->cuda_path = flag + strlen("--cuda-path=");
    if (!gs_starts_with(flag, "--cuda-path="))
      gs_list_add(mem, &o->clang_flags, flag);
  }
  if (o->archs.count || !archs.count)
    return true;
  const char *joined = archs.items[0];
  for (size_t i = 1; i < archs.count; i++)
    joined = gs_mem_printf(mem, "%s,%s", joined, archs.items[i]);
  return set_archs(mem, o, joined);
}

static bool is_consistent(const gs_check_options *o) {
  if (!o->files.count) {
    gs_fail(GS_EXIT_INPUT, "no input file; write 'gpusafe check FILE... [-- clang flags]'");
    return false;
  }
  if (o->ptx_file && o->files.count * o->archs.count > 1) {
    gs_fail(GS_EXIT_INPUT, "--ptx=%s names one file, but there are %zu outputs; "
                           "write --ptx alone to have each named after its input",
            o->ptx_file, o->files.count * o->archs.count);
    return false;
  }
  if (o->dump && (o->json || o->ptx)) {
    gs_fail(GS_EXIT_INPUT, "--dump checks nothing and makes no code: it goes without --json and --ptx");
    return false;
  }
  if (o->json && o->ptx_file && !strcmp(o->json_file, o->ptx_file)) {
    gs_fail(GS_EXIT_INPUT, "--json and --ptx cannot both write to '%s'", o->ptx_file);
    return false;
  }
  return true;
}

bool gs_check_options_parse(gs_mem *mem, int argc, char **argv, gs_check_options *out,
                            int *exit_code) {
  memset(out, 0, sizeof *out);
  *exit_code = GS_EXIT_INPUT;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--")) {
      if (!take_clang_flags(mem, argc - i - 1, argv + i + 1, out))
        return false;
      break;
    }
    if (argv[i][0] == '-' && argv[i][1]) {
      if (!parse_option(mem, argc, argv, &i, out, exit_code))
        return false;
    } else {
      gs_list_add(mem, &out->files, argv[i]);
    }
  }
  if (!out->archs.count)
    gs_list_add(mem, &out->archs, "sm_90");
  return is_consistent(out);
}
