// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "temporary.h"

#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *gs_temporary_template(gs_mem *mem, const char *stem) {
  const char *parent = getenv("TMPDIR");
  return gs_mem_printf(mem, "%s/%s-XXXXXX", parent && *parent ? parent : "/tmp", stem);
}

const char *gs_temporary_folder(gs_mem *mem, const char *stem) {
  char *folder = gs_temporary_template(mem, stem);
  if (mkdtemp(folder))
    return folder;
  gs_fail(GS_EXIT_INTERNAL, "cannot make the temporary folder '%s': %s", folder, strerror(errno));
  return NULL;
}
