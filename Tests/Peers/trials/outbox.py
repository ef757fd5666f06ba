"""Tries the outbox at length: kills of its writer, of sync and of the server, a week offline, and a disk that
is nearly full. The store is read with gzip and json alone, so that nothing of s3health judges s3health."""

import collections
import contextlib
import gzip
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time

from shared import Killer, Program

BATCH = re.compile(r"streams/v0/([a-z_]+)/[0-9a-f-]{36}/\d{4}/\d\d/\d\d/([0-9a-f]{64})\.json\.gz$")


class OutboxProgram(Program):
    """s3health and OutboxWriter on one outbox."""

    def __init__(self, binary, work):
        self.writer = os.path.join(os.path.dirname(binary), "OutboxWriter")
        self.outbox = os.path.join(work, "private", "outbox.sqlite")
        super().__init__(binary, work, S3HEALTH_OUTBOX=self.outbox)

    def status(self):
        return self.json("status")[0]

    def sync_until(self, store, tries, is_done):
        """Syncs until the condition holds of the exit code and of what is left."""
        for _ in range(tries):
            _, code = self.json("raw", "sync", *store.arguments)
            left = self.status()["upload_stats"]
            if is_done(code, left["pending"] + left["failed"]):
                return True
            time.sleep(5)
        return False

    def write(self, *arguments):
        return subprocess.Popen(
            [self.writer, self.outbox, *map(str, arguments)], env=self.environment,
            stdout=subprocess.PIPE, text=True)

    def measured(self, *arguments, lines=()):
        """The seconds, the seconds of CPU and the megabytes that it took."""
        began = time.time()
        process = subprocess.Popen(
            [self.binary, *arguments], env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL)
        for line in lines:
            process.stdin.write(line)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, (arguments, status)
        return time.time() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def stored(store):
    """What each stored entry is counted by, and how often it is there."""
    counts = collections.Counter()
    for key, packed in store.all(key for key in store.keys("streams/v0/") if BATCH.search(key)):
        stream, batch = BATCH.search(key).groups()
        document = json.loads(gzip.decompress(packed))
        assert document["batch_id"] == batch, batch
        assert document["batch_metadata"]["total_records"] == len(document["data"]), batch
        name = {"apple_ios_mic_audio": "id", "apple_ios_healthkit": "source"}.get(stream, "timestamp")
        counts.update((stream, entry.get(name, entry.get("timestamp"))) for entry in document["data"])
    return counts


def location_time(name):
    """The moment that OutboxWriter gives the location of this name."""
    value = 14695981039346656037
    for byte in name.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    value %= 1_500_000_000_000
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(value // 1000)) + f".{value % 1000:03d}Z"


def identity(name):
    """What an entry of OutboxWriter is counted by."""
    match int(name.rsplit("-", 1)[1]) % 3:
        case 0:
            return "apple_ios_mic_audio", name
        case 1:
            return "apple_ios_healthkit", name
    return "apple_ios_core_location", location_time(name)


def kills(program, store, options, servers=None):
    draw = random.Random(options.seed)
    acknowledged, killed, turn, began = set(), collections.Counter(), 0, time.time()
    killer = Killer(servers, ["radosgw"], options.seed, pause=(0.1, 1.5))
    with killer if servers else contextlib.nullcontext():
        while min(killed["writer"], killed["sync"]) < options.kills or (
                servers and not killer.error and killer.kills < options.kills):
            turn += 1
            writer = program.write(
                f"w{turn}", 0, f"writers={draw.randint(1, 4)}", f"batch={draw.randint(1, 5)}",
                "names=1", f"delay={draw.randint(3_000, 120_000)}")
            sync = program.start("raw", "sync", *store.arguments, "--timeout", "5", AWS_MAX_ATTEMPTS="1")
            try:
                sync.communicate(timeout=draw.uniform(0.0, 0.5))
            except subprocess.TimeoutExpired:
                sync.kill()
                sync.communicate()
                killed["sync"] += 1
            out, _ = writer.communicate()
            assert writer.returncode == -9, (writer.returncode, out[-200:])
            killed["writer"] += 1
            # The last line may be cut off. Then nobody was told.
            acknowledged.update(out.split("\n")[:-1])
    took = time.time() - began
    is_empty = program.sync_until(store, 200, lambda code, left: code == 0 and left == 0)
    there, gaps = stored(store), program.status()["gaps"]
    missing = {name for name in acknowledged if identity(name) not in there}
    twice = [name for name, count in there.items() if count > 1]
    print(
        f"{killed['writer']} kills of the writer, {killed['sync']} of sync, {killer.kills} of the server in "
        f"{took:.0f} s: {len(acknowledged):,} entries acknowledged, {len(there):,} stored, "
        f"{len(missing)} missing, {len(twice)} stored twice, {gaps} gaps, "
        f"{'none' if is_empty else 'some'} left to send")
    return is_empty and not missing and not twice and gaps == 0


def week(program, store, options):
    """60,000 locations, 21,600 chunks and 20,000 samples, queued offline and then drained."""
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
            "audio_data": (f"{n:08d}" + "A" * (80_000 // options.scale // 4 * 4))}),
    }
    expected = sum(count for count, _ in inputs.values())
    # A debug build is larger, and so is what is read of it.
    program_alone, peaks = program.measured("--version", lines=[])[2], []
    for stream, (count, make) in inputs.items():
        lines = (json.dumps(make(number)).encode() + b"\n" for number in range(count))
        _, _, peak = program.measured("raw", "add", "--stream", stream, lines=lines)
        print(f"queue add: {count:,} of {stream}, {peak:.0f} MB of memory")
        peaks.append(peak)
    took, cpu, peak = program.measured("raw", "sync", "--quiet", *store.arguments)
    files = [program.outbox + end for end in ("", "-wal")]
    size = sum(os.path.getsize(file) for file in files if os.path.exists(file))
    there = stored(store)
    print(
        f"sync: {len(there):,} of {expected:,} entries in {took:.0f} s ({cpu:.1f} s of CPU), "
        f"{peak:.0f} MB of memory; the outbox has {size / 1e6:,.0f} MB")
    return len(there) == expected and max(there.values()) == 1 and max(peak, *peaks) < program_alone + 40


def disk(program, store, options):
    """A file system of 160 MB: the thresholds, the full disk, and what is named as a gap."""
    folder = os.path.dirname(program.outbox)
    if not options.mounted:
        # In a namespace of its own, which needs no root where the kernel allows it.
        os.makedirs(folder)
        mount = 'mount -t tmpfs -o size=160m,mode=700 tmpfs "$1" && shift && exec "$@"'
        return subprocess.run(
            ["unshare", "--map-root-user", "--mount", "bash", "-c", mount, "-", folder, sys.executable,
             *sys.argv, "--parts", "disk", "--mounted", "--work", options.work.parent]).returncode == 0
    assert shutil.disk_usage(folder).total < 1 << 28, f"{folder} is not the small disk"
    acknowledged, is_named = [], True

    def write(*arguments):
        """The last line that the writer prints, and how many entries it acknowledges."""
        out, _ = program.write(*arguments, "bytes=150000", "names=1").communicate()
        lines = out.split("\n")[:-1]
        told = [line for line in lines if not line.startswith("error")]
        acknowledged.extend(told)
        return lines[-1] if lines else "nothing", len(told)

    for turn in range(40):
        last, _ = write(f"d{turn}", 60)
        if last.startswith("error"):
            print(f"turn {turn}: {last}")
            is_named = is_named and last.startswith("error storage_full")
    status = program.status()
    print(
        f"{len(acknowledged)} acknowledged, {status['upload_stats']['pending']} pending, {status['gaps']} gaps, "
        f"{shutil.disk_usage(folder).free / 1e6:.0f} MB free, space {status['space']}")
    # Another program takes all that is left.
    with open(os.path.join(folder, "ballast"), "wb") as ballast, contextlib.suppress(OSError):
        while True:
            ballast.write(b"x" * 65536)
            ballast.flush()
    last, count = write("full", 0, "delay=8000000")
    print(f"full disk: {count} more acknowledged, then: {last}")
    program.json("raw", "sync", *store.arguments)
    os.remove(os.path.join(folder, "ballast"))
    is_sent = program.sync_until(store, 60, lambda code, _: code == 0)
    there = stored(store)
    missing = [name for name in acknowledged if identity(name) not in there]
    with sqlite3.connect(program.outbox) as opened:
        gap = opened.execute("SELECT coalesce(sum(record_count), 0) FROM gaps").fetchone()[0]
    print(f"{len(missing)} of {len(acknowledged)} acknowledged entries are not stored; the gaps name {gap}")
    return is_named and is_sent and len(missing) <= gap
