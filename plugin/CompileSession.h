// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the other passes of one compile have already said.
///
/// A CUDA compile for several architectures runs one clang process for each, all of
/// them children of the clang driver. An error ends the compile after the first
/// pass, but a warning would come once for each architecture. What the host object
/// says about a kernel's proof comes from the device passes in the same way.
#ifndef GPUSAFE_PLUGIN_COMPILESESSION_H
#define GPUSAFE_PLUGIN_COMPILESESSION_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpusafe {

/// A small file in the temporary directory, named after the driver's process and
/// its start time. Without a driver above (a cc1 run by hand, a tool) there is no
/// session and everything is said. A file that cannot be trusted or written is
/// ignored: then a warning may come twice.
class CompileSession {
public:
  CompileSession();
  /// \returns true the first time that \p Text is claimed in this session.
  bool claim(llvm::StringRef Text);
  /// Leaves a number under a key for the passes that come later.
  void note(llvm::StringRef Key, uint32_t Value);
  /// \returns every number that passes before this one left under that key.
  std::vector<uint32_t> notes(llvm::StringRef Key) const;
  /// Forgets this session, if there is one.
  static void end();

private:
  std::string Path; ///< empty = no session
};

} // namespace gpusafe
#endif
