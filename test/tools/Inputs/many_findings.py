# many_findings.py N FOLDER: a report with N findings in sources that it writes to FOLDER, with
# names, code and texts that would be markup if a page let them.
import json
import os
import sys

count, folder = int(sys.argv[1]), sys.argv[2]
BAD = "</script><img src=x onerror=alert(1)><!--&amp;\"'"
FILES = 20
os.makedirs(folder, exist_ok=True)
names = [f"{folder}/part {i} <b>&'.cu" for i in range(FILES)]
per_file = count // FILES + 1
for name in names:
    with open(name, "w", encoding="utf-8") as out:
        for n in range(per_file * 8):
            out.write(f"  int line{n} = a < b && c > d; // {BAD} \u00e9\u2028\n")


def place(n, more=0):
    return {"file": names[n % FILES], "line": n // FILES * 8 + 1 + more, "column": 3}


verdicts = ["RACE", "POSSIBLE", "UNKNOWN"]
rules = ["data-race", "disjoint", "out-of-bounds"]
kernels = []
for n in range(count):
    verdict = verdicts[n % 3]
    kernels.append({
        "name": f"kernel{n}<{BAD}>", "mangled": f"_Z{n}", "location": place(n), "annotated": n % 2 == 0,
        "verdict": verdict, "reason": None if n % 3 == 0 else f"a reason {BAD}",
        "findings": [{
            "rule": rules[n % 3], "verdict": verdict, "error": n % 2 == 0, "location": place(n),
            "message": f"thread (0,0,0) and thread (1,0,0) both write 'p[{n}]' {BAD}",
            "reason": None, "object": "p" + BAD,
            "accesses": [{"location": place(n), "write": True, "atomic": False, "inlined_at": []},
                         {"location": place(n, 2), "write": n % 2 == 0, "atomic": n % 5 == 0,
                          "inlined_at": []}],
            "witness": {"grid": [2, 1, 1], "block": [256, 1, 1],
                        "threads": [{"thread": [0, 0, 0], "block": [0, 0, 0]},
                                    {"thread": [1, 0, 0], "block": [n % 2, 0, 0]}],
                        "values": [{"name": "n" + BAD, "value": n}], "byte_offset": 4 * n,
                        "element": n},
            "notes": [{"location": place(n, 1), "text": f"no barrier between {BAD}"}],
            "fixits": [], "instances": 1}],
        "assumptions": [{"text": f"trusted(data-race): {BAD}", "checked": False,
                         "location": place(n)}],
        "counters": {}})
json.dump({"version": 1, "file": names[0], "target": "sm_90", "as_optimised": False,
           "kernels": kernels}, sys.stdout)
