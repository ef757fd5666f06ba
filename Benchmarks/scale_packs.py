"""Counts what a reader of a day's batches asks for before and after `streams compact`.

A store takes packs of batches that are a week old, and a bucket's times cannot be set. So the batches are
made and packed in a folder, whose times can, and are then copied into the bucket and read there.
"""

import os
import subprocess
import time
from datetime import date, datetime, timedelta

from scale_days import samples
from scale_store import Listing

BATCHES = [int(number) for number in os.environ.get("BENCH_PACKED", "12 72 288").split()]
AGE = 40


def make_older(folder):
    then = time.time() - 86400 * AGE
    for at, _, names in os.walk(folder):
        for name in names:
            os.utime(f"{at}/{name}", (then, then))


def count_packs(binary, proxy, bucket, folder, endpoint):
    rows, listing = [], Listing(endpoint, bucket)
    day = date.today() - timedelta(days=AGE)
    for batches in BATCHES:
        home = folder / f"packs-{batches}"
        local = home / "store"
        local.mkdir(parents=True)
        env = {**os.environ, "HOME": str(home), "S3HEALTH_TIMEZONE": "Etc/UTC",
               "AWS_EC2_METADATA_DISABLED": "true", "AWS_ENDPOINT_URL": proxy.endpoint}

        def run(*arguments, store=local, stdin=None):
            return subprocess.run(
                [binary, *arguments, "--quiet"], env={**env, "S3HEALTH_STORE": str(store)},
                input=stdin, check=True, text=True, stdout=subprocess.PIPE).stdout

        def read(flow):
            prefix = f"{flow.replace(' ', '-')}-{batches}"
            listing.upload(local, prefix)
            proxy.take()
            found = run("streams", "cat", "--from", str(day), "--to", str(day),
                        store=f"s3://{bucket}/{prefix}")
            rows.append({
                "flow": flow, "people": 1, "person-days": 1, "batches": batches,
                "counts": dict(proxy.take())})
            assert len(found.splitlines()) == 10 * batches, len(found.splitlines())

        midnight = datetime(day.year, day.month, day.day)
        for batch in range(batches):
            run("queue", "add", "--stream", "healthkit",
                stdin=samples(batch, midnight + timedelta(minutes=5 * batch)))
            run("sync")
        make_older(local)  # The markers, too: a run removes those that are old.
        run("collect", "--from-streams", "--catch-up", str(AGE + 5))
        read("a day of batches")
        make_older(local)
        run("streams", "compact")
        make_older(local)
        run("streams", "compact")
        read("a day in a pack")
    return rows
