// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Annotations as text that is inserted into declarations.
#ifndef GPUSAFE_PLUGIN_ANNOTATIONWRITER_H
#define GPUSAFE_PLUGIN_ANNOTATIONWRITER_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace clang {
class Sema;
}

namespace gpusafe {

/// Text to insert in front of a character of a file.
struct SourceInsertion {
  clang::SourceLocation Place; ///< in a file
  std::string Text;
};

/// One annotation, as it is to be written.
struct PlannedAnnotation {
  int Param; ///< -1: of the kernel
  std::string Macro; ///< GS_DISJOINT
  std::string Text;  ///< what stands in its parentheses, in the names of AnnotationWriter
};

/// Writes annotations on declarations of a kernel, on each in its own names.
class AnnotationWriter {
public:
  /// \param Names of the parameters, as the texts have them
  AnnotationWriter(clang::Sema &S, std::vector<std::string> Names) : S(S), Names(std::move(Names)) {}
  void write(const clang::FunctionDecl &Declaration, llvm::ArrayRef<PlannedAnnotation> All);

  std::vector<SourceInsertion> Insertions;
  std::vector<std::string> Problems; ///< one line each: what cannot be written, and why

private:
  void writeParam(const clang::FunctionDecl &Declaration, const PlannedAnnotation &One);
  void writeContract(const clang::FunctionDecl &Declaration, const PlannedAnnotation &One);
  std::optional<std::string> inWordsOf(const clang::FunctionDecl &Declaration, llvm::StringRef Text);
  bool fail(const clang::FunctionDecl &Declaration, const llvm::Twine &What);

  clang::Sema &S;
  std::vector<std::string> Names;
};

} // namespace gpusafe
#endif
