#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the README to the truth: readme.py README TOOL [--update].

Each ```console block is a command line after "$ " and its output. The command is
run from the root of the source, and the output must be what the README shows, times
and the sizes that a witness picks aside. The ```cuda block must be the example, word for word. --update writes the
README anew.
"""
import difflib
import re
import subprocess
import sys
from pathlib import Path

TIME = re.compile(r" +\d+(\.\d+)? m?s(?=  |$)", re.M)
VALUE = re.compile(r"\b(n = )\d+")


def comparable(text):
    return VALUE.sub(r"\1N", TIME.sub("  time", text))


def output_of(command, tool, root):
    words = command.split()
    words[0] = tool
    result = subprocess.run(words, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    return result.stdout


def renew(text, tool, root):
    def block(match):
        command = match.group(1)
        return f"```console\n$ {command}\n{output_of(command, tool, root)}```"

    return re.sub(r"```console\n\$ (.*)\n(?:.*\n)*?```", block, text)


def main():
    readme, tool = Path(sys.argv[1]), sys.argv[2]
    root = readme.resolve().parent
    old = readme.read_text(encoding="utf-8")
    example = (root / "examples/vector_add/vector_add.cu").read_text(encoding="utf-8")
    code = example.split("\n", 1)[1]
    if f"```cuda\n{code}```" not in old:
        sys.exit("the README's kernel is not examples/vector_add/vector_add.cu")
    new = renew(old, tool, root)
    if "--update" in sys.argv:
        readme.write_text(new, encoding="utf-8")
        return 0
    a, b = comparable(old), comparable(new)
    sys.stdout.writelines(difflib.unified_diff(a.splitlines(True), b.splitlines(True),
                                               "README.md", "what happens"))
    return 1 if a != b else 0


if __name__ == "__main__":
    sys.exit(main())
