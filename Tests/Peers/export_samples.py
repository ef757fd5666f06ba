"""Reads an Apple Health export with expat and prints what it tells, one JSON array a line.

Usage: export_samples.py EXPORT.xml
Lines: ["date", seconds], ["zone", name], ["record", type, unit, byHand, name, hardware, start, end,
value], ["summary", {attributes}], ["workout", {attributes}, start, end].
"""
import json
import re
import sys
import xml.parsers.expat
from datetime import datetime


def moment(text):
    return int(datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").timestamp())


def main():
    data = open(sys.argv[1], "rb").read()
    # Apple's document type is often broken; the elements begin after it.
    start = data.index(b"<HealthData")
    state = {"depth": [], "record": None, "byHand": False, "zones": []}

    def begin(name, attributes):
        state["depth"].append(name)
        if name == "ExportDate":
            print(json.dumps(["date", moment(attributes["value"])]))
        elif name == "Record" and "Correlation" not in state["depth"]:
            state["record"], state["byHand"], state["zones"] = attributes, False, []
        elif name == "MetadataEntry":
            if attributes["key"] == "HKWasUserEntered":
                state["byHand"] = attributes["value"] in ("1", "true", "YES")
            elif attributes["key"] == "HKTimeZone":
                state["zones"].append(attributes["value"])
        elif name == "ActivitySummary":
            print(json.dumps(["summary", attributes]))
        elif name == "Workout":
            span = [moment(attributes[k]) for k in ("startDate", "endDate")]
            print(json.dumps(["workout", attributes] + span))

    def end(name):
        state["depth"].pop()
        if name != "Record" or state["record"] is None or "Correlation" in state["depth"]:
            return
        record, state["record"] = state["record"], None
        hardware = re.search(r"hardware:(.*?)(?:, [a-z]+:|>)", record.get("device", ""))
        print(json.dumps([
            "record", record["type"], record.get("unit", ""), state["byHand"],
            record.get("sourceName", ""), hardware.group(1) if hardware else "",
            moment(record["startDate"]), moment(record["endDate"]), record.get("value", "")]))
        for zone in state["zones"]:
            print(json.dumps(["zone", zone]))

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.Parse(data[start:], True)


main()
