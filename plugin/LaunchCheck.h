// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches against the contracts of their kernels and the limits of devices.
#ifndef GPUSAFE_PLUGIN_LAUNCHCHECK_H
#define GPUSAFE_PLUGIN_LAUNCHCHECK_H

#include "Describe.h"

#include "llvm/ADT/DenseMap.h"

namespace gpusafe {

/// Checks all launches of the unit when it is made, and reports later. What depends on
/// values that are not known is left to the runtime, and what is proved is only counted.
class LaunchCheck {
public:
  /// \param Sm the target, 90 for sm_90; 0 in the host pass
  LaunchCheck(clang::Sema &S, const Options &Opts, const LaunchTable &Launches, unsigned Sm);

  /// How the launches of a kernel came out.
  gs_launch_sites sites(const clang::FunctionDecl &Kernel) const {
    return Sites.lookup(Kernel.getCanonicalDecl());
  }
  /// Reports the launches that certainly break something: an error where the kernel is
  /// annotated, else a warning; and with `stats` the counts.
  void report();

private:
  /// What is wrong with one launch.
  struct Fault {
    clang::SourceLocation Loc;
    std::string Text;
    clang::SourceLocation Note; ///< of the clause or claim; invalid: no note
    const char *NoteText;
    bool Error;
  };
  /// Clauses, of all launches of a kernel.
  struct Count {
    clang::SourceLocation Loc;
    std::string Kernel;
    unsigned Kept, Left;
  };
  void check(const clang::FunctionDecl &Function);
  void checkOne(const Launch &L);
  bool checkClause(const Launch &L, const gs_fact &Fact);
  void checkExclusive(const Launch &L);
  void blame(const Launch &L, const std::string &What, gs_loc Note, const char *NoteText);

  clang::Sema &S;
  const Options &Opts;
  const LaunchTable &Launches;
  unsigned Sm;
  KernelTable Table;
  llvm::DenseMap<const clang::FunctionDecl *, gs_launch_sites> Sites;
  std::vector<Fault> Faults;
  std::vector<Count> Counts;
  // Of the kernel being checked:
  const gs_kernel_desc *Kernel = nullptr;
  bool Annotated = false;
};

} // namespace gpusafe
#endif
