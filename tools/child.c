// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Signal handlers have no other way to reach the child: the tool's only global state.
static volatile sig_atomic_t running_child;
static volatile sig_atomic_t interrupted;

static void pass_on(int signal) {
  interrupted = signal;
  if (running_child > 0)
    kill((pid_t)running_child, signal);
}

int gs_child_interrupted(void) { return (int)interrupted; }

static void watch_signals(void) {
  struct sigaction action = {.sa_handler = pass_on};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/// A compiler fills fresh memory most of the time, and Z3 starts with tables of many megabytes:
/// in large pages, which are kept, that costs a fraction. What the user has set stands. Other C
/// libraries do not know the variable.
static void ease_memory(void) {
  setenv("GLIBC_TUNABLES",
         "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=67108864:"
         "glibc.malloc.trim_threshold=268435456:glibc.malloc.top_pad=16777216",
         0);
}

/// Runs in the child; tells the parent through `status` why exec failed.
static void become(const gs_list *argv, int errors, int status) {
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0)
    dup2(nothing, STDIN_FILENO);
  dup2(errors, STDERR_FILENO);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  ease_memory();
  execv(argv->items[0], (char *const *)(void *)argv->items);
  int error = errno;
  ssize_t written = write(status, &error, sizeof error);
  _exit(written == (ssize_t)sizeof error ? 127 : 126);
}

/// Reads until the other end is closed.
static const char *read_all(gs_mem *mem, int from) {
  size_t size = 0, capacity = 4096;
  char *text = gs_mem_alloc(mem, capacity);
  for (;;) {
    if (size + 1 == capacity) {
      char *more = gs_mem_alloc(mem, 2 * capacity);
      memcpy(more, text, size);
      text = more;
      capacity *= 2;
    }
    ssize_t n = read(from, text + size, capacity - size - 1);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    size += (size_t)n;
  }
  // Messages are treated as C strings below; a stray NUL must not hide the rest.
  for (size_t i = 0; i < size; i++)
    if (!text[i])
      text[i] = '?';
  return text;
}

static void close_pair(const int pair[2]) {
  close(pair[0]);
  close(pair[1]);
}

static void wait_for(pid_t child, gs_child *out) {
  int state;
  pid_t ended;
  do
    ended = waitpid(child, &state, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0)
    out->error = errno;
  else if (WIFSIGNALED(state))
    out->signal = WTERMSIG(state);
  else
    out->exit_code = WEXITSTATUS(state);
}

void gs_child_run(gs_mem *mem, const gs_list *argv, gs_child *out) {
  memset(out, 0, sizeof *out);
  out->errors = "";
  int errors[2], status[2];
  if (pipe(errors) != 0) {
    out->error = errno;
    return;
  }
  if (pipe(status) != 0) {
    out->error = errno;
    close_pair(errors);
    return;
  }
  for (int i = 0; i < 2; i++) {
    fcntl(errors[i], F_SETFD, FD_CLOEXEC);
    fcntl(status[i], F_SETFD, FD_CLOEXEC);
  }
  watch_signals();
  pid_t child = fork();
  if (child == 0)
    become(argv, errors[1], status[1]);
  int fork_error = errno;
  running_child = (sig_atomic_t)child;
  close(errors[1]);
  close(status[1]);
  if (child > 0) {
    if (read(status[0], &out->error, sizeof out->error) != (ssize_t)sizeof out->error)
      out->error = 0;
    out->errors = read_all(mem, errors[0]);
    wait_for(child, out);
  } else {
    out->error = fork_error;
  }
  running_child = 0;
  close(errors[0]);
  close(status[0]);
}
