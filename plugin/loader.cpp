// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libgpusafe.so, what -fplugin= names: asks the clang that loads it for its version and loads
// the plugin that was made for that one, gpusafe/clang-<major>.so beside it. It needs nothing
// of LLVM to be loaded, so that another clang gets words instead of a missing symbol.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

// What Clang Static Analyzer asks of a plugin by name, passed on.
extern "C" {
__attribute__((visibility("default"))) char clang_analyzerAPIVersionString[128];
__attribute__((visibility("default"))) void clang_registerCheckers(void *Registry);
}

static constexpr int OldestClang = 22; // that all of it compiles against

static void (*RegisterCheckers)(void *) = nullptr;

void clang_registerCheckers(void *Registry) {
  if (RegisterCheckers)
    RegisterCheckers(Registry);
}

/// Compiling on without the plugin would take every claim for proved, and a constructor has no
/// other way to say no.
[[noreturn]] static void fail(const std::string &Text) {
  std::fprintf(stderr, "gpusafe: error: %s\n", Text.c_str());
  std::fflush(nullptr);
  _exit(1);
}

/// "Debian clang version 19.1.7 (3~deb12u1)"; empty when no clang of this C++ library is there.
static std::string versionOfClang() {
  // std::string clang::getClangFullVersion(): in every clang since 3.
  void *Symbol = dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev");
  std::string (*Function)() = nullptr;
  std::memcpy(&Function, &Symbol, sizeof Symbol);
  return Function ? Function() : std::string();
}

static std::string majorOf(const std::string &Version) {
  size_t At = Version.find("version ");
  if (At == std::string::npos)
    return {};
  At += std::strlen("version ");
  return Version.substr(At, Version.find_first_not_of("0123456789", At) - At);
}

static std::string ownFolder() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<const void *>(&ownFolder), &Info) || !Info.dli_fname)
    return ".";
  const char *Slash = std::strrchr(Info.dli_fname, '/');
  return Slash ? std::string(Info.dli_fname, Slash) : ".";
}

/// "22" or "19 and 22": the versions that have a plugin in the folder; empty: none.
static std::string madeFor(const std::string &Folder) {
  std::string Text;
  DIR *Entries = opendir(Folder.c_str());
  while (const dirent *Entry = Entries ? readdir(Entries) : nullptr) {
    int Length = 0;
    unsigned Major = 0;
    if (std::sscanf(Entry->d_name, "clang-%u.so%n", &Major, &Length) == 1 && Length && !Entry->d_name[Length])
      Text += (Text.empty() ? "" : " and ") + std::to_string(Major);
  }
  if (Entries)
    closedir(Entries);
  return Text;
}

static std::string pathFor(const std::string &Folder, const std::string &Major) {
  return Folder + "/clang-" + Major + ".so";
}

static void take(void *Plugin) {
  void *Checkers = dlsym(Plugin, "clang_registerCheckers");
  std::memcpy(&RegisterCheckers, &Checkers, sizeof Checkers);
  if (const void *Version = dlsym(Plugin, "clang_analyzerAPIVersionString"))
    std::snprintf(clang_analyzerAPIVersionString, sizeof clang_analyzerAPIVersionString, "%s",
                  static_cast<const char *>(Version));
}

__attribute__((constructor)) static void load() {
  std::string Version = versionOfClang(), Major = majorOf(Version), Folder = ownFolder() + "/gpusafe";
  std::string Made = madeFor(Folder);
  if (Made.empty())
    fail("there is no plugin in '" + Folder + "'; install gpusafe anew");
  // A clang that does not tell its version may still be the right one.
  if (Major.empty())
    Major = Made.substr(0, Made.find(' '));
  if (access(pathFor(Folder, Major).c_str(), R_OK) != 0)
    fail("this plugin is made for clang " + Made + ", and '" + Version + "' loads it: run clang++-" +
         Made.substr(Made.rfind(' ') + 1) + " instead" +
         (std::atoi(Major.c_str()) < OldestClang
              ? ""
              : ", or build gpusafe for clang " + Major + " (cmake -DGPUSAFE_LLVM_VERSION=" + Major + ")"));
  void *Plugin = dlopen(pathFor(Folder, Major).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Plugin)
    fail("the plugin cannot be loaded into '" + (Version.empty() ? "a program that is no clang" : Version) +
         "': " + dlerror());
  take(Plugin);
}
