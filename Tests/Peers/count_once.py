#!/usr/bin/env python3
"""Steps of each UTC date in a folder's streams, each sample counted once (R45).

usage: count_once.py FOLDER      prints {"2026-03-02": 120, ...}
"""
import gzip, json, pathlib, sys
from collections import defaultdict

counted = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("streams/v0/apple_ios_healthkit/**/*.json.gz")):
    batch = json.loads(gzip.decompress(path.read_bytes()))
    for place, entry in enumerate(batch["data"]):
        if "uuid" in entry:
            key = ("native", entry["uuid"])
        else:
            feed = entry.get("feed", batch["feed"])
            key = (feed, entry["sample_type"], entry.get("source", ""), entry["timestamp"],
                   entry.get("end_timestamp", entry["timestamp"]), entry["unit"],
                   entry["value"] if entry["sample_type"].startswith("HKCategoryType") else None)
        rank = (entry.get("deleted", False), batch["received_at"], place)
        if key not in counted or counted[key][0] < rank:
            counted[key] = (rank, entry)

days = defaultdict(float)
for _, entry in counted.values():
    if not entry.get("deleted"):
        days[entry["timestamp"][:10]] += entry["value"]
print(json.dumps(days))
