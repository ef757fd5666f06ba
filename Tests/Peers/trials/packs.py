"""Kills `streams compact` at random moments, and compares the store after each kill (R66).

Batches are written, and batches and packs read, with gzip, json and hashlib, so that nothing of s3health judges
s3health. Objects have to look old: files are given another time, and a proxy between s3health and a server
makes the times that the server reports older.
"""

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
import threading
import time

import shared

DEVICE = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"
PLACE = f"streams/v0/apple_ios_healthkit/{DEVICE}"
AGE = datetime.timedelta(days=100)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def batch(moment, session, samples=1):
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
    stored = {
        **body, "batch_id": name, "canonicaliser": 1, "feed": "trial", "format": "streams.v0",
        "received_at": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    return f"{PLACE}/{moment:%Y/%m/%d}/{name}.json.gz", canonical(stored)


def opened(key, packed):
    """The batches of an object by id, all that R66 says of them checked."""
    text, name = gzip.decompress(packed), os.path.basename(key).split(".")[0]
    if key.endswith(".json.gz"):
        return {name: text}
    assert key.endswith(".pack.gz") and hashlib.sha256(text).hexdigest() == name, key
    head, *lines = text.split(b"\n")
    head, batches = json.loads(head), {}
    assert lines.pop() == b"" and len(lines) == len(head["batches"]) > 1, key
    period = head["month" if "/month/" in key else "date"]
    assert key.split("/")[4:6] == period.split("-")[:2], key
    for member, line in zip(head["batches"], lines):
        stored, date = json.loads(line), member.get("date", period)
        assert len(line) == member["bytes"] and stored["batch_id"] == member["batch_id"], key
        assert stored["received_at"] == member["received_at"] and stored["feed"] == member["feed"], key
        assert date.startswith(period), key
        assert all(entry["timestamp"].startswith(date) for entry in stored["data"]), key
        batches[member["batch_id"]] = line
    return batches


def receipt(text):
    stored = json.loads(text)
    return stored["received_at"], stored["feed"]


def read(store):
    """Each batch as readers take it: that of a pack before an object of its own, the first receipt first.
    And how many packs of months there are."""
    own, packed, months = {}, {}, 0
    for key, body in store.all(store.batches()):
        batches = opened(key, body)
        months += "/month/" in key
        if key.endswith(".json.gz"):
            own.update(batches)
            continue
        for name, text in batches.items():
            if name not in packed or receipt(text) < receipt(packed[name]):
                packed[name] = text
    return {**own, **packed}, months


class Old:
    """What both stores have: objects that are put once, and batches and packs among their keys."""

    def put_once(self, key, body):
        if key not in set(self.keys(os.path.dirname(key) + "/")):
            self.put(key, body)

    def batches(self):
        return sorted(key for key in self.keys() if key.endswith((".json.gz", ".pack.gz")))


class OldFolder(Old, shared.Folder):
    def age(self):
        then = time.time() - AGE.total_seconds()
        for key in self.batches():
            os.utime(os.path.join(self.path, key), (then, then))


class OldBucket(Old, shared.Bucket):
    def __init__(self, endpoint, bucket, prefix):
        Older.target = endpoint.split("://")[1].rstrip("/")
        proxy = Proxy(("127.0.0.1", 0), Older)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        super().__init__(endpoint, bucket, prefix, way=f"http://127.0.0.1:{proxy.server_address[1]}")

    def age(self):
        """The proxy does."""


class Proxy(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Its client was killed."""


class Older(http.server.BaseHTTPRequestHandler):
    """Makes each object's time older, as the server reports it."""

    protocol_version, target = "HTTP/1.1", None

    def forward(self):
        size = int(self.headers.get("Content-Length") or 0)
        connection = http.client.HTTPConnection(self.target, timeout=60)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            connection.putheader(name, value)
        connection.endheaders(self.rfile.read(size))
        answer = connection.getresponse()
        body = re.sub(rb"<LastModified>([^<]*)Z</LastModified>", self.older, answer.read())
        connection.close()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() == "last-modified":
                then = email.utils.parsedate_to_datetime(value) - AGE
                value = email.utils.format_datetime(then, usegmt=True)
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        length = answer.getheader("Content-Length") if self.command == "HEAD" else len(body)
        if answer.status != 204:
            self.send_header("Content-Length", str(length or 0))
        self.end_headers()
        self.wfile.write(body)

    @staticmethod
    def older(found):
        then = datetime.datetime.fromisoformat(found[1].decode()) - AGE
        return f"<LastModified>{then.isoformat(timespec='milliseconds')}Z</LastModified>".encode()

    do_GET = do_PUT = do_DELETE = do_HEAD = do_POST = forward

    def log_message(self, *_):
        pass


def midnight(days):
    today = datetime.datetime.now(datetime.timezone.utc).replace(
        hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    return today - datetime.timedelta(days=days)


class Trial:
    def __init__(self, store, options):
        self.store, self.options = store, options
        self.draw, self.program = random.Random(options.seed), shared.Program(options.binary, options.work)
        # Every batch by its id, as it was first received.
        self.expected = {}
        self.killed = self.finished = self.late = self.again = 0
        # How long a run takes, about.
        self.took = 1.0

    def streams(self, command, *arguments):
        return ["streams", command, *arguments, "--stream", "healthkit", *self.store.arguments]

    def told(self, command, *arguments):
        """What a run says, which must succeed."""
        return self.program.json(*self.streams(command, *arguments), is_good=lambda code: code == 0)[0]

    def send(self, moment, session, samples=1):
        key, text = batch(moment, session, samples)
        self.expected.setdefault(json.loads(text)["batch_id"], text)
        self.store.put_once(key, gzip.compress(text))

    def kill(self):
        """One or two compactors, killed at random moments."""
        ages = [f"{self.draw.choice([8, 20, 35, 50])}d" for _ in range(self.draw.choice([1, 1, 2]))]
        began = time.time()
        running = [self.program.start(*self.streams("compact", "--older-than", age)) for age in ages]
        for process in running:
            try:
                process.communicate(timeout=self.draw.uniform(0, 1.1 * self.took))
                assert process.returncode == 0, process.returncode
                self.finished += 1
                if len(running) == 1:
                    self.took = 0.7 * self.took + 0.3 * (time.time() - began)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                self.killed += 1
                self.took *= 1.05

    def change(self):
        """What happens between two runs."""
        if self.draw.random() < 0.5:
            # What is packed is old enough for the next run to remove the rest.
            self.store.age()
        if self.draw.random() < 0.6:
            for _ in range(self.draw.randint(1, 6)):
                self.late += 1
                day = midnight(self.draw.randint(9, 74))
                self.send(day + datetime.timedelta(hours=20, seconds=self.late), f"l{self.late}")
        if self.draw.random() < 0.4:
            # Some are sent again where a pack has them: their first receipt goes on counting.
            packs = [key for key in self.store.batches() if key.endswith(".pack.gz")]
            names = {name for key, body in self.store.all(packs) for name in opened(key, body)}
            for name in self.draw.sample(sorted(names), min(3, len(names))):
                self.again += 1
                stored = json.loads(self.expected[name])
                stored["received_at"] = self.draw.choice(["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
                date = stored["data"][0]["timestamp"][:10].replace("-", "/")
                self.store.put_once(f"{PLACE}/{date}/{name}.json.gz", gzip.compress(canonical(stored)))
            self.store.age()

    def run(self):
        began, most_months, verified = time.time(), 0, 0
        for days in range(9, 75):
            for number in range(self.options.batches):
                self.send(midnight(days) + datetime.timedelta(minutes=5 * number), "first", samples=2)
        self.store.age()
        while self.killed < self.options.kills:
            self.kill()
            found, months = read(self.store)
            most_months = max(most_months, months)
            assert found == self.expected, \
                f"{len(found)} batches instead of {len(self.expected)} after {self.killed} kills"
            self.change()
            if self.killed // 10 > verified:
                verified = self.killed // 10
                seen, listed = self.told("verify"), self.told("ls")
                assert seen["ok"], seen
                assert listed["batches"] == len(self.expected), (listed["batches"], len(self.expected))
        for _ in range(8):
            self.told("compact", "--older-than", "8d")
            self.store.age()
        found, months = read(self.store)
        keys = self.store.batches()
        print(
            f"{self.killed} kills, {self.finished} runs that ended, in {time.time() - began:.0f} s: "
            f"{len(self.expected):,} batches ({self.late} late, {self.again} sent again), "
            f"{len(self.expected) - len(found)} missing, {len(keys)} objects left, {months} of them packs of "
            f"a month (up to {most_months} at once)")
        # A pack of each date of the month that is not over for it, and one of each other month.
        return found == self.expected and months > 0 and len(keys) <= 31 + 3
