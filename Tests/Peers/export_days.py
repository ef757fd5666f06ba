"""Works out the days of an Apple Health export, or makes an export whose days are worth it.

Usage: export_days.py days [EXPORT.xml ZONES]...  prints a line for each: {"days", "unsupported" (see health_days.py), "table": {date:
                                                  {type string: number}}, "records": {date: {"workouts": [id],
                                                  "sleep": [id]}}, "unpaired": count}
       export_days.py make SEED ZONES DATE OUT.xml  of a week around a date

Written from docs/DAYS.md and HealthKit's documentation: elements by expat, ids by uuid.uuid5.
"""
import json
import random
import re
import sys
import uuid
import xml.parsers.expat
from collections import defaultdict
from datetime import date, datetime, time, timedelta, timezone
from xml.sax.saxutils import quoteattr

import health_days
from health_days import PRESSURES
from health_units import convert

Q, C = "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"
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
SLEEP = {"InBed": "in_bed", "Asleep": "unspecified", "AsleepUnspecified": "unspecified",
         "AsleepCore": "core", "AsleepDeep": "deep", "AsleepREM": "rem", "Awake": "awake"}
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


WHOLE_NIGHTS = ["sleep_asleep_minutes"] + [f"sleep_{kind}_minutes" for kind in ("in_bed", "core", "deep", "rem", "awake")]


def moment(text):
    return int(datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").timestamp())


class Record(health_days.Sample):
    def __init__(self, a):
        found = re.findall(r", hardware:((?:(?!, )[^>])*)", a.get("device", ""))
        super().__init__(moment(a["startDate"]), moment(a["endDate"]), a.get("sourceName", ""),
                         found[-1] if found else "")
        self.type, self.unit, self.value = a["type"], a.get("unit", ""), a.get("value", "")
        self.metadata = []
        counted = ("type", "unit", "value", "sourceName", "startDate", "endDate", "device")
        device = re.sub(r"^<<HKDevice: 0x[^,]*", "", a.get("device", ""))
        self.rest = sorted((k, v) for k, v in a.items() if k not in counted) + [device]

    @property
    def key(self):
        """What a record says; two that say the same are one entry if nothing else differs."""
        return (self.type, self.unit, self.value, self.start, self.end, self.source)

    @property
    def entry(self):
        return (*self.key, repr(self.rest), repr(sorted(self.metadata)))

    @property
    def number(self):
        """The value with its unit: a share may be written as a part of one."""
        value, unit = float(self.value), re.sub(r"^mmol<180\.15588\d*>/L$", "mmol/L", self.unit)
        return (value * 100 if unit == "%" and value <= 1 else value), unit

    def id(self, value="", unit=""):
        name, hardware, _ = self.source
        parts = [self.type, name, hardware, str(self.start), str(self.end), value, unit]
        namespace = uuid.UUID("7d5cc0a8-3c54-5b0e-9d0f-2f4a52f2b8a1")
        return str(uuid.uuid5(namespace, "\x1f".join(parts)))


class Broken(Exception):
    """A record that can't be read: its type, and the spans that it may be of."""


def record_of(a, offset):
    """The record of an element; what is not one is Broken."""
    spans, times = [], []
    for name in ("startDate", "endDate"):
        try:
            times.append(moment(a.get(name, "")))
        except ValueError:
            if re.match(r"\d{4}-\d\d-\d\d", a.get(name, "")):
                midnight = moment(a[name][:10] + " 00:00:00 " + offset)
                whole = a["type"] == C + "SleepAnalysis"
                spans.append((midnight, midnight + 86400) if whole else (midnight + 43200, midnight + 43201))
    if len(times) == 1:
        at = times[0] if is_moment(a.get("startDate", "")) else times[0] - 1
        spans.append((at, at + 1))
    elif len(times) == 2 and times[1] < times[0]:
        spans = [(times[0], times[0] + 1), (times[1] - 1, times[1])]
    elif len(times) == 2:
        if a["type"].startswith(C) or re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", a.get("value", "")):
            return Record(a)
        spans = [(times[0], times[1])]
    raise Broken(a["type"], spans)


def is_moment(text):
    try:
        return moment(text) is not None
    except ValueError:
        return False


def read(path):
    """The entries and the workouts of an export, when it was made, and the records that can't be read."""
    with open(path, "rb") as file:
        data = file.read()
    begin = data.find(b"<!DOCTYPE")
    if begin >= 0:
        root = re.compile(rb"<HealthData[\s>/]").search(data).start()
        data = data[:begin] + data[root:]
    state = {"path": [], "made": None, "open": None, "offset": "+0000"}
    records, workouts, inside, broken = [], [], [], []

    def begin_element(name, a):
        state["path"].append(name)
        parent = state["path"][1:-1]
        if name == "ExportDate" and not parent:
            state["made"], state["offset"] = moment(a["value"]), a["value"][-5:]
        elif name == "Record" and parent in ([], ["Correlation"]):
            try:
                state["open"] = record_of(a, state["offset"])
                (inside if parent else records).append(state["open"])
            except Broken as error:
                state["open"] = None
                if not parent:
                    broken.append(error.args)
        elif name == "Workout" and not parent:
            workouts.append(Record(a | {"type": a["workoutActivityType"]}))
        elif name == "MetadataEntry" and parent in (["Record"], ["Correlation", "Record"]) and state["open"]:
            state["open"].metadata.append((a["key"], a["value"]))
            if a["key"] == "HKWasUserEntered":
                state["open"].source = (*state["open"].source[:2], a["value"] == "1")

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = begin_element
    parser.EndElementHandler = lambda name: state["path"].pop()
    parser.Parse(data, True)
    outside = {record.key for record in records}
    records += [record for record in inside if record.key not in outside]
    return list({record.entry: record for record in records}.values()), workouts, state["made"], broken


def take_back(count, day, key):
    """Leaves a day without a number, whatever its samples say."""
    stem = "blood_pressure" if key in PRESSURES else key.removesuffix("_avg")
    for name in (key, key.removesuffix("_avg") + "_latest", stem + "_latest_time"):
        count.numbers[day].pop(name, None)
    count.refuse(day, key)


def refuse(count, days, type, start, stop):
    """The same for all days of a record that can't be read."""
    sample = health_days.Sample(start, stop, "", "")
    names = {type.removeprefix(Q)} if type.startswith(Q) else set()
    if names & {"BloodPressureSystolic", "BloodPressureDiastolic"}:
        names = {"BloodPressureSystolic", "BloodPressureDiastolic"}
    for key, (name, way, _) in ROWS.items():
        if name in names:
            for day in list(days.touched(*sample.extent)) if way == "sum" else [days.date(sample.middle)]:
                take_back(count, day, key)
    if type == C + "SleepAnalysis" and stop > start:
        for day in days.touched(start, stop, 18):
            for key in WHOLE_NIGHTS:
                take_back(count, day, key)
    if type == C + "AppleStandHour":
        take_back(count, days.date(start), "stand_hours")
    if type == C + "MindfulSession" and stop > start:
        for day in days.touched(start, stop):
            take_back(count, day, "mindful_minutes")


def halves(by_type):
    """The names, devices and times of those readings of a pressure that have another beside them, and the others."""
    both = [{(s.source[:2], s.start, s.end) for s in by_type[Q + "BloodPressure" + half] if float(s.value) >= 0}
            for half in ("Systolic", "Diastolic")]
    return both[0] & both[1]


def work_out(path, zones):
    records, workouts, made, broken = read(path)
    days, by_type, unpaired, nights = health_days.Days(zones), defaultdict(list), 0, []
    count, table = health_days.Count(days), defaultdict(dict)
    for record in records:
        by_type[record.type].append(record)
    pairs = halves(by_type)
    for key, (name, way, unit) in ROWS.items():
        samples = by_type[Q + name]
        if key in PRESSURES:
            paired = [s for s in samples if (s.source[:2], s.start, s.end) in pairs]
            unpaired += sum(convert(*s.number, unit) is not None and float(s.value) >= 0 for s in samples
                            if s not in paired)
            samples = paired
        count.quantity(key, way, unit, [(s, *s.number) for s in samples])
    count.stand((s, s.value.endswith("Stood")) for s in by_type[C + "AppleStandHour"])
    count.union("mindful_minutes", by_type[C + "MindfulSession"])
    nights = [s for s in by_type[C + "SleepAnalysis"] if made is None or s.end <= made]
    count.sleep((s, SLEEP[s.value.removeprefix("HKCategoryValueSleepAnalysis")]) for s in nights)
    for type, spans in broken:
        for start, stop in spans:
            refuse(count, days, type, start, stop)
    for day, numbers in count.numbers.items():
        for name, key, unit in TABLE:
            if key in numbers:
                table[str(day)][name] = convert(numbers[key], ROWS[key][2] if key in ROWS else "min", unit)
    found = defaultdict(lambda: {"workouts": set(), "sleep": set()})
    for workout in workouts:
        found[str(days.date(workout.start))]["workouts"].add(workout.id())
    for record in nights:
        value = re.sub("Asleep$", "AsleepUnspecified", record.value)
        found[str(days.night(record.start))]["sleep"].add(record.id(value))
    print(json.dumps(count.told() | {
        "table": table, "unpaired": unpaired,
        "records": {day: {kind: sorted(ids) for kind, ids in own.items()} for day, own in found.items()}}))


SOURCES = [
    ("Ann’s Apple\u00a0Watch", "Watch6,2"), ("Ann’s iPhone", "iPhone14,5"), ("Pedometer++", ""),
    ("Old iPhone", ""), ("Ann’s Apple\u00a0Watch", "Watch4,2"),
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


def make(seed, zones, around, path):
    rng = random.Random(f"{seed} {zones} {around}")
    noon = int(datetime.combine(date.fromisoformat(around), time(12), timezone.utc).timestamp())
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
            length = rng.choice([0, 60, 60, 600, 3599, 20000, 200000, 86400 * 12]) if way == "sum" else (
                rng.choice([0, 5, 3000]))
            value = rng.choice([0, rng.randint(1, 300), round(rng.uniform(0, 300), 4)])
            if unit == "%":
                value = rng.choice([round(rng.random(), 4), rng.randint(2, 99), 1])
            elif unit == "dBASPL":
                value = round(rng.uniform(30, 100), 3)
            own = rng.choice(MADE_UNITS[unit]) if rng.random() > 0.05 or length > 86400 else "furlong"
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
        start = start // 3600 * 3600 + rng.choice([0, 0, 0, 900, 1800])
        add(record(C + "AppleStandHour", source, start, start + 3600,
                   "HKCategoryValueAppleStandHour" + rng.choice(["Stood", "Idle"])))
    damage(rng, lines)
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


def damage(rng, lines):
    """Makes some records such as no program can read: their value, their start, their end or both."""
    for place in rng.sample(range(len(lines)), len(lines) // 150):
        line = lines[place]
        if "<Correlation" in line or "BloodPressure" in line:
            continue
        broken = rng.choice(["value", "startDate", "endDate", "both", "order"])
        if broken == "value":
            line = line if "CategoryType" in line else re.sub(' value="', ' value="1,', line)
        elif broken == "order":
            line = re.sub(r'startDate="(.*?)" endDate="(.*?)"', r'startDate="\2" endDate="\1"', line)
        else:
            for name in ["startDate", "endDate"] if broken == "both" else [broken]:
                line = re.sub(name + r'="(\S+) (\S+) ', name + r'="\1 \2 PM ', line)
        lines[place] = line


if sys.argv[1] == "make":
    make(*sys.argv[2:])
else:
    for place in range(2, len(sys.argv), 2):
        work_out(*sys.argv[place:place + 2])
