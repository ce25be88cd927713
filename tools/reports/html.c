// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One page with everything in it. The report is data in the page, and the script makes text
// nodes of it, never markup: what a file name or a line of code says cannot become code.
#include "page.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

/// JSON inside of a script element ends at "</": no '<' is left in it. The separators of
/// lines that old scripts do not take in strings go as well.
static void put_data(const json_t *report, FILE *file) {
  char *text = json_dumps(report, JSON_COMPACT);
  for (const char *p = text; p && *p; p++) {
    if (*p == '<')
      fputs("\\u003c", file);
    else if (*p == '>')
      fputs("\\u003e", file);
    else if (*p == '&')
      fputs("\\u0026", file);
    else
      fputc(*p, file);
  }
  free(text);
}

void gs_render_html(gs_mem *mem, const json_t *report, FILE *file) {
  (void)mem;
  static const struct {
    const char *mark;
    const char *text;
  } parts[] = {{"/*STYLE*/", gs_page_css}, {"/*SCRIPT*/", gs_page_js}};
  for (const char *p = gs_page_html; *p;) {
    bool found = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !found; i++) {
      found = gs_starts_with(p, parts[i].mark);
      if (!found)
        continue;
      fputs(parts[i].text, file);
      p += strlen(parts[i].mark);
    }
    if (!found && gs_starts_with(p, "/*DATA*/")) {
      put_data(report, file);
      p += strlen("/*DATA*/");
      found = true;
    }
    if (!found)
      fputc(*p++, file);
  }
}
