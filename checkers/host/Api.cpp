// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Host.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ParentMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

llvm::StringRef gpusafe::host::ruleName(Rule R) {
  static const char *const Names[] = {
#define HOST_RULE(id, name, package, summary) name,
#include "host_rules.def"
  };
  return Names[unsigned(R)];
}

Api gpusafe::host::apiOf(const FunctionDecl *Function) {
  if (!Function || !Function->getIdentifier() ||
      !Function->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return Api::None;
  llvm::StringRef Name = Function->getName();
  // The declarations of per-thread default streams.
  if (!Name.consume_back("_ptsz"))
    Name.consume_back("_ptds");
  if (!Name.starts_with("cuda") && !Name.starts_with("__cuda"))
    return Api::None;
  return llvm::StringSwitch<Api>(Name)
      .Cases({"cudaMalloc", "cudaMallocAsync", "cudaMallocFromPoolAsync"}, Api::Malloc)
      .Case("cudaMallocManaged", Api::MallocManaged)
      .Cases({"cudaMallocHost", "cudaHostAlloc"}, Api::MallocHost)
      .Case("cudaMallocPitch", Api::MallocPitch)
      .Cases({"cudaFree", "cudaFreeAsync"}, Api::Free)
      .Case("cudaFreeHost", Api::FreeHost)
      .Cases({"cudaMemcpy", "cudaMemcpyAsync"}, Api::Memcpy)
      .Cases({"cudaMemset", "cudaMemsetAsync"}, Api::Memset)
      .Cases({"cudaGetLastError", "cudaPeekAtLastError"}, Api::AsksError)
      .Cases({"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize",
              "cudaThreadSynchronize", "cudaStreamQuery", "cudaEventQuery"},
             Api::Synchronises)
      .Cases({"cudaDeviceReset", "cudaThreadExit"}, Api::Reset)
      .Default(Api::Other);
}

Api gpusafe::host::apiOf(const CallEvent &Call) {
  return apiOf(dyn_cast_or_null<FunctionDecl>(Call.getDecl()));
}

bool gpusafe::host::keepsPointers(const CallEvent &Call) {
  return apiOf(Call) != Api::None ||
         (Call.getDecl() && Call.getDecl()->hasAttr<CUDAGlobalAttr>());
}

bool gpusafe::host::isDeviceCode(const CheckerContext &C) {
  for (const LocationContext *L = C.getLocationContext(); L; L = L->getParent()) {
    const Decl *D = L->getDecl();
    if (D->hasAttr<CUDAGlobalAttr>() ||
        (D->hasAttr<CUDADeviceAttr>() && !D->hasAttr<CUDAHostAttr>()))
      return true;
  }
  return false;
}

const CUDAKernelCallExpr *gpusafe::host::launchOf(const CallEvent &Config,
                                                  const CheckerContext &C) {
  if (!Config.getOriginExpr())
    return nullptr;
  return dyn_cast_or_null<CUDAKernelCallExpr>(
      C.getLocationContext()->getParentMap().getParent(Config.getOriginExpr()));
}

std::optional<SVal> gpusafe::host::pointerArgument(const Expr *Argument, const CheckerContext &C) {
  const auto *Ref = dyn_cast<DeclRefExpr>(Argument->IgnoreParenCasts());
  const auto *Variable = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Variable || !Variable->getType()->isPointerType())
    return std::nullopt;
  ProgramStateRef State = C.getState();
  return State->getSVal(State->getLValue(Variable, C.getLocationContext()));
}

void Rules::enable(Rule R, CheckerNameRef Name) {
  Types[unsigned(R)] = std::make_unique<BugType>(Name, ruleName(R), "CUDA");
}
