// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Descriptor.h"
#include "Types.h"
#include "codegen.h"
#include "gs_descriptor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Version.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

using namespace clang;
using namespace gpusafe;

// ---------------------------------------------------------------- summaries ----

uint32_t gpusafe::packSummary(const ProofSummary &Summary) {
  return (Summary.Assumed & 0xFF) | (Summary.Verdict & 0xFF) << 8 | (Summary.Sm & 0xFFFF) << 16;
}

void gpusafe::addSummary(uint32_t Packed, ProofSummary &To) {
  uint32_t Verdict = Packed >> 8 & 0xFF, Sm = Packed >> 16;
  To.Assumed |= Packed & 0xFF;
  To.Verdict = To.Verdict == 0xFFFFFFFFu ? Verdict : std::max(To.Verdict, Verdict);
  To.Sm = To.Sm == 0 ? Sm : std::min(To.Sm, Sm);
}

// -------------------------------------------------------------------- input ----

namespace {
/// Collects the rows that a gs_desc_input points to.
class Input {
public:
  Input(const FunctionDecl &Kernel, const gs_kernel_desc &Desc, const ProofSummary &Proof);
  gs_desc_input get();

private:
  void addParam(const ParmVarDecl &Param, const gs_param_desc &Desc, uint32_t Index);
  void addLeaves(const gs_param_desc &Desc, QualType T, uint32_t Index);
  void addBounds(const FunctionDecl &Kernel);
  uint32_t constant(const Expr *E) const;

  const ASTContext &Context;
  const gs_kernel_desc &Desc;
  gs_desc_header Fixed = {};
  uint64_t End = 0; ///< of the parameters so far, bytes
  std::deque<std::string> Names;
  std::vector<gs_desc_param> Params;
  std::vector<gs_desc_leaf_input> Leaves;
  std::vector<gs_desc_clause> Clauses;
  std::vector<gs_desc_claim> Claims;
};
} // namespace

static gs_desc_kind kindOf(gs_type_kind Kind) {
  switch (Kind) {
  case GS_TYPE_INT:
    return GS_DESC_INT;
  case GS_TYPE_FLOAT:
    return GS_DESC_FLOAT;
  case GS_TYPE_POINTER:
    return GS_DESC_POINTER;
  case GS_TYPE_RECORD:
    return GS_DESC_RECORD;
  case GS_TYPE_OTHER:
    break;
  }
  return GS_DESC_OTHER;
}

static gs_desc_place placeOf(const gs_loc &Loc) { return {Loc.file, Loc.line, Loc.column}; }

static uint32_t alignOf(const ASTContext &Context, QualType T) {
  return uint32_t(Context.getTypeAlignInChars(T).getQuantity());
}

/// What elements are, for facts about their values.
static uint32_t elementFlags(const ASTContext &Context, QualType Elem) {
  switch (typeKind(Context, Elem)) {
  case GS_TYPE_INT:
    return GS_DESC_ELEM_INT |
           (Elem->isSignedIntegerOrEnumerationType() ? uint32_t(GS_DESC_ELEM_SIGNED) : 0);
  case GS_TYPE_FLOAT:
    return GS_DESC_ELEM_FLOAT;
  default:
    return 0;
  }
}

/// Scalars that a contract can name, and pointers.
void Input::addLeaves(const gs_param_desc &Param, QualType T, uint32_t Index) {
  if (Param.kind != GS_TYPE_RECORD && Param.kind != GS_TYPE_INT)
    return;
  for (const TypeLeaf &Of : flatten(Context, T)) {
    if (Of.Kind != GS_TYPE_INT && Of.Kind != GS_TYPE_POINTER)
      continue;
    gs_desc_leaf_input Leaf = {};
    StringRef Join = Of.Path.empty() || Of.Path[0] == '[' ? "" : ".";
    Names.push_back((Param.name + Join + Of.Path).str());
    Leaf.name = Names.back().c_str();
    Leaf.param = Index;
    Leaf.offset = uint32_t(Of.Offset);
    Leaf.bits = Of.Bits;
    Leaf.kind = kindOf(Of.Kind);
    Leaf.flags = Of.IsSigned ? uint32_t(GS_DESC_SIGNED) : 0;
    if (Of.ElemSize)
      Leaf.flags |= elementFlags(Context, Of.Elem);
    Leaf.elem_size = uint32_t(Of.ElemSize);
    Leaf.elem_align = uint32_t(Of.ElemAlign);
    Leaves.push_back(Leaf);
  }
}

void Input::addParam(const ParmVarDecl &Param, const gs_param_desc &From, uint32_t Index) {
  QualType T = Param.getType().getCanonicalType();
  gs_desc_param Row = {};
  Row.name = From.name;
  Row.type = From.type;
  Row.size = From.size;
  Row.kind = kindOf(From.kind);
  End = llvm::alignTo(End, T->isReferenceType() ? 8 : alignOf(Context, T));
  Row.offset = uint32_t(End);
  End += Row.size;
  if (From.const_pointee)
    Row.flags |= GS_DESC_CONST;
  if (From.is_restrict)
    Row.flags |= GS_DESC_RESTRICT;
  if (From.kind == GS_TYPE_POINTER && From.elem_size) {
    Row.flags |= elementFlags(Context, T->getPointeeType());
    Row.elem_size = From.elem_size;
    Row.elem_align = alignOf(Context, T->getPointeeType());
  }
  Params.push_back(Row);
  addLeaves(From, T, Index);
}

/// An argument of an attribute; 0 when there is none.
uint32_t Input::constant(const Expr *E) const {
  if (!E || E->isValueDependent())
    return 0;
  auto Value = E->getIntegerConstantExpr(Context);
  return Value && Value->isRepresentableByInt64() && *Value > 0
             ? uint32_t(Value->getLimitedValue(UINT32_MAX))
             : 0;
}

void Input::addBounds(const FunctionDecl &Kernel) {
  Fixed.max_threads = Desc.max_threads;
  if (Fixed.assumptions & GS_DESC_CODEGEN) {
    gs_codegen Compiled = gs_contract_codegen(&Desc, Fixed.assumptions);
    std::copy(std::begin(Compiled.block), std::end(Compiled.block), Fixed.required_block);
    if (Compiled.max_threads && (!Fixed.max_threads || Compiled.max_threads < Fixed.max_threads))
      Fixed.max_threads = Compiled.max_threads;
  }
  if (const auto *Bounds = Kernel.getAttr<CUDALaunchBoundsAttr>())
    Fixed.max_cluster_blocks = constant(Bounds->getMaxBlocks());
#if CLANG_VERSION_MAJOR >= 22
  if (const auto *Dims = Kernel.getAttr<CUDAClusterDimsAttr>()) {
    const Expr *Sizes[3] = {Dims->getX(), Dims->getY(), Dims->getZ()};
    for (unsigned I = 0; I < 3; I++)
      Fixed.required_cluster[I] = std::max(1u, constant(Sizes[I]));
  }
#endif
}

Input::Input(const FunctionDecl &Kernel, const gs_kernel_desc &Desc, const ProofSummary &Proof)
    : Context(Kernel.getASTContext()), Desc(Desc) {
  Fixed.assumptions = Proof.Assumed;
  Fixed.verdict = Proof.Verdict;
  Fixed.target = Proof.Sm;
  memcpy(Fixed.proof, Proof.Identity.data(), sizeof Fixed.proof);
  Fixed.static_smem = 0xFFFFFFFFu; // the driver knows it once the kernel is loaded
  addBounds(Kernel);
  for (uint32_t I = 0; I < Desc.param_count; I++)
    addParam(*Kernel.getParamDecl(I), Desc.params[I], I);
  for (uint32_t I = 0; I < Desc.fact_count; I++)
    if (Desc.facts[I].origin == GS_FACT_CONTRACT)
      Clauses.push_back({Desc.facts[I].clause, placeOf(Desc.facts[I].loc)});
  for (uint32_t I = 0; I < Desc.claim_count; I++) {
    const gs_claim &Claim = Desc.claims[I];
    gs_desc_claim_kind Kind = Claim.kind == GS_CLAIM_DISJOINT    ? GS_DESC_DISJOINT
                              : Claim.kind == GS_CLAIM_EXCLUSIVE ? GS_DESC_EXCLUSIVE
                                                                 : GS_DESC_EXTENT;
    if (Claim.kind != GS_CLAIM_TRUSTED)
      Claims.push_back({Kind, uint32_t(Claim.param), Claim.count, uint32_t(Claim.scope),
                        placeOf(Claim.loc)});
  }
}

gs_desc_input Input::get() {
  gs_desc_input In = {};
  In.fixed = Fixed;
  In.name = Desc.name;
  In.mangled = Desc.mangled;
  In.place = placeOf(Desc.loc);
  In.params = Params.data();
  In.param_count = uint32_t(Params.size());
  In.leaves = Leaves.data();
  In.leaf_count = uint32_t(Leaves.size());
  In.clauses = Clauses.data();
  In.clause_count = uint32_t(Clauses.size());
  In.claims = Claims.data();
  In.claim_count = uint32_t(Claims.size());
  return In;
}

// -------------------------------------------------------------------- entry ----

std::optional<std::string> gpusafe::buildDescriptor(const FunctionDecl &Kernel,
                                                    const gs_kernel_desc &Desc,
                                                    const ProofSummary &Proof) {
  Input In(Kernel, Desc, Proof);
  gs_desc_input Rows = In.get();
  void *Block = nullptr;
  size_t Size = 0;
  if (gs_descriptor_build(&Rows, &Block, &Size) != GS_OK)
    return std::nullopt;
  std::string Bytes(static_cast<const char *>(Block), Size);
  free(Block);
  return Bytes;
}
