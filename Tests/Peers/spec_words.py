"""Words of sources, how they are joined, and the figures that they give, as docs/spec/publishing.md says in R20."""

import functools
import itertools
import pathlib
import re
from datetime import date, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

REASONS = ["no_data", "unsupported", "unauthorized"]
PRESSURES = ["blood_pressure_systolic", "blood_pressure_diastolic"]
PARTS = [[f"sleep_{stage}_minutes" for stage in ("asleep", "core", "deep", "rem", "awake")],
         PRESSURES + [f"{half}_latest" for half in PRESSURES] + ["blood_pressure_latest_time"],
         ["heart_rate_avg", "heart_rate_min", "heart_rate_max"]]

# The catalogue is a document as well: | key | unit | plausible | HealthKit | a day's number | ...
catalogue = (pathlib.Path(__file__).parents[2] / "docs/METRICS.md").read_text()
ROWS = re.findall(r"^\| (\**)`(\w+)`\** \| `(.+?)` \|[^|]+\|[^|]+\| ([^|]+) \|", catalogue, re.M)
UNITS = {metric: unit for _, metric, unit, _ in ROWS}
REQUIRED = {metric for bold, metric, _, _ in ROWS if bold}
ADDITIVE = {metric for _, metric, _, kind in ROWS if kind in ("sum", "sum of entries", "hours", "union")}
NIGHTS = {metric for _, metric, _, kind in ROWS if kind == "union by night"}
LATEST = {metric for _, metric, _, kind in ROWS if kind in ("latest", "time of latest")}
PARTS += [[metric, f"{stem}_latest", f"{stem}_latest_time"] for metric in UNITS
          if f"{(stem := metric.removesuffix('_avg'))}_latest" in LATEST and metric not in PRESSURES]
GROUP_OF = {metric: next((parts[0] for parts in PARTS if metric in parts), metric) for metric in UNITS}
GROUPS = {group: [group] for group in GROUP_OF.values()} | {parts[0]: parts for parts in PARTS}


def is_number(reading):
    return not isinstance(reading, str)


def local(day, hour, zone):
    """The first moment at which the zone's clocks show this hour of a date, or a later one."""
    there = datetime(day.year, day.month, day.day, hour, tzinfo=ZoneInfo(zone))
    return there.astimezone(timezone.utc).astimezone(ZoneInfo(zone))


@functools.cache
def span(day, zone, group):
    day, (ends, hour) = date.fromisoformat(day), (0, 18) if group in NIGHTS else (1, 0)
    return tuple(int(local(day + timedelta(at), hour, zone).timestamp()) for at in (ends - 1, ends))


class Word(NamedTuple):
    source: str
    group: str
    zone: str
    span: tuple
    start: int
    end: int
    captured: int
    readings: tuple
    is_set: bool = False
    authority: bool = False
    loose: bool = False
    again: int = 0
    run: str = ""

    @property
    def said(self):
        return self.captured, self.again

    @property
    def register(self):
        """Where it stands: the last member is 0 of the whole, 1 of a head, 2 of a tail, 3 of what is inner."""
        return self.source, self.group, self.zone, 2 * (self.start > self.span[0]) + (self.end < self.span[1])

    @property
    def rank(self):
        readings = [(3, one) if is_number(one) else (REASONS.index(one), 0) for one in self.readings]
        return self.end - self.start, self.said, (
            readings, self.authority, not self.loose, self.is_set, self.start), self.run

    @property
    def has_number(self):
        return any(map(is_number, self.readings))

    def ends(self, other):
        later = self.captured > other.captured
        contains = self.start <= other.start and self.end >= other.end
        shorter = other.end - other.start < self.end - self.start
        return self.authority and later or self.zone == other.zone and contains and (
            self.source == other.source and (self.said > other.said or self.said == other.said and shorter)
            or other.source == "unknown" and not self.loose and later)


def word(source, group, readings, day, zone, captured, start=None, end=None, **traits):
    """What a group's span has between two moments; without an end, before the capture."""
    first, last = span(day, zone, group)
    start = max(first, first if start is None else start)
    end = max(start, min(last, captured if end is None else end))
    return Word(source, group, zone, (first, last), start, end, captured, tuple(readings), **traits)


def join(*lists):
    standing = {}
    for one in itertools.chain(*lists):
        if one.rank > standing.setdefault(one.register, one).rank:
            standing[one.register] = one
    return list(standing.values())


def counting(words, undone):
    """The words of which figures are made, and those of undone runs, which are joined by themselves."""
    aside = {}
    for one in words:
        if undone.get(one.run, 0) % 2:
            aside.setdefault(one.run, []).append(one)
    live = [one for one in words if one.run not in aside]
    return join(live), [one for of in aside.values() for one in join(of)]


class Figure:
    """The words of one source that follow one another, as one."""

    def __init__(self, words):
        self.words, self.name, self.has_number = words, (words[0].source, words[0].zone), words[0].has_number
        self.captured = max(one.captured for one in words)
        self.length = sum(one.end - one.start for one in words)
        first, last = words[0].span
        self.is_complete = self.length == last - first and not any(one.loose for one in words)
        self.readings = [
            rounded(metric, sum(filter(is_number, of))) if len(of) > 1 and any(map(is_number, of)) else of[0]
            for metric, *of in zip(GROUPS[words[0].group], *(one.readings for one in words))]
        self.number = self.readings[0] if is_number(self.readings[0]) else -1
        self.rank = (-len(words), self.length, self.captured, [one.rank[2] for one in words],
                     -words[0].register[3])


def rounded(metric, number):
    step = Decimal(1) if metric == "steps" else Decimal("0.000001")
    return float(Decimal(repr(number)).quantize(step, ROUND_HALF_UP))


def zone_of(words):
    return max((one.is_set, one.is_set and one.authority, one.said, one.zone) for one in words)[3]


def of_source(group, words):
    words = [one for one in words if one.has_number] or words
    if group not in ADDITIVE | NIGHTS or not words[0].has_number:
        return max((Figure([one]) for one in words), key=lambda figure: figure.rank)
    words.sort(key=lambda one: (one.start, one.end))
    some = itertools.chain(*(itertools.combinations(words, count) for count in range(1, len(words) + 1)))
    sums = [Figure(one) for one in some if all(a.end <= b.start for a, b in zip(one, one[1:]))]
    return max(sums, key=lambda figure: (figure.number, figure.rank))


def figure(group, words, zone):
    words = [one for one in words if not any(other.ends(one) for other in words)]
    zones = {}
    for source, there in sorted({(one.source, one.zone) for one in words}):
        zones.setdefault(there, []).append(
            of_source(group, [one for one in words if (one.source, one.zone) == (source, there)]))
    figures = zones.get(zone) or zones[zone_of(words)]
    if zone in zones and not any(one.is_complete for one in figures):
        figures = sorted(figures + [one for there in zones.keys() - {zone} for one in zones[there] if one.is_complete],
                         key=lambda one: one.name)
    figures = [one for one in figures if one.has_number] or figures
    # Of equal ones `max` takes the first, whose name is the least.
    best = max((one for one in figures if one.is_complete), key=lambda one: one.captured, default=None)
    if group in ADDITIVE and figures[0].has_number:
        others = [one for one in figures if not best or not one.is_complete and one.captured > best.captured]
        return max(([best] if best else []) + others, key=lambda one: one.number)
    return best or max(figures, key=lambda one: (one.length, one.captured))


def fold(words):
    """The zone of the day, and the figures by group."""
    zone, said = zone_of(words) if words else None, {}
    for one in words:
        said.setdefault(one.group, []).append(one)
    return zone, {group: figure(group, of, zone) for group, of in said.items()}


def figures(words):
    """The reading of each metric."""
    said = fold(words)[1]
    return {metric: said[group].readings[GROUPS[group].index(metric)] if group in said else "no_data"
            for metric, group in GROUP_OF.items()}
