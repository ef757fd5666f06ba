"""What scripts/outbox-nightly tries on packs (R66): kills of `streams compact`, and a year of uploads.

It writes batches and reads batches and packs by itself, with gzip, json and hashlib (and boto3 for a
bucket), so that nothing of s3health judges s3health. Objects have to look old: files are given another
time, and a proxy between s3health and a server makes the times that the server reports older.
"""

import argparse
import datetime
import email.utils
import gzip
import hashlib
import http.client
import http.server
import json
import os
import random
import re
import subprocess
import sys
import threading
import time

ROOT = "streams/v0/apple_ios_healthkit/"
DEVICE = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"
AGE = 100 * 86_400


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def batch(moment, session, samples=1, received=0, feed="trial"):
    """The key and the unpacked object of a batch that begins at a moment, as R46 says."""
    times = [moment + datetime.timedelta(seconds=number) for number in range(samples)]
    body = {
        "batch_metadata": {"app_version": "1", "session": session, "total_records": samples},
        "data": [{
            "sample_type": "HKQuantityTypeIdentifierHeartRate", "unit": "bpm", "value": 60 + number % 40,
            "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S.000Z")} for number, at in enumerate(times)],
        "device_id": DEVICE, "stream_name": "apple_ios_healthkit",
    }
    name = hashlib.sha256(canonical(body)).hexdigest()
    receipt = moment + datetime.timedelta(seconds=received)
    stored = {
        **body, "batch_id": name, "canonicaliser": 1, "feed": feed, "format": "streams.v0",
        "received_at": receipt.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    return f"{ROOT}{DEVICE}/{moment:%Y/%m/%d}/{name}.json.gz", canonical(stored)


def opened(key, packed):
    """The batches of an object by id, and whether it is a pack. Everything that R66 says is checked."""
    text, name = gzip.decompress(packed), os.path.basename(key).split(".")[0]
    if key.endswith(".json.gz"):
        return {name: text}, False
    assert key.endswith(".pack.gz") and hashlib.sha256(text).hexdigest() == name, key
    head, *lines = text.split(b"\n")
    head = json.loads(head)
    assert lines.pop() == b"" and len(lines) == len(head["batches"]) > 1, key
    month, batches = "/month/" in key, {}
    assert key.split("/")[4:6] == head["month" if month else "date"].split("-")[:2], key
    for member, line in zip(head["batches"], lines):
        stored = json.loads(line)
        date = member["date"] if month else head["date"]
        assert len(line) == member["bytes"] and stored["batch_id"] == member["batch_id"], key
        assert stored["received_at"] == member["received_at"] and stored["feed"] == member["feed"], key
        assert all(entry["timestamp"].startswith(date) for entry in stored["data"]), key
        assert date.startswith(head["month"] if month else head["date"]), key
        batches[member["batch_id"]] = line
    return batches, month or None


def receipt(text):
    stored = json.loads(text)
    return stored["received_at"], stored["feed"]


def read(store):
    """Each batch as readers take it: that of a pack before an object of its own, the first receipt first."""
    own, packed, months = {}, {}, 0
    for key, body in store.objects():
        batches, is_month = opened(key, body)
        months += is_month is True
        if is_month is False:
            own.update(batches)
            continue
        for name, text in batches.items():
            if name not in packed or receipt(text) < receipt(packed[name]):
                packed[name] = text
    return {**own, **packed}, months


class Folder:
    """A store in a folder, whose files are old."""

    def __init__(self, path):
        self.path, self.arguments = path, ["--store", path]

    def put(self, key, body):
        path = os.path.join(self.path, key)
        if os.path.exists(path):
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(body)

    def age(self):
        then = time.time() - AGE
        for key in self.keys():
            os.utime(os.path.join(self.path, key), (then, then))

    def keys(self):
        root = os.path.join(self.path, "streams")
        for folder, _, files in os.walk(root):
            for file in files:
                if file.endswith((".json.gz", ".pack.gz")):
                    yield os.path.relpath(os.path.join(folder, file), self.path)

    def objects(self):
        for key in self.keys():
            with open(os.path.join(self.path, key), "rb") as file:
                yield key, file.read()


class Older(http.server.BaseHTTPRequestHandler):
    """A proxy that makes each object's time older, as the server reports it, and counts requests."""

    protocol_version, target, count = "HTTP/1.1", None, 0

    def forward(self):
        Older.count += 1
        size = int(self.headers.get("Content-Length") or 0)
        connection = http.client.HTTPConnection(self.target, timeout=60)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            connection.putheader(name, value)
        connection.endheaders(self.rfile.read(size))
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        then = datetime.timedelta(seconds=AGE)
        body = re.sub(
            rb"<LastModified>([^<]*)Z</LastModified>", lambda found: b"<LastModified>" + (
                datetime.datetime.fromisoformat(found[1].decode()) - then
            ).isoformat(timespec="milliseconds").encode() + b"Z</LastModified>", body)
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() == "last-modified":
                value = email.utils.format_datetime(
                    email.utils.parsedate_to_datetime(value) - then, usegmt=True)
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        length = answer.getheader("Content-Length") if self.command == "HEAD" else len(body)
        if answer.status != 204:
            self.send_header("Content-Length", str(length or 0))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_DELETE = do_HEAD = do_POST = forward

    def log_message(self, *_):
        pass


class Proxy(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Its client was killed."""


class Bucket:
    """A prefix of a bucket behind the proxy."""

    def __init__(self, endpoint, bucket, prefix):
        import boto3

        self.client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
        self.bucket, self.prefix = bucket, prefix
        Older.target = endpoint.split("://")[1].rstrip("/")
        proxy = Proxy(("127.0.0.1", 0), Older)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.arguments = [
            "--store", f"s3://{bucket}/{prefix}", "--endpoint-url",
            f"http://127.0.0.1:{proxy.server_address[1]}"]

    def put(self, key, body):
        if (self.prefix + "/" + key) not in self.names():
            self.client.put_object(Bucket=self.bucket, Key=self.prefix + "/" + key, Body=body)

    def age(self):
        """The proxy does."""

    def names(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=self.prefix + "/streams/")
        return {entry["Key"] for page in pages for entry in page.get("Contents", [])}

    def objects(self):
        for name in sorted(self.names()):
            if name.endswith((".json.gz", ".pack.gz")):
                yield name[len(self.prefix) + 1:], self.client.get_object(
                    Bucket=self.bucket, Key=name)["Body"].read()


class Program:
    def __init__(self, binary, work, store):
        self.binary, self.store = binary, store
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": work, "S3HEALTH_TIMEZONE": "UTC",
            "AWS_EC2_METADATA_DISABLED": "true",
            **{name: value for name, value in os.environ.items() if name.startswith("AWS_")},
        }

    def start(self, *arguments):
        return subprocess.Popen(
            [self.binary, "streams", *arguments, "--stream", "healthkit", *self.store.arguments],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def json(self, *arguments):
        process = self.start(*arguments, "--output", "json")
        out, errors = process.communicate()
        assert process.returncode == 0, (process.returncode, out[-400:], errors[-400:])
        return json.loads(out)


def midnight(days):
    today = datetime.datetime.now(datetime.timezone.utc).replace(
        hour=0, minute=0, second=0, microsecond=0)
    return today.replace(tzinfo=None) - datetime.timedelta(days=days)


def kills(store, options):
    """Kills one or two compactors at random moments, and compares the store after each."""
    draw, program, expected = random.Random(options.seed), Program(options.binary, options.work, store), {}

    def send(moment, session, **how):
        key, text = batch(moment, session, **how)
        name = json.loads(text)["batch_id"]
        expected.setdefault(name, text)
        store.put(key, gzip.compress(text))

    for days in range(9, 75):
        for number in range(options.batches):
            send(midnight(days) + datetime.timedelta(minutes=5 * number), "first", samples=2)
    store.age()
    killed, finished, late, again, took, verified = 0, 0, 0, 0, 1.0, 0
    most_months, began = 0, time.time()
    while killed < options.kills:
        ages = [f"{draw.choice([8, 20, 35, 50])}d" for _ in range(draw.choice([1, 1, 2]))]
        since = time.time()
        running = [program.start("compact", "--older-than", age) for age in ages]
        for process in running:
            try:
                process.communicate(timeout=draw.uniform(0, 1.1 * took))
                assert process.returncode == 0, process.returncode
                finished += 1
                if len(running) == 1:
                    took = 0.7 * took + 0.3 * (time.time() - since)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
                took *= 1.05
        found, months = read(store)
        most_months = max(most_months, months)
        assert found == expected, f"{len(found)} batches instead of {len(expected)} after {killed} kills"
        if draw.random() < 0.5:
            # What is packed is old enough for the next run to remove the rest.
            store.age()
        if draw.random() < 0.6:
            for _ in range(draw.randint(1, 6)):
                late += 1
                send(midnight(draw.randint(9, 74)) + datetime.timedelta(hours=20, seconds=late), f"l{late}")
        if draw.random() < 0.4:
            # Some are sent again where a pack has them: their first receipt goes on counting.
            packed = {name for key, body in store.objects() if key.endswith(".pack.gz")
                      for name in opened(key, body)[0]}
            for name in draw.sample(sorted(packed), min(3, len(packed))):
                again += 1
                stored = json.loads(expected[name])
                stored["received_at"] = draw.choice(["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
                date = stored["data"][0]["timestamp"][:10].replace("-", "/")
                store.put(f"{ROOT}{DEVICE}/{date}/{name}.json.gz", gzip.compress(canonical(stored)))
            store.age()
        if killed // 10 > verified:
            verified = killed // 10
            seen = program.json("verify")
            assert seen["ok"], seen
            listed = program.json("ls")
            assert listed["batches"] == len(expected), (listed["batches"], len(expected))
    for _ in range(8):
        program.json("compact", "--older-than", "8d")
        store.age()
    found, months = read(store)
    keys = [key for key, _ in store.objects()]
    print(
        f"{killed} kills, {finished} runs that ended, in {time.time() - began:.0f} s: {len(expected):,} "
        f"batches ({late} late, {again} sent again), {len(expected) - len(found)} missing, "
        f"{len(keys)} objects left, {months} of them packs of a month (up to {most_months} at once)")
    # A pack of each date of the month that is not over for it, and one of each other month.
    return found == expected and months > 0 and len(keys) <= 31 + 3


def year(store, options):
    """Uploads every five minutes, packed, and read before and after."""
    program, expected = Program(options.binary, options.work, store), {}
    for number in range(options.days * 288):
        moment = datetime.datetime(2024, 1, 1) + datetime.timedelta(minutes=5 * number)
        key, text = batch(moment, "year", samples=3)
        expected[json.loads(text)["batch_id"]] = hashlib.sha256(text).digest()
        store.put(key, gzip.compress(text, 1)) if options.folder else store.client.put_object(
            Bucket=store.bucket, Key=store.prefix + "/" + key, Body=gzip.compress(text, 1))
    store.age()

    def timed(*arguments):
        began, before = time.time(), Older.count
        seen = program.json(*arguments)
        return seen, time.time() - began, Older.count - before

    def look(what):
        seen, took, requests = timed("verify")
        found = {name: hashlib.sha256(text).digest() for name, text in read(store)[0].items()}
        objects = sum(1 for _ in (store.keys() if options.folder else store.names()))
        counted = f", {requests:,} requests" if requests else ""
        print(
            f"{what}: {objects:,} objects, verified in {took:.0f} s{counted}: {seen['ok']}, "
            f"{len(found):,} batches, {'as they were' if found == expected else 'NOT as they were'}")
        return seen["ok"] and found == expected, requests, objects

    good, single, many = look("as uploaded")
    for turn in range(2):
        seen, took, requests = timed("compact", "--older-than", "8d")
        print(f"run {turn + 1}: {seen['packs']} packs, {seen['removed_objects']:,} removed, {took:.0f} s"
              + (f", {requests:,} requests" if requests else ""))
        store.age()
    fine, packed, few = look("packed")
    return good and fine and many >= 100 * few and single >= 100 * packed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trial", choices=["kills", "year"])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--folder")
    parser.add_argument("--endpoint")
    parser.add_argument("--bucket", default="outbox-nightly")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--batches", type=int, default=6)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keys", action="store_true", help="read AWS_ variables as JSON from stdin")
    options = parser.parse_args()
    if options.keys:
        os.environ.update(json.load(sys.stdin))
    os.makedirs(options.work, exist_ok=True)
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
        store = Folder(options.folder)
    else:
        store = Bucket(options.endpoint, options.bucket, f"packs-{time.time_ns()}")
    sys.exit(0 if globals()[options.trial](store, options) else 1)


if __name__ == "__main__":
    main()
