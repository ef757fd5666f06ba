"""Counts what s3health asks of a bucket for 1 to 1,000 people, fits the model, and holds it against the
largest step: scale.py ENDPOINT BUCKET FOLDER (called by Benchmarks/scale).

Requests and bytes are counted by a proxy before the store (counting_proxy.py), so they are exact. Times are
taken without it: whole processes, the least of three.
"""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, time, timedelta
from pathlib import Path

import scale_model
from counting_proxy import CountingProxy
from measure import run_once
from people_store import person
from scale_days import payload, samples
from scale_hub import count_hub
from scale_store import Listing

BINARY = os.environ["S3HEALTH_BINARY"]
STEPS = os.environ.get(
    "BENCH_STEPS", "1x7x2 1x30x12 1x365x48 10x7x12 10x30x2 100x7x2 1000x7x1")
TODAY = date.today()
YESTERDAY = TODAY - timedelta(days=1)


class Step:
    """One number of people with a number of days and batches each, in a prefix of its own."""

    def __init__(self, people, days, batches, proxy, bucket, folder, endpoint):
        self.people, self.days, self.batches = people, days, batches
        self.proxy, self.rows = proxy, []
        self.prefix = f"scale-{people}-{days}-{batches}"
        self.store = f"s3://{bucket}/{self.prefix}"
        self.folder = folder / self.prefix
        self.folder.mkdir()
        self.listing = Listing(endpoint, bucket)
        self.env = {
            **os.environ, "HOME": str(self.folder), "AWS_EC2_METADATA_DISABLED": "true",
            "S3HEALTH_TIMEZONE": "Etc/UTC", "S3HEALTH_STORE": self.store,
            "AWS_ENDPOINT_URL": proxy.endpoint}
        self.direct = {**self.env, "AWS_ENDPOINT_URL": endpoint}

    def run(self, *arguments, stdin=None):
        return subprocess.run(
            [BINARY, *arguments], env=self.env, input=stdin, check=True, text=True,
            stdout=subprocess.PIPE).stdout

    def row(self, flow, counts, count=None):
        self.rows.append({
            "flow": flow, "people": self.people, "person-days": self.people * self.days,
            "batches": count or self.people * self.batches, "counts": dict(counts)})

    def each(self, flow, work):
        """Does something for each person, four at a time, and keeps what it cost."""
        self.proxy.take()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(self.people)))
        if flow:
            self.row(flow, self.proxy.take())

    def once(self, flow, *arguments):
        self.proxy.take()
        found = self.run(*arguments)
        self.row(flow, self.proxy.take())
        return found

    def timed(self, flow, *arguments):
        runs = [run_once([BINARY, *arguments], env=self.direct) for _ in range(3)]
        self.row(flow + ", time", {
            "ms": 1000 * min(run.wall for run in runs), "CPU ms": 1000 * min(run.cpu for run in runs)})

    def measure(self):
        file = self.folder / "first.json"
        file.write_text(payload(0, YESTERDAY, 1))
        self.proxy.take()
        self.run("import", str(file))  # The probe of the store is not a person's.
        self.row("first write to a store", self.proxy.take())
        self.publish()
        self.read()
        self.upload()
        return self.rows

    def publish(self):
        def write(last, days, extra=0):
            def work(number):
                (self.folder / person(number)).write_text(payload(number, last, days, extra))
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(work, range(self.people)))

        def command(name, *more):
            return lambda number: self.run(
                name, *more, str(self.folder / person(number)), "--quiet", "--person", person(number))

        write(YESTERDAY, self.days)
        self.each("import, first", command("import"))
        self.row("stored days", self.listing.stored(f"{self.prefix}/people/"))
        self.each("import, unchanged", command("import"))
        write(TODAY, 8)
        self.each("collect, a new day", command("collect", "--input"))
        self.each("collect, unchanged", command("collect", "--input"))
        write(TODAY, 8, 1)
        self.each("collect, a day changed", command("collect", "--input"))
        self.days += 1

    def read(self):
        self.once("people ls", "people", "ls", "-o", "json")
        self.once("people ls --long", "people", "ls", "--long", "-o", "json")
        verify = ["verify", "--people", "--quiet", "-o", "json"]
        found = self.once("verify --people, no cache", *verify, "--no-cache")
        rows = [json.loads(line) for line in found.splitlines()]
        assert len(rows) == self.people, len(rows)
        assert all(row["result"] == "ok" and row["ok_days"] == self.days for row in rows), rows[:2]
        self.run(*verify)
        self.once("verify --people, cache filled", *verify)
        self.timed("verify --people, no cache", *verify, "--no-cache")
        self.timed("people ls", "people", "ls", "-o", "json")
        self.row("a listing of all", self.listing.timed(self.prefix + "/people/"))

    def upload(self):
        midnight = datetime.combine(YESTERDAY, time())

        def add(number):
            for batch in range(self.batches):
                at = midnight + timedelta(minutes=5 * batch)
                self.run("raw", "add", "--stream", "healthkit", "--quiet", "--person",
                         person(number), stdin=samples(number + batch, at))
                self.run("raw", "sync", "--quiet", "--person", person(number))

        self.each("sync, a batch", add)
        self.row("stored batches", self.listing.stored(
            f"{self.prefix}/people/", "/apple_ios_healthkit/"))
        day = ["--from", str(YESTERDAY), "--to", str(YESTERDAY)]

        def cat(number):
            found = self.run("raw", "cat", *day, "--person", person(number))
            assert len(found.splitlines()) == 10 * self.batches, len(found.splitlines())

        self.each("streams cat of a day", cat)
        derive = ["collect", "--from-streams", "--quiet", "--person"]
        self.each("collect --from-streams, a day changed", lambda n: self.run(*derive, person(n)))
        self.each("collect --from-streams, unchanged", lambda n: self.run(*derive, person(n)))


def keep(rows):
    if os.environ.get("BENCH_KEEP"):
        Path(os.environ["BENCH_KEEP"]).write_text(json.dumps(rows, indent=1))


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # So that no server is left behind.
    endpoint, bucket, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    proxy, rows = CountingProxy(endpoint), []
    for step in STEPS.split():
        people, days, batches = (int(number) for number in step.split("x"))
        print(f"{people} people, {days} days, {batches} batches", file=sys.stderr, flush=True)
        rows += Step(people, days, batches, proxy, bucket, folder, endpoint).measure()
        keep(rows)
    rows += count_hub(os.environ["S3HEALTHD_BINARY"], proxy, bucket, folder, endpoint)
    keep(rows)
    scale_model.report(rows)


main()
