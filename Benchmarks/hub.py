"""What one more batch costs the hub, in CPU time, after a day has many.

usage: hub.py S3HEALTHD FOLDER BATCHES SAMPLES PAYLOADS MORE (called by Benchmarks/hub)

A folder store, one device, one day: BATCHES batches of SAMPLES samples each, and PAYLOADS payloads of
Health Auto Export; then MORE batches, one at a time. Each is measured from before its request until
its day is made and published: user and system time of the whole process, request included. The hub
reports days of a zone in which it is after 22 o'clock, so that the samples of the whole day are past
whenever this runs.
"""

import datetime
import http.client
import json
import os
import pathlib
import sys
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests/Peers"))
from hub_server import HubServer  # noqa: E402

DEVICE = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"


def cpu(pid):
    """Milliseconds of CPU time of a process."""
    # The clock of clock_getcpuclockid, which counts finer than the ticks of /proc.
    return time.clock_gettime_ns((~pid << 3) | 2) / 1e6


def resident(pid, name="VmRSS"):
    """Megabytes."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1024
    return 0.0


class Sender:
    """One device on one connection."""

    def __init__(self, address, token):
        self.address, self.token = address, token
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)

    def post(self, path, document):
        body = json.dumps(document).encode()
        for _ in range(100):
            self.connection.request(
                "POST", path, body,
                {"X-Device-Token": self.token, "Content-Type": "application/json"})
            answer = self.connection.getresponse()
            text = answer.read()
            if answer.status // 100 == 2:
                return
            if answer.status != 429:
                sys.exit(f"{path} was answered {answer.status}: {text[:300]!r}")
            time.sleep(1)


def evening():
    """A zone in which it is between 22 and 23 o'clock: its name, its hours east of UTC, its date."""
    now = datetime.datetime.now(datetime.timezone.utc)
    hours = 22 - now.hour
    if hours > 14:
        hours -= 24
    # The names count the other way round.
    return f"Etc/GMT{-hours:+d}", hours, (now + datetime.timedelta(hours=hours)).date()


def moment(start, seconds):
    return (start + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def batch(midnight, number, samples):
    """A watch's heart rates, steps and energy, each with a UUID of its own."""
    kinds = [("HeartRate", "count/min", 60), ("StepCount", "count", 1),
             ("ActiveEnergyBurned", "kcal", 0)]
    data = []
    for place in range(samples):
        name, unit, base = kinds[place % 3]
        start = (number * samples + place) * 3 % 79_000
        data.append({
            "uuid": str(uuid.UUID(int=number * 100_000 + place + 1, version=4)),
            "sample_type": "HKQuantityTypeIdentifier" + name, "unit": unit,
            "value": base + (number * 7 + place) % 40, "timestamp": moment(midnight, start),
            "end_timestamp": moment(midnight, start + 2), "source": "Watch", "hardware": "Watch6,2"})
    return {
        "stream_name": "apple_ios_healthkit", "device_id": DEVICE, "data": data,
        "batch_metadata": {
            "total_records": samples, "app_version": "1.0", "session": f"bench-{number}"}}


def payload(day, hours, number):
    """What the app sends of a day by the minute."""
    def row(minute):
        return {"date": f"{day} {minute // 60:02d}:{minute % 60:02d}:00 {hours:+03d}00",
                "qty": minute % 37, "source": "Watch"}

    return {"data": {"metrics": [
        {"name": name, "units": "count", "data": [row(minute) for minute in range(number, 600)]}
        for name in ("flights_climbed", "push_count")]}}


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    batches, samples, payloads, more = (int(word) for word in sys.argv[3:])
    hub = HubServer(program, root)
    own = hub.token("bench", "--device", DEVICE)
    app = hub.token("app", "--app", "health-auto-export")
    zone, hours, day = evening()
    midnight = datetime.datetime.combine(
        day, datetime.time(), datetime.timezone.utc) - datetime.timedelta(hours=hours)
    address = hub.start("--rate-limit", "0", "--timezone", zone)
    pid = hub.process.pid
    basis = hub.folder / "streams/v0/.derived" / str(day)

    def basis_now():
        try:
            return basis.read_bytes()
        except FileNotFoundError:
            return b""

    def until_made(before):
        """Until the day is made of the new batch."""
        end = time.monotonic() + 120
        while basis_now() == before:
            if time.monotonic() > end:
                sys.exit("the day was not made: " + (root / "server.log").read_text()[-500:])
            time.sleep(0.01)

    def settle():
        """Until nothing runs any more."""
        still = (cpu(pid), basis_now())
        while True:
            time.sleep(0.3)
            now = (cpu(pid), basis_now())
            if now[0] - still[0] < 1 and now[1] == still[1]:
                return
            still = now

    try:
        sender, exporter = Sender(address, own["token"]), Sender(address, app["token"])
        for number in range(payloads):
            exporter.post("/health-auto-export", payload(day, hours, number))
        for number in range(batches):
            known = basis_now()
            sender.post("/api/ingest", batch(midnight, number, samples))
            # As over a real day: each batch gives a revision of its own.
            until_made(known)
        settle()
        if os.environ.get("HUB_BENCH_WAIT"):
            print(pid, flush=True)
            time.sleep(1)
        spent = []
        for number in range(batches, batches + more):
            known, before = basis_now(), cpu(pid)
            sender.post("/api/ingest", batch(midnight, number, samples))
            until_made(known)
            settle()
            spent.append(cpu(pid) - before)
        spent.sort()
        print(json.dumps({
            "batches": batches, "samples": batches * samples, "payloads": payloads,
            "revisions": len(list((hub.folder / f"health/v0/data/{day:%Y/%m/%d}/revisions").iterdir())),
            "cpu_ms_median": round(spent[len(spent) // 2], 1), "cpu_ms_worst": round(spent[-1], 1),
            "resident_mb": round(resident(pid), 1), "peak_mb": round(resident(pid, "VmHWM"), 1)}))
    finally:
        hub.stop()


main()
