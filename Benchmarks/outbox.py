"""The tables of the outbox's benchmark: see Benchmarks/outbox."""

import argparse
import gzip
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


def run(options, mode, count):
    out = subprocess.run(
        [options.benchmark, options.folder, mode, str(count)], check=True, capture_output=True)
    return json.loads(out.stdout)


def sample(number):
    moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1_600_000_000 + number))
    return json.dumps({
        "sample_type": "HKQuantityTypeIdentifierHeartRate", "timestamp": moment, "unit": "bpm",
        "uuid": f"00000000-0000-4000-8000-{number:012x}", "value": 60 + number % 60,
    }, separators=(",", ":")).encode()


def executemany(folder, count):
    """The same rows by Python's sqlite3 in one transaction, in the outbox's own tables."""
    rows = [
        (number + 1, 1, None, 1_700_000_000, 1_600_000_000 + number, 1_600_000_000 + number,
         "HKQuantityTypeIdentifierHeartRate", 0, f"00000000-0000-4000-8000-{number:012x}",
         sample(number))
        for number in range(count)]
    with tempfile.TemporaryDirectory(dir=folder) as work:
        opened = sqlite3.connect(os.path.join(work, "rows"))
        opened.executescript("""
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;
            CREATE TABLE entries (id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, feed INTEGER,
              created_at INTEGER NOT NULL, starts_at INTEGER NOT NULL, ends_at INTEGER NOT NULL,
              sample_type TEXT, is_deletion INTEGER NOT NULL, entry_id TEXT NOT NULL,
              payload BLOB NOT NULL);
            CREATE INDEX entries_by_channel ON entries (channel, id);""")
        began = time.time()
        with opened:
            opened.executemany("INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?,?)", rows)
        took = time.time() - began
        opened.close()
    return count / took


def drain(options, count):
    """CPU seconds of s3health raw sync and of boto3, for the same entries to the same server."""
    environment = dict(os.environ, S3HEALTH_TIMEZONE="UTC", AWS_EC2_METADATA_DISABLED="true")
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        environment["HOME"] = work
        lines = b"\n".join(sample(number) for number in range(count))
        subprocess.run(
            [options.binary, "raw", "add", "--stream", "healthkit"], input=lines, check=True,
            env=environment, stdout=subprocess.DEVNULL)

        def cpu(arguments, **more):
            process = subprocess.Popen(
                arguments, env=environment, stdout=subprocess.DEVNULL, **more)
            _, status, usage = os.wait4(process.pid, 0)
            assert status == 0, arguments
            return usage.ru_utime + usage.ru_stime

        prefix = f"bench-{time.time_ns()}"
        ours = cpu([
            options.binary, "raw", "sync", "--store", f"s3://{options.bucket}/{prefix}",
            "--endpoint-url", options.endpoint])
        batches = []
        for first in range(0, count, 5000):
            data = b",".join(sample(number) for number in range(first, min(count, first + 5000)))
            batches.append(
                b'{"batch_metadata":{"app_version":"1","session":"%d","total_records":5000},"data":['
                % first + data + b'],"device_id":"0","stream_name":"apple_ios_healthkit"}')
        path = os.path.join(work, "batches")
        with open(path, "wb") as file:
            for batch in batches:
                file.write(len(batch).to_bytes(8, "big") + batch)
        peer = cpu([
            sys.executable, __file__, "--peer", path, "--endpoint", options.endpoint, "--bucket",
            options.bucket, "--prefix", prefix + "-boto3"])
    return ours, peer


def peer(options):
    """What boto3 does: read the batches, pack them, and put each if it is absent."""
    import boto3

    client = boto3.client("s3", endpoint_url=options.endpoint, region_name="us-east-1")
    with open(options.peer, "rb") as file:
        while head := file.read(8):
            body = file.read(int.from_bytes(head, "big"))
            client.put_object(
                Bucket=options.bucket, Key=f"{options.prefix}/{hash(body):x}.json.gz",
                Body=gzip.compress(body, 6), IfNoneMatch="*")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--benchmark")
    parser.add_argument("--binary")
    parser.add_argument("--folder", default=".")
    parser.add_argument("--endpoint")
    parser.add_argument("--bucket", default="outbox-bench")
    parser.add_argument("--prefix")
    parser.add_argument("--peer")
    parser.add_argument("--entries", type=int, default=1_000_000)
    options = parser.parse_args()
    if options.peer:
        return peer(options)
    print("| what | outbox | beside it | |\n|---|---|---|---|")
    if options.benchmark:
        single = run(options, "single", options.entries // 200)
        bare, ours = single["bare_per_second"], single["outbox_per_second"]
        print(f"| durable single adds a second | {ours:,.0f} | {bare:,.0f} bare SQLite commits | "
              f"{ours / bare:.0%} |")
        joined = run(options, "joined", options.entries // 20)["joined_per_second"]
        print(f"| adds of 32 tasks, joined | {joined:,.0f} | {ours:,.0f} single adds | "
              f"{joined / ours:.1f} times |")
        # In turns, because the disk's own speed changes.
        pairs = [
            (run(options, "million", options.entries)["rows_per_second"],
             executemany(options.folder, options.entries)) for _ in range(5)]
        million, many = (statistics.median(column) for column in zip(*pairs))
        print(f"| {options.entries:,} samples at once, a second | {million:,.0f} | {many:,.0f} executemany | "
              f"{million / many:.1f} times |")
    if options.endpoint:
        import boto3

        client = boto3.client("s3", endpoint_url=options.endpoint, region_name="us-east-1")
        try:
            client.create_bucket(Bucket=options.bucket)
        except client.exceptions.ClientError:
            client.head_bucket(Bucket=options.bucket)
        count = options.entries // 10
        pairs = [drain(options, count) for _ in range(3)]
        ours = statistics.median(pair[0] for pair in pairs)
        theirs = statistics.median(pair[1] for pair in pairs)
        print(f"| draining {count:,} entries, s of CPU | {ours:.2f} | "
              f"{theirs:.2f} boto3 | {ours / theirs:.0%} |")


main()
