"""Requests a second, CPU time and memory of s3healthd and of a FastAPI server, in turns.

usage: hub_load.py S3HEALTHD FASTAPI_PYTHON ENDPOINT BUCKET FOLDER (called by Benchmarks/hub-load)

Four connections post batches of 1,000 samples of the last 30 days; each batch is sent once. The hub
makes the days meanwhile.
"""

import datetime
import http.client
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
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
DEVICE, SECONDS, WIDTH, BATCHES = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11", 12, 4, 400


def usage(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    peak = int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak


def body(number):
    generator = random.Random(number)
    day = datetime.date.today() - datetime.timedelta(days=1 + number % 30)
    data = []
    for place in range(1000):
        at = datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(seconds=place * 80)
        data.append({
            "uuid": str(uuid.UUID(int=generator.getrandbits(128), version=4)),
            "sample_type": "HKQuantityTypeIdentifierHeartRate", "unit": "count/min",
            "value": 50 + generator.randrange(100) + 0.5,
            "timestamp": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "end_timestamp": (at + datetime.timedelta(seconds=5)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "source": "Watch", "hardware": "Watch6,2"})
    return json.dumps({
        "stream_name": "apple_ios_healthkit", "device_id": DEVICE, "data": data,
        "batch_metadata": {"total_records": 1000, "app_version": "1", "session": f"load-{number}"},
    }).encode()


def load(port, token, bodies, process):
    """Posts for a while. Returns requests a second, CPU milliseconds a request, the same until the
    server is still again, and peak memory."""
    rest, done, lock = list(enumerate(bodies)), [], threading.Lock()

    def run(end):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while time.monotonic() < end:
            with lock:
                if not rest:
                    return
                number, content = rest.pop()
            connection.request("POST", "/api/ingest", content, {
                "X-Device-Token": token, "Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                sys.exit(f"{number}: {answer.status} {text[:300]!r}")
            done.append(number)

    before, began = usage(process.pid)[0], time.monotonic()
    threads = [threading.Thread(target=run, args=(began + SECONDS,)) for _ in range(WIDTH)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - began
    after, _ = usage(process.pid)
    # Until all days are made that wait: then the server is still.
    last, (now, peak) = -1, usage(process.pid)
    while now - last > 0.05:
        time.sleep(3)
        last, (now, peak) = now, usage(process.pid)
    cost = 1000 / len(done)
    return len(done) / took, (after - before) * cost, (now - before) * cost, peak


def wait(port, process):
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            sys.exit("the server ended")
        time.sleep(0.1)
    sys.exit("the server does not listen")


def main():
    hub, python, endpoint, bucket, folder = sys.argv[1:6]
    bodies = [body(number) for number in range(BATCHES)]
    base = {**os.environ, "HOME": folder, "AWS_EC2_METADATA_DISABLED": "true"}
    token = json.loads(subprocess.run(
        [hub, "token", "add", "load", "--device", DEVICE, "-o", "json"], env=base, check=True,
        capture_output=True, text=True).stdout)["token"]
    results = {"s3healthd": [], "FastAPI": []}
    for turn in range(int(os.environ.get("BENCH_RUNS", "3"))):
        for name in results:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            prefix = f"load-{time.time_ns()}"
            if name == "s3healthd":
                command = [hub, "serve", "--store", f"s3://{bucket}/{prefix}", "--endpoint-url",
                           endpoint, "--listen", f"127.0.0.1:{port}", "--rate-limit", "0",
                           "--timezone", "UTC"]
            else:
                command = [python, "-m", "uvicorn", "hub_fastapi:app", "--port", str(port),
                           "--log-level", "warning"]
            process = subprocess.Popen(
                command, cwd=pathlib.Path(__file__).parent, stderr=subprocess.DEVNULL,
                env={**base, "TOKEN": token, "BUCKET": bucket, "PREFIX": prefix,
                     "ENDPOINT": endpoint, "PYTHONDONTWRITEBYTECODE": "1"})
            try:
                wait(port, process)
                results[name].append(load(port, token, bodies, process))
            finally:
                process.kill()
                process.wait()
    print("| server | batches a second | CPU ms a batch | until it is still | peak memory MB |")
    print("|---|---:|---:|---:|---:|")
    for name, found in results.items():
        middle = sorted(found)[len(found) // 2]
        print(f"| {name} | {middle[0]:.1f} | {middle[1]:.1f} | {middle[2]:.1f} | {middle[3]:.0f} |")


main()
