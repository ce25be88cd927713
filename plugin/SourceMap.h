// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From the core's places back to clang's.
#ifndef GPUSAFE_PLUGIN_SOURCEMAP_H
#define GPUSAFE_PLUGIN_SOURCEMAP_H

#include "gs.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace clang {
class SourceManager;
}

namespace gpusafe {

/// Finds the place that a debug location speaks of. Those are presumed places:
/// #line and line markers have been applied.
class SourceMap {
public:
  explicit SourceMap(clang::SourceManager &SM) : SM(SM) {}

  /// \returns an invalid location when the file is not part of the compile.
  clang::SourceLocation find(const gs_loc &Loc);

private:
  /// A stretch of a file whose lines are presumed to be others.
  struct Region {
    clang::FileID File;
    unsigned Line;     ///< first line of it, as it lies in the file
    unsigned Presumed; ///< what that line is presumed to be
    unsigned Count;
  };
  clang::SourceLocation findPlain(const gs_loc &Loc);
  clang::SourceLocation findRenamed(const gs_loc &Loc);
  void readRegions();

  clang::SourceManager &SM;
  bool RegionsRead = false;
  llvm::StringMap<std::vector<Region>> Regions; ///< by presumed file name
};

} // namespace gpusafe
#endif
