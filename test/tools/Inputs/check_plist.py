# check_plist.py FILE: what CodeChecker's converter reads of a report of Clang Static Analyzer.
import plistlib
import sys

report = plistlib.load(open(sys.argv[1], "rb"))
files = report["files"]
for finding in report["diagnostics"]:
    for key in ("description", "category", "type", "check_name", "location", "path",
                "issue_hash_content_of_line_in_context"):
        if key not in finding:
            sys.exit(f"no {key}")
    for place in [finding["location"]] + [step["location"] for step in finding["path"]]:
        if not 0 <= place["file"] < len(files) or place["line"] < 1 or place["col"] < 1:
            sys.exit(f"no such place: {place}")
    last = finding["path"][-1]
    if last["location"] != finding["location"] or last["message"] != finding["description"]:
        sys.exit("the last event is not the finding")
hashes = [f["issue_hash_content_of_line_in_context"] for f in report["diagnostics"]]
if len(hashes) != len(set(hashes)):
    sys.exit("two findings share a hash")
print(f"{len(hashes)} findings, {len(files)} files")
