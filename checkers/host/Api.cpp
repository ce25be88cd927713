// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of CUDA's runtime and driver that mean something to a rule, by name.
#include "Host.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

llvm::StringRef gpusafe::host::ruleName(Rule R) {
  static const char *const Names[] = {
#define HOST_RULE(id, name, package, model, summary) name,
#include "host_rules.def"
  };
  return Names[unsigned(R)];
}

llvm::StringRef gpusafe::host::apiName(const FunctionDecl *Function) {
  if (!Function || !Function->getIdentifier() ||
      !Function->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return "";
  llvm::StringRef Name = Function->getName();
  // The declarations of per-thread default streams, and the driver's versions.
  if (!Name.consume_back("_ptsz"))
    Name.consume_back("_ptds");
  if (Name.size() > 3 && Name[Name.size() - 3] == '_' && Name[Name.size() - 2] == 'v' &&
      llvm::isDigit(Name.back()))
    Name = Name.drop_back(3);
  bool Driver = Name.size() > 2 && Name.starts_with("cu") && llvm::isUpper(Name[2]);
  return Driver || Name.starts_with("cuda") || Name.starts_with("__cuda") ? Name : "";
}

bool gpusafe::host::isDriver(const FunctionDecl *Function) {
  llvm::StringRef Name = apiName(Function);
  return !Name.empty() && !Name.starts_with("cuda") && !Name.starts_with("__cuda");
}

static Api memoryCall(llvm::StringRef Name) {
  return llvm::StringSwitch<Api>(Name)
      .Cases({"cudaMalloc", "cudaMallocAsync", "cudaMallocFromPoolAsync", "cuMemAlloc",
              "cuMemAllocAsync", "cuMemAllocFromPoolAsync"},
             Api::Malloc)
      .Cases({"cudaMallocManaged", "cuMemAllocManaged"}, Api::MallocManaged)
      .Cases({"cudaMallocHost", "cudaHostAlloc", "cuMemAllocHost", "cuMemHostAlloc"},
             Api::MallocHost)
      .Cases({"cudaMallocPitch", "cuMemAllocPitch"}, Api::MallocPitch)
      .Cases({"cudaFree", "cudaFreeAsync", "cuMemFree", "cuMemFreeAsync"}, Api::Free)
      .Cases({"cudaFreeHost", "cuMemFreeHost"}, Api::FreeHost)
      .Cases({"cudaMemcpy", "cudaMemcpyAsync", "cuMemcpy", "cuMemcpyAsync", "cuMemcpyHtoD",
              "cuMemcpyHtoDAsync", "cuMemcpyDtoH", "cuMemcpyDtoHAsync", "cuMemcpyDtoD",
              "cuMemcpyDtoDAsync"},
             Api::Memcpy)
      .Cases({"cudaMemset", "cudaMemsetAsync", "cuMemsetD8", "cuMemsetD8Async", "cuMemsetD16",
              "cuMemsetD16Async", "cuMemsetD32", "cuMemsetD32Async"},
             Api::Memset)
      .Default(Api::None);
}

static Api controlCall(llvm::StringRef Name) {
  return llvm::StringSwitch<Api>(Name)
      .Cases({"cudaGetLastError", "cudaPeekAtLastError"}, Api::AsksError)
      .Cases({"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize",
              "cudaThreadSynchronize", "cudaStreamQuery", "cudaEventQuery", "cuCtxSynchronize",
              "cuStreamSynchronize", "cuEventSynchronize", "cuStreamQuery", "cuEventQuery"},
             Api::Synchronises)
      .Cases({"cudaDeviceReset", "cudaThreadExit", "cuCtxDestroy", "cuDevicePrimaryCtxReset",
              "cuDevicePrimaryCtxRelease"},
             Api::Reset)
      .Cases({"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cuLaunchKernel",
              "cuLaunchCooperativeKernel"},
             Api::Launch)
      .Case("cudaSetDevice", Api::SetDevice)
      .Cases({"cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority",
              "cuStreamCreate", "cuStreamCreateWithPriority"},
             Api::StreamCreate)
      .Cases({"cudaStreamWaitEvent", "cuStreamWaitEvent"}, Api::WaitEvent)
      .Cases({"cudaStreamBeginCapture", "cudaStreamEndCapture", "cuStreamBeginCapture",
              "cuStreamEndCapture", "cudaStreamBeginCaptureToGraph", "cuStreamBeginCaptureToGraph"},
             Api::Capture)
      .Default(Api::Other);
}

Api gpusafe::host::apiOf(const FunctionDecl *Function) {
  llvm::StringRef Name = apiName(Function);
  if (Name.empty())
    return Api::None;
  Api Memory = memoryCall(Name);
  return Memory != Api::None ? Memory : controlCall(Name);
}

static const FunctionDecl *functionOf(const CallEvent &Call) {
  return dyn_cast_or_null<FunctionDecl>(Call.getDecl());
}

Api gpusafe::host::apiOf(const CallEvent &Call) { return apiOf(functionOf(Call)); }

std::optional<Copy> gpusafe::host::copyOf(const CallEvent &Call) {
  llvm::StringRef Name = apiName(functionOf(Call));
  if (apiOf(Call) != Api::Memcpy)
    return std::nullopt;
  bool Runtime = Name.starts_with("cuda"), Async = Name.consume_back("Async");
  Copy Out = {0, 1, 2, Runtime ? 3 : -1, std::nullopt, -1};
  if (Name.ends_with("HtoD"))
    Out.Fixed = 1;
  else if (Name.ends_with("DtoH"))
    Out.Fixed = 2;
  else if (Name.ends_with("DtoD"))
    Out.Fixed = 3;
  if (Async)
    Out.Stream = Runtime ? 4 : 3;
  if (Call.getNumArgs() < (Runtime ? 4u : 3u) || Out.Stream >= int(Call.getNumArgs()))
    return std::nullopt;
  return Out;
}

std::optional<Fill> gpusafe::host::fillOf(const CallEvent &Call) {
  llvm::StringRef Name = apiName(functionOf(Call));
  if (apiOf(Call) != Api::Memset || Call.getNumArgs() < 3)
    return std::nullopt;
  bool Async = Name.consume_back("Async");
  unsigned Scale = Name.ends_with("D16") ? 2 : Name.ends_with("D32") ? 4 : 1;
  return Fill{2, Scale, Async && Call.getNumArgs() > 3 ? 3 : -1};
}

bool gpusafe::host::keepsPointers(const CallEvent &Call) {
  return apiOf(Call) != Api::None ||
         (Call.getDecl() && Call.getDecl()->hasAttr<CUDAGlobalAttr>());
}

bool gpusafe::host::isOpaque(const CallEvent &Call, const CheckerContext &C) {
  const FunctionDecl *Function = functionOf(Call);
  if (apiOf(Function) != Api::None || C.wasInlined)
    return false;
  if (Function && Function->hasAttr<CUDAGlobalAttr>())
    return false;
  return !(Function && C.getSourceManager().isInSystemHeader(Function->getLocation()));
}

bool gpusafe::host::isDeviceCode(const CheckerContext &C) {
  if (C.getLangOpts().CUDAIsDevice)
    return true; // the host's pass looks at the host's code
  for (const LocationContext *L = C.getLocationContext(); L; L = L->getParent()) {
    const Decl *D = L->getDecl();
    if (D->hasAttr<CUDAGlobalAttr>() ||
        (D->hasAttr<CUDADeviceAttr>() && !D->hasAttr<CUDAHostAttr>()))
      return true;
  }
  return false;
}

bool gpusafe::host::unitNames(ASTContext &Context, llvm::ArrayRef<const char *> Functions) {
  for (const char *Name : Functions) {
    auto Found = Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name));
    for (const NamedDecl *D : Found) {
      if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D)) {
        if (!Template->specializations().empty())
          return true;
        D = Template->getTemplatedDecl();
      }
      if (D->isReferenced() || D->isUsed())
        return true;
    }
  }
  return false;
}

std::string gpusafe::host::nameOf(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    if (Unary->getOpcode() == UO_AddrOf)
      return nameOf(Unary->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return "'" + Ref->getDecl()->getNameAsString() + "'";
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return "'" + Member->getMemberDecl()->getNameAsString() + "'";
  return "the memory";
}

static bool holdsAddress(QualType Type) {
  return Type->isPointerType() || (Type->isIntegerType() && !Type->isBooleanType());
}

const TypedValueRegion *gpusafe::host::placeOf(SVal Pointer, CheckerContext &C) {
  const MemRegion *Region = Pointer.getAsRegion();
  const auto *Place = dyn_cast_or_null<TypedValueRegion>(Region ? Region->StripCasts() : nullptr);
  if (!Place || holdsAddress(Place->getValueType()))
    return Place;
  // The first element of an array looks like a cast of the array.
  const auto *Array = C.getASTContext().getAsConstantArrayType(Place->getValueType());
  if (!Array || !holdsAddress(Array->getElementType()))
    return nullptr;
  SVal First = C.getState()->getLValue(
      Array->getElementType(), C.getSValBuilder().makeZeroArrayIndex(), loc::MemRegionVal(Place));
  return dyn_cast_or_null<TypedValueRegion>(First.getAsRegion());
}

std::optional<uint64_t> gpusafe::host::numberOf(const llvm::APSInt *Value) {
  if (!Value || (Value->isSigned() && Value->isNegative()) || Value->getActiveBits() > 63)
    return std::nullopt;
  return Value->getZExtValue();
}

std::optional<int64_t> gpusafe::host::knownValue(SVal Value, CheckerContext &C) {
  if (Value.isUnknownOrUndef())
    return std::nullopt;
  if (Value.isZeroConstant())
    return 0;
  const llvm::APSInt *Known = C.getSValBuilder().getKnownValue(C.getState(), Value);
  if (!Known || Known->getSignificantBits() > 64)
    return std::nullopt;
  return Known->getExtValue();
}

/// One value is the other and a constant more or less.
static bool isApart(SVal A, SVal B) {
  const auto *Sum = dyn_cast_or_null<SymIntExpr>(A.getAsSymbol());
  return Sum && (Sum->getOpcode() == BO_Add || Sum->getOpcode() == BO_Sub) &&
         *Sum->getRHS() != 0 && Sum->getLHS() == B.getAsSymbol();
}

bool gpusafe::host::certainlyDiffer(SVal A, SVal B, CheckerContext &C) {
  if (isApart(A, B) || isApart(B, A))
    return true;
  auto X = A.getAs<DefinedOrUnknownSVal>(), Y = B.getAs<DefinedOrUnknownSVal>();
  if (!X || !Y || X->isUnknown() || Y->isUnknown())
    return false;
  SVal Equal = C.getSValBuilder().evalEQ(C.getState(), *X, *Y);
  auto Truth = Equal.getAs<DefinedOrUnknownSVal>();
  return Truth && !Truth->isUnknown() && !C.getState()->assume(*Truth, true);
}

const NoteTag *gpusafe::host::noteOn(CheckerContext &C, SymbolRef Symbol, std::string Text) {
  return C.getNoteTag([Symbol, Text](PathSensitiveBugReport &Report) {
    return Report.isInteresting(Symbol) ? Text : std::string();
  });
}

ProgramStateRef gpusafe::host::bindStatus(ProgramStateRef State, const CallEvent &Call,
                                          CheckerContext &C, SymbolRef *Status) {
  static int Tag;
  DefinedOrUnknownSVal Value = C.getSValBuilder().conjureSymbolVal(
      Call, Call.getResultType(), C.blockCount(), &Tag);
  if (Status)
    *Status = Value.getAsSymbol();
  return State->BindExpr(Call.getOriginExpr(), C.getLocationContext(), Value);
}

void Rules::enable(Rule R, CheckerNameRef Name) {
  Types[unsigned(R)] = std::make_unique<BugType>(Name, ruleName(R), "CUDA");
}

void Rules::report(Rule R, const std::string &Message, const Expr *At, SymbolRef Symbol,
                   ExplodedNode *Node, CheckerContext &C) const {
  if (!Node)
    return;
  auto Report = std::make_unique<PathSensitiveBugReport>(type(R), Message, Node);
  if (At)
    Report->addRange(At->getSourceRange());
  if (Symbol)
    Report->markInteresting(Symbol);
  C.emitReport(std::move(Report));
}
