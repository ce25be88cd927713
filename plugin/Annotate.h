// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Annotations that the core proposes, as insertions into the source.
#ifndef GPUSAFE_PLUGIN_ANNOTATE_H
#define GPUSAFE_PLUGIN_ANNOTATE_H

#include "Launches.h"
#include "gs_annotate.h"

#include "clang/AST/Decl.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class Module;
}

namespace gpusafe {

/// Text to insert in front of a character of a file.
struct SourceInsertion {
  clang::SourceLocation Place; ///< in a file
  std::string Text;
};

/// Where annotations of a kernel stand in the source, for each of its declarations.
class AnnotationWriter {
public:
  AnnotationWriter(clang::Sema &S, const gs_kernel_desc &Desc, const gs_annotation &Found)
      : S(S), Desc(Desc), Found(Found) {}
  /// Adds what all declarations of the kernel need.
  void write(const clang::FunctionDecl &Kernel);

  std::vector<SourceInsertion> Insertions;
  std::vector<std::string> Problems; ///< one line each: what cannot be written, and why

private:
  void writeOn(const clang::FunctionDecl &Declaration);
  bool writeParam(const clang::FunctionDecl &Declaration, unsigned Index);
  void writeContract(const clang::FunctionDecl &Declaration);
  std::optional<std::string> inWordsOf(const clang::FunctionDecl &Declaration, llvm::StringRef Text);

  clang::Sema &S;
  const gs_kernel_desc &Desc;
  const gs_annotation &Found;
};

/// Searches annotations for the kernels of a module, and returns what `gpusafe annotate` reads.
/// \param Functions the kernels of \p In, in its order
/// \param Launches  may be null
llvm::json::Value annotate(clang::Sema &S, llvm::Module &Module, const gs_input &In,
                           llvm::ArrayRef<const clang::FunctionDecl *> Functions,
                           const LaunchTable *Launches, std::string &Error);

} // namespace gpusafe
#endif
