"""Many people who post to one hub: how long requests take, how many days wait, CPU time and memory, at
rising rates.

usage: people_hub.py S3HEALTHD ENDPOINT BUCKET FOLDER (called by Benchmarks/people-hub)

PEOPLE (1000) people have a token each, made by the administrator's API. Each posts the ten samples of
five minutes in turn, at RATES requests a second ("3.3,10,20,40": at 3.3, a thousand people post every
five minutes), each for ROUND_SECONDS (60). Every post touches today, which is made again at once. Then it
says how long it takes until no day waits.
"""

import datetime
import http.client
import json
import os
import pathlib
import queue
import re
import socket
import subprocess
import sys
import threading
import time
import uuid

PEOPLE = int(os.environ.get("PEOPLE", "1000"))
RATES = [float(rate) for rate in os.environ.get("RATES", "3.3,10,20,40").split(",")]
ROUND_SECONDS = float(os.environ.get("ROUND_SECONDS", "60"))
WIDTH = 16


def usage(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    resident = int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), resident


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def samples(device, round_, number):
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=5)
    data = []
    for place in range(10):
        moment = at + datetime.timedelta(seconds=30 * place)
        data.append({
            "uuid": str(uuid.uuid4()), "sample_type": "HKQuantityTypeIdentifierHeartRate",
            "unit": "count/min", "value": 60 + (number + place) % 40,
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "source": "Watch"})
    return json.dumps({
        "stream_name": "apple_ios_healthkit", "device_id": device, "data": data,
        "batch_metadata": {
            "total_records": len(data), "app_version": "1", "session": f"r{round_}"}}).encode()


def metrics(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    waiting = float(re.search(r"^s3healthd_days_waiting (\S+)", text, re.M).group(1))
    made = sum(
        float(value) for value in re.findall(r'^s3healthd_days_total\{[^}]*\} (\S+)', text, re.M))
    return waiting, made


def add_people(port, token):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    people = []
    for number in range(PEOPLE):
        connection.request(
            "POST", "/api/people", json.dumps({"person": f"p{number:05}"}),
            {"X-Device-Token": token})
        answer = json.loads(connection.getresponse().read())
        people.append((answer["device_id"], answer["token"]))
    return people


def post_all(port, people, rate, round_):
    """Posts at a rate. Returns the milliseconds of each request, from when it was due."""
    work, took, wrong = queue.Queue(), [], []

    def run():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        while (item := work.get()) is not None:
            due, number = item
            device, token = people[number]
            body = samples(device, f"{round_}-{number}-{due}", number)
            connection.request("POST", "/api/ingest", body, {"X-Device-Token": token})
            answer = connection.getresponse()
            found = answer.read()
            if answer.status != 200:
                wrong.append(found)
            took.append(1000 * (time.monotonic() - due))

    threads = [threading.Thread(target=run) for _ in range(WIDTH)]
    for thread in threads:
        thread.start()
    began, count = time.monotonic(), 0
    while (due := began + count / rate) < began + ROUND_SECONDS:
        time.sleep(max(0, due - time.monotonic()))
        work.put((due, (round_ + count) % PEOPLE))
        count += 1
    for _ in threads:
        work.put(None)
    for thread in threads:
        thread.join()
    return sorted(took), wrong, round_ + count


def main():
    hub, endpoint, bucket, folder = sys.argv[1:5]
    base = {**os.environ, "HOME": folder, "AWS_EC2_METADATA_DISABLED": "true"}
    boss = json.loads(subprocess.run(
        [hub, "token", "add", "boss", "--endpoint", "people", "-o", "json"], env=base, check=True,
        capture_output=True, text=True).stdout)["token"]
    port, metrics_port = free_port(), free_port()
    process = subprocess.Popen(
        [hub, "serve", "--store", f"s3://{bucket}/people-{time.time_ns()}", "--endpoint-url",
         endpoint, "--listen", f"127.0.0.1:{port}", "--metrics-listen", f"127.0.0.1:{metrics_port}",
         "--rate-limit", "0", "--timezone", "UTC"], stderr=subprocess.DEVNULL, env=base)
    try:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        time.sleep(1)
        began = time.monotonic()
        people = add_people(port, boss)
        print(f"{PEOPLE} people were added in {time.monotonic() - began:.1f} s", flush=True)
        print("| posts a second | median ms | 99th | refused | CPU, of one processor "
              "| days made | days that wait at the end | seconds until none | memory MB |")
        print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        next_ = 0
        for rate in RATES:
            before, (_, made) = usage(process.pid)[0], metrics(metrics_port)
            began = time.monotonic()
            took, wrong, next_ = post_all(port, people, rate, next_)
            spent = (usage(process.pid)[0] - before) / (time.monotonic() - began)
            waiting, now = metrics(metrics_port)
            ended = time.monotonic()
            while metrics(metrics_port)[0] > 0 and time.monotonic() < ended + 600:
                time.sleep(0.5)
            print(f"| {rate:g} | {took[len(took) // 2]:.0f} | {took[len(took) * 99 // 100]:.0f} "
                  f"| {len(wrong)} | {100 * spent:.0f} % | {now - made:.0f} | {waiting:.0f} "
                  f"| {time.monotonic() - ended:.0f} | {usage(process.pid)[1]:.0f} |", flush=True)
            for found in wrong[:1]:
                print(f"refused: {found[:300]!r}", file=sys.stderr)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
