// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The attributes as they were written.
///
/// A use is kept in the AST as a swift_attr with a text that begins with
/// "gpusafe.". Clang has no meaning for that attribute, so CodeGen makes nothing
/// of it (an annotate attribute would change the PTX), while PCH, modules and
/// template instantiation carry it along. What the text means is worked out from
/// the declaration that it was written on; see Contracts.h.
#ifndef GPUSAFE_PLUGIN_ATTRIBUTES_H
#define GPUSAFE_PLUGIN_ATTRIBUTES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace clang {
class Attr;
class Expr;
} // namespace clang

namespace gpusafe {

enum class AttrKind : unsigned {
#define GS_ATTRIBUTE(enumerator, name, least, most, places, form) enumerator,
#include "attributes.def"
#undef GS_ATTRIBUTE
};

enum AttrPlaces : unsigned { GS_ON_PARAM = 1, GS_ON_KERNEL = 2, GS_ON_STATEMENT = 4 };

/// A row of attributes.def.
struct AttrRow {
  llvm::StringRef Name;
  unsigned Least, Most; ///< arguments; Most 0 = any number
  unsigned Places;      ///< AttrPlaces
  llvm::StringRef Form; ///< how to write it
};
const AttrRow &attrRow(AttrKind Kind);

/// One use of an attribute on one declaration.
struct WrittenAttr {
  AttrKind Kind;
  const clang::FunctionDecl *On; ///< the redeclaration it is written on
  int Param;                     ///< parameter of that; -1 = the function
  llvm::StringRef Text;          ///< arguments as text, joined by ", "
  clang::SourceLocation Loc;     ///< of the attribute
};

/// What is written on \p Function itself and its parameters, in source order
/// per declaration; nothing inherited.
llvm::SmallVector<WrittenAttr, 4> writtenOn(const clang::FunctionDecl &Function);

/// The arguments of a trust. Its text is "rule, reason".
struct TrustText {
  llvm::StringRef Rule, Reason;
};
TrustText splitTrust(llvm::StringRef Text);

/// A statement attribute back from the AST.
std::optional<TrustText> trustOf(const clang::Attr &A);

/// Where each piece of an attribute's text came from.
struct TextPiece {
  unsigned Offset;        ///< in the text
  const clang::Expr *Arg; ///< the string literal; null for a name or an expression
  clang::SourceLocation Loc;
};

/// What attribute handlers leave for the consumer. Handlers live in a registry of
/// the process and are given nothing but Sema, so this is found by ASTContext.
struct AttributeState {
  /// Functions with attributes (on them or on their parameters) not yet checked.
  llvm::SmallSetVector<const clang::Decl *, 16> Pending;
  /// By the raw location of the attribute. Empty for what a PCH brought.
  llvm::DenseMap<unsigned, llvm::SmallVector<TextPiece, 2>> Pieces;
  bool AnyTrustedStatement = false;
  bool AnyClaim = false; ///< something that must be proved
};
AttributeState &attributeState(const clang::ASTContext &Context);
void dropAttributeState(const clang::ASTContext &Context);

/// True when the unit is compiled for a GPU or holds kernels for one; elsewhere
/// the annotations of a shared header are accepted and mean nothing.
bool hasKernels(const clang::ASTContext &Context);
bool isKernel(const clang::FunctionDecl &Function);

} // namespace gpusafe
#endif
