// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_request.h"

#include "decode.h"
#include "replay_request.h"
#include "trace_json.h"

#include <inttypes.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct gs_replaying {
  gs_mem *mem;
  const gs_module_options *options;
  LLVMModuleRef module;
  gs_ir *ir;
  uint32_t kernel;
  gs_code *code;
  const char **params;
  gs_replay_request request;
} gs_replaying;

// --------------------------------------------------------------- kernel ----

static void name_params(gs_replaying *r, const char *mangled) {
  LLVMValueRef f = LLVMGetNamedFunction(r->module, mangled);
  r->params = gs_mem_alloc(r->mem, (r->code->param_count + 1) * sizeof *r->params);
  for (uint32_t i = 0; i < r->code->param_count; i++) {
    size_t length = 0;
    const char *name = f ? LLVMGetValueName2(LLVMGetParam(f, i), &length) : "";
    r->params[i] = length ? gs_mem_printf(r->mem, "%.*s", (int)length, name)
                          : gs_mem_printf(r->mem, "arg%" PRIu32, i);
  }
}

/// The kernel of this name, or the only one that has it in its name.
static int find_kernel(gs_replaying *r) {
  uint32_t found = 0, n = gs_ir_kernel_count(r->ir);
  for (uint32_t i = 0; i < n; i++) {
    const char *name = gs_ir_kernel_name(r->ir, i);
    if (strcmp(name, r->request.kernel) == 0) {
      r->kernel = i;
      return GS_EXIT_OK;
    }
    if (!strstr(name, r->request.kernel))
      continue;
    r->kernel = i;
    found++;
  }
  if (found == 1)
    return GS_EXIT_OK;
  return gs_fail(GS_INPUT_IS_WRONG, found ? "%s: several kernels are called '%s'; give the mangled name"
                                          : "%s: there is no kernel '%s'",
                 r->options->file, r->request.kernel);
}

// -------------------------------------------------------------- by hand ----

/// "n", or "p+8" for what is 8 bytes into p, or "2+8" by number.
static bool find_param(const gs_replaying *r, const char *text, uint32_t *param, uint32_t *offset) {
  size_t length = strcspn(text, "+");
  char *end;
  *offset = text[length] ? (uint32_t)strtoul(text + length + 1, &end, 0) : 0;
  for (uint32_t i = 0; i < r->code->param_count; i++)
    if (strlen(r->params[i]) == length && memcmp(r->params[i], text, length) == 0) {
      *param = i;
      return true;
    }
  *param = (uint32_t)strtoul(text, &end, 10);
  return end == text + length && length && *param < r->code->param_count;
}

static const char *field(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

/// The width of the scalar at a place of a parameter, 0 when the code does not tell.
static uint32_t width_at(const gs_code_param *p, uint32_t offset) {
  for (uint32_t i = 0; p->window == GS_NO_WINDOW && i < p->leaves; i++)
    if (p->offsets[i] == offset)
      return p->widths[i];
  return 0;
}

static int bad_argument(const char *name) {
  return gs_fail(GS_INPUT_IS_WRONG, "--arg: the kernel has no parameter '%s'", name);
}

/// A whole number that fits, a number with a point, "null" or "buffer". Of the latter
/// three *word is 0.
static bool read_value(const char *text, uint32_t width, uint64_t *word) {
  char *end = NULL;
  *word = 0;
  if (strcmp(text, "null") == 0 || strcmp(text, "buffer") == 0)
    return true;
  if (strchr(text, '.')) {
    strtod(text, &end);
    return end != text && !*end && (width == 32 || width == 64);
  }
  bool negative = *text == '-';
  errno = 0;
  uint64_t n = negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
  if (end == text || *end || errno == ERANGE)
    return false;
  bool fits = width >= 64 || (negative ? (int64_t)n >= -(INT64_C(1) << (width - 1)) : n >> width == 0);
  *word = n;
  return fits;
}

static int add_arguments(gs_replaying *r) {
  const json_t *list = json_object_get(r->request.launch, "arguments");
  gs_witness *w = &r->request.witness;
  size_t given = json_array_size(list), n = 0;
  gs_actual *args = gs_mem_alloc(r->mem, (given + r->code->param_count + 1) * sizeof *args);
  for (size_t i = 0; i < given; i++) {
    const json_t *it = json_array_get(list, i);
    const char *name = field(it, "name"), *value = field(it, "value");
    uint32_t param = 0, offset = 0, bits = (uint32_t)json_integer_value(json_object_get(it, "bits"));
    if (!find_param(r, name, &param, &offset))
      return bad_argument(name);
    uint32_t width = bits ? bits : width_at(&r->code->params[param], offset);
    width = width ? width : 32;
    uint64_t word = 0;
    if (!read_value(value, width, &word))
      return gs_fail(GS_INPUT_IS_WRONG, "--arg: '%s' is no %u-bit value for '%s'", value,
                     (unsigned)width, name);
    double real = strtod(value, NULL);
    float single = (float)real;
    bool is_pointer = strcmp(value, "buffer") == 0 || strcmp(value, "null") == 0;
    if (!is_pointer && strpbrk(value, ".") && width == 32)
      memcpy(&word, &single, sizeof single);
    else if (!is_pointer && strpbrk(value, ".") && width == 64)
      memcpy(&word, &real, sizeof real);
    args[n++] = (gs_actual){.param = param, .offset = offset, .bits = (uint8_t)(is_pointer ? 64 : width),
                              .is_pointer = is_pointer,
                              .value = is_pointer ? (strcmp(value, "null") == 0 ? 0 : 256) : word};
  }
  LLVMValueRef f = LLVMGetNamedFunction(r->module, gs_ir_kernel_name(r->ir, r->kernel));
  for (uint32_t i = 0; i < r->code->param_count; i++) {
    bool taken = r->code->params[i].window != GS_NO_WINDOW;
    for (size_t j = 0; j < n; j++)
      taken |= args[j].param == i;
    if (!taken && LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, i))) == LLVMPointerTypeKind)
      args[n++] = (gs_actual){.param = i, .bits = 64, .is_pointer = true, .value = 256};
  }
  w->arguments = args;
  w->argument_count = (uint32_t)n;
  return GS_EXIT_OK;
}

static int add_memory(gs_replaying *r) {
  const json_t *list = json_object_get(r->request.launch, "memory");
  gs_witness *w = &r->request.witness;
  gs_cell *cells = gs_mem_alloc(r->mem, (json_array_size(list) + 1) * sizeof *cells);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *it = json_array_get(list, i);
    const char *name = field(it, "array");
    uint32_t bits = (uint32_t)json_integer_value(json_object_get(it, "bits"));
    gs_cell cell = {.array = {.name = name},
                    .offset = (int64_t)json_integer_value(json_object_get(it, "index")) * (bits / 8),
                    .bits = (uint8_t)bits,
                    .value = (uint64_t)strtoll(field(it, "value"), NULL, 0)};
    if (!find_param(r, name, &cell.array.param, &cell.array.offset)) {
      cell.array.kind = GS_ARRAY_VARIABLE;
      gs_traced names = {.code = r->code, .params = r->params, .witness = w};
      for (uint32_t v = 0; v < r->code->window_count && !cell.array.symbol; v++)
        if (strcmp(gs_traced_name(r->mem, &names, v), name) == 0)
          cell.array.symbol = r->code->windows[v].name;
      if (!cell.array.symbol)
        return gs_fail(GS_INPUT_IS_WRONG, "%s: there is no array '%s'", r->options->file, name);
    }
    cells[w->cell_count++] = cell;
  }
  w->cells = cells;
  return GS_EXIT_OK;
}

static gs_dim dim_at(uint32_t number, gs_dim size) {
  return (gs_dim){number % size.x, number / size.x % size.y, number / size.x / size.y};
}

/// The array that a window is.
static gs_array_ref array_at(gs_replaying *r, uint32_t window) {
  const gs_witness *w = &r->request.witness;
  gs_traced names = {.code = r->code, .params = r->params, .witness = w};
  gs_array_ref ref = {.name = gs_traced_name(r->mem, &names, window), .kind = GS_ARRAY_PRIVATE};
  if (window < r->code->window_count) {
    gs_window_kind kind = r->code->windows[window].kind;
    ref.kind = kind == GS_WINDOW_LOCAL     ? GS_ARRAY_PRIVATE
               : kind == GS_WINDOW_DYNAMIC ? GS_ARRAY_DYNAMIC
                                           : GS_ARRAY_VARIABLE;
    ref.symbol = r->code->windows[window].name;
  } else if (window - r->code->window_count < w->argument_count) {
    ref.kind = GS_ARRAY_PARAM;
    ref.param = w->arguments[window - r->code->window_count].param;
    ref.offset = w->arguments[window - r->code->window_count].offset;
  }
  return ref;
}

/// Runs the whole launch and makes a witness of the first conflict.
/// \returns the rule that is broken, NULL for none.
static const char *look_for_conflict(gs_replaying *r, gs_replay_result *result) {
  gs_witness *w = &r->request.witness;
  gs_rerun *rerun = gs_rerun_new(r->code, w);
  *result = (gs_replay_result){.end = GS_END_MEMORY};
  if (!rerun)
    return NULL;
  gs_rerun_launch(rerun)->budget = r->request.budget;
  gs_replay_run(r->code, gs_rerun_launch(rerun), result);
  gs_rerun_free(rerun);
  bool outside = result->end == GS_END_BOUNDS;
  if (!outside && !result->raced)
    return NULL;
  const gs_replay_conflict *c = &result->conflict;
  w->thread_count = outside ? 1 : 2;
  for (uint32_t i = 0; i < w->thread_count; i++) {
    const gs_replay_access *a = &c->access[w->thread_count - 1 - i]; // the earlier one first
    w->ctaid[i] = dim_at(a->block, w->grid);
    w->thread[i] = dim_at(a->thread, w->block);
    r->request.claim.line[i] = a->line;
    r->request.claim.is_write[i] = a->is_write;
    r->request.claim.is_atomic[i] = a->is_atomic;
  }
  w->array = array_at(r, c->window);
  w->elem_size = c->size;
  w->byte_offset = c->offset;
  return outside ? "out-of-bounds" : "data-race";
}

// ------------------------------------------------------------------ run ----

static int write_json(const gs_replaying *r, json_t *json) {
  bool good = json && json_dump_file(json, r->options->report, JSON_INDENT(1)) == 0;
  json_decref(json);
  return good ? GS_EXIT_OK : gs_fail(GS_EXIT_INTERNAL, "cannot write '%s'", r->options->report);
}

static int run(gs_replaying *r) {
  static const char *const verdicts[] = {"confirmed", "refuted", "refused"};
  gs_replay_result result = {0};
  gs_trace trace = {0};
  int code = GS_EXIT_OK;
  gs_traced traced = {.kernel = gs_ir_kernel_name(r->ir, r->kernel), .code = r->code, .params = r->params,
                      .witness = &r->request.witness, .claim = &r->request.claim,
                      .rule = r->request.claim.barriers_order ? "data-race" : "disjoint",
                      .verdict = "none"};
  if (r->request.launch) {
    code = add_arguments(r);
    code = code ? code : add_memory(r);
    if (code)
      return code;
    traced.rule = look_for_conflict(r, &result);
  } else if (r->request.witness.thread_count < 2) {
    traced.rule = "out-of-bounds";
  }
  traced.end = result.end;
  traced.instructions = result.steps;
  if (traced.rule) {
    gs_status status = gs_trace_make(r->code, &r->request.witness, &r->request.claim, r->request.budget, &trace);
    if (status != GS_OK)
      return gs_fail(GS_INPUT_IS_WRONG, "%s: the witness does not fit the kernel; has the file changed?",
                     r->options->file);
    traced.trace = &trace;
    traced.verdict = verdicts[trace.verdict];
    traced.end = trace.end;
    traced.instructions = trace.run;
  }
  code = write_json(r, gs_trace_to_json(r->mem, &traced));
  gs_trace_free(&trace);
  return code;
}

static int decode(gs_replaying *r) {
  char *reason = NULL;
  gs_status status = gs_ir_decode(r->ir, r->kernel, &r->code, &reason);
  int code = GS_EXIT_OK;
  if (status != GS_OK)
    code = gs_fail(status == GS_ERROR_INPUT ? GS_INPUT_IS_WRONG : GS_EXIT_INTERNAL,
                   "%s: '%s' cannot be run: %s", r->options->file, r->request.kernel,
                   reason ? reason : "out of memory");
  free(reason);
  return code;
}

int gs_module_replay(gs_mem *mem, const gs_module_options *options, LLVMModuleRef module) {
  enum { DEFAULT_BUDGET = 200000000 };
  gs_replaying r = {.mem = mem, .options = options, .module = module};
  json_error_t error;
  json_t *json = json_load_file(options->replay, 0, &error);
  if (!json)
    return gs_fail(GS_INPUT_IS_WRONG, "%s: %s", options->replay, error.text);
  const char *problem = gs_replay_request_read(mem, json, &r.request);
  int code = problem ? gs_fail(GS_INPUT_IS_WRONG, "%s: %s", options->file, problem) : GS_EXIT_OK;
  char *message = NULL;
  if (!r.request.budget)
    r.request.budget = DEFAULT_BUDGET;
  if (!code && gs_ir_open(module, &r.ir, &message) != GS_OK)
    code = gs_fail(GS_EXIT_INTERNAL, "%s: %s", options->file, message ? message : "cannot prepare it");
  free(message);
  code = code ? code : find_kernel(&r);
  code = code ? code : decode(&r);
  if (!code) {
    name_params(&r, gs_ir_kernel_name(r.ir, r.kernel));
    code = run(&r);
  }
  gs_code_free(r.code);
  gs_ir_close(r.ir);
  json_decref(json);
  return code;
}
