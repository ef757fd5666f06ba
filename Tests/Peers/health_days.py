"""Counts the samples of days as docs/DAYS.md says, whatever they were read from.

Nothing here is shared with the code under test: days come from Python's zoneinfo, units from pint, and where samples
overlap, each stretch between two boundaries is looked at for itself.
"""
import functools
import math
from collections import defaultdict
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from health_units import convert

REQUIRED = {"steps", "active_energy_kcal", "exercise_minutes", "stand_hours", "resting_hr_avg", "hrv_sdnn_avg",
            "sleep_asleep_minutes", "sleep_in_bed_minutes"}
# What holds until it is measured again: a day also has the latest value, and when it was measured.
LEVELS = {
    "resting_hr_avg", "vo2_max", "oxygen_saturation", "blood_glucose", "body_temperature", "basal_body_temperature",
    "weight", "lean_mass", "body_fat", "body_mass_index", "waist", "height", "blood_pressure_systolic",
    "blood_pressure_diastolic",
}
PRESSURES = ["blood_pressure_systolic", "blood_pressure_diastolic"]
STAGES = {"core", "deep", "rem"}


class Sample:
    """What was measured from `start` to `end`, by a source: a name, hardware, and whether it is a person's hand."""

    def __init__(self, start, end, name, hardware="", by_hand=False):
        self.start, self.end, self.source = start, end, (name, hardware, by_hand)

    @property
    def extent(self):
        """A moment stands for its minute."""
        if self.end > self.start:
            return self.start, self.end
        minute = self.start // 60 * 60
        return minute, minute + 60

    @property
    def middle(self):
        return self.start + (self.end - self.start) // 2


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


class Days:
    """Days of a zone, or of `A, B@DATE, C@DATE`: a moment belongs to the first date whose day ends after it."""

    def __init__(self, zones):
        stays = [stay.strip().partition("@") for stay in zones.split(",")]
        self.stays = [(date.fromisoformat(since) if since else date.min, ZoneInfo(name)) for name, _, since in stays]

    def zone(self, day):
        return [zone for since, zone in self.stays if since <= day][-1]

    @functools.cache
    def end(self, day, hour=24):
        """No day ends before the ones before it, whichever way one travels."""
        ends = []
        for back in range(4 if len(self.stays) > 1 else 1):
            one = day - timedelta(days=back)
            midnight = datetime(one.year, one.month, one.day, tzinfo=self.zone(one))
            ends.append(int((midnight + timedelta(hours=hour)).timestamp()))
        return max(ends)

    @functools.cache
    def start(self, day):
        """The first moment of a date in its own zone, from which its clock counts."""
        return int(datetime(day.year, day.month, day.day, tzinfo=self.zone(day)).timestamp())

    def own_end(self, day):
        """The end of a date in its own zone."""
        return int((datetime(day.year, day.month, day.day, tzinfo=self.zone(day)) + timedelta(days=1)).timestamp())

    def date(self, at, hour=24):
        day = datetime.fromtimestamp(at, self.stays[0][1]).date() - timedelta(days=2)
        while self.end(day, hour) <= at:
            day += timedelta(days=1)
        return day

    def night(self, at):
        """The date of the night of a moment, which begins at 18:00 of the day before."""
        return self.date(at, 18)

    def bounds(self, day, hour=24):
        return self.end(day - timedelta(days=1), hour), self.end(day, hour)

    def touched(self, start, end, hour=24):
        day, last = self.date(start, hour), self.date(max(start, end - 1), hour)
        while day <= last:
            first, after = self.bounds(day, hour)
            # A date that somebody has flown over is no day.
            if first < after:
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


def latest(rows):
    """The value of the sample that ended last, and when it ended."""
    def place(row):
        sample, value = row
        name = sample.source[0]
        return -sample.end, -sample.start, "|" not in name, rank(sample.source), label(sample.source), -value

    sample, value = min(rows, key=place)
    return value, sample.end


class Count:
    """The numbers of days, and the required metrics that no number can stand for."""

    def __init__(self, days):
        self.days, self.numbers, self.unsupported = days, defaultdict(dict), defaultdict(set)

    def quantity(self, key, way, unit, samples):
        """Samples with their values and units; those of an unknown unit leave their days without a number."""
        days, found, unknown, groups = self.days, [], set(), defaultdict(list)
        for sample, number, own in samples:
            if number < 0 or sample.end < sample.start:
                continue
            value = convert(number, own, unit)
            if value is not None:
                found += [(sample, value)] if value >= 0 else []
            else:
                unknown.update(days.touched(*sample.extent) if way == "sum" else [days.date(sample.middle)])
        for sample, value in found:
            for day in days.touched(*sample.extent) if way == "sum" else [days.date(sample.middle)]:
                groups[day].append((sample, value))
        for day in unknown:
            self.refuse(day, key)
        for day in groups.keys() - unknown:
            own, numbers = groups[day], self.numbers[day]
            numbers[key] = total(own, *days.bounds(day)) if way == "sum" else fold(way, own)
            if key in LEVELS:
                stem, (value, end) = key.removesuffix("_avg"), latest(own)
                numbers[f"{stem}_latest"] = value
                stem = "blood_pressure" if key in PRESSURES else stem
                # What ended beside the day, such as between the days of two zones, has no time of this one.
                if days.start(day) <= end <= days.own_end(day):
                    numbers[f"{stem}_latest_time"] = (end - days.start(day)) / 60

    def refuse(self, day, key):
        if key in REQUIRED:
            self.unsupported[day].add(key)

    def stand(self, samples):
        """Samples of hours, and whether one stood in them: each hour that the clocks show counts once."""
        hours = defaultdict(set)
        for sample, stood in samples:
            day = self.days.date(sample.start)
            local = datetime.fromtimestamp(sample.start, self.days.zone(day))
            hours[day] |= {(local.date(), local.hour, local.utcoffset())} if stood else set()
        for day, found in hours.items():
            self.numbers[day]["stand_hours"] = len(found)

    def union(self, key, samples):
        """The minutes of a day that samples cover."""
        groups = defaultdict(list)
        for sample in samples:
            if sample.end > sample.start:
                for day in self.days.touched(sample.start, sample.end):
                    groups[day].append((sample.start, sample.end))
        for day, spans in groups.items():
            self.numbers[day][key] = sum(
                end - begin for begin, end in stretches(spans, *self.days.bounds(day))
                if any(first <= begin and end <= last for first, last in spans)) / 60

    def sleep(self, samples):
        """Samples of sleep with their kinds: core, deep, rem, unspecified, awake, in_bed."""
        nights = defaultdict(list)
        for sample, kind in samples:
            if sample.end > sample.start:
                for day in self.days.touched(sample.start, sample.end, 18):
                    nights[day].append((sample, kind))
        for day, kinds in nights.items():
            for kind, seconds in night(kinds, *self.days.bounds(day, 18)).items():
                self.numbers[day][f"sleep_{kind}_minutes"] = seconds / 60

    def told(self):
        return {"days": {str(day): numbers for day, numbers in self.numbers.items() if numbers},
                "unsupported": {str(day): sorted(keys) for day, keys in self.unsupported.items()}}


def fold(way, rows):
    """The number of a day of samples that are not spread over time."""
    values = [value for _, value in rows]
    if way == "level":
        times = [sample.extent[1] - sample.extent[0] for sample, _ in rows]
        return 10 * math.log10(sum(10 ** (v / 10) * t for v, t in zip(values, times)) / sum(times))
    return {"mean": sum(values) / len(values), "least": min(values), "greatest": max(values),
            "entries": sum(values)}[way]


def night(kinds, low, high):
    """The seconds of each kind of sleep between two moments."""
    seconds, staged = defaultdict(int), defaultdict(int)
    parts = stretches([(s.start, s.end) for s, _ in kinds], low, high)
    seen = [(end - begin, {(s.source, kind) for s, kind in kinds if s.start <= begin and end <= s.end})
            for begin, end in parts]
    staging = {s.source for s, kind in kinds if kind in STAGES}
    for length, now in seen:
        for source in {source for source, kind in now if kind in STAGES}:
            staged[source] += length

    def place(source):
        return source not in staging, rank(source), -staged[source], label(source)

    for length, now in seen:
        if any(kind == "in_bed" for _, kind in now):
            seconds["in_bed"] += length
        # Of stages and waking, at each moment those of one source.
        told = [(place(source), ["deep", "rem", "core", "awake"].index(kind), kind)
                for source, kind in now if kind in STAGES | {"awake"}]
        if told:
            seconds[min(told)[2]] += length
        awake = {source for source, kind in now if kind == "awake"}
        if any(kind in STAGES for _, kind in now) or (not awake & staging and any(
                kind == "unspecified" and source not in awake for source, kind in now)):
            seconds["asleep"] += length
    if any(kind in STAGES or kind == "unspecified" for _, kind in kinds):
        seconds["asleep"] += 0
    return seconds
