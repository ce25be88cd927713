// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers that launches pass: which of them lead to one buffer.
#include "HostValues.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;
using namespace gpusafe;

static constexpr gs_host_value Unknown = {0, false};

gs_host_value HostValues::addressUnknown(const llvm::FoldingSetNodeID &Key, StringRef Name) {
  auto [At, New] = Unknowns.try_emplace(Key, Unknown);
  if (New)
    At->second = gs_host_address(Hosts, Name.str().c_str());
  return At->second;
}

/// An address by the way it is written. The same words may mean another buffer at
/// another time, which "somewhere in it" covers.
gs_host_value HostValues::named(const Expr &E, const Moment &M) {
  llvm::FoldingSetNodeID Key;
  Key.AddInteger(3);
  E.Profile(Key, Context, /*Canonical=*/true);
  gs_host_value Start = addressUnknown(Key, "a buffer");
  return M.At == Launch ? Start : gs_host_offset(Hosts, Start, Unknown);
}

gs_host_value HostValues::pointerVariable(const Target &From, const Expr &E, const Moment &M) {
  Reading R = read(*From.Variable, From.Path, M);
  if (R.Shared || R.Busy || From.Vague)
    return named(E, M);
  const Definition *D = R.Found;
  if (D && D->Value && D->Path == From.Path && D->Value->getType()->isPointerType()) {
    Moment Then = momentOf(*D, R.When.In);
    // Behind an allocation or a call the variable itself is the buffer's name.
    gs_host_value Value = pointer(*D->Value, Then);
    if (Value.at)
      return Value;
  }
  llvm::FoldingSetNodeID Key;
  addKey(Key, R, From);
  return addressUnknown(Key, From.Variable->getIdentifier() ? From.Variable->getName() : "a buffer");
}

/// The address of an lvalue: `&a[i]`, `&v`, an array.
gs_host_value HostValues::address(const Expr &Whole, const Moment &M) {
  const Expr &E = *Whole.IgnoreParens();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(&E)) {
    gs_host_value Base = pointer(*Subscript->getBase(), M);
    gs_host_value Size = gs_host_number(
        Hosts, E.getType()->isIncompleteType() ? 1 : Context.getTypeSizeInChars(E.getType()).getQuantity());
    return gs_host_offset(
        Hosts, Base, apply(GS_EXPR_MUL, {integer(*Subscript->getIdx(), M), Size}, Context.LongLongTy));
  }
  const auto *Deref = dyn_cast<UnaryOperator>(&E);
  if (Deref && Deref->getOpcode() == UO_Deref)
    return pointer(*Deref->getSubExpr(), M);
  return named(E, M);
}

/// Names that hand out a buffer which their object owns, the same each time.
static bool isAccessor(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  StringRef Name = Callee && Callee->getIdentifier() ? Callee->getName() : "";
  return Name == "data" || Name == "get" || Name == "raw_pointer_cast";
}

gs_host_value HostValues::pointer(const Expr &Whole, const Moment &M) {
  const Expr &E = *Whole.IgnoreParens();
  if (E.isInstantiationDependent() || Nesting > 100)
    return Unknown;
  Nesting++;
  gs_host_value Value = Unknown;
  const auto *Cast = dyn_cast<CastExpr>(&E);
  const auto *Sum = dyn_cast<BinaryOperator>(&E);
  const auto *Unary = dyn_cast<UnaryOperator>(&E);
  const auto *Call = dyn_cast<CallExpr>(&E);
  if (Cast && Cast->getCastKind() == CK_LValueToRValue) {
    const Expr &Place = *Cast->getSubExpr()->IgnoreParens();
    Target From = targetOf(Place);
    Value = From.Variable ? pointerVariable(From, Place, M) : named(Place, M);
  } else if (Cast && Cast->getCastKind() == CK_ArrayToPointerDecay) {
    Value = address(*Cast->getSubExpr(), M);
  } else if (Cast && (Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_BitCast)) {
    Value = pointer(*Cast->getSubExpr(), M);
  } else if (const auto *Full = dyn_cast<FullExpr>(&E)) {
    Value = pointer(*Full->getSubExpr(), M);
  } else if (Sum && Sum->isAdditiveOp()) {
    bool Right = Sum->getRHS()->getType()->isPointerType();
    const Expr &Base = Right ? *Sum->getRHS() : *Sum->getLHS();
    const Expr &Index = Right ? *Sum->getLHS() : *Sum->getRHS();
    QualType Element = E.getType()->getPointeeType();
    if (Element.isNull() || Element->isIncompleteType())
      Element = Context.CharTy;
    gs_host_value Size = gs_host_number(Hosts, Context.getTypeSizeInChars(Element).getQuantity());
    gs_host_value Bytes = apply(GS_EXPR_MUL, {integer(Index, M), Size}, Context.LongLongTy);
    if (Sum->getOpcode() == BO_Sub)
      Bytes = apply(GS_EXPR_NEG, {Bytes}, Context.LongLongTy);
    Value = gs_host_offset(Hosts, pointer(Base, M), Bytes);
  } else if (Unary && Unary->getOpcode() == UO_AddrOf) {
    Value = address(*Unary->getSubExpr(), M);
  } else if (Call && isAccessor(*Call)) {
    Value = named(E, M);
  }
  Nesting--;
  return Value;
}

gs_host_value HostValues::stored(const Expr &Place, const Moment &M) {
  if (Place.getType()->isIntegralOrEnumerationType())
    return integer(Place, M);
  Target From = targetOf(Place);
  if (!Place.getType()->isPointerType())
    return Unknown;
  return From.Variable ? pointerVariable(From, *Place.IgnoreParens(), M) : named(Place, M);
}

llvm::ArrayRef<Expr *> HostValues::elements(const Expr &Array, const Moment &M) {
  Target From = targetOf(*Array.IgnoreParenImpCasts());
  const Variable *Info = From.Variable && From.Path.empty() && M.In->Index
                             ? M.In->Index->find(*From.Variable)
                             : nullptr;
  if (!Info || Info->Handed != 1 || Info->Definitions.size() != 1)
    return {};
  const Expr *Init = Info->Definitions[0].Value;
  const auto *List = dyn_cast_or_null<InitListExpr>(Init ? Init->IgnoreParenImpCasts() : Init);
  return List ? const_cast<InitListExpr *>(List)->inits() : llvm::ArrayRef<Expr *>();
}
