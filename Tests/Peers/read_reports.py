"""Reads what `verify` prints for machines as other tools do: junitparser and jsonschema.

Argument: junit or sarif; the report on stdin. Prints JSON: for junit the counts and, by the name of
each test case, its results and its output; for sarif the violations of the shape, of the
standard's members and of what a schema can't say, and the results.
"""

import json
import pathlib
import sys
from urllib.parse import unquote, urlsplit

from jsonschema import Draft202012Validator
from junitparser import JUnitXml

import sarif_members


def junit(data):
    report = JUnitXml.fromstring(data)
    cases = {}
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in report:
        told = {name: getattr(suite, name) for name in counts}
        suite.update_statistics()
        assert told == {name: getattr(suite, name) for name in counts}, told
        for name in counts:
            counts[name] += told[name]
        for case in suite:
            assert case.name not in cases, case.name
            cases[case.name] = {
                "class": case.classname, "output": case.system_out or "",
                "results": [
                    {"kind": type(result).__name__, "type": result.type,
                     "message": result.message, "text": result.text or ""}
                    for result in case.result]}
    return {"counts": counts, "cases": cases}


def sarif(data):
    log = json.loads(data)
    shape = json.loads(
        (pathlib.Path(__file__).parent / "sarif-2.1.0.shape.json").read_text("utf-8"))
    Draft202012Validator.check_schema(shape)
    faults = [error.message for error in Draft202012Validator(shape).iter_errors(log)]
    faults += sorted(set(sarif_members.faults(log)))
    results = []
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        notifications = run["tool"]["driver"]["notifications"]
        bases = {name: base["uri"] for name, base in run.get("originalUriBaseIds", {}).items()}
        faults += [f"{uri} has no final slash" for uri in bases.values() if not uri.endswith("/")]
        for invocation in run["invocations"]:
            for notice in invocation.get("toolExecutionNotifications", []):
                told = notice["descriptor"]
                if notifications[told["index"]]["id"] != told["id"]:
                    faults.append(f"notification {told}")
        for result in run.get("results", []):
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                faults.append(f"rule {result['ruleIndex']} is not {result['ruleId']}")
            location = result["locations"][0]
            place = location["physicalLocation"]["artifactLocation"]
            uri = bases[place["uriBaseId"]] + place["uri"]
            if urlsplit(place["uri"]).scheme or not urlsplit(uri).scheme:
                faults.append(uri)
            results.append({
                "code": result["ruleId"], "level": result["level"], "uri": unquote(uri),
                "pointer": location.get("logicalLocations", [{}])[0].get("fullyQualifiedName", ""),
                "suppressed": bool(result.get("suppressions"))})
    return {
        "faults": faults, "results": results,
        "successful": [i["executionSuccessful"] for r in log["runs"] for i in r["invocations"]],
        "has_results": ["results" in run for run in log["runs"]]}


print(json.dumps({"junit": junit, "sarif": sarif}[sys.argv[1]](sys.stdin.buffer.read())))
