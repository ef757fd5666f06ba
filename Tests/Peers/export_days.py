"""Makes random samples of an Apple Health export together with their days, minute by minute.

Usage: export_days.py SEED COUNT [moves]
With moves each person changes zones twice; "zone" is then "A, B@DATE, C@DATE".
Prints one JSON object a line: {"zone", "exportDate", "sources": [[name, hardware]], "samples":
[[kind, unit, byHand, source, start, end, value]], "expected": {date: {metric: number or status}}}.
Nothing here is shared with the code under test: every minute is looked at for itself, and days come
from Python's zoneinfo.
"""
import json
import random
import sys
from bisect import bisect_right
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

# (zone, a date near which its clocks change or are odd)
ZONES = [
    ("Europe/Paris", date(2024, 3, 31)), ("Europe/Paris", date(2024, 10, 27)),
    ("America/New_York", date(2024, 3, 10)), ("America/New_York", date(2024, 11, 3)),
    ("Australia/Lord_Howe", date(2024, 4, 7)), ("Australia/Lord_Howe", date(2024, 10, 6)),
    ("America/Santiago", date(2024, 9, 8)), ("Africa/Cairo", date(2024, 4, 26)),
    ("Asia/Kolkata", date(2024, 6, 10)), ("Asia/Kathmandu", date(2024, 6, 10)),
    ("Pacific/Kiritimati", date(2024, 1, 1)), ("Pacific/Pago_Pago", date(2024, 2, 29)),
]
# name, hardware, class: 1 watch, 2 phone, 3 other; 0 is by hand
SOURCES = [
    ("Ann\u2019s Apple\u00a0Watch", "Watch6,2", 1), ("Ann\u2019s Apple\u00a0Watch", "Watch4,2", 1),
    ("Ann\u2019s iPhone", "iPhone14,5", 2), ("Pedometer++", "", 3), ("Old iPhone", "", 2),
]
SUMS = {
    "stepCount": ("steps", {"count": 1}),
    "activeEnergyBurned": (
        "active_energy_kcal",
        {"kcal": 1, "Cal": 1, "cal": 0.001, "kJ": 1 / 4.184, "?": None}),
    "appleExerciseTime": ("exercise_minutes", {"min": 1, "s": 1 / 60, "hr": 60}),
}
MEANS = {
    "restingHeartRate": ("resting_hr_avg", {"count/min": 1, "count/s": 60, "?": None}),
    "heartRateVariabilitySDNN": ("hrv_sdnn_avg", {"ms": 1, "s": 1000}),
}
IN_BED, ASLEEP, AWAKE, CORE, DEEP, REM = range(6)


class Moves:
    """Zones by date: a moment belongs to the first date whose day ends after it."""

    NAMES = ["Europe/Paris", "America/New_York", "Asia/Tokyo", "Asia/Kathmandu",
             "Pacific/Kiritimati", "Pacific/Pago_Pago"]

    def __init__(self, rng, around):
        first, *others = rng.sample(self.NAMES, 3)
        dates = sorted(rng.sample([around + timedelta(days=n) for n in range(-2, 3)], 2))
        self.stays = [(date(1, 1, 1), first)] + list(zip(dates, others))
        self.dates = [around + timedelta(days=n) for n in range(-30, 31)]
        self.ends = self.growing(24)
        self.evenings = self.growing(18)

    def growing(self, hour):
        ends, last = [], 0
        for day in self.dates:
            midnight = datetime(day.year, day.month, day.day, tzinfo=self.zone(day))
            last = max(last, int((midnight + timedelta(hours=hour)).timestamp()))
            ends.append(last)
        return ends

    def zone(self, day):
        return ZoneInfo([name for begin, name in self.stays if begin <= day][-1])

    def __str__(self):
        return ", ".join(name if begin.year == 1 else f"{name}@{begin}"
                         for begin, name in self.stays)


def local_date(seconds, zone):
    if isinstance(zone, Moves):
        return zone.dates[bisect_right(zone.ends, seconds)]
    return datetime.fromtimestamp(seconds, zone).date()


def night(seconds, zone):
    if isinstance(zone, Moves):
        return zone.dates[bisect_right(zone.evenings, seconds)]
    at = datetime.fromtimestamp(seconds, zone)
    return at.date() + timedelta(days=1 if at.hour >= 18 else 0)


def sums(rng, zone, begin, end, samples, expected):
    for kind, (key, units) in SUMS.items():
        minutes = defaultdict(list)
        offered = defaultdict(float)
        unknown = set()
        rows = []
        for source in rng.sample(range(len(SOURCES)), rng.randint(0, 4)):
            for _ in range(rng.randint(1, 40)):
                unit, factor = rng.choice(list(units.items()))
                start = rng.randrange(begin, end) // 60 * 60
                length = rng.choice([0, 60, 60, 300, 1200, 5400, 40000, 86400 * 3, 86400 * 12])
                length = length // 60 * 60
                if length > 7200 and rng.random() < 0.8:
                    length = 600
                start += rng.randrange(60) if length == 0 else 0
                value = rng.choice([0, rng.randint(1, 500), rng.uniform(0, 500)])
                by_hand = rng.random() < 0.05
                rows.append([kind, unit, by_hand, source, start, start + length, value])
                count = max(1, length // 60)
                if factor is None:
                    unknown |= {str(local_date(start // 60 * 60 + 60 * minute, zone))
                                for minute in range(count)}
                    continue
                for minute in range(start // 60 * 60, start // 60 * 60 + 60 * count, 60):
                    each = value * factor / count
                    day = local_date(minute, zone)
                    minutes[minute].append((source, by_hand, each))
                    offered[(day, source, by_hand)] += each
        samples += rows + rng.sample(rows, min(3, len(rows)))
        totals = defaultdict(float)
        for minute, seen in minutes.items():
            day = local_date(minute, zone)

            def place(one):
                name, hardware, rank = SOURCES[one[0]]
                name = f"{name} ({hardware})" if hardware else name
                return (0 if one[1] else rank, -offered[(day, one[0], one[1])], name)

            positive = [one for one in seen if one[2] > 0]
            best = min(map(place, positive)) if positive else None
            totals[str(day)] += sum(one[2] for one in positive if place(one) == best)
        for day, total in totals.items():
            expected[day][key] = total
        for day in unknown:
            expected[day][key] = "unsupported"


def means(rng, zone, begin, end, samples, expected):
    for kind, (key, units) in MEANS.items():
        days, unknown = defaultdict(list), set()
        for _ in range(rng.randrange(12)):
            unit, factor = rng.choice(list(units.items()))
            start = rng.randrange(begin, end)
            length = rng.choice([0, 65, 76000])
            value = rng.uniform(20, 120)
            samples.append([kind, unit, False, rng.randrange(len(SOURCES)), start, start + length,
                            value])
            day = str(local_date(start + length // 2, zone))
            if factor is None:
                unknown.add(day)
            else:
                days[day].append(value * factor)
        for day, values in days.items():
            expected[day][key] = sum(values) / len(values)
        for day in unknown:
            expected[day][key] = "unsupported"


def stand(rng, zone, begin, end, samples, expected):
    stood = defaultdict(set)
    for hour in range(begin, end, 3600):
        for source in (0, 1):
            if rng.random() < 0.5:
                idle = rng.random() < 0.4
                at = hour + rng.choice([0, 0, 0, 1800, 900])
                samples.append(["appleStandHour", "", False, source, at, at + 3600, int(idle)])
                day = local_date(at, zone)
                own = zone.zone(day) if isinstance(zone, Moves) else zone
                shown = datetime.fromtimestamp(at, own)
                stood[str(day)] |= set() if idle else {
                    (shown.date(), shown.hour, shown.utcoffset())}
    for day, hours in stood.items():
        expected[day]["stand_hours"] = len(hours)


def sleep(rng, zone, begin, end, made, samples, expected):
    kinds = defaultdict(set)
    for source in rng.sample(range(len(SOURCES)), rng.randint(0, 3)):
        values = rng.choice([
            [CORE, DEEP, REM, AWAKE], [IN_BED, ASLEEP], [ASLEEP, AWAKE], [IN_BED],
            [CORE, AWAKE, ASLEEP, IN_BED]])
        for _ in range(rng.randint(1, 25)):
            at = rng.randrange(begin, end) // 60 * 60
            length = 60 * rng.choice([1, 5, 20, 45, 120, 480])
            value = rng.choice(values)
            samples.append(["sleepAnalysis", "", False, source, at, at + length, value])
            if at + length > made:
                continue
            for minute in range(at, at + length, 60):
                kinds[minute].add((source, value))
    staging = {(source, night(minute, zone)) for minute, seen in kinds.items()
               for source, value in seen if value in (CORE, DEEP, REM)}
    totals = defaultdict(int)
    for minute, seen in kinds.items():
        day = night(minute, zone)
        if any(v not in (IN_BED, AWAKE) for _, v in seen):
            totals[(str(day), "sleep_asleep_minutes")] += 0
        awake = {s for s, v in seen if v == AWAKE}
        if any(v in (CORE, DEEP, REM) for _, v in seen):
            totals[(str(day), "sleep_asleep_minutes")] += 1
        elif not any((s, day) in staging for s in awake) and any(
                v == ASLEEP and s not in awake for s, v in seen):
            totals[(str(day), "sleep_asleep_minutes")] += 1
        if any(v == IN_BED for _, v in seen):
            totals[(str(day), "sleep_in_bed_minutes")] += 1
    for (day, key), total in totals.items():
        expected[day][key] = total


def main():
    seed, count = map(int, sys.argv[1:3])
    for index in range(count):
        rng = random.Random(f"{seed}-{index}")
        name, around = rng.choice(ZONES)
        zone = ZoneInfo(name)
        if sys.argv[3:] == ["moves"]:
            zone = Moves(rng, date(2024, 6, 12))
            name, around = str(zone), date(2024, 6, 12)
        noon = int(datetime(around.year, around.month, around.day, 12,
                            tzinfo=timezone.utc).timestamp())
        begin, end = noon - 2 * 86400, noon + 2 * 86400
        made = end - rng.choice([0, 40000])
        samples, expected = [], defaultdict(dict)
        sums(rng, zone, begin, end, samples, expected)
        means(rng, zone, begin, end, samples, expected)
        stand(rng, zone, begin, end, samples, expected)
        sleep(rng, zone, begin, end, made, samples, expected)
        rng.shuffle(samples)
        print(json.dumps({
            "zone": name, "exportDate": made, "sources": [s[:2] for s in SOURCES],
            "samples": samples, "expected": expected}))


main()
