// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang Static Analyzer looks for in a plugin: its version, and a function that names
// the checkers.
#include "Host.h"
#include "Kernels.h"

#include "clang/StaticAnalyzer/Frontend/CheckerRegistry.h"

using namespace clang::ento;
using namespace gpusafe::host;

static bool always(const CheckerManager &) { return true; }

// What the macro of a row calls: the model's function with the row's rule.
#define HOST_RULE(id, name, package, model, summary)                                               \
  static void enableRule##id(CheckerManager &Manager) { enable##model(Manager, Rule::id); }
#include "host_rules.def"

namespace {
#define HOST_MODEL(name, text, needs) const char *const Model##name = "gpusafe_model." text;
#include "host_models.def"
} // namespace

extern "C" __attribute__((visibility("default"))) const char clang_analyzerAPIVersionString[] =
    CLANG_ANALYZER_API_VERSION_STRING;

extern "C" __attribute__((visibility("default"))) void
clang_registerCheckers(CheckerRegistry &Registry) {
  // The models stand behind the rules: those are enabled by name, these by need.
  const char *Needed;
#define HOST_MODEL(name, text, needs)                                                              \
  Registry.addChecker(register##name, always, Model##name, "", "", true);                          \
  Needed = needs;                                                                                  \
  if (Needed)                                                                                      \
    Registry.addDependency(Model##name, Needed);
#include "host_models.def"
#define HOST_RULE(id, name, package, model, summary)                                               \
  Registry.addChecker(enableRule##id, always, package "." name, summary, "", false);               \
  Registry.addDependency(package "." name, Model##model);
#include "host_rules.def"
  registerKernelRules(Registry);
}
