// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceMap.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/SourceManagerInternals.h"

using namespace clang;
using namespace gpusafe;

SourceLocation SourceMap::findPlain(const gs_loc &Loc) {
  auto File = SM.getFileManager().getOptionalFileRef(Loc.file);
  if (!File)
    return {};
  return SM.translateFileLineCol(*File, Loc.line, Loc.column ? Loc.column : 1);
}

void SourceMap::readRegions() {
  RegionsRead = true;
  if (!SM.hasLineTable())
    return;
  LineTableInfo &Table = SM.getLineTable();
  for (auto &[File, Entries] : Table) {
    auto Physical = SM.getNonBuiltinFilenameForID(File);
    if (!Physical || Entries.empty())
      continue;
    unsigned End = SM.getLineNumber(File, unsigned(SM.getBufferData(File).size())) + 1;
    unsigned FirstMarker = SM.getLineNumber(File, Entries.front().FileOffset);
    Regions[*Physical].push_back({File, 1, 1, FirstMarker - 1});
    for (size_t I = 0; I < Entries.size(); I++) {
      // The line behind the marker is the one that it numbers.
      unsigned Line = SM.getLineNumber(File, Entries[I].FileOffset) + 1;
      unsigned Next =
          I + 1 < Entries.size() ? SM.getLineNumber(File, Entries[I + 1].FileOffset) : End;
      StringRef Name = Entries[I].FilenameID < 0
                           ? *Physical
                           : Table.getFilename(unsigned(Entries[I].FilenameID));
      if (Next > Line)
        Regions[Name].push_back({File, Line, Entries[I].LineNo, Next - Line});
    }
  }
}

SourceLocation SourceMap::findRenamed(const gs_loc &Loc) {
  if (!RegionsRead)
    readRegions();
  auto Found = Regions.find(Loc.file);
  if (Found == Regions.end())
    return {};
  for (const Region &R : Found->second)
    if (Loc.line >= R.Presumed && Loc.line - R.Presumed < R.Count)
      return SM.translateLineCol(R.File, R.Line + (Loc.line - R.Presumed),
                                 Loc.column ? Loc.column : 1);
  return {};
}

SourceLocation SourceMap::find(const gs_loc &Loc) {
  if (!Loc.file || !Loc.line)
    return {};
  SourceLocation Renamed = findRenamed(Loc);
  return Renamed.isValid() ? Renamed : findPlain(Loc);
}
