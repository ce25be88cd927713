// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Source places of attributes and of the characters inside their texts.
#ifndef GPUSAFE_PLUGIN_ATTRIBUTETEXT_H
#define GPUSAFE_PLUGIN_ATTRIBUTETEXT_H

#include "Attributes.h"

#include "clang/AST/ASTContext.h"

namespace gpusafe {

/// Leaves the macros of gpusafe.h: the place where GS_DISJOINT(…) is written.
clang::SourceLocation withoutOwnMacros(clang::SourceLocation Loc, const clang::SourceManager &SM,
                                       const clang::LangOptions &LangOpts);

struct TextPlace {
  clang::SourceLocation Loc;
  bool Exact; ///< Loc is the character itself, not only the attribute
};

/// The place of character \p Column of the text of the attribute at \p Loc. A
/// stringised macro argument is traced back to what the user typed, which fails
/// behind a macro expansion inside the argument.
TextPlace placeInText(const clang::ASTContext &Context, const WrittenAttr &Attr, unsigned Column);

/// Reports an error in the text of an attribute; "[gpusafe-contract]" is added.
/// When the caret cannot point into the text, a note quotes it.
void reportInText(const clang::ASTContext &Context, const WrittenAttr &Attr, unsigned Column,
                  llvm::StringRef Message);

} // namespace gpusafe
#endif
