// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one kernel of a module and prints how it ends.
//
//   replay_kernel MODULE KERNEL [--grid=XxYxZ] [--block=XxYxZ] [--order=forward|backward|random]
//                 [--seed=N] [--budget=N] [--smem=BYTES] [--show=N] [--dump] ARGUMENT…
//
// An argument is 32:7 (an integer of 32 bits), f:1.5 (a float) or buf:64 (64 bytes of
// memory whose 32-bit words are 0, 1, 2, …); a struct is a list of them with commas.
// --show=N prints the first N words of each buffer after the run.
#include "decode.h"
#include "replay.h"

#include <inttypes.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 16, ARG_BYTES = 256, MAX_SHOWN = 64 };

typedef struct setup {
  gs_replay_launch launch;
  uint8_t bytes[MAX_ARGS][ARG_BYTES];
  const void *args[MAX_ARGS];
  gs_replay_memory memory[MAX_ARGS];
  uint32_t words[MAX_ARGS][MAX_SHOWN], shown;
  bool dump;
} setup;

static gs_dim parse_dim(const char *text) {
  gs_dim d = {1, 1, 1};
  char *end;
  d.x = (uint32_t)strtoul(text, &end, 10);
  if (*end == 'x')
    d.y = (uint32_t)strtoul(end + 1, &end, 10);
  if (*end == 'x')
    d.z = (uint32_t)strtoul(end + 1, &end, 10);
  return d;
}

static bool parse_option(setup *s, const char *word) {
  const char *value = strchr(word, '=');
  value = value ? value + 1 : "";
  if (!strncmp(word, "--grid=", 7))
    s->launch.grid = parse_dim(value);
  else if (!strncmp(word, "--block=", 8))
    s->launch.block = parse_dim(value);
  else if (!strncmp(word, "--order=", 8))
    s->launch.order = *value == 'b' ? GS_ORDER_BACKWARD : *value == 'r' ? GS_ORDER_RANDOM : GS_ORDER_FORWARD;
  else if (!strncmp(word, "--seed=", 7))
    s->launch.seed = strtoull(value, NULL, 10);
  else if (!strncmp(word, "--budget=", 9))
    s->launch.budget = strtoull(value, NULL, 10);
  else if (!strncmp(word, "--smem=", 7))
    s->launch.dynamic_smem = strtoull(value, NULL, 10);
  else if (!strncmp(word, "--show=", 7))
    s->shown = (uint32_t)strtoul(value, NULL, 10);
  else if (!strcmp(word, "--dump"))
    s->dump = true;
  else
    return false;
  return s->shown <= MAX_SHOWN;
}

/// One argument; members of a struct are at offsets that are multiples of their sizes.
static bool parse_argument(setup *s, const gs_code *code, uint32_t index, char *text) {
  uint32_t offset = 0;
  s->args[index] = s->bytes[index];
  for (char *part = strtok(text, ","); part; part = strtok(NULL, ",")) {
    char *colon = strchr(part, ':');
    uint64_t bits = 0;
    uint32_t size = 8;
    if (!colon)
      return false;
    if (!strncmp(part, "buf:", 4)) {
      uint32_t n = s->launch.memory_count++;
      s->memory[n] = (gs_replay_memory){.size = strtoull(colon + 1, NULL, 10), .after = s->words[n],
                                        .after_size = s->shown * 4};
      bits = gs_replay_buffer(code, n);
    } else if (*part == 'f') {
      float f = strtof(colon + 1, NULL);
      memcpy(&bits, &f, size = sizeof f);
    } else {
      bits = (uint64_t)strtoll(colon + 1, NULL, 10);
      size = (uint32_t)strtoul(part, NULL, 10) / 8;
    }
    if (!size || size > 8 || (offset = (offset + size - 1) / size * size) + size > ARG_BYTES)
      return false;
    memcpy(s->bytes[index] + offset, &bits, size);
    offset += size;
  }
  return true;
}

static void fill(void *user, uint32_t window, int64_t offset, uint8_t *bytes, size_t count) {
  (void)user;
  (void)window;
  for (size_t i = 0; i < count; i += 4) {
    uint32_t word = (uint32_t)((offset + (int64_t)i) / 4);
    memcpy(bytes + i, &word, sizeof word);
  }
}

static void print_access(const gs_replay_access *a) {
  printf("  thread %" PRIu32 " of block %" PRIu32 " %s%s at line %" PRIu32 "\n", a->thread, a->block,
         a->is_atomic ? "atomically " : "", a->is_write ? "writes" : "reads", a->line);
}

static void print_result(const setup *s, const gs_code *code, const gs_replay_result *r) {
  static const char *const ends[] = {"done", "stopped", "out of bounds", "diverged", "stuck", "trapped",
                                     "out of budget", "out of memory"};
  static const char *const broken[] = {"signed overflow", "unsigned wrap", "beyond int", "wrap", "pointer overflow",
                                       "undefined arithmetic"};
  printf("end: %s\n", ends[r->end]);
  if (r->raced || r->end == GS_END_BOUNDS) {
    const char *name = gs_replay_window_name(code, r->conflict.window);
    printf("%s of %s%" PRIu32 " at byte %" PRId64 ":\n", r->end == GS_END_BOUNDS ? "outside" : "race",
           name ? name : "buffer ", name ? 0 : r->conflict.window - code->window_count, r->conflict.offset);
    print_access(&r->conflict.access[0]);
    if (r->end != GS_END_BOUNDS)
      print_access(&r->conflict.access[1]);
  }
  for (uint32_t i = 0; i < r->event_count; i++)
    printf("%s at line %" PRIu32 "\n", broken[r->events[i].kind], r->events[i].line);
  for (uint32_t n = 0; s->shown && n < s->launch.memory_count; n++) {
    printf("buffer %" PRIu32 ":", n);
    for (uint32_t i = 0; i < s->shown; i++)
      printf(" %" PRId32, (int32_t)s->words[n][i]);
    printf("\n");
  }
}

static int run(setup *s, gs_ir *ir, const char *kernel, int argc, char **argv) {
  gs_code *code = NULL;
  char *reason = NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; i < gs_ir_kernel_count(ir); i++)
    if (strstr(gs_ir_kernel_name(ir, i), kernel))
      gs_ir_decode(ir, i, &code, &reason);
  if (!code) {
    printf("cannot run: %s\n", reason ? reason : "no such kernel");
    free(reason);
    return 0;
  }
  bool fine = true;
  for (int i = 0; i < argc && n < MAX_ARGS && fine; i++)
    if (strncmp(argv[i], "--", 2) != 0)
      fine = parse_argument(s, code, n++, argv[i]);
  fine = fine && n == code->param_count;
  if (!fine) {
    fprintf(stderr, "the kernel has %" PRIu32 " parameters\n", code->param_count);
  } else {
    char *text = s->dump ? gs_code_dump(code) : NULL;
    gs_replay_result result;
    if (text)
      fputs(text, stdout);
    free(text);
    gs_replay_run(code, &s->launch, &result);
    print_result(s, code, &result);
  }
  gs_code_free(code);
  return fine ? 0 : 2;
}

int main(int argc, char **argv) {
  static setup s;
  s.launch = (gs_replay_launch){.grid = {1, 1, 1}, .block = {32, 1, 1}, .args = s.args, .memory = s.memory,
                                .fill = fill};
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module = NULL;
  gs_ir *ir = NULL;
  char *message = NULL;
  int code = 2;
  for (int i = 3; i < argc; i++)
    if (!strncmp(argv[i], "--", 2) && !parse_option(&s, argv[i]))
      return 2;
  if (argc < 3 || LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message) ||
      LLVMParseIRInContext(context, buffer, &module, &message) || gs_ir_open(module, &ir, NULL) != GS_OK)
    fprintf(stderr, "cannot read the module: %s\n", message ? message : "");
  else
    code = run(&s, ir, argv[2], argc - 3, argv + 3);
  gs_ir_close(ir);
  if (module)
    LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return code;
}
