"""Tries two instances of s3healthd on one bucket and one PostgreSQL, with senders that retry and kills of all
of them. What was acknowledged must be there and count once, and days and tables must equal those made of the
bucket alone.

The bucket is read with boto3, gzip and json, and the tables with psql, so that nothing of s3health judges
s3health. One line of JSON at the end says what was found.
"""

import collections
import datetime
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid

from shared import PEERS, Bucket, environment

BATCH = re.compile(r"streams/v0/([a-z_]+)/([0-9a-f-]{36})/(\d{4}/\d\d/\d\d)/([0-9a-f]{64})\.json\.gz$")
DAYS = 6
problems = []


def problem(text):
    if len(problems) < 50:
        problems.append(text)


def some_uuid(draw):
    return str(uuid.UUID(int=draw.getrandbits(128), version=4))


class Database:
    """PostgreSQL, as Tests/Peers/postgres_server.py runs it."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, PEERS / "postgres_server.py"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.told = json.loads(self.process.stdout.readline())
        self.environment = {"PGPASSWORD": self.told["password"], "PGHOST": self.told["folder"],
                            "PGPORT": str(self.told["port"]), "PGUSER": "owner"}

    def order(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer != "done":
            raise RuntimeError(f"PostgreSQL: {word}: {answer}")

    def kill(self):
        self.order("kill")

    def start(self):
        self.order("start")

    def stop(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(60)

    def url(self, name):
        return f"postgresql://owner@/{name}?host={self.told['folder']}&port={self.told['port']}"

    def psql(self, name, statement):
        return subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", name, "-c", statement],
            env={**os.environ, **self.environment}, check=True, capture_output=True, text=True).stdout


class Instance:
    """One s3healthd."""

    def __init__(self, trial, number):
        self.trial, self.number, self.process = trial, number, None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def start(self):
        with open(self.trial.work / f"hub-{self.number}.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.trial.options.binary, "serve", *self.trial.bucket.arguments, "--listen",
                 f"127.0.0.1:{self.port}", "--timezone", "UTC", "--rate-limit", "0"],
                env={**self.trial.environment, "S3HEALTH_POSTGRES": self.trial.database.url("hub")},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self):
        if self.process.poll() is not None:
            problem(f"instance {self.number} ended by itself with {self.process.returncode}")
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        code = self.process.wait(120)
        if code != 0:
            problem(f"instance {self.number} ended with {code} when it was asked to stop")


class Truth:
    """What the senders were told is stored."""

    def __init__(self):
        self.lock = threading.Lock()
        self.slots = collections.Counter()
        # By uuid the date and the steps; and the uuids that were deleted.
        self.samples, self.deleted = {}, set()
        self.acknowledged = collections.defaultdict(set)
        self.requests, self.inserted = collections.Counter(), collections.Counter()
        self.batches = 0

    def slot(self, date):
        with self.lock:
            self.slots[date] += 1
            return self.slots[date]

    def steps(self):
        told = collections.Counter()
        for name, (date, value) in self.samples.items():
            if name not in self.deleted:
                told[date] += value
        return told


class Sender(threading.Thread):
    """A phone: it makes a batch, and sends it until it is acknowledged."""

    def __init__(self, trial, number):
        super().__init__(daemon=True)
        self.trial, self.truth, self.number, self.own = trial, trial.truth, number, []
        self.device = some_uuid(random.Random(f"d{number}"))
        self.token = json.loads(trial.run_program(
            "token", "add", f"phone-{number}", "--device", self.device, "-o", "json"))["token"]
        self.random = random.Random(f"{trial.options.seed}-{number}")

    def run(self):
        try:
            while not self.trial.over.is_set():
                self.turn()
                self.trial.over.wait(self.random.uniform(0.2, 2) * self.trial.options.pace)
        except Exception as error:  # a sender that fails must fail the trial
            problem(f"sender {self.number}: {type(error).__name__}: {error}")

    def turn(self):
        kinds = [self.samples, self.points, self.metrics, self.workouts, self.sleep]
        [kind] = self.random.choices(kinds, [60, 10, 10, 10, 10])
        path, document, confirm = kind()
        body = json.dumps(document).encode()
        answer = self.deliver(path, body)
        if answer is None:
            return
        with self.truth.lock:
            confirm(answer)
            self.truth.batches += 1
        if self.random.random() < 0.1:
            # An app that did not hear the answer.
            self.deliver(path, body)

    def deliver(self, path, body):
        """The answer; None where there was none in the end."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        if path == "/api/ingest":
            headers["X-Device-Token"] = self.token
        if "health-" in path:
            headers["Idempotency-Key"] = str(uuid.UUID(int=self.random.getrandbits(128)))
        while True:
            instance = self.random.choice(self.trial.instances)
            try:
                connection = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=90)
                connection.request("POST", path, body, headers)
                response = connection.getresponse()
                status, text = response.status, response.read()
                connection.close()
            except (OSError, http.client.HTTPException):
                status, text = 0, b""
            with self.truth.lock:
                self.truth.requests[status] += 1
            if 200 <= status < 300:
                return json.loads(text)
            if status not in (0, 429, 500, 502, 503):
                problem(f"{path} was answered {status}: {text[:200]!r}")
                return None
            if time.monotonic() > self.trial.latest:
                problem(f"{path} was not acknowledged in the end: {status} {text[:200]!r}")
                return None
            time.sleep(self.random.uniform(0.1, 1.0))

    def date(self):
        today = datetime.datetime.now(datetime.timezone.utc).date()
        return today - datetime.timedelta(days=self.random.randrange(1, DAYS + 1))

    def ingest(self, stream, data):
        return {
            "stream_name": stream, "device_id": self.device, "data": data,
            "batch_metadata": {
                "total_records": len(data), "app_version": "1.0",
                "session": f"{self.number}-{self.random.getrandbits(40)}"}}

    def samples(self):
        new, gone, data, date = {}, set(), [], self.date()
        for _ in range(self.random.randrange(1, 12)):
            slot = self.truth.slot(str(date))
            if slot > 43_000:
                break
            at = datetime.datetime.combine(date, datetime.time()) + datetime.timedelta(seconds=2 * slot - 1)
            name, value = some_uuid(self.random), self.random.randrange(1, 40)
            new[name] = (at, value)
            data.append({**self.sample(name, at), "value": value, "unit": "count", "source": "Watch"})
        if self.own and self.random.random() < 0.15:
            name, at = self.own.pop(self.random.randrange(len(self.own)))
            data.append({**self.sample(name, at), "deleted": True})
            gone.add(name)

        def confirm(_):
            self.truth.samples.update((name, (str(date), value)) for name, (_, value) in new.items())
            self.truth.deleted |= gone
            self.truth.acknowledged["samples"] |= set(new) | gone
            self.own += [(name, at) for name, (at, _) in new.items()]

        return "/api/ingest", self.ingest("apple_ios_healthkit", data), confirm

    @staticmethod
    def sample(name, at):
        end = at + datetime.timedelta(seconds=1)
        return {
            "uuid": name, "sample_type": "HKQuantityTypeIdentifierStepCount",
            "timestamp": f"{at:%Y-%m-%dT%H:%M:%SZ}", "end_timestamp": f"{end:%Y-%m-%dT%H:%M:%SZ}"}

    def points(self):
        at = datetime.datetime.combine(self.date(), datetime.time()) + datetime.timedelta(
            milliseconds=self.random.randrange(86_400_000))
        times = [(at + datetime.timedelta(milliseconds=n)).isoformat(timespec="milliseconds") + "Z"
                 for n in range(self.random.randrange(1, 5))]
        times = [text for text in times if text[:10] == times[0][:10]]
        document = self.ingest("apple_ios_core_location", [
            {"timestamp": text, "latitude": 1.5, "longitude": 2.5, "altitude": 3, "speed": 0,
             "horizontal_accuracy": 5, "vertical_accuracy": 5} for text in times])

        def confirm(_):
            self.truth.acknowledged["points"] |= {(self.device, text) for text in times}

        return "/api/ingest", document, confirm

    def records(self, kind, rows):
        def confirm(answer):
            if answer["received"] != len(rows) or answer["inserted"] + answer["duplicates"] != len(rows):
                problem(f"{kind}: {answer} for {len(rows)} records")
            self.truth.acknowledged[kind] |= {row["healthkit_uuid"] for row in rows}
            self.truth.inserted[kind] += answer["inserted"]

        return f"/api/ingest/health-{kind}", {"records": rows}, confirm

    def metrics(self):
        rows = {}
        for _ in range(self.random.randrange(1, 6)):
            date, type_ = self.date(), f"Trial {self.random.randrange(40)} (count)"
            rows[f"{date}_{type_}"] = {
                "healthkit_uuid": f"{date}_{type_}", "date": f"{date}T00:00:00Z", "type": type_,
                "value": self.random.randrange(10_000), "unit": "count"}
        return self.records("metrics", list(rows.values()))

    def workouts(self):
        date = self.date()
        return self.records("workouts", [
            {"healthkit_uuid": some_uuid(self.random), "type": "Running",
             "start_time": f"{date}T08:00:00Z", "end_time": f"{date}T09:00:00Z"} for _ in range(2)])

    def sleep(self):
        return self.records("sleep", [
            {"healthkit_uuid": some_uuid(self.random), "start_time": f"{date}T01:00:00Z",
             "end_time": f"{date}T02:00:00Z", "qty": 1, "value": "asleepCore", "source": "Watch"}
            for date in (self.date() for _ in range(3))])


class Trial:
    """`store` is what is killed of the store, at `endpoint` for who reads it."""

    def __init__(self, options, store, endpoint, bucket):
        self.options, self.work, self.store = options, pathlib.Path(options.work), store
        self.work.mkdir(parents=True, exist_ok=True)
        self.over, self.latest = threading.Event(), time.monotonic() + options.seconds + 600
        self.bucket = Bucket(
            endpoint, bucket, f"hub-{time.time_ns()}", way=getattr(store, "endpoint", endpoint))
        self.database, self.truth = Database(), Truth()
        self.environment = environment(self.work, **self.database.environment)
        self.instances = [Instance(self, number) for number in (1, 2)]
        self.random, self.kills = random.Random(options.seed), collections.Counter()

    def run_program(self, *arguments, **variables):
        done = subprocess.run(
            [self.options.binary, *arguments], env={**self.environment, **variables}, text=True,
            stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments[:2]}: {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout

    def run(self):
        try:
            self.send()
            self.settle()
            for instance in self.instances:
                instance.stop()
            revisions = self.check()
            self.check_tables()
        finally:
            for instance in self.instances:
                if instance.process and instance.process.poll() is None:
                    instance.process.send_signal(signal.SIGKILL)
            self.database.stop()
        truth = self.truth
        print(json.dumps({
            "seconds": self.options.seconds, "kills": dict(self.kills), "batches": truth.batches,
            "samples": len(truth.samples), "deleted": len(truth.deleted),
            "records": {kind: len(truth.acknowledged[kind]) for kind in ("metrics", "workouts", "sleep")},
            "answers": {str(status): count for status, count in sorted(truth.requests.items())},
            "revisions": revisions, "problems": problems}))
        return not problems

    def send(self):
        """Senders send while instances, PostgreSQL and the store are killed."""
        for name in ("hub", "rebuilt"):
            self.database.psql("postgres", f"CREATE DATABASE {name}")
        self.run_program("db", "create", S3HEALTH_POSTGRES=self.database.url("hub"))
        senders = [Sender(self, number) for number in range(self.options.senders)]
        for one in [*self.instances, *senders]:
            one.start()
        began = time.monotonic()
        while time.monotonic() - began < self.options.seconds:
            time.sleep(self.random.uniform(1, self.options.pause))
            self.kill_some()
        self.over.set()
        for sender in senders:
            sender.join(700)
            if sender.is_alive():
                problem(f"sender {sender.number} never ended")

    def kill_some(self):
        """Kills one or two, and starts them after a while."""
        victims = {"hub-1": self.instances[0], "hub-2": self.instances[1],
                   "postgres": self.database, "store": self.store}
        chosen = self.random.sample(sorted(victims), self.random.choice([1, 1, 1, 2]))
        for name in chosen:
            victims[name].kill()
            self.kills[name] += 1
        time.sleep(self.random.uniform(0.1, 3))
        # The store first or last: an instance that finds none must start all the same, or end.
        for name in sorted(chosen, reverse=self.random.random() < 0.5):
            victims[name].start()

    def settle(self):
        """Until nothing changes any more, and every marker has gone that can."""
        # Markers of killed instances are left alone for 20 minutes.
        no_markers = self.options.rest >= 1500
        last, since = None, time.monotonic()
        end = since + self.options.rest
        while time.monotonic() < end:
            pending = len(list(self.bucket.keys("streams/v0/.pending/")))
            state = (pending, len(list(self.bucket.keys("health/v0/data/"))))
            if state != last:
                last, since = state, time.monotonic()
            # A day that could not be made, or markers that could not be listed, wait half a minute.
            if time.monotonic() - since > 45 and not (pending and no_markers):
                break
            time.sleep(3)
        if no_markers and pending:
            problem(f"{pending} markers are left")

    def check(self):
        """Every acknowledged entry is in the bucket, and counts once in the days."""
        truth, there, points, per_date = self.truth, {}, set(), collections.Counter()
        batches = [key for key in self.bucket.keys("streams/v0/apple_") if BATCH.search(key)]
        for key, packed in self.bucket.all(batches):
            stream, device, date, batch_id = BATCH.search(key).groups()
            document = json.loads(gzip.decompress(packed))
            if document["batch_id"] != batch_id:
                problem(f"{key} names another batch")
            per_date[date.replace("/", "-")] += stream == "apple_ios_healthkit"
            for entry in document["data"]:
                if stream == "apple_ios_core_location":
                    points.add((device, entry["timestamp"]))
                    continue
                _, value, is_deleted = there.get(entry["uuid"], (None, None, False))
                there[entry["uuid"]] = (
                    entry["timestamp"][:10], entry.get("value", value),
                    is_deleted or entry.get("deleted", False))
        for kind, found in [("samples", set(there)), ("points", points)]:
            self.check_missing(kind, found, "are missing")
        steps = collections.Counter()
        for date, value, is_deleted in there.values():
            if not is_deleted:
                steps[date] += value
        if truth.steps() != steps:
            problem(f"the bucket counts {dict(steps)}, the senders were told {dict(truth.steps())}")
        return {date: self.check_day(date, steps[date], per_date[date]) for date in steps}

    def check_missing(self, kind, found, what):
        missing = self.truth.acknowledged[kind] - found
        if missing:
            problem(f"{len(missing)} acknowledged {kind} {what}: {sorted(missing)[:3]}")

    def check_day(self, date, steps, batches):
        """The number of its revisions."""
        all_keys = sorted(self.bucket.keys(f"health/v0/data/{date.replace('-', '/')}/"))
        keys = [key for key in all_keys if "/revisions/" in key]
        if not keys:
            problem(f"{date} was never made")
            return 0
        made = json.loads(self.bucket.read(keys[-1]))["metrics"]["steps"]
        if made != steps:
            problem(f"{date} says {made} steps instead of {steps}")
        name = keys[-1].rpartition("/")[2].removesuffix(".json")
        pointers = [key for key in all_keys if key.endswith("/latest.json")]
        if [json.loads(self.bucket.read(key))["revision_id"] for key in pointers] != [name]:
            problem(f"{date}: latest.json does not name the newest revision {name}")
        # Each revision has something new of a batch, but those that were made twice at a time.
        if len(keys) > 2 * batches + 10:
            problem(f"{date} has {len(keys)} revisions of {batches} batches")
        return len(keys)

    def check_tables(self):
        """The tables equal those made of the bucket alone, the days that the hub has made included."""
        self.run_program(
            "db", "rebuild", *self.bucket.arguments, S3HEALTH_POSTGRES=self.database.url("rebuilt"))
        columns = {
            "metrics": "date, type, value, unit, timezone",
            "workouts": "type, start_time, end_time, duration_seconds, timezone, metrics",
            "sleep": "start_time, end_time, source, qty, value"}
        for kind, names in columns.items():
            statement = (f"SELECT healthkit_uuid, {names} FROM ios_apple_health_{kind} "
                         "ORDER BY healthkit_uuid")
            rows, again = (self.database.psql(name, statement).splitlines()
                           for name in ("hub", "rebuilt"))
            if rows != again:
                odd = sorted(set(rows) ^ set(again))
                problem(f"{kind}: {len(rows)} rows, {len(again)} in a rebuild: {odd[:4]}")
            self.check_missing(kind, {row.split("|")[0] for row in rows}, "are in no row")
            if self.truth.inserted[kind] > len(rows):
                problem(f"{kind}: {self.truth.inserted[kind]} were reported as new, of {len(rows)}")
