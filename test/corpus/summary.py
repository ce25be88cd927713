# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables over the results of a corpus run."""
import collections
import re

VERDICTS = ("PROVED", "TRUSTED", "RACE", "POSSIBLE", "UNKNOWN")


def kernels(data):
    """Every kernel instance once: headers are seen by many files."""
    seen = {}
    for record in data["files"].values():
        for kernel in record["kernels"]:
            seen.setdefault((kernel["place"], kernel["mangled"]), kernel)
    return seen


def general(text):
    """A cause without the names and numbers of one kernel."""
    text = re.sub(r"'[^']*'", "'...'", text or "")
    text = re.sub(r"\b\d+\b", "N", text)
    return text


def percentile(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(p / 100 * len(values)))] if values else 0


def count_files(data):
    kinds = collections.Counter()
    for record in data["files"].values():
        kind = {0: "checked", 1: "checked", 2: "refused by clang"}.get(record["exit"])
        kinds[kind or record["exit"]] += 1
    return kinds


def first_error(record):
    match = re.search(r"error: (.*)", record.get("errors", ""))
    return general(match.group(1)) if match else "(none)"


def print_counts(title, counter, total):
    print(f"\n{title}")
    for key, count in sorted(counter.items(), key=lambda item: (-item[1], str(item[0]))):
        print(f"  {count:6}  {100 * count / total:5.1f} %  {key}")


def print_times(data, all_kernels):
    print("\ntime")
    rows = (("analysis of a kernel, ms", [k["time_us"] / 1000 for k in all_kernels]),
            ("whole check of a file, s",
             [r["seconds"] for r in data["files"].values() if r["exit"] in (0, 1)]))
    print(f"  {'':26} {'median':>9} {'90 %':>9} {'99 %':>9} {'most':>9}")
    for title, values in rows:
        cells = [percentile(values, p) for p in (50, 90, 99, 100)]
        print(f"  {title:26} " + " ".join(f"{cell:9.2f}" for cell in cells))
    slow = sorted(all_kernels, key=lambda k: -k["time_us"])[:5]
    for kernel in slow:
        if kernel["time_us"] > 300000:
            print(f"  slow: {kernel['time_us'] / 1e6:.1f} s  {kernel['name']}  {kernel['place']}")


def print_queries(all_kernels):
    sums = collections.Counter()
    for kernel in all_kernels:
        sums.update(kernel["counters"])
    answered = sum(sums[t] for t in ("affine", "enumeration", "search", "linear", "bitvector", "undecided"))
    if not answered:
        return
    print("\nqueries by tier")
    for tier in ("affine", "enumeration", "search", "linear", "bitvector", "undecided"):
        print(f"  {sums[tier]:8}  {100 * sums[tier] / answered:5.1f} %  {tier}")


def problems(data):
    """What a run must not have: crashes, files out of time, verdicts without a cause."""
    found = []
    for name, record in data["files"].items():
        if record["exit"] in ("crash", "timeout"):
            found.append(f"{record['exit']}: {name}")
        for kernel in record["kernels"]:
            if kernel["verdict"] in ("POSSIBLE", "UNKNOWN") and not kernel["reason"]:
                found.append(f"no cause: {kernel['name']} at {kernel['place']}")
    return found


def print_table(data):
    files, found = count_files(data), list(kernels(data).values())
    print_counts(f"{len(data['files'])} files", files, max(1, len(data["files"])))
    refusals = collections.Counter(first_error(r) for r in data["files"].values()
                                   if r["exit"] == 2)
    if refusals:
        print_counts("first error of the files that clang refuses", refusals,
                     sum(refusals.values()))
    verdicts = collections.Counter(kernel["verdict"] for kernel in found)
    print_counts(f"{len(found)} kernels, template instances apart", verdicts, max(1, len(found)))
    for verdict in ("UNKNOWN", "POSSIBLE"):
        causes = collections.Counter(general(k["reason"]) or "(no cause)" for k in found
                                     if k["verdict"] == verdict)
        if causes:
            print_counts(f"causes of {verdict}", causes, sum(causes.values()))
    rules = collections.Counter((f["rule"], f["verdict"]) for k in found for f in k["findings"])
    if rules:
        print_counts("findings", {f"{rule} {verdict}": n for (rule, verdict), n in rules.items()},
                     sum(rules.values()))
    print_queries(found)
    print_times(data, found)
    bad = problems(data)
    print(f"\n{len(bad)} problems")
    for line in bad[:40]:
        print("  " + line)
    if len(bad) > 40:
        print(f"  and {len(bad) - 40} more")


def print_difference(old, new):
    before, after = kernels(old), kernels(new)
    moves = collections.Counter()
    lines = []
    for key in sorted(before.keys() & after.keys()):
        a, b = before[key], after[key]
        if a["verdict"] != b["verdict"]:
            moves[f"{a['verdict']} -> {b['verdict']}"] += 1
            cause = f" ({b['reason']})" if b["reason"] else ""
            lines.append(f"  {a['verdict']} -> {b['verdict']}  {b['name']}  {b['place']}{cause}")
    print(f"\nagainst the earlier run: {len(lines)} verdicts differ, "
          f"{len(after.keys() - before.keys())} kernels new, "
          f"{len(before.keys() - after.keys())} gone")
    for move, count in sorted(moves.items(), key=lambda item: (-item[1], item[0])):
        print(f"  {count:6}  {move}")
    for line in lines[:200]:
        print(line)
