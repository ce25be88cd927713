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
#define HOST_RULE(id, name, package, model, summary) id,
#include "host_rules.def"
};
constexpr unsigned RuleCount = 0
#define HOST_RULE(id, name, package, model, summary) +1
#include "host_rules.def"
    ;

llvm::StringRef ruleName(Rule R);

/// Whose memory an allocation is.
enum class Side { Device, Managed, Host };

/// The symbol that an address is based on; null when there is none. CUdeviceptr is an integer:
/// what is added to it leaves its base.
clang::ento::SymbolRef baseSymbol(clang::ento::SVal Value);
/// Whose the memory of an address is, where the path shows its allocation and no end of it.
std::optional<Side> sideOf(clang::ento::ProgramStateRef State, clang::ento::SVal Address);
/// "'d_a'" for a variable or member; "the memory" else.
std::string nameOf(const clang::Expr *E);
/// The variable, member or element that a call puts an address into (a pointer or CUdeviceptr),
/// whatever `(void **)` stands before it; null where there is none.
const clang::ento::TypedValueRegion *placeOf(clang::ento::SVal Pointer,
                                             clang::ento::CheckerContext &C);
/// A number of the path that is known and not negative.
std::optional<uint64_t> numberOf(const llvm::APSInt *Value);
/// The value, where the path allows one only.
std::optional<int64_t> knownValue(clang::ento::SVal Value, clang::ento::CheckerContext &C);
/// Do two values differ for certain on this path?
bool certainlyDiffer(clang::ento::SVal A, clang::ento::SVal B, clang::ento::CheckerContext &C);
/// Does the unit call or name one of these functions anywhere?
bool unitNames(clang::ASTContext &Context, llvm::ArrayRef<const char *> Functions);
/// Gives a call that is modelled its result: a status that nothing is known of.
clang::ento::ProgramStateRef bindStatus(clang::ento::ProgramStateRef State,
                                        const clang::ento::CallEvent &Call,
                                        clang::ento::CheckerContext &C,
                                        clang::ento::SymbolRef *Status);
/// A note on the path of each report for which the symbol matters.
const clang::ento::NoteTag *noteOn(clang::ento::CheckerContext &C, clang::ento::SymbolRef Symbol,
                                   std::string Text);

/// Calls of the runtime's and the driver's interface that mean something to a rule.
enum class Api {
  None,
  Malloc,        ///< cudaMalloc(&p, bytes), cudaMallocAsync, cuMemAlloc: memory of the device
  MallocManaged, ///< memory of both sides
  MallocHost,    ///< page-locked memory of the host
  MallocPitch,   ///< cudaMallocPitch(&p, &pitch, width, height): of unknown size
  Free,          ///< cudaFree, cudaFreeAsync, cuMemFree
  FreeHost,
  Memcpy,       ///< see copyOf
  Memset,       ///< see fillOf
  AsksError,    ///< cudaGetLastError, cudaPeekAtLastError
  Synchronises, ///< its status tells of earlier launches
  Reset,        ///< cudaDeviceReset, cuCtxDestroy: all memory is gone
  Launch,       ///< cudaLaunchKernel, cuLaunchKernel and their like
  SetDevice,    ///< cudaSetDevice(device)
  StreamCreate, ///< cudaStreamCreate(&s), …WithFlags, …WithPriority, cuStreamCreate
  WaitEvent,    ///< cudaStreamWaitEvent(stream, event)
  Capture,      ///< begins or ends the capture of a stream
  Other         ///< another function of the interface: takes no ownership
};

/// Which of them a call is. Only functions at file scope count.
Api apiOf(const clang::ento::CallEvent &Call);
Api apiOf(const clang::FunctionDecl *Function);
/// The name without what versions and per-thread default streams add to it.
llvm::StringRef apiName(const clang::FunctionDecl *Function);
/// A function of the driver's interface, where a failure leaves no pending error.
bool isDriver(const clang::FunctionDecl *Function);

/// Where the arguments of a copy are.
struct Copy {
  unsigned Target, Source, Size;
  int Kind;                      ///< argument that is a cudaMemcpyKind; -1: none
  std::optional<unsigned> Fixed; ///< the direction that the name says, as a cudaMemcpyKind
  int Stream;                    ///< argument; -1: the call waits
};
std::optional<Copy> copyOf(const clang::ento::CallEvent &Call);
/// The bytes that a fill writes are argument `Count` times `Scale`.
struct Fill {
  unsigned Count, Scale;
  int Stream; ///< argument; -1: the default stream
};
std::optional<Fill> fillOf(const clang::ento::CallEvent &Call);

/// One launch on a path.
struct LaunchArgument {
  const clang::Expr *Text; ///< what stands in the source
  clang::ento::SVal Value;
};
struct LaunchView {
  const clang::FunctionDecl *Kernel = nullptr; ///< null: not known
  std::array<clang::ento::SVal, 3> Grid, Block;
  clang::ento::SVal Shared, Stream;
  bool HasArguments = false; ///< they are known
  llvm::SmallVector<LaunchArgument, 8> Arguments;
  const clang::Expr *At = nullptr;
};
/// The launch that `kernel<<<…>>>(…)` makes, once its arguments are evaluated.
std::optional<LaunchView> launchOf(const clang::CUDAKernelCallExpr *Launch,
                                   clang::ento::CheckerContext &C);
/// The launch that a call of the runtime or driver makes.
std::optional<LaunchView> launchOf(const clang::ento::CallEvent &Call,
                                   clang::ento::CheckerContext &C);
/// The type that the kernel's parameter has; null when it has none.
clang::QualType parameterType(const LaunchView &Launch, unsigned Index);
/// Does the kernel perhaps write through that parameter?
bool mayWrite(const LaunchView &Launch, unsigned Index);

/// A CUDA function or a kernel: it takes no ownership of what it is given.
bool keepsPointers(const clang::ento::CallEvent &Call);
/// The function is not seen and may do anything that CUDA calls can.
bool isOpaque(const clang::ento::CallEvent &Call, const clang::ento::CheckerContext &C);

/// The place of a call runs on the device, where these rules do not apply.
bool isDeviceCode(const clang::ento::CheckerContext &C);

/// What a checker that serves several rules keeps for each: is it on, under which name.
class Rules {
public:
  void enable(Rule R, clang::ento::CheckerNameRef Name);
  bool isOn(Rule R) const { return Types[unsigned(R)] != nullptr; }
  const clang::ento::BugType &type(Rule R) const { return *Types[unsigned(R)]; }
  /// Reports at `Node`; nothing when that is null.
  void report(Rule R, const std::string &Message, const clang::Expr *At,
              clang::ento::SymbolRef Symbol, clang::ento::ExplodedNode *Node,
              clang::ento::CheckerContext &C) const;

private:
  std::array<std::unique_ptr<clang::ento::BugType>, RuleCount> Types;
};

// The models that the rules stand on, each a checker of its own: `register…` adds it to the
// manager, `enable…` turns on one of its rules.
#define HOST_MODEL(name, text, needs)                                                              \
  void register##name(clang::ento::CheckerManager &Manager);                                       \
  void enable##name(clang::ento::CheckerManager &Manager, Rule R);
#include "host_models.def"

} // namespace gpusafe::host

#endif
