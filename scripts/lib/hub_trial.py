"""What scripts/hub-nightly tries on the hub: two instances on one bucket and one PostgreSQL, senders
that retry, and kills of all of them.

It reads the bucket by itself, with boto3, gzip and json, and the tables with psql, so that nothing of
s3health judges s3health. One line of JSON at the end says what was found; exit code 1 if a promise was
broken.
"""

import argparse
import collections
import concurrent.futures
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

PEERS = pathlib.Path(__file__).resolve().parent.parent.parent / "Tests/Peers"
BATCH = re.compile(r"streams/v0/([a-z_]+)/([0-9a-f-]{36})/(\d{4}/\d\d/\d\d)/([0-9a-f]{64})\.json\.gz$")
DAYS = 6
problems = []


def problem(text):
    if len(problems) < 50:
        problems.append(text)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Link:
    """A way to the store that can be cut, for a store that others use, too."""

    def __init__(self, endpoint):
        host, _, port = endpoint.rpartition("//")[2].rpartition(":")
        self.target, self.is_cut, self.open = (host, int(port)), False, set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.endpoint = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.is_cut:
                client.close()
                continue
            try:
                server = socket.create_connection(self.target, timeout=30)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            self.open |= {client, server}
            for source, target in [(client, server), (server, client)]:
                threading.Thread(target=self.copy, args=(source, target), daemon=True).start()

    def copy(self, source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
            self.open.discard(end)

    def kill(self):
        self.is_cut = True
        for end in list(self.open):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def start(self):
        self.is_cut = False


class Commands:
    """A store that commands kill and start."""

    def __init__(self, endpoint, kill, start):
        self.endpoint, self.commands = endpoint, (kill, start)

    def run(self, command):
        subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)

    def kill(self):
        self.run(self.commands[0])

    def start(self):
        self.run(self.commands[1])


class Database:
    """PostgreSQL, as Tests/Peers/postgres_server.py runs it."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(PEERS / "postgres_server.py")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.told = json.loads(self.process.stdout.readline())

    def order(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer != "done":
            sys.exit(f"PostgreSQL: {word}: {answer}")

    def kill(self):
        self.order("kill")

    def start(self):
        self.order("start")

    def stop(self):
        self.process.stdin.close()
        self.process.wait(60)

    @property
    def environment(self):
        return {"PGPASSWORD": self.told["password"], "PGHOST": self.told["folder"],
                "PGPORT": str(self.told["port"]), "PGUSER": "owner"}

    def url(self, name):
        return f"postgresql://owner@/{name}?host={self.told['folder']}&port={self.told['port']}"

    def psql(self, name, statement):
        return subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", name, "-c", statement],
            env={**os.environ, **self.environment}, check=True, capture_output=True, text=True).stdout


class Instance:
    """One s3healthd."""

    def __init__(self, trial, number):
        self.trial, self.number, self.port = trial, number, free_port()
        self.log = trial.work / f"hub-{number}.log"
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.trial.program, "serve", *self.trial.store_arguments, "--listen",
                 f"127.0.0.1:{self.port}", "--timezone", "UTC", "--rate-limit", "0"],
                env={**self.trial.environment,
                     "S3HEALTH_POSTGRES": self.trial.database.url("hub")},
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
        # uuid -> (date, steps), and the uuids that were deleted.
        self.samples, self.deleted = {}, set()
        self.acknowledged = {"samples": set(), "points": set(), "workouts": set(), "sleep": set(),
                             "metrics": set()}
        self.requests = collections.Counter()
        self.batches = 0
        self.inserted = collections.Counter()

    def slot(self, date):
        with self.lock:
            self.slots[date] += 1
            return self.slots[date]


class Sender(threading.Thread):
    """A phone: it makes a batch, and sends it until it is acknowledged."""

    def __init__(self, trial, number, token, device):
        super().__init__(daemon=True)
        self.trial, self.number, self.token, self.device = trial, number, token, device
        self.random = random.Random(f"{trial.options.seed}-{number}")
        self.own = []

    def run(self):
        try:
            while not self.trial.over.is_set():
                self.turn()
                self.trial.over.wait(self.random.uniform(0.2, 2) * self.trial.options.pace)
        except Exception as error:  # a sender that fails must fail the trial
            problem(f"sender {self.number}: {type(error).__name__}: {error}")

    def turn(self):
        kind = self.random.choices(
            ["samples", "points", "metrics", "workouts", "sleep"], [60, 10, 10, 10, 10])[0]
        path, document, confirm = getattr(self, kind)()
        body = json.dumps(document).encode()
        answer = self.deliver(path, body)
        if answer is None:
            return
        confirm(answer)
        with self.trial.truth.lock:
            self.trial.truth.batches += 1
        if self.random.random() < 0.1:
            # An app that did not hear the answer.
            self.deliver(path, body)

    def deliver(self, path, body):
        """The answer; nil if the trial is over for good before there was one."""
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
                text = response.read()
                connection.close()
                status = response.status
            except (OSError, http.client.HTTPException):
                status, text = 0, b""
            with self.trial.truth.lock:
                self.trial.truth.requests[status] += 1
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

    def samples(self):
        truth, new, gone, data = self.trial.truth, {}, set(), []
        date = self.date()
        for _ in range(self.random.randrange(1, 12)):
            slot = truth.slot(str(date))
            if slot > 43_000:
                break
            at = datetime.datetime.combine(date, datetime.time()) + datetime.timedelta(
                seconds=2 * slot - 1)
            name, value = str(uuid.UUID(int=self.random.getrandbits(128), version=4)), \
                self.random.randrange(1, 40)
            new[name] = (str(date), value)
            data.append(self.sample(name, at, value))
        if self.own and self.random.random() < 0.15:
            name, at = self.own.pop(self.random.randrange(len(self.own)))
            data.append({**self.sample(name, at, None), "deleted": True})
            gone.add(name)
        document = {
            "stream_name": "apple_ios_healthkit", "device_id": self.device, "data": data,
            "batch_metadata": {
                "total_records": len(data), "app_version": "1.0",
                "session": f"{self.number}-{self.random.getrandbits(40)}"}}
        moments = {entry["uuid"]: entry["timestamp"] for entry in data}

        def confirm(_):
            with truth.lock:
                truth.samples.update(new)
                truth.deleted |= gone
                truth.acknowledged["samples"] |= set(new) | gone
            self.own += [
                (name, datetime.datetime.strptime(moments[name], "%Y-%m-%dT%H:%M:%SZ"))
                for name in new]

        return "/api/ingest", document, confirm

    @staticmethod
    def sample(name, at, value):
        entry = {
            "uuid": name, "sample_type": "HKQuantityTypeIdentifierStepCount",
            "timestamp": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "end_timestamp": (at + datetime.timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%SZ")}
        return entry if value is None else {
            **entry, "value": value, "unit": "count", "source": "Watch"}

    def points(self):
        at = datetime.datetime.combine(self.date(), datetime.time()) + datetime.timedelta(
            milliseconds=self.random.randrange(86_400_000))
        times = [(at + datetime.timedelta(milliseconds=n)).isoformat(timespec="milliseconds") + "Z"
                 for n in range(self.random.randrange(1, 5))]
        times = [text for text in times if text[:10] == times[0][:10]]
        document = {
            "stream_name": "apple_ios_core_location", "device_id": self.device,
            "data": [{"timestamp": text, "latitude": 1.5, "longitude": 2.5, "altitude": 3,
                      "speed": 0, "horizontal_accuracy": 5, "vertical_accuracy": 5}
                     for text in times],
            "batch_metadata": {"total_records": len(times), "app_version": "1.0",
                               "session": f"p{self.number}-{self.random.getrandbits(40)}"}}

        def confirm(_):
            with self.trial.truth.lock:
                self.trial.truth.acknowledged["points"] |= {(self.device, text) for text in times}

        return "/api/ingest", document, confirm

    def records(self, kind, rows):
        def confirm(answer):
            if answer["received"] != len(rows) or (
                    answer["inserted"] + answer["duplicates"] != len(rows)):
                problem(f"{kind}: {answer} for {len(rows)} records")
            with self.trial.truth.lock:
                self.trial.truth.acknowledged[kind] |= {row["healthkit_uuid"] for row in rows}
                self.trial.truth.inserted[kind] += answer["inserted"]

        return f"/api/ingest/health-{kind}", {"records": rows}, confirm

    def metrics(self):
        rows = []
        for _ in range(self.random.randrange(1, 6)):
            date, type_ = self.date(), f"Trial {self.random.randrange(40)} (count)"
            rows.append({"healthkit_uuid": f"{date}_{type_}", "date": f"{date}T00:00:00Z",
                         "type": type_, "value": self.random.randrange(10_000), "unit": "count"})
        return self.records("metrics", list({row["healthkit_uuid"]: row for row in rows}.values()))

    def workouts(self):
        date = self.date()
        return self.records("workouts", [
            {"healthkit_uuid": str(uuid.UUID(int=self.random.getrandbits(128), version=4)),
             "type": "Running", "start_time": f"{date}T08:00:00Z",
             "end_time": f"{date}T09:00:00Z"} for _ in range(2)])

    def sleep(self):
        rows = []
        for _ in range(3):
            date = self.date()
            rows.append({
                "healthkit_uuid": str(uuid.UUID(int=self.random.getrandbits(128), version=4)),
                "start_time": f"{date}T01:00:00Z", "end_time": f"{date}T02:00:00Z", "qty": 1,
                "value": "asleepCore", "source": "Watch"})
        return self.records("sleep", rows)


class Trial:
    def __init__(self, options):
        self.options, self.work = options, pathlib.Path(options.work)
        self.work.mkdir(parents=True, exist_ok=True)
        self.program, self.truth = options.binary, Truth()
        self.over, self.latest = threading.Event(), time.monotonic() + options.seconds + 600
        self.store = Commands(options.endpoint, options.kill_store, options.start_store) \
            if options.kill_store else Link(options.endpoint)
        self.bucket, self.prefix = options.bucket, f"hub-{time.time_ns()}"
        self.store_arguments = [
            "--store", f"s3://{self.bucket}/{self.prefix}", "--endpoint-url", self.store.endpoint]
        self.database = Database()
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.work), "AWS_EC2_METADATA_DISABLED": "true",
            "S3HEALTH_TIMEZONE": "UTC", **self.database.environment,
            **{name: value for name, value in os.environ.items() if name.startswith("AWS_")}}
        self.instances = [Instance(self, number) for number in (1, 2)]
        self.random = random.Random(options.seed)
        self.kills = collections.Counter()

    def run_program(self, *arguments, **variables):
        done = subprocess.run(
            [self.program, *arguments], env={**self.environment, **variables}, text=True,
            stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{arguments[:2]}: {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout

    def client(self):
        import boto3

        return boto3.client(
            "s3", endpoint_url=self.options.endpoint, region_name="us-east-1")

    def run(self):
        client = self.client()
        try:
            client.create_bucket(Bucket=self.bucket)
        except client.exceptions.ClientError:
            client.head_bucket(Bucket=self.bucket)
        self.database.psql("postgres", "CREATE DATABASE hub")
        self.database.psql("postgres", "CREATE DATABASE rebuilt")
        self.run_program("db", "create", S3HEALTH_POSTGRES=self.database.url("hub"))
        senders = []
        for number in range(self.options.senders):
            device = str(uuid.UUID(int=random.Random(f"d{number}").getrandbits(128), version=4))
            told = json.loads(self.run_program(
                "token", "add", f"phone-{number}", "--device", device, "-o", "json"))
            senders.append(Sender(self, number, told["token"], device))
        for instance in self.instances:
            instance.start()
        began = time.monotonic()
        for sender in senders:
            sender.start()
        while time.monotonic() - began < self.options.seconds:
            time.sleep(self.random.uniform(1, self.options.pause))
            self.kill_one()
        self.over.set()
        for sender in senders:
            sender.join(700)
            if sender.is_alive():
                problem(f"sender {sender.number} never ended")
        self.settle(client)
        for instance in self.instances:
            instance.stop()
        revisions = self.check(client)
        self.check_tables()
        self.database.stop()
        truth = self.truth
        print(json.dumps({
            "seconds": self.options.seconds, "kills": dict(self.kills), "batches": truth.batches,
            "samples": len(truth.samples), "deleted": len(truth.deleted),
            "records": {kind: len(truth.acknowledged[kind])
                        for kind in ("metrics", "workouts", "sleep")},
            "answers": {str(status): count for status, count in sorted(truth.requests.items())},
            "revisions": revisions, "problems": problems}))
        return not problems

    def kill_one(self):
        """Kills one, and starts it after a while. Several may be down at a time."""
        victims = {"hub-1": self.instances[0], "hub-2": self.instances[1],
                   "postgres": self.database, "store": self.store}
        chosen = self.random.sample(sorted(victims), self.random.choice([1, 1, 1, 2]))
        for name in chosen:
            victims[name].kill()
            self.kills[name] += 1
        time.sleep(self.random.uniform(0.1, 3))
        # The store first: an instance that finds none must start all the same, or end.
        for name in sorted(chosen, reverse=self.random.random() < 0.5):
            victims[name].start()

    def keys(self, client, under):
        pages = client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=f"{self.prefix}/{under}")
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def settle(self, client):
        """Until nothing changes any more, and every marker has gone that can."""
        last, since = None, time.monotonic()
        end = time.monotonic() + self.options.rest
        while time.monotonic() < end:
            pending = len(self.keys(client, "streams/v0/.pending/"))
            state = (pending, len(self.keys(client, "health/v0/data/")))
            if state != last:
                last, since = state, time.monotonic()
            # A day that could not be made, or markers that could not be listed, wait half a minute.
            if time.monotonic() - since > 45 and (not pending or not self.options.no_markers):
                break
            time.sleep(3)
        pending = len(self.keys(client, "streams/v0/.pending/"))
        self.markers_left = pending
        if self.options.no_markers and pending:
            problem(f"{pending} markers are left")

    def read(self, client, keys):
        def one(key):
            return key, client.get_object(Bucket=self.bucket, Key=key)["Body"].read()

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            yield from pool.map(one, keys)

    def check(self, client):
        """Every acknowledged entry is in the bucket, and counts once in the days."""
        truth = self.truth
        there, points, per_date = {}, set(), collections.Counter()
        batches = [key for key in self.keys(client, "streams/v0/apple_") if BATCH.search(key)]
        for key, packed in self.read(client, batches):
            stream, device, date, batch_id = BATCH.search(key).groups()
            document = json.loads(gzip.decompress(packed))
            if document["batch_id"] != batch_id:
                problem(f"{key} names another batch")
            per_date[date.replace("/", "-")] += stream == "apple_ios_healthkit"
            for entry in document["data"]:
                if stream == "apple_ios_core_location":
                    points.add((device, entry["timestamp"]))
                    continue
                known = there.get(entry["uuid"], (None, None, False))
                is_deleted = known[2] or entry.get("deleted", False)
                value = known[1] if entry.get("deleted") else entry["value"]
                there[entry["uuid"]] = (entry["timestamp"][:10], value, is_deleted)
        for kind, missing in [
                ("samples", truth.acknowledged["samples"] - set(there)),
                ("points", truth.acknowledged["points"] - points)]:
            if missing:
                problem(f"{len(missing)} acknowledged {kind} are missing: {sorted(missing)[:3]}")
        steps = collections.Counter()
        for date, value, is_deleted in there.values():
            if not is_deleted:
                steps[date] += value
        told = collections.Counter()
        for name, (date, value) in truth.samples.items():
            if name not in truth.deleted:
                told[date] += value
        if told != steps:
            problem(f"the bucket counts {dict(steps)}, the senders were told {dict(told)}")
        revisions = {}
        for date in steps:
            folder = f"health/v0/data/{date.replace('-', '/')}/"
            keys = sorted(key for key in self.keys(client, folder) if "/revisions/" in key)
            revisions[date] = len(keys)
            if not keys:
                problem(f"{date} was never made")
                continue
            *_, newest = self.read(client, keys[-1:])
            made = json.loads(newest[1])["metrics"]["steps"]
            if made != steps[date]:
                problem(f"{date} says {made} steps instead of {steps[date]}")
            name = keys[-1].rpartition("/")[2].removesuffix(".json")
            pointers = [key for key in self.keys(client, folder) if key.endswith("/latest.json")]
            if [json.loads(body)["revision_id"] for _, body in self.read(client, pointers)] != [name]:
                problem(f"{date}: latest.json does not name the newest revision {name}")
            # Each revision has something new of a batch, but those that were made twice at a time.
            if len(keys) > 2 * per_date[date] + 10:
                problem(f"{date} has {len(keys)} revisions of {per_date[date]} batches")
        return revisions

    def check_tables(self):
        """The tables equal those made of the bucket alone, the days that the hub has made included."""
        self.run_program(
            "db", "rebuild", *self.store_arguments, S3HEALTH_POSTGRES=self.database.url("rebuilt"))
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
            found = {row.split("|")[0] for row in rows}
            missing = self.truth.acknowledged[kind] - found
            if missing:
                problem(f"{len(missing)} acknowledged {kind} are in no row: {sorted(missing)[:3]}")
            if self.truth.inserted[kind] > len(rows):
                problem(f"{kind}: {self.truth.inserted[kind]} were reported as new, of {len(rows)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--endpoint", required=True)
    parser.add_argument("--bucket", default="hub-nightly")
    parser.add_argument("--kill-store", default="")
    parser.add_argument("--start-store", default="")
    parser.add_argument("--seconds", type=int, default=900)
    parser.add_argument("--senders", type=int, default=20)
    parser.add_argument("--pace", type=float, default=1)
    parser.add_argument("--pause", type=float, default=6)
    parser.add_argument("--rest", type=int, default=300)
    parser.add_argument("--no-markers", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    trial = Trial(parser.parse_args())
    try:
        is_good = trial.run()
    finally:
        for instance in trial.instances:
            if instance.process and instance.process.poll() is None:
                instance.process.send_signal(signal.SIGKILL)
        if trial.database.process.poll() is None:
            trial.database.stop()
    sys.exit(0 if is_good else 1)


main()
