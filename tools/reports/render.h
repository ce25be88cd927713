// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scan reports in the forms that people and tools read.
#ifndef GS_REPORTS_RENDER_H
#define GS_REPORTS_RENDER_H

#include "sources.h"

#include <stdio.h>

typedef enum gs_format {
  GS_FORMAT_TEXT,
  GS_FORMAT_JSON,
  GS_FORMAT_HTML,
  GS_FORMAT_SARIF, ///< SARIF 2.1.0 (OASIS)
  GS_FORMAT_PLIST, ///< as Clang Static Analyzer writes it, for scan-build and CodeChecker
  GS_FORMATS
} gs_format;

/// Finds a format by its name. \returns false when there is none.
bool gs_format_by_name(const char *name, gs_format *out);
const char *gs_format_name(gs_format format);

/// Renders a report to a file, "-" for standard output. Prints a message on failure.
/// \returns an exit code.
int gs_render(gs_mem *mem, const json_t *report, gs_format format, const char *path);

// The forms, for gs_render. Each writes to `file`, whose errors the caller looks at.
void gs_render_text(gs_mem *mem, const json_t *report, FILE *file);
void gs_render_html(gs_mem *mem, const json_t *report, FILE *file);
void gs_render_sarif(gs_mem *mem, const json_t *report, FILE *file);
void gs_render_plist(gs_mem *mem, const json_t *report, FILE *file);

/// "write of 's'", "atomic read".
const char *gs_access_text(gs_mem *mem, const json_t *finding, const json_t *access);
/// "grid 2, block 256: thread (0,0,0) of block 0 and ...; n = 300"; "" without a witness.
const char *gs_witness_text(gs_mem *mem, const json_t *finding);
/// One sentence on a rule, for any rule that reports may name.
const char *gs_rule_text(const char *rule);

#endif
