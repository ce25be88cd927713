# print_plist.py FILE: the findings of a report of Clang Static Analyzer with their notes.
import plistlib
import sys

for finding in plistlib.load(open(sys.argv[1], "rb"))["diagnostics"]:
    place = finding["location"]
    print(f"{place['line']}:{place['col']} {finding['check_name']}: {finding['description']}")
    for note in finding.get("notes", []):
        print(f"  {note['location']['line']}:{note['location']['col']} {note['message']}")
