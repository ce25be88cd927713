// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The report file of a compile, which several device passes write.
#ifndef GPUSAFE_REPORT_FILE_H
#define GPUSAFE_REPORT_FILE_H

#include "gs_status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Puts one target's report into the file at `path`.
///
/// One target's report stands in the file as it is. With several the file is
/// {"version", "file", "reports": [...]}, in the order of the targets' names. If
/// there is a valid file for the same source and version, its other targets are kept
/// and this one's is replaced; anything else in the file is replaced. The file
/// itself is locked while it is read and written.
/// \param json     one target's report, as gs_report_to_json renders it.
/// \param message  receives what went wrong, terminated.
/// \returns GS_OK, GS_ERROR_INPUT (json is not a report), GS_ERROR_IO or
///          GS_ERROR_MEMORY.
gs_status gs_report_file_update(const char *path, const char *json, char *message, size_t size);

#ifdef __cplusplus
}
#endif
#endif
