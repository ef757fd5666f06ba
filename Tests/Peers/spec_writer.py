"""Publishes to a day, written from SPEC.md and docs/spec/publishing.md and nothing else.

The first line of stdin is JSON with the store (`endpoint`, `ca_bundle`, `region`, `access_key`,
`secret_key`, `bucket`, `prefix`), whether it has compare-and-swap (`cas`), and the `timezone` of its days.
Each further line is what a source says of a day: `["2026-02-08", {"steps": 8000, "weight": null}]`, where
null says that there is no number. Stdout has a line for each: how the publish ended (R27). Then every id
of the day must be the one that R21 gives.
"""

import hashlib
import json
import random
import re
import sys
import time
import uuid
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import botocore.session
import rfc8785
from botocore.config import Config
from botocore.exceptions import ClientError

REQUIRED = {"steps": "count", "active_energy_kcal": "kcal", "exercise_minutes": "min", "stand_hours": "hr",
            "resting_hr_avg": "bpm", "hrv_sdnn_avg": "ms", "sleep_asleep_minutes": "min",
            "sleep_in_bed_minutes": "min"}
UNITS = REQUIRED | {"weight": "kg", "vo2_max": "mL/min·kg"}
ID = re.compile(r"(\d{8}T\d{6}Z)-[0-9A-Fa-f]{6,233}\.json")
MOMENT = "%Y%m%dT%H%M%SZ"
ATTEMPTS = 16


def digest(document):
    rest = {name: value for name, value in document.items() if name != "digest"}
    return "sha256:" + hashlib.sha256(rfc8785.dumps(rest)).hexdigest()


def suffix(document):
    """The suffix of R21."""
    left = ("collector", "captured_at", "digest")
    document = {name: value for name, value in document.items() if name not in left}
    document["generated_at"] = "1970-01-01T00:00:00Z"
    document["digest"] = digest(document)
    return hashlib.sha256(rfc8785.dumps(document)).hexdigest()[:8].upper()


def reading(document, metric):
    return document["metrics"].get(metric), document["metric_status"].get(metric, "no_data")


def covers(document):
    return document.get("covers", UNITS)


def boundaries(day, zone):
    first = date.fromisoformat(day)
    start, end = (
        datetime(at.year, at.month, at.day, tzinfo=ZoneInfo(zone)).isoformat()
        for at in (first, first + timedelta(1)))
    return {"timezone": zone, "start": start, "end": end}


class Writer:
    def __init__(self, settings):
        self.s3 = botocore.session.get_session().create_client(
            "s3", region_name=settings["region"], endpoint_url=settings["endpoint"],
            verify=settings["ca_bundle"], aws_access_key_id=settings["access_key"],
            aws_secret_access_key=settings["secret_key"],
            config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1},
                          request_checksum_calculation="when_required"))
        self.bucket, self.cas = settings["bucket"], settings["cas"]
        self.data, self.zone = settings["prefix"] + "/health/v0/data/", settings["timezone"]
        self.collector = {name: str(uuid.uuid4()).upper() for name in ("collector_id", "device_id")}
        self.ahead = 0.0

    def begin(self, day):
        self.date, self.day = day, self.data + day.replace("-", "/") + "/"

    def get(self, name):
        try:
            got = self.s3.get_object(Bucket=self.bucket, Key=self.day + name)
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                return None, None
            raise
        clock = got["ResponseMetadata"]["HTTPHeaders"]["date"]
        clock = datetime.strptime(clock, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=timezone.utc)
        self.ahead = clock.timestamp() - time.time()
        return got["Body"].read(), got["ETag"]

    def put(self, name, body, **condition):
        """Whether the store confirmed the write."""
        try:
            self.s3.put_object(Bucket=self.bucket, Key=self.day + name, Body=body, **condition)
            return True
        except ClientError:
            return False

    def survey(self):
        """All ids, the readable revisions by id, and what the pointer names with its etag."""
        body, etag = self.get("latest.json")
        named = json.loads(body)["revision_id"] if body else None
        pages = self.s3.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=self.day + "revisions/")
        names = [item["Key"].rsplit("/", 1)[1] for page in pages for item in page.get("Contents", [])]
        ids = sorted(name[:-5] for name in names if ID.fullmatch(name))
        bodies = {one: self.get(f"revisions/{one}.json")[0] for one in ids}
        return ids, {one: json.loads(body) for one, body in bodies.items()}, named, etag

    @staticmethod
    def words(revisions):
        """For each metric, the greatest id that covers it, and its reading there (R20)."""
        found = {}
        for one in sorted(revisions):
            for metric in covers(revisions[one]):
                found[metric] = one, reading(revisions[one], metric)
        return found

    def publish(self, said):
        outcome, mine = self.store(said)
        for _ in range(ATTEMPTS):
            if mine is None:
                return outcome
            _, revisions, _, _ = self.survey()
            words, newest = self.words(revisions), revisions[max(revisions)]
            if all(reading(newest, metric) == word for metric, (_, word) in words.items()):
                return outcome
            still = {metric: word for metric, word in said.items() if words[metric][0] <= mine}
            outcome, again = self.store(still)
            mine = again or mine
        raise RuntimeError("the day never settled")

    def store(self, said):
        for _ in range(ATTEMPTS):
            ids, revisions, named, _ = self.survey()
            words = self.words(revisions)
            newest = max(revisions, default=None)
            document = {"schema_version": "health.v0", "date": self.date,
                        "day": boundaries(self.date, self.zone)}
            document |= {name: {} for name in ("metrics", "metric_status", "metric_units")}
            for metric, unit in UNITS.items():
                number, status = said.get(metric) or words.get(metric, (None, (None, "no_data")))[1]
                if metric in REQUIRED or number is not None:
                    document["metrics"][metric] = number
                    document["metric_status"][metric] = status
                    document["metric_units"][metric] = unit
            if newest and self.repeats(revisions, newest, document, said) and newest >= (named or ""):
                return self.point(newest, "unchanged"), None
            if len(said) < len(UNITS):
                document["covers"] = sorted(said)
                if newest:
                    document["kept_from"] = newest
            one = self.mint(ids, document)
            document["generated_at"] = datetime.strptime(one[:16], MOMENT).isoformat() + "Z"
            document["collector"] = self.collector
            document["digest"] = digest(document)
            if self.create(one, document):
                return self.point(one, "published"), one
        raise RuntimeError("no revision could be stored")

    @staticmethod
    def repeats(revisions, newest, document, said):
        """Whether the newest revision says the same, and its writer had seen all others."""
        latest = revisions[newest]
        seen = latest.get("kept_from", "") if "covers" in latest else newest
        return all(latest[name] == value for name, value in document.items()) and all(
            reading(revisions[one], metric) == word
            for one in revisions if seen < one < newest
            for metric, word in said.items() if metric in covers(revisions[one]))

    def mint(self, ids, document):
        moment = datetime.fromtimestamp(time.time() + self.ahead, timezone.utc)
        if ids:
            after = datetime.strptime(max(ids)[:16], MOMENT).replace(tzinfo=timezone.utc)
            moment = max(moment, after + timedelta(seconds=1))
        ending = suffix(document) if self.cas else f"{random.getrandbits(32):08X}"
        return f"{moment.strftime(MOMENT)}-{ending}"

    def create(self, one, document):
        body, name = rfc8785.dumps(document), f"revisions/{one}.json"
        origin = ("collector", "captured_at", "digest")
        for _ in range(ATTEMPTS):
            if self.put(name, body, IfNoneMatch="*"):
                return True
            there, _ = self.get(name)
            if there:
                there = json.loads(there)
                return all(there.get(key) == value for key, value in document.items() if key not in origin)
            time.sleep(random.random() / 5)
        raise RuntimeError(f"{one} could not be confirmed")

    def point(self, one, outcome):
        if not self.cas:
            return "unchanged" if outcome == "unchanged" else "pointer_skipped"
        moment = datetime.strptime(one[:16], MOMENT).isoformat() + "Z"
        value = rfc8785.dumps({"date": self.date, "revision_id": one, "latest_generated_at": moment,
                               "revision_relpath": f"revisions/{one}.json"})
        for attempt in range(ATTEMPTS):
            body, etag = self.get("latest.json")
            named = json.loads(body)["revision_id"] if body else ""
            if named >= one:
                return "superseded" if named > one and outcome == "published" else outcome
            if etag and attempt % 2 == 1:  # as RADOS gateways need it (R28)
                etag = etag.strip('"')
            if self.put("latest.json", value, **({"IfMatch": etag} if etag else {"IfNoneMatch": "*"})):
                return outcome
            time.sleep(random.random() / 5)
        raise RuntimeError(f"the pointer could not be moved to {one}")


writer = Writer(json.loads(sys.stdin.readline()))
for line in sys.stdin:
    day, said = json.loads(line)
    writer.begin(day)
    print(writer.publish(
        {metric: (number, "no_data" if number is None else "ok") for metric, number in said.items()}))
    if writer.cas:
        for one, document in writer.survey()[1].items():
            assert one.endswith("Z-" + suffix(document)), one
