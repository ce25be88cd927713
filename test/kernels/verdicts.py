#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every kernel of a file gets the verdict that its name begins with.

    verdicts.py FILE TOOL [gpusafe check options]

proved_x must be PROVED, race_x RACE, possible_x POSSIBLE, unknown_x UNKNOWN, and
refused_x anything but PROVED. A file without kernels fails.
"""
import json
import subprocess
import sys

WANTED = {
    "proved": {"PROVED"},
    "race": {"RACE"},
    "possible": {"POSSIBLE"},
    "unknown": {"UNKNOWN"},
    "refused": {"RACE", "POSSIBLE", "UNKNOWN"},
}


def kernels_of(report):
    """Every kernel object of the report, whatever it is grouped by."""
    if isinstance(report, dict):
        if "verdict" in report and "mangled" in report:
            yield report
            return
        for value in report.values():
            yield from kernels_of(value)
    elif isinstance(report, list):
        for value in report:
            yield from kernels_of(value)


def main():
    source, tool, *options = sys.argv[1:]
    command = [tool, "check", "--cuda-path=none", "--quiet", "--json=-", *options, source]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"exit code {run.returncode}\n{run.stdout}\n{run.stderr}")
    seen = wrong = 0
    for kernel in kernels_of(json.loads(run.stdout)):
        name = kernel["name"].split("<")[0].split("(")[0].split("::")[-1]
        prefix = name.split("_")[0]
        seen += 1
        if prefix not in WANTED:
            sys.exit(f"{name}: the name says no verdict")
        if kernel["verdict"] not in WANTED[prefix]:
            wrong += 1
            print(f"{name}: {kernel['verdict']}, {kernel.get('reason')}")
            for finding in kernel.get("findings", []):
                print("   ", finding.get("message"))
    print(f"{seen} kernels, {wrong} wrong")
    sys.exit(1 if wrong or not seen else 0)


main()
