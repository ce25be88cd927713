// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kernel launches of a translation unit, as far as its source shows them.
#ifndef GPUSAFE_PLUGIN_LAUNCHES_H
#define GPUSAFE_PLUGIN_LAUNCHES_H

#include "HostValues.h"
#include "launch.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <vector>

namespace clang {
class Sema;
}

namespace gpusafe {

/// One launch. `Sizes.args` and `Sizes.fields` point to Args and Fields.
struct Launch {
  const clang::FunctionDecl *Kernel; ///< its first declaration
  const clang::CallExpr *Call;
  clang::SourceLocation Loc;
  std::vector<gs_host_value> Args;
  std::vector<gs_launch_field> Fields;
  gs_launch Sizes;
};

/// Reads every `<<<>>>`, cudaLaunchKernel, cudaLaunchCooperativeKernel and
/// cudaLaunchKernelEx of the unit that names its kernel, those of templates once for
/// each instance. What system headers contain is left out.
class LaunchTable {
public:
  explicit LaunchTable(clang::Sema &S);
  ~LaunchTable() { gs_hosts_free(Hosts); }
  LaunchTable(const LaunchTable &) = delete;
  LaunchTable &operator=(const LaunchTable &) = delete;

  /// In the order in which the unit is read.
  llvm::ArrayRef<Launch> of(const clang::FunctionDecl &Kernel) const;
  /// True when nothing but these launches can start the kernel: no other unit sees it
  /// and nobody keeps its address.
  bool onlyThese(const clang::FunctionDecl &Kernel) const;
  /// Kernels that are launched, in the order of their first launch.
  std::vector<const clang::FunctionDecl *> kernels() const;
  gs_hosts *hosts() const { return Hosts; }

private:
  class Finder;
  void add(const clang::FunctionDecl &Kernel, const clang::CallExpr &Call,
           const clang::FunctionDecl *In);
  void readArgument(const clang::Expr &Arg, unsigned Param, const Moment &M, Launch &Out);
  void readPlace(const clang::Expr &Arg, unsigned Param, const Moment &M, Launch &Out);
  void readArguments(const clang::CallExpr &Call, unsigned First, const Moment &M, Launch &Out);
  void readAddresses(const clang::Expr &Array, const Moment &M, Launch &Out);
  void readFields(const clang::Expr &Arg, unsigned Param, clang::QualType T, uint64_t Offset,
                  Steps &Path, const Moment &M, Launch &Out);
  void readConfig(const clang::Expr &Config, const Moment &M, Launch &Out);
  void readAttributes(const clang::Expr &Place, const clang::RecordDecl &Record, const Moment &M,
                      Launch &Out);
  bool readAttribute(const Target &Attribute, clang::QualType T, const Moment &M, Launch &Out);
  void setCluster(const clang::FunctionDecl &Kernel, Launch &Out);
  void readSizes(const clang::CallExpr &Call, unsigned Grid, unsigned Block, unsigned Shared,
                 const Moment &M, Launch &Out);

  clang::Sema &S;
  gs_hosts *Hosts;
  HostValues Values;
  llvm::MapVector<const clang::FunctionDecl *, std::vector<Launch>> ByKernel;
  llvm::DenseSet<const clang::FunctionDecl *> Kept; ///< whose address goes elsewhere
};

} // namespace gpusafe
#endif
