#!/usr/bin/env python3
"""Adds up the results that lit and ctest wrote: sum_results.py FOLDER.

The last line is "N passed, N failed"; the exit code is 1 when something failed or
when nothing ran at all.
"""
import json
import sys
import xml.etree.ElementTree
from pathlib import Path

GOOD = ("PASS", "XFAIL", "FLAKYPASS")
SKIPPED = ("UNSUPPORTED", "SKIPPED", "EXCLUDED")


def lit_results(path):
    for test in json.loads(path.read_text(encoding="utf-8"))["tests"]:
        yield test["name"], test["code"]


def ctest_results(path):
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        status = case.get("status")
        code = {"run": "PASS", "disabled": "SKIPPED", "notrun": "SKIPPED"}.get(status, "FAIL")
        if status == "notrun" and case.find("skipped") is None:
            code = "FAIL"
        yield case.get("name"), code


def main():
    folder = Path(sys.argv[1])
    passed = skipped = 0
    failed = []
    for path in sorted(folder.iterdir()):
        preset = path.name.split(".")[0]
        if path.name.endswith(".broken"):
            failed.append(f"{preset}: {path.read_text(encoding='utf-8').strip()}")
            continue
        if path.name.endswith(".lit.json"):
            results = lit_results(path)
        elif path.name.endswith(".ctest.xml"):
            results = ctest_results(path)
        else:
            continue
        for name, code in results:
            passed += code in GOOD
            skipped += code in SKIPPED
            if code not in GOOD + SKIPPED:
                failed.append(f"{preset}: {name}: {code}")
    print()
    for line in failed:
        print("failed:", line)
    if skipped:
        print(f"{skipped} not supported here")
    print(f"{passed} passed, {len(failed)} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
