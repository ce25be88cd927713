// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks of annotations that need the whole declaration they are written on.
#ifndef GPUSAFE_PLUGIN_DECLCHECK_H
#define GPUSAFE_PLUGIN_DECLCHECK_H

namespace clang {
class Sema;
}

namespace gpusafe {

/// Checks every declaration that got an attribute since the last call and whose
/// parameters are all known by now.
/// \param AtEnd nothing follows: what still has no function never gets one.
void checkPending(clang::Sema &S, bool AtEnd);

} // namespace gpusafe
#endif
