// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record.h"

#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char magic[] = "gpusafe-call 1";

static const char *environment(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

static bool put(FILE *file, const char *text) {
  size_t size = strlen(text) + 1;
  return fwrite(text, 1, size, file) == size;
}

bool gs_record_save(gs_mem *mem, const char *name, const gs_call *call) {
  const char *part = gs_mem_printf(mem, "%s.part", name);
  const char *head[] = {magic, call->directory, call->compiler, call->prepend, call->append};
  FILE *file = fopen(part, "wbx");
  bool good = file != NULL;
  for (size_t i = 0; good && i < sizeof head / sizeof *head; i++)
    good = put(file, head[i]);
  for (size_t i = 0; good && i < call->argv.count; i++)
    good = put(file, call->argv.items[i]);
  if (file && fclose(file) != 0)
    good = false;
  if (good)
    good = rename(part, gs_mem_printf(mem, "%s.call", name)) == 0;
  else if (file)
    unlink(part);
  return good;
}

/// Records this process's call. A process becomes one compiler, so its number names the
/// record; a clock tells two processes apart that had one number after the other.
static void record(gs_mem *mem, const char *folder, const char *compiler, int argc, char **argv) {
  char *directory = getcwd(NULL, 0);
  gs_call call = {.directory = directory, .compiler = compiler,
                  .prepend = environment("NVCC_PREPEND_FLAGS"),
                  .append = environment("NVCC_APPEND_FLAGS")};
  for (int i = 0; i < argc; i++)
    gs_list_add(mem, &call.argv, argv[i]);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  // A build must not fail because it is watched: what cannot be recorded is not.
  if (directory)
    gs_record_save(mem, gs_mem_printf(mem, "%s/%010lld%09ld-%ld", folder, (long long)now.tv_sec,
                                      now.tv_nsec, (long)getpid()),
                   &call);
  free(directory);
}

/// Reads the file with its NULs. \returns NULL when it cannot be read.
static char *read_bytes(gs_mem *mem, const char *path, size_t *size) {
  struct stat info;
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  char *bytes = NULL;
  if (fstat(fileno(file), &info) == 0 && info.st_size > 0) {
    *size = (size_t)info.st_size;
    bytes = gs_mem_alloc(mem, *size + 1);
    if (fread(bytes, 1, *size, file) != *size)
      bytes = NULL;
  }
  fclose(file);
  return bytes;
}

bool gs_record_load(gs_mem *mem, const char *path, gs_call *out) {
  size_t size = 0;
  char *bytes = read_bytes(mem, path, &size);
  if (!bytes || bytes[size - 1])
    return false;
  gs_list texts = {0};
  for (const char *p = bytes; p < bytes + size; p += strlen(p) + 1)
    gs_list_add(mem, &texts, p);
  if (texts.count < 6 || strcmp(texts.items[0], magic))
    return false;
  *out = (gs_call){.directory = texts.items[1], .compiler = texts.items[2],
                   .prepend = texts.items[3], .append = texts.items[4]};
  for (size_t i = 5; i < texts.count; i++)
    gs_list_add(mem, &out->argv, texts.items[i]);
  return true;
}

const char *gs_real_compiler(gs_mem *mem, const char *name) {
  struct stat self, info;
  bool known = stat("/proc/self/exe", &self) == 0;
  for (const char *path = environment("PATH"); *path;) {
    size_t length = strcspn(path, ":");
    const char *candidate = length ? gs_mem_printf(mem, "%.*s/%s", (int)length, path, name)
                                   : gs_mem_printf(mem, "./%s", name);
    bool ours = known && stat(candidate, &info) == 0 && info.st_ino == self.st_ino &&
                info.st_dev == self.st_dev;
    if (!ours && access(candidate, X_OK) == 0 && stat(candidate, &info) == 0 &&
        S_ISREG(info.st_mode))
      return candidate;
    path += length + (path[length] == ':');
  }
  return NULL;
}

int gs_compiler_main(gs_mem *mem, int argc, char **argv) {
  const char *name = gs_words_base(argv[0]);
  const char *compiler = gs_real_compiler(mem, name), *folder = getenv(GS_SCAN_FOLDER);
  if (!compiler) {
    fprintf(stderr, "%s: command not found\n", name);
    return 127;
  }
  if (folder && *folder)
    record(mem, folder, compiler, argc, argv);
  argv[0] = gs_mem_copy(mem, compiler);
  execv(compiler, argv);
  fprintf(stderr, "%s: %s\n", compiler, strerror(errno));
  return errno == ENOENT ? 127 : 126;
}
