#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the pages to the truth: doctest.py [--update] SOURCE BUILD PAGE...

Runs what the pages show, from the root of a copy of what an installation has of the sources,
with the build's `gpusafe` on PATH:

    ```console     a command behind each "$ ", and what it prints, times and the sizes that a
                   witness picks aside
    ```sh          a script, which must end with 0

The comment `<!-- needs: cuda -->` in front of a block (or nvcc, gpu, network) leaves it out
where that is missing; `<!-- shown: REASON -->` leaves it out always. ```cuda behind
`<!-- file: PATH -->` must be the text of that file, without its license line. Links to files
must lead somewhere, and no command may stand in a block of any other kind. --update writes
what the commands print into the pages.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# In front of what is printed: times, values of a witness, this build.
LOOSE = [
    (re.compile(r" +\d+(\.\d+)? m?s(?=  |$)", re.M), "  time"),
    (re.compile(r"\b((?:[a-z_]+ = )|(?:[a-z_]+\[)|(?:grid |block |thread \(|of block \(?))-?\d+(?:x\d+)*"), r"\1N"),
    (re.compile(r"(?<=,)-?\d+(?=[,)])"), "N"),
    (re.compile(r"^for clang .*$", re.M), "for clang ..."),
]
FENCE = re.compile(r"^(?P<note>(?: *<!--.*-->\n)*)(?P<indent> *)```(?P<kind>\w*)\n(?P<body>(?:.*\n)*?)(?P=indent)```$", re.M)
NOTE = re.compile(r"<!-- (needs|shown|file): (.*?) -->")
COMMAND = re.compile(r"^ {4,}(?:\$ )?(gpusafe|clang|clang\+\+|clang\S*-\d+|nvcc|cmake|ninja|make|ctest|lit|apt-get|gcc|"
                     r"pkg-config|export|scripts/\w+|build/\S+|\./\S+) ", re.M)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def loose(text):
    for pattern, replacement in LOOSE:
        text = pattern.sub(replacement, text)
    return text


class Book:
    """A copy of the sources, and what is there to run commands with."""

    def __init__(self, source, build):
        self.source = source
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        for part in ("attrs", "examples", "scripts", "README.md"):
            (shutil.copytree if (source / part).is_dir() else shutil.copy)(source / part, self.root / part)
        (self.root / "build").mkdir()
        (self.root / "build/release").symlink_to(build)
        self.toolkit = next((path for path in (os.environ.get("CUDA_PATH"), "/usr/local/cuda", "/usr/lib/cuda")
                             if path and Path(path, "include/cuda_runtime.h").is_file()), None)
        self.environment = dict(os.environ, LC_ALL="C", PATH=f"{build}/bin:{os.environ['PATH']}")

    def has(self, need):
        if need == "cuda":
            return self.toolkit is not None
        return need == "nvcc" and self.toolkit is not None and Path(self.toolkit, "bin/nvcc").exists()

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.root, env=self.environment, check=False, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.replace(str(self.root) + "/", "")


def notes_of(match):
    return dict(NOTE.findall(match.group("note")))


class Page:
    def __init__(self, book, path):
        self.book, self.path = book, path
        self.name = path.relative_to(book.source).as_posix()
        self.problems = []
        self.blocks = 0

    def block(self, match):
        """The block as it should be."""
        kind, body, notes = match.group("kind"), match.group("body"), notes_of(match)
        indent = match.group("indent")
        if "file" in notes:
            text = (self.book.source / notes["file"]).read_text(encoding="utf-8").split("\n", 1)[1]
            body = "".join(indent + line if line.strip() else line for line in text.splitlines(True))
        elif kind in ("console", "sh") and "shown" not in notes and \
                all(self.book.has(need) for need in notes.get("needs", "").split()):
            self.blocks += 1
            body = self.session(body, indent) if kind == "console" else self.script(body)
        head = f"{match.group('note')}{indent}```{kind}\n"
        return f"{head}{body}{indent}```"

    def session(self, body, indent):
        out = ""
        for line in body.splitlines():
            if line.startswith(f"{indent}$ "):
                printed = self.book.run(line[len(indent) + 2:])[1]
                printed = "".join(indent + text if text.strip() else text for text in printed.splitlines(True))
                out += f"{line}\n{printed}"
        return out

    def script(self, body):
        code, printed = self.book.run(f"set -e\n{body}")
        if code:
            self.problems.append(f"exit code {code}:\n{body}{printed}")
        return body

    def check(self, update):
        old = self.path.read_text(encoding="utf-8")
        new = FENCE.sub(self.block, old)
        for match in COMMAND.finditer(FENCE.sub("", old)):
            self.problems.append(f"a command that nothing runs: {match.group(0).strip()} …")
        for link in LINK.findall(FENCE.sub("", old)):
            if "://" not in link and not (self.path.parent / link).exists():
                self.problems.append(f"a link that leads nowhere: {link}")
        if update:
            self.path.write_text(new, encoding="utf-8")
        elif loose(old) != loose(new):
            self.problems.append("".join(difflib.unified_diff(loose(old).splitlines(True), loose(new).splitlines(True),
                                                              self.name, "what happens")))
        return self.problems


def main():
    words = [word for word in sys.argv[1:] if word != "--update"]
    source, build = Path(words[0]).resolve(), Path(words[1]).resolve()
    book = Book(source, build)
    failed = False
    for word in words[2:]:
        page = Page(book, source / word)
        problems = page.check("--update" in sys.argv)
        print(f"{word}: {page.blocks} blocks run, {len(problems)} problems")
        for problem in problems:
            print(problem)
        failed |= bool(problems)
    return 1 if failed or not words[2:] else 0


if __name__ == "__main__":
    sys.exit(main())
