// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch tells about the kernel's run, as clauses.
#include "launch.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TEXT = 512 };

typedef struct teller {
  const gs_hosts *hosts;
  const gs_launch *launch;
  const gs_param_desc *params;
  gs_launch_fact_sink sink;
  void *user;
  uint32_t except; ///< parameter that is being spoken of: not its own explanation
  bool wraps;      ///< an argument that was named was passed with a loss, perhaps
  bool by_axis;
  bool block, grid; ///< these sizes have been spoken of: they may be named as well
  bool fields;      ///< integers in structures may be named
  char field_name[96]; ///< the last one
} teller;

/// An integer or structure whose name means it and nothing else: those of an expanded
/// pack share theirs.
static bool is_named(const teller *t, uint32_t param) {
  const char *name = t->params[param].name;
  bool kind = t->params[param].kind == GS_TYPE_INT || t->params[param].kind == GS_TYPE_RECORD;
  bool fine = kind && name[0] &&
              !gs_name_is_builtin(name, strlen(name));
  for (uint32_t i = 0; i < t->launch->arg_count && fine; i++)
    fine = i == param || strcmp(t->params[i].name, name) != 0;
  return fine;
}

static const char *size_name(const teller *t, uint32_t at) {
  static const char *const names[2][3] = {{"block.x", "block.y", "block.z"},
                                          {"grid.x", "grid.y", "grid.z"}};
  for (int d = 0; d < 3 && gs_host_at(t->hosts, at)->op != GS_EXPR_INT; d++) {
    if (t->block && t->launch->block[d].at == at)
      return names[0][d];
    if (t->grid && t->launch->grid[d].at == at)
      return names[1][d];
  }
  return NULL;
}

/// "shape.width"; NULL when it has no name that means it.
static const char *field_name(teller *t, const gs_launch_field *field) {
  const gs_param_desc *param = &t->params[field->param];
  for (uint32_t i = 0; is_named(t, field->param) && i < param->field_count; i++) {
    const gs_field *f = &param->fields[i];
    if (f->offset != field->offset || f->kind != GS_TYPE_INT)
      continue;
    int n = snprintf(t->field_name, sizeof t->field_name, "%s.%s", param->name, f->path);
    return n > 0 && (size_t)n < sizeof t->field_name ? t->field_name : NULL;
  }
  return NULL;
}

/// The parameter that gets exactly this value, or the size of the launch that has it. A
/// number explains nothing, and a parameter is explained by those before it only.
static const char *name_of(void *user, uint32_t at) {
  teller *t = user;
  if (gs_host_at(t->hosts, at)->op == GS_EXPR_INT)
    return NULL;
  for (uint32_t i = 0; i < t->launch->arg_count && i < t->except; i++)
    if (t->launch->args[i].at == at && is_named(t, i)) {
      t->wraps |= t->launch->args[i].wraps;
      return t->params[i].name;
    }
  for (uint32_t i = 0; t->fields && i < t->launch->field_count; i++)
    if (t->launch->fields[i].value.at == at && field_name(t, &t->launch->fields[i])) {
      t->wraps |= t->launch->fields[i].value.wraps;
      return t->field_name;
    }
  return size_name(t, at);
}

static void tell_bound(teller *t, const char *what, const char *op, gs_host_int bound, bool wraps) {
  char text[MAX_TEXT];
  if (bound < INT32_MIN || bound > INT32_MAX)
    return;
  snprintf(text, sizeof text, "%s %s %lld", what, op, (long long)bound);
  t->sink(t->user, text, wraps);
}

/// Any name will do: only the form of the text is looked at.
static bool any_name(void *user, const char *name, size_t length, gs_name *out, const char **hint) {
  (void)user, (void)name, (void)length, (void)hint;
  *out = (gs_name){.kind = GS_NAME_PARAM, .bits = 64, .is_signed = true};
  return true;
}

/// Takes out the parentheses that C does not need.
static void simplify(char *text, size_t size) {
  char plain[MAX_TEXT];
  gs_clause *clause = NULL;
  if (gs_clause_parse(text, strlen(text), any_name, NULL, &clause, NULL) == GS_OK &&
      gs_clause_print(clause, plain, sizeof plain) < size)
    strcpy(text, plain);
  gs_clause_free(clause);
}

/// `what == expression`, or else the bounds of the expression, within [lo, hi] which
/// hold of any launch.
static void tell(teller *t, const char *what, gs_host_value value, gs_host_int lo, gs_host_int hi) {
  char expression[MAX_TEXT - 64], text[MAX_TEXT];
  if (!value.at)
    return;
  t->wraps = value.wraps;
  if (gs_host_at(t->hosts, value.at)->op == GS_EXPR_NAME && !name_of(t, value.at))
    return; // nothing but its type
  size_t length = gs_host_print(t->hosts, value.at, name_of, t, expression, sizeof expression);
  if (length && length < sizeof expression) {
    snprintf(text, sizeof text, "%s == (%s)", what, expression);
    simplify(text, sizeof text);
    t->sink(t->user, text, t->wraps);
    return;
  }
  // Wider bounds come from a type and help nobody.
  enum { WIDE = 1 << 20 };
  gs_host_bounds b = gs_host_range(t->hosts, value);
  if (b.lo > lo && b.lo > -WIDE)
    tell_bound(t, what, ">=", b.lo, value.wraps);
  if (b.hi < hi && b.hi < WIDE)
    tell_bound(t, what, "<=", b.hi, value.wraps);
}

/// `block == dim(16, 16, 1)` when all are numbers.
static bool tell_whole(teller *t, const char *what, const gs_host_value size[3]) {
  char text[MAX_TEXT];
  int64_t n[3];
  for (int d = 0; d < 3; d++)
    if (!gs_host_constant(t->hosts, size[d], &n[d]))
      return false;
  snprintf(text, sizeof text, "%s == dim(%lld, %lld, %lld)", what, (long long)n[0], (long long)n[1],
           (long long)n[2]);
  t->sink(t->user, text, size[0].wraps || size[1].wraps || size[2].wraps);
  return true;
}

static void tell_sizes(teller *t, const char *what, const gs_host_value size[3],
                       const gs_host_int limits[3]) {
  if (!t->by_axis && tell_whole(t, what, size))
    return;
  for (int d = 0; d < 3; d++) {
    char axis[16];
    snprintf(axis, sizeof axis, "%s.%c", what, "xyz"[d]);
    tell(t, axis, size[d], 1, limits[d]);
  }
}

void gs_launch_facts(const gs_hosts *hosts, const gs_launch *launch, const gs_param_desc *params,
                     bool by_axis, gs_launch_fact_sink sink, void *user) {
  static const gs_host_int blocks[3] = {2147483647, 65535, 65535}, threads[3] = {1024, 1024, 64};
  teller t = {.hosts = hosts, .launch = launch, .params = params, .sink = sink, .user = user,
              .except = launch->arg_count, .by_axis = by_axis, .fields = true};
  tell_sizes(&t, "block", launch->block, threads);
  t.block = true;
  tell_sizes(&t, "grid", launch->grid, blocks);
  t.grid = true;
  if (launch->dynamic_smem.at)
    tell(&t, "dynamic_smem", launch->dynamic_smem, 0, INT32_MAX);
  t.fields = false;
  for (uint32_t i = 0; i < launch->arg_count; i++) {
    t.except = i;
    // That a size is this parameter has been said already.
    if (!is_named(&t, i) || params[i].kind != GS_TYPE_INT || params[i].field_count != 1 || size_name(&t, launch->args[i].at))
      continue;
    gs_host_int half = (gs_host_int)1 << (params[i].fields[0].bits - 1);
    bool negative = params[i].fields[0].is_signed;
    tell(&t, params[i].name, launch->args[i], negative ? -half : 0,
         negative ? half - 1 : 2 * half - 1);
  }
  t.except = launch->arg_count;
  for (uint32_t i = 0; i < launch->field_count; i++) {
    char name[sizeof t.field_name];
    if (!field_name(&t, &launch->fields[i]) || size_name(&t, launch->fields[i].value.at))
      continue;
    memcpy(name, t.field_name, sizeof name);
    tell(&t, name, launch->fields[i].value, INT32_MIN, INT32_MAX);
  }
}

// ------------------------------------------------------------------ aliases ----

/// The address that an address is counted from; 0 when there is none.
static uint32_t buffer_of(const gs_hosts *hosts, uint32_t at) {
  const gs_host_node *node = gs_host_at(hosts, at);
  while (node->is_address && node->op == GS_EXPR_ADD) {
    at = node->args[0];
    node = gs_host_at(hosts, at);
  }
  return node->is_address ? at : 0;
}

uint32_t gs_launch_aliases(const gs_hosts *hosts, const gs_launch *launch,
                           const gs_param_desc *params, gs_alias *out, uint32_t capacity) {
  uint32_t count = 0;
  for (uint32_t j = 1; j < launch->arg_count; j++)
    for (uint32_t i = 0; i < j; i++) {
      uint32_t a = launch->args[i].at, b = launch->args[j].at;
      if (params[i].kind != GS_TYPE_POINTER || params[j].kind != GS_TYPE_POINTER || !a || !b)
        continue;
      uint32_t buffer = buffer_of(hosts, a);
      if (!buffer || buffer != buffer_of(hosts, b))
        continue;
      if (count < capacity)
        out[count] = (gs_alias){.param = j, .of = i, .exact = a == b};
      count++;
    }
  return count;
}
