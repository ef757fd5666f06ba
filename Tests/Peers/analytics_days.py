"""Compares the Parquet that a script of analytics/ makes of stores with what `s3health export` says:
`analytics_days.py SCRIPT SCHEMA OUT PROGRAM STORE...`, with the variables of a bucket as a JSON object on
stdin. Prints a JSON object of counts; a difference ends it with an error."""

import json
import math
import os
import pathlib
import subprocess
import sys

import duckdb

script, schema, out, program, *stores = sys.argv[1:]
os.environ.update(json.loads(sys.stdin.read() or "{}"))
# Spark's JVM lives for seconds here: its optimising compiler takes longer than what it saves.
os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

run = subprocess.run([sys.executable, script, out, *stores], capture_output=True, text=True)
assert run.returncode == 1 and "no revision can be read" in run.stderr, run.stderr
unread = sorted(line.partition(":")[0] for line in run.stderr.splitlines()
                if line.endswith("no revision can be read"))

rows = duckdb.sql(
    f"SELECT * FROM read_parquet('{out}/**/*.parquet', union_by_name = true)"
).df()
units = {key: unit["const"] for key, unit in
         json.loads(pathlib.Path(schema).read_text())
         ["properties"]["metric_units"]["properties"].items()}

compared = numbers = 0
for store in stores:
    person = pathlib.Path(store).name
    exported = subprocess.run(
        [program, "export", "json", "--metrics", "all", "--no-cache",
         "--store", store], capture_output=True, text=True, check=True)
    wanted = {day["date"]: day for day in map(json.loads, exported.stdout.splitlines())}
    mine = rows[rows["person"] == person]
    found = {str(day["date"])[:10]: day for day in mine.to_dict("records")}
    assert len(found) == len(mine), f"{person}: a date stands twice"
    for date in wanted.keys() | found.keys():
        day, own = wanted.get(date, {}), found.get(date, {})
        for key in units:
            spelled = [name for name in day if name == key or name.startswith(key + "_")
                       and name not in units and key not in day]
            # `heart_rate_avg` and `heart_rate_avg_bpm`; the shortest name is the metric's own.
            number = day[min(spelled, key=len)] if spelled else None
            mine = own.get(key)
            mine = None if mine is None or math.isnan(mine) else mine
            assert (number is None) == (mine is None) and (
                number is None or math.isclose(number, mine, rel_tol=1e-9, abs_tol=1e-6)
            ), f"{person} {date} {key}: {mine}, not {number}"
            numbers += number is not None
        compared += 1

print(json.dumps({"days": compared, "numbers": numbers, "unread": unread}))
