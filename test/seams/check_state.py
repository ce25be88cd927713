#!/usr/bin/env python3
"""Looks for global mutable state in the static libraries of attrs/ and checkers/.

    check_state.py BUILD

A symbol in .data or .bss is a variable that outlives a call; .data.rel.ro holds
constant tables of pointers and is fine.
"""
import re
import subprocess
import sys
from pathlib import Path

build = Path(sys.argv[1])
libraries = sorted([*build.glob("attrs/*.a"), *build.glob("checkers/**/*.a")])
if not libraries:
    sys.exit("no libraries in " + str(build))
violations = 0
for library in libraries:
    table = subprocess.run(["objdump", "-t", library], capture_output=True, text=True, check=True)
    for line in table.stdout.splitlines():
        match = re.match(r"[0-9a-f]+ .{7} (\.data|\.bss|\*COM\*)(\.(?!rel\.ro)\S+)?\s+[0-9a-f]+ (\S+)$",
                         line)
        if match and not match.group(3).startswith((".data", ".bss")):
            print(f"{library.name}: variable '{match.group(3)}' in {match.group(1)}")
            violations += 1
sys.exit(1 if violations else 0)
