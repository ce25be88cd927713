// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeclCheck.h"
#include "AttributeText.h"
#include "Contracts.h"
#include "Report.h"
#include "Types.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace gpusafe;

namespace {
/// One attribute with its meaning.
struct Entry {
  WrittenAttr Attr;
  ParsedContract Contract;
};

/// The check of one redeclaration.
class Check {
public:
  Check(Sema &S, const FunctionDecl &On) : S(S), On(On) {}
  void run();

private:
  bool checkPlace(const WrittenAttr &Attr);
  bool checkPointer(const WrittenAttr &Attr);
  void checkAgainstOwn(const Entry &E);
  void checkAgainstEarlier();
  bool compareContracts(llvm::ArrayRef<Entry> Theirs);
  std::vector<Entry> understand(const FunctionDecl &Function, bool Report);
  SourceLocation placeOf(const WrittenAttr &Attr) const {
    return withoutOwnMacros(Attr.Loc, S.getSourceManager(), S.getLangOpts());
  }
  bool fail(const WrittenAttr &Attr, const llvm::Twine &Message) {
    reportError(S.Diags, placeOf(Attr), Message.str());
    return false;
  }
  void note(const WrittenAttr &Attr, StringRef Message) {
    reportNote(S.Diags, placeOf(Attr), Message);
  }

  Sema &S;
  const FunctionDecl &On;
  std::vector<Entry> Own;
};
} // namespace

static StringRef nameOf(const WrittenAttr &Attr) { return attrRow(Attr.Kind).Name; }

static std::string quoted(const ParmVarDecl &Param) {
  return Param.getName().empty() ? "an unnamed parameter" : "'" + Param.getName().str() + "'";
}

bool Check::checkPlace(const WrittenAttr &Attr) {
  if (On.isTemplateInstantiation())
    return fail(Attr, "'" + nameOf(Attr) +
                          "' on an explicit instantiation means nothing; write "
                          "it on the template");
  if (isKernel(On))
    return true;
  std::string Name = On.getNameInfo().getAsString();
  const char *Kernel = S.getLangOpts().CUDA ? "a __global__ function" : "a __gpu_kernel function";
  return fail(Attr, "'" + nameOf(Attr) + "' means nothing here: '" + Name +
                        "' is not a kernel; write it on " +
                        (Attr.Param < 0 ? "" : "a parameter of ") + Kernel);
}

bool Check::checkPointer(const WrittenAttr &Attr) {
  if (Attr.Param < 0 || Attr.Kind == AttrKind::TRUSTED)
    return true;
  const ParmVarDecl &Param = *On.getParamDecl(unsigned(Attr.Param));
  QualType T = Param.getType();
  if (T->isDependentType() && !T->isPointerType() && !T->isReferenceType())
    return true; // known when it is instantiated
  std::string Type = T.getAsString(S.Context.getPrintingPolicy());
  if (!T->isPointerType())
    return fail(Attr, "'" + nameOf(Attr) + "' belongs on a pointer parameter, and " +
                          quoted(Param) + " is a '" + Type + "'");
  QualType Pointee = T->getPointeeType();
  if (Pointee->isDependentType() || completeSize(S.Context, Pointee) > 0)
    return true;
  // An incomplete class may be completed before the kernel is defined.
  if (Pointee->isRecordType() && !On.isThisDeclarationADefinition())
    return true;
  return fail(Attr, "'" + nameOf(Attr) + "' speaks of elements, and " + quoted(Param) +
                        " points to '" + Pointee.getAsString(S.Context.getPrintingPolicy()) +
                        "', which has no size; give the parameter the type of its elements");
}

/// Parses what is written on a redeclaration, quietly unless it is this one's turn.
std::vector<Entry> Check::understand(const FunctionDecl &Function, bool Report) {
  const FunctionDecl *Instance = Function.isTemplated() ? nullptr : &Function;
  std::vector<Entry> Out;
  for (const WrittenAttr &Attr : writtenOn(Function)) {
    if (Report && !(checkPlace(Attr) && checkPointer(Attr)))
      continue;
    Entry E{Attr, {}};
    auto Sink = [&](unsigned Column, StringRef Message) {
      if (Report)
        reportInText(S.Context, Attr, Column, Message);
    };
    if (parseContract(S, Attr, Instance, Sink, E.Contract))
      Out.push_back(std::move(E));
  }
  return Out;
}

static bool isCounted(AttrKind Kind) {
  return Kind == AttrKind::DISJOINT || Kind == AttrKind::EXCLUSIVE || Kind == AttrKind::EXTENT;
}

/// Two attributes of one parameter that cannot both be meant.
static bool contradicts(const Entry &A, const Entry &B) {
  if (A.Attr.Param != B.Attr.Param || !isCounted(A.Attr.Kind) || !isCounted(B.Attr.Kind))
    return false;
  if (A.Attr.Kind == B.Attr.Kind && A.Contract.Scope != B.Contract.Scope)
    return true;
  const gs_clause *X = A.Contract.Count.get(), *Y = B.Contract.Count.get();
  return X && Y && !sameClause(X, Y);
}

void Check::checkAgainstOwn(const Entry &E) {
  for (const Entry &Before : Own) {
    if (&Before == &E)
      return;
    if (!contradicts(Before, E))
      continue;
    fail(E.Attr, "'" + nameOf(E.Attr) + "' contradicts '" + nameOf(Before.Attr) +
                     "' on the same parameter; keep one count" +
                     (E.Attr.Kind == AttrKind::EXCLUSIVE ? " and one scope" : ""));
    note(Before.Attr, "the other one is here");
  }
}

/// Contracts are compared whole: a redeclaration repeats it or leaves it out.
/// \returns true when something was compared.
bool Check::compareContracts(llvm::ArrayRef<Entry> Theirs) {
  llvm::SmallVector<const Entry *, 4> A, B;
  for (const Entry &E : Own)
    if (E.Attr.Kind == AttrKind::LAUNCH_CONTRACT)
      A.push_back(&E);
  for (const Entry &E : Theirs)
    if (E.Attr.Kind == AttrKind::LAUNCH_CONTRACT)
      B.push_back(&E);
  if (A.empty() || B.empty())
    return false;
  bool Same = A.size() == B.size();
  for (size_t I = 0; Same && I < A.size(); I++)
    Same = sameMeaning(A[I]->Contract, B[I]->Contract);
  if (Same)
    return true;
  fail(A.front()->Attr, "this launch contract disagrees with the one on an earlier declaration "
                        "of '" +
                            On.getNameInfo().getAsString() + "'; repeat it or leave it out");
  note(B.front()->Attr, "the earlier one is here");
  return true;
}

static bool disagrees(const Entry &Mine, const Entry &Other) {
  if (!isCounted(Mine.Attr.Kind) || !isCounted(Other.Attr.Kind) ||
      Mine.Attr.Param != Other.Attr.Param)
    return false;
  return contradicts(Other, Mine) ||
         (Mine.Attr.Kind == Other.Attr.Kind && !sameMeaning(Mine.Contract, Other.Contract));
}

void Check::checkAgainstEarlier() {
  llvm::SmallPtrSet<const Entry *, 4> Reported;
  bool Contract = false;
  for (const FunctionDecl *Earlier = On.getPreviousDecl(); Earlier && !Own.empty();
       Earlier = Earlier->getPreviousDecl()) {
    std::vector<Entry> Theirs = understand(*Earlier, /*Report=*/false);
    for (const Entry &Mine : Own)
      for (const Entry &Other : Theirs)
        if (disagrees(Mine, Other) && Reported.insert(&Mine).second) {
          fail(Mine.Attr, "'" + nameOf(Mine.Attr) + "' disagrees with an earlier declaration of '" +
                              On.getNameInfo().getAsString() + "'; repeat it or leave it out");
          note(Other.Attr, "the earlier one is here");
        }
    Contract = Contract || compareContracts(Theirs);
  }
}

void Check::run() {
  Own = understand(On, /*Report=*/true);
  for (const Entry &E : Own)
    checkAgainstOwn(E);
  checkAgainstEarlier();
}

void gpusafe::checkPending(Sema &S, bool AtEnd) {
  AttributeState &State = attributeState(S.Context);
  if (State.Pending.empty())
    return;
  auto Pending = State.Pending.takeVector();
  llvm::SmallSetVector<const FunctionDecl *, 8> Functions;
  for (const Decl *D : Pending) {
    const auto *Function = dyn_cast<FunctionDecl>(D);
    if (!Function)
      Function = dyn_cast<FunctionDecl>(D->getDeclContext());
    if (Function) {
      if (!Function->isInvalidDecl())
        Functions.insert(Function);
    } else if (!AtEnd) {
      State.Pending.insert(D);
    } else if (hasKernels(S.Context) && !D->isInvalidDecl()) {
      SourceLocation Loc = D->getLocation();
      reportError(S.Diags, Loc.isValid() ? Loc : D->getBeginLoc(),
                  "this annotated parameter belongs to no kernel; write it on the kernel's own "
                  "declaration, for an instance on that of its template");
    }
  }
  if (hasKernels(S.Context))
    for (const FunctionDecl *Function : Functions)
      Check(S, *Function).run();
}
