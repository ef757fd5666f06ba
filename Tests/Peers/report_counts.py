"""What a report of a folder must show, reckoned without any of our code.

Reads one JSON object on stdin: folder, from, to. Prints a row for each date: the number of
its revisions, whether it is missing (no revision, and no latest.json that names one), of the
metrics that lack a number the reasons, and the numbers themselves.
"""

import json
import sys
from datetime import date, timedelta

from read_ledger import ID, KEY, POINTER, UNREADABLE, check, names_one, objects, parse

METRICS = ("steps", "active_energy_kcal", "exercise_minutes", "stand_hours", "resting_hr_avg",
           "hrv_sdnn_avg", "sleep_asleep_minutes", "sleep_in_bed_minutes")


def main():
    ask = json.load(sys.stdin)
    sys.setrecursionlimit(10_000)
    days, pointers = {}, {}
    for key, get in objects(ask).items():
        if found := POINTER.fullmatch(key):
            pointers[date(int(found[1]), int(found[2]), int(found[3]))] = get
        found = KEY.fullmatch(key)
        if found and ID.fullmatch(found[4]):
            day = date(int(found[1]), int(found[2]), int(found[3]))
            days.setdefault(day, []).append((found[4], get))
    rows = []
    day, last = date.fromisoformat(ask["from"]), date.fromisoformat(ask["to"])
    while day <= last:
        is_lost = day in pointers and names_one(pointers[day](), day)
        row = {"date": day.isoformat(), "revisions": len(days.get(day, [])), "made": None,
               "missing": day not in days and not is_lost, "numbers": None, "statuses": None}
        for _, get in sorted(days.get(day, []), key=lambda pair: pair[0], reverse=True):
            try:
                document = parse(get())
                check(document, day)
            except UNREADABLE:
                continue
            row["numbers"] = [document["metrics"].get(name) for name in METRICS]
            row["statuses"] = [document["metric_status"].get(name, "no_data") for name in METRICS]
            row["made"] = document["generated_at"]
            break
        rows.append(row)
        day += timedelta(days=1)
    print(json.dumps(rows))


main()
