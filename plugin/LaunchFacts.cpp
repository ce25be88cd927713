// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as the core hears of them: each distinct configuration once.
#include "Describe.h"

using namespace clang;
using namespace gpusafe;

/// More configurations than that are not looked at one by one.
static constexpr size_t MaxConfigurations = 8;

namespace {
/// What one launch tells, before it is parsed.
struct Configuration {
  std::vector<std::pair<std::string, bool>> Facts; ///< text, and whether it may wrap
  std::vector<gs_alias> Aliases;
  std::vector<gs_loc> Locs;

  static void take(void *User, const char *Text, bool Wraps) {
    static_cast<Configuration *>(User)->Facts.emplace_back(Text, Wraps);
  }
  static void ignore(void *, const char *) {}
};
} // namespace

static bool operator==(const gs_alias &A, const gs_alias &B) {
  return A.param == B.param && A.of == B.of && A.exact == B.exact;
}

static std::vector<gs_alias> aliasesOf(const gs_hosts *Hosts, const Launch &L,
                                       const gs_param_desc *Params) {
  std::vector<gs_alias> Out(gs_launch_aliases(Hosts, &L.Sizes, Params, nullptr, 0));
  gs_launch_aliases(Hosts, &L.Sizes, Params, Out.data(), uint32_t(Out.size()));
  return Out;
}

/// Keeps what all launches have in common; a buffer that two parameters share in one of
/// them is shared for all.
static Configuration common(const std::vector<Configuration> &All) {
  Configuration Out = All.front();
  for (const Configuration &C : All) {
    llvm::erase_if(Out.Facts, [&](const auto &Fact) { return !llvm::is_contained(C.Facts, Fact); });
    for (gs_alias Alias : C.Aliases) {
      Alias.exact = false;
      llvm::erase_if(Out.Aliases, [&](const gs_alias &A) {
        return A.param == Alias.param && A.of == Alias.of;
      });
      Out.Aliases.push_back(Alias);
    }
    if (&C != &All.front())
      Out.Locs.insert(Out.Locs.end(), C.Locs.begin(), C.Locs.end());
  }
  return Out;
}

/// The configurations of all launches, equal ones together.
static std::vector<Configuration> configurations(const std::vector<const Launch *> &Launches,
                                                 const gs_hosts *Hosts, const gs_param_desc *Params,
                                                 bool WithFacts, bool ByAxis,
                                                 llvm::ArrayRef<gs_loc> Locs) {
  std::vector<Configuration> All;
  for (size_t I = 0; I < Launches.size(); I++) {
    Configuration C;
    if (WithFacts)
      gs_launch_facts(Hosts, &Launches[I]->Sizes, Params, ByAxis, Configuration::take, &C);
    C.Aliases = aliasesOf(Hosts, *Launches[I], Params);
    C.Locs.push_back(Locs[I]);
    auto Same = llvm::find_if(All, [&](const Configuration &Other) {
      return Other.Facts == C.Facts && Other.Aliases == C.Aliases;
    });
    if (Same == All.end())
      All.push_back(C);
    else
      Same->Locs.push_back(Locs[I]);
  }
  return All;
}

void KernelTable::addLaunches(const FunctionDecl &Kernel, bool WithFacts, gs_kernel_desc &Desc) {
  if (!Launches)
    return;
  std::vector<const Launch *> Found;
  std::vector<gs_loc> Locs;
  for (const Launch &L : Launches->of(Kernel))
    // A launch that always fails tells nothing of the kernel.
    if (L.Sizes.arg_count == Desc.param_count &&
        gs_launch_check_limits(Launches->hosts(), &L.Sizes, Desc.max_threads, Configuration::ignore,
                               nullptr)) {
      Found.push_back(&L);
      Locs.push_back(location(L.Loc));
    }
  auto All = configurations(Found, Launches->hosts(), Desc.params, WithFacts, false, Locs);
  if (All.size() > MaxConfigurations)
    All = {common(configurations(Found, Launches->hosts(), Desc.params, WithFacts, true, Locs))};
  std::vector<gs_launch_desc> Out;
  for (const Configuration &C : All) {
    std::vector<gs_fact> Parsed;
    for (const auto &[Text, Wraps] : C.Facts)
      addFactText(Text, Kernel, {nullptr, GS_FACT_LAUNCH, C.Locs.front(), Wraps}, Parsed);
    auto Kept = keep(Parsed);
    auto Aliases = keep(C.Aliases);
    auto KeptLocs = keep(C.Locs);
    Out.push_back({Kept.data(), uint32_t(Kept.size()), Aliases.data(), uint32_t(Aliases.size()),
                   KeptLocs.data(), uint32_t(KeptLocs.size())});
  }
  auto KeptLaunches = keep(Out);
  Desc.launches = KeptLaunches.data();
  Desc.launch_count = uint32_t(KeptLaunches.size());
  Desc.only_these_launches = Launches->onlyThese(Kernel);
}
