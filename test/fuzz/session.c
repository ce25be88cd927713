// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A batch of kernels through clang, the checker and replay.
#include "oracle.h"

#include "check_program.h"
#include "decode.h"
#include "gpu.h"
#include "ir.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char prelude[] =
    "__device__ __attribute__((noinline)) int half_of(int a, int b) {\n"
    "  if (b > 0) return a / 2;\n"
    "  int r; r = a + b; return r;\n"
    "}\n"
    "namespace cooperative_groups { namespace __v1 { namespace details { namespace grid {\n"
    "__device__ __attribute__((noinline)) void sync(unsigned *p) {\n"
    "  if (p) *p = 0;\n"
    "} } } } }\n"
    "struct pair { int a, b; };\n"
    "__device__ int pick(int a, int b) {\n"
    "  pair p = {a, b}; pair q = p; if (q.a > q.b) { q.a = q.b; } return q.a;\n"
    "}\n";

static bool compile(const fz_session *s, const char *source, const char *module) {
  char *argv[] = {(char *)s->clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                  "-Wno-everything", "-include", (char *)s->header, "--cuda-gpu-arch=sm_90", "-Xclang",
                  "-target-sdk-version=12.9", "-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes",
                  "-O1", "-gline-tables-only", "-fno-strict-aliasing", (char *)source, "-o",
                  (char *)module, NULL};
  pid_t child;
  int status = 0;
  if (posix_spawnp(&child, s->clang, NULL, NULL, argv, environ) != 0 ||
      waitpid(child, &status, 0) != child)
    return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool write_source(fz_kernel *const *kernels, uint32_t count, const char *path) {
  FILE *f = fopen(path, "w");
  if (!f)
    return false;
  fputs(prelude, f);
  for (uint32_t i = 0; i < count; i++) {
    kernels[i]->index = i;
    fz_print(kernels[i], f);
  }
  return fclose(f) == 0;
}

static LLVMModuleRef read_module(LLVMContextRef context, const char *path) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
      LLVMParseIRInContext(context, buffer, &module, &message))
    module = NULL;
  LLVMDisposeMessage(message);
  return module;
}

static const gs_kernel_result *find_result(const gs_report *report, const char *mangled) {
  for (uint32_t i = 0; i < report->kernel_count; i++)
    if (strcmp(report->kernels[i].mangled, mangled) == 0)
      return &report->kernels[i];
  return NULL;
}

static gs_code *decode(gs_ir *ir, const char *mangled, fz_session *s, fz_report *out) {
  gs_code *code = NULL;
  char *reason = NULL;
  for (uint32_t i = 0; i < gs_ir_kernel_count(ir); i++)
    if (strcmp(gs_ir_kernel_name(ir, i), mangled) == 0)
      gs_ir_decode(ir, i, &code, &reason);
  if (!code) {
    s->refused++;
    snprintf(out->text, sizeof out->text, "replay refuses: %s", reason ? reason : "no kernel");
  }
  free(reason);
  return code;
}

/// The batch for a device: its source, its launches, and a list of kernels with verdicts.
static bool write_batch(fz_session *s, fz_kernel *const *kernels, uint32_t count, const fz_description *descs,
                        const gs_report *report, gs_ir *ir) {
  char path[600];
  fz_report ignored;
  snprintf(path, sizeof path, "%s/b%03u.cu", s->gpu, s->batches);
  bool fine = write_source(kernels, count, path);
  snprintf(path, sizeof path, "%s/b%03u.plan", s->gpu, s->batches);
  FILE *plan = fopen(path, "wb");
  snprintf(path, sizeof path, "%s/kernels", s->gpu);
  FILE *list = fopen(path, "a");
  for (uint32_t i = 0; i < count && fine && plan && list; i++) {
    const gs_kernel_result *result = find_result(report, descs[i].desc.mangled);
    gs_code *code = decode(ir, descs[i].desc.mangled, s, &ignored);
    uint32_t n = code && result ? fz_gpu_launches(plan, kernels[i], &descs[i].desc, result, code) : 0;
    fprintf(list, "b%03u %u %llu %s %u\n", s->batches, i, (unsigned long long)kernels[i]->seed,
            result ? gs_verdict_name(result->verdict) : "?", n);
    gs_code_free(code);
  }
  s->batches++;
  fine &= plan && fclose(plan) == 0;
  fine &= list && fclose(list) == 0;
  return fine;
}

static bool judge_all(fz_session *s, fz_kernel *const *kernels, uint32_t count,
                      const fz_description *descs, const gs_report *report, gs_ir *ir,
                      fz_report *reports, gs_verdict *verdicts) {
  for (uint32_t i = 0; i < count; i++) {
    const gs_kernel_desc *desc = &descs[i].desc;
    const gs_kernel_result *result = find_result(report, desc->mangled);
    if (!result)
      return false;
    gs_code *code = decode(ir, desc->mangled, s, &reports[i]);
    if (code)
      fz_judge(kernels[i], desc, result, code, s, &reports[i]);
    gs_code_free(code);
    verdicts[i] = result->verdict;
    s->verdicts[result->verdict]++;
    s->outcomes[reports[i].outcome]++;
    s->broken += reports[i].broken;
    s->broken_unknown += reports[i].broken && result->verdict == GS_UNKNOWN;
  }
  return true;
}

/// Verdicts of small budgets, each up to its first question that is not refuted.
static gs_status prove_only(gs_ir *ir, const gs_input *input, gs_report **out) {
  gs_pool *arena = NULL;
  gs_kernel_result *results = NULL;
  uint32_t count = gs_ir_kernel_count(ir);
  gs_lower_options how = {.strict = input->options.strict};
  gs_status status = gs_report_new(input, count, out, &arena, &results);
  for (uint32_t i = 0; i < count && status == GS_OK; i++) {
    const char *mangled = gs_ir_kernel_name(ir, i);
    const gs_kernel_desc *desc = NULL;
    gs_program *program = NULL;
    gs_result result = {.arena = arena};
    for (uint32_t j = 0; j < input->kernel_count; j++)
      if (strcmp(input->kernels[j].mangled, mangled) == 0)
        desc = &input->kernels[j];
    status = gs_ir_lower(ir, i, desc, &how, &program);
    if (status == GS_OK)
      status = gs_check_once(program, &input->options, GS_LOOK_PROOF, NULL, &result, &results[i].counters);
    if (status == GS_OK)
      gs_check_finish(mangled, desc, &input->options, &result, &results[i]);
    gs_program_free(program);
  }
  return *out ? gs_report_close(status, out) : status;
}

static bool check_module(fz_session *s, LLVMModuleRef module, fz_kernel *const *kernels,
                         uint32_t count, fz_report *reports, gs_verdict *verdicts) {
  fz_description *descs = calloc(count, sizeof *descs);
  gs_kernel_desc *plain = calloc(count, sizeof *plain);
  bool fine = descs && plain;
  for (uint32_t i = 0; i < count && fine; i++) {
    fine = fz_describe(kernels[i], &descs[i]);
    for (uint32_t j = 0; s->thrifty && fine && j < descs[i].desc.fact_count; j++)
      ((gs_fact *)(uintptr_t)descs[i].desc.facts)[j].origin = GS_FACT_OPTION;
    plain[i] = descs[i].desc;
  }
  gs_input input = {.file = "fuzz.cu", .target = "sm_90", .kernels = plain, .kernel_count = count,
                    .options = {.sm = 90,
                                // What is read before anybody wrote it is no race.
                                .rules = gs_rule_defaults() & ~(1u << GS_RULE_UNINITIALIZED_SHARED),
                                // A race is a race to the replay, whatever is written.
                                .same_value = GS_SAME_VALUE_ERROR,
                                .verify = !s->thrifty, .strict = s->strict, .solver_budget = s->budget}};
  gs_report *report = NULL;
  gs_ir *ir = NULL;
  fine = fine && gs_ir_open(module, &ir, NULL) == GS_OK &&
         (s->quick ? prove_only(ir, &input, &report) : gs_check(module, &input, &report, NULL)) == GS_OK &&
         judge_all(s, kernels, count, descs, report, ir, reports, verdicts) &&
         (!s->gpu || write_batch(s, kernels, count, descs, report, ir));
  gs_ir_close(ir);
  gs_report_free(report);
  for (uint32_t i = 0; descs && i < count; i++)
    fz_description_free(&descs[i]);
  free(descs);
  free(plain);
  return fine;
}

bool fz_check_batch(fz_session *s, fz_kernel *const *kernels, uint32_t count, fz_report *reports,
                    gs_verdict *verdicts) {
  char source[600], module_path[600];
  snprintf(source, sizeof source, "%s/fuzz.%ld.cu", s->folder, (long)getpid());
  snprintf(module_path, sizeof module_path, "%s/fuzz.%ld.bc", s->folder, (long)getpid());
  memset(reports, 0, count * sizeof *reports);
  if (!write_source(kernels, count, source) || !compile(s, source, module_path))
    return false;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = read_module(context, module_path);
  bool fine = module && check_module(s, module, kernels, count, reports, verdicts);
  if (module)
    LLVMDisposeModule(module);
  LLVMContextDispose(context);
  unlink(source);
  unlink(module_path);
  return fine;
}
