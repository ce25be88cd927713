#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the rule that CONTRIBUTING.md works out: worked_rule.py SOURCE COMPILER.

Its enumerator is the only thing that the tree lacks.
"""
import re
import subprocess
import sys
from pathlib import Path

FLAGS = ["-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wswitch-enum", "-Werror",
         "-DGS_RULE_VOLATILE_SHARED=GS_RULE_UNCOALESCED", "-x", "c", "-"]


def main():
    source = Path(sys.argv[1])
    page = (source / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.search(r"```c\n(.*?)```", page, re.S).group(1)
    folders = ["attrs", *(f"checkers/{name}" for name in ("", "flow", "launch", "prove", "rules", "term", "replay"))]
    done = subprocess.run([sys.argv[2], *(f"-I{source / folder}" for folder in folders), *FLAGS], input=code, text=True,
                          check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
