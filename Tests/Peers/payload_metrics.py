"""Reads payloads of Health Auto Export into the metrics beyond the eight, a minute at a time.

Usage: payload_metrics.py SEED COUNT [ZONE=FILE ...]
Prints one JSON object a line: {"zone", "payload" (text), "expected": {date: {key: number}}}, for
COUNT random payloads and for each file. Written from docs/METRICS-JSON.md and docs/DAYS.md; nothing
here is shared with the reader under test: days come from Python's zoneinfo, units from pint.
"""
import json
import math
import random
import re
import sys
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pint

UNITS = pint.UnitRegistry()
# A payload's spelling: pint's name of the unit.
SPELLINGS = {
    "kcal": "kcal", "Cal": "kcal", "cal": "cal", "kJ": "kJ", "J": "J",
    "min": "minute", "hr": "hour", "s": "second", "ms": "ms",
    "kg": "kg", "g": "g", "mg": "mg", "mcg": "microgram", "lb": "lb", "st": "stone", "oz": "oz",
    "km": "km", "m": "m", "cm": "cm", "mi": "mile", "in": "inch", "ft": "foot", "yd": "yard",
    "km/hr": "km/hour", "mi/hr": "mile/hour", "m/s": "m/s", "ft/s": "foot/second",
    "mph": "mile/hour", "kmph": "km/hour",
    "degC": "degC", "degF": "degF", "K": "kelvin",
    "mmHg": "mmHg", "kPa": "kPa", "mL": "mL", "L": "liter", "fl_oz": "floz", "fl_oz_us": "floz",
    "fl_oz_imp": "imperial_fluid_ounce", "cup_us": "cup", "pt_us": "pint",
    "count/min": "1/minute", "bpm": "1/minute", "count/s": "1/second", "W": "watt",
    "watts": "watt", "L/min": "liter/minute",
}
# Spellings of one and the same thing that pint does not know.
ALIKE = {
    "ml/(kg·min)": "mL/min·kg", "mL/min·kg": "mL/min·kg", "kcal/hr·kg": "MET", "MET": "MET",
    "%": "%", "count": "count", "steps": "count", "falls": "count", "IU": "IU",
    "dBASPL": "dB", "dB": "dB",
}
ENERGY, MASS, DIET = ["kcal", "kJ", "cal"], ["kg", "lb", "st"], ["g", "mg", "oz"]
LENGTH, SPEED, RATE = ["km", "mi", "m", "ft"], ["km/hr", "mi/hr", "m/s", "mph"], ["count/min", "bpm"]
HEAT = ["degC", "degF"]
# name: (keys, unit of the key, how, unit spellings, smallest and greatest in the key's unit)
TABLE = {
    "basal_energy_burned": ("basal_energy", "kcal", "sum", ENERGY, 1, 90),
    "apple_move_time": ("move_minutes", "min", "sum", ["min", "s"], 0, 1),
    "apple_stand_time": ("stand_minutes", "min", "sum", ["min", "hr"], 0, 1),
    "walking_running_distance": ("distance_walking_running", "m", "sum", LENGTH, 1, 90),
    "cycling_distance": ("distance_cycling", "m", "sum", LENGTH, 1, 300),
    "swimming_distance": ("distance_swimming", "m", "sum", ["m", "yd"], 1, 90),
    "wheelchair_distance": ("distance_wheelchair", "m", "sum", LENGTH, 1, 90),
    "flights_climbed": ("flights_climbed", "count", "sum", ["count"], 0, 3),
    "push_count": ("wheelchair_pushes", "count", "sum", ["count"], 0, 30),
    "swimming_stroke_count": ("swimming_strokes", "count", "sum", ["count"], 0, 30),
    "time_in_daylight": ("daylight_minutes", "min", "sum", ["min", "hr"], 0, 1),
    "physical_effort": ("physical_effort", "MET", "mean", ["kcal/hr·kg", "MET"], 1, 12),
    "running_speed": ("running_speed", "km/hr", "mean", SPEED, 5, 20),
    "running_power": ("running_power", "W", "mean", ["W", "watts"], 50, 500),
    "running_stride_length": ("running_stride_length", "m", "mean", ["m", "ft", "cm"], 0.5, 2),
    "running_vertical_oscillation":
        ("running_vertical_oscillation", "cm", "mean", ["cm", "in"], 5, 15),
    "running_ground_contact_time":
        ("running_ground_contact_time", "ms", "mean", ["ms", "s"], 150, 350),
    "cycling_speed": ("cycling_speed", "km/hr", "mean", SPEED, 5, 50),
    "cycling_power": ("cycling_power", "W", "mean", ["W"], 50, 500),
    "cycling_cadence": ("cycling_cadence", "count/min", "mean", RATE, 40, 120),
    "walking_speed": ("walking_speed", "km/hr", "mean", SPEED, 2, 7),
    "walking_step_length": ("walking_step_length", "cm", "mean", ["cm", "in"], 40, 100),
    "walking_asymmetry_percentage": ("walking_asymmetry", "%", "mean", ["%"], 0, 100),
    "walking_double_support_percentage": ("walking_double_support", "%", "mean", ["%"], 0, 100),
    "walking_steadiness": ("walking_steadiness", "%", "mean", ["%"], 0, 100),
    "stair_speed_up": ("stair_speed_up", "m/s", "mean", ["m/s", "ft/s"], 0.1, 2),
    "stair_speed_down": ("stair_speed_down", "m/s", "mean", ["m/s", "ft/s"], 0.1, 2),
    "six_minute_walking_test_distance": ("six_minute_walk", "m", "mean", ["m", "ft"], 100, 800),
    "number_of_times_fallen": ("falls", "count", "entries", ["count", "falls"], 1, 2),
    "walking_heart_rate_average": ("walking_hr_avg", "count/min", "mean", RATE, 60, 140),
    "walking_heart_rate": ("walking_hr_avg", "count/min", "mean", RATE, 60, 140),
    "cardio_recovery": ("heart_rate_recovery", "count/min", "mean", RATE, 10, 60),
    "resting_heart_rate": ("resting_hr_avg", "count/min", "mean", RATE, 40, 90),
    "vo2_max": ("vo2_max", "mL/min·kg", "mean", ["ml/(kg·min)", "mL/min·kg"], 20, 60),
    "respiratory_rate": ("respiratory_rate", "count/min", "mean", RATE, 8, 25),
    "blood_oxygen_saturation": ("oxygen_saturation", "%", "mean", ["%"], 85, 100),
    "blood_glucose": ("blood_glucose", "mg/dL", "mean", ["mg/dL", "mmol/L"], 50, 250),
    "insulin_delivery": ("insulin", "IU", "entries", ["IU"], 1, 20),
    "body_temperature": ("body_temperature", "degC", "mean", HEAT, 35, 41),
    "basal_body_temperature": ("basal_body_temperature", "degC", "mean", HEAT, 35, 41),
    "apple_sleeping_wrist_temperature": ("wrist_temperature", "degC", "mean", HEAT, 30, 38),
    "breathing_disturbances": ("breathing_disturbances", "count", "mean", ["count"], 0, 20),
    "forced_vital_capacity": ("forced_vital_capacity", "L", "mean", ["L", "mL"], 2, 7),
    "peak_expiratory_flow_rate": ("peak_expiratory_flow", "L/min", "mean", ["L/min"], 200, 800),
    "inhaler_usage": ("inhaler_uses", "count", "entries", ["count"], 1, 3),
    "weight_body_mass": ("weight", "kg", "mean", MASS, 40, 150),
    "lean_body_mass": ("lean_mass", "kg", "mean", MASS, 30, 90),
    "body_fat_percentage": ("body_fat", "%", "mean", ["%"], 0.5, 60),
    "body_mass_index": ("body_mass_index", "count", "mean", ["count"], 15, 45),
    "waist_circumference": ("waist", "cm", "mean", ["cm", "in"], 60, 150),
    "height": ("height", "cm", "mean", ["cm", "in", "ft", "m"], 120, 210),
    "environmental_audio_exposure": ("environmental_sound", "dB", "level", ["dBASPL"], 30, 100),
    "headphone_audio_exposure": ("headphone_sound", "dB", "level", ["dBASPL", "dB"], 30, 100),
    "uv_exposure": ("uv_index", "count", "greatest", ["count"], 0, 11),
    "dietary_energy": ("dietary_energy", "kcal", "entries", ENERGY, 50, 900),
    "carbohydrates": ("carbohydrates", "g", "entries", DIET, 1, 90),
    "dietary_sugar": ("sugar", "g", "entries", DIET, 1, 90),
    "fiber": ("fiber", "g", "entries", DIET, 1, 20),
    "protein": ("protein", "g", "entries", DIET, 1, 60),
    "total_fat": ("fat", "g", "entries", DIET, 1, 60),
    "cholesterol": ("cholesterol", "mg", "entries", ["mg", "g"], 1, 90),
    "dietary_water": ("water", "mL", "entries",
                      ["mL", "L", "fl_oz", "fl_oz_us", "fl_oz_imp", "cup_us", "pt_us"], 50, 700),
    "caffeine": ("caffeine", "mg", "entries", ["mg"], 10, 200),
    "sodium": ("sodium", "mg", "entries", ["mg", "g"], 10, 900),
    "vitamin_d": ("vitamin_d", "mcg", "entries", ["mcg", "mg"], 1, 50),
    "vitamin_c": ("vitamin_c", "mg", "entries", ["mg"], 1, 200),
    "alcohol_consumption": ("alcoholic_drinks", "count", "entries", ["count"], 1, 3),
    "heart_rate": (None, "count/min", "heart", RATE + ["count/s"], 40, 180),
    "blood_pressure": (None, "mmHg", "pressure", ["mmHg", "kPa"], 50, 180),
    "mindful_minutes": ("mindful_minutes", "min", "union", ["min", "hr", "s"], 1, 30),
}
HEART = ["heart_rate_min", "heart_rate_avg", "heart_rate_max"]
PRESSURE = ["blood_pressure_systolic", "blood_pressure_diastolic"]
# What holds until it is measured again: a day also has the latest value, and when it was measured.
LEVELS = {
    "resting_hr_avg", "vo2_max", "oxygen_saturation", "blood_glucose", "body_temperature",
    "basal_body_temperature", "weight", "lean_mass", "body_fat", "body_mass_index", "waist", "height",
}
STAGES = {"Core": "core", "Deep": "deep", "REM": "rem", "Awake": "awake"}
ZONES = [
    ("Europe/Berlin", date(2024, 3, 31)), ("Europe/Berlin", date(2024, 10, 27)),
    ("America/New_York", date(2024, 3, 10)), ("America/New_York", date(2024, 11, 3)),
    ("Australia/Lord_Howe", date(2024, 4, 7)), ("Asia/Kathmandu", date(2024, 6, 10)),
    ("Pacific/Kiritimati", date(2024, 1, 1)), ("UTC", date(2024, 12, 31)),
]
RANK = {"Ann\u2019s Apple Watch": 0, "Ann\u2019s iPhone": 1}
OTHER = "Pedometer++"


def convert(number, spelling, unit):
    """A payload's number in the unit of a key."""
    if spelling in ALIKE or unit in ALIKE.values():
        if ALIKE[spelling] != ALIKE.get(unit, unit):
            raise ValueError(f"{spelling} is not {unit}")
        return number
    if unit == "mg/dL":
        return number * 18.015588 if spelling == "mmol/L" else number
    target = UNITS.Unit(SPELLINGS[unit])
    return UNITS.Quantity(number, SPELLINGS[spelling]).to(target).magnitude


# --- reading ---------------------------------------------------------------------------------

def moment(text, zone):
    """(seconds since 1970, date as written, whether it is a midnight) of a payload's date."""
    text = re.sub("[\u202f\u00a0]", " ", text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        day = date.fromisoformat(text)
        return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()), day, True
    for form in ("%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %I:%M:%S %p %z", "%Y-%m-%dT%H:%M:%S%z"):
        try:
            at = datetime.strptime(text, form)
        except ValueError:
            continue
        return int(at.timestamp()), at.date(), (at.hour, at.minute, at.second) == (0, 0, 0)
    raise ValueError(text)


def local(seconds, zone):
    return datetime.fromtimestamp(seconds, zone).date()


def night(seconds, zone):
    at = datetime.fromtimestamp(seconds, zone)
    return at.date() + timedelta(days=1 if at.hour >= 18 else 0)


def rank(source):
    return RANK.get(source, 2)


class Rows:
    """The rows of one metric with their numbers already converted: distinct, but for entries."""

    def __init__(self, rows, zone, take, entries=False):
        self.zone, self.daily, self.entries, seen = zone, True, entries, set()
        self.rows = []
        for row in rows or []:
            numbers = take(row)
            if numbers is None:
                continue
            start = row.get("startDate") or row.get("start") or row["date"]
            end = row.get("endDate") or row.get("end")
            at, written, midnight = moment(start, zone)
            until = moment(end, zone)[0] if end else None
            self.daily = self.daily and midnight and until is None
            key = (at, until, row.get("source", ""), tuple(sorted(numbers.items())))
            if entries or key not in seen:
                seen.add(key)
                self.rows.append((at, until, written, row.get("source", ""), numbers))

    def by_day(self):
        """Each day's rows by the middle of the row, or the one row of the whole day."""
        days = defaultdict(list)
        if self.daily:
            for row in self.rows:
                known = days.get(row[2])
                if self.entries:
                    days[row[2]].append(row)
                elif not known or rank(row[3]) <= rank(known[0][3]):
                    days[row[2]] = [row]
            return days
        for row in self.rows:
            middle = row[0] + ((row[1] or row[0]) - row[0]) // 2
            days[local(middle, self.zone)].append(row)
        return days


    def latest(self, own, day):
        """The numbers of the row of a day that ended last, and how many minutes after the day's start, if on it."""
        def place(row):
            at, until, _, source, numbers = row
            return (-(until or at), -at, "|" not in source, rank(source), source == "", source,
                    -max(numbers.values()))

        at, until, _, _, numbers = min(own, key=place)
        start, end = first_second(day, self.zone), first_second(day + timedelta(1), self.zone)
        return numbers, ((until or at) - start) / 60 if start <= (until or at) <= end else None


def minutes_of(at, until):
    """The minutes that a row stands for; a moment stands for its own."""
    if until is None or until == at:
        return [at // 60 * 60]
    return range(at, until, 60)


def read_quantity(name, series, zone, found):
    key, unit, how, _, _, _ = TABLE[name]
    spelling = series["units"]

    def number(row):
        value = row.get("qty")
        return None if value is None else {"qty": convert(value, spelling, unit)}

    def heart(row):
        named = {part: convert(row[part], spelling, unit) for part in ("Min", "Avg", "Max")
                 if row.get(part) is not None}
        return named or number(row)

    def pressure(row):
        if row.get("systolic") is None or row.get("diastolic") is None:
            return None
        return {part: convert(row[part], spelling, unit) for part in ("systolic", "diastolic")}

    take = {"heart": heart, "pressure": pressure}.get(how, number)
    rows = Rows(series["data"], zone, take, how == "entries")
    if how == "heart":
        for day, own in rows.by_day().items():
            for part, key, fold in (("Min", HEART[0], min), ("Max", HEART[2], max)):
                values = [r[4].get(part, r[4].get("qty") if not rows.daily else None) for r in own]
                values = [v for v in values if v is not None]
                if values:
                    found[day][key] = fold(values)
            values = [r[4].get("Avg", r[4].get("qty")) for r in own]
            values = [v for v in values if v is not None]
            if values:
                found[day][HEART[1]] = sum(values) / len(values)
    elif how == "pressure":
        for day, own in rows.by_day().items():
            for part, key in zip(("systolic", "diastolic"), PRESSURE):
                found[day][key] = sum(r[4][part] for r in own) / len(own)
            if not rows.daily:
                numbers, minutes = rows.latest(own, day)
                found[day] |= {"blood_pressure_latest_time": minutes} if minutes is not None else {}
                for part, key in zip(("systolic", "diastolic"), PRESSURE):
                    found[day][f"{key}_latest"] = numbers[part]
    elif rows.daily:
        for day, own in rows.by_day().items():
            found[day][key] = sum(r[4]["qty"] for r in own)
    elif how == "sum":
        # Each minute counts once: that of the best source with more than nothing.
        seen = defaultdict(dict)
        for at, until, _, source, numbers in rows.rows:
            each = minutes_of(at, until)
            for minute in each:
                part = seen[minute].get(source, 0)
                seen[minute][source] = part + numbers["qty"] / len(each)
        for minute, sources in seen.items():
            best = min((s for s in sources if sources[s] > 0), key=rank, default=None)
            day = found[local(minute, zone)]
            day[key] = day.get(key, 0) + (sources[best] if best else 0)
    elif how == "union":
        minutes = set()
        for at, _, _, _, numbers in rows.rows:
            minutes |= {at + i for i in range(int(round(numbers["qty"] * 60, 6) + 0.5))}
        for second in minutes:
            day = found[local(second, zone)]
            day[key] = day.get(key, 0) + 1 / 60
    else:
        for day, own in rows.by_day().items():
            values = [r[4]["qty"] for r in own]
            if how == "level":
                lengths = [60 if not r[1] or r[1] == r[0] else r[1] - r[0] for r in own]
                energy = sum(10 ** (v / 10) * n for v, n in zip(values, lengths))
                found[day][key] = 10 * math.log10(energy / sum(lengths))
            else:
                found[day][key] = {"mean": sum(values) / len(values), "entries": sum(values),
                                   "greatest": max(values)}[how]
            if key in LEVELS:
                stem = key.removesuffix("_avg")
                numbers, minutes = rows.latest(own, day)
                found[day] |= {f"{stem}_latest_time": minutes} if minutes is not None else {}
                found[day][f"{stem}_latest"] = numbers["qty"]


def read_sleep(series, zone, found):
    minutes, summaries = defaultdict(set), []
    for row in series["data"] or []:
        if row.get("value"):
            start, end = (moment(row[k], zone)[0] for k in ("startDate", "endDate"))
            # Seconds, for fixtures are not on whole minutes.
            for second in range(start, end):
                minutes[second].add((row.get("source", ""), row["value"].replace(" ", "")))
        else:
            summaries.append(row)
    slept = {night(s, zone) for s, said in minutes.items()
             if {value for _, value in said} - {"InBed", "Awake"}}
    for row in summaries:
        factor = {"hr": 60, "min": 1}[series["units"]]
        end = row.get("sleepEnd") or row.get("inBedEnd")
        day = night(moment(end, zone)[0] - 1, zone) if end else moment(row["date"], zone)[1]
        for part in STAGES.values():
            if row.get(part) and day not in slept:
                found[day][f"sleep_{part}_minutes"] = row[part] * factor
    sampled = defaultdict(lambda: defaultdict(int))
    # Of stages and waking, at each moment those of one source: with stages first, then by rank.
    staged = defaultdict(int)
    for second, said in minutes.items():
        for source in {source for source, value in said if value in ("Core", "Deep", "REM")}:
            staged[night(second, zone), source] += 1
    for second, said in minutes.items():
        day = night(second, zone)
        told = [((staged[day, source] == 0, rank(source), -staged[day, source], source),
                 ["Deep", "REM", "Core", "Awake"].index(value), value)
                for source, value in said if value in STAGES]
        if told:
            sampled[day][f"sleep_{STAGES[min(told)[2]]}_minutes"] += 1
    for day, parts in sampled.items():
        for key, seconds in parts.items():
            found[day][key] = seconds / 60


def read(payload, zone):
    found = defaultdict(dict)
    data = payload["data"]
    for series in (data.get("metrics") or []) if isinstance(data, dict) else []:
        if series["name"] == "sleep_analysis":
            read_sleep(series, zone, found)
        elif series["name"] in TABLE:
            read_quantity(series["name"], series, zone, found)
    for numbers in found.values():
        numbers.pop("resting_hr_avg", None)  # a required one
    return {str(day): numbers for day, numbers in found.items() if numbers}


# --- making ----------------------------------------------------------------------------------

def writer(rng, zone):
    twelve, blank = rng.random() < 0.4, rng.choice([" ", "\u202f", "\u00a0"])

    def write(seconds):
        at = datetime.fromtimestamp(seconds, zone)
        if not twelve:
            return at.strftime("%Y-%m-%d %H:%M:%S %z")
        return at.strftime(f"%Y-%m-%d {at.hour % 12 or 12}:%M:%S{blank}%p %z")
    return write


def first_second(day, zone):
    at = int(datetime(day.year, day.month, day.day, tzinfo=timezone.utc).timestamp()) - 16 * 3600
    while local(at, zone) < day:
        at += 900
    return at


def quantity_rows(rng, name, spelling, begin, end, write, daily_starts):
    _, unit, how, _, least, most = TABLE[name]
    least, most = (back(bound, spelling, unit) for bound in (least, most))

    def value():
        return rng.choice([rng.uniform(least, most), round(rng.uniform(least, most), 1)])

    def members():
        if how == "heart" and rng.random() < 0.7:
            return dict(zip(("Min", "Avg", "Max"), sorted(value() for _ in range(3))))
        if how == "pressure":
            high, low = sorted((value(), value()), reverse=True)
            return {"systolic": high, "diastolic": low}
        return {"qty": value()}

    if daily_starts:
        return [{"date": write(at), **members(), "source": rng.choice(list(RANK) + [OTHER])}
                for at in daily_starts]
    rows = []
    if how == "sum":
        for source in rng.sample(list(RANK) + [OTHER], rng.randint(1, 3)):
            at = begin + 60 * rng.randrange(1, 120)
            while at < end - 7200:
                length = rng.choice([1, 2, 7, 45])
                row = {"startDate": write(at), "endDate": write(at + 60 * length), **members(),
                       "source": source}
                rows.append(row)
                at += 60 * (length + rng.choice([0, 3, 90, 300]))
    else:
        for at in sorted(rng.sample(range(begin + 1, end - 7200), rng.randrange(1, 14))):
            at += at % 900 == 0
            row = {"date": write(at), **members(), "source": rng.choice(list(RANK) + [""])}
            if how == "level":
                length = rng.choice([60, 600, 3600])
                row.update(start=row.pop("date"), end=write(at + length))
            rows.append(row)
    rows += rng.sample(rows, min(2, len(rows)))
    rng.shuffle(rows)
    return rows


def back(number, spelling, unit):
    """The number of a key's unit in a payload's spelling."""
    if spelling in ALIKE:
        return number
    if unit == "mg/dL":
        return number / 18.015588 if spelling == "mmol/L" else number
    return UNITS.Quantity(number, SPELLINGS[unit]).to(SPELLINGS[spelling]).magnitude


def sleep_rows(rng, begin, end, write):
    rows = []
    for _ in range(rng.randint(1, 20)):
        at = rng.randrange(begin, end - 9 * 3600) // 60 * 60
        length = rng.choice([5, 20, 45, 120])
        value = rng.choice(["Core", "Deep", "REM", "Awake", "In Bed", "Asleep"])
        rows.append({"startDate": write(at), "endDate": write(at + 60 * length),
                     "qty": length / 60, "value": value, "source": rng.choice(list(RANK))})
    return rows


def make(rng):
    name, around = rng.choice(ZONES)
    zone = ZoneInfo(name)
    write = writer(rng, zone)
    days = [around + timedelta(days=i) for i in (-1, 0, 1)]
    begin, end = first_second(days[0], zone), first_second(days[-1] + timedelta(days=1), zone)
    starts = [first_second(day, zone) for day in days] if rng.random() < 0.4 else None
    names = rng.sample(sorted(TABLE), 25)
    if {"walking_heart_rate", "walking_heart_rate_average"} <= set(names):
        names.remove("walking_heart_rate")  # two names of one metric
    metrics = []
    for metric in names:
        spelling = rng.choice(TABLE[metric][3])
        rows = quantity_rows(rng, metric, spelling, begin, end, write, starts)
        metrics.append({"name": metric, "units": spelling, "data": rows})
    metrics.append({"name": "sleep_analysis", "units": "hr",
                    "data": sleep_rows(rng, begin, end, write)})
    rng.shuffle(metrics)
    return name, {"data": {"metrics": metrics}}


def main():
    seed, count = map(int, sys.argv[1:3])
    cases = [make(random.Random(f"{seed}-{index}")) for index in range(count)]
    for argument in sys.argv[3:]:
        zone, _, path = argument.partition("=")
        with open(path, encoding="utf-8") as file:
            cases.append((zone, json.load(file)))
    for zone, payload in cases:
        print(json.dumps({
            "zone": zone, "payload": json.dumps(payload),
            "expected": read(payload, ZoneInfo(zone))}))


main()
