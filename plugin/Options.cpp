// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace gpusafe;

namespace {
/// Reads one option at a time into an Options.
class Reader {
public:
  Reader(DiagnosticsEngine &Diags, Options &Out) : Diags(Diags), Out(Out) {}
  bool read(StringRef Whole);
  /// Do the options go together?
  bool agree();

private:
  bool readDim(StringRef Name, StringRef Value, llvm::ArrayRef<uint64_t> Most);
  bool readBlock(StringRef Value);
  bool readGrid(StringRef Value);
  bool readAssume(StringRef Value);
  bool readRules(StringRef Value);
  bool readFile(StringRef Value, const llvm::Twine &Example, std::string &Out);
  bool readDump(StringRef Value);
  bool readSwitch(StringRef Value, bool &Out);
  bool readSameValue(StringRef Value);
  bool fail(const llvm::Twine &Message);

  DiagnosticsEngine &Diags;
  Options &Out;
  StringRef Arg;            ///< the option being read
  llvm::StringSet<> Single; ///< options read that may be given only once
};

struct Flag {
  StringRef Name;
  bool Options::*Value;
};
struct Valued {
  StringRef Name, Form;
};
} // namespace

static const Flag Flags[] = {{"verify", &Options::Verify},
                             {"strict", &Options::Strict},
                             {"stats", &Options::Stats},
                             {"dump", &Options::Dump},
                             {"off", &Options::Off}};

static const Valued ValuedOptions[] = {{"block", "block=16x16"},
                                       {"grid", "grid=8x8"},
                                       {"assume", "assume=<clause>"},
                                       {"launches", "launches=off"},
                                       {"runtime", "runtime=off"},
                                       {"codegen", "codegen=on"},
                                       {"report", "report=<file.json>"},
                                       {"contracts", "contracts=<file.c>"},
                                       {"module", "module=<file.ll>"},
                                       {"annotate", "annotate=<file.json>"},
                                       {"dump", "dump=accesses"},
                                       {"same-value", "same-value=error|note|off"},
                                       {"rules", "rules=<list>"}};

bool Reader::fail(const llvm::Twine &Message) {
  unsigned ID = Diags.getCustomDiagID(DiagnosticsEngine::Error, "-fplugin-arg-gpusafe-%0: %1");
  Diags.Report(ID) << Arg << Message.str();
  return false;
}

static std::string knownOptions() {
  std::string Text;
  for (const Flag &F : Flags)
    Text += F.Name.str() + ", ";
  for (const Valued &V : ValuedOptions)
    Text += V.Form.str() + (V.Name == "rules" ? "" : ", ");
  return Text;
}

/// "16", "16x16" or "4x4x4": at most \p Most along each axis.
bool Reader::readDim(StringRef Name, StringRef Value, llvm::ArrayRef<uint64_t> Most) {
  llvm::SmallVector<StringRef, 3> Parts;
  Value.split(Parts, 'x');
  uint64_t Sizes[3] = {1, 1, 1}, Volume = 1;
  if (Parts.size() > 3)
    return fail("more than three dimensions");
  for (size_t I = 0; I < Parts.size(); I++) {
    if (Parts[I].getAsInteger(10, Sizes[I]) || Sizes[I] == 0)
      return fail("'" + Parts[I] + "' is no size above zero; write " + Name + "=16 or " + Name +
                  "=16x16");
    if (Sizes[I] > Most[I])
      return fail("no device has more than " + llvm::Twine(Most[I]) + " along " +
                  llvm::Twine("xyz"[I]));
    Volume *= Sizes[I];
  }
  if (Name == "block" && Volume > 1024)
    return fail(llvm::Twine(Volume) + " threads, and a block has at most 1024");
  for (size_t I = 0; I < 3; I++)
    Out.LaunchFacts.push_back(
        (Name + "." + llvm::Twine("xyz"[I]) + " == " + llvm::Twine(Sizes[I])).str());
  return true;
}

bool Reader::readBlock(StringRef Value) { return readDim("block", Value, {1024, 1024, 64}); }

bool Reader::readGrid(StringRef Value) {
  return readDim("grid", Value, {2147483647, 65535, 65535});
}

namespace {
/// Every name may be one of some kernel, so only the form of a clause can be
/// checked here. Whether a name is a pointer shows in where it stands.
struct AnyNames {
  std::vector<std::string> Pointers;

  static bool resolve(void *User, const char *Name, size_t Length, gs_name *Out, const char **) {
    *Out = {};
    Out->kind = GS_NAME_PARAM;
    Out->bits = 64;
    Out->is_signed = true;
    for (const std::string &Pointer : static_cast<AnyNames *>(User)->Pointers)
      if (StringRef(Name, Length) == Pointer)
        Out->kind = GS_NAME_POINTER;
    return true;
  }
  /// \returns true when the name at \p Column is worth another try as a pointer.
  bool learn(StringRef Text, uint32_t Column) {
    StringRef Name =
        Text.substr(Column).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (Name.empty() || llvm::is_contained(Pointers, Name))
      return false;
    Pointers.push_back(Name.str());
    return true;
  }
};
} // namespace

static bool isWellFormed(StringRef Text, gs_parse_error &Error) {
  AnyNames Names;
  for (gs_parse_error First = {};;) {
    gs_clause *Clause = nullptr;
    gs_status Status =
        gs_clause_parse(Text.data(), Text.size(), AnyNames::resolve, &Names, &Clause, &Error);
    gs_clause_free(Clause);
    if (Status == GS_OK)
      return true;
    if (Names.Pointers.empty())
      First = Error;
    if (!Names.learn(Text, Error.column)) {
      Error = First;
      return false;
    }
  }
}

bool Reader::readAssume(StringRef Value) {
  if (Value.trim().empty())
    return fail("needs a clause, as in assume='n >= 0'");
  size_t Count = gs_clause_split(Value.data(), Value.size(), nullptr, 0);
  std::vector<size_t[2]> Spans(Count);
  gs_clause_split(Value.data(), Value.size(), Spans.data(), Count);
  for (const auto &Span : Spans) {
    StringRef Text = Value.slice(Span[0], Span[1]);
    gs_parse_error Error = {};
    if (!isWellFormed(Text, Error))
      return fail("column " + llvm::Twine(Span[0] + Error.column + 1) +
                  " of the clause: " + Error.message);
    Out.Assumptions.push_back(Text.str());
  }
  return true;
}

bool Reader::readRules(StringRef Value) {
  llvm::SmallVector<StringRef, 8> Names;
  Value.split(Names, ',');
  // A list that begins with a plain name says which rules are on; one that begins
  // with a sign starts from the defaults.
  bool Signed = !Names[0].empty() && (Names[0][0] == '+' || Names[0][0] == '-');
  uint32_t Rules = Signed ? gs_rule_defaults() : 0;
  for (StringRef Name : Names) {
    bool Remove = Name.consume_front("-");
    if (!Remove)
      Name.consume_front("+");
    gs_rule Rule;
    if (!gs_rule_by_name(Name.data(), Name.size(), &Rule)) {
      std::string Known;
      for (unsigned I = 0; I < GS_RULE_COUNT; I++)
        Known += (I ? ", " : "") + std::string(gs_rule_name(gs_rule(I)));
      return fail("no rule '" + Name + "'; there are " + Known);
    }
    uint32_t Bit = uint32_t(1) << Rule;
    Rules = Remove ? Rules & ~Bit : Rules | Bit;
  }
  if (Rules == 0)
    return fail("leaves no rule; write 'off' to check nothing");
  Out.Rules = Rules;
  return true;
}

bool Reader::readFile(StringRef Value, const llvm::Twine &Example, std::string &Out) {
  Out = Value.str();
  return !Value.empty() || fail("needs a file, as in " + Example);
}

bool Reader::readDump(StringRef Value) {
  if (Value != "accesses")
    return fail("'" + Value + "' cannot be dumped; write 'dump' or 'dump=accesses'");
  Out.DumpAccesses = true;
  return true;
}

bool Reader::readSwitch(StringRef Value, bool &Out) {
  Out = Value == "on";
  return Value == "on" || Value == "off" || fail("'" + Value + "' is neither on nor off");
}

bool Reader::readSameValue(StringRef Value) {
  return gs_same_value_by_name(Value.str().c_str(), &Out.SameValue) ||
         fail("'" + Value + "' is neither error, note nor off");
}

bool Reader::read(StringRef Whole) {
  Arg = Whole;
  auto [Name, Value] = Arg.split('=');
  bool HasValue = Arg.contains('=');
  for (const Flag &F : Flags) {
    if (Name != F.Name || (HasValue && Name == "dump"))
      continue;
    if (HasValue)
      return fail("'" + Name + "' takes no value");
    Out.*F.Value = true;
    return true;
  }
  for (const Valued &V : ValuedOptions)
    if (Name == V.Name && !HasValue)
      return fail("'" + Name + "' needs a value; write " + V.Form);
  if (Name == "assume")
    return readAssume(Value);
  bool Good;
  if (Name == "block")
    Good = readBlock(Value);
  else if (Name == "grid")
    Good = readGrid(Value);
  else if (Name == "launches")
    Good = readSwitch(Value, Out.Launches);
  else if (Name == "runtime")
    Good = readSwitch(Value, Out.Runtime);
  else if (Name == "codegen")
    Good = readSwitch(Value, Out.Codegen);
  else if (Name == "same-value")
    Good = readSameValue(Value);
  else if (Name == "report")
    Good = readFile(Value, "report=kernels.json", Out.ReportFile);
  else if (Name == "module")
    Good = readFile(Value, "module=kernels.ll", Out.ModuleFile);
  else if (Name == "annotate")
    Good = readFile(Value, "annotate=kernels.json", Out.AnnotateFile);
  else if (Name == "contracts")
    Good = readFile(Value, "contracts=kernels.contracts.c", Out.ContractsFile);
  else if (Name == "rules")
    Good = readRules(Value);
  else if (Name == "dump")
    Good = readDump(Value);
  else
    return fail("no such option; there are " + knownOptions());
  if (Good && !Single.insert(Name).second)
    return fail("'" + Name + "' is given twice");
  return Good;
}

bool Reader::agree() {
  Arg = "codegen=on";
  return !Out.Codegen || Out.Runtime ||
         fail("needs the checks at launch that runtime=off leaves out: without them a launch "
              "that breaks its contract would run code that was made for other launches");
}

bool gpusafe::parseOptions(DiagnosticsEngine &Diags, const std::vector<std::string> &Args,
                           Options &Out) {
  Reader R(Diags, Out);
  bool Good = true;
  for (const std::string &Arg : Args)
    Good &= R.read(Arg);
  return Good && R.agree();
}
