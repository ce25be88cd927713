// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to `gpusafe doctor`: one row for each part that gpusafe stands on.
#ifndef GS_DOCTOR_H
#define GS_DOCTOR_H

#include "discover.h"

typedef enum gs_health {
  GS_HEALTH_OK,
  GS_HEALTH_NOTE,  ///< gpusafe does its work, and something that one may want is missing
  GS_HEALTH_BROKEN ///< it does not
} gs_health;

typedef struct gs_doctor {
  gs_mem *mem;
  gs_toolchain tools;
  const char *cuda_path; ///< as the user named it, or NULL
  int toolkit;           ///< CUDA version of the toolkit, 13000 for 13.0; 0: none
  unsigned broken, notes;
} gs_doctor;

/// Prints a row. \param mend the command that helps, or NULL
void gs_doctor_row(gs_doctor *doctor, gs_health health, const char *part, const char *text,
                   const char *mend);

/// CUDA toolkit, what clang makes of its version, libdevice, ptxas.
void gs_doctor_toolkit(gs_doctor *doctor);
/// Driver and devices with their limits.
void gs_doctor_driver(gs_doctor *doctor);

#endif
