// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches against the contracts of their kernels and the limits of devices.
#ifndef GPUSAFE_PLUGIN_LAUNCHCHECK_H
#define GPUSAFE_PLUGIN_LAUNCHCHECK_H

#include "Describe.h"

namespace gpusafe {

/// Reports the launches that certainly break something: an error where the kernel is
/// annotated, else a warning. What depends on values that are not known is left to the
/// runtime, and what is proved is only counted (`stats`).
/// \param Sm the target, 90 for sm_90; 0 in the host pass
void checkLaunches(clang::Sema &S, const Options &Opts, const LaunchTable &Launches, unsigned Sm);

} // namespace gpusafe
#endif
