# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""targets.py FILE SOURCE one|several TARGET...: what a report file must hold."""
import json
import sys

path, source, form, *targets = sys.argv[1:]
whole = json.load(open(path, encoding="utf-8"))
assert ("reports" in whole) == (form == "several"), whole.keys()
reports = whole.get("reports", [whole])
assert [report["target"] for report in reports] == targets, reports
assert all(entry["file"].endswith(source) for entry in reports + [whole])
assert all(report["kernels"] for report in reports)
