#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists what is public and not documented: undocumented.py SOURCE TOOL.

Functions of public headers need a comment in front of them (or of the declarations that they
stand with); macros, codes, rules, options, commands, variables of the environment and
functions of contracts need the page that is about them.
"""
import re
import subprocess
import sys
from pathlib import Path

HEADERS = ("runtime/gpusafe_rt.h", "checkers/gs.h", "attrs/gs_contract.h", "attrs/gs_bytecode.h",
           "attrs/gs_descriptor.h")
FUNCTION = re.compile(r"^(?!typedef|static|return|#)(?:[A-Za-z_][\w *]*?[ *])(gs_\w+|gsrt_\w+)\((?!\*)", re.M)


class Pages:
    def __init__(self, root):
        self.root = root

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def lacking(self, page, words):
        text = self.read(page)
        return [word for word in words if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)]


def bare_functions(text):
    """Functions whose declaration has no comment above it, nor above its neighbours."""
    bare, documented = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("///"):
            documented = True
        elif not line.strip():
            documented = False
        match = FUNCTION.match(line)
        if match and not documented and not match.group(1).endswith("_free"): # its maker says it
            bare.append(match.group(1))
    return bare


def environment(root):
    names = set()
    for path in [*root.glob("runtime/*.c"), *root.glob("tools/**/*.c"), *root.glob("plugin/*.cpp")]:
        names |= set(re.findall(r'"(GPUSAFE_[A-Z_]+)"', path.read_text(encoding="utf-8")))
    return names - {"GPUSAFE_H"} # a guard, in generated code


def undocumented(pages, tool):
    root = pages.root
    for header in HEADERS:
        for name in bare_functions(pages.read(header)):
            yield header, f"{name} has no comment"
    macros = re.findall(r"^#define (G\w*[A-Z])(?:\(| )", pages.read("attrs/gpusafe.h"), re.M)
    yield from (("attrs/README.md", name) for name in pages.lacking("attrs/README.md", macros))
    codes = re.findall(r'^GSRT_STATUS\(\w+, (\d+), "([a-z-]+)", "(.*)"\)', pages.read("runtime/gsrt_status.def"), re.M)
    table = pages.read("runtime/README.md")
    yield from (("runtime/README.md", f"| {number} | `{code}` | {text} |") for number, code, text in codes
                if f"| {number} | `{code}` | {text} |" not in table)
    rules = re.findall(r'^GS_RULE\(\w+, "([a-z-]+)"', pages.read("checkers/rules.def"), re.M)
    yield from (("README.md", f"rule {rule}") for rule in rules
                if f"[{rule}](checkers/rules/{rule}.md)" not in pages.read("README.md"))
    yield from (("checkers/README.md", f"rule {rule}") for rule in pages.lacking("checkers/README.md", rules))
    host = re.findall(r'^HOST_RULE\(\w+, "([a-z-]+)"', pages.read("checkers/host/host_rules.def"), re.M)
    for page, folder in (("README.md", "checkers/host/"), ("checkers/host/README.md", "")):
        yield from ((page, f"rule {rule}") for rule in host if f"[{rule}]({folder}{rule}.md)" not in pages.read(page))
    options = re.findall(r'\{"([a-z-]+)", (?:&Options|")', pages.read("plugin/Options.cpp"))
    for page in ("README.md", "plugin/README.md"):
        yield from ((page, f"plugin option {option}") for option in pages.lacking(page, options))
    listing = subprocess.run([tool, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z][a-z-]*)  ", listing, re.M)
    yield from (("README.md", f"command {command}") for command in pages.lacking("README.md", commands))
    text = "".join(path.read_text(encoding="utf-8") for path in root.glob("**/*.md") if "build" not in path.parts)
    yield from (("no page", name) for name in sorted(environment(root)) if name not in text)
    functions = re.findall(r'^\w+\(\w+, "([a-z_]+)"', pages.read("attrs/contract_ops.def"), re.M)
    yield from (("attrs/CONTRACTS.md", name) for name in pages.lacking("attrs/CONTRACTS.md", functions))


def main():
    found = list(undocumented(Pages(Path(sys.argv[1]).resolve()), sys.argv[2]))
    for where, what in found:
        print(f"{where}: {what}")
    print(f"{len(found)} undocumented")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
