"""Makes random Health Auto Export payloads together with their daily totals, minute by minute.

Usage: health_auto_export.py SEED SAMPLED AGGREGATED
Prints one JSON object a line: {"zone", "payload" (text), "expected": {date: {metric: number or
status}}}. Nothing here is shared with the reader under test: every minute is looked at for itself,
and days come from Python's zoneinfo.
"""
import json
import random
import sys
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

# (zone, a date near which its clocks change or are odd)
ZONES = [
    ("Europe/Berlin", date(2024, 3, 31)), ("Europe/Berlin", date(2024, 10, 27)),
    ("America/New_York", date(2024, 3, 10)), ("America/New_York", date(2024, 11, 3)),
    ("Australia/Lord_Howe", date(2024, 4, 7)), ("Australia/Lord_Howe", date(2024, 10, 6)),
    ("America/Santiago", date(2024, 9, 8)), ("Africa/Cairo", date(2024, 4, 26)),
    ("Asia/Kolkata", date(2024, 6, 10)), ("Asia/Kathmandu", date(2024, 6, 10)),
    ("Pacific/Chatham", date(2024, 9, 29)), ("Pacific/Kiritimati", date(2024, 1, 1)),
    ("Pacific/Pago_Pago", date(2024, 2, 29)), ("UTC", date(2024, 12, 31)),
    ("America/Nuuk", date(2024, 3, 31)), ("Asia/Singapore", date(2024, 2, 28)),
]
WATCH, PHONE, OTHER = "Ann\u2019s Apple Watch", "Ann\u2019s iPhone", "Pedometer++"
RANK = {WATCH: 0, PHONE: 1, OTHER: 2}


class Writer:
    """Writes moments as the app does: in the phone's zone, with either clock."""

    def __init__(self, rng, phone):
        self.rng, self.phone = rng, ZoneInfo(phone)
        self.twelve = rng.random() < 0.4
        self.blank = rng.choice([" ", "\u202f", "\u00a0"])
        self.upper = rng.random() < 0.5

    def __call__(self, seconds):
        at = datetime.fromtimestamp(seconds, self.phone)
        if not self.twelve:
            return at.strftime("%Y-%m-%d %H:%M:%S %z")
        half = ("AM", "PM")[at.hour >= 12]
        half = half if self.upper else half.lower()
        hour = at.hour % 12 or 12
        return at.strftime(f"%Y-%m-%d {hour}:%M:%S{self.blank}{half} %z")


def local_date(seconds, zone):
    return datetime.fromtimestamp(seconds, zone).date()


def night(seconds, zone):
    at = datetime.fromtimestamp(seconds, zone)
    return at.date() + timedelta(days=1 if at.hour >= 18 else 0)


def first_second(day, zone):
    """The first second that the zone's calendars show the date, by trying every half hour."""
    at = int(datetime(day.year, day.month, day.day, tzinfo=timezone.utc).timestamp()) - 16 * 3600
    while local_date(at, zone) < day:
        at += 900
    return at


def sampled(rng):
    name, around = rng.choice(ZONES)
    zone = ZoneInfo(name)
    phone = name if rng.random() < 0.7 else rng.choice(ZONES)[0]
    write = Writer(rng, phone)
    begin = first_second(around - timedelta(days=1), zone)
    end = first_second(around + timedelta(days=2), zone)
    expected = defaultdict(dict)
    series = []

    # Additive samples, on whole minutes so that a minute is the finest thing that can overlap.
    for metric, key, units in [
        ("step_count", "steps", [("count", 1)]),
        ("active_energy", "active_energy_kcal",
         [("kcal", 1), ("Cal", 1), ("kJ", 1 / 4.184), ("cal", 0.001)]),
        ("apple_exercise_time", "exercise_minutes", [("min", 1)]),
    ]:
        if rng.random() < 0.2:
            continue
        unit, factor = rng.choice(units)
        rows, minutes = [], defaultdict(lambda: defaultdict(float))
        intervals = rng.random() < 0.6
        for source in rng.sample([WATCH, PHONE, OTHER], rng.randint(1, 3)):
            at = begin + 60 * rng.randrange(60)
            while at < end - 7200:
                length = rng.choice([1, 2, 5, 7, 30, 90]) if intervals else 1
                each = rng.randrange(0 if length == 1 else 1, 60)
                row = {"qty": each * length, "source": source}
                if intervals:
                    row.update(startDate=write(at), endDate=write(at + 60 * length))
                else:
                    row["date"] = write(at + rng.choice([0, 0, 17, 59]))
                rows.append(row)
                for minute in range(at, at + 60 * length, 60):
                    minutes[minute][source] += each
                at += 60 * (length + rng.choice([0, 0, 3, 45, 200]))
        if all(" 00:00:00" in r.get("date", "") or "12:00:00" in r.get("date", "") for r in rows):
            continue  # would be a series of whole days
        rows += rng.sample(rows, min(3, len(rows)))  # captured twice
        rng.shuffle(rows)
        totals = defaultdict(float)
        for minute, seen in minutes.items():
            best = min((s for s in seen if seen[s] > 0), key=RANK.get, default=None)
            totals[local_date(minute, zone)] += seen[best] * factor if best else 0
        for day, total in totals.items():
            expected[str(day)][key] = total
        series.append({"name": metric, "units": unit, "data": rows})

    for metric, key, units in [
        ("resting_heart_rate", "resting_hr_avg", [("count/min", 1), ("bpm", 1), ("count/s", 60)]),
        ("heart_rate_variability", "hrv_sdnn_avg", [("ms", 1), ("s", 1000)]),
    ]:
        unit, factor = rng.choice(units)
        rows, days = [], defaultdict(list)
        for at in sorted(rng.sample(range(begin, end), rng.randrange(12))):
            if at % 900 == 0:
                continue
            value = rng.uniform(20, 120)
            rows.append({"date": write(at), "qty": value, "source": rng.choice([WATCH, OTHER])})
            days[str(local_date(at, zone))].append(value * factor)
        rng.shuffle(rows)
        for day, values in days.items():
            expected[day][key] = sum(values) / len(values)
        series.append({"name": metric, "units": unit, "data": rows or rng.choice([None, []])})

    rows, stood = [], defaultdict(set)
    for hour in range(begin, end, 3600):
        for source in (WATCH, PHONE):
            if rng.random() < 0.4:
                qty = rng.randrange(2)
                at = hour + rng.randrange(1, 3600)
                day = local_date(at, zone)
                rows.append({"date": write(at), "qty": qty, "source": source})
                shown = datetime.fromtimestamp(at, zone)
                stood[str(day)] |= {(shown.hour, shown.utcoffset())} if qty else set()
    for day, hours in stood.items():
        expected[day]["stand_hours"] = len(hours)
    series.append({"name": "apple_stand_hour", "units": "count", "data": rows})

    rows, kinds = [], defaultdict(set)
    for source in rng.sample([WATCH, PHONE, OTHER], rng.randint(0, 3)):
        values = rng.choice([
            ["Core", "Deep", "REM", "Awake"], ["In Bed", "Asleep"], ["Asleep", "Awake"], ["InBed"],
            ["Core", "Awake", "Asleep", "In Bed"],
        ])
        for _ in range(rng.randint(1, 25)):
            at = rng.randrange(begin, end - 3600 * 9) // 60 * 60
            length = rng.choice([1, 5, 20, 45, 120, 480])
            value = rng.choice(values)
            rows.append({"startDate": write(at), "endDate": write(at + 60 * length),
                         "qty": length / 60, "value": value, "source": source})
            for minute in range(at, at + 60 * length, 60):
                kinds[minute].add((source, value))
    staging = {(source, night(minute, zone)) for minute, seen in kinds.items()
               for source, value in seen if value in ("Core", "Deep", "REM")}
    asleep, in_bed = defaultdict(int), defaultdict(int)
    for minute, seen in kinds.items():
        awake = {s for s, v in seen if v == "Awake"}
        if any(v in ("Asleep", "Core", "Deep", "REM") for _, v in seen):
            asleep[night(minute, zone)] += 0
        if any(v in ("Core", "Deep", "REM") for _, v in seen):
            asleep[night(minute, zone)] += 1
        elif not any((s, night(minute, zone)) in staging for s in awake) and any(v == "Asleep" and s not in awake for s, v in seen):
            asleep[night(minute, zone)] += 1
        if any(v in ("In Bed", "InBed") for _, v in seen):
            in_bed[night(minute, zone)] += 1
    for totals, key in ((asleep, "sleep_asleep_minutes"), (in_bed, "sleep_in_bed_minutes")):
        for day, total in totals.items():
            expected[str(day)][key] = total
    rows += rows[:2]
    rng.shuffle(rows)
    series.append({"name": "sleep_analysis", "units": "hr", "data": rows})
    return name, series, expected


DAILY = [
    ("step_count", "steps", {"count": 1, "furlong": None}, 20000),
    ("active_energy", "active_energy_kcal", {"kJ": 1 / 4.184, "kcal": 1, "erg": None}, 4000),
    ("apple_exercise_time", "exercise_minutes", {"min": 1, "hr": 60}, 2),
    ("apple_stand_hour", "stand_hours", {"count": 1}, 20),
    ("resting_heart_rate", "resting_hr_avg", {"count/min": 1, "count/h": 1 / 60, "furlong": None}, 90),
    ("heart_rate_variability", "hrv_sdnn_avg", {"ms": 1, "s": 1000}, 90),
]


def aggregated(rng):
    name, around = rng.choice(ZONES)
    zone = ZoneInfo(name)
    phone = name if rng.random() < 0.6 else rng.choice(ZONES)[0]
    write = Writer(rng, phone)
    days = [around + timedelta(days=i) for i in range(-1, rng.randint(0, 9))]
    if len(days) > 1 and all(d.day == 1 for d in days):
        days = days[:1]
    expected = defaultdict(dict)
    series = []
    for metric, key, units, most in DAILY:
        if rng.random() < 0.2:
            continue
        unit, factor = rng.choice(list(units.items()))
        rows = []
        for day in days:
            value = rng.choice([0, rng.randint(0, most), rng.uniform(0, most)])
            if metric == "apple_stand_hour":
                value = int(value)
            at = first_second(day, ZoneInfo(phone))
            # Where midnight is skipped a foreign zone can't know that 01:00 is a day's start.
            shown = datetime.fromtimestamp(at, ZoneInfo(phone))
            if shown.hour and phone != name:
                continue
            rows.append({"date": write(at), "qty": value,
                         "source": rng.choice([f"{WATCH}|{PHONE}", WATCH, ""])})
            expected[str(day)][key] = "unsupported" if factor is None else (
                round(value) if key == "steps" and value == int(value) else value * factor)
        # A lone 01:00 row is not told from a sample; equal here, for the day is the same.
        rng.shuffle(rows)
        series.append({"name": metric, "units": unit, "data": rows})
    rows = []
    for day in days:
        if rng.random() < 0.2:
            continue
        # Ends well within the window of both zones' days: 18:00 the day before to 18:00.
        start = first_second(day, zone) + rng.randrange(-4 * 3600, 3 * 3600)
        stop = start + rng.randrange(3 * 3600, 12 * 3600)
        bed = start - rng.randrange(0, 3000)
        span = (stop - start) / 3600
        core, deep, rem = span * 0.5, span * 0.2, span * 0.15
        row = {"date": write(stop), "sleepStart": write(start), "sleepEnd": write(stop),
               "inBedStart": write(bed), "inBedEnd": write(stop), "source": WATCH}
        asleep = core + deep + rem
        shape = rng.randrange(4)
        if shape == 0:
            row.update(asleep=asleep)
        elif shape == 1:  # asleep is the sum
            row.update(asleep=asleep, core=core, deep=deep, rem=rem, awake=span - asleep)
        elif shape == 2:  # asleep is what has no stage
            row.update(asleep=span * 0.1, core=core, deep=deep, rem=rem)
            asleep += span * 0.1
        else:
            row.update(totalSleep=asleep, asleep=0, core=core, deep=deep, rem=rem)
        if rng.random() < 0.7:
            row["inBed"] = (stop - bed) / 3600
            expected[str(day)]["sleep_in_bed_minutes"] = (stop - bed) / 60
        else:
            row["inBed"] = rng.choice([0, None])
        expected[str(day)]["sleep_asleep_minutes"] = asleep * 60
        rows.append(row)
        if rng.random() < 0.3:  # an earlier capture of the same night
            early = dict(row, sleepEnd=write(stop - 3600), inBedEnd=write(stop - 3600))
            rows.insert(rng.randrange(len(rows)), early)
    series.append({"name": "sleep_analysis", "units": "hr", "data": rows})
    return name, series, expected


def main():
    seed, sampled_count, aggregated_count = map(int, sys.argv[1:4])
    for kind, count in ((sampled, sampled_count), (aggregated, aggregated_count)):
        for index in range(count):
            rng = random.Random(f"{seed}-{kind.__name__}-{index}")
            zone, series, expected = kind(rng)
            rng.shuffle(series)
            payload = {"data": {"metrics": series}}
            if rng.random() < 0.3:
                payload["workouts"] = []
            print(json.dumps({
                "zone": zone, "expected": expected,
                "payload": json.dumps(payload, ensure_ascii=rng.random() < 0.5)}))


main()
