"""Works out the days of payloads of Health Auto Export, some made at random.

Usage: payload_days.py SEED COUNT [ZONE=FILE ...]
Prints one JSON object a line: {"zone", "payload" (text), "days", "unsupported" (see health_days.py)}, for COUNT random
payloads and for each file. Written from docs/METRICS-JSON.md and docs/DAYS.md.
"""
import json
import random
import re
import sys
from collections import defaultdict
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from health_days import PRESSURES, REQUIRED, Count, Days, Sample, rank, stretches
from health_units import convert

# What the app and others write for a unit of HealthKit.
SPELLINGS = {
    "bpm": "count/min", "count/h": "count/hr", "steps": "count", "falls": "count", "ml/(kg·min)": "mL/min·kg", "MET": "kcal/hr·kg",
    "dB": "dBASPL", "mph": "mi/hr", "kmph": "km/hr", "fl_oz": "fl_oz_us", "watts": "W",
}
ENERGY, MASS, DIET = ["kcal", "kJ", "cal"], ["kg", "lb", "st"], ["g", "mg", "oz"]
LENGTH, SPEED, RATE = ["km", "mi", "m", "ft"], ["km/hr", "mi/hr", "m/s", "mph"], ["count/min", "bpm"]
HEAT = ["degC", "degF"]
# name: (keys, unit of the key, how, unit spellings, smallest and greatest in the key's unit)
TABLE = {
    "step_count": ("steps", "count", "sum", ["count", "steps"], 0, 59),
    "active_energy": ("active_energy_kcal", "kcal", "sum", ENERGY + ["Cal"], 0, 59),
    "apple_exercise_time": ("exercise_minutes", "min", "sum", ["min", "hr"], 0, 2),
    "apple_stand_hour": (None, "count", "stand", ["count"], 0, 1),
    "heart_rate_variability": ("hrv_sdnn_avg", "ms", "mean", ["ms", "s"], 20, 120),
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
    "physical_effort": ("physical_effort", "kcal/hr·kg", "mean", ["kcal/hr·kg", "MET"], 1, 12),
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
    "resting_heart_rate":
        ("resting_hr_avg", "count/min", "mean", RATE + ["count/s", "count/h"], 40, 90),
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
    "environmental_audio_exposure": ("environmental_sound", "dBASPL", "level", ["dBASPL"], 30, 100),
    "headphone_audio_exposure": ("headphone_sound", "dBASPL", "level", ["dBASPL", "dB"], 30, 100),
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
STAGES = {"Core": "core", "Deep": "deep", "REM": "rem", "Awake": "awake"}
KINDS = STAGES | {"InBed": "in_bed", "Asleep": "unspecified"}
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


# --- reading ---------------------------------------------------------------------------------

def moment(text, days):
    """(seconds since 1970, date as written, whether a day begins then) of a payload's date."""
    text = re.sub("[\u202f\u00a0]", " ", text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        day = date.fromisoformat(text)
        return days.bounds(day)[0], day, True
    for form in ("%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %I:%M:%S %p %z", "%Y-%m-%dT%H:%M:%S%z"):
        try:
            at = datetime.strptime(text, form)
        except ValueError:
            continue
        seconds = int(at.timestamp())
        is_start = (at.hour, at.minute, at.second) == (0, 0, 0) or seconds == days.bounds(at.date())[0]
        return seconds, at.date(), is_start
    raise ValueError(text)


def numbers_of(row, how):
    """The numbers of a row by the way to count them."""
    if how == "heart":
        named = {way: row[part] for part, way in (("Min", "least"), ("Avg", "mean"), ("Max", "greatest"))
                 if row.get(part) is not None}
        how = "qty"
        if named:
            return named
    if how == "pressure":
        both = [row.get("systolic"), row.get("diastolic")]
        return {} if None in both else dict(zip(PRESSURES, both))
    return {} if row.get("qty") is None else {how: row["qty"]}


def rows_of(series, days, how):
    """Distinct rows, but for entries: each with its sample, its date as written and its numbers."""
    rows, seen, daily = [], set(), True
    for row in series["data"] or []:
        numbers = numbers_of(row, how)
        if not numbers:
            continue
        start, written, is_start = moment(row.get("startDate") or row.get("start") or row["date"], days)
        end = row.get("endDate") or row.get("end")
        daily = daily and is_start and end is None
        sample = Sample(start, moment(end, days)[0] if end else start, row.get("source", ""))
        key = (start, sample.end, sample.source, tuple(sorted(numbers.items())))
        if how == "entries" or key not in seen:
            seen.add(key)
            rows.append((sample, written, numbers))
    return rows, daily


def whole_days(rows, how):
    """Each day's rows: the one of the best source that came last, or all entries."""
    found = defaultdict(list)
    for row in rows:
        known = found[row[1]]
        if how == "entries":
            known.append(row)
        elif not known or rank(row[0].source) <= rank(known[0][0].source):
            found[row[1]] = [row]
    return found


def read_quantity(name, series, days, count):
    key, unit, how, _, _, _ = TABLE[name]
    own = SPELLINGS.get(series["units"], series["units"])
    rows, daily = rows_of(series, days, how)
    keys = {"heart": dict(zip(("least", "mean", "greatest"), HEART)), "pressure": {half: half for half in PRESSURES},
            "stand": {"stand": "stand_hours"}}.get(how, {how: key})
    if daily:
        for day, found in whole_days(rows, how).items():
            for way, key in keys.items():
                # One number of a whole day's heart rate is its mean.
                values = [convert(numbers.get(way, numbers.get("qty")), own, unit) for _, _, numbers in found
                          if way in numbers or way == "mean"]
                if None in values:
                    count.refuse(day, key)
                elif values:
                    count.numbers[day][key] = sum(values)
    elif how == "stand":
        count.stand((sample, numbers[how] > 0) for sample, _, numbers in rows)
    elif how == "union":
        count.union(key, [
            Sample(sample.start, sample.start + int(round(convert(numbers[how], own, "s"), 6) + 0.5), "")
            for sample, _, numbers in rows])
    else:
        for way, key in keys.items():
            count.quantity(key, "mean" if way in PRESSURES else way, unit, [
                (sample, numbers.get(way, numbers.get("qty")), own) for sample, _, numbers in rows
                if way in numbers or "qty" in numbers])


def read_sleep(series, days, count):
    samples, nights = [], defaultdict(list)
    factor = {"hr": 60, "min": 1}[series["units"]]
    for row in series["data"] or []:
        if row.get("value"):
            start, end = (moment(row[k], days)[0] for k in ("startDate", "endDate"))
            samples.append((Sample(start, end, row.get("source", "")), KINDS[row["value"].replace(" ", "")]))
        else:
            end = row.get("sleepEnd") or row.get("inBedEnd")
            nights[days.night(moment(end, days)[0] - 1) if end else moment(row["date"], days)[1]].append(row)
    slept = {day for sample, kind in samples if kind not in ("in_bed", "awake")
             for day in days.touched(sample.start, sample.end, 18)}
    lain = {day for sample, kind in samples if kind == "in_bed" for day in days.touched(sample.start, sample.end, 18)}
    for day, rows in nights.items():
        told = defaultdict(float)
        for row, share in shares(rows, "sleep", days):
            for kind, number in sleep_parts(row, factor, days).items():
                told[kind] += number * share
        for row, share in shares([row for row in rows if row.get("inBed")], "inBed", days):
            told["in_bed"] += row["inBed"] * share
        for kind, number in told.items():
            if number and day not in (lain if kind == "in_bed" else slept):
                count.numbers[day][f"sleep_{kind}_minutes"] = number * factor
    count.sleep(samples)


def span(row, what, days):
    """The seconds in which a summary begins and ends; of a time in bed without times those of its sleep."""
    ends = [row.get(what + "Start"), row.get(what + "End")]
    if None in ends and what == "inBed":
        return span(row, "sleep", days)
    return None if None in ends else tuple(moment(end, days)[0] for end in ends)


def sleep_parts(row, factor, days):
    """The stages and the sleep of a summary, in its unit."""
    parts = {kind: row.get(kind) or 0 for kind in ("core", "deep", "rem", "awake")}
    stages, asleep, times = parts["core"] + parts["deep"] + parts["rem"], row.get("asleep") or 0, span(row, "sleep", days)
    is_sum = times and (stages + asleep) * factor > (times[1] - times[0]) / 60 + 1e-6
    return parts | {"asleep": row.get("totalSleep") or (asleep if is_sum else stages + asleep)}


def shares(rows, what, days):
    """Summaries with how much of each counts: what of its time the better ones leave, which have stages or are longer."""
    def place(numbered):
        number, row = numbered
        is_staged = what == "sleep" and any(row.get(stage) for stage in ("core", "deep", "rem"))
        begin, end = span(row, what, days) or (0, 0)
        return not is_staged, begin - end, -number

    taken, found = [], []
    for _, row in sorted(enumerate(rows), key=place):
        times = span(row, what, days)
        if not times:
            # A night as such.
            found += [] if found else [(row, 1)]
            continue
        free = sum(end - begin for begin, end in stretches(taken + [times], *times)
                   if not any(first <= begin and end <= last for first, last in taken))
        found.append((row, free / (times[1] - times[0])))
        taken.append(times)
    return found


def read(payload, zone):
    count = Count(Days(zone))
    data = payload["data"]
    for series in (data.get("metrics") or []) if isinstance(data, dict) else []:
        if series["name"] == "sleep_analysis":
            read_sleep(series, count.days, count)
        elif series["name"] in TABLE:
            read_quantity(series["name"], series, count.days, count)
    return count.told()


# --- making ----------------------------------------------------------------------------------

def writer(rng, zone):
    """Writes moments as the app does: in the phone's zone, with either clock."""
    twelve, blank, upper = rng.random() < 0.4, rng.choice([" ", "\u202f", "\u00a0"]), rng.random() < 0.5

    def write(seconds):
        at = datetime.fromtimestamp(seconds, zone)
        if not twelve:
            return at.strftime("%Y-%m-%d %H:%M:%S %z")
        half = ("AM", "PM")[at.hour >= 12]
        return at.strftime(
            f"%Y-%m-%d {at.hour % 12 or 12}:%M:%S{blank}{half if upper else half.lower()} %z")
    return write


class Making:
    """Three days of a zone, on a phone that may be in another one."""

    def __init__(self, rng):
        self.rng = rng
        self.zone, around = rng.choice(ZONES)
        self.phone = self.zone if rng.random() < 0.7 else rng.choice(ZONES)[0]
        self.days, self.write = Days(self.zone), writer(rng, ZoneInfo(self.phone))
        self.dates = [around + timedelta(days=i) for i in range(-1, 2)]
        self.begin, self.end = self.days.bounds(self.dates[0])[0], self.days.bounds(self.dates[-1])[1]
        self.is_daily = rng.random() < 0.5

    def members(self, how, least, most):
        rng = self.rng

        def value():
            return rng.choice([rng.uniform(least, most), round(rng.uniform(least, most), 1)])

        if how == "heart" and rng.random() < 0.7:
            return dict(zip(("Min", "Avg", "Max"), sorted(value() for _ in range(3))))
        if how == "pressure":
            high, low = sorted((value(), value()), reverse=True)
            return {"systolic": high, "diastolic": low}
        if how == "stand":
            return {"qty": rng.randint(0, 20 if self.is_daily else 1)}
        return {"qty": rng.choice([0, value(), value()]) if how == "sum" else value()}

    def starts(self):
        """The first moments of the phone's days. That one begins at 01:00 nobody knows in another zone."""
        for day in self.dates:
            at = Days(self.phone).bounds(day)[0]
            if self.phone == self.zone or not datetime.fromtimestamp(at, ZoneInfo(self.phone)).hour:
                yield at

    def quantity(self, name):
        rng, write = self.rng, self.write
        key, unit, how, spellings, least, most = TABLE[name]
        spelling = rng.choice(spellings)
        least, most = (convert(bound, unit, SPELLINGS.get(spelling, spelling)) for bound in (least, most))
        rows = []
        if self.is_daily:
            if key in REQUIRED and rng.random() < 0.15:
                spelling = "furlong"
            rows = [{"date": write(at), **self.members(how, least, most),
                     "source": rng.choice([WATCH, PHONE, OTHER, f"{WATCH}|{PHONE}", ""])} for at in self.starts()]
        elif how == "sum":
            intervals = rng.random() < 0.6
            for source in rng.sample([WATCH, PHONE, OTHER], rng.randint(1, 3)):
                at = self.begin + 60 * rng.randrange(1, 120)
                while at < self.end - 7200:
                    length = rng.choice([1, 2, 5, 7, 30, 90]) if intervals else 1
                    when = ({"startDate": write(at), "endDate": write(at + 60 * length)} if intervals
                            else {"date": write(at + rng.choice([0, 0, 17, 59]))})
                    rows.append(when | self.members(how, least, most) | {"source": source})
                    at += 60 * (length + rng.choice([0, 0, 3, 45, 200]))
        elif how == "stand":
            rows = [{"date": write(hour + rng.randrange(1, 3600)), **self.members(how, least, most), "source": source}
                    for hour in range(self.begin, self.end, 3600) for source in (WATCH, PHONE) if rng.random() < 0.4]
        else:
            for at in rng.sample(range(self.begin + 1, self.end - 7200), rng.randrange(1, 14)):
                at += at % 900 == 0
                row = {"date": write(at), **self.members(how, least, most),
                       "source": rng.choice([WATCH, PHONE, OTHER, ""])}
                if how == "level":
                    row.update(start=row.pop("date"), end=write(at + rng.choice([60, 600, 3600])))
                rows.append(row)
        # Some are captured twice.
        rows += rng.sample(rows, min(2, len(rows))) if how != "entries" or not self.is_daily else []
        rng.shuffle(rows)
        return {"name": name, "units": spelling, "data": rows or rng.choice([None, []])}

    def sleep(self):
        """Samples, or a summary of each night."""
        rng, write, rows = self.rng, self.write, []
        if self.is_daily:
            for day in self.dates:
                rows += self.summary(self.days.bounds(day)[0]) if rng.random() < 0.8 else []
            return {"name": "sleep_analysis", "units": "hr", "data": rows}
        for source in rng.sample([WATCH, PHONE, OTHER], rng.randint(0, 3)):
            values = rng.choice([["Core", "Deep", "REM", "Awake"], ["In Bed", "Asleep"], ["Asleep", "Awake"], ["InBed"],
                                 ["Core", "Awake", "Asleep", "In Bed"]])
            for _ in range(rng.randint(1, 25)):
                at = rng.randrange(self.begin, self.end - 3600 * 9) // 60 * 60
                length = rng.choice([1, 5, 20, 45, 120, 480])
                rows.append({"startDate": write(at), "endDate": write(at + 60 * length), "qty": length / 60,
                             "value": rng.choice(values), "source": source})
        rows += rows[:2]
        rng.shuffle(rows)
        return {"name": "sleep_analysis", "units": "hr", "data": rows}

    def summary(self, midnight):
        """The row of a night, which ends well within the window of both zones' days."""
        rng, write = self.rng, self.write
        start = midnight + rng.randrange(-4 * 3600, 3 * 3600)
        stop = start + rng.randrange(3 * 3600, 12 * 3600)
        bed, span = start - rng.randrange(0, 3000), (stop - start) / 3600
        row = {"date": write(stop), "sleepStart": write(start), "sleepEnd": write(stop), "inBedStart": write(bed),
               "inBedEnd": write(stop), "source": WATCH,
               "inBed": rng.choice([(stop - bed) / 3600, (stop - bed) / 3600, 0, None])}
        stages = {"core": span * 0.5, "deep": span * 0.2, "rem": span * 0.15}
        row |= rng.choice([
            {"asleep": span * 0.85}, stages | {"asleep": span * 0.85, "awake": span * 0.15},
            stages | {"asleep": span * 0.1}, stages | {"totalSleep": span * 0.85, "asleep": 0}])
        # An earlier capture of the same night.
        early = [row | {"sleepEnd": write(stop - 3600), "inBedEnd": write(stop - 3600)}] if rng.random() < 0.3 else []
        # What another program makes of it.
        first, last = start + 60 * rng.randrange(-90, 90), stop + 60 * rng.randrange(-90, 90)
        span = (last - first) / 3600
        other = {"date": write(last), "sleepStart": write(first), "sleepEnd": write(last), "source": OTHER}
        other |= rng.choice([{"totalSleep": span * 0.9}, {"totalSleep": span * 0.8, "core": span * 0.8, "rem": 0}])
        return early + [row] + ([other] if rng.random() < 0.4 else [])


def make(rng):
    made = Making(rng)
    names = [name for name, row in TABLE.items() if row[0] in REQUIRED or row[2] == "stand"]
    names = rng.sample(names, 5) + rng.sample(sorted(TABLE.keys() - set(names)), 20)
    if {"walking_heart_rate", "walking_heart_rate_average"} <= set(names):
        names.remove("walking_heart_rate")  # two names of one metric
    metrics = [made.quantity(name) for name in names] + [made.sleep()]
    rng.shuffle(metrics)
    return made.zone, {"data": {"metrics": metrics}} | ({"workouts": []} if rng.random() < 0.3 else {})


def main():
    seed, count = map(int, sys.argv[1:3])
    cases = [make(random.Random(f"{seed}-{index}")) for index in range(count)]
    for argument in sys.argv[3:]:
        zone, _, path = argument.partition("=")
        with open(path, encoding="utf-8") as file:
            cases.append((zone, json.load(file)))
    for zone, payload in cases:
        print(json.dumps({"zone": zone, "payload": json.dumps(payload), **read(payload, zone)}))


if __name__ == "__main__":
    main()
