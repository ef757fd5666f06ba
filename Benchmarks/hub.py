"""What one more batch costs the hub, in CPU time, after a day has many.

usage: hub.py S3HEALTHD FOLDER [BATCHES [SAMPLES [PAYLOADS]]] (called by Benchmarks/hub)

A folder store, one device, one day: BATCHES batches of SAMPLES samples each, and PAYLOADS payloads of
Health Auto Export; then 20 batches more, one at a time. Each is measured from before its request until
its day is made and published: user and system time of the whole process, request included.
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
MORE = 20


def cpu(pid):
    """Milliseconds of CPU time of a process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


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


def moment(day, seconds):
    at = datetime.datetime.combine(day, datetime.time(), datetime.timezone.utc)
    return (at + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def batch(day, number, samples):
    """A watch's heart rates, steps and energy, each with a UUID of its own."""
    kinds = [("HeartRate", "count/min", 60), ("StepCount", "count", 1),
             ("ActiveEnergyBurned", "kcal", 0)]
    data = []
    for place in range(samples):
        name, unit, base = kinds[place % 3]
        start = (number * samples + place) * 3 % 80_000
        data.append({
            "uuid": str(uuid.UUID(int=number * 100_000 + place + 1, version=4)),
            "sample_type": "HKQuantityTypeIdentifier" + name, "unit": unit,
            "value": base + (number * 7 + place) % 40, "timestamp": moment(day, start),
            "end_timestamp": moment(day, start + 2), "source": "Watch", "hardware": "Watch6,2"})
    return {
        "stream_name": "apple_ios_healthkit", "device_id": DEVICE, "data": data,
        "batch_metadata": {
            "total_records": samples, "app_version": "1.0", "session": f"bench-{number}"}}


def payload(day, number):
    """What the app sends of a day by the minute."""
    def row(minute):
        return {"date": f"{day} {minute // 60:02d}:{minute % 60:02d}:00 +0000", "qty": minute % 37,
                "source": "Watch"}

    return {"data": {"metrics": [
        {"name": name, "units": "count", "data": [row(minute) for minute in range(number, 600)]}
        for name in ("flights_climbed", "push_count")]}}


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    batches, samples, payloads = (
        [int(word) for word in sys.argv[3:]] + [288, 100, 24][len(sys.argv) - 3:])[:3]
    hub = HubServer(program, root)
    own = hub.token("bench", "--device", DEVICE)
    app = hub.token("app", "--app", "health-auto-export")
    day = datetime.datetime.now(datetime.timezone.utc).date()
    address = hub.start("--rate-limit", "0")
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
            if now == still:
                return
            still = now

    try:
        sender, exporter = Sender(address, own["token"]), Sender(address, app["token"])
        for number in range(payloads):
            exporter.post("/health-auto-export", payload(day, number))
        for number in range(batches):
            known = basis_now()
            sender.post("/api/ingest", batch(day, number, samples))
            # As over a real day: each batch gives a revision of its own.
            until_made(known)
        settle()
        if os.environ.get("HUB_BENCH_WAIT"):
            print(pid, flush=True)
            time.sleep(1)
        spent = []
        for number in range(batches, batches + MORE):
            known, before = basis_now(), cpu(pid)
            sender.post("/api/ingest", batch(day, number, samples))
            until_made(known)
            settle()
            spent.append(cpu(pid) - before)
        spent.sort()
        print(json.dumps({
            "batches": batches, "samples": batches * samples, "payloads": payloads,
            "revisions": len(list((hub.folder / f"health/v0/data/{day:%Y/%m/%d}/revisions").iterdir())),
            "cpu_ms_median": spent[len(spent) // 2], "cpu_ms_worst": spent[-1],
            "resident_mb": round(resident(pid), 1), "peak_mb": round(resident(pid, "VmHWM"), 1)}))
    finally:
        hub.stop()


main()
