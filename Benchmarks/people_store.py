"""Makes a store of many people in a folder: `people_store.py FOLDER PEOPLE DAYS`.

Person p-00000 and on, each with DAYS days up to yesterday: a revision as s3health writes it (canonical
JSON with its digest) and its latest.json. The numbers are a function of person and day, so that two runs
write the same bytes, whatever the machine.
"""

import functools
import hashlib
import json
import multiprocessing
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path


def canonical(value):
    """RFC 8785 of what is written here: ASCII keys, and numbers whose Python text is the shortest."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def person(number):
    return f"p-{number:05}"


def documents(number, day, units, place=0):
    """The revision's path below the day's folder, its bytes, and those of latest.json. A further place
    gives a later revision with other numbers."""
    at = datetime(day.year, day.month, day.day, 6, tzinfo=timezone.utc) + timedelta(days=1, hours=place)
    seed = hashlib.sha256(f"{number} {day}{f' {place}' if place else ''}".encode()).hexdigest()
    name = f"{at:%Y%m%dT%H%M%SZ}-{seed[:8].upper()}"
    metrics = {key: 20 + int(seed[8 + n: 12 + n], 16) % 60 for n, key in enumerate(units)}
    metrics["steps"] *= 100
    metrics["stand_hours"] %= 20
    metrics["resting_hr_avg"] += 0.5
    midnight, after = f"{day}T00:00:00+00:00", f"{day + timedelta(days=1)}T00:00:00+00:00"
    document = {
        "schema_version": "health.v0", "date": str(day), "generated_at": f"{at:%Y-%m-%dT%H:%M:%SZ}",
        "day": {"timezone": "Etc/UTC", "start": midnight, "end": after},
        "collector": {
            "collector_id": "6F1E1C1A-0000-4000-8000-000000000001",
            "device_id": f"6F1E1C1A-0000-4000-8000-{number:012}"},
        "metrics": metrics, "metric_status": {key: "ok" for key in units}, "metric_units": units}
    document["digest"] = "sha256:" + hashlib.sha256(canonical(document)).hexdigest()
    pointer = {
        "date": str(day), "latest_generated_at": document["generated_at"], "revision_id": name,
        "revision_relpath": f"revisions/{name}.json"}
    return f"revisions/{name}.json", canonical(document), canonical(pointer)


def objects(number, days, units, last):
    """Every key of a person below the store, with its bytes."""
    place = f"people/{person(number)}"
    yield f"{place}/person.json", canonical(
        {"format": "person.v0", "added_at": "2026-01-01T00:00:00Z"})
    for back in range(days):
        day = last - timedelta(days=back)
        name, revision, pointer = documents(number, day, units)
        folder = f"{place}/health/v0/data/{day:%Y/%m/%d}"
        yield f"{folder}/{name}", revision
        yield f"{folder}/latest.json", pointer


def units_of_schema():
    """The required metrics with their units."""
    schema = json.loads((Path(__file__).parent.parent / "schema/health.v0.schema.json").read_text())
    units = schema["properties"]["metric_units"]
    return {key: units["properties"][key]["const"] for key in units["required"]}


def write(folder, days, number):
    for key, body in objects(number, days, units_of_schema(), date.today() - timedelta(days=1)):
        file = folder / key
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_bytes(body)


def main():
    folder, people, days = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with multiprocessing.Pool() as pool:
        pool.map(functools.partial(write, folder, days), range(people))


if __name__ == "__main__":
    main()
