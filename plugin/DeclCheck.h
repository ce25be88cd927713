// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks of annotations that need the whole declaration they are written on.
#ifndef GPUSAFE_PLUGIN_DECLCHECK_H
#define GPUSAFE_PLUGIN_DECLCHECK_H

#include "clang/Basic/SourceLocation.h"

#include <memory>
#include <vector>

namespace clang {
class Preprocessor;
class Sema;
} // namespace clang

namespace gpusafe {

/// Checks every declaration that got an attribute since the last call and whose
/// parameters are all known by now.
/// \param AtEnd nothing follows: what still has no function never gets one.
void checkPending(clang::Sema &S, bool AtEnd);

/// What the preprocessor left out, as it goes along.
using SkippedRanges = std::vector<clang::SourceRange>;
std::shared_ptr<const SkippedRanges> recordSkipped(clang::Preprocessor &PP);

/// From now on a macro of gpusafe.h that is misspelt is an error, before the parser meets it.
void watchMacros(clang::Preprocessor &PP);

/// Reports attributes in gpusafe's name that it does not have. Clang warns of an
/// unknown attribute and ignores it, but a misspelt claim must not pass.
void checkMisspelt(clang::Sema &S, const SkippedRanges &Skipped);

} // namespace gpusafe
#endif
