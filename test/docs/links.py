#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for links that lead nowhere: links.py FOLDER. All pages below the folder count."""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.M | re.S)


def main():
    root = Path(sys.argv[1])
    pages = sorted(root.rglob("*.md"))
    broken = [f"{page.relative_to(root)}: {link}" for page in pages
              for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
              if "://" not in link and not (page.parent / link).exists()]
    print("\n".join(broken) or f"{len(pages)} pages, every link leads somewhere")
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
