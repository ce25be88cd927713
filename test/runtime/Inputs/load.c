// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// load LIBRARY: loads it, calls its run(), unloads it; twice.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  for (int round = 0; round < 2 && argc == 2; round++) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "run") : NULL;
    void (*run)(void);
    if (!symbol)
      return fprintf(stderr, "%s\n", dlerror()), 1;
    memcpy(&run, &symbol, sizeof run);
    run();
    dlclose(library);
  }
  return argc != 2;
}
