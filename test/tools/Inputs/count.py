# The number of findings of each report.
import json
import sys

print(*(len(json.load(open(name, encoding="utf-8"))["findings"]) for name in sys.argv[1:]))
