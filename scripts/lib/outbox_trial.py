"""What scripts/outbox-nightly tries on the outbox: kills, a week offline, and a small disk.

It reads the store by itself, with gzip and json (and boto3 for a bucket), so that nothing of
s3health judges s3health.
"""

import argparse
import gzip
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

KEY = re.compile(r"streams/v0/([a-z_]+)/[0-9a-f-]{36}/\d{4}/\d\d/\d\d/([0-9a-f]{64})\.json\.gz$")


def location_time(name):
    """The moment that OutboxWriter gives the location of this name."""
    value = 14695981039346656037
    for byte in name.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    value %= 1_500_000_000_000
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(value // 1000)) + f".{value % 1000:03d}Z"


class Folder:
    """A store in a folder."""

    def __init__(self, path):
        self.path, self.arguments = path, ["--store", path]

    def objects(self):
        for folder, _, files in os.walk(self.path):
            for file in files:
                path = os.path.join(folder, file)
                found = KEY.search(path)
                if found:
                    with open(path, "rb") as opened:
                        yield found.group(1), found.group(2), opened.read()


class Bucket:
    """A prefix of a bucket."""

    def __init__(self, endpoint, bucket, prefix, authority=None):
        import boto3

        self.client = boto3.client(
            "s3", endpoint_url=endpoint, region_name="us-east-1", verify=authority or True)
        self.bucket, self.prefix = bucket, prefix
        try:
            self.client.create_bucket(Bucket=bucket)
        except self.client.exceptions.ClientError:
            self.client.head_bucket(Bucket=bucket)
        self.arguments = ["--store", f"s3://{bucket}/{prefix}", "--endpoint-url", endpoint]
        self.arguments += ["--ca-bundle", authority] if authority else []

    def objects(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=self.prefix + "/streams/v0/")
        for page in pages:
            for entry in page.get("Contents", []):
                found = KEY.search(entry["Key"])
                if found:
                    answer = self.client.get_object(Bucket=self.bucket, Key=entry["Key"])
                    yield found.group(1), found.group(2), answer["Body"].read()


class Program:
    """s3health and OutboxWriter on one outbox."""

    def __init__(self, binary, writer, work):
        self.binary, self.writer, self.work = binary, writer, work
        self.outbox = os.path.join(work, "private", "outbox.sqlite")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": work, "S3HEALTH_OUTBOX": self.outbox,
            "S3HEALTH_TIMEZONE": "UTC", "AWS_EC2_METADATA_DISABLED": "true",
            **{name: value for name, value in os.environ.items() if name.startswith("AWS_")},
        }

    def start(self, *arguments, **variables):
        return subprocess.Popen(
            [self.binary, *arguments], env={**self.environment, **variables}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def json(self, *arguments):
        process = self.start(*arguments, "--output", "json")
        out, _ = process.communicate()
        return json.loads(out), process.returncode

    def status(self):
        return self.json("status")[0]

    def write(self, *arguments):
        return subprocess.Popen(
            [self.writer, self.outbox, *map(str, arguments)], env=self.environment,
            stdout=subprocess.PIPE, text=True)


def stored(store):
    """What each stored entry is counted by, and how often it is there."""
    counts = {}
    for stream, batch, packed in store.objects():
        document = json.loads(gzip.decompress(packed))
        assert document["batch_id"] == batch, batch
        assert document["batch_metadata"]["total_records"] == len(document["data"]), batch
        for entry in document["data"]:
            name = {"apple_ios_mic_audio": "id", "apple_ios_healthkit": "source"}.get(
                stream, "timestamp")
            counts[stream, entry[name]] = counts.get((stream, entry[name]), 0) + 1
    return counts


def identity(name):
    number = int(name.rsplit("-", 1)[1])
    if number % 3 == 0:
        return "apple_ios_mic_audio", name
    if number % 3 == 1:
        return "apple_ios_healthkit", name
    return "apple_ios_core_location", location_time(name)


class Server:
    """A server that is killed and started again by commands."""

    def __init__(self, kill, start, generator):
        self.kill, self.start, self.generator = kill, start, generator
        self.kills, self.stopped = 0, threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.stopped.wait(self.generator.uniform(0.1, 1.5)):
            subprocess.run(self.kill, shell=True, check=True, stdout=subprocess.DEVNULL)
            subprocess.run(self.start, shell=True, check=True, stdout=subprocess.DEVNULL)
            self.kills += 1


def kills(program, store, options):
    generator = random.Random(options.seed)
    acknowledged, writer_kills, sync_kills, turn = set(), 0, 0, 0
    server = Server(options.kill_server, options.start_server, generator)
    if options.kill_server:
        server.thread.start()
    began = time.time()
    while min(writer_kills, sync_kills) < options.kills or (
            options.kill_server and server.kills < options.kills):
        turn += 1
        writer = program.write(
            f"w{turn}", 0, f"writers={generator.randint(1, 4)}", f"batch={generator.randint(1, 5)}",
            "names=1", f"delay={generator.randint(3_000, 120_000)}")
        sync = program.start("sync", *store.arguments, "--timeout", "5", AWS_MAX_ATTEMPTS="1")
        try:
            sync.communicate(timeout=generator.uniform(0.0, 0.5))
        except subprocess.TimeoutExpired:
            sync.send_signal(signal.SIGKILL)
            sync.communicate()
            sync_kills += 1
        out, _ = writer.communicate()
        assert writer.returncode == -signal.SIGKILL, (writer.returncode, out[-200:])
        writer_kills += 1
        # The last line may be cut off. Then nobody was told.
        acknowledged.update(out.split("\n")[:-1])
    if options.kill_server:
        server.stopped.set()
        server.thread.join()
    took = time.time() - began
    for _ in range(200):
        _, code = program.json("sync", *store.arguments)
        left = program.status()["upload_stats"]
        if code == 0 and left["pending"] + left["failed"] == 0:
            break
        time.sleep(5)
    status = program.status()
    there = stored(store)
    missing = {name for name in acknowledged if identity(name) not in there}
    twice = {name: count for name, count in there.items() if count > 1}
    print(
        f"{writer_kills} kills of the writer, {sync_kills} of sync, {server.kills} of the server in "
        f"{took:.0f} s: {len(acknowledged):,} entries acknowledged, {len(there):,} stored, "
        f"{len(missing)} missing, {len(twice)} stored twice, {status['gaps']} gaps, "
        f"{status['upload_stats']['pending']} pending, {status['upload_stats']['failed']} failed")
    return not missing and not twice and status["gaps"] == 0 and left["pending"] == 0 \
        and left["failed"] == 0


def week(program, store, options):
    """60,000 locations, 21,600 chunks and 20,000 samples, queued offline and then drained."""
    scale = options.scale

    def lines(count, make):
        return "\n".join(json.dumps(make(number)) for number in range(count)).encode()

    def moment(seconds):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000 + seconds))

    inputs = {
        "location": (60_000, lambda n: {
            "timestamp": moment(n * 10), "latitude": 48.2 + n / 1e6, "longitude": 16.4,
            "altitude": 190.5, "speed": 1.2, "horizontal_accuracy": 5.0, "vertical_accuracy": 3.0}),
        "healthkit": (20_000, lambda n: {
            "timestamp": moment(n * 30), "sample_type": "HKQuantityTypeIdentifierHeartRate",
            "value": 60 + n % 60, "unit": "bpm"}),
        "audio": (21_600, lambda n: {
            "id": f"chunk-{n}", "timestamp_start": moment(n * 28), "timestamp_end": moment(n * 28 + 30),
            "duration": 30, "overlap_duration": 2,
            "audio_data": (f"{n:08d}" + "A" * (80_000 // scale // 4 * 4))}),
    }
    expected = 0
    for stream, (count, make) in inputs.items():
        expected += count
        process = subprocess.Popen(
            [program.binary, "queue", "add", "--stream", stream], env=program.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for first in range(0, count, 500):
            part = range(first, min(count, first + 500))
            process.stdin.write("".join(json.dumps(make(n)) + "\n" for n in part).encode())
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, status
        print(f"queue add: {count:,} of {stream}, {usage.ru_maxrss / 1024:.0f} MB of memory")
        peak_add = usage.ru_maxrss / 1024
        if peak_add > 60:
            return False
    began = time.time()
    process = subprocess.Popen(
        [program.binary, "sync", "--quiet", *store.arguments], env=program.environment,
        stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    peak, took = usage.ru_maxrss / 1024, time.time() - began
    size = sum(os.path.getsize(program.outbox + end) for end in ("", "-wal") if os.path.exists(program.outbox + end))
    there = stored(store)
    print(
        f"sync: {len(there):,} of {expected:,} entries in {took:.0f} s "
        f"({usage.ru_utime + usage.ru_stime:.1f} s of CPU), {peak:.0f} MB of memory; "
        f"the outbox has {size / 1e6:,.0f} MB")
    return status == 0 and len(there) == expected and max(there.values()) == 1 and peak < 60


def disk(program, store, options):
    """A file system of 160 MB: the thresholds, the full disk, and what is named as a gap."""
    folder = os.path.dirname(program.outbox)
    acknowledged, ok = [], True
    for turn in range(40):
        out, _ = program.write(f"d{turn}", 60, "bytes=150000", "names=1").communicate()
        lines = out.split("\n")[:-1]
        acknowledged += [line for line in lines if not line.startswith("error")]
        if any(line.startswith("error") for line in lines):
            print(f"turn {turn}: {lines[-1]}")
            ok = ok and lines[-1].startswith("error storage_full")
    status = program.status()
    free = shutil.disk_usage(folder).free
    print(
        f"{len(acknowledged)} acknowledged, {status['upload_stats']['pending']} pending, "
        f"{status['gaps']} gaps, {free / 1e6:.0f} MB free, space {status['space']}")
    # Another program takes all that is left.
    with open(os.path.join(folder, "ballast"), "wb") as ballast:
        try:
            while True:
                ballast.write(b"x" * 65536)
                ballast.flush()
        except OSError:
            pass
    full = program.write("full", 0, "bytes=150000", "names=1", "delay=8000000").communicate()[0]
    lines = full.split("\n")[:-1]
    told = [line for line in lines if not line.startswith("error")]
    acknowledged += told
    print(f"full disk: {len(told)} more acknowledged, then: {lines[-1] if lines else 'nothing'}")
    code, _ = program.json("sync", *store.arguments)
    os.remove(os.path.join(folder, "ballast"))
    for _ in range(60):
        _, code = program.json("sync", *store.arguments)
        if code == 0:
            break
        time.sleep(5)
    there = stored(store)
    missing = [name for name in acknowledged if identity(name) not in there]
    import sqlite3

    with sqlite3.connect(program.outbox) as opened:
        gap = opened.execute("SELECT coalesce(sum(record_count), 0) FROM gaps").fetchone()[0]
    print(f"{len(missing)} of {len(acknowledged)} acknowledged entries are not stored; "
          f"the gaps name {gap}")
    return ok and code == 0 and len(missing) <= gap


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trial", choices=["kills", "week", "disk"])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--writer", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--folder")
    parser.add_argument("--endpoint")
    parser.add_argument("--bucket", default="outbox-nightly")
    parser.add_argument("--authority")
    parser.add_argument("--kill-server", default="")
    parser.add_argument("--start-server", default="")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=int, default=10)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    program = Program(options.binary, options.writer, options.work)
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
        store = Folder(options.folder)
    else:
        store = Bucket(
            options.endpoint, options.bucket, f"{options.trial}-{time.time_ns()}", options.authority)
    sys.exit(0 if globals()[options.trial](program, store, options) else 1)


main()
