// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which streams a path has made, and how they are ordered.
#ifndef GPUSAFE_CHECKERS_HOST_STREAMS_H
#define GPUSAFE_CHECKERS_HOST_STREAMS_H

#include "Host.h"

namespace gpusafe::host {

enum class StreamKind { Unknown, Default, Made, NonBlocking };

/// What the path knows of a stream: `Made` and `NonBlocking` were created on it.
StreamKind streamKind(clang::ento::SVal Stream, clang::ento::CheckerContext &C);
/// Two streams whose work nothing orders: both made on this path and not one, or the default
/// stream and one that does not wait for it.
bool areUnordered(clang::ento::SVal A, clang::ento::SVal B, clang::ento::CheckerContext &C);
/// The stream argument of a call that waits for one stream; nothing where it waits for more.
std::optional<clang::ento::SVal> waitsFor(const clang::ento::CallEvent &Call);

} // namespace gpusafe::host

#endif
