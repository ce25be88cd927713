"""counters.py REPORT: each query of a kernel is trivial, a cache hit, answered by one
tier, or undecided; and the file has kernels with work for more than one of them."""
import json
import sys

parts = ("trivial", "cache_hits", "affine", "enumeration", "search", "linear", "bitvector", "undecided")
with open(sys.argv[1], encoding="utf-8") as file:
    kernels = [k for report in json.load(file)["reports"] for k in report["kernels"]]
for kernel in kernels:
    counters = kernel["counters"]
    if sum(counters[p] for p in parts) != counters["queries"]:
        sys.exit(f"{kernel['name']}: {counters}")
    if not counters["accesses"] or not counters["terms"]:
        sys.exit(f"{kernel['name']}: nothing was counted")
used = [p for p in parts if any(k["counters"][p] for k in kernels)]
if len(used) < 3:
    sys.exit(f"only {used}")
