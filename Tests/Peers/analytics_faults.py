"""What a script of analytics/ does with stores that can't be read whole: `analytics_faults.py SCRIPT HOME`,
where HOME/store is a store with one day of one step. Copies it for each of FAULTS, makes Parquet,
harms the copies, and makes it again. Prints a JSON object of what was wrong, by name; it is empty if nothing was."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import duckdb

os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
script, home = sys.argv[1], pathlib.Path(sys.argv[2])
people, out = home / "people", home / "parquet"
wrong = {}


def run(*stores):
    done = subprocess.run([sys.executable, script, out, *stores], capture_output=True, text=True, timeout=200)
    return done.returncode, done.stderr


def days():
    """The steps of each person."""
    if not any(out.rglob("*.parquet")):
        return {}
    rows = duckdb.sql(f"SELECT person, steps FROM read_parquet('{out}/**/*.parquet', "
                      "hive_partitioning = true, union_by_name = true) ORDER BY ALL").fetchall()
    found = {}
    for person, steps in rows:
        found.setdefault(person, []).append(steps)
    return found


def month(person):
    return next((people / person / "health/v0/data").glob("*/*"))


def revision(person):
    return next(month(person).glob("*/revisions/*.json"))


def newer(person, steps=777):
    """A revision that is newer than the store's own, with other steps, as a file outside it."""
    document = json.loads(revision(person).read_text())
    del document["digest"]
    document["metrics"]["steps"] = steps
    file = home / f"{person}.json"
    file.write_text(json.dumps(document))
    return file, revision(person).with_name("20990101T000000Z-ABCDEF.json")


def link(person):
    file, name = newer(person)
    name.symlink_to(file)


def missing(person):
    (people / person).rename(home / person)


def empty(person):
    missing(person)
    (people / person).mkdir()


def unreadable(person):
    revision(person).write_text("{")


FAULTS = {
    "missing": missing,
    "empty": empty,
    "unreadable": unreadable,
    "link": link,
    "dangling": lambda person: newer(person)[1].symlink_to("/nowhere"),
    "pipe": lambda person: os.mkfifo(newer(person)[1]),
    "month": lambda person: (month(person).parent / "12").symlink_to("/nowhere"),
    "placeholder": lambda person: (
        revision(person).with_name(".20990101T000000Z-ABCDEF.json.icloud").write_text("")),
    # No fault: such a store is read anew, whatever letters its name has.
    "a person [new]": lambda person: shutil.copy(*newer(person, 2)),
    "foreign": lambda person: (revision(person).parent / "notes").symlink_to("/nowhere"),
}


def expect(name, holds, found):
    if not holds:
        wrong[name] = found


stores = [people / name for name in FAULTS]
for name in FAULTS:
    shutil.copytree(home / "store", people / name)
# A person without a day yet is not a fault.
(people / "fresh").mkdir()
code, errors = run(*stores, people / "fresh")
expect("fresh", code == 0 and f"{people / 'fresh'}: no day" in errors, (code, errors))
first = days()
expect("days before", first == {name: [1] for name in FAULTS}, first)

for name, harm in FAULTS.items():
    harm(name)
# A pattern that finds nobody, for Spark. To DuckDB it is a store that is missing.
(home / "nobody").mkdir()
code, errors = run(*stores, home / "nobody/*")
expect("nobody", f"{home / 'nobody/*'}: " in errors, errors)
after = days()
expect("exit code", code == 1, (code, errors))
for name in FAULTS:
    is_sound = name in ("a person [new]", "foreign")
    expect(name, after.get(name) == ([2] if name == "a person [new]" else [1]), after)
    # An unreadable day is named by person and date.
    is_named = f"{people / name}:" in errors or f"{name} 2026-" in errors
    expect(f"{name} named", is_named != is_sound, errors)

# Two stores of one name are refused before anything is written, a sound one beside them too.
twin = home / "other/foreign"
shutil.copytree(people / "a person [new]", twin)
shutil.copy(*newer("a person [new]", 3))
code, errors = run(people / "a person [new]", people / "foreign", twin)
expect("twins", code != 0 and str(people / "foreign") in errors and str(twin) in errors, (code, errors))
expect("twins' days", days() == after, days())

print(json.dumps(wrong, default=str))
