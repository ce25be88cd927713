// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the core wants to know of a parameter's type.
#ifndef GPUSAFE_PLUGIN_TYPES_H
#define GPUSAFE_PLUGIN_TYPES_H

#include "gs.h"

#include "clang/AST/ASTContext.h"

#include <string>
#include <vector>

namespace gpusafe {

/// A scalar inside a parameter; `Path` is "" for the parameter itself.
struct TypeLeaf {
  std::string Path;
  uint64_t Offset; ///< bytes
  unsigned Bits;
  gs_type_kind Kind;
  bool IsSigned;
  uint64_t ElemSize; ///< of the pointee; 0 when it has none
  uint64_t ElemAlign = 0; ///< of the pointee, where it has a size
  clang::QualType Elem = {}; ///< the pointee, where it has a size
};

gs_type_kind typeKind(const clang::ASTContext &Context, clang::QualType T);

/// Is it an integer of up to 64 bits, and of which sign?
gs_elem elementKind(const clang::ASTContext &Context, clang::QualType T);

/// sizeof of a complete object type, 0 for everything else.
uint64_t completeSize(const clang::ASTContext &Context, clang::QualType T);

/// Every scalar of \p T in order of declaration, bases first. Bit-fields and what
/// lies behind the first MaxLeaves of them are left out or of kind OTHER.
std::vector<TypeLeaf> flatten(const clang::ASTContext &Context, clang::QualType T);
constexpr unsigned MaxLeaves = 512;

} // namespace gpusafe
#endif
