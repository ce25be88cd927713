# Checks a SARIF file against what the schema of SARIF 2.1.0 demands of the parts that
# gpusafe writes: required properties, types, enumerations, ranges, references; and no
# property that the schema does not know (it closes its objects but for property bags). Where
# GPUSAFE_SARIF_SCHEMA names the schema itself, python3-jsonschema checks against that as well.
import json
import os
import re
import sys

TEXT, INT, BOOL, LIST, BAG = str, int, bool, list, dict


def fail(where, what):
    sys.exit(f"{where}: {what}")


def check(where, value, shape):
    """shape: name -> (type or nested checker, required)."""
    if not isinstance(value, dict):
        fail(where, "not an object")
    for name in value:
        if name not in shape:
            fail(where, f"unknown property '{name}'")
    for name, (kind, required) in shape.items():
        if name not in value:
            if required:
                fail(where, f"no '{name}'")
            continue
        item, at = value[name], f"{where}.{name}"
        if isinstance(kind, type):
            if not isinstance(item, kind) or (kind is INT and isinstance(item, bool)):
                fail(at, f"is {type(item).__name__}, not {kind.__name__}")
        elif isinstance(kind, list):
            if not isinstance(item, list):
                fail(at, "not an array")
            for i, part in enumerate(item):
                kind[0](f"{at}[{i}]", part)
        elif isinstance(kind, set):
            if item not in kind:
                fail(at, f"'{item}' is not one of {sorted(kind)}")
        else:
            kind(at, item)


def message(where, value):
    check(where, value, {"text": (TEXT, True)})


def artifact(where, value):
    check(where, value, {"uri": (TEXT, True), "uriBaseId": (TEXT, False)})
    if not re.fullmatch(r"(?:[A-Za-z0-9\-._~/:+,=@]|%[0-9A-F]{2})+", value["uri"]):
        fail(where, f"'{value['uri']}' is no URI")


def region(where, value):
    check(where, value, {"startLine": (INT, True), "startColumn": (INT, False)})
    if any(number < 1 for number in value.values()):
        fail(where, "lines and columns begin at 1")


def physical(where, value):
    check(where, value, {"artifactLocation": (artifact, True), "region": (region, False)})


def location(where, value):
    check(where, value, {"id": (INT, False), "physicalLocation": (physical, True),
                         "message": (message, False)})


def flow_location(where, value):
    check(where, value, {"location": (location, True)})


def thread_flow(where, value):
    check(where, value, {"id": (TEXT, False), "locations": ([flow_location], True)})
    if not value["locations"]:
        fail(where, "locations must not be empty")


def code_flow(where, value):
    check(where, value, {"message": (message, False), "threadFlows": ([thread_flow], True)})


def suppression(where, value):
    check(where, value, {"kind": ({"inSource", "external"}, True), "justification": (TEXT, False)})


def result(where, value):
    check(where, value, {
        "ruleId": (TEXT, True), "ruleIndex": (INT, True), "message": (message, True),
        "kind": ({"fail", "informational"}, True),
        "level": ({"error", "warning", "note", "none"}, True),
        "locations": ([location], True), "relatedLocations": ([location], False),
        "codeFlows": ([code_flow], False), "suppressions": ([suppression], False),
        "baselineState": ({"new", "unchanged"}, False), "partialFingerprints": (BAG, True),
        "properties": (BAG, False)})
    if value["kind"] != "fail" and value["level"] != "none":
        fail(where, "a level without a failure")
    ids = [place["id"] for place in value.get("relatedLocations", [])]
    if len(ids) != len(set(ids)):
        fail(where, "related locations share an id")
    for print_ in value["partialFingerprints"].values():
        if not isinstance(print_, str):
            fail(where, "a fingerprint is no text")


def notification(where, value):
    check(where, value, {"level": ({"error", "warning", "note"}, True),
                         "message": (message, True)})


def invocation(where, value):
    check(where, value, {"executionSuccessful": (BOOL, True), "exitCode": (INT, False),
                         "toolExecutionNotifications": ([notification], False)})


def rule(where, value):
    check(where, value, {"id": (TEXT, True), "name": (TEXT, False),
                         "shortDescription": (message, False)})


def driver(where, value):
    check(where, value, {"name": (TEXT, True), "version": (TEXT, False), "rules": ([rule], False)})


def tool(where, value):
    check(where, value, {"driver": (driver, True)})


def run(where, value):
    check(where, value, {"tool": (tool, True), "invocations": ([invocation], False),
                         "columnKind": ({"utf16CodeUnits", "unicodeCodePoints"}, False),
                         "results": ([result], False)})
    rules = value["tool"]["driver"].get("rules", [])
    for i, one in enumerate(value["results"]):
        index = one["ruleIndex"]
        if not 0 <= index < len(rules) or rules[index]["id"] != one["ruleId"]:
            fail(f"{where}.results[{i}]", "ruleIndex and ruleId disagree")


log = json.load(open(sys.argv[1], encoding="utf-8"))
check("log", log, {"$schema": (TEXT, False), "version": ({"2.1.0"}, True), "runs": ([run], True)})
if os.environ.get("GPUSAFE_SARIF_SCHEMA"):
    import jsonschema

    with open(os.environ["GPUSAFE_SARIF_SCHEMA"], encoding="utf-8") as schema:
        jsonschema.Draft4Validator(json.load(schema)).validate(log)
results = log["runs"][0]["results"]
print(f"valid, {len(results)} results, {sum(len(r.get('relatedLocations', [])) for r in results)} "
      f"related locations, {sum('codeFlows' in r for r in results)} code flows")
