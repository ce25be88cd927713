// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plain C description of kernels that the core reads.
#ifndef GPUSAFE_PLUGIN_DESCRIBE_H
#define GPUSAFE_PLUGIN_DESCRIBE_H

#include "Contracts.h"
#include "Launches.h"
#include "Options.h"
#include "StatementGaps.h"
#include "StatementGuards.h"

#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"

#include <deque>
#include <vector>

namespace gpusafe {

/// The declaration that \p Function was made from: the template's for an
/// instantiation, else itself. Annotations are read there.
const clang::FunctionDecl &patternOf(const clang::FunctionDecl &Function);

/// True when \p Function carries a claim or contract that somebody wrote.
bool isAnnotated(const clang::FunctionDecl &Function);

/// A trusted statement: the range it covers and why.
struct TrustedRange {
  gs_loc Begin, End, Loc;
  llvm::StringRef Rule, Reason;
};

/// Descriptions of the kernels of one module. Owns everything they point to.
class KernelTable {
public:
  KernelTable(clang::Sema &S, const Options &Opts) : S(S), Opts(Opts), Strings(Memory) {}

  /// From now on kernels are described with the launches of the unit.
  void useLaunches(const LaunchTable &Table) { Launches = &Table; }

  /// Adds a kernel. Errors in what only an instantiation can show are reported.
  /// \param Mangled the IR function; its text must outlive the table.
  /// \param Trusted statements that the kernel may execute.
  /// \returns false when an error was reported.
  bool add(const clang::FunctionDecl &Kernel, llvm::StringRef Mangled,
           llvm::ArrayRef<TrustedRange> Trusted);

  llvm::ArrayRef<gs_kernel_desc> kernels() const { return Kernels; }
  void setSites(size_t Index, gs_launch_sites Sites) { Kernels[Index].sites = Sites; }
  /// How many kernels the clauses of -fplugin-arg-gpusafe-assume applied to, and
  /// to how many they could have.
  unsigned AssumedBy = 0, AssumeCandidates = 0;
  unsigned WithContract = 0; ///< kernels that block=, grid= and assume= say nothing about

  const char *save(llvm::StringRef Text) { return Strings.save(Text).data(); }
  gs_loc location(clang::SourceLocation Loc);

private:
  template <class T> llvm::ArrayRef<T> keep(const std::vector<T> &Items) {
    return llvm::ArrayRef<T>(Items).copy(Memory);
  }
  gs_param_desc describeParam(const clang::ParmVarDecl &Param);
  bool addAnnotations(const clang::FunctionDecl &Kernel);
  bool addAnnotation(const WrittenAttr &Attr, const clang::FunctionDecl &Kernel);
  bool checkPointer(const WrittenAttr &Attr, int Index, const clang::FunctionDecl &Kernel);
  void addClaim(const WrittenAttr &Attr, int Index, ParsedContract &Contract);
  void addClauses(const WrittenAttr &Attr, ParsedContract &Contract);
  bool addOptionFacts(const clang::FunctionDecl &Kernel);
  bool addFactText(llvm::StringRef Text, const clang::FunctionDecl &Kernel, gs_fact Fact,
                   std::vector<gs_fact> &To);
  void addLaunches(const clang::FunctionDecl &Kernel, bool WithFacts, gs_kernel_desc &Desc);
  static gs_find_gap_fn findGap;
  static gs_find_guard_fn findGuard;
  void findClausePlace(const clang::FunctionDecl &Kernel, gs_kernel_desc &Desc);
  bool fail(const WrittenAttr &Attr, const clang::FunctionDecl &Kernel, unsigned Column,
            llvm::StringRef Message);

  clang::Sema &S;
  const Options &Opts;
  const LaunchTable *Launches = nullptr;
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Strings;
  std::vector<ClausePtr> Clauses;
  std::vector<gs_kernel_desc> Kernels;
  /// Where the core may insert statements: what its calls get.
  struct GapUser {
    KernelTable &Table;
    StatementGaps Gaps;
    StatementGuards Guards;
  };
  std::deque<GapUser> Gaps;
  std::vector<gs_claim> Claims; ///< of the kernel being added
  std::vector<gs_fact> Facts;
};

} // namespace gpusafe
#endif
