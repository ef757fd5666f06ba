"""Writes the export of a person who moves from Paris to New York and back, and prints its days.

Usage: moved_export.py OUT.xml
Prints {date: {"timezone", "steps", "start", "end"}}. Steps are taken all day long, half an hour each;
every night names the zone that its bed stands in. Days come from Python's zoneinfo: a moment belongs
to the first date whose day, in that date's own zone, ends after it.
"""
import json
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

STAYS = [(date(1, 1, 1), "Europe/Paris"), (date(2024, 3, 2), "America/New_York"),
         (date(2024, 3, 21), "Europe/Paris")]
FIRST, LAST = date(2024, 2, 15), date(2024, 4, 5)


def zone(day):
    return [name for begin, name in STAYS if begin <= day][-1]


def midnight(day, name):
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(name))


def text(moment):
    fixed = moment.astimezone(timezone(timedelta(hours=2)))
    return fixed.strftime("%Y-%m-%d %H:%M:%S +0200")


def record(kind, start, end, value, unit="", inner=""):
    tail = f">{inner}</Record>" if inner else "/>"
    return (f' <Record type="{kind}" sourceName="Ann\u2019s Watch" {unit} '
            f'startDate="{text(start)}" endDate="{text(end)}" value="{value}"{tail}')


def main():
    days = {}
    dates = [FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1)]
    for day in dates:
        start, end = midnight(day, zone(day)), midnight(day + timedelta(days=1), zone(day))
        days[day] = {"timezone": zone(day), "steps": 0, "start": start.isoformat(),
                     "end": end.isoformat(), "until": end}
    lines = ['<HealthData locale="en_FR">',
             f' <ExportDate value="{text(midnight(LAST + timedelta(days=2), zone(LAST)))}"/>']
    at = midnight(FIRST, zone(FIRST))
    count = 0
    while at < days[LAST]["until"]:
        later = at + timedelta(minutes=30)
        count += 1
        steps = 1 + count % 13
        lines.append(record("HKQuantityTypeIdentifierStepCount", at, later, steps, 'unit="count"'))
        day = next(day for day in dates if at < days[day]["until"])
        days[day]["steps"] += steps
        at = (at.astimezone(timezone.utc) + timedelta(minutes=30))
    for day in dates[:-1]:
        bed = midnight(day, zone(day)) + timedelta(hours=23, minutes=30)
        entry = f'<MetadataEntry key="HKTimeZone" value="{zone(day)}"/>'
        lines.append(record("HKCategoryTypeIdentifierSleepAnalysis", bed,
                            bed + timedelta(hours=7), "HKCategoryValueSleepAnalysisInBed",
                            inner=entry))
    lines.append("</HealthData>\n")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    for day in days.values():
        del day["until"]
    print(json.dumps({str(day): value for day, value in days.items()}))


main()
