// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of the HTML page (page/), as the build makes them C.
#ifndef GS_REPORTS_PAGE_H
#define GS_REPORTS_PAGE_H

extern const char gs_page_html[];
extern const char gs_page_css[];
extern const char gs_page_js[];

#endif
