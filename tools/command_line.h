// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The command lines of the programs that the tool runs.
#ifndef GS_COMMAND_LINE_H
#define GS_COMMAND_LINE_H

#include "unit.h"

/// clang with the plugin: syntax only, or PTX when --ptx was given.
void gs_command_line_clang(const gs_run *run, const char *file, const char *target,
                           const char *report, gs_list *argv);

/// clang's static analyzer with the plugin's host rules, on the host code of a source.
void gs_command_line_host(const gs_run *run, const char *file, gs_list *argv);

/// gpusafe-module for a .ll or .bc file, gpusafe-text for a .gs file. `target` may be NULL.
void gs_command_line_module(const gs_run *run, const char *file, const char *target,
                            const char *report, gs_list *argv);

/// Name of the PTX file of one unit.
const char *gs_ptx_name(const gs_run *run, const char *file, const char *target);

#endif
