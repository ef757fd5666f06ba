"""Checks grafana/s3health.json against grafana-dashboard.shape.json, and prints its queries as JSON.

The arguments are values of the board's variables: instance=NAME. Variables with a value of their own,
such as the goals, keep it. Prints {"faults": [...], "queries": [{"panel", "expr", "instant"}]}.
"""

import json
import pathlib
import re
import sys

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent


def main():
    board = json.loads((HERE.parent.parent / "grafana/s3health.json").read_text("utf-8"))
    shape = json.loads((HERE / "grafana-dashboard.shape.json").read_text("utf-8"))
    checker = jsonschema.Draft202012Validator(shape)
    faults = [f"{error.json_path}: {error.message}" for error in checker.iter_errors(board)]

    ids = [panel["id"] for panel in board["panels"]]
    if len(set(ids)) != len(ids):
        faults.append("two panels have one id")
    covered = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        if place["x"] + place["w"] > 24:
            faults.append(f"{panel['title']} reaches over the edge")
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                if (x, y) in covered:
                    faults.append(f"{panel['title']} covers another panel")
                covered.add((x, y))

    given = dict(argument.split("=", 1) for argument in sys.argv[1:])
    values = {
        variable["name"]: variable["query"]
        for variable in board["templating"]["list"] if variable["type"] == "textbox"
    }
    values.update(given)
    queries = []
    for panel in board["panels"]:
        references = [target["refId"] for target in panel.get("targets", [])]
        if len(set(references)) != len(references):
            faults.append(f"{panel['title']}: two queries have one refId")
        for override in panel.get("fieldConfig", {}).get("overrides", []):
            matcher = override["matcher"]
            if matcher["id"] == "byFrameRefID" and matcher["options"] not in references:
                faults.append(f"{panel['title']}: an override of no query")
        for target in panel.get("targets", []):
            used = re.findall(r"\$\{?(\w+)\}?", target["expr"])
            unknown = [name for name in used if name not in values]
            if unknown:
                faults.append(f"{panel['title']}: unknown variables {unknown}")
            expr = re.sub(r"\$\{?(\w+)\}?", lambda found: values.get(found[1], ""), target["expr"])
            queries.append({"panel": panel["title"], "expr": expr, "instant": target["instant"]})
    json.dump({"faults": faults, "queries": queries}, sys.stdout)


main()
