"""How long s3healthd takes for the days of one long payload of Health Auto Export, in its CPU time.

usage: payload_days.py S3HEALTHD [--days 300] [--minutes 1] [--gzip] [--keep FOLDER]

The payload has a heart rate (least, mean, greatest) and steps every so many minutes, energy by the hour, a
weight and a night a day: 62 MiB are 300 days of every minute. It is posted to a server on a folder; then
the script waits until no day is left to make, and prints CPU seconds, peak memory and a digest of what the
days say, by which two programs can be compared.
"""

import argparse
import datetime
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import time

LAST = datetime.date(2026, 10, 31)


def payload(days, minutes):
    """Every number is its own: what counts twice, or on another day, shows."""
    generator = random.Random(62)
    rates, steps, energy, weights, nights = [], [], [], [], []
    for number in range(days):
        day = LAST - datetime.timedelta(days=days - 1 - number)
        for minute in range(0, 1440, minutes):
            time_ = f"{day} {minute // 60:02}:{minute % 60:02}:00 +0000"
            rate = 50 + generator.randrange(100)
            rates.append({"date": time_, "Min": rate - 5, "Avg": rate + 0.25, "Max": rate + 9,
                          "source": "Watch"})
            if generator.random() < 0.5:
                steps.append({"date": time_, "qty": generator.randrange(1, 150),
                              "source": "Watch|Phone"})
        for hour in range(24):
            energy.append({"date": f"{day} {hour:02}:00:00 +0000",
                           "qty": generator.randrange(1000) / 10, "source": "Watch"})
        weights.append({"date": f"{day} 00:00:00 +0000", "qty": 70 + number % 50 / 10})
        before = day - datetime.timedelta(days=1)
        for start, end, stage in [(f"{before} 23:10", f"{day} 02:00", "Core"),
                                  (f"{day} 02:00", f"{day} 03:30", "Deep"),
                                  (f"{day} 03:30", f"{day} 06:50", "REM")]:
            nights.append({"startDate": start + ":00 +0000", "endDate": end + ":00 +0000",
                           "value": stage, "source": "Watch"})
    metrics = [("heart_rate", "count/min", rates), ("step_count", "count", steps),
               ("active_energy", "kcal", energy), ("weight_body_mass", "kg", weights),
               ("sleep_analysis", "hr", nights)]
    return json.dumps({"data": {"metrics": [
        {"name": name, "units": units, "data": rows} for name, units, rows in metrics]}}).encode()


def usage(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    peak = int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak


def said(store):
    """What the newest revision of each day says, but for when it was made; and how many there are."""
    days = {}
    for path in store.glob("health/v0/**/revisions/*.json"):
        document = json.loads(path.read_text())
        if document["date"] in days and days[document["date"]][0] > path.name:
            continue
        days[document["date"]] = path.name, document
    text = ""
    for date, (_, document) in sorted(days.items()):
        for name in ["generated_at", "revision_id", "digest", "sha256", "captured_at"]:
            document.pop(name, None)
        text += json.dumps(document, sort_keys=True)
    revisions = len(list(store.glob("health/v0/**/revisions/*.json")))
    return len(days), revisions, hashlib.sha256(text.encode()).hexdigest()[:16]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--days", type=int, default=300)
    options.add_argument("--minutes", type=int, default=1)
    options.add_argument("--gzip", action="store_true")
    options.add_argument("--keep")
    given = options.parse_args()
    folder = pathlib.Path(given.keep or tempfile.mkdtemp(prefix="payload-days."))
    store = folder / "store"
    store.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "HOME": str(folder), "AWS_EC2_METADATA_DISABLED": "true"}
    token = json.loads(subprocess.run(
        [given.program, "token", "add", "load", "--endpoint", "health-auto-export", "-o", "json"], env=environment,
        check=True, capture_output=True, text=True).stdout)["token"]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    body = payload(given.days, given.minutes)
    print(f"{len(body) / (1 << 20):.1f} MiB, {given.days} days", flush=True)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    if given.gzip:
        body, headers["Content-Encoding"] = gzip.compress(body, 6), "gzip"
    process = subprocess.Popen(
        [given.program, "serve", "--store", str(store), "--listen", f"127.0.0.1:{port}",
         "--rate-limit", "0", "--timezone", "UTC"], stderr=open(folder / "log", "w"), env=environment)
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=3600)
        began, before = time.monotonic(), usage(process.pid)[0]
        connection.request("POST", "/health-auto-export", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            sys.exit(f"{answer.status} {text[:300]!r}")
        cpu, peak = usage(process.pid)
        print(f"receipt: {time.monotonic() - began:.1f} s, {cpu - before:.1f} s of CPU, peak "
              f"{peak:.0f} MB; {text[:200].decode()}", flush=True)
        last, now, still = -1.0, 0.0, 0
        # Days that were just made wait up to a few seconds for further batches.
        while still < 4:
            time.sleep(2)
            last, (now, peak) = now, usage(process.pid)
            still = still + 1 if now - last < 0.1 else 0
        print(f"until still: {time.monotonic() - began - 8:.1f} s, {now - before:.1f} s of CPU, "
              f"peak {peak:.0f} MB", flush=True)
        print("days %d, revisions %d, digest %s" % said(store))
    finally:
        process.terminate()
        process.wait()


main()
