"""Works out the days of an Apple Health export, or makes an export whose days are worth it.

Usage: export_wider.py days EXPORT.xml ZONE   prints {"days": {date: {key: number}}, "table": {date:
                                              {type string: number}}, "records": {date: {"workouts":
                                              [id], "sleep": [id]}}, "unpaired": count}
       export_wider.py make SEED ZONE OUT.xml

Written from docs/DAYS.md and HealthKit's documentation. Every number is made anew: elements by expat,
units by pint, days by zoneinfo, overlaps by looking at each stretch between two boundaries, ids by
uuid.uuid5.
"""
import json
import math
import random
import re
import sys
import uuid
import xml.parsers.expat
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from xml.sax.saxutils import quoteattr
from zoneinfo import ZoneInfo

import pint

UNITS = pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
MOLE = 180.1558800000541  # grams of glucose
Q, C = "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"

# How exports write units, and what pint calls them; a float is a factor to the unit after it.
NAMES = {
    "count": "dimensionless", "kcal": "kcal", "Cal": "kcal", "cal": "cal", "kJ": "kJ", "min": "min",
    "hr": "hour", "s": "s", "ms": "ms", "count/min": "1/min", "count/s": "1/s", "kg": "kg",
    "g": "g", "mg": "mg", "mcg": "ug", "lb": "lb", "st": "stone", "oz": "oz", "km": "km", "m": "m",
    "cm": "cm", "mi": "mile", "in": "inch", "ft": "ft", "yd": "yard", "km/hr": "km/hour",
    "mi/hr": "mile/hour", "m/s": "m/s", "mL/min·kg": "mL/min/kg", "degC": "degC", "degF": "degF",
    "mmHg": "mmHg", "kPa": "kPa", "mg/dL": "mg/dL", "W": "W", "dBASPL": "dimensionless",
    "mL": "mL", "L": "L", "fl_oz_us": "US_fluid_ounce", "J": "J", "d": "day", "mm": "mm",
    "count/hr": "1/hour", "m/min": "m/min", "cm/s": "cm/s", "ft/s": "ft/s", "ft/min": "ft/min",
    "kW": "kW", "g/L": "g/L", "dL": "dL", "cL": "cL", "fl_oz_imp": "imperial_fluid_ounce",
    "cup_us": "cup", "cup_imp": "imperial_cup", "pt_us": "pint", "pt_imp": "imperial_pint",
    "L/min": "L/min", "L/s": "L/s", "mL/min": "mL/min", "K": "kelvin", "kcal/hr·kg": "kcal/hour/kg",
    "S": "siemens", "mcS": "microsiemens",
}
# key: (identifier, how a day is made, unit)
ROWS = {
    "steps": ("StepCount", "sum", "count"),
    "active_energy_kcal": ("ActiveEnergyBurned", "sum", "kcal"),
    "basal_energy": ("BasalEnergyBurned", "sum", "kcal"),
    "exercise_minutes": ("AppleExerciseTime", "sum", "min"),
    "move_minutes": ("AppleMoveTime", "sum", "min"),
    "distance_walking_running": ("DistanceWalkingRunning", "sum", "m"),
    "distance_cycling": ("DistanceCycling", "sum", "m"),
    "distance_swimming": ("DistanceSwimming", "sum", "m"),
    "flights_climbed": ("FlightsClimbed", "sum", "count"),
    "body_fat": ("BodyFatPercentage", "mean", "%"),
    "body_mass_index": ("BodyMassIndex", "mean", "count"),
    "carbohydrates": ("DietaryCarbohydrates", "entries", "g"),
    "protein": ("DietaryProtein", "entries", "g"), "fat": ("DietaryFatTotal", "entries", "g"),
    "fiber": ("DietaryFiber", "entries", "g"), "water": ("DietaryWater", "entries", "mL"),
    "dietary_energy": ("DietaryEnergyConsumed", "entries", "kcal"),
    "heart_rate_min": ("HeartRate", "least", "count/min"),
    "heart_rate_max": ("HeartRate", "greatest", "count/min"),
    "heart_rate_avg": ("HeartRate", "mean", "count/min"),
    "hrv_sdnn_avg": ("HeartRateVariabilitySDNN", "mean", "ms"),
    "resting_hr_avg": ("RestingHeartRate", "mean", "count/min"),
    "walking_hr_avg": ("WalkingHeartRateAverage", "mean", "count/min"),
    "lean_mass": ("LeanBodyMass", "mean", "kg"), "weight": ("BodyMass", "mean", "kg"),
    "waist": ("WaistCircumference", "mean", "cm"), "running_speed": ("RunningSpeed", "mean", "km/hr"),
    "vo2_max": ("VO2Max", "mean", "mL/min·kg"),
    "oxygen_saturation": ("OxygenSaturation", "mean", "%"),
    "blood_glucose": ("BloodGlucose", "mean", "mg/dL"),
    "respiratory_rate": ("RespiratoryRate", "mean", "count/min"),
    "wrist_temperature": ("AppleSleepingWristTemperature", "mean", "degC"),
    "six_minute_walk": ("SixMinuteWalkTestDistance", "mean", "m"),
    "blood_pressure_systolic": ("BloodPressureSystolic", "mean", "mmHg"),
    "blood_pressure_diastolic": ("BloodPressureDiastolic", "mean", "mmHg"),
    "environmental_sound": ("EnvironmentalAudioExposure", "level", "dBASPL"),
    "environmental_sound_reduction": ("EnvironmentalSoundReduction", "level", "dBASPL"),
}
# What holds until it is measured again: a day also has the latest value, and when it was measured.
LEVELS = {
    "resting_hr_avg", "vo2_max", "oxygen_saturation", "blood_glucose", "weight", "lean_mass", "body_fat",
    "body_mass_index", "waist", "blood_pressure_systolic", "blood_pressure_diastolic",
}
SLEEP = {"InBed": "in_bed", "Asleep": "unspecified", "AsleepUnspecified": "unspecified",
         "AsleepCore": "core", "AsleepDeep": "deep", "AsleepREM": "rem", "Awake": "awake"}
STAGES = {"core", "deep", "rem"}
# The table of 28 rows: type string, key, unit.
TABLE = [
    ("Apple Exercise Time (min)", "exercise_minutes", "min"),
    ("Apple Move Time (min)", "move_minutes", "min"), ("Body Fat Percentage (%)", "body_fat", "%"),
    ("Body Mass Index (count)", "body_mass_index", "count"),
    ("Carbohydrates (g)", "carbohydrates", "g"), ("Dietary Energy (kcal)", "dietary_energy", "kcal"),
    ("Fiber (g)", "fiber", "g"), ("Heart Rate [Min] (bpm)", "heart_rate_min", "count/min"),
    ("Heart Rate [Max] (bpm)", "heart_rate_max", "count/min"),
    ("Heart Rate [Avg] (bpm)", "heart_rate_avg", "count/min"),
    ("Heart Rate Variability (ms)", "hrv_sdnn_avg", "ms"),
    ("Lean Body Mass (lb)", "lean_mass", "lb"), ("Mindful Minutes (min)", "mindful_minutes", "min"),
    ("Protein (g)", "protein", "g"), ("Resting Heart Rate (bpm)", "resting_hr_avg", "count/min"),
    ("Running Speed (mi/hr)", "running_speed", "mi/hr"),
    ("Sleep Analysis [Asleep] (hr)", "sleep_asleep_minutes", "hr"),
    ("Sleep Analysis [In Bed] (hr)", "sleep_in_bed_minutes", "hr"),
    ("Sleep Analysis [Core] (hr)", "sleep_core_minutes", "hr"),
    ("Sleep Analysis [Deep] (hr)", "sleep_deep_minutes", "hr"),
    ("Sleep Analysis [REM] (hr)", "sleep_rem_minutes", "hr"),
    ("Sleep Analysis [Awake] (hr)", "sleep_awake_minutes", "hr"), ("Total Fat (g)", "fat", "g"),
    ("VO2 Max (ml/(kg·min))", "vo2_max", "mL/min·kg"), ("Waist Circumference (in)", "waist", "in"),
    ("Walking + Running Distance (mi)", "distance_walking_running", "mi"),
    ("Walking Heart Rate Average (bpm)", "walking_hr_avg", "count/min"),
    ("Weight/Body Mass (lb)", "weight", "lb"),
]


def convert(value, unit, target):
    """A number in a unit of an export as one in another; None if pint can't convert it."""
    if target == "%":
        return None if unit != "%" else value if value > 1 else value * 100
    if unit == target:
        return value
    if re.fullmatch(r"mmol<180\.15588\d*>/L|mmol/L", unit):
        value, unit = value * MOLE / 10, "mg/dL"
    if unit not in NAMES or (unit == "dBASPL") != (target == "dBASPL"):
        return None
    try:
        return UNITS.Quantity(value, NAMES[unit]).to(NAMES[target]).magnitude
    except pint.DimensionalityError:
        return None


def moment(text):
    return int(datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").timestamp())


class Sample:
    def __init__(self, a):
        self.type, self.unit, self.value = a["type"], a.get("unit", ""), a.get("value", "")
        self.start, self.end = moment(a["startDate"]), moment(a["endDate"])
        found = re.findall(r", hardware:((?:(?!, )[^>])*)", a.get("device", ""))
        self.name, self.hardware = a.get("sourceName", ""), found[-1] if found else ""
        self.by_hand, self.metadata = False, []
        counted = ("type", "unit", "value", "sourceName", "startDate", "endDate", "device")
        device = re.sub(r"^<<HKDevice: 0x[^,]*", "", a.get("device", ""))
        self.rest = sorted((k, v) for k, v in a.items() if k not in counted) + [device]

    @property
    def source(self):
        return (self.name, self.hardware, self.by_hand)

    @property
    def key(self):
        """What a record says; two that say the same are one entry if nothing else differs."""
        return (self.type, self.unit, self.value, self.start, self.end, self.source)

    @property
    def entry(self):
        return (*self.key, repr(self.rest), repr(sorted(self.metadata)))

    @property
    def extent(self):
        if self.end > self.start:
            return self.start, self.end
        minute = self.start // 60 * 60
        return minute, minute + 60

    def id(self, value="", unit=""):
        parts = [self.type, self.name, self.hardware, str(self.start), str(self.end), value, unit]
        namespace = uuid.UUID("7d5cc0a8-3c54-5b0e-9d0f-2f4a52f2b8a1")
        return str(uuid.uuid5(namespace, "\x1f".join(parts)))


def rank(source):
    name, hardware, by_hand = source
    if by_hand:
        return 0
    if hardware.startswith("Watch"):
        return 1
    if hardware.startswith("iPhone"):
        return 2
    return 1 if "watch" in name.lower() else 2 if "phone" in name.lower() else 3 if name else 4


def label(source):
    name, hardware, _ = source
    return f"{name} ({hardware})" if hardware else name


def read(path):
    """The entries and the workouts of an export, and when it was made."""
    with open(path, "rb") as file:
        data = file.read()
    begin = data.find(b"<!DOCTYPE")
    if begin >= 0:
        root = re.compile(rb"<HealthData[\s>/]").search(data).start()
        data = data[:begin] + data[root:]
    state = {"path": [], "made": None, "open": None}
    records, workouts, inside = [], [], []

    def begin_element(name, a):
        state["path"].append(name)
        parent = state["path"][1:-1]
        if name == "ExportDate" and not parent:
            state["made"] = moment(a["value"])
        elif name == "Record" and parent in ([], ["Correlation"]):
            state["open"] = Sample(a)
            (inside if parent else records).append(state["open"])
        elif name == "Workout" and not parent:
            workouts.append(Sample(a | {"type": a["workoutActivityType"]}))
        elif name == "MetadataEntry" and parent in (["Record"], ["Correlation", "Record"]):
            state["open"].metadata.append((a["key"], a["value"]))
            if a["key"] == "HKWasUserEntered":
                state["open"].by_hand = a["value"] == "1"

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = begin_element
    parser.EndElementHandler = lambda name: state["path"].pop()
    parser.Parse(data, True)
    outside = {record.key for record in records}
    records += [record for record in inside if record.key not in outside]
    return list({record.entry: record for record in records}.values()), workouts, state["made"]


class Days:
    def __init__(self, zone):
        self.zone = zone

    def date(self, at):
        return datetime.fromtimestamp(at, self.zone).date()

    def night(self, at):
        local = datetime.fromtimestamp(at, self.zone)
        return local.date() + timedelta(days=1 if local.hour >= 18 else 0)

    def bounds(self, day, hour=0):
        def at(date):
            return int(datetime(date.year, date.month, date.day, hour, tzinfo=self.zone).timestamp())
        return (at(day), at(day + timedelta(days=1))) if hour == 0 else (
            at(day - timedelta(days=1)), at(day))

    def touched(self, start, end, name):
        day, last = name(start), name(max(start, end - 1))
        while day <= last:
            yield day
            day += timedelta(days=1)


def stretches(spans, low, high):
    """The stretches of time between all boundaries of spans within a day."""
    cuts = sorted({low, high} | {cut for span in spans for cut in span if low < cut < high})
    return list(zip(cuts, cuts[1:]))


def total(samples, low, high):
    """A sum in which of what several sources saw at once the best counts."""
    offered = defaultdict(float)
    for sample, value in samples:
        start, end = sample.extent
        offered[sample.source] += value * (min(end, high) - max(start, low)) / (end - start)

    def place(source):
        return rank(source), -offered[source], label(source)

    result = 0.0
    for begin, end in stretches([sample.extent for sample, _ in samples], low, high):
        over = [(s, v) for s, v in samples if s.extent[0] <= begin and end <= s.extent[1] and v > 0]
        if over:
            best = min((s.source for s, _ in over), key=place)
            result += sum(v * (end - begin) / (s.extent[1] - s.extent[0])
                          for s, v in over if s.source == best)
    return result


def quantities(records, days, out):
    by_type = defaultdict(list)
    for record in records:
        by_type[record.type].append(record)
    halves = [{(s.name, s.hardware, s.start, s.end) for s in by_type[Q + "BloodPressure" + half]
               if float(s.value) >= 0} for half in ("Systolic", "Diastolic")]
    unpaired = 0
    for key, (name, way, unit) in ROWS.items():
        # A part of the samples gives no number: these are the days of those in an unknown unit.
        found, unknown = [], set()
        for sample in by_type[Q + name]:
            value = convert(float(sample.value), sample.unit, unit)
            if value is None and float(sample.value) >= 0 and sample.end >= sample.start:
                paired = not key.startswith("blood_pressure") or all(
                    (sample.name, sample.hardware, sample.start, sample.end) in half
                    for half in halves)
                middle = sample.start + (sample.end - sample.start) // 2
                if paired:
                    unknown.update(days.touched(*sample.extent, days.date) if way == "sum"
                                   else [days.date(middle)])
            if value is None or value < 0 or float(sample.value) < 0 or sample.end < sample.start:
                continue
            if key.startswith("blood_pressure") and not all(
                    (sample.name, sample.hardware, sample.start, sample.end) in half
                    for half in halves):
                unpaired += 1
                continue
            found.append((sample, value))
        if way == "sum":
            touching = defaultdict(list)
            for sample, value in found:
                for day in days.touched(*sample.extent, days.date):
                    touching[day].append((sample, value))
            for day, some in touching.items():
                if day not in unknown:
                    number = total(some, *days.bounds(day))
                    out[day][key] = round(number) if key == "steps" else number
            continue
        groups = defaultdict(list)
        for sample, value in found:
            middle = sample.start + (sample.end - sample.start) // 2
            groups[days.date(middle)].append((value, sample))
        for day, rows in groups.items():
            values = [value for value, _ in rows]
            if way == "level":
                times = [sample.extent[1] - sample.extent[0] for _, sample in rows]
                energy = sum(10 ** (value / 10) * time for value, time in zip(values, times))
                number = 10 * math.log10(energy / sum(times))
            else:
                number = {"mean": sum(values) / len(values), "least": min(values),
                          "greatest": max(values), "entries": sum(values)}[way]
            if day not in unknown:
                out[day][key] = number
                if key in LEVELS:
                    value, end = latest(rows)
                    pair = "blood_pressure" if key.startswith("blood_pressure") else None
                    stem = key.removesuffix("_avg")
                    out[day][f"{stem}_latest"] = value
                    first, last = days.bounds(day)
                    out[day] |= {f"{pair or stem}_latest_time": (end - first) / 60} if first <= end <= last else {}
    return unpaired


def latest(rows):
    """The value of the sample that ended last, and when it ended."""
    def place(row):
        value, sample = row
        return -sample.end, -sample.start, rank(sample.source), label(sample.source), -value

    value, sample = min(rows, key=place)
    return value, sample.end


def categories(records, made, days, out):
    mindful, hours, nights = defaultdict(list), defaultdict(set), defaultdict(list)
    for s in records:
        if s.type == C + "MindfulSession" and s.end > s.start:
            for day in days.touched(s.start, s.end, days.date):
                mindful[day].append(s)
        elif s.type == C + "AppleStandHour":
            local = datetime.fromtimestamp(s.start, days.zone)
            stood = s.value.endswith("Stood")
            hours[local.date()] |= {(local.hour, local.utcoffset())} if stood else set()
        elif s.type == C + "SleepAnalysis" and s.end > s.start and (made is None or s.end <= made):
            for day in days.touched(s.start, s.end, days.night):
                nights[day].append(s)
    for day, found in hours.items():
        out[day]["stand_hours"] = len(found)
    for day, some in mindful.items():
        out[day]["mindful_minutes"] = sum(
            end - begin for begin, end in stretches([(s.start, s.end) for s in some],
                                                    *days.bounds(day))
            if any(s.start <= begin and end <= s.end for s in some)) / 60
    for day, some in nights.items():
        seconds = defaultdict(int)
        kinds = [(s, SLEEP[s.value.removeprefix("HKCategoryValueSleepAnalysis")]) for s in some]
        low, high = days.bounds(day, 18)
        staging = {s.source for s, kind in kinds if kind in STAGES}
        staged = defaultdict(int)
        for begin, end in stretches([(s.start, s.end) for s in some], low, high):
            for source in {s.source for s, kind in kinds
                           if kind in STAGES and s.start <= begin and end <= s.end}:
                staged[source] += end - begin

        def place(source):
            return source not in staging, rank(source), -staged[source], label(source)

        for begin, end in stretches([(s.start, s.end) for s in some], low, high):
            now = {(s.source, kind) for s, kind in kinds if s.start <= begin and end <= s.end}
            if any(kind == "in_bed" for _, kind in now):
                seconds["in_bed"] += end - begin
            told = [(place(source), ["deep", "rem", "core", "awake"].index(kind), kind)
                    for source, kind in now if kind in STAGES | {"awake"}]
            if told:
                seconds[min(told)[2]] += end - begin
            asleep = {source for source, kind in now if kind in STAGES}
            awake = {source for source, kind in now if kind == "awake"}
            if asleep or (not awake & staging and any(
                    kind == "unspecified" and source not in awake for source, kind in now)):
                seconds["asleep"] += end - begin
        if any(kind in STAGES or kind == "unspecified" for _, kind in kinds):
            seconds["asleep"] += 0
        for kind, count in seconds.items():
            if kind != "unspecified":
                out[day][f"sleep_{kind}_minutes"] = count / 60


def work_out(path, zone):
    records, workouts, made = read(path)
    days, out, table = Days(ZoneInfo(zone)), defaultdict(dict), defaultdict(dict)
    unpaired = quantities(records, days, out)
    categories(records, made, days, out)
    for day, numbers in out.items():
        for name, key, unit in TABLE:
            if key in numbers:
                own = ROWS[key][2] if key in ROWS else "min"
                value = numbers[key]
                table[str(day)][name] = value if unit == own else convert(value, own, unit)
    found = defaultdict(lambda: {"workouts": set(), "sleep": set()})
    for workout in workouts:
        found[str(days.date(workout.start))]["workouts"].add(workout.id())
    for record in records:
        if record.type == C + "SleepAnalysis" and (made is None or record.end <= made):
            value = record.value.removesuffix("Unspecified")
            value = value + "Unspecified" if value.endswith("Asleep") else value
            found[str(days.night(record.start))]["sleep"].add(record.id(value))
    print(json.dumps({
        "days": {str(day): numbers for day, numbers in out.items()}, "table": table,
        "unpaired": unpaired,
        "records": {day: {kind: sorted(ids) for kind, ids in own.items()}
                    for day, own in found.items()}}))


SOURCES = [
    ("Ann’s Apple\u00a0Watch", "Watch6,2"), ("Ann’s iPhone", "iPhone14,5"), ("Pedometer++", ""),
    ("Old iPhone", ""),
]
MADE_UNITS = {
    "count": ["count"], "kcal": ["kcal", "Cal", "cal", "kJ", "J"], "min": ["min", "s", "hr", "d"],
    "m": ["m", "km", "mi", "yd", "ft", "mm"], "%": ["%"], "g": ["g", "mg", "oz"],
    "mL": ["mL", "L", "dL", "cL", "cup_imp", "fl_oz_us"],
    "count/min": ["count/min", "count/s", "count/hr"], "ms": ["ms", "s"], "kg": ["kg", "lb", "st", "g"],
    "cm": ["cm", "in", "m"], "km/hr": ["km/hr", "mi/hr", "m/s", "ft/s", "m/min"], "mL/min·kg": ["mL/min·kg"],
    "mg/dL": ["mg/dL", "g/L", "mmol<180.1558800000541>/L", "mmol/L"], "degC": ["degC", "degF"],
    "mmHg": ["mmHg", "kPa"], "dBASPL": ["dBASPL"],
}


def make(seed, zone, path):
    rng, zone = random.Random(seed), ZoneInfo(zone)
    noon = int(datetime(2024, 3, 29, 12, tzinfo=timezone.utc).timestamp())
    begin, end = noon - 4 * 86400, noon + 4 * 86400
    lines = []

    def stamp(at):
        shown = datetime.fromtimestamp(at, timezone(timedelta(hours=2)))
        return shown.strftime("%Y-%m-%d %H:%M:%S +0200")

    def attributes(source, start, stop):
        name, hardware = SOURCES[source]
        device = f"<<HKDevice: 0x{rng.randrange(1 << 32):x}>, name:X, hardware:{hardware}>"
        text = f"sourceName={quoteattr(name)}"
        if hardware:
            text += f" device={quoteattr(device)}"
        return text + f' startDate="{stamp(start)}" endDate="{stamp(stop)}"'

    def record(type, source, start, stop, value, unit=None, by_hand=False):
        text = f"<Record type={quoteattr(type)} {attributes(source, start, stop)}"
        text += f" unit={quoteattr(unit)}" if unit else ""
        text += f' value="{value}"'
        inner = '<MetadataEntry key="HKWasUserEntered" value="1"/>'
        return text + (f">{inner}</Record>" if by_hand else "/>")

    def add(line):
        lines.append(line)
        if rng.random() < 0.05:
            lines.append(line)
        if rng.random() < 0.05:
            # Alike, but entered at another moment.
            lines.append(line.replace(" startDate", f' creationDate="{stamp(end)}" startDate', 1))

    for name, way, unit in dict.fromkeys(ROWS.values()):
        if name.startswith("BloodPressure"):
            continue
        for _ in range(rng.randint(5, 60)):
            start = rng.randrange(begin, end)
            length = rng.choice([0, 60, 600, 3599, 20000, 200000]) if way == "sum" else (
                rng.choice([0, 5, 3000]))
            value = rng.choice([0, rng.randint(1, 300), round(rng.uniform(0, 300), 4)])
            if unit == "%":
                value = rng.choice([round(rng.random(), 4), rng.randint(2, 99), 1])
            elif unit == "dBASPL":
                value = round(rng.uniform(30, 100), 3)
            own = rng.choice(MADE_UNITS[unit] * 5 + ["furlong"])
            if rng.random() < 0.03:
                value = -value
            add(record(Q + name, rng.randrange(len(SOURCES)), start, start + length, value, own,
                       rng.random() < 0.05))
    for _ in range(40):
        source, start, own = rng.randrange(3), rng.randrange(begin, end), rng.choice(["mmHg", "kPa"])
        scale = 1 if own == "mmHg" else 7.5
        pair = [record(Q + "BloodPressure" + half, source, start, start,
                       round(rng.uniform(least, least + 60) / scale, 3), own)
                for half, least in (("Systolic", 100), ("Diastolic", 50))]
        if rng.random() < 0.3:
            lines.append(rng.choice(pair))
        else:
            kind = 'type="HKCorrelationTypeIdentifierBloodPressure"'
            lines.extend(pair)
            lines.append(f"<Correlation {kind} {attributes(source, start, start)}>"
                         + "".join(pair) + "</Correlation>")
    for _ in range(150):
        start, source = rng.randrange(begin, end), rng.randrange(3)
        value = rng.choice(list(SLEEP))
        add(record(C + "SleepAnalysis", source, start, start + rng.choice([30, 900, 5000, 30000]),
                   "HKCategoryValueSleepAnalysis" + value))
        start = start // 3600 * 3600
        add(record(C + "AppleStandHour", source, start, start + 3600,
                   "HKCategoryValueAppleStandHour" + rng.choice(["Stood", "Idle"])))
    for _ in range(12):
        start = rng.randrange(begin, end)
        add(record(C + "MindfulSession", rng.randrange(2), start, start + rng.randrange(90000),
                   "HKCategoryValueNotApplicable"))
        type = 'workoutActivityType="HKWorkoutActivityType' + rng.choice(["Yoga", "Running"])
        add(f'<Workout {type}" {attributes(rng.randrange(4), start, start + 1800)}/>')
    rng.shuffle(lines)
    with open(path, "w", encoding="utf-8") as file:
        made = f'<ExportDate value="{stamp(end - 40000)}"/>'
        file.write('<HealthData locale="en">\n' + made + "\n".join(lines) + "\n</HealthData>\n")


if sys.argv[1] == "make":
    make(*sys.argv[2:])
else:
    work_out(*sys.argv[2:])
