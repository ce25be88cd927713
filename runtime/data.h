// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Facts about data, verified on the device.
#ifndef GSRT_DATA_H
#define GSRT_DATA_H

#include "driver.h"

/// The text of data_kernels.c's PTX, NUL-terminated; "" when it was built without clang.
extern const char gsrt_data_ptx[];

/// \returns true when GPUSAFE_CHECK_DATA or gsrt_set_data_checks asks for it.
bool gsrt_data_checked(void);

/// Looks for an element that breaks a fact, with kernels that run in `stream` after what is
/// in it; waits for the answer. The memory must hold fact->count elements.
gsrt_fact_answer gsrt_data_test(const gsrt_driver *driver, void *stream, const gsrt_fact *fact,
                                gsrt_fact_break *out);

#endif
