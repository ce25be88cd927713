// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle.h"

#include "attack.h"
#include "decode.h"
#include "text.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct gs_bundle {
  gs_mem *mem;
  const gs_module_options *options;
  gs_text *text;
  gs_input input;
  gs_report *report;
  gs_ir *ir;
} gs_bundle;

static char *read_all(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *data = NULL;
  size_t room = 0, got = 0;
  *size = 0;
  while (file && (*size < room || (data = realloc(data, room = room ? room * 2 : 65536))) &&
         (got = fread(data + *size, 1, room - *size, file)) > 0)
    *size += got;
  if (file)
    fclose(file);
  return data;
}

static int read_descriptions(gs_bundle *b) {
  size_t size = 0;
  char *data = read_all(b->options->descriptions, &size);
  gs_text_error error = {0};
  if (!data)
    return gs_fail(GS_INPUT_IS_WRONG, "%s: %s", b->options->descriptions, strerror(errno));
  gs_status status = gs_text_parse(data, size, &b->text, &error);
  free(data);
  if (status != GS_OK)
    return gs_fail(GS_INPUT_IS_WRONG, "%s:%u:%u: %s", b->options->descriptions, error.line, error.column,
                   error.message);
  uint32_t count = gs_text_kernel_count(b->text);
  gs_kernel_desc *kernels = gs_mem_alloc(b->mem, (count + 1) * sizeof *kernels);
  for (uint32_t i = 0; i < count; i++) {
    const gs_program *p = gs_text_kernel(b->text, i);
    if (p->desc)
      kernels[b->input.kernel_count++] = *p->desc;
  }
  b->input.kernels = kernels;
  const char *target = b->options->arch ? b->options->arch : gs_text_target(b->text);
  b->input.target = target && gs_starts_with(target, "sm_") ? target : "sm_90";
  b->input.options.sm = (uint32_t)strtoul(b->input.target + 3, NULL, 10);
  return GS_EXIT_OK;
}

static const gs_kernel_desc *desc_of(const gs_bundle *b, const char *mangled) {
  for (uint32_t i = 0; i < b->input.kernel_count; i++)
    if (strcmp(b->input.kernels[i].mangled, mangled) == 0)
      return &b->input.kernels[i];
  return NULL;
}

static const char *of_finding(const gs_kernel_result *k) {
  for (uint32_t i = 0; i < k->finding_count; i++)
    if (k->findings[i].verdict == GS_RACE && k->findings[i].replay)
      return k->findings[i].replay;
  return NULL;
}

static void attack_kernel(gs_bundle *b, uint32_t index, json_t *out) {
  static const char *const outcomes[] = {"holds", "breaks", "unrun: no launch was found that the contract allows"};
  const gs_kernel_result *k = &b->report->kernels[index];
  const gs_kernel_desc *desc = desc_of(b, k->mangled);
  gs_code *code = NULL;
  char *reason = NULL;
  gs_ir_decode(b->ir, index, &code, &reason);
  if (code && desc) {
    gs_attack attack = {.code = code, .desc = desc, .result = k, .seed = b->options->seed,
                        .runs = b->options->attack, .budget = 400000};
    gs_attack_report report;
    gs_attack_run(&attack, &report);
    json_object_set_new(out, "attack", json_string(outcomes[report.outcome]));
    json_object_set_new(out, "launches", json_integer(report.runs));
    json_object_set_new(out, "unclear", json_integer(report.unclear));
    json_object_set_new(out, "text", json_string(report.text));
  } else {
    json_object_set_new(out, "attack",
                        json_string(gs_mem_printf(b->mem, "unrun: %s", reason ? reason : "it is not described")));
  }
  free(reason);
  gs_code_free(code);
}

static json_t *results(gs_bundle *b) {
  json_t *kernels = json_array();
  for (uint32_t i = 0; i < b->report->kernel_count; i++) {
    const gs_kernel_result *k = &b->report->kernels[i];
    const char *shown = of_finding(k);
    json_t *kernel = json_pack("{s:s,s:s,s:s,s:s?,s:s?}", "mangled", k->mangled, "name", k->name, "verdict",
                               gs_verdict_name(k->verdict), "reason", k->reason, "attack", shown);
    if (k->verdict == GS_PROVED || k->verdict == GS_TRUSTED)
      attack_kernel(b, i, kernel);
    json_array_append_new(kernels, kernel);
  }
  return json_pack("{s:o}", "kernels", kernels);
}

int gs_module_attack(gs_mem *mem, const gs_module_options *options, LLVMModuleRef module) {
  gs_bundle b = {.mem = mem, .options = options};
  char *error = NULL;
  b.input = (gs_input){.file = options->file, .options = options->core};
  b.input.options.thorough = true;
  int code = read_descriptions(&b);
  if (!code && (gs_check(module, &b.input, &b.report, &error) != GS_OK ||
                gs_ir_open(module, &b.ir, &error) != GS_OK))
    code = gs_fail(GS_EXIT_INTERNAL, "%s: %s", options->file, error ? error : "the analysis failed");
  if (!code) {
    json_t *json = results(&b);
    if (!json || json_dump_file(json, options->report, JSON_INDENT(1)) != 0)
      code = gs_fail(GS_EXIT_INTERNAL, "cannot write '%s'", options->report);
    json_decref(json);
  }
  free(error);
  gs_ir_close(b.ir);
  gs_report_free(b.report);
  gs_text_free(b.text);
  return code;
}
