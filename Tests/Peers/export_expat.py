"""Reads an Apple Health export with expat and prints, line by line, what a scan of it must find.

usage: export_expat.py EXPORT.xml...: the lines of each, and a line with a form feed
"""

import re
import struct
import sys
import xml.parsers.expat
from datetime import datetime, timezone

from health_units import UNITS, convert

QUANTITIES = """StepCount ActiveEnergyBurned AppleExerciseTime AppleMoveTime RestingHeartRate
HeartRateVariabilitySDNN HeartRate WalkingHeartRateAverage DistanceWalkingRunning RunningSpeed
BodyMass LeanBodyMass BodyFatPercentage BodyMassIndex WaistCircumference VO2Max
DietaryEnergyConsumed DietaryCarbohydrates DietaryProtein DietaryFatTotal DietaryFiber
BasalEnergyBurned AppleStandTime FlightsClimbed DistanceCycling DistanceSwimming DistanceWheelchair
DistanceDownhillSnowSports PushCount SwimmingStrokeCount TimeInDaylight PhysicalEffort RunningPower
RunningStrideLength RunningVerticalOscillation RunningGroundContactTime CyclingSpeed CyclingPower
CyclingCadence WalkingSpeed WalkingStepLength WalkingAsymmetryPercentage
WalkingDoubleSupportPercentage AppleWalkingSteadiness StairAscentSpeed StairDescentSpeed
SixMinuteWalkTestDistance NumberOfTimesFallen HeartRateRecoveryOneMinute AtrialFibrillationBurden
BloodPressureSystolic BloodPressureDiastolic PeripheralPerfusionIndex RespiratoryRate
OxygenSaturation BloodGlucose InsulinDelivery BodyTemperature BasalBodyTemperature
AppleSleepingWristTemperature AppleSleepingBreathingDisturbances ForcedVitalCapacity
ForcedExpiratoryVolume1 PeakExpiratoryFlowRate InhalerUsage BloodAlcoholContent
EnvironmentalAudioExposure HeadphoneAudioExposure UVExposure Height DietaryWater DietarySugar
DietaryFatSaturated DietaryFatMonounsaturated DietaryFatPolyunsaturated DietaryCholesterol
DietarySodium DietaryPotassium DietaryCalcium DietaryIron DietaryMagnesium DietaryZinc
DietaryPhosphorus DietaryChloride DietaryCopper DietaryManganese DietaryIodine DietarySelenium
DietaryChromium DietaryMolybdenum DietaryVitaminA DietaryVitaminB6 DietaryVitaminB12
DietaryVitaminC DietaryVitaminD DietaryVitaminE DietaryVitaminK DietaryThiamin DietaryRiboflavin
DietaryNiacin DietaryPantothenicAcid DietaryBiotin DietaryFolate DietaryCaffeine
NumberOfAlcoholicBeverages DistanceCrossCountrySkiing DistancePaddleSports DistanceRowing
DistanceSkatingSports CrossCountrySkiingSpeed PaddleSportsSpeed RowingSpeed
CyclingFunctionalThresholdPower UnderwaterDepth WaterTemperature NikeFuel
EnvironmentalSoundReduction WorkoutEffortScore EstimatedWorkoutEffortScore
ElectrodermalActivity""".split()
CATEGORIES = ["AppleStandHour", "SleepAnalysis", "MindfulSession"]
KINDS = {"HKQuantityTypeIdentifier" + name: name for name in QUANTITIES}
KINDS |= {"HKCategoryTypeIdentifier" + name: name for name in CATEGORIES}
SLEEP = {"InBed": 0, "Asleep": 1, "AsleepUnspecified": 1, "Awake": 2, "AsleepCore": 3}
SLEEP |= {"AsleepDeep": 4, "AsleepREM": 5}
VALUES = {("SleepAnalysis", "HKCategoryValueSleepAnalysis" + k): v for k, v in SLEEP.items()}
VALUES |= {("AppleStandHour", "HKCategoryValueAppleStandHour" + k): v
           for k, v in (("Stood", 0), ("Idle", 1))}
KILOCALORIES = {"kcal": lambda x: x, "Cal": lambda x: x, "cal": lambda x: x / 1000,
                "kJ": lambda x: x / 4.184, "J": lambda x: x / 4184}
# Where a figure stands in the line of a workout, after its duration and what was left out.
DURATION, UNKNOWN, INVALID, DISTANCE, TOTAL, ACTIVE, PULSE, PEAK, SPEED, FASTEST, STEPS, STROKES, \
    UP, DOWN = range(5, 19)


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
        self.held, self.marks, self.rest, self.metadata = None, {}, None, None

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
        if re.fullmatch(r"mmol<180\.15\d+>/L", unit):
            unit = "mmol/L"
        unit = {"ml/kg/min": "mL/min·kg"}.get(unit, unit)
        unit = "" if kind in CATEGORIES else unit if unit in UNITS or not unit else "?"
        # What else the record says, but for the address of its device and its metadata.
        counted = ("type", "unit", "value", "sourceName", "startDate", "endDate")
        rest = {k: v for k, v in a.items() if v and k not in counted}
        if "device" in rest:
            rest["device"] = re.sub(r"^<<HKDevice: 0x[^,]*", "", rest["device"])
        self.rest, self.metadata = rest, []
        return ["sample", kind, unit, False, self.source(a), start, end, bits(value), False]

    def workout(self, a):
        start, end = seconds(a.get("startDate")), seconds(a.get("endDate"))
        if not a.get("workoutActivityType"):
            raise Skip("value")
        activity = a["workoutActivityType"].removeprefix("HKWorkoutActivityType")
        row = ["workout", activity, self.source(a), start, end, None, 0, 0] + [None] * 11
        self.basal, self.distances, self.speeds, self.pauses = None, {}, {}, []
        self.figure(row, DURATION, a.get("duration"), a.get("durationUnit"), "s")
        self.figure(row, DISTANCE, a.get("totalDistance"), a.get("totalDistanceUnit"), "m")
        self.figure(row, TOTAL, a.get("totalEnergyBurned"), a.get("totalEnergyBurnedUnit"),
                    "kcal")
        return row

    def figure(self, row, place, text, unit, target):
        """Puts a figure into a workout's row and returns it; counts what can't be one."""
        if not text:
            return None
        try:
            value = number(text)
        except Skip:
            value = -1
        if value < 0:
            row[INVALID] += 1
            return None
        value = convert(value, unit, target)
        if value is None:
            row[UNKNOWN] += 1
        elif place is not None:
            row[place] = value
        return value

    def statistics(self, a):
        name = a["type"].removeprefix("HKQuantityTypeIdentifier")
        row, unit = self.open, a.get("unit")
        if name == "HeartRate":
            self.figure(row, PULSE, a.get("average"), unit, "count/min")
            self.figure(row, PEAK, a.get("maximum"), unit, "count/min")
        elif name in ("StepCount", "SwimmingStrokeCount"):
            place = STEPS if name == "StepCount" else STROKES
            self.figure(row, place, a.get("sum"), unit, "count")
        elif name == "ActiveEnergyBurned":
            self.figure(row, ACTIVE, a.get("sum"), unit, "kcal")
        elif name == "BasalEnergyBurned":
            self.basal = self.figure(row, None, a.get("sum"), unit, "kcal")
        elif name.startswith("Distance"):
            value = self.figure(row, None, a.get("sum"), unit, "m")
            if value is not None:
                self.distances[name] = value
        elif name.endswith("Speed"):
            for key, place in (("average", SPEED), ("maximum", FASTEST)):
                value = self.figure(row, None, a.get(key), unit, "km/hr")
                if value is not None:
                    self.speeds[place, name] = value

    def metadata_of_workout(self, key, text):
        places = {"HKElevationAscended": (UP, "m"), "HKElevationDescended": (DOWN, "m"),
                  "HKAverageSpeed": (SPEED, "km/hr"), "HKMaximumSpeed": (FASTEST, "km/hr")}
        if key in places and text:
            value, blank, unit = text.partition(" ")
            self.figure(self.open, places[key][0], value if blank else "none", unit,
                        places[key][1])

    def event(self, a):
        kind = a.get("type", "").removeprefix("HKWorkoutEventType")
        if kind in ("Pause", "MotionPaused", "Resume", "MotionResumed"):
            self.pauses.append((seconds(a.get("date")), "Pause" in kind))

    def end_of_workout(self):
        row = self.open
        if row[ACTIVE] is not None and self.basal is not None:
            row[TOTAL] = row[ACTIVE] + self.basal
        if self.distances:
            own = {"Running": "WalkingRunning", "Walking": "WalkingRunning",
                   "Hiking": "WalkingRunning"}.get(row[1], row[1])
            row[DISTANCE] = self.distances.get("Distance" + own, sum(self.distances.values()))
        for place in (SPEED, FASTEST):
            some = {name: value for (at, name), value in self.speeds.items() if at == place}
            if len(some) == 1:
                row[place] = list(some.values())[0]
            elif row[1] + "Speed" in some:
                row[place] = some[row[1] + "Speed"]
        if row[DURATION] is None and self.pauses:
            start, end = row[3:5]
            paused, since = 0, None
            for moment, begins in sorted(self.pauses, key=lambda one: one[0]):
                moment = min(max(moment, start), end)
                if begins and since is None:
                    since = moment
                elif not begins and since is not None:
                    paused, since = paused + moment - since, None
            row[DURATION] = end - start - paused - (end - since if since is not None else 0)
        for place in [DURATION] + list(range(DISTANCE, DOWN + 1)):
            row[place] = "-" if row[place] is None else f"{row[place]:.12g}"

    def begin(self, name, a):
        self.path.append(name)
        parent = self.parent()
        try:
            if self.path == ["HealthData"]:
                self.say("locale", a["locale"])
            elif not parent and name == "ExportDate":
                self.say("date", seconds(a.get("value")))
            elif not parent and name == "Correlation":
                self.held = []
            elif not parent and name == "Record":
                self.records += self.held is None
                self.open = None
                if a["type"] in KINDS:
                    self.open = self.sample(a)
            elif not parent and name == "Workout":
                self.open = None
                self.open = self.workout(a)
            elif not parent and name == "ActivitySummary":
                self.summary(a)
            elif name == "MetadataEntry" and parent in (["Record"], ["Workout"]):
                if parent == ["Record"] and self.open:
                    self.metadata.append((a["key"], a["value"]))
                if a["key"] == "HKTimeZone" and a["value"]:
                    if self.held is None:
                        self.say("zone", a["value"])
                elif a["key"] == "HKWasUserEntered" and self.open and parent == ["Record"]:
                    self.open[3] = a["value"] == "1"
                elif self.open and parent == ["Workout"]:
                    self.metadata_of_workout(a["key"], a["value"])
            elif name == "WorkoutEvent" and parent == ["Workout"] and self.open:
                self.event(a)
            elif name == "WorkoutStatistics" and parent == ["Workout"] and self.open:
                self.statistics(a)
        except Skip as skip:
            if self.held is not None:
                return
            self.say("skip", skip, KINDS.get(a.get("type"), "-"))

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

    def parent(self):
        """The elements between the root and this one; a correlation's records are as others."""
        between = self.path[1:-1]
        return between[1:] if between[:1] == ["Correlation"] else between

    def end(self, name):
        if not self.parent() and name in ("Record", "Workout") and self.open:
            if name == "Workout":
                self.end_of_workout()
            else:
                self.open[8] = self.held is not None
                self.open.append(repr((sorted(self.rest.items()), sorted(self.metadata))))
            if self.open[0] == "sample" and self.held is not None:
                self.held.append(self.open)
            else:
                self.tell(self.open)
            self.open = None
        elif name == "Correlation" and len(self.path) == 2:
            for sample in self.held or []:
                self.tell(sample)
            self.held = None
        self.path.pop()

    def tell(self, row):
        if row[0] == "sample":
            row[-1] = self.marks.setdefault(row[-1], len(self.marks))
        self.say(*row)


def main():
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for path in sys.argv[1:]:
        reader = Reader()
        parser = xml.parsers.expat.ParserCreate()
        parser.StartElementHandler = reader.begin
        parser.EndElementHandler = reader.end
        with open(path, "rb") as file:
            parser.Parse(without_document_type(file.read()), True)
        reader.say("records", reader.records)
        print("\n".join(reader.lines + ["\f"]))


main()
