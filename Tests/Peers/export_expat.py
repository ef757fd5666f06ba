"""Reads an Apple Health export with expat and prints, line by line, what a scan of it must find.

usage: export_expat.py EXPORT.xml
"""

import re
import struct
import sys
import xml.parsers.expat
from datetime import datetime, timezone

QUANTITIES = """StepCount ActiveEnergyBurned AppleExerciseTime AppleMoveTime RestingHeartRate
HeartRateVariabilitySDNN HeartRate WalkingHeartRateAverage DistanceWalkingRunning RunningSpeed
BodyMass LeanBodyMass BodyFatPercentage BodyMassIndex WaistCircumference VO2Max
DietaryEnergyConsumed DietaryCarbohydrates DietaryProtein DietaryFatTotal DietaryFiber""".split()
CATEGORIES = ["AppleStandHour", "SleepAnalysis", "MindfulSession"]
KINDS = {"HKQuantityTypeIdentifier" + name: name for name in QUANTITIES}
KINDS |= {"HKCategoryTypeIdentifier" + name: name for name in CATEGORIES}
UNITS = set("""count kcal Cal cal kJ min hr s ms count/min count/s % kg g mg lb st oz km m cm mi in ft
yd km/hr mi/hr m/s mL/min·kg""".split())
SLEEP = {"InBed": 0, "Asleep": 1, "AsleepUnspecified": 1, "Awake": 2, "AsleepCore": 3}
SLEEP |= {"AsleepDeep": 4, "AsleepREM": 5}
VALUES = {("SleepAnalysis", "HKCategoryValueSleepAnalysis" + k): v for k, v in SLEEP.items()}
VALUES |= {("AppleStandHour", "HKCategoryValueAppleStandHour" + k): v
           for k, v in (("Stood", 0), ("Idle", 1))}
SECONDS = {"s": lambda x: x, "min": lambda x: x * 60, "hr": lambda x: x * 3600}
METRES = {"m": lambda x: x, "km": lambda x: x * 1000, "cm": lambda x: x / 100,
          "mi": lambda x: x * 1609.344, "yd": lambda x: x * 0.9144, "ft": lambda x: x * 0.3048,
          "in": lambda x: x * 0.0254}
KILOCALORIES = {"kcal": lambda x: x, "Cal": lambda x: x, "cal": lambda x: x / 1000,
                "kJ": lambda x: x / 4.184}


class Skip(Exception):
    pass


def seconds(text):
    for form in ("%Y-%m-%d %H:%M:%S %z", "%Y%m%d%H%M%S%z"):
        try:
            return int(datetime.strptime(text or "", form).astimezone(timezone.utc).timestamp())
        except ValueError:
            continue
    raise Skip("date")


def number(text):
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text or "", re.ASCII):
        raise Skip("value")
    return float(text)


def amount(text, unit, conversions):
    try:
        return conversions[unit](number(text))
    except (Skip, KeyError):
        return None


def bits(value):
    return "-" if value is None else struct.pack(">d", value).hex()


def hardware(device):
    found = re.findall(r", hardware:((?:(?!, )[^>])*)", device or "")
    return found[-1] if found else ""


def without_document_type(data):
    """As the Health app has written broken ones: from `<!DOCTYPE` to `]>` or to the root."""
    begin = data.find(b"<!DOCTYPE")
    if begin < 0:
        return data
    root = re.compile(rb"<HealthData[\s>/]").search(data).start()
    end = data.find(b"]>", begin, root)
    return data[:begin] + data[root if end < 0 else end + 2:]


class Reader:
    def __init__(self):
        self.path, self.sources, self.open = [], {}, None
        self.lines, self.records = [], 0

    def say(self, *words):
        self.lines.append("\t".join(str(word) for word in words))

    def source(self, a):
        key = (a.get("sourceName", ""), hardware(a.get("device")))
        if key not in self.sources:
            self.sources[key] = len(self.sources)
            self.say("source", *key)
        return self.sources[key]

    def sample(self, a):
        kind = KINDS[a["type"]]
        start, end = seconds(a.get("startDate")), seconds(a.get("endDate"))
        unit = a.get("unit", "")
        if kind == "MindfulSession":
            value = 0.0
        elif kind in CATEGORIES:
            if not a.get("value"):
                raise Skip("value")
            if (kind, a["value"]) not in VALUES:
                raise Skip("unknown_category")
            value = float(VALUES[kind, a["value"]])
        else:
            value = number(a.get("value"))
        unit = "" if kind in CATEGORIES else unit if unit in UNITS or not unit else "?"
        return ["sample", kind, unit, False, self.source(a), start, end, bits(value)]

    def workout(self, a):
        start, end = seconds(a.get("startDate")), seconds(a.get("endDate"))
        activity = a["workoutActivityType"].removeprefix("HKWorkoutActivityType")
        return ["workout", activity, self.source(a), start, end,
                amount(a.get("duration"), a.get("durationUnit"), SECONDS),
                amount(a.get("totalDistance"), a.get("totalDistanceUnit"), METRES),
                amount(a.get("totalEnergyBurned"), a.get("totalEnergyBurnedUnit"), KILOCALORIES)]

    def begin(self, name, a):
        self.path.append(name)
        parent = self.path[1:-1]
        try:
            if self.path == ["HealthData"]:
                self.say("locale", a["locale"])
            elif not parent and name == "ExportDate":
                self.say("date", seconds(a.get("value")))
            elif not parent and name == "Record":
                self.records += 1
                self.open = None
                if a["type"] in KINDS:
                    self.open = self.sample(a)
            elif not parent and name == "Workout":
                self.open = None
                self.open = self.workout(a)
            elif not parent and name == "ActivitySummary":
                self.summary(a)
            elif name == "MetadataEntry" and parent in (["Record"], ["Workout"]):
                if a["key"] == "HKTimeZone" and a["value"]:
                    self.say("zone", a["value"])
                elif a["key"] == "HKWasUserEntered" and self.open and parent == ["Record"]:
                    self.open[3] = a["value"] == "1"
            elif name == "WorkoutStatistics" and parent == ["Workout"] and self.open:
                self.statistics(a)
        except Skip as skip:
            self.say("skip", skip, KINDS.get(a.get("type"), "-"))

    def statistics(self, a):
        if a["type"].startswith("HKQuantityTypeIdentifierDistance"):
            place, conversions = 6, METRES
        elif a["type"] == "HKQuantityTypeIdentifierActiveEnergyBurned":
            place, conversions = 7, KILOCALORIES
        else:
            return
        value = amount(a.get("sum"), a.get("unit"), conversions)
        if value is not None:
            self.open[place] = value

    def summary(self, a):
        try:
            datetime.strptime(a.get("dateComponents", ""), "%Y-%m-%d")
        except ValueError:
            raise Skip("date") from None
        unit = a.get("activeEnergyBurnedUnit")
        plain = {"": lambda x: x}
        self.say("summary", a["dateComponents"],
                 bits(amount(a.get("activeEnergyBurned"), unit, KILOCALORIES)),
                 bits(amount(a.get("activeEnergyBurnedGoal"), unit, KILOCALORIES)),
                 *(bits(amount(a.get(key), "", plain))
                   for key in ("appleExerciseTime", "appleMoveTime", "appleStandHours")))

    def end(self, name):
        if len(self.path) == 2 and name in ("Record", "Workout") and self.open:
            if name == "Workout":
                self.open[5:] = map(bits, self.open[5:])
            self.say(*self.open)
            self.open = None
        self.path.pop()


def main():
    reader = Reader()
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    with open(sys.argv[1], "rb") as file:
        parser.Parse(without_document_type(file.read()), True)
    reader.say("records", reader.records)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    print("\n".join(reader.lines))


main()
