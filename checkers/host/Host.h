// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the host rules share: which CUDA calls they know, and how a finding is made.
#ifndef GPUSAFE_CHECKERS_HOST_H
#define GPUSAFE_CHECKERS_HOST_H

#include "clang/StaticAnalyzer/Core/BugReporter/BugType.h"
#include "clang/StaticAnalyzer/Core/Checker.h"
#include "clang/StaticAnalyzer/Core/CheckerManager.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/CallEvent.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/CheckerContext.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace gpusafe::host {

enum class Rule {
#define HOST_RULE(id, name, package, summary) id,
#include "host_rules.def"
};
constexpr unsigned RuleCount = 0
#define HOST_RULE(id, name, package, summary) +1
#include "host_rules.def"
    ;

llvm::StringRef ruleName(Rule R);

/// Whose memory an allocation is.
enum class Side { Device, Managed, Host };

/// The symbol that an address is based on; null when there is none.
clang::ento::SymbolRef baseSymbol(clang::ento::SVal Value);
/// Whose the memory of an address is, where the path shows its allocation and no end of it.
std::optional<Side> sideOf(clang::ento::ProgramStateRef State, clang::ento::SVal Address);
/// "'d_a'" for a variable or member; "the memory" else.
std::string nameOf(const clang::Expr *E);
/// The launch that a configuration call belongs to: kernel<<<Config>>>(…); null: none.
const clang::CUDAKernelCallExpr *launchOf(const clang::ento::CallEvent &Config,
                                          const clang::ento::CheckerContext &C);
/// The value of an argument of a launch that is a pointer variable. (Arguments are evaluated
/// after the configuration, but variables have their values already.)
std::optional<clang::ento::SVal> pointerArgument(const clang::Expr *Argument,
                                                 const clang::ento::CheckerContext &C);

/// Calls of the runtime's interface that mean something to a rule.
enum class Api {
  None,
  Malloc,        ///< cudaMalloc(&p, bytes), cudaMallocAsync: memory of the device
  MallocManaged, ///< memory of both sides
  MallocHost,    ///< page-locked memory of the host
  MallocPitch,   ///< cudaMallocPitch(&p, &pitch, width, height): of unknown size
  Free,          ///< cudaFree, cudaFreeAsync
  FreeHost,
  Memcpy, ///< cudaMemcpy, cudaMemcpyAsync(dst, src, bytes, kind)
  Memset, ///< cudaMemset, cudaMemsetAsync(p, value, bytes)
  AsksError,   ///< cudaGetLastError, cudaPeekAtLastError
  Synchronises, ///< its status tells of earlier launches
  Reset,  ///< cudaDeviceReset: all memory is gone
  Other   ///< another function of the interface: takes no ownership
};

/// Which of them a call is. Only functions at file scope count.
Api apiOf(const clang::ento::CallEvent &Call);
Api apiOf(const clang::FunctionDecl *Function);

/// A CUDA function or a kernel: it takes no ownership of what it is given.
bool keepsPointers(const clang::ento::CallEvent &Call);

/// The place of a call runs on the device, where these rules do not apply.
bool isDeviceCode(const clang::ento::CheckerContext &C);

/// What a checker that serves several rules keeps for each: is it on, under which name.
class Rules {
public:
  void enable(Rule R, clang::ento::CheckerNameRef Name);
  bool isOn(Rule R) const { return Types[unsigned(R)] != nullptr; }
  const clang::ento::BugType &type(Rule R) const { return *Types[unsigned(R)]; }

private:
  std::array<std::unique_ptr<clang::ento::BugType>, RuleCount> Types;
};

// Each adds its rules to the manager when the analyzer enables them.
void registerMemory(clang::ento::CheckerManager &Manager);
void registerLaunches(clang::ento::CheckerManager &Manager);
void registerStreams(clang::ento::CheckerManager &Manager);
void enableMemoryRule(clang::ento::CheckerManager &Manager, Rule R);
void enableLaunchRule(clang::ento::CheckerManager &Manager, Rule R);
void enableStreamRule(clang::ento::CheckerManager &Manager, Rule R);

} // namespace gpusafe::host

#endif
