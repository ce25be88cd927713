// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What differs between the Clang versions that gpusafe builds for (19 to 22).
/// Everything version-dependent is here and nowhere else.
#ifndef GPUSAFE_PLUGIN_COMPAT_H
#define GPUSAFE_PLUGIN_COMPAT_H

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/Version.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/ParsedAttr.h"

#include <memory>

/// Before Clang 20 a plugin cannot give a meaning to attributes of statements: clang
/// then ignores a trusted statement with a warning, and what it covers stays an error.
#if CLANG_VERSION_MAJOR >= 20
#define GPUSAFE_STATEMENT_OVERRIDE override
#else
#define GPUSAFE_STATEMENT_OVERRIDE
#endif

namespace gpusafe {

/// An engine that swallows everything, for work that must not be heard twice.
/// \p Options must outlive it.
inline llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine>
makeQuietDiagnostics(clang::DiagnosticOptions &Options, clang::DiagnosticConsumer *Client) {
  llvm::IntrusiveRefCntPtr<clang::DiagnosticIDs> IDs(new clang::DiagnosticIDs);
#if CLANG_VERSION_MAJOR >= 21
  return new clang::DiagnosticsEngine(IDs, Options, Client, /*ShouldOwnClient=*/false);
#else
  return new clang::DiagnosticsEngine(IDs, &Options, Client, /*ShouldOwnClient=*/false);
#endif
}

inline std::unique_ptr<clang::CodeGenerator> makeCodeGenerator(clang::CompilerInstance &CI,
                                                               clang::DiagnosticsEngine &Diags,
                                                               llvm::StringRef Name,
                                                               const clang::CodeGenOptions &Options,
                                                               llvm::LLVMContext &Context) {
#if CLANG_VERSION_MAJOR >= 22
  auto Files = CI.getVirtualFileSystemPtr();
#else
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = &CI.getVirtualFileSystem();
#endif
#if CLANG_VERSION_MAJOR >= 22
  return clang::CreateLLVMCodeGen(Diags, Name, Files, CI.getHeaderSearchOpts(),
                                  CI.getPreprocessorOpts(), Options, Context);
#else
  return std::unique_ptr<clang::CodeGenerator>(clang::CreateLLVMCodeGen(
      Diags, Name, Files, CI.getHeaderSearchOpts(), CI.getPreprocessorOpts(), Options, Context));
#endif
}

/// A compile beside another one, over the same files. Null where this version of clang has no
/// interface that is known here.
inline std::unique_ptr<clang::CompilerInstance>
makeInstance(clang::CompilerInstance &Beside, std::shared_ptr<clang::CompilerInvocation> Invocation,
             clang::DiagnosticConsumer &Client) {
#if CLANG_VERSION_MAJOR >= 22
  auto Out = std::make_unique<clang::CompilerInstance>(std::move(Invocation),
                                                       Beside.getPCHContainerOperations());
  Out->setVirtualFileSystem(Beside.getVirtualFileSystemPtr());
  Out->createDiagnostics(&Client, /*ShouldOwnClient=*/false);
  Out->setFileManager(Beside.getFileManagerPtr());
  return Out;
#else
  return nullptr;
#endif
}

/// The identifier argument of an attribute and its place.
inline clang::IdentifierInfo *identifierOf(const clang::IdentifierLoc &Ident) {
#if CLANG_VERSION_MAJOR >= 21
  return Ident.getIdentifierInfo();
#else
  return Ident.Ident;
#endif
}
inline clang::SourceLocation locationOf(const clang::IdentifierLoc &Ident) {
#if CLANG_VERSION_MAJOR >= 21
  return Ident.getLoc();
#else
  return Ident.Loc;
#endif
}

/// A kernel of plain C: __gpu_kernel, __attribute__((device_kernel)).
inline bool isPlainKernel(const clang::FunctionDecl &Function) {
#if CLANG_VERSION_MAJOR >= 21
  return Function.hasAttr<clang::DeviceKernelAttr>();
#else
  return Function.hasAttr<clang::NVPTXKernelAttr>();
#endif
}

} // namespace gpusafe
#endif
