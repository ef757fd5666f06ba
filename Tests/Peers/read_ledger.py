"""Reads a health/v0 ledger without any of our code: boto3 or a folder, zoneinfo, and SPEC R41.

Reads one JSON object on stdin: from, to, and either folder, or endpoint, region, access_key,
secret_key, ca_bundle, bucket and prefix. Prints the missing dates (no revision, and no latest.json
that names one), the newest readable revision of each date, and the dates whose newest readable
revision has other boundaries than zoneinfo.
"""

import json
import pathlib
import re
import sys
import unicodedata
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

ID = re.compile(r"(\d{8}T\d{6}Z)-[0-9A-Fa-f]{6,233}", re.ASCII)
ZONE = re.compile(r"[A-Za-z0-9_+/-]{1,64}")
MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?"
    r"(?:Z|([+-])(\d\d)(?::?(\d\d))?)", re.ASCII)
METRICS = [
    "steps", "active_energy_kcal", "exercise_minutes", "stand_hours", "resting_hr_avg",
    "hrv_sdnn_avg", "sleep_asleep_minutes", "sleep_in_bed_minutes"]
STATUSES = ["ok", "no_data", "unauthorized", "unsupported"]
POINTER = re.compile(r"health/v0/data/(\d{4})/(\d\d)/(\d\d)/latest\.json")
KEY = re.compile(r"health/v0/data/(\d{4})/(\d\d)/(\d\d)/revisions/([^/]+)\.json")


class Refused(Exception):
    pass


# What parsing or checking a document that nobody can understand may raise.
UNREADABLE = (Refused, ValueError, RecursionError, KeyError, TypeError, AttributeError)


def objects(ask):
    """Keys below the prefix, each with a function that reads it."""
    if "folder" in ask:
        root = pathlib.Path(ask["folder"])
        return {path.relative_to(root).as_posix(): path.read_bytes
                for path in root.rglob("*") if path.is_file()}
    import boto3
    from botocore.config import Config
    client = boto3.client(
        "s3", endpoint_url=ask["endpoint"], region_name=ask["region"],
        aws_access_key_id=ask["access_key"], aws_secret_access_key=ask["secret_key"],
        verify=ask["ca_bundle"] or True, config=Config(s3={"addressing_style": "path"}))
    pages = client.get_paginator("list_objects_v2").paginate(
        Bucket=ask["bucket"], Prefix=ask["prefix"] + "/")
    found = {}
    for page in pages:
        for entry in page.get("Contents", []):
            key = entry["Key"]
            found[key[len(ask["prefix"]) + 1:]] = lambda key=key: client.get_object(
                Bucket=ask["bucket"], Key=key)["Body"].read()
    return found


def pairs(members):
    names = [unicodedata.normalize("NFC", name) for name, _ in members]
    if len(set(names)) != len(names):
        raise Refused("a key twice")
    return dict(members)


def number(text):
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Refused("out of range")
    return value


def depth(value):
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def refuse_constant(name):
    raise Refused(name)


def parse(body):
    if len(body) > 65_536:
        raise Refused("too large")
    text = body.decode("utf-8")
    if text.startswith("\ufeff"):
        raise Refused("byte-order mark")
    document = json.loads(
        text, object_pairs_hook=pairs, parse_float=number, parse_int=number,
        parse_constant=refuse_constant)
    if depth(document) > 64:
        raise Refused("too deep")
    json.dumps(document, ensure_ascii=False).encode("utf-8")  # no half of a surrogate pair
    return document


def moment(text):
    found = MOMENT.fullmatch(text) if isinstance(text, str) else None
    if not found:
        raise Refused("no moment")
    sign, hours, minutes = found[2] or "+", int(found[3] or 0), int(found[4] or 0)
    if hours > 23 or minutes > 59:
        raise Refused("no offset")
    offset = timedelta(hours=hours, minutes=minutes) * (-1 if sign == "-" else 1)
    return datetime.fromisoformat(found[1]).replace(tzinfo=timezone(offset))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check(document, day):
    """Refuses what R41 does not call readable."""
    if not isinstance(document, dict) or document.get("schema_version") != "health.v0":
        raise Refused("version")
    if date.fromisoformat(document["date"]) != day or len(document["date"]) != 10:
        raise Refused("date")
    if not ZONE.fullmatch(document["day"]["timezone"]):
        raise Refused("zone")
    if moment(document["day"]["end"]) <= moment(document["day"]["start"]):
        raise Refused("boundaries")
    moment(document["generated_at"])
    for name in METRICS:
        value = document["metrics"].get(name)
        status = document["metric_status"].get(name)
        if value is not None and not is_number(value):
            raise Refused("value")
        if status not in STATUSES and (status is not None or name in document["metric_status"]):
            raise Refused("status")
        if is_number(value) != (status == "ok"):
            raise Refused("number")


def names_one(body, day):
    """Whether a latest.json names a revision (R15)."""
    try:
        pointer = parse(body)
        ident = pointer["revision_id"]
        made = datetime.strptime(ID.fullmatch(ident)[1], "%Y%m%dT%H%M%SZ")
        return (len(body) <= 4096 and pointer["date"] == day.isoformat()
                and pointer["latest_generated_at"] == f"{made:%Y-%m-%dT%H:%M:%SZ}"
                and pointer["revision_relpath"] == f"revisions/{ident}.json")
    except UNREADABLE:
        return False


def first_moment(day, zone):
    """The first UTC second at which the zone's clocks show the date or a later one."""
    low = int(datetime(day.year, day.month, day.day, tzinfo=timezone.utc).timestamp()) - 30 * 3600
    high = low + 60 * 3600
    # Steps of a quarter hour, as fine as any change of this century is; then seconds.
    for step in (900, 1):
        at = low
        while datetime.fromtimestamp(at, zone).date() < day and at < high:
            at += step
        low, high = at - step, at
    return datetime.fromtimestamp(high, timezone.utc)


def agrees_with_zone(document, day):
    try:
        zone = ZoneInfo(document["day"]["timezone"])
    except Exception:
        return False
    start, end = first_moment(day, zone), first_moment(day + timedelta(days=1), zone)
    return start < end and (start, end) == (
        moment(document["day"]["start"]), moment(document["day"]["end"]))


def main():
    ask = json.load(sys.stdin)
    sys.setrecursionlimit(10_000)
    days, pointers = {}, {}
    for key, read in objects(ask).items():
        if found := POINTER.fullmatch(key):
            pointers[date(int(found[1]), int(found[2]), int(found[3]))] = read
        found = KEY.fullmatch(key)
        if found and ID.fullmatch(found[4]):
            day = date(int(found[1]), int(found[2]), int(found[3]))
            days.setdefault(day, []).append((found[4], read))
    answer = {"missing": [], "resolved": {}, "off_zone": []}
    day, last = date.fromisoformat(ask["from"]), date.fromisoformat(ask["to"])
    while day <= last:
        if day not in days and not (day in pointers and names_one(pointers[day](), day)):
            answer["missing"].append(day.isoformat())
        for ident, read in sorted(days.get(day, []), key=lambda pair: pair[0], reverse=True):
            try:
                document = parse(read())
                check(document, day)
            except UNREADABLE:
                continue
            answer["resolved"][day.isoformat()] = ident
            if not agrees_with_zone(document, day):
                answer["off_zone"].append(day.isoformat())
            break
        day += timedelta(days=1)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
