"""fixed.py FILE < DIAGNOSTICS: FILE with the fix-its of its diagnostics applied.

Reads what -fdiagnostics-parseable-fixits prints. Each is applied once, however often
it is printed.
"""
import re
import sys

FIXIT = re.compile(r'^fix-it:"(?:[^"\\]|\\.)*":\{(\d+):(\d+)-(\d+):(\d+)\}:"((?:[^"\\]|\\.)*)"$')


def main():
    lines = open(sys.argv[1], "rb").read().decode().split("\n")
    fixes = set()
    for line in sys.stdin:
        found = FIXIT.match(line.rstrip("\n"))
        if found:
            fixes.add((*map(int, found.groups()[:4]), found[5]))
    for line, column, end_line, end, text in sorted(fixes, reverse=True):
        text = text.encode().decode("unicode_escape")
        lines[line - 1 : end_line] = [lines[line - 1][: column - 1] + text + lines[end_line - 1][end - 1 :]]
    sys.stdout.write("\n".join(lines))


main()
