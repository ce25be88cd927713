// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A library with annotated kernels is loaded, launches, and goes: dlopen_test LIBRARY.
#include "gpusafe_rt.h"

#include "contract_check.h"

#include <dlfcn.h>
#include <stddef.h>

/// The function of dlopen_library.c that launches with that many threads.
typedef int launch_fn(unsigned threads);

static void *open_and_find(const char *path, launch_fn **launch) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, "library_launch") : NULL;
  if (!symbol)
    fprintf(stderr, "%s\n", dlerror());
  memcpy(launch, &symbol, sizeof *launch);
  return library;
}

static void count(void *user, const gsrt_violation *violation) {
  (void)violation;
  ++*(unsigned *)user;
}

int main(int argc, char **argv) {
  unsigned violations = 0;
  if (argc != 2)
    return 2;
  gsrt_set_callback(count, &violations);
  for (unsigned round = 1; round <= 3; round++) { // loaded again, at some address
    launch_fn *launch = NULL;
    void *library = open_and_find(argv[1], &launch);
    CHECK(library && launch);
    if (!launch)
      return 1;
    CHECK_NUMBER(launch(64), 0);
    CHECK_NUMBER(launch(65), 9);
    CHECK_NUMBER(violations, round);
    CHECK_NUMBER(dlclose(library), 0);
  }
  return check_result("dlopen_test");
}
