// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Describe.h"
#include "AttributeText.h"
#include "Lookup.h"
#include "Report.h"
#include "Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace gpusafe;

const FunctionDecl &gpusafe::patternOf(const FunctionDecl &Function) {
  const FunctionDecl *Pattern = Function.getTemplateInstantiationPattern();
  return Pattern ? *Pattern : Function;
}

bool gpusafe::isAnnotated(const FunctionDecl &Function) {
  for (const FunctionDecl *Redecl : patternOf(Function).redecls())
    for (const WrittenAttr &Attr : writtenOn(*Redecl))
      if (Attr.Kind != AttrKind::TRUSTED)
        return true;
  return false;
}

gs_loc KernelTable::location(SourceLocation Loc) {
  const SourceManager &SM = S.getSourceManager();
  PresumedLoc Place = SM.getPresumedLoc(SM.getFileLoc(withoutOwnMacros(Loc, SM, S.getLangOpts())));
  if (Place.isInvalid())
    return {};
  return {save(Place.getFilename()), Place.getLine(), Place.getColumn()};
}

// -------------------------------------------------------------- parameters ----

gs_param_desc KernelTable::describeParam(const ParmVarDecl &Param) {
  const ASTContext &Context = S.Context;
  QualType T = Param.getType();
  QualType Canonical = T.getCanonicalType();
  gs_param_desc Desc = {};
  Desc.name = save(Param.getName());
  Desc.type = save(T.getAsString(Context.getPrintingPolicy()));
  Desc.kind = typeKind(Context, T);
  Desc.size = uint32_t(
      Canonical->isReferenceType() ? 8 : Context.getTypeSizeInChars(Canonical).getQuantity());
  Desc.loc = location(Param.getLocation());
  if (Desc.kind == GS_TYPE_POINTER) {
    QualType Pointee = Canonical->getPointeeType();
    Desc.elem_size = uint32_t(completeSize(Context, Pointee));
    Desc.elem = elementKind(Context, Pointee);
    Desc.const_pointee = Pointee.isConstQualified();
    Desc.is_restrict = T.isRestrictQualified();
  }
  std::vector<gs_field> Fields;
  if (Desc.kind == GS_TYPE_RECORD || Desc.kind == GS_TYPE_INT)
    for (const TypeLeaf &Leaf : flatten(Context, T))
      Fields.push_back({save(Leaf.Path), uint32_t(Leaf.Offset), Leaf.Bits, Leaf.Kind, Leaf.IsSigned,
                        uint32_t(Leaf.ElemSize),
                        Leaf.Elem.isNull() ? GS_ELEM_OTHER : elementKind(Context, Leaf.Elem)});
  auto Kept = keep(Fields);
  Desc.fields = Kept.data();
  Desc.field_count = uint32_t(Kept.size());
  return Desc;
}

static uint32_t launchBound(const FunctionDecl &Kernel, const ASTContext &Context) {
  const auto *Bounds = Kernel.getAttr<CUDALaunchBoundsAttr>();
  const Expr *Max = Bounds ? Bounds->getMaxThreads() : nullptr;
  if (!Max || Max->isValueDependent())
    return 0;
  auto Value = Max->getIntegerConstantExpr(Context);
  return Value && Value->isRepresentableByInt64() && *Value > 0
             ? uint32_t(Value->getLimitedValue(UINT32_MAX))
             : 0;
}

// ------------------------------------------------------------- annotations ----

bool KernelTable::fail(const WrittenAttr &Attr, const FunctionDecl &Kernel, unsigned Column,
                       StringRef Message) {
  reportInText(S.Context, Attr, Column, Message);
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Kernel.getNameForDiagnostic(OS, S.Context.getPrintingPolicy(), /*Qualified=*/true);
  reportNote(S.Diags,
             Kernel.getPointOfInstantiation().isValid() ? Kernel.getPointOfInstantiation()
                                                        : Kernel.getLocation(),
             "in the instantiation '" + Name + "'");
  return false;
}

/// What a template could not tell: an instance's parameter may be no pointer.
bool KernelTable::checkPointer(const WrittenAttr &Attr, int Index, const FunctionDecl &Kernel) {
  if (Attr.Param < 0)
    return true;
  if (Index < 0)
    return fail(Attr, Kernel, 0,
                "an annotation on a parameter pack is not supported; name the pointers one by one");
  QualType T = Kernel.getParamDecl(unsigned(Index))->getType();
  if (Attr.Kind == AttrKind::TRUSTED)
    return true;
  if (T->isPointerType() && completeSize(S.Context, T->getPointeeType()) > 0)
    return true;
  return fail(Attr, Kernel, 0,
              ("'" + attrRow(Attr.Kind).Name +
               "' belongs on a pointer to a complete type, and "
               "here the parameter is a '" +
               T.getAsString(S.Context.getPrintingPolicy()) + "'")
                  .str());
}

static gs_claim_kind claimKind(AttrKind Kind) {
  switch (Kind) {
  case AttrKind::DISJOINT:
    return GS_CLAIM_DISJOINT;
  case AttrKind::EXCLUSIVE:
    return GS_CLAIM_EXCLUSIVE;
  case AttrKind::EXTENT:
    return GS_CLAIM_EXTENT;
  case AttrKind::TRUSTED:
  case AttrKind::LAUNCH_CONTRACT:
    break;
  }
  return GS_CLAIM_TRUSTED;
}

void KernelTable::addClaim(const WrittenAttr &Attr, int Index, ParsedContract &Contract) {
  gs_claim Claim = {};
  Claim.kind = claimKind(Attr.Kind);
  Claim.param = Index;
  Claim.scope = Contract.Scope;
  Claim.loc = location(Attr.Loc);
  if (Attr.Kind == AttrKind::TRUSTED) {
    TrustText Trust = splitTrust(Attr.Text);
    Claim.rule = save(Trust.Rule);
    Claim.reason = save(Trust.Reason);
  }
  for (const gs_claim &Before : Claims)
    if (Before.kind == Claim.kind && Before.param == Claim.param &&
        (Claim.kind == GS_CLAIM_TRUSTED ? StringRef(Before.rule) == Claim.rule
                                        : sameClause(Before.count, Contract.Count.get())))
      return; // a redeclaration repeats it
  if (Contract.Count) {
    Claim.count = Contract.Count.get();
    Clauses.push_back(std::move(Contract.Count));
  }
  Claims.push_back(Claim);
}

void KernelTable::addClauses(const WrittenAttr &Attr, ParsedContract &Contract) {
  for (PlacedClause &Placed : Contract.Clauses) {
    bool Repeated = false;
    for (const gs_fact &Before : Facts)
      Repeated = Repeated || sameClause(Before.clause, Placed.Clause.get());
    if (Repeated)
      continue;
    SourceLocation Place = placeInText(S.Context, Attr, Placed.Offset).Loc;
    Facts.push_back({Placed.Clause.get(), GS_FACT_CONTRACT, location(Place), false});
    Clauses.push_back(std::move(Placed.Clause));
  }
}

bool KernelTable::addAnnotation(const WrittenAttr &Attr, const FunctionDecl &Kernel) {
  Lookup Names(S, Attr, &Kernel);
  int Index = Attr.Param < 0 ? -1 : Names.instanceIndex(unsigned(Attr.Param));
  if (!checkPointer(Attr, Index, Kernel))
    return false;
  ParsedContract Contract;
  auto Sink = [&](unsigned Column, StringRef Message) { fail(Attr, Kernel, Column, Message); };
  if (!parseContract(S, Attr, &Kernel, Sink, Contract))
    return false;
  if (Attr.Kind == AttrKind::LAUNCH_CONTRACT)
    addClauses(Attr, Contract);
  else
    addClaim(Attr, Index, Contract);
  return true;
}

bool KernelTable::addAnnotations(const FunctionDecl &Kernel) {
  bool Good = true;
  // From the first declaration on, whichever of them the pattern is.
  llvm::SmallVector<const FunctionDecl *, 4> Redecls;
  for (const FunctionDecl *F = patternOf(Kernel).getMostRecentDecl(); F; F = F->getPreviousDecl())
    Redecls.push_back(F);
  for (const FunctionDecl *Redecl : llvm::reverse(Redecls))
    for (const WrittenAttr &Attr : writtenOn(*Redecl))
      Good &= addAnnotation(Attr, Kernel);
  return Good;
}

// ----------------------------------------------------------- option facts ----

/// Parses a clause over the kernel's parameters; `Fact` says the rest.
bool KernelTable::addFactText(StringRef Text, const FunctionDecl &Kernel, gs_fact Fact,
                              std::vector<gs_fact> &To) {
  WrittenAttr Here{AttrKind::LAUNCH_CONTRACT, &Kernel, -1, Text,
                   S.getSourceManager().getLocForEndOfFile(S.getSourceManager().getMainFileID())};
  Lookup Names(S, Here, &Kernel);
  gs_parse_error Error = {};
  gs_clause *Clause = nullptr;
  if (gs_clause_parse(Text.data(), Text.size(), Lookup::resolve, &Names, &Clause, &Error) != GS_OK)
    return false;
  Clauses.emplace_back(Clause);
  Fact.clause = Clause;
  To.push_back(Fact);
  return true;
}

static bool hasContract(llvm::ArrayRef<gs_fact> Facts) {
  return llvm::any_of(Facts, [](const gs_fact &F) { return F.origin == GS_FACT_CONTRACT; });
}

/// Options speak of kernels that have no contract of their own. A clause that
/// names what this kernel does not have is about another one.
/// \returns true when one is about this kernel.
bool KernelTable::addOptionFacts(const FunctionDecl &Kernel) {
  if (hasContract(Facts)) {
    WithContract++;
    return false;
  }
  gs_fact Option = {nullptr, GS_FACT_OPTION, {}, false};
  for (const std::string &Text : Opts.LaunchFacts)
    addFactText(Text, Kernel, Option, Facts);
  AssumeCandidates++;
  unsigned Applied = 0;
  for (const std::string &Text : Opts.Assumptions)
    Applied += addFactText(Text, Kernel, Option, Facts);
  AssumedBy += Applied > 0;
  return Applied > 0 || !Opts.LaunchFacts.empty();
}

// -------------------------------------------------------------------- entry ----

bool KernelTable::findGap(void *User, const gs_loc *Before, uint32_t BeforeCount,
                          const gs_loc *After, uint32_t AfterCount, const char *Statement,
                          gs_fixit *Out) {
  GapUser &U = *static_cast<GapUser *>(User);
  Insertion Found;
  if (!U.Gaps.find({Before, BeforeCount}, {After, AfterCount}, Statement, Found))
    return false;
  *Out = {U.Table.location(Found.Place), Found.Remove, U.Table.save(Found.Text), {}};
  if (Found.Stands.isValid())
    Out->stands = U.Table.location(Found.Stands);
  return Out->loc.line != 0;
}

bool KernelTable::findGuard(void *User, const gs_loc *Access, const char *Array, const char *Bound,
                            bool Below, gs_fixit *Out) {
  GapUser &U = *static_cast<GapUser *>(User);
  SourceLocation Place;
  std::string Text;
  if (!U.Guards.find(*Access, Array, Bound, Below, Place, Text))
    return false;
  *Out = {U.Table.location(Place), 0, U.Table.save(Text), {}};
  return Out->loc.line != 0;
}

/// In front of the first clause that is there, if the source has it as it is read; else, a
/// contract in front of the kernel's type.
void KernelTable::findClausePlace(const FunctionDecl &Kernel, gs_kernel_desc &Desc) {
  const SourceManager &SM = S.getSourceManager();
  const FunctionDecl &Pattern = patternOf(Kernel);
  bool HasContract = false;
  for (const FunctionDecl *Redecl : Pattern.redecls())
    for (const WrittenAttr &Attr : writtenOn(*Redecl)) {
      if (Attr.Kind != AttrKind::LAUNCH_CONTRACT)
        continue;
      unsigned First = unsigned(Attr.Text.size() - Attr.Text.ltrim().size());
      TextPlace Place = placeInText(S.Context, Attr, First);
      HasContract = true;
      if (Place.Exact && First < Attr.Text.size())
        Desc.clause_at = location(Place.Loc);
    }
  Desc.clause_around[0] = "";
  Desc.clause_around[1] = ", ";
  if (HasContract)
    return;
  // The name is the kernel's own where `__global__` is a macro.
  SourceLocation Begin = SM.getExpansionLoc(Pattern.getBeginLoc());
  if (Pattern.getLocation().isMacroID() || SM.isInSystemHeader(Begin))
    return;
  Desc.clause_at = location(Begin);
  Desc.clause_around[0] = "GS_LAUNCH_CONTRACT(";
  Desc.clause_around[1] = ") ";
}

bool KernelTable::add(const FunctionDecl &Kernel, StringRef Mangled,
                      llvm::ArrayRef<TrustedRange> Trusted) {
  Claims.clear();
  Facts.clear();
  bool Good = addAnnotations(Kernel);
  bool ByOption = addOptionFacts(Kernel);
  for (const TrustedRange &Range : Trusted) {
    gs_claim Claim = {};
    Claim.kind = GS_CLAIM_TRUSTED;
    Claim.param = -1;
    Claim.rule = save(Range.Rule);
    Claim.reason = save(Range.Reason);
    Claim.loc = Range.Loc;
    Claim.begin = Range.Begin;
    Claim.end = Range.End;
    Claims.push_back(Claim);
  }
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Kernel.getNameForDiagnostic(OS, S.Context.getPrintingPolicy(), /*Qualified=*/true);
  std::vector<gs_param_desc> Params;
  for (const ParmVarDecl *Param : Kernel.parameters())
    Params.push_back(describeParam(*Param));
  auto KeptParams = keep(Params);
  auto KeptClaims = keep(Claims);
  auto KeptFacts = keep(Facts);
  gs_kernel_desc Desc = {};
  Desc.mangled = Mangled.data();
  Desc.name = save(Name);
  Desc.loc = location(Kernel.getLocation());
  Desc.params = KeptParams.data();
  Desc.param_count = uint32_t(KeptParams.size());
  Desc.claims = KeptClaims.data();
  Desc.claim_count = uint32_t(KeptClaims.size());
  Desc.facts = KeptFacts.data();
  Desc.fact_count = uint32_t(KeptFacts.size());
  Desc.max_threads = launchBound(Kernel, S.Context);
  Desc.find_gap = findGap;
  Desc.find_guard = findGuard;
  Desc.find_gap_user =
      &Gaps.emplace_back(GapUser{*this, StatementGaps(S, Kernel), StatementGuards(S, Kernel)});
  findClausePlace(Kernel, Desc);
  addLaunches(Kernel, !ByOption && !hasContract(KeptFacts), Desc);
  Kernels.push_back(Desc);
  return Good;
}
