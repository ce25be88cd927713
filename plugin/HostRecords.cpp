// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records: the sizes of a launch, and parts of structures.
#include "HostValues.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace gpusafe;

static constexpr unsigned MaxNesting = 200;
static constexpr gs_host_value Unknown = {0, false};

// --------------------------------------------------------------------- sizes ----

HostDims HostValues::dimsVariable(const Target &From, QualType Type, const Moment &M) {
  HostDims Out = {Unknown, Unknown, Unknown};
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (!Record || From.Vague)
    return Out;
  const Expr *Fixed = fixedValue(*From.Variable);
  if (!Fixed && read(*From.Variable, From.Path, M).Shared)
    return Out;
  for (const FieldDecl *Field : Record->fields()) {
    Target Axis = From;
    Axis.Path.push_back({Field, 0});
    if (axisOf(Field) < 0)
      continue;
    if (Fixed)
      Out[unsigned(axisOf(Field))] = part(*Fixed, Axis.Path, outside(*Fixed), /*AsSize=*/true);
    else if (!read(*From.Variable, Axis.Path, M).Busy)
      Out[unsigned(axisOf(Field))] = variable(Axis, Context.UnsignedIntTy, M, /*AsSize=*/true);
  }
  return Out;
}

/// An argument of dim3: before the conversion to unsigned, which a launch that happens
/// has survived.
gs_host_value HostValues::size(const Expr &E, const Moment &M) {
  const Expr *Inner = E.IgnoreParens();
  const auto *Cast = dyn_cast<ImplicitCastExpr>(Inner);
  if (Cast && Cast->getCastKind() == CK_IntegralCast)
    Inner = Cast->getSubExpr();
  return gs_host_convert_size(Hosts, integer(*Inner, M));
}

HostDims HostValues::construct(const CXXConstructExpr &E, const Moment &M) {
  HostDims Out = {Unknown, Unknown, Unknown};
  if (E.getNumArgs() == 1 && E.getArg(0)->getType()->isRecordType())
    return dims(*E.getArg(0), M);
  if (E.getNumArgs() != 3)
    return Out;
  for (unsigned I = 0; I < 3; I++)
    Out[I] = size(*E.getArg(I), M);
  return Out;
}

HostDims HostValues::dims(const Expr &Whole, const Moment &M) {
  Nested Here(Nesting);
  HostDims Out = {Unknown, Unknown, Unknown};
  const Expr &E = *Whole.IgnoreParens();
  if (Nesting > MaxNesting || E.isInstantiationDependent() || !isDims(E.getType()))
    return Out;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E))
    return construct(*Construct, M);
  if (const auto *Full = dyn_cast<FullExpr>(&E))
    return dims(*Full->getSubExpr(), M);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&E))
    return dims(*Temporary->getSubExpr(), M);
  if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(&E))
    return dims(*Bound->getSubExpr(), M);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
    return dims(*Default->getExpr(), M);
  if (const auto *Cast = dyn_cast<CastExpr>(&E)) {
    bool Same = Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_ConstructorConversion ||
                Cast->getCastKind() == CK_LValueToRValue;
    return Same ? dims(*Cast->getSubExpr(), M) : Out;
  }
  if (const auto *List = dyn_cast<InitListExpr>(&E)) {
    if (List->getNumInits() == 1 && isDims(List->getInit(0)->getType()))
      return dims(*List->getInit(0), M);
    for (unsigned I = 0; I < 3 && List->getNumInits() == 3; I++)
      Out[I] = size(*List->getInit(I), M);
    return Out;
  }
  if (const auto *Condition = dyn_cast<ConditionalOperator>(&E)) {
    HostDims Yes = dims(*Condition->getTrueExpr(), M), No = dims(*Condition->getFalseExpr(), M);
    gs_host_value If = integer(*Condition->getCond(), M);
    for (unsigned I = 0; I < 3; I++)
      Out[I] = apply(GS_EXPR_COND, {If, Yes[I], No[I]}, Context.UnsignedIntTy);
    return Out;
  }
  if (const auto *Call = dyn_cast<CallExpr>(&E)) {
    Moment Inside;
    const Expr *Result = enter(*Call, M, Inside);
    return Result ? dims(*Result, Inside) : Out;
  }
  Target From = targetOf(E);
  return From.Variable ? dimsVariable(From, E.getType(), M) : Out;
}

// --------------------------------------------------------------------- parts ----

/// The type at the end of a path.
static QualType typeAt(const ASTContext &Context, QualType T, StepsRef Path) {
  for (const Step &S : Path) {
    if (S.Field)
      T = S.Field->getType();
    else if (const ArrayType *Array = Context.getAsArrayType(T))
      T = Array->getElementType();
  }
  return T;
}

/// The initialiser of one member, as the list has it after all rules were applied.
static const Expr *memberOf(const InitListExpr &Written, const Step &S) {
  const InitListExpr &List = Written.isSemanticForm() || !Written.getSemanticForm()
                                 ? Written
                                 : *Written.getSemanticForm();
  uint64_t Index = uint64_t(S.Index);
  if (S.Field) {
    const RecordDecl &Record = *S.Field->getParent();
    const auto *Class = dyn_cast<CXXRecordDecl>(&Record);
    if (Record.isUnion())
      return List.getInitializedFieldInUnion() == S.Field && List.getNumInits() == 1
                 ? List.getInit(0)
                 : nullptr;
    Index = Class ? Class->getNumBases() : 0;
    for (const FieldDecl *Field : Record.fields()) {
      if (Field == S.Field)
        break;
      Index += !Field->isUnnamedBitField();
    }
  }
  if (Index < List.getNumInits())
    return List.getInit(unsigned(Index));
  return S.Field ? nullptr : List.getArrayFiller();
}

gs_host_value HostValues::partOfList(const InitListExpr &List, StepsRef Path, const Moment &M,
                                     bool AsSize) {
  const Expr *Member = memberOf(List, Path.front());
  if (const auto *Default = dyn_cast_or_null<CXXDefaultInitExpr>(Member))
    Member = Default->getExpr();
  return Member ? part(*Member, Path.drop_front(), M, AsSize) : Unknown;
}

gs_host_value HostValues::partOfPlace(const Expr &E, StepsRef Path, const Moment &M, bool AsSize) {
  Target From = targetOf(E);
  if (!From.Variable || From.Vague)
    return Unknown;
  From.Path.append(Path.begin(), Path.end());
  if (const Expr *Fixed = fixedValue(*From.Variable))
    return part(*Fixed, From.Path, outside(*Fixed), AsSize);
  Reading R = read(*From.Variable, From.Path, M);
  if (R.Shared || R.Busy)
    return Unknown;
  return variable(From, typeAt(Context, E.getType(), Path), M, AsSize);
}

gs_host_value HostValues::part(const Expr &Whole, StepsRef Path, const Moment &M, bool AsSize) {
  const Expr &E = *Whole.IgnoreParens();
  if (Nesting > MaxNesting || E.isInstantiationDependent())
    return Unknown;
  if (Path.empty())
    return AsSize ? size(E, M) : integer(E, M);
  Nested Here(Nesting);
  gs_host_value Value = Unknown;
  const auto *Construct = dyn_cast<CXXConstructExpr>(&E);
  const auto *Cast = dyn_cast<CastExpr>(&E);
  if (isDims(E.getType()) && Path.size() == 1 && axisOf(Path[0].Field) >= 0) {
    Value = dims(E, M)[unsigned(axisOf(Path[0].Field))];
  } else if (const auto *List = dyn_cast<InitListExpr>(&E)) {
    Value = partOfList(*List, Path, M, AsSize);
  } else if (isa<ImplicitValueInitExpr>(E)) {
    Value = gs_host_number(Hosts, 0);
  } else if (Construct) {
    const CXXConstructorDecl &Constructor = *Construct->getConstructor();
    bool Copies = Construct->getNumArgs() == 1 && Constructor.isCopyOrMoveConstructor() &&
                  !Constructor.isUserProvided();
    if (Copies)
      Value = part(*Construct->getArg(0), Path, M, AsSize);
  } else if (const auto *Full = dyn_cast<FullExpr>(&E)) {
    Value = part(*Full->getSubExpr(), Path, M, AsSize);
  } else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&E)) {
    Value = part(*Temporary->getSubExpr(), Path, M, AsSize);
  } else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(&E)) {
    Value = part(*Bound->getSubExpr(), Path, M, AsSize);
  } else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E)) {
    Value = part(*Default->getExpr(), Path, M, AsSize);
  } else if (Cast) {
    bool Same = Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_LValueToRValue ||
                Cast->getCastKind() == CK_ConstructorConversion;
    if (Same)
      Value = part(*Cast->getSubExpr(), Path, M, AsSize);
  } else if (const auto *Condition = dyn_cast<ConditionalOperator>(&E)) {
    gs_host_value Yes = part(*Condition->getTrueExpr(), Path, M, AsSize);
    gs_host_value No = part(*Condition->getFalseExpr(), Path, M, AsSize);
    Value = apply(GS_EXPR_COND, {integer(*Condition->getCond(), M), Yes, No},
                  typeAt(Context, E.getType(), Path));
  } else if (const auto *Call = dyn_cast<CallExpr>(&E)) {
    Moment Inside;
    const Expr *Result = enter(*Call, M, Inside);
    if (Result)
      Value = part(*Result, Path, Inside, AsSize);
  } else {
    Value = partOfPlace(E, Path, M, AsSize);
  }
  return Value;
}

HostDims HostValues::dimsPart(const Expr &Record, StepsRef Path, const Moment &M) {
  HostDims Out = {Unknown, Unknown, Unknown};
  const CXXRecordDecl *Dims = typeAt(Context, Record.getType(), Path)->getAsCXXRecordDecl();
  Steps Axis(Path.begin(), Path.end());
  if (!Dims)
    return Out;
  Axis.push_back({});
  for (const FieldDecl *Field : Dims->fields()) {
    Axis.back() = {Field, 0};
    if (axisOf(Field) >= 0)
      Out[unsigned(axisOf(Field))] = part(Record, Axis, M, /*AsSize=*/true);
  }
  return Out;
}

gs_host_value HostValues::placed(const Target &From, QualType Type, const Moment &M) {
  Reading R = read(*From.Variable, From.Path, M);
  return R.Shared || R.Busy || From.Vague ? Unknown : variable(From, Type, M);
}

const Expr *HostValues::given(const Target &From, const Moment &M, Moment &Then) {
  if (!From.Variable || From.Vague)
    return nullptr;
  Reading R = read(*From.Variable, From.Path, M);
  const Definition *D = R.Found;
  if (R.Shared || !D || !D->Value || !isInside(From.Path, D->Path))
    return nullptr;
  Then = momentOf(*D, R.When.In);
  const Expr *Value = D->Value->IgnoreParens();
  for (const Step &S : StepsRef(From.Path).drop_front(D->Path.size())) {
    const auto *List = dyn_cast_or_null<InitListExpr>(Value);
    Value = List ? memberOf(*List, S) : nullptr;
  }
  return Value;
}

// ------------------------------------------------------------------- globals ----

Moment HostValues::outside(const Expr &E) {
  const Frame *&Root = Roots[nullptr];
  if (!Root)
    Root = &newFrame(nullptr, 0);
  return {Root, {}, &E};
}

const Expr *HostValues::fixedValue(const VarDecl &V) {
  QualType T = V.getType();
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  if (!V.hasGlobalStorage() || V.isStaticLocal() || T.isVolatileQualified() ||
      T->isReferenceType() || (Record && Record->hasDefinition() && Record->hasMutableFields()))
    return nullptr;
  const VarDecl *Defined = nullptr;
  const Expr *Init = V.getAnyInitializer(Defined);
  if (!Init || Init->isValueDependent() || T.isConstQualified())
    return Init && !Init->isValueDependent() ? Init : nullptr;
  if (V.isExternallyVisible() || V.hasAttr<CUDADeviceAttr>() || V.hasAttr<CUDAConstantAttr>() ||
      V.hasAttr<HIPManagedAttr>())
    return nullptr;
  if (!Changed)
    Changed = changedGlobals(Context);
  return Changed->contains(V.getCanonicalDecl()) ? nullptr : Init;
}
