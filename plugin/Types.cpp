// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Types.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;
using namespace gpusafe;

/// Integers of up to 64 bits, bool, enumerations; a contract can name them.
static bool isScalarInteger(const ASTContext &Context, QualType T) {
  return T->isIntegralOrEnumerationType() && !T->isIncompleteType() && Context.getIntWidth(T) <= 64;
}

gs_type_kind gpusafe::typeKind(const ASTContext &Context, QualType T) {
  T = T.getCanonicalType();
  if (T->isPointerType())
    return GS_TYPE_POINTER;
  if (isScalarInteger(Context, T))
    return GS_TYPE_INT;
  if (T->isRealFloatingType())
    return GS_TYPE_FLOAT;
  if (T->isRecordType())
    return GS_TYPE_RECORD;
  return GS_TYPE_OTHER;
}

gs_elem gpusafe::elementKind(const ASTContext &Context, QualType T) {
  T = T.getCanonicalType();
  if (T->isDependentType() || !isScalarInteger(Context, T))
    return GS_ELEM_OTHER;
  return T->isSignedIntegerOrEnumerationType() ? GS_ELEM_SIGNED : GS_ELEM_UNSIGNED;
}

uint64_t gpusafe::completeSize(const ASTContext &Context, QualType T) {
  if (T->isDependentType() || T->isIncompleteType() || T->isFunctionType() || T->isVoidType())
    return 0;
  return uint64_t(Context.getTypeSizeInChars(T).getQuantity());
}

namespace {
class Flattener {
public:
  Flattener(const ASTContext &Context) : Context(Context) {}
  void add(QualType T, uint64_t Offset, const std::string &Path);
  std::vector<TypeLeaf> Leaves;

private:
  void addRecord(const RecordDecl &Record, uint64_t Offset, const std::string &Path);
  void addArray(const ConstantArrayType &Array, uint64_t Offset, const std::string &Path);
  void addField(const FieldDecl &Field, uint64_t Offset, const std::string &Path);
  bool full() const { return Leaves.size() >= MaxLeaves; }

  const ASTContext &Context;
};
} // namespace

void Flattener::addField(const FieldDecl &Field, uint64_t Offset, const std::string &Path) {
  std::string Name = Path;
  if (Field.getIdentifier())
    Name += (Path.empty() ? "" : ".") + Field.getName().str();
  else if (!Field.isAnonymousStructOrUnion())
    return;
  if (!Field.isBitField())
    return add(Field.getType(), Offset, Name);
  // A bit-field shares its bytes: no width and place that a load would have.
  Leaves.push_back(
      {Name, Offset, unsigned(Context.getTypeSize(Field.getType())), GS_TYPE_OTHER, false, 0});
}

void Flattener::addRecord(const RecordDecl &Record, uint64_t Offset, const std::string &Path) {
  const RecordDecl *Definition = Record.getDefinition();
  if (!Definition || Definition->isInvalidDecl())
    return;
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(Definition);
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Definition))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (const auto *Of = Base.getType()->getAsCXXRecordDecl(); Of && !Base.isVirtual())
        addRecord(*Of, Offset + uint64_t(Layout.getBaseClassOffset(Of).getQuantity()), Path);
  unsigned Index = 0;
  for (const FieldDecl *Field : Definition->fields()) {
    if (full())
      return;
    uint64_t Bits = Layout.getFieldOffset(Index++);
    addField(*Field, Offset + Bits / 8, Path);
  }
}

void Flattener::addArray(const ConstantArrayType &Array, uint64_t Offset, const std::string &Path) {
  uint64_t Size = completeSize(Context, Array.getElementType());
  uint64_t Count = Array.getSize().getLimitedValue();
  for (uint64_t I = 0; I < Count && !full(); I++)
    add(Array.getElementType(), Offset + I * Size, Path + "[" + std::to_string(I) + "]");
}

void Flattener::add(QualType T, uint64_t Offset, const std::string &Path) {
  T = T.getCanonicalType();
  if (full())
    return;
  if (const auto *Array = Context.getAsConstantArrayType(T))
    return addArray(*Array, Offset, Path);
  gs_type_kind Kind = typeKind(Context, T);
  if (Kind == GS_TYPE_RECORD)
    return addRecord(*T->getAsRecordDecl(), Offset, Path);
  TypeLeaf Leaf{Path, Offset, 0, Kind, false, 0};
  if (Kind == GS_TYPE_INT) {
    // A bool travels as one bit but is a byte in memory.
    Leaf.Bits = T->isBooleanType() && !Path.empty() ? 8 : Context.getIntWidth(T);
    Leaf.IsSigned = T->isSignedIntegerOrEnumerationType();
  } else {
    Leaf.Bits = unsigned(Context.getTypeSize(T));
  }
  if (Kind == GS_TYPE_POINTER) {
    Leaf.ElemSize = completeSize(Context, T->getPointeeType());
  }
  if (Leaf.ElemSize)
    Leaf.Elem = T->getPointeeType();
  if (Leaf.ElemSize)
    Leaf.ElemAlign = uint64_t(Context.getTypeAlignInChars(T->getPointeeType()).getQuantity());
  Leaves.push_back(std::move(Leaf));
}

std::vector<TypeLeaf> gpusafe::flatten(const ASTContext &Context, QualType T) {
  Flattener F(Context);
  F.add(T, 0, "");
  return std::move(F.Leaves);
}
