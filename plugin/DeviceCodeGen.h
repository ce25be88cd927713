// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A CodeGen of our own beside the compile's: the LLVM module that is analysed.
#ifndef GPUSAFE_PLUGIN_DEVICECODEGEN_H
#define GPUSAFE_PLUGIN_DEVICECODEGEN_H

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/IR/LLVMContext.h"

#include <memory>
#include <string>

namespace clang {
class CompilerInstance;
}

namespace gpusafe {

/// Makes IR that no pass has touched, with a location on every instruction, and
/// says nothing: CodeGen's own errors are reported by the real one. Declarations
/// are forwarded only until the compile has an error, since CodeGen cannot take a
/// broken AST; it then guards itself through the quiet engine.
class DeviceCodeGen {
public:
  explicit DeviceCodeGen(clang::CompilerInstance &CI);
  ~DeviceCodeGen();

  /// The consumer to forward to, or null once something is wrong.
  clang::CodeGenerator *active();
  /// The finished module, after HandleTranslationUnit; null if CodeGen failed.
  llvm::Module *module();
  /// CodeGen's first error, for a compile that runs no CodeGen of its own.
  const std::string &firstError() const;

private:
  class Recorder;

  clang::CompilerInstance &CI;
  clang::DiagnosticOptions DiagOptions;
  std::unique_ptr<Recorder> Client;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> Diags;
  clang::CodeGenOptions Options;
  llvm::LLVMContext Context;
  std::unique_ptr<clang::CodeGenerator> Generator; // last: refers to all of them
};

} // namespace gpusafe
#endif
