"""Random inputs to random days, each published by the program and by spec_writer.py: equal documents must come out.

usage: words_differ.py PROGRAM DAYS [--seed N] [--break RULE]

Both begin each step with the same folder. Between steps it is changed as only others would: by sources that no
command reads, older programs, people with an editor, damage, writers that died. What may differ is the moment of the
id, `generated_at`, `collector`, `digest`, and by some seconds what was read now. Prints each difference with the
steps before it.
"""

import argparse
import copy
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import rfc8785

import spec_words
import spec_writer
from spec_documents import DERIVER, LAST, digest, text, written
from spec_stores import Folder
from spec_words import GROUP_OF, GROUPS, LATEST, REQUIRED, UNITS, is_number, local, span, word

ZONES = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Pacific/Auckland", "UTC"]
DAYS = ["2026-03-10", "2026-03-10", "2026-03-29", "2026-03-08", "2026-07-01"]
NUMBERS = {"steps": [0, 800, 4000, 8000, 8432], "active_energy_kcal": [300.5, 412.25, 500], "weight": [70, 71.5],
           "stand_hours": [3, 9, 12], "resting_hr_avg": [51, 52.5], "vo2_max": [41, 42.5],
           "sleep_in_bed_minutes": [400, 480], "sleep_asleep_minutes": [120, 240, 420],
           "sleep_core_minutes": [60, 200], "sleep_deep_minutes": [30, 50], "sleep_rem_minutes": [30, 90],
           "sleep_awake_minutes": [5, 20], "blood_pressure_systolic": [118, 120], "heart_rate_avg": [60, 71.5],
           "blood_pressure_diastolic": [78, 80], "heart_rate_min": [44, 48], "heart_rate_max": [140, 151]}
NUMBERS |= {"weight_latest": [70, 69.5], "resting_hr_latest": [51, 54], "vo2_max_latest": [41, 43],
            "blood_pressure_systolic_latest": [118, 125], "blood_pressure_diastolic_latest": [78, 82]}
NUMBERS |= {f"{name}_latest_time": [425, 1140] for name in ("weight", "resting_hr", "vo2_max", "blood_pressure")}
NAMES = {"steps": ("step_count", "count"), "active_energy_kcal": ("active_energy", "kcal"),
         "weight": ("weight_body_mass", "kg"), "resting_hr_avg": ("resting_heart_rate", "count/min"),
         "heart_rate_avg": ("heart_rate", "count/min"), "blood_pressure_systolic": ("blood_pressure", "mmHg"),
         "sleep_asleep_minutes": ("sleep_analysis", "hr")}
TYPES = {"steps": ("StepCount", "count"), "weight": ("BodyMass", "kg"),
         "resting_hr_avg": ("RestingHeartRate", "count/min"), "active_energy_kcal": ("ActiveEnergyBurned", "kcal")}
SHAPE = "%Y-%m-%d %H:%M:%S %z"
rank = spec_words.Word.rank.fget
# What the writer leaves out, to show that it is found.
BREAKS = {
    "rank": lambda: setattr(spec_words.Word, "rank", property(lambda one: (one.captured, *rank(one)))),
    "ends": lambda: setattr(spec_words.Word, "ends", lambda one, other: False),
    "repeats": lambda: setattr(spec_writer, "news", lambda known, mine, aside: mine),
    "suffix": lambda: setattr(spec_writer, "written", lambda *given: (written(*given)[0], "00000000"))}


class Input:
    """What the program is given, and what it says of each date."""

    def __init__(self, r, day, zone, metrics):
        self.r, self.day, self.zone, self.tz, self.metrics = r, day, zone, zone, metrics
        self.options, self.said, self.file, self.written = [], [], "", None

    def moment(self, first=-3):
        """Some moment around the day."""
        start = span(self.day, self.zone, "steps")[0]
        return start + 3600 * self.r.choice([first, 6, 12, 20, 23, 24, 24, 30, 50, 80]) + self.r.choice([0, 0, 7])

    def takes(self, option, *values, chance=0.15):
        """The option in the words of the program, if it is taken."""
        taken = self.r.random() < chance
        self.options += ["--" + option, *values] if taken else []
        return taken

    def some(self, of=NUMBERS):
        """Some of the day's metrics."""
        metrics = sorted(set(self.metrics) & set(of)) or sorted(of)
        return self.r.sample(metrics, self.r.randint(1, min(len(metrics), 4)))

    def again(self):
        """The same input, perhaps of a file that was written later."""
        again = copy.copy(self)
        if self.written and "captured_at" in self.said[0] and self.r.random() < 0.5:
            again.written += 3600
            again.said = [said | {"captured_at": text(again.written)} for said in self.said]
        return again

    def general(self):
        """What a person may ask for, as members of what is said."""
        asked = {}
        if self.takes("source", name := self.r.choice(["scale", "watch-2"])):
            asked["source"] = name
        if self.takes("force", chance=0.08):
            asked["force"] = True
        if self.takes("replace", chance=0.08):
            asked["replace"] = True
        wanted = self.r.sample(sorted(NUMBERS), 4)
        if self.takes("metrics", ",".join(wanted), chance=0.1):
            asked["metrics"] = sorted(set(wanted) | REQUIRED)
        return asked


def metrics_json(one):
    r, day = one.r, {"date": one.day, "metrics": {}, "status": {}}
    readings, asked, named = {}, one.general(), set()
    for metric in one.some():
        if r.random() < 0.8:
            day["metrics"][metric] = readings[metric] = r.choice(NUMBERS[metric])
            named.add(metric)
            continue
        day["metrics"][metric] = None
        if r.random() < 0.8:
            day["status"][metric] = r.choice(spec_words.REASONS) if metric in REQUIRED else "no_data"
            named.add(metric)
        if metric in named or metric in REQUIRED:
            readings[metric] = day["status"].get(metric, "no_data")
    is_set = r.random() < 0.6
    if is_set and r.random() < 0.7:
        day["timezone"] = one.zone
        one.tz = r.choice(ZONES)
    elif is_set:
        one.options += ["--timezone", one.zone]
        one.tz = r.choice(ZONES)
    said = {"format": "metrics_json", "date": one.day, "timezone": one.zone, "set": is_set, **asked}
    if r.random() < 0.6:
        day["captured_at"] = said["captured_at"] = text(one.moment())
    wanted = asked.get("metrics", UNITS)
    said["readings"] = {metric: reading for metric, reading in readings.items() if metric in wanted}
    said["speaks"] = sorted(named & set(wanted))
    one.file, one.said = json.dumps(day), [said] * bool(said["readings"])
    one.command = ["put", "--input", "FILE"]


def rows_of(r, metric):
    """A row, and what it says."""
    number = r.choice(NUMBERS[metric])
    if metric == "heart_rate_avg":
        low, high = r.choice(NUMBERS["heart_rate_min"]), r.choice(NUMBERS["heart_rate_max"])
        return {"Min": low, "Avg": number, "Max": high}, {
            "heart_rate_min": low, "heart_rate_avg": number, "heart_rate_max": high}
    if metric == "blood_pressure_systolic":
        low = r.choice(NUMBERS["blood_pressure_diastolic"])
        return {"systolic": number, "diastolic": low}, {metric: number, "blood_pressure_diastolic": low}
    return {"qty": number}, {metric: number}


def payload(one):
    """Rows of whole days and of moments, by the clock of a phone."""
    r, asked = one.r, one.general()
    phone = r.choice(ZONES) if one.takes("timezone", one.zone, chance=0.5) else one.zone
    is_set, clock = "--timezone" in one.options, ZoneInfo(phone)
    one.tz = r.choice(ZONES) if is_set else one.zone
    first = date.fromisoformat(one.day) + timedelta(r.choice([-1, 0, 0, 0]))
    dates = [first + timedelta(place) for place in range(r.choice([1, 1, 2, 3]))]
    said, metrics, begun, read = {}, [], [], []

    def says(day, readings, whole=False):
        there = said.setdefault(str(day), ({}, set()))
        for metric, number in readings.items():
            there[0].setdefault(metric, []).append(number)
        there[1].update(readings if whole else ())

    for metric in one.some(set(NAMES) - {"sleep_asleep_minutes"}):
        whole, rows = r.random() < 0.3, []
        for day in dates:
            for hour in [0] if whole else sorted(r.sample(range(1, 23), r.randint(1, 2))):
                if r.random() < 0.8:
                    # At five past, no row begins with a day of the zone.
                    at = local(day, hour, phone) + timedelta(minutes=0 if whole else 5)
                    row, readings = rows_of(r, metric)
                    rows.append({"date": f"{at:{SHAPE}}", "source": "iPhone", **row})
                    there = day if whole else at.astimezone(ZoneInfo(one.zone)).date()
                    # A row of a whole day does not say when something was measured.
                    samples = with_latest(readings, at.timestamp(), there, one.zone)
                    says(there, readings if whole else samples, whole)
                    if samples.keys() & set(asked.get("metrics", UNITS)):
                        begun.append((at, at))
                        read.append(at)
        metrics.append({"name": NAMES[metric][0], "units": NAMES[metric][1], "data": rows})
    if r.random() < 0.4:
        rows = night(one, r.choice(dates), phone, says, begun, read)
        metrics.append({"name": "sleep_analysis", "units": "hr", "data": rows})
    one.written = one.moment() if r.random() < 0.8 else None
    if not read:
        return
    is_known = one.written and one.written >= max(at.timestamp() for at in read)
    # Of the beginning of each row by its own offset.
    rowed = {stretch(at, end, one.zone) for at, end in begun}
    for day, (readings, whole) in sorted(said.items()):
        figures = {metric: figure(metric, numbers) for metric, numbers in readings.items()}
        figures = {metric: number for metric, number in figures.items() if metric in asked.get("metrics", UNITS)}
        if not figures:
            continue
        one.said.append({"format": "health_auto_export", "date": day, "timezone": one.zone, "set": is_set,
                         "readings": figures, "speaks": sorted(figures), "whole": sorted(whole & figures.keys()),
                         "days": sorted(rowed), **asked})
    if not one.said:
        return
    beside(one)
    for each in one.said:
        each |= {"captured_at": text(one.written)} if is_known else {}
    one.file = json.dumps({"data": {"metrics": metrics}})
    one.command = r.choice([["import"], ["put", "--date", "all", "--input"]]) + ["FILE"]


def with_latest(readings, moment, day, zone):
    """What a sample says, and the latest values as the time and the value."""
    minutes, said = (moment - span(str(day), zone, "steps")[0]) / 60, dict(readings)
    for metric, number in readings.items():
        if (latest := metric.removesuffix("_avg") + "_latest") in LATEST:
            said |= {latest: (minutes, number), GROUPS[GROUP_OF[metric]][-1]: minutes}
    return said


def figure(metric, numbers):
    if metric in LATEST:
        return max(numbers) if metric.endswith("_time") else max(numbers)[1]
    if metric in spec_words.ADDITIVE | spec_words.NIGHTS:
        return spec_words.rounded(metric, sum(numbers))
    if metric in ("heart_rate_min", "heart_rate_max"):
        return (min if metric == "heart_rate_min" else max)(numbers)
    return spec_words.rounded(metric, sum(numbers) / len(numbers))


def night(one, day, phone, says, begun, read):
    """Samples of a night, which may lie in two nights of the zone."""
    r, rows = one.r, []
    at, stages = local(day - timedelta(1), r.choice([21, 22, 23]), phone), ("Core", "Deep", "REM", "Awake")
    for _ in range(r.randint(1, 5)):
        end, stage = after(at, r.choice([30, 60, 90])), r.choice(stages)
        rows.append({"startDate": f"{at:{SHAPE}}", "endDate": f"{end:{SHAPE}}", "value": stage, "source": "Watch"})
        for place in (-1, 0, 1):
            window = span(str(day + timedelta(place)), one.zone, "sleep_asleep_minutes")
            minutes = (min(window[1], end.timestamp()) - max(window[0], at.timestamp())) / 60
            if minutes > 0:
                metrics = [f"sleep_{stage.lower()}_minutes"] + ["sleep_asleep_minutes"] * (stage != "Awake")
                for metric in metrics:
                    says(day + timedelta(place), {metric: minutes})
        begun.append((at, end))
        read += [at, end]
        at = after(end, r.choice([0, 0, 30]))
    return rows


def stretch(start, end, zone):
    """The day on which a row begins; of a row that lasts longer, what of it comes from there."""
    first = int(start.timestamp())
    midnight = first - start.hour * 3600 - start.minute * 60
    day = midnight, midnight + 86400
    if start.astimezone(ZoneInfo(zone)).utcoffset() == start.utcoffset():
        day = span(str(start.date()), zone, "steps")
    return first if end.timestamp() > day[1] else day[0], day[1]


def after(moment, minutes):
    """Some minutes later by the clock of the zone."""
    return (moment.astimezone(timezone.utc) + timedelta(minutes=minutes)).astimezone(moment.tzinfo)


def beside(one):
    """The dates beside those of an input, which are published first, and of which moments it has each group."""
    spoken = {date.fromisoformat(said["date"]) for said in one.said}
    dates = {day + timedelta(place) for day in spoken for place in (-1, 1)} - spoken
    reach = {}
    for said in one.said:
        first, last = span(said["date"], one.zone, "steps")
        for group in {GROUP_OF[metric] for metric in said["speaks"]}:
            known = reach.get(group, (first, last))
            reach[group] = (min(known[0], first), max(known[1], last))
    for said in one.said:
        said |= {"reach": reach}
    template = {name: value for name, value in one.said[0].items() if name != "replace"}
    template |= {"force": True} if "replace" in one.said[0] else {}
    one.said = [template | {"date": str(day), "readings": {}, "speaks": [], "beside": True}
                for day in sorted(dates)] + one.said


def apple_export(one):
    r, asked, records, said = one.r, one.general(), [], {}
    is_set = one.takes("timezone", one.zone, chance=0.5)
    one.tz = r.choice(ZONES) if is_set else one.zone
    first = date.fromisoformat(one.day) + timedelta(r.choice([-1, 0, 0]))
    dates = [first + timedelta(place) for place in range(r.choice([1, 2, 3]))]
    for day in dates:
        for metric in one.some(TYPES):
            kind, unit = TYPES[metric]
            at, number = local(day, r.randint(1, 22), one.zone), r.choice(NUMBERS[metric])
            records.append(f'<Record type="HKQuantityTypeIdentifier{kind}" sourceName="iPhone" unit="{unit}" '
                           f'startDate="{at:{SHAPE}}" endDate="{after(at, 5):{SHAPE}}" value="{number}"/>')
            sample = with_latest({metric: number}, after(at, 5).timestamp(), day, one.zone)
            said.setdefault(str(day), {}).update({part: figure(part, [of]) for part, of in sample.items()})
    made = local(dates[-1] + timedelta(1), r.choice([0, 6, 10]), one.zone)
    one.file = f'<HealthData locale="en_US"><ExportDate value="{made:{SHAPE}}"/>{"".join(records)}</HealthData>'
    wanted = sorted(asked.get("metrics", UNITS))
    one.said = [{"format": "apple_health_export", "date": day, "timezone": one.zone, "set": is_set, "speaks": wanted,
                 "readings": {metric: number for metric, number in readings.items() if metric in wanted},
                 "captured_at": text(int(made.timestamp())), **asked} for day, readings in said.items()]
    while one.said and not one.said[0]["readings"]:
        one.said.pop(0)
    while one.said and not one.said[-1]["readings"]:
        one.said.pop()
    if not one.said:
        return
    beside(one)
    one.command = ["import", "FILE"]


# What no command says.

def other_words(store, one):
    """The words of sources that no command reads, for any part of the day."""
    r = one.r
    source, captured = r.choice(["healthkit", "streams", "health_auto_export", "metrics_json", "scale"]), one.moment()
    traits = {"authority": r.random() < 0.3, "loose": r.random() < 0.5, "is_set": r.random() < 0.3}

    def speak(said, known, moment):
        for group in sorted({GROUP_OF[metric] for metric in one.some()}):
            parts, numbers = GROUPS[group], {}
            if r.random() < 0.85:
                numbers = {part: r.choice(NUMBERS[part]) for part in r.sample(parts, r.randint(1, len(parts)))}
            first, last = span(said["date"], said["timezone"], group)
            moments = [first, first + 3600 * r.randint(1, 11), last - 3600 * r.randint(1, 11), last]
            start, end = sorted(r.sample(moments, 2))
            readings = [numbers.get(part, r.choice(spec_words.REASONS)) for part in parts]
            if start < min(end, moment):
                yield word(source, group, readings, said["date"], said["timezone"], moment, start, min(end, moment),
                           **traits)

    if captured <= span(one.day, one.zone, "steps")[0]:
        return
    said = {"date": one.day, "timezone": one.zone} | ({"captured_at": text(captured)} if r.random() < 0.8 else {})
    spec_writer.publish(store, said, speak)


def revisions(store, day):
    folder = store.root / f"health/v0/data/{day.replace('-', '/')}"
    return folder, sorted((folder / "revisions").glob("*.json"))


def rewritten(path, document, name=None, has_digest=True):
    document.pop("digest", None)
    document |= {"digest": digest(document)} if has_digest else {}
    (path.parent / (name or path.name)).write_bytes(rfc8785.dumps(document))


def older_document(store, one):
    """A revision of a program that knew no words, above all others."""
    r, (folder, files) = one.r, revisions(store, one.day)
    other_words(store, one)
    folder, files = revisions(store, one.day)
    if not files:
        return
    document = json.loads(files[-1].read_bytes())
    newest = files[-1].stem
    if not isinstance(document, dict):
        return
    for name in ("sources", "parent"):
        document.pop(name, None)
    if r.random() < 0.5:
        document["covers"] = sorted(r.sample(sorted(document["metrics"]), 3))
        if len(files) > 1 and r.random() < 0.8:
            document["kept_from"] = files[-2].stem
    if r.random() < 0.3:
        document["collector"] = {"collector_id": DERIVER, "device_id": DERIVER[:-1] + "1"}
    if r.random() < 0.5:
        document["captured_at"] = text(one.moment())
    moment = min(spec_writer.moment_of(newest) + r.randint(1, 9), LAST)
    document["generated_at"] = text(moment)
    name = f"{datetime.fromisoformat(text(moment)[:19]):%Y%m%dT%H%M%SZ}-{r.getrandbits(32):08X}"
    if r.random() < 0.3:
        files[-1].unlink()
    rewritten(files[-1], document, name + ".json")
    if r.random() < 0.8:
        (folder / "latest.json").write_bytes(spec_writer.pointer_to(name, one.day))


def edited(store, one):
    """The newest revision, changed by hand."""
    r, (folder, files) = one.r, revisions(store, one.day)
    if not files:
        return
    document = json.loads(files[-1].read_bytes())
    kind = r.choice(["number", "number", "unknown", "damage", "bad_sources", "pointer", "corrupt", "unreadable"])
    if not isinstance(document, dict):
        return
    if kind == "number" and spec_writer.moment_of(files[-1].stem) < time.time() - 1800:
        metric = r.choice(sorted(document["metrics"]))
        document["metrics"][metric], document["metric_status"][metric] = r.choice(NUMBERS.get(metric, [7])), "ok"
        rewritten(files[-1], document, has_digest=r.random() < 0.6)
    elif kind == "unknown":
        document["x_note"] = {"a": [1, "ü"]}
        document["day"]["x_place"], document["metrics"]["x_metric"] = "home", 3
        rewritten(files[-1], document)
    elif kind == "damage":
        document["metrics"]["steps"] = 99
        document["metric_status"]["steps"] = "ok"
        files[-1].write_bytes(rfc8785.dumps(document))
    elif kind == "bad_sources" and "sources" in document:
        members = r.choice([{"source": "Bad Name"}, {"loose": False}, {"rest": "ok"}, {"none": {"ok": []}},
                            {"captured_at": "now"}, {"shown": [3]}, {"again": 0.5}, {"timezone": "No zone"}])
        if r.random() < 0.8:
            document["sources"]["words"][0] |= members
        else:
            document["sources"] |= r.choice([{"fold": 0.5}, {"seen": "3"}])
        rewritten(files[-1], document)
    elif kind == "pointer":
        (folder / "latest.json").write_bytes(spec_writer.pointer_to(r.choice(files).stem, one.day))
    elif kind == "corrupt":
        r.choice([lambda: (folder / "latest.json").write_bytes(b"{}"),
                  lambda: (folder / "latest.json").unlink(missing_ok=True)])()
    elif kind == "unreadable" and len(files) > 1:
        files[-1].write_bytes(b"[]")


def at_calendar_end(store, day, r):
    """A revision under an id of the calendar's last second: a copy of the newest, one that says so, or no revision."""
    folder, files = revisions(store, day)
    document = json.loads(files[-1].read_bytes()) if files else None
    if not isinstance(document, dict):
        return
    kind = r.choice(["copy", "late", "unreadable"])
    document |= {"generated_at": text(LAST)} if kind == "late" else {}
    name = f"99991231T235959Z-{r.getrandbits(32):08X}"
    rewritten(files[-1], document, name + ".json", has_digest=r.random() < 0.8)
    if kind == "unreadable":
        (folder / f"revisions/{name}.json").write_bytes(b"[]")
    if r.random() < 0.5:
        (folder / "latest.json").write_bytes(spec_writer.pointer_to(name, day))


# The differential.

def comparable(body, since):
    """A document without what may differ; moments of the run in their order."""
    document = json.loads(body)
    now = {name: document.pop(name) for name in ("generated_at", "collector", "digest")}
    captured = document.pop("captured_at", now["generated_at"])
    entries = document.get("sources", {}).get("words", [])
    for entry in entries if isinstance(entries, list) else []:
        entry.setdefault("captured_at", captured)
    moments = sorted({entry["captured_at"] for entry in entries if entry["captured_at"] >= since})
    for entry in entries:
        if entry["captured_at"] >= since:
            entry["captured_at"] = f"now {moments.index(entry['captured_at'])}"
    return document | ({"captured_at": captured} if captured < since else {})


def days_of(root, since):
    """By date, what the pointer names, and all revisions by their suffix."""
    found = {}
    for path in sorted(root.glob("health/v0/data/*/*/*")):
        pointer = path / "latest.json"
        named = json.loads(pointer.read_bytes()).get("revision_id", "") if pointer.exists() else None
        files = sorted(path.glob("revisions/*.json"))
        found["-".join(path.parts[-3:])] = {
            "pointer": [one.stem for one in files].index(named) if named in [one.stem for one in files] else named,
            "revisions": [one.stem[17:] for one in files],
            "newest": (files[-1].read_bytes()) if files else None}
    return found


class Differ:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.steps = 0

    def clean(self, name, of=None):
        shutil.rmtree(self.folder / name, ignore_errors=True)
        if of:
            shutil.copytree(self.folder / of, self.folder / name)
            # Each input comes from a machine in a zone of its own, and not in that of the first.
            (self.folder / name / "streams/v0/.zones").unlink(missing_ok=True)
        else:
            (self.folder / name).mkdir()
        return self.folder / name

    def by_program(self, one):
        file = self.folder / ("export.xml" if one.file.startswith("<") else "input.json")
        file.write_text(one.file)
        # A file that seems to be older than its rows is read now.
        os.utime(file, (one.written or 0,) * 2)
        command = [str(file) if word == "FILE" else word for word in one.command]
        store = ["--output", "json", "--store", str(self.clean("program", "shared"))]
        run = subprocess.run(
            [self.program, *command, *one.options, *store], capture_output=True, text=True,
            env={"HOME": str(self.folder), "TZ": one.tz, "PATH": os.environ["PATH"]})
        answer = json.loads(run.stdout or "{}")
        if run.returncode:
            return {"error": run.stdout + run.stderr}
        # The writer's words are of the same run.
        for said in one.said:
            said["run"] = answer["run"] or ""
        return {result["date"]: result["outcome"] for result in answer["results"]}

    def by_writer(self, one):
        store, outcomes = Folder(self.clean("writer", "shared")), {}
        for said in one.said:
            is_beside = "beside" in said
            if is_beside and not revisions(store, said["date"])[1]:
                continue
            outcome = spec_writer.publish(store, said)
            if outcome != "unchanged" or not is_beside:
                outcomes[said["date"]] = outcome
        return outcomes

    def day(self, seed):
        """What differed on a random day, with the steps before it."""
        r, told, before, late = random.Random(seed), [], [], random.Random(-1 - seed)
        day, zones = r.choice(DAYS), r.sample(ZONES, 2)
        since = text(int(time.time()) - 1)
        self.clean("shared")
        metrics = r.sample(sorted(NUMBERS), 4)
        for _ in range(r.randint(3, 8)):
            one = Input(r, day, zones[0] if r.random() < 0.8 else zones[1], metrics)
            if r.random() < 0.3:
                change = r.choice([other_words, other_words, older_document, edited, edited])
                # An hour ago, so that what an editor changed was not captured after what is read now.
                store = Folder(self.folder / "shared")
                store.ahead = -3600
                change(store, one)
                told.append(change.__name__)
                continue
            r.choice([metrics_json, metrics_json, payload, payload, payload, apple_export])(one)
            if before and r.random() < 0.25:
                one = r.choice(before).again()
            if not one.said:
                continue
            before.append(one)
            self.steps += 1
            told.append({"TZ": one.tz, "command": one.command + one.options, "file": one.file, "written": one.written,
                         "said": one.said})
            outcomes = [self.by_program(one), self.by_writer(one)]
            found = [days_of(self.folder / name, since) for name in ("program", "writer")]
            difference = compared(outcomes, found, since)
            if difference:
                return told, difference
            self.clean("shared", r.choice(["program", "writer"]))
            if late.random() < 0.04:
                at_calendar_end(Folder(self.folder / "shared"), day, late)
                told.append(at_calendar_end.__name__)
        return None


def compared(outcomes, found, since):
    if outcomes[0] != outcomes[1]:
        return {"outcomes": outcomes}
    if found[0].keys() != found[1].keys():
        return {"dates": [sorted(one) for one in found]}
    for day, there in found[0].items():
        mine = found[1][day]
        documents = [one["newest"] for one in (there, mine)]
        if documents[0] != documents[1]:
            documents = [comparable(body, since) for body in documents]
            differing = {name: [one.get(name) for one in documents] for name in documents[0] | documents[1]
                         if documents[0].get(name) != documents[1].get(name)}
            if differing:
                return {day: differing}
        for name in ("pointer", "revisions"):
            if there[name] != mine[name]:
                return {day: {name: [there[name], mine[name]]}}
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("days", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--break", dest="broken", choices=BREAKS)
    asked = parser.parse_args()
    if asked.broken:
        BREAKS[asked.broken]()
    faults = 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        differ = Differ(os.path.abspath(asked.program), folder)
        for seed in range(asked.seed, asked.seed + asked.days):
            fault = differ.day(seed)
            if fault:
                faults += 1
                if asked.broken:
                    break
                # More of them say no more.
                if faults < 4:
                    print(f"seed {seed}: {json.dumps(fault[0], indent=1)}", file=sys.stderr)
                    print(f"program and writer: {json.dumps(fault[1], indent=1)}", file=sys.stderr)
    print(f"{asked.days} days, {differ.steps} publishes, {faults} differences",
          file=sys.stderr if faults else sys.stdout)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
