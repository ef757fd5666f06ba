"""UTC offsets by Python's zoneinfo over this machine's files, for every zone that it has.

Prints a line per zone and moment: zone, seconds since 1970, offset in seconds. The moments are the
seconds around every change of offset in the years asked for, and some without a change. Arguments:
first year, last year.
"""

import pathlib
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
FIRST, LAST = (int((datetime(int(year), 1, 1, tzinfo=timezone.utc) - EPOCH).total_seconds())
               for year in sys.argv[1:3])
STEP = 17 * 86400


def offset(zone, seconds):
    moment = EPOCH + timedelta(seconds=seconds)
    return int(moment.astimezone(zone).utcoffset().total_seconds())


def change(zone, low, high, before):
    """The first moment in (low, high] with another offset than `before`."""
    while high - low > 1:
        middle = (low + high) // 2
        if offset(zone, middle) == before:
            low = middle
        else:
            high = middle
    return high


def moments(zone):
    low, before = FIRST, offset(zone, FIRST)
    number = 0
    while low < LAST:
        high = low + STEP
        after = offset(zone, high)
        if after != before:
            at = change(zone, low, high, before)
            yield from (at - 3600, at - 1, at, at + 1, at + 3600)
        elif number % 40 == 0:
            yield high
        low, before, number = high, after, number + 1


def file(name):
    """The zone's file; none where the zone comes from a Python package."""
    paths = (pathlib.Path(folder) / name for folder in zoneinfo.TZPATH)
    return next((path.read_bytes() for path in paths if path.is_file()), None)


seen = {}
for name in sorted(zoneinfo.available_timezones() - {"localtime"}):
    raw = file(name)
    if raw is None:
        continue
    zone = zoneinfo.ZoneInfo(name)
    if raw not in seen:
        seen[raw] = list(moments(zone))
        shown = seen[raw]
    else:
        shown = seen[raw][::20]  # another name for the same file
    for moment in shown:
        print(name, moment, offset(zone, moment))
