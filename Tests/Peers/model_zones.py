"""Reporting days and UTC offsets by Python's zoneinfo, for every zone that it knows.

model_zones.py days FIRST LAST     over the tzdata package: prints its version and folder, then one line per zone and
                                   date: zone, date, start, end (seconds since 1970), the UTC offsets at both, or
                                   `skipped`
model_zones.py offsets FIRST LAST  over this machine's files: one line per zone and moment: zone, seconds since 1970,
                                   offset in seconds

The dates are the five around every change of offset in the years asked for, and one ordinary date per year; the
moments are the seconds around every change, and some without one.
"""

import importlib.resources
import pathlib
import struct
import sys
import zoneinfo
from datetime import date, datetime, timedelta, timezone

import tzdata

WHAT, FIRST, LAST = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAY = timedelta(days=1)
if WHAT == "days":
    zoneinfo.reset_tzpath(to=[])  # the package's data, never the machine's


def moment(seconds):
    return EPOCH + timedelta(seconds=seconds)


def seconds_of(year):
    return int((datetime(year, 1, 1, tzinfo=timezone.utc) - EPOCH).total_seconds())


def offset(zone, seconds):
    return int(moment(seconds).astimezone(zone).utcoffset().total_seconds())


def change(zone, low, high):
    """The first moment in (low, high] with another offset than at `low`."""
    before = offset(zone, low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
    return high


def start(zone, day):
    """The first moment of a date: its first midnight, or the end of the gap that swallowed it."""
    local = datetime(day.year, day.month, day.day, tzinfo=zone)
    late = int((local.astimezone(timezone.utc) - EPOCH).total_seconds())
    if moment(late).astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return late
    return change(zone, int((local.replace(fold=1).astimezone(timezone.utc) - EPOCH).total_seconds()) - 1, late)


def changes(raw, zone):
    """Moments of change: those listed in the file, then those that its closing rule makes, by steps of a week."""
    block = 44 + sum(n * s for n, s in zip(struct.unpack(">6l", raw[20:44]), (1, 1, 8, 5, 6, 1)))
    count = struct.unpack(">6l", raw[block + 20:block + 44])[3]
    listed = struct.unpack(f">{count}q", raw[block + 44:block + 44 + 8 * count])
    yield from listed
    week = 7 * 86400
    for seconds in range(max(listed[-1] + 1 if listed else 0, 0), seconds_of(LAST + 1), week):
        if offset(zone, seconds) != offset(zone, seconds + week):
            yield change(zone, seconds, seconds + week)


def days(raw, zone):
    dates = {date(year, 6, 15) for year in range(FIRST, LAST + 1)}
    for around in changes(raw, zone):
        dates |= {moment(around).date() + n * DAY for n in range(-2, 3)}
    for day in sorted(d for d in dates if FIRST <= d.year <= LAST):
        begin, end = start(zone, day), start(zone, day + DAY)
        yield f"{day} skipped" if begin == end else f"{day} {begin} {end} {offset(zone, begin)} {offset(zone, end)}"


def offsets(raw, zone):
    first, last = seconds_of(FIRST), seconds_of(LAST)
    moments = set(range(first, last, 680 * 86400))
    for at in changes(raw, zone):
        moments |= {at - 3600, at - 1, at, at + 1, at + 3600} if first <= at < last else set()
    return (f"{at} {offset(zone, at)}" for at in sorted(moments))


def file(name):
    """The zone's file; none where the zone comes from a Python package and the machine's are asked for."""
    if WHAT == "days":
        return importlib.resources.files("tzdata.zoneinfo").joinpath(name).read_bytes()
    paths = (pathlib.Path(folder) / name for folder in zoneinfo.TZPATH)
    return next((path.read_bytes() for path in paths if path.is_file()), None)


seen = {}
if WHAT == "days":
    print(tzdata.IANA_VERSION, importlib.resources.files("tzdata.zoneinfo"))
for name in sorted(zoneinfo.available_timezones() - ({"localtime"} if WHAT == "offsets" else set())):
    raw = file(name)
    if raw is None:
        continue
    # Of another name for the same file, some.
    is_other_name = raw in seen
    if not is_other_name:
        seen[raw] = list({"days": days, "offsets": offsets}[WHAT](raw, zoneinfo.ZoneInfo(name)))
    for line in seen[raw][::20] if is_other_name else seen[raw]:
        print(name, line)
