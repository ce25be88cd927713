// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Dump.h"

#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace gpusafe;
using llvm::raw_ostream;

static raw_ostream &operator<<(raw_ostream &OS, const gs_loc &Loc) {
  if (!Loc.file)
    return OS << "<unknown>";
  return OS << Loc.file << ':' << Loc.line << ':' << Loc.column;
}

static void dumpName(raw_ostream &OS, const gs_name &Name) {
  switch (Name.kind) {
  case GS_NAME_PARAM:
    OS << "param " << Name.param << '+' << Name.offset << ':' << (Name.is_signed ? 'i' : 'u')
       << Name.bits;
    return;
  case GS_NAME_POINTER:
    OS << "pointer " << Name.param;
    if (Name.offset)
      OS << '+' << Name.offset;
    return;
  case GS_NAME_CONSTANT:
    OS << Name.value;
    return;
  case GS_NAME_BLOCK:
  case GS_NAME_GRID:
  case GS_NAME_CLUSTER:
  case GS_NAME_DYNAMIC_SMEM:
  case GS_NAME_CC:
  case GS_NAME_WARP_SIZE:
  case GS_NAME_COOPERATIVE:
    return; // built in: the text says it all
  }
}

/// The canonical text, and in brackets what the names that are not built in denote.
static void dumpClause(raw_ostream &OS, const gs_clause &Clause) {
  std::string Text(gs_clause_print(&Clause, nullptr, 0), '\0');
  gs_clause_print(&Clause, Text.data(), Text.size() + 1);
  OS << Text;
  const char *Separator = " [";
  for (uint32_t I = 0; I < Clause.count; I++) {
    const gs_expr &Node = Clause.nodes[I];
    if (Node.op != GS_EXPR_NAME || Node.name.kind > GS_NAME_CONSTANT)
      continue;
    OS << Separator << llvm::StringRef(Clause.text).slice(Node.begin, Node.end) << " = ";
    dumpName(OS, Node.name);
    Separator = ", ";
  }
  if (Separator[0] == ',')
    OS << ']';
}

static const char *kindName(gs_type_kind Kind) {
  static const char *const Names[] = {"integer", "float", "pointer", "record", "other"};
  return Names[Kind];
}

static void dumpParam(raw_ostream &OS, uint32_t Index, const gs_param_desc &Param) {
  OS << "  param " << Index << " '" << Param.name << "' '" << Param.type << "' "
     << kindName(Param.kind) << ", " << Param.size << " bytes";
  if (Param.kind == GS_TYPE_POINTER)
    OS << ", elements of " << Param.elem_size;
  OS << (Param.const_pointee ? ", const" : "") << (Param.is_restrict ? ", restrict" : "") << ", at "
     << Param.loc << '\n';
  for (uint32_t I = 0; I < Param.field_count; I++) {
    const gs_field &Field = Param.fields[I];
    OS << "    '" << Field.path << "' at " << Field.offset << ", " << Field.bits << " bits, "
       << (Field.kind == GS_TYPE_INT ? Field.is_signed ? "signed " : "unsigned " : "")
       << kindName(Field.kind);
    if (Field.elem_size)
      OS << ", elements of " << Field.elem_size;
    OS << '\n';
  }
}

static void dumpClaim(raw_ostream &OS, const gs_claim &Claim) {
  static const char *const Kinds[] = {"disjoint", "exclusive", "extent", "trusted"};
  static const char *const Scopes[] = {"warp", "block", "cluster", "grid"};
  OS << "  " << Kinds[Claim.kind];
  if (Claim.param >= 0)
    OS << " param " << Claim.param;
  if (Claim.kind == GS_CLAIM_EXCLUSIVE)
    OS << " scope " << Scopes[Claim.scope];
  if (Claim.kind == GS_CLAIM_TRUSTED)
    OS << ' ' << Claim.rule << " (" << Claim.reason << ')';
  if (Claim.count) {
    OS << ": ";
    dumpClause(OS, *Claim.count);
  }
  OS << ", at " << Claim.loc;
  if (Claim.begin.file)
    OS << ", from " << Claim.begin << " to " << Claim.end;
  OS << '\n';
}

static void dumpLaunch(raw_ostream &OS, const gs_launch_desc &Launch) {
  OS << "  launched at ";
  for (uint32_t I = 0; I < Launch.loc_count; I++)
    OS << (I ? ", " : "") << Launch.locs[I];
  OS << '\n';
  for (uint32_t I = 0; I < Launch.fact_count; I++) {
    OS << "    ";
    dumpClause(OS, *Launch.facts[I].clause);
    OS << (Launch.facts[I].wraps ? ", without overflow\n" : "\n");
  }
  for (uint32_t I = 0; I < Launch.alias_count; I++)
    OS << "    parameters " << Launch.aliases[I].of << " and " << Launch.aliases[I].param
       << (Launch.aliases[I].exact ? ": one buffer\n" : ": one buffer, at some distance\n");
}

void gpusafe::dump(raw_ostream &OS, const gs_kernel_desc &Kernel) {
  static const char *const Origins[] = {"contract", "option", "launch"};
  OS << "kernel '" << Kernel.name << "' " << Kernel.mangled << ", at " << Kernel.loc;
  if (Kernel.max_threads)
    OS << ", at most " << Kernel.max_threads << " threads";
  OS << '\n';
  for (uint32_t I = 0; I < Kernel.param_count; I++)
    dumpParam(OS, I, Kernel.params[I]);
  for (uint32_t I = 0; I < Kernel.claim_count; I++)
    dumpClaim(OS, Kernel.claims[I]);
  for (uint32_t I = 0; I < Kernel.fact_count; I++) {
    OS << "  " << Origins[Kernel.facts[I].origin] << ": ";
    dumpClause(OS, *Kernel.facts[I].clause);
    OS << ", at " << Kernel.facts[I].loc << '\n';
  }
  for (uint32_t I = 0; I < Kernel.launch_count; I++)
    dumpLaunch(OS, Kernel.launches[I]);
}
