// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpusafe-commands DIR FOLDER: the entries of DIR/compile_commands.json, read by libclang, as
// records of calls in FOLDER (tools/scan/record.h). A program of its own, so that the gpusafe
// command needs no libclang to start.
#include "record.h"
#include "tool.h"
#include "words.h"

#include <clang-c/CXCompilationDatabase.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *take(gs_mem *mem, CXString string) {
  const char *text = clang_getCString(string);
  const char *copy = gs_mem_copy(mem, text ? text : "");
  clang_disposeString(string);
  return copy;
}

/// One entry, as if its compiler had been called in its folder.
static bool write_entry(gs_mem *mem, const char *folder, unsigned number, CXCompileCommand entry) {
  gs_call call = {.directory = take(mem, clang_CompileCommand_getDirectory(entry)),
                  .prepend = "", .append = ""};
  unsigned count = clang_CompileCommand_getNumArgs(entry);
  for (unsigned i = 0; i < count; i++)
    gs_list_add(mem, &call.argv, take(mem, clang_CompileCommand_getArg(entry, i)));
  if (!count)
    return true;
  call.compiler = call.argv.items[0];
  if (call.compiler == gs_words_base(call.compiler)) {
    const char *found = gs_real_compiler(mem, call.compiler);
    call.compiler = found ? found : call.compiler;
  }
  return gs_record_save(mem, gs_mem_printf(mem, "%s/%010u", folder, number), &call);
}

/// libclang says on standard error what it does not like, in words of its own: it is not heard.
static CXCompilationDatabase open_quietly(const char *folder, CXCompilationDatabase_Error *error) {
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  int heard = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (nothing >= 0 && heard >= 0)
    dup2(nothing, STDERR_FILENO);
  CXCompilationDatabase database = clang_CompilationDatabase_fromDirectory(folder, error);
  if (heard >= 0) {
    dup2(heard, STDERR_FILENO);
    close(heard);
  }
  if (nothing >= 0)
    close(nothing);
  return database;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fputs("usage: gpusafe-commands DIR FOLDER\n", stderr);
    return GS_EXIT_INPUT;
  }
  gs_mem *mem = gs_mem_create();
  CXCompilationDatabase_Error error;
  const char *file = gs_mem_printf(mem, "%s/compile_commands.json", argv[1]);
  if (access(file, R_OK) != 0)
    return gs_fail(GS_EXIT_INPUT, "there is no '%s' that can be read; CMake writes one with "
                                  "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", file);
  CXCompilationDatabase database = open_quietly(argv[1], &error);
  if (error != CXCompilationDatabase_NoError)
    return gs_fail(GS_EXIT_INPUT, "'%s' is no compilation database", file);
  CXCompileCommands all = clang_CompilationDatabase_getAllCompileCommands(database);
  unsigned count = clang_CompileCommands_getSize(all);
  bool good = true;
  for (unsigned i = 0; i < count && good; i++)
    good = write_entry(mem, argv[2], i, clang_CompileCommands_getCommand(all, i));
  clang_CompileCommands_dispose(all);
  clang_CompilationDatabase_dispose(database);
  gs_mem_free(mem);
  return good ? GS_EXIT_OK : gs_fail(GS_EXIT_INTERNAL, "cannot write to '%s'", argv[2]);
}
