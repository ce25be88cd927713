// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang Static Analyzer looks for in a plugin: its version, and a function that names
// the checkers.
#include "Host.h"

#include "clang/StaticAnalyzer/Frontend/CheckerRegistry.h"

using namespace clang::ento;
using namespace gpusafe::host;

static bool always(const CheckerManager &) { return true; }

static constexpr bool isAboutLaunches(Rule R) {
  return R == Rule::LaunchLimits || R == Rule::EmptyLaunch || R == Rule::UncheckedLaunch ||
         R == Rule::UncheckedCall;
}

template <Rule R> static void enable(CheckerManager &Manager) {
  if (R == Rule::StreamOrder)
    enableStreamRule(Manager, R);
  else if (isAboutLaunches(R))
    enableLaunchRule(Manager, R);
  else
    enableMemoryRule(Manager, R);
}

static constexpr const char *modelOf(Rule R) {
  return R == Rule::StreamOrder ? "gpusafe_model.streams"
         : isAboutLaunches(R)   ? "gpusafe_model.launches"
                                : "gpusafe_model.memory";
}

extern "C" __attribute__((visibility("default"))) const char clang_analyzerAPIVersionString[] =
    CLANG_ANALYZER_API_VERSION_STRING;

extern "C" __attribute__((visibility("default"))) void
clang_registerCheckers(CheckerRegistry &Registry) {
  // The models stand behind the rules: those are enabled by name, these by need.
  Registry.addChecker(registerMemory, always, "gpusafe_model.memory", "", "", true);
  Registry.addChecker(registerLaunches, always, "gpusafe_model.launches", "", "", true);
  Registry.addChecker(registerStreams, always, "gpusafe_model.streams", "", "", true);
  Registry.addDependency("gpusafe_model.streams", "gpusafe_model.memory");
#define HOST_RULE(id, name, package, summary)                                                      \
  Registry.addChecker(enable<Rule::id>, always, package "." name, summary, "", false);             \
  Registry.addDependency(package "." name, modelOf(Rule::id));
#include "host_rules.def"
}
