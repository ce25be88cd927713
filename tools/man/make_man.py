#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the manual pages of what `--help` prints: make_man.py TOOL FOLDER.

The help texts are the one source. Their forms: "usage:" lines; paragraphs; a line of its own
that ends in a colon begins a section, whose rows are indented by two with two blanks or more
before their text; "exit code:" is the last paragraph.
"""
import re
import subprocess
import sys
from pathlib import Path

ENVIRONMENT = [
    ("GPUSAFE_CLANG", "the clang to run, instead of the one that gpusafe was built for and finds on PATH"),
    ("CUDA_PATH, CUDA_HOME", "the CUDA toolkit, where --cuda-path names none"),
    ("TMPDIR", "where temporary files go"),
    ("NO_COLOR", "no colours where a terminal would have them"),
]
ROW = re.compile(r"  (\S.*?)(?:  +(\S.*))?$")


def help_of(tool, *words):
    done = subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    return done.stdout


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def paragraph(lines):
    return ".PP\n" + "\n".join(roff(line.strip()) for line in lines)


def row(left, right):
    return f".TP\n.B {roff(left)}\n{roff(right)}"


class Page:
    """The parts of one help text."""

    def __init__(self, text):
        self.usage, self.parts = [], []
        blocks = [block for block in text.rstrip("\n").split("\n\n")]
        section = None
        for line in blocks[0].split("\n"):
            self.usage.append(re.sub(r"^(usage:|      ) *", "", line))
        for block in blocks[1:]:
            lines = block.split("\n")
            if lines[0].startswith("exit code:"):
                lines[0] = lines[0].removeprefix("exit code:")
                self.parts.append((".SH EXIT STATUS", [paragraph(lines)]))
                continue
            if re.fullmatch(r"[a-z][a-z ]*:", lines[0]):
                section = ".SH " + lines.pop(0)[:-1].upper()
            elif lines[0].startswith("  "):
                self.parts.append(("", [".PP\n.nf\n" + "\n".join(roff(line) for line in lines) + "\n.fi"]))
                continue
            if section and lines and lines[0].startswith("  "):
                self.parts.append((section, self.rows(lines)))
                section = None
            elif lines:
                self.parts.append(("", [paragraph(lines)]))

    @staticmethod
    def rows(lines):
        out = []
        for line in lines:
            match = ROW.fullmatch(line)
            if match and not line.startswith("   "):
                out.append([match.group(1), match.group(2) or ""])
            elif out:
                out[-1][1] += " " + line.strip()
        return [row(left, right) for left, right in out]


def write(path, name, summary, version, page, others):
    text = [f'.\\" Made by tools/man/make_man.py of what --help prints.\n.TH {name.upper()} 1 "" "{version}" "gpusafe"']
    text.append(f".SH NAME\n{roff(name)} \\- {roff(summary)}\n.SH SYNOPSIS")
    text += [f".B {roff(line)}\n.br" for line in page.usage]
    text.append(".SH DESCRIPTION")
    for heading, lines in page.parts:
        text += [heading, *lines] if heading else lines
    text.append(".SH ENVIRONMENT")
    text += [row(left, right) for left, right in ENVIRONMENT]
    text.append(".SH SEE ALSO\n" + ",\n".join(f".BR {roff(other)} (1)" for other in others).replace(",\n", " ,\n"))
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    text = help_of(tool, "--help")
    version = help_of(tool, "--version").split("\n", 1)[0]
    commands = re.findall(r"^  ([a-z][a-z-]*)  +(.*)$", text, re.M)
    names = ["gpusafe"] + [f"gpusafe-{command}" for command, _ in commands]
    write(folder / "gpusafe.1", "gpusafe", "prove CUDA kernels free of races and in bounds", version, Page(text),
          names[1:])
    for command, summary in commands:
        name = f"gpusafe-{command}"
        write(folder / f"{name}.1", name, summary, version, Page(help_of(tool, command, "--help")),
              [other for other in names if other != name])


if __name__ == "__main__":
    main()
