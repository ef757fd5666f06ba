"""Reporting days by Python's zoneinfo over the tzdata package, for every zone it knows.

Prints the package's version and folder, then one line per zone and date: zone, date, start, end (seconds since
1970), the UTC offsets at both, or `skipped`. The dates are the five around every change of offset
in the years asked for, and one ordinary date per year. Arguments: first year, last year.
"""

import hashlib
import importlib.resources
import struct
import sys
import zoneinfo
from datetime import date, datetime, timedelta, timezone

import tzdata

zoneinfo.reset_tzpath(to=[])  # the package's data, never the machine's
FIRST, LAST = int(sys.argv[1]), int(sys.argv[2])
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAY = timedelta(days=1)


def moment(seconds):
    return EPOCH + timedelta(seconds=seconds)


def offset(zone, seconds):
    return int(moment(seconds).astimezone(zone).utcoffset().total_seconds())


def start(zone, day):
    """The first moment of a date: its first midnight, or the end of the gap that swallowed it."""
    local = datetime(day.year, day.month, day.day, tzinfo=zone)
    late = int((local.astimezone(timezone.utc) - EPOCH).total_seconds())
    if moment(late).astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return late
    early = int((local.replace(fold=1).astimezone(timezone.utc) - EPOCH).total_seconds()) - 1
    before = offset(zone, early)
    while late - early > 1:
        middle = (late + early) // 2
        if offset(zone, middle) == before:
            early = middle
        else:
            late = middle
    return late


def changes(raw, zone):
    """Moments of change: those listed in the file, then those its closing rule makes."""
    block = 44 + sum(
        n * s for n, s in zip(struct.unpack(">6l", raw[20:44]), (1, 1, 8, 5, 6, 1))
    )
    count = struct.unpack(">6l", raw[block + 20 : block + 44])[3]
    listed = struct.unpack(f">{count}q", raw[block + 44 : block + 44 + 8 * count])
    yield from listed
    seconds = max(listed[-1] if listed else 0, 0)
    stop = int((datetime(LAST, 12, 31, tzinfo=timezone.utc) - EPOCH).total_seconds())
    week = 7 * 86400
    while seconds < stop:
        if offset(zone, seconds) != offset(zone, seconds + week):
            yield seconds
            yield seconds + 4 * 86400
            yield seconds + 8 * 86400
        seconds += week


def lines(raw, zone):
    dates = {date(year, 6, 15) for year in range(FIRST, LAST + 1)}
    for change in changes(raw, zone):
        around = moment(change).date()
        dates |= {around + n * DAY for n in range(-2, 3)}
    for day in sorted(d for d in dates if FIRST <= d.year <= LAST):
        begin, end = start(zone, day), start(zone, day + DAY)
        if begin == end:
            yield f"{day} skipped"
        else:
            yield f"{day} {begin} {end} {offset(zone, begin)} {offset(zone, end)}"


seen = {}
print(tzdata.IANA_VERSION, importlib.resources.files("tzdata.zoneinfo"))
for name in sorted(zoneinfo.available_timezones()):
    raw = importlib.resources.files("tzdata.zoneinfo").joinpath(name).read_bytes()
    key = hashlib.sha256(raw).digest()
    if key not in seen:
        seen[key] = list(lines(raw, zoneinfo.ZoneInfo(name)))
        shown = seen[key]
    else:
        shown = seen[key][::20]  # another name for the same file
    for line in shown:
        print(name, line)
