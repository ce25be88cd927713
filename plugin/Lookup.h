// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a name in the text of an attribute denotes.
#ifndef GPUSAFE_PLUGIN_LOOKUP_H
#define GPUSAFE_PLUGIN_LOOKUP_H

#include "Attributes.h"
#include "gs_contract.h"

#include <string>

namespace clang {
class NamedDecl;
class NonTypeTemplateParmDecl;
class Sema;
class ValueDecl;
} // namespace clang

namespace gpusafe {

/// Resolves names as they are at one redeclaration of a kernel: its parameters,
/// its template parameters, and the constants declared before it.
///
/// Two modes. With \p Instance (what the module holds: an instantiation, or the
/// kernel itself) everything has a value. Without it the declaration is a template
/// and is checked before it is instantiated; what depends on the template's
/// arguments then resolves to a constant that stands for itself, or to an integer
/// parameter of unknown type.
class Lookup {
public:
  Lookup(clang::Sema &S, const WrittenAttr &Attr, const clang::FunctionDecl *Instance)
      : S(S), Attr(Attr), Written(*Attr.On), Instance(Instance) {}

  /// gs_resolver; \p User is a Lookup.
  static bool resolve(void *User, const char *Name, size_t Length, gs_name *Out, const char **Hint);

  /// The instance's index of a parameter of the written declaration; -1 when
  /// that is an expanded pack.
  int instanceIndex(unsigned WrittenIndex) const;

private:
  bool find(llvm::StringRef Name, gs_name &Out);
  bool findSizeof(llvm::StringRef Type, gs_name &Out);
  bool resolveParam(unsigned Index, llvm::StringRef Whole, gs_name &Out);
  bool resolveField(clang::QualType T, llvm::StringRef Whole, llvm::StringRef Path, gs_name &Out);
  const clang::NamedDecl *findTemplateParam(llvm::StringRef Name) const;
  bool resolveTemplateParam(const clang::NamedDecl &Param, gs_name &Out);
  const clang::NamedDecl *findDecl(llvm::StringRef Name, bool Tags);
  bool resolveValue(const clang::NamedDecl &D, gs_name &Out);
  bool constant(const llvm::APSInt &Value, llvm::StringRef Name, gs_name &Out);
  bool standIn(uint64_t Key, gs_name &Out) const;
  bool suggest(llvm::StringRef Name);
  bool fail(const llvm::Twine &Text) {
    Hint = Text.str();
    return false;
  }

  clang::Sema &S;
  const WrittenAttr &Attr;
  const clang::FunctionDecl &Written;
  const clang::FunctionDecl *Instance;
  std::string Hint;
};

} // namespace gpusafe
#endif
