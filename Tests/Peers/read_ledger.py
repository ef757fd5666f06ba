"""Reads a health/v0 ledger without any of our code: boto3 or a folder, jsonschema, zoneinfo.

Reads one JSON object on stdin: from, to, schema (the path of health.v0.schema.json), and either
folder, or endpoint, region, access_key, secret_key, ca_bundle, bucket and prefix. Prints the missing
dates, the newest valid revision of each date, and the dates whose newest valid revision has other
boundaries than zoneinfo.
"""

import json
import pathlib
import re
import sys
import unicodedata
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from jsonschema import Draft202012Validator

ID = re.compile(r"(\d{8}T\d{6}Z)-[0-9A-F]{6,64}")
KEY = re.compile(r"health/v0/data/(\d{4})/(\d\d)/(\d\d)/revisions/([^/]+)\.json")


class Refused(Exception):
    pass


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
    return datetime.strptime(re.sub(r"\.\d+", "", text), "%Y-%m-%dT%H:%M:%SZ").replace(
        tzinfo=timezone.utc)


def check(document, day, ident, validator):
    if not validator.is_valid(document):
        raise Refused("schema")
    if date.fromisoformat(document["date"]) != day:
        raise Refused("date")
    made = datetime.strptime(ID.fullmatch(ident)[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
    if moment(document["generated_at"]) != made:
        raise Refused("generated_at")
    if "captured_at" in document:
        moment(document["captured_at"])
    start = datetime.fromisoformat(document["day"]["start"])
    end = datetime.fromisoformat(document["day"]["end"])
    if end <= start or start.date() != day:
        raise Refused("boundaries")


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
        datetime.fromisoformat(document["day"]["start"]),
        datetime.fromisoformat(document["day"]["end"]))


def main():
    ask = json.load(sys.stdin)
    sys.setrecursionlimit(10_000)
    validator = Draft202012Validator(json.loads(pathlib.Path(ask["schema"]).read_text("utf-8")))
    days = {}
    for key, read in objects(ask).items():
        found = KEY.fullmatch(key)
        if found and ID.fullmatch(found[4]):
            day = date(int(found[1]), int(found[2]), int(found[3]))
            days.setdefault(day, []).append((found[4], read))
    answer = {"missing": [], "resolved": {}, "off_zone": []}
    day, last = date.fromisoformat(ask["from"]), date.fromisoformat(ask["to"])
    while day <= last:
        if day not in days:
            answer["missing"].append(day.isoformat())
        for ident, read in sorted(days.get(day, []), key=lambda pair: pair[0], reverse=True):
            try:
                document = parse(read())
                check(document, day, ident, validator)
            except (Refused, ValueError, RecursionError):
                continue
            answer["resolved"][day.isoformat()] = ident
            if not agrees_with_zone(document, day):
                answer["off_zone"].append(day.isoformat())
            break
        day += timedelta(days=1)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
