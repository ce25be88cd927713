// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lookup.h"
#include "Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"

using namespace clang;
using namespace gpusafe;

bool Lookup::resolve(void *User, const char *Name, size_t Length, gs_name *Out, const char **Hint) {
  auto *Self = static_cast<Lookup *>(User);
  Self->Hint.clear();
  if (Self->find(StringRef(Name, Length), *Out))
    return true;
  if (!Self->Hint.empty())
    *Hint = Self->Hint.c_str();
  return false;
}

bool Lookup::standIn(uint64_t Key, gs_name &Out) const {
  Out = {};
  Out.kind = GS_NAME_CONSTANT;
  Out.value = int64_t((uint64_t(1) << 62) | (Key & 0xffffffffffffULL));
  return true;
}

bool Lookup::constant(const llvm::APSInt &Value, StringRef Name, gs_name &Out) {
  if (!Value.isRepresentableByInt64())
    return fail("'" + Name + "' is " + toString(Value, 10) +
                ", which does not fit into 64 signed bits");
  Out = {};
  Out.kind = GS_NAME_CONSTANT;
  Out.value = Value.getExtValue();
  return true;
}

// -------------------------------------------------------------- parameters ----

int Lookup::instanceIndex(unsigned WrittenIndex) const {
  if (!Instance)
    return int(WrittenIndex);
  int Index = int(WrittenIndex);
  for (unsigned I = 0; I <= WrittenIndex && I < Written.getNumParams(); I++) {
    if (!Written.getParamDecl(I)->isParameterPack())
      continue;
    if (I == WrittenIndex)
      return -1;
    // At most one pack of a kernel can be expanded without being deduced.
    Index += int(Instance->getNumParams()) - int(Written.getNumParams());
  }
  return Index >= 0 && Index < int(Instance->getNumParams()) ? Index : -1;
}

bool Lookup::resolveField(QualType T, StringRef Whole, StringRef Path, gs_name &Out) {
  const ASTContext &Context = S.Context;
  for (const TypeLeaf &Leaf : flatten(Context, T)) {
    if (Leaf.Path != Path)
      continue;
    Out.offset = uint32_t(Leaf.Offset);
    if (Leaf.Kind == GS_TYPE_POINTER) {
      Out.kind = GS_NAME_POINTER;
      return true;
    }
    if (Leaf.Kind != GS_TYPE_INT)
      return fail("'" + Whole +
                  "' is no integer; a clause computes with integers, bools and "
                  "enumerators");
    Out.bits = Leaf.Bits;
    Out.is_signed = Leaf.IsSigned;
    return true;
  }
  PrintingPolicy Policy = Context.getPrintingPolicy();
  return fail("'" + Path + "' is no scalar field of '" +
              T.getUnqualifiedType().getAsString(Policy) + "'");
}

bool Lookup::resolveParam(unsigned Index, StringRef Whole, gs_name &Out) {
  StringRef Path = Whole.substr(Written.getParamDecl(Index)->getName().size());
  Path.consume_front(".");
  int At = instanceIndex(Index);
  if (At < 0)
    return fail("'" + Whole + "' is a parameter pack; name its members through a struct");
  const FunctionDecl &In = Instance ? *Instance : Written;
  QualType T = In.getParamDecl(unsigned(At))->getType();
  Out = {};
  Out.kind = GS_NAME_PARAM;
  Out.param = uint32_t(At);
  Out.bits = 64;
  Out.is_signed = true;
  if (T->isDependentType()) {
    Out.offset = uint32_t(llvm::hash_value(Path)); // only to tell p.x from p.y
    return true;
  }
  std::string Type = T.getAsString(S.Context.getPrintingPolicy());
  if (T->isReferenceType())
    return fail("'" + Whole + "' is of type '" + Type +
                "'; a clause cannot read through a reference");
  gs_type_kind Kind = typeKind(S.Context, T);
  if (Kind == GS_TYPE_POINTER && Path.empty()) {
    Out.kind = GS_NAME_POINTER;
    return true;
  }
  if (Kind == GS_TYPE_RECORD && !Path.empty())
    return resolveField(T, Whole, Path, Out);
  if (Kind != GS_TYPE_INT || !Path.empty())
    return fail("'" + Whole + "' is " + (Path.empty() ? "" : "a part of ") + "a '" + Type +
                "'; a clause computes with integers, bools and enumerators");
  return resolveField(T, Whole, "", Out);
}

// ------------------------------------------------------ template parameters ----

const NamedDecl *Lookup::findTemplateParam(StringRef Name) const {
  llvm::SmallVector<const TemplateParameterList *, 4> Lists;
  if (const auto *Template = Written.getDescribedFunctionTemplate())
    Lists.push_back(Template->getTemplateParameters());
  for (unsigned I = Written.getNumTemplateParameterLists(); I > 0; I--)
    Lists.push_back(Written.getTemplateParameterList(I - 1));
  for (const DeclContext *DC = Written.getDeclContext(); DC; DC = DC->getParent())
    if (const auto *Class = dyn_cast<CXXRecordDecl>(DC))
      if (const auto *Template = Class->getDescribedClassTemplate())
        Lists.push_back(Template->getTemplateParameters());
  for (const TemplateParameterList *List : Lists)
    for (const NamedDecl *Param : *List)
      if (Param->getIdentifier() && Param->getName() == Name)
        return Param;
  return nullptr;
}

static std::pair<unsigned, unsigned> positionOf(const NamedDecl &Param) {
  if (const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(&Param))
    return {Value->getDepth(), Value->getIndex()};
  if (const auto *Type = dyn_cast<TemplateTypeParmDecl>(&Param))
    return {Type->getDepth(), Type->getIndex()};
  return {~0u, ~0u};
}

bool Lookup::resolveTemplateParam(const NamedDecl &Param, gs_name &Out) {
  auto [Depth, Index] = positionOf(Param);
  if (!isa<NonTypeTemplateParmDecl>(Param))
    return fail("'" + Param.getName() + "' is not a value; write sizeof(" + Param.getName() +
                ") for its size");
  if (!Instance)
    return standIn(uint64_t(Depth) << 16 | Index, Out);
  auto Args = S.getTemplateInstantiationArgs(Instance);
  if (!Args.hasTemplateArgument(Depth, Index))
    return fail("'" + Param.getName() + "' has no value here");
  const TemplateArgument &Value = Args(Depth, Index);
  if (Value.getKind() != TemplateArgument::Integral)
    return fail("'" + Param.getName() +
                "' is no integer; a clause computes with integers, bools "
                "and enumerators");
  return constant(Value.getAsIntegral(), Param.getName(), Out);
}

// ---------------------------------------------------------------- constants ----

/// Looks a possibly qualified name up as the kernel's declaration would see it.
const NamedDecl *Lookup::findDecl(StringRef Name, bool Tags) {
  const FunctionDecl &In = Instance ? *Instance : Written;
  DeclContext *Where = const_cast<DeclContext *>(In.getDeclContext());
  llvm::SmallVector<StringRef, 4> Parts;
  bool Global = Name.consume_front("::");
  Name.split(Parts, "::");
  if (Global)
    Where = S.Context.getTranslationUnitDecl();
  auto LookIn = [&](DeclContext *DC, StringRef Part, Sema::LookupNameKind Kind) {
    LookupResult Found(S, &S.Context.Idents.get(Part), Attr.Loc, Kind);
    Found.suppressDiagnostics();
    S.LookupQualifiedName(Found, DC);
    NamedDecl *D = Found.isSingleResult() ? Found.getFoundDecl()->getUnderlyingDecl() : nullptr;
    const SourceManager &SM = S.getSourceManager();
    bool After = D && D->getLocation().isValid() && !D->isFromASTFile() &&
                 SM.isBeforeInTranslationUnit(Attr.Loc, D->getLocation());
    return After && !isa<CXXRecordDecl>(DC) ? nullptr : D;
  };
  auto KindOf = [&](bool Last) {
    if (!Last)
      return Sema::LookupNestedNameSpecifierName;
    return Tags && !S.getLangOpts().CPlusPlus ? Sema::LookupTagName : Sema::LookupOrdinaryName;
  };
  NamedDecl *D = nullptr;
  for (DeclContext *DC = Where; DC && !D; DC = Global ? nullptr : DC->getLookupParent())
    if (!DC->isFunctionOrMethod())
      D = LookIn(DC, Parts[0], KindOf(Parts.size() == 1));
  for (unsigned I = 1; I < Parts.size() && D; I++) {
    DeclContext *DC = dyn_cast<DeclContext>(D);
    if (const auto *Alias = dyn_cast<TypedefNameDecl>(D))
      DC = Alias->getUnderlyingType()->getAsTagDecl();
    if (auto *Alias = dyn_cast<NamespaceAliasDecl>(D))
      DC = Alias->getNamespace();
    D = DC ? LookIn(DC, Parts[I], KindOf(I + 1 == Parts.size())) : nullptr;
  }
  return D;
}

bool Lookup::resolveValue(const NamedDecl &D, gs_name &Out) {
  StringRef Name = D.getName();
  if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(&D)) {
    if (Enumerator->getInitExpr() && Enumerator->getInitExpr()->isValueDependent())
      return standIn(llvm::hash_value(Enumerator), Out);
    return constant(Enumerator->getInitVal(), Name, Out);
  }
  const auto *Variable = dyn_cast<VarDecl>(&D);
  if (!Variable)
    return fail("'" + Name + "' is no parameter of the kernel and no constant");
  QualType T = Variable->getType();
  if (T->isDependentType())
    return standIn(llvm::hash_value(Variable), Out);
  if (!T.isConstQualified() || T.isVolatileQualified())
    return fail("'" + Name +
                "' is a variable; a clause can only use what is known at launch: "
                "parameters and constants");
  if (!T->isIntegralOrEnumerationType())
    return fail("'" + Name +
                "' is no integer; a clause computes with integers, bools and "
                "enumerators");
  const Expr *Init = Variable->getAnyInitializer();
  if (Init && Init->isValueDependent())
    return Instance ? fail("'" + Name + "' has no value that is known here")
                    : standIn(llvm::hash_value(Variable), Out);
  const APValue *Value = Init ? Variable->evaluateValue() : nullptr;
  if (!Value || !Value->isInt())
    return fail("'" + Name + "' has no value that is known at compile time");
  return constant(Value->getInt(), Name, Out);
}

// -------------------------------------------------------------------- entry ----

bool Lookup::findSizeof(StringRef Type, gs_name &Out) {
  QualType T;
  if (const NamedDecl *Param = findTemplateParam(Type)) {
    auto [Depth, Index] = positionOf(*Param);
    if (!Instance && isa<TemplateTypeParmDecl>(Param))
      return standIn(uint64_t(1) << 40 | uint64_t(Depth) << 16 | Index, Out);
    auto Args = S.getTemplateInstantiationArgs(Instance);
    if (Args.hasTemplateArgument(Depth, Index) &&
        Args(Depth, Index).getKind() == TemplateArgument::Type)
      T = Args(Depth, Index).getAsType();
  } else if (const auto *Decl = dyn_cast_or_null<TypeDecl>(findDecl(Type, /*Tags=*/true))) {
    T = S.Context.getTypeDeclType(Decl);
  }
  if (!T.isNull() && T->isDependentType() && !Instance)
    return standIn(uint64_t(2) << 40 | llvm::hash_value(Type), Out);
  if (T.isNull() || completeSize(S.Context, T) == 0)
    return false;
  Out = {};
  Out.kind = GS_NAME_CONSTANT;
  Out.value = int64_t(completeSize(S.Context, T));
  return true;
}

/// Leaves the most similar name as the hint.
bool Lookup::suggest(StringRef Name) {
  StringRef Best;
  unsigned Least = unsigned(Name.size()) / 3 + 2;
  for (const ParmVarDecl *Param : Written.parameters()) {
    if (!Param->getIdentifier() || Param->getName() == "")
      continue;
    unsigned Distance = Name.edit_distance(Param->getName(), true, Least);
    if (Distance < Least && Distance < std::max(Name.size(), Param->getName().size())) {
      Least = Distance;
      Best = Param->getName();
    }
  }
  if (!Best.empty())
    return fail("did you mean '" + Best + "'?");
  return false;
}

bool Lookup::find(StringRef Name, gs_name &Out) {
  if (Name.starts_with("sizeof(") && Name.ends_with(")"))
    return findSizeof(Name.drop_front(7).drop_back(1), Out);
  StringRef First = Name.take_until([](char C) { return C == '.' || C == '[' || C == ':'; });
  for (unsigned I = 0; I < Written.getNumParams(); I++)
    if (!First.empty() && Written.getParamDecl(I)->getName() == First)
      return resolveParam(I, Name, Out);
  if (First == Name)
    if (const NamedDecl *Param = findTemplateParam(Name))
      return resolveTemplateParam(*Param, Out);
  if (Name.find_first_of(".[") != StringRef::npos)
    return suggest(First);
  if (const NamedDecl *D = findDecl(Name, /*Tags=*/false))
    return resolveValue(*D, Out);
  return suggest(Name);
}
