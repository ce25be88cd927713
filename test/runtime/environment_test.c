// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the environment decides: policy, log, and which driver there is. Each case
/// is a process of its own: environment_test FAKE_DIR BROKEN_DIR OLD_DIR.
#include "fake_cuda.h"
#include "fixture.h"

#include <sys/wait.h>
#include <unistd.h>

/// Runs `program case` with up to two variables set.
/// \param text receives what it wrote to stderr. \returns its wait status.
static int run(const char *program, const char *name, const char *directory, const char *variable,
               const char *value, char text[2048]) {
  int ends[2];
  size_t length = 0;
  ssize_t n;
  if (pipe(ends) != 0)
    return -1;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    setenv("LD_LIBRARY_PATH", directory, 1);
    unsetenv("GPUSAFE_POLICY");
    unsetenv("GPUSAFE_LOG");
    if (variable)
      setenv(variable, value, 1);
    execl(program, program, "--case", name, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  while (length < 2047 && (n = read(ends[0], text + length, 2047 - length)) > 0)
    length += (size_t)n;
  text[length] = '\0';
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// ----------------------------------------------------------------- the cases ----

/// A launch that violates its contract. \returns its code.
static gsrt_status bad_launch(void) {
  static const fake_kernel kernels[] = {FAKE_KERNEL("k", NULL), {NULL, NULL, {0}}};
  fixture f = {.clauses = {"block.x == 64"}};
  fake_global globals[2] = {{"__gpusafe_contract_k", NULL, 0}, {NULL, NULL, 0}};
  fixture_args args = {NULL, NULL, 5, {0, 0, NULL}};
  void *params[] = {&args.a, &args.c, &args.n, &args.p};
  gsrt_config c = gsrt_config_1d(1, 32);
  gsrt_module *module = NULL;
  gsrt_kernel *kernel = NULL;
  void *block = fixture_build(&f, &globals[0].size);
  globals[0].bytes = block;
  fake_image image = {FAKE_MODULE_MAGIC, kernels, globals};
  gsrt_status status = gsrt_module_load(&image, &module);
  if (status == GSRT_OK)
    status = gsrt_kernel_get(module, "k", &kernel);
  if (status == GSRT_OK)
    status = gsrt_launch(kernel, &c, params);
  gsrt_module_unload(module);
  free(block);
  return status;
}

/// Without a driver everything that needs none works, and the rest says why not.
static int no_driver(void) {
  gsrt_device device;
  gsrt_config c = gsrt_config_1d(1, 2048);
  CHECK_NUMBER(gsrt_device_profile(90, &device), GSRT_OK);
  CHECK_NUMBER(gsrt_validate(NULL, 0, &device, &c, NULL, NULL), GSRT_BLOCK_LIMIT);
  CHECK_NUMBER(bad_launch(), GSRT_ERROR_NO_DRIVER);
  fprintf(stderr, "%s\n", gsrt_last_message());
  CHECK_NUMBER(bad_launch(), GSRT_ERROR_NO_DRIVER); // and again
  return check_result("no_driver");
}

static int run_case(const char *name) {
  if (strcmp(name, "no-driver") == 0)
    return no_driver();
  return (int)bad_launch();
}

// -------------------------------------------------------------------- checks ----

static const char violation[] =
    "k.cu:7:1: gpusafe: kernel 'k': 'block.x == 64' does not hold: 32 == 64 is false (block.x = "
    "32) [clause]\n";

static void check(const char *program, const char *directory, const char *variable,
                  const char *value, int code, const char *want) {
  char text[2048];
  int status = run(program, code == GSRT_ERROR_NO_DRIVER ? "no-driver" : "launch", directory,
                   variable, value, text);
  CHECK_TEXT(text, want);
  if (code == GSRT_ERROR_NO_DRIVER)
    code = 0;
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code);
}

static void log_by_environment(const char *program, const char *fake) {
  char path[] = "/tmp/gsrt_log_XXXXXX", text[2048] = "";
  int fd = mkstemp(path);
  check(program, fake, "GPUSAFE_LOG", path, GSRT_CLAUSE, violation);
  ssize_t n = read(fd, text, sizeof text - 1);
  CHECK(n > 0 && strncmp(text, "{\"version\":1,\"number\":100,", 26) == 0 && text[n - 1] == '\n');
  close(fd);
  unlink(path);
}

int main(int argc, char **argv) {
  char text[2048];
  if (argc == 3 && strcmp(argv[1], "--case") == 0)
    return run_case(argv[2]);
  if (argc != 4)
    return 2;
  const char *self = argv[0], *fake = argv[1], *broken = argv[2], *old = argv[3];
  check(self, fake, NULL, NULL, GSRT_CLAUSE, violation);
  check(self, fake, "GPUSAFE_POLICY", "error", GSRT_CLAUSE, violation);
  check(self, fake, "GPUSAFE_POLICY", "warn", GSRT_OK, violation);
  check(self, fake, "GPUSAFE_POLICY", "off", GSRT_OK, "");
  snprintf(text, sizeof text, "%s%s",
           "gpusafe: GPUSAFE_POLICY='stop' is none of error, warn, abort, off; taking error\n",
           violation);
  check(self, fake, "GPUSAFE_POLICY", "stop", GSRT_CLAUSE, text);
  int status = run(self, "launch", fake, "GPUSAFE_POLICY", "abort", text);
  CHECK_TEXT(text, violation);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == 6);
  log_by_environment(self, fake);
  snprintf(text, sizeof text, "gpusafe: cannot open GPUSAFE_LOG='/nonexistent/x'\n%s", violation);
  check(self, fake, "GPUSAFE_LOG", "/nonexistent/x", GSRT_CLAUSE, text);
  check(self, fake, "FAKE_CUDA_INIT", "100", GSRT_ERROR_NO_DRIVER,
        "the CUDA driver has no device: CUDA_ERROR_NO_DEVICE (100)\n");
  check(self, broken, NULL, NULL, GSRT_ERROR_NO_DRIVER,
        "no CUDA driver: libcuda.so.1 cannot be loaded\n");
  check(self, old, NULL, NULL, GSRT_ERROR_NO_DRIVER,
        "the CUDA driver is too old: no cuGetErrorName (driver 6000)\n");
  return check_result("environment_test");
}
