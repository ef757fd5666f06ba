"""Times `verify --people` against a bare client that lists and reads the same objects, in one run.

Called by Benchmarks/people, which starts the server and builds the program. Whole processes, timed from
outside, in turns. The stores are made by people_store.py: PEOPLE people with DAYS days each, in a folder,
and where S3HEALTH_TEST_SERVERS tells of a server, in a bucket of the first one. Every answer is checked: each person must be found sound, with each
of the days.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path

import people_store
from measure import median, run_once

HERE = Path(__file__).parent
BINARY = os.environ["S3HEALTH_BINARY"]
DAYS = int(os.environ.get("BENCH_DAYS", "365"))
PEOPLE = [int(n) for n in os.environ.get("BENCH_PEOPLE", "10 100 1000").split()]
RUNS = int(os.environ.get("BENCH_RUNS", "3"))


def check(store, env, people):
    """The answer of one run that is not timed."""
    run = subprocess.run(
        [BINARY, "verify", "--people", "--quiet", "-o", "json", "--store", store], env=env,
        stdout=subprocess.PIPE, check=True)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(rows) == people, len(rows)
    assert all(row["result"] == "ok" and row["ok_days"] == DAYS for row in rows), rows[:3]


def measure(kind, store, env, people, bare):
    check(store, env, people)
    contestants = {
        "s3health verify --people": [
            BINARY, "verify", "--people", "--quiet", "--no-cache", "--store", store],
        bare[0]: bare[1]}
    figures = {name: [] for name in contestants}
    for _ in range(RUNS):
        for name, command in contestants.items():
            figures[name].append(run_once(command, env=env))
    least = min(f.wall for f in figures[bare[0]])
    for name, runs in figures.items():
        found = median(runs)
        ratio = min(f.wall for f in runs) / least
        print(f"| {kind} | {people:,} | {people * DAYS:,} | {name} | {found.wall:.2f} | "
              f"{found.cpu:.2f} | {found.peak:.0f} | {ratio:.2f} |", flush=True)


def fill(bucket, prefix, people):
    from peer_clients import boto3_client
    client, units = boto3_client(32), people_store.units_of_schema()
    last = date.today() - timedelta(days=1)

    def put(number):
        for key, body in people_store.objects(number, DAYS, units, last):
            client.put_object(Bucket=bucket, Key=f"{prefix}/{key}", Body=body)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(put, range(people)))


def main():
    print("| store | people | days | what | s | CPU s | peak MB | time to the bare client's |")
    print("|---|---:|---:|---|---:|---:|---:|---:|")
    folder = tempfile.mkdtemp(prefix="people-")
    env = {**os.environ, "HOME": folder, "AWS_EC2_METADATA_DISABLED": "true",
           "S3HEALTH_TIMEZONE": "Etc/UTC"}
    server = None
    if os.environ.get("S3HEALTH_TEST_SERVERS"):
        server = json.loads(Path(os.environ["S3HEALTH_TEST_SERVERS"]).read_text())[0]
        connection = {
            "AWS_ACCESS_KEY_ID": server["accessKey"], "AWS_SECRET_ACCESS_KEY": server["secretKey"],
            "AWS_REGION": server["region"], "AWS_ENDPOINT_URL": server["endpoint"],
            "BENCH_BUCKET": server["bucket"]}
        env.update(connection)
        os.environ.update(connection)
    try:
        for people in PEOPLE:
            store = f"{folder}/{people}"
            sys.argv = ["people_store.py", store, str(people), str(DAYS)]
            people_store.main()
            measure("folder", store, env, people, (
                "a bare reader: walk, read, parse",
                [sys.executable, str(HERE / "people_peers.py"), "folder", store]))
            shutil.rmtree(store)
            if not server:
                continue
            prefix = f"people-{people}"
            fill(server["bucket"], prefix, people)
            measure("bucket", f"s3://{server['bucket']}/{prefix}", env, people, (
                "boto3, 32 threads: list, get, parse",
                [sys.executable, str(HERE / "people_peers.py"), "boto3", prefix]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
