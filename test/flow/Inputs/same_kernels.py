"""same_kernels.py A B: do two merged reports say the same of their kernels? The size of
the term store is not compared: a text holds only the terms that are used; nor what runs of
witnesses showed: a text has no instructions, so the proof's identity is of other code; and
where a kernel is launched a text does not say."""
import json
import sys


def kernels(name):
    with open(name, encoding="utf-8") as file:
        found = [k for report in json.load(file)["reports"] for k in report["kernels"]]
    for kernel in found:
        for counter in ("terms", "replays", "replay_steps", "refuted"):
            del kernel["counters"][counter]
        del kernel["proof"], kernel["launch_sites"]
        for finding in kernel["findings"]:
            del finding["replay"]
    return found


one, other = kernels(sys.argv[1]), kernels(sys.argv[2])
for a, b in zip(one, other):
    for key in a:
        if a[key] != b[key]:
            print(f"{a['name']}: {key}\n  {a[key]}\n  {b[key]}")
sys.exit(one != other)
