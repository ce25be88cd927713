// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompileSession.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gpusafe;
using llvm::StringRef;

static constexpr char FilePrefix[] = "gpusafe-compile-";

/// When process \p Pid began, in the kernel's ticks; "" when it is gone.
static std::string startTime(pid_t Pid) {
  auto Stat = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(Pid) + "/stat");
  if (!Stat)
    return "";
  // The name in parentheses may hold anything; field 22 counts from behind it.
  StringRef Text = (*Stat)->getBuffer().rsplit(')').second;
  llvm::SmallVector<StringRef, 32> Fields;
  Text.split(Fields, ' ', -1, /*KeepEmpty=*/false);
  return Fields.size() > 19 ? Fields[19].str() : "";
}

static bool isOwnProgram(pid_t Pid) {
  struct stat Theirs, Ours;
  std::string Link = "/proc/" + std::to_string(Pid) + "/exe";
  return stat(Link.c_str(), &Theirs) == 0 && stat("/proc/self/exe", &Ours) == 0 &&
         Theirs.st_dev == Ours.st_dev && Theirs.st_ino == Ours.st_ino;
}

/// Removes the files of compiles that are over.
static void sweep(StringRef Directory, const std::string &Prefix) {
  std::error_code Error;
  for (llvm::sys::fs::directory_iterator It(Directory, Error), End; It != End && !Error;
       It.increment(Error)) {
    StringRef Name = llvm::sys::path::filename(It->path());
    if (!Name.consume_front(Prefix))
      continue;
    auto [Pid, Start] = Name.split('-');
    pid_t Number;
    if (!Pid.getAsInteger(10, Number) && startTime(Number) != Start)
      llvm::sys::fs::remove(It->path());
  }
}

static llvm::SmallString<128> directory() {
  llvm::SmallString<128> Path;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Path);
  return Path;
}

static std::string userPrefix() { return FilePrefix + std::to_string(getuid()) + "-"; }

/// The file of the compile that this process is a pass of; "" when it is none.
static std::string sessionFile() {
  pid_t Driver = getppid();
  std::string Start = isOwnProgram(Driver) ? startTime(Driver) : "";
  if (Start.empty())
    return "";
  llvm::SmallString<128> Path = directory();
  llvm::sys::path::append(Path, userPrefix() + std::to_string(Driver) + "-" + Start);
  return std::string(Path);
}

CompileSession::CompileSession() : Path(sessionFile()) {
  if (!Path.empty())
    sweep(directory(), userPrefix());
}

void CompileSession::end() {
  std::string Path = sessionFile();
  if (!Path.empty())
    unlink(Path.c_str());
}

/// Opens the file for us alone: nobody else may have put it there.
static int openOwn(const std::string &Path) {
  int File = open(Path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  struct stat Info;
  if (File >= 0 && fstat(File, &Info) == 0 && S_ISREG(Info.st_mode) && Info.st_uid == getuid() &&
      flock(File, LOCK_EX) == 0)
    return File;
  if (File >= 0)
    close(File);
  return -1;
}

/// The file holds lines of one length: the digest of a claimed text, or for a note
/// 'N', the beginning of its key's digest and the number, all of them in hexadecimal.
static std::string digest(StringRef Text) {
  return llvm::toHex(llvm::MD5::hash(llvm::arrayRefFromStringRef(Text)));
}

static std::string notePrefix(StringRef Key) { return "N" + digest(Key).substr(0, 23); }

static std::vector<std::string> readLines(int File) {
  std::vector<std::string> Lines;
  std::string Line(33, '\0');
  while (read(File, Line.data(), Line.size()) == ssize_t(Line.size()))
    Lines.push_back(Line);
  return Lines;
}

bool CompileSession::claim(StringRef Text) {
  int File = Path.empty() ? -1 : openOwn(Path);
  if (File < 0)
    return true;
  std::string Digest = digest(Text) + "\n";
  bool First = !llvm::is_contained(readLines(File), Digest);
  if (First && write(File, Digest.data(), Digest.size()) != ssize_t(Digest.size()))
    First = true; // not remembered: at worst it is said again
  close(File);
  return First;
}

void CompileSession::note(StringRef Key, uint32_t Value) {
  int File = Path.empty() ? -1 : openOwn(Path);
  if (File < 0)
    return;
  std::string Number = llvm::utohexstr(Value, /*LowerCase=*/false, /*Width=*/8);
  std::string Line = notePrefix(Key) + Number + "\n";
  lseek(File, 0, SEEK_END);
  if (write(File, Line.data(), Line.size()) < 0) {
    // Nobody will find it, as if there were no session.
  }
  close(File);
}

std::vector<uint32_t> CompileSession::notes(StringRef Key) const {
  std::vector<uint32_t> Values;
  int File = Path.empty() ? -1 : openOwn(Path);
  if (File < 0)
    return Values;
  std::string Prefix = notePrefix(Key);
  for (StringRef Line : readLines(File)) {
    uint32_t Value;
    if (Line.consume_front(Prefix) && !Line.trim().getAsInteger(16, Value))
      Values.push_back(Value);
  }
  close(File);
  return Values;
}
