// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A batch of kernels through clang, the checker and replay.
#include "oracle.h"

#include "decode.h"
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
    "struct pair { int a, b; };\n"
    "__device__ int pick(int a, int b) {\n"
    "  pair p = {a, b}; pair q = p; if (q.a > q.b) { q.a = q.b; } return q.a;\n"
    "}\n";

static bool compile(const fz_session *s, const char *source, const char *module) {
  char *argv[] = {(char *)s->clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                  "-Wno-everything", "-include", (char *)s->header, "--cuda-gpu-arch=sm_90", "-Xclang",
                  "-target-sdk-version=12.9", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes",
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
      fz_judge(kernels[i], desc, result, code, s->runs, s->strict, &reports[i]);
    gs_code_free(code);
    verdicts[i] = result->verdict;
    s->verdicts[result->verdict]++;
    s->outcomes[reports[i].outcome]++;
  }
  return true;
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
                                // A race is a race to the replay, whatever is written.
                                .same_value = GS_SAME_VALUE_ERROR,
                                .verify = !s->thrifty, .strict = s->strict, .solver_budget = s->budget}};
  gs_report *report = NULL;
  gs_ir *ir = NULL;
  fine = fine && gs_check(module, &input, &report, NULL) == GS_OK &&
         gs_ir_open(module, &ir, NULL) == GS_OK &&
         judge_all(s, kernels, count, descs, report, ir, reports, verdicts);
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
  snprintf(module_path, sizeof module_path, "%s/fuzz.%ld.ll", s->folder, (long)getpid());
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
