"""Reads a health/v0 ledger without any of our code: boto3 or a folder, zoneinfo, and spec_reader.py.

Reads one JSON object on stdin: from, to, and either folder, or endpoint, region, access_key, secret_key, ca_bundle,
bucket and prefix. Prints a row for each date: the number of its revisions; whether it is missing (no revision, and no
latest.json that names one); the id of the newest readable revision, when it was made, its numbers, and whether its
boundaries are others than zoneinfo's.
"""

import json
import pathlib
import re
import sys
from collections import defaultdict
from contextlib import suppress
from datetime import date, datetime, timedelta

from health_days import Days
from spec_reader import METRICS, UNREADABLE, is_id, named, read

KEY = re.compile(r"health/v0/data/(\d{4})/(\d\d)/(\d\d)/(?:(latest)|revisions/([^/]+))\.json")


def objects(ask):
    """Keys below the prefix, each with a function that reads it."""
    if "folder" in ask:
        root = pathlib.Path(ask["folder"])
        return {path.relative_to(root).as_posix(): path.read_bytes
                for path in root.rglob("*") if path.is_file()}
    from bucket import client, keys
    s3, ask = client(ask), ask | {"prefix": ask["prefix"] + "/"}
    return {key: lambda key=key: s3.get_object(Bucket=ask["bucket"], Key=ask["prefix"] + key)["Body"].read()
            for key in keys(s3, ask)}


def is_off_zone(day, told):
    try:
        first, after = Days(told["timezone"]).bounds(day)
    except (KeyError, OSError, ValueError):
        return True
    bounds = [int(datetime.fromisoformat(told[name]).timestamp()) for name in ("start", "end")]
    return first >= after or [first, after] != bounds


def row(day, revisions, pointer):
    told = {"date": day.isoformat(), "revisions": len(revisions), "id": None, "made": None, "numbers": None,
            "off_zone": False,
            "missing": not revisions and not (pointer and named(pointer(), day.isoformat()))}
    for ident, get in sorted(revisions.items(), reverse=True):
        with suppress(*UNREADABLE):
            body = get()
            found = read(body, told["date"])
            numbers = [found["metrics"][name] for name in METRICS]
            return told | {"id": ident, "made": json.loads(body)["generated_at"],
                           "numbers": [None if isinstance(one, str) else one for one in numbers],
                           "off_zone": is_off_zone(day, found["day"])}
    return told


def main():
    ask = json.load(sys.stdin)
    sys.setrecursionlimit(10_000)
    days, pointers = defaultdict(dict), {}
    for key, get in objects(ask).items():
        if found := KEY.fullmatch(key):
            day = date(*map(int, found.groups()[:3]))
            if found[4]:
                pointers[day] = get
            elif is_id(found[5]):
                days[day][found[5]] = get
    day, last = date.fromisoformat(ask["from"]), date.fromisoformat(ask["to"])
    rows = []
    while day <= last:
        rows.append(row(day, days.get(day, {}), pointers.get(day)))
        day += timedelta(days=1)
    print(json.dumps(rows))


main()
