"""Requests a second, CPU time and memory of s3healthd, of a FastAPI server and of a client that makes
the store's requests alone, in turns.

usage: hub_load.py S3HEALTHD FASTAPI_PYTHON ENDPOINT BUCKET FOLDER (called by Benchmarks/hub-load)

Four connections post for BENCH_SECONDS, each request once. In five seconds they post up to 1,000 batches of
1,000 samples of the last 30 days, 12,000 batches of 30 points to the bucket and to a folder, or 2,000 times
100 records for PostgreSQL. The hub makes the days meanwhile. The bare client (hub_alone.py) makes as many requests of each
kind to the store as the hub did for a post in a run of its own, and its statements, over kept connections:
nothing is checked, signed or packed while it runs. All requests are prepared ahead, so that the client
takes about as little of the two processors on either side; what it takes is printed.
"""

import collections
import contextlib
import datetime
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from hub_alone import Alone, Kept, Rows, at_once, counted, prepared  # noqa: E402

DEVICE, WIDTH = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11", 4
SECONDS = float(os.environ.get("BENCH_SECONDS", "5"))


def usage(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    peak = int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def batch(stream, data, session):
    return json.dumps({
        "stream_name": stream, "device_id": DEVICE, "data": data,
        "batch_metadata": {
            "total_records": len(data), "app_version": "1", "session": session}}).encode()


def samples(number):
    generator = random.Random(number)
    day = datetime.date.today() - datetime.timedelta(days=1 + number % 30)
    data = []
    for place in range(1000):
        at = datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(seconds=place * 80)
        data.append({
            "uuid": str(uuid.UUID(int=generator.getrandbits(128), version=4)),
            "sample_type": "HKQuantityTypeIdentifierHeartRate", "unit": "count/min",
            "value": 50 + generator.randrange(100) + 0.5, "timestamp": text(at),
            "end_timestamp": text(at + datetime.timedelta(seconds=5)),
            "source": "Watch", "hardware": "Watch6,2"})
    return batch("apple_ios_healthkit", data, f"load-{number}")


def points(number):
    start = datetime.datetime.combine(
        datetime.date.today() - datetime.timedelta(days=2), datetime.time())
    data = [{
        "timestamp": text(start + datetime.timedelta(seconds=10 * (number * 30 + place) % 86_000)),
        "latitude": 37.7749 + place / 1e4, "longitude": -122.4194, "altitude": 10.5, "speed": 1.2,
        "horizontal_accuracy": 5.0, "vertical_accuracy": 3.0} for place in range(30)]
    return batch("apple_ios_core_location", data, f"load-{number}")


def records(number):
    rows = []
    for place in range(number * 100, number * 100 + 100):
        day = datetime.date.today() - datetime.timedelta(days=1 + place % 20_000)
        kind = f"Measurement {place // 20_000}"
        rows.append({
            "healthkit_uuid": f"{day}_{kind}", "date": f"{day}T00:00:00Z", "type": kind,
            "value": 150 + place % 100 / 10, "unit": "lb", "timezone": "Europe/Berlin"})
    return json.dumps({"records": rows}).encode()


CASES = [
    ("1,000 samples", "/api/ingest", samples, True, 1000),
    ("30 points", "/api/ingest", points, False, 12_000),
    ("30 points, folder", "/api/ingest", points, None, 12_000),
    ("100 records", "/api/ingest/health-metrics", records, None, 2000),
]


Load = collections.namedtuple("Load", "rate cpu still peak client posts")


def load(port, token, path, bodies, process, seconds=SECONDS, posted=lambda: None):
    """Posts for a while: requests a second, CPU milliseconds a request, the same until the server is
    still again, peak memory, and the client's CPU milliseconds a request.

    Calls `posted` when the last answer has come.
    """
    host = f"127.0.0.1:{port}"
    headers = [("Authorization", f"Bearer {token}"), ("X-Device-Token", token),
               ("Content-Type", "application/json")]
    rest = [prepared("POST", path, host, body, headers) for body in bodies]
    done, wrong, lock = [], [], threading.Lock()

    def post(connection, request):
        status, found = connection.ask(request)
        if status != 200:
            wrong.append(f"{status} {found[:300]!r}")

    def run():
        connection = Kept("127.0.0.1", port)
        while time.monotonic() < began + seconds:
            with lock:
                if not rest:
                    return
                request = rest.pop()
            post(connection, request)
            if wrong:
                return
            done.append(1)

    # What a server does once, such as proving the store, is not measured.
    post(Kept("127.0.0.1", port), rest.pop())
    before, own, began = usage(process.pid)[0], time.process_time(), time.monotonic()
    at_once(WIDTH, run)
    if wrong:
        sys.exit(wrong[0])
    took, own = time.monotonic() - began, time.process_time() - own
    posted()
    after, _ = usage(process.pid)
    # Until all days are made that wait: then the server is still.
    last, (now, peak) = -1, usage(process.pid)
    while now - last > 0.05:
        time.sleep(3)
        last, (now, peak) = now, usage(process.pid)
    cost = 1000 / len(done)
    return Load(
        len(done) / took, (after - before) * cost, (now - before) * cost, peak, own * cost,
        len(done))


def wait(port, process):
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            sys.exit("the server ended")
        time.sleep(0.1)
    sys.exit("the server does not listen")


@contextlib.contextmanager
def postgres():
    """The URL of a database of its own."""
    peer = pathlib.Path(__file__).resolve().parent.parent / "Tests/Peers/postgres_server.py"
    server = subprocess.Popen(
        [sys.executable, str(peer)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    try:
        said = json.loads(server.stdout.readline())
        secret = urllib.parse.quote(said["password"], safe="")
        yield f"postgresql://owner:{secret}@127.0.0.1:{said['port']}/postgres"
    finally:
        server.stdin.close()
        server.wait()


def main():
    with postgres() as database:
        measure(database)


def measure(database):
    hub, python, endpoint, bucket, folder = sys.argv[1:6]
    base = {**os.environ, "HOME": folder, "AWS_EC2_METADATA_DISABLED": "true"}
    token = json.loads(subprocess.run(
        [hub, "token", "add", "load", "--device", DEVICE, "-o", "json"], env=base, check=True,
        capture_output=True, text=True).stdout)["token"]
    subprocess.run(
        [hub, "db", "create"], env={**base, "S3HEALTH_POSTGRES": database}, check=True,
        capture_output=True)
    print("| request | server | requests a second | CPU ms a request | until it is still "
          "| peak memory MB | client's CPU ms |")
    print("|---|---|---:|---:|---:|---:|---:|")
    wanted = os.environ.get("BENCH_CASES")
    for case, path, body, has_marker, most in CASES:
        if wanted and case not in wanted.split(";"):
            continue
        bodies = [body(number) for number in range(round(most * SECONDS / 5))]
        place = "" if "folder" in case else endpoint
        results, alone = {"s3healthd": [], "FastAPI": []}, []

        def measured(name, **more):
            return run(hub, python, name, place, bucket, base, token, path, bodies, database, **more)

        if place:
            rates = counted_run(measured, folder)
            print(f"{case}: for a request the hub makes "
                  + ", ".join(f"{rate:.2f} {name}" for name, rate in rates.items()),
                  file=sys.stderr)
        for _ in range(int(os.environ.get("BENCH_RUNS", "3"))):
            for name in results:
                results[name].append(measured(name))
            if place:
                store = Alone(
                    endpoint, bucket, f"load-{time.time_ns()}", bodies, rates, bool(has_marker))
                rows = (
                    Rows(database, [json.loads(body)["records"] for body in bodies])
                    if has_marker is None and path != "/api/ingest" else None)
                own = time.process_time()
                rate = store.run(SECONDS, WIDTH, rows)
                own = 1000 * (time.process_time() - own) / (rate * SECONDS)
                alone.append((rate, own))
        for name, found in results.items():
            middle = sorted(found)[len(found) // 2]
            print(f"| {case} | {name} | {middle.rate:.1f} | {middle.cpu:.1f} | {middle.still:.1f} "
                  f"| {middle.peak:.0f} | {middle.client:.2f} |", flush=True)
        if alone:
            rate, own = sorted(alone)[len(alone) // 2]
            print(f"| {case} | alone | {rate:.1f} | | | | {own:.2f} |", flush=True)


def counted_run(measured, folder):
    """How many requests of each kind the hub makes for a post under load."""
    log = pathlib.Path(folder, f"requests-{time.time_ns()}.log")
    found = {}

    def posted():
        found.update(counted(log.read_text().splitlines()))

    with log.open("w") as stream:
        result = measured("s3healthd", log=stream, posted=posted)
    # The one before the others counts too.
    return {name: count / (result.posts + 1) for name, count in sorted(found.items())}


def run(hub, python, name, endpoint, bucket, base, token, path, bodies, database, log=None, **more):
    """What `load` measures of one server, which is started for it. Without an endpoint the store is a folder.

    With a `log`, s3healthd writes each request to the store there, which slows it down.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    prefix = f"load-{time.time_ns()}"
    if not endpoint:
        pathlib.Path(base["HOME"], prefix).mkdir()
    environment = {
        **base, "TOKEN": token, "BUCKET": bucket, "PREFIX": prefix, "ENDPOINT": endpoint,
        "PYTHONDONTWRITEBYTECODE": "1"}
    if path != "/api/ingest":
        environment["S3HEALTH_POSTGRES"] = environment["POSTGRES"] = database
        import psycopg

        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("TRUNCATE ios_apple_health_metrics, s3health_metric_orders")
    if name == "s3healthd":
        store = (["--store", f"s3://{bucket}/{prefix}", "--endpoint-url", endpoint] if endpoint
                 else ["--store", f"{base['HOME']}/{prefix}"])
        command = [hub, "serve", *store, "--listen", f"127.0.0.1:{port}", "--rate-limit", "0",
                   "--timezone", "UTC", *(["-v"] if log else [])]
    else:
        command = [python, "-m", "uvicorn", "hub_fastapi:app", "--port", str(port),
                   "--log-level", "warning"]
    process = subprocess.Popen(
        command, cwd=pathlib.Path(__file__).parent, stderr=log or subprocess.DEVNULL,
        env=environment)
    try:
        wait(port, process)
        return load(port, token, path, bodies, process, **more)
    finally:
        process.kill()
        process.wait()


main()
