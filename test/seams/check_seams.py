#!/usr/bin/env python3
"""Looks for violations of the layout: who may include whom, and the rules of C.

    check_seams.py SOURCE

Prints each violation as file:line: text, and ends with 1 when there is one.
The rules, each a function below, are those of the README's section on layout.
"""
import re
import sys
from pathlib import Path

FOLDERS = ("attrs", "checkers", "plugin", "runtime", "tools", "examples", "test")
LIBRARIES = ("attrs", "checkers", "runtime")
CODE = (".c", ".h", ".cpp", ".cu", ".def")
MAY_INCLUDE = {
    "attrs": {"attrs"},
    "checkers": {"checkers", "attrs"},
    "plugin": {"plugin", "checkers", "attrs"},
    "runtime": {"runtime", "attrs"},
    "tools": {"tools", "runtime", "checkers", "attrs"},
}
# The folder that reads modules, and the files that hand it a module file.
LLVM_C = ("checkers/ir/", "tools/module/", "test/fuzz/session.c", "test/fuzz/mutants.c",
          "test/replay/run_kernel.c")
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 80

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Declarations for user code, and the one place where the runtime does what its
# policy says: warn or abort.
MAY_PRINT = ("attrs/gpusafe_cuda_min", "runtime/report.c")
# Calls that print or end the process, which a library leaves to its caller.
PRINTS = re.compile(r"\b(printf|vprintf|puts|putchar|perror|exit|_exit|abort|quick_exit)\s*\(|"
                    r"\bf(printf|puts|putc|write)\s*\(.*\bstd(out|err)\b")
MACHINE = re.compile(r"(?<![\w.])/(work|root|home/\w+|farm)/")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")
LICENSE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def strip_comments(text):
    """Blanks comments and the insides of strings, keeping lines and columns."""

    def blank(match):
        found = match.group(0)
        if found.startswith(("'", '"')):
            return found[0] + " " * (len(found) - 2) + found[-1]
        return re.sub(r"[^\n]", " ", found)

    tokens = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    return re.sub(tokens, blank, text, flags=re.S)


class File:
    def __init__(self, root, path):
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.folder = self.name.split("/")[0]
        self.suffix = path.suffix
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()

    def code_lines(self):
        return strip_comments(self.text).splitlines()

    def includes(self):
        for number, line in enumerate(self.lines, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1), match.group(2)

    @property
    def is_c(self):
        return self.suffix in (".c", ".h", ".def") and self.folder != "plugin" and \
            not self.name.startswith("checkers/host/")

    @property
    def is_library(self):
        return self.folder in LIBRARIES and self.is_c and self.suffix != ".def"


def check_includes(file, by_base):
    """Each folder includes only what the layout lets it see."""
    allowed = MAY_INCLUDE.get(file.folder)
    for number, quote, name in file.includes():
        if re.match(r"(clang|llvm)/", name) and file.is_c:
            yield number, f"a C file includes the C++ header <{name}>"
        if name.startswith("llvm-c/") and not file.name.startswith(LLVM_C) and \
                file.folder != "plugin":
            yield number, f"<{name}> belongs in checkers/ir/ only"
        if name in ("z3.h", "z3++.h") or name.startswith("z3_"):
            if file.name != "checkers/prove/smt_z3.c":
                yield number, f"<{name}> belongs in checkers/prove/smt_z3.c only"
        if quote == '"' and allowed is not None:
            homes = by_base.get(name.split("/")[-1], set())
            if homes and not homes & allowed:
                yield number, f'{file.folder}/ must not include "{name}" of {min(homes)}/'


def check_license(file, _):
    if LICENSE not in "\n".join(file.lines[:3]):
        yield 1, "the license line is missing"


def check_text(file, _):
    for number, line in enumerate(file.lines, 1):
        if MACHINE.search(line):
            yield number, "path of one machine"
        if UNFINISHED.search(line) :
            yield number, "unfinished work"


def check_prints(file, _):
    """Libraries return data: they neither print nor end the process."""
    if not file.is_library or file.name.startswith(MAY_PRINT):
        return
    for number, line in enumerate(file.code_lines(), 1):
        if PRINTS.search(line):
            yield number, "a library prints or ends the process"


def check_length(file, _):
    if file.suffix in (".c", ".h", ".cpp") and len(file.lines) > MAX_FILE_LINES:
        yield 1, f"{len(file.lines)} lines, more than {MAX_FILE_LINES}"


def check_functions(file, _):
    """A function is what stands between a line that starts one and '}' in column 0."""
    if file.suffix not in (".c", ".cpp") or file.folder == "test":
        return
    start = None
    for number, line in enumerate(file.code_lines(), 1):
        if re.match(r"[A-Za-z_].*\(", line) and not line.rstrip().endswith(";"):
            start = number
        elif line.startswith("}"):
            if start and number - start + 1 > MAX_FUNCTION_LINES and line.rstrip() == "}":
                yield start, f"a function of {number - start + 1} lines"
            start = None


CHECKS = (check_includes, check_license, check_text, check_prints, check_length,
          check_functions)


def main():
    root = Path(sys.argv[1]).resolve()
    files = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in CODE and path.is_file() and "seams/Inputs" not in path.as_posix():
                files.append(File(root, path))
    by_base = {}
    for file in files:
        if file.folder in MAY_INCLUDE:
            by_base.setdefault(file.path.name, set()).add(file.folder)
    violations = 0
    for file in files:
        for check in CHECKS:
            for number, text in check(file, by_base):
                print(f"{file.name}:{number}: {text}")
                violations += 1
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
