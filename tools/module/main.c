// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpusafe-module: exit code 0 when a report was written, 1 when the input is wrong,
// 3 when something broke; the messages are on standard error.
#include "bundle.h"
#include "module.h"
#include "run_request.h"

#include <stdlib.h>
#include <string.h>

static int run_core(const gs_module_options *options, LLVMModuleRef module,
                    const gs_input *input) {
  gs_report *report = NULL;
  char *error = NULL, *dump = NULL;
  gs_status status = options->dump ? gs_dump(module, input, &dump, &error)
                                   : gs_check(module, input, &report, &error);
  int code;
  if (status == GS_OK)
    code = dump ? gs_module_print_dump(dump) : gs_module_write_report(options, report);
  else
    code = gs_fail(status == GS_ERROR_INPUT ? GS_INPUT_IS_WRONG : GS_EXIT_INTERNAL, "%s: %s",
                   options->file, error ? error : "the analysis failed");
  if (report)
    gs_report_free(report);
  free(error);
  return code;
}

static int check(gs_mem *mem, const gs_module_options *options, LLVMModuleRef module) {
  gs_input input = {.file = options->file, .options = options->core};
  input.options.thorough = true; // every verdict is printed
  const char *problem;
  input.target = options->arch ? options->arch : gs_module_target(mem, module);
  if (!input.target || !gs_starts_with(input.target, "sm_"))
    input.target = "sm_90";
  input.options.sm = (uint32_t)strtoul(input.target + 3, NULL, 10);
  gs_kernel_desc *kernels =
      gs_module_describe(mem, module, options, &input.kernel_count, &problem);
  input.kernels = kernels;
  int code;
  if (problem)
    code = gs_fail(GS_INPUT_IS_WRONG, "an assumption fits no kernel: %s", problem);
  else
    code = run_core(options, module, &input);
  gs_module_describe_free(kernels, input.kernel_count);
  return code;
}

int main(int argc, char **argv) {
  gs_mem *mem = gs_mem_create();
  gs_module_options options;
  const char *error = NULL;
  int code = gs_module_options_parse(mem, argc, argv, &options);
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = NULL;
  if (code == GS_EXIT_OK) {
    module = gs_module_read(mem, context, options.file, &error);
    // LLVM's own messages begin with the name of the file.
    bool named = !module && gs_starts_with(error, options.file);
    code = module ? (options.replay   ? gs_module_replay
                     : options.attack ? gs_module_attack
                                      : check)(mem, &options, module)
                  : gs_fail(GS_INPUT_IS_WRONG, "%s%s%s", named ? "" : options.file,
                            named ? "" : ": ", error);
  }
  if (module)
    LLVMDisposeModule(module);
  LLVMContextDispose(context);
  gs_mem_free(mem);
  return code;
}
