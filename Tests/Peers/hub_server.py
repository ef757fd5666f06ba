"""Runs s3healthd on a folder for other peers: makes tokens, starts it, stops it; and what it is given."""

import http.client
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse
import uuid

DEVICE = "7a1e6b0c-2f7d-4c54-9d0b-3c7a1f2e8d90"
MORE = {"weight": 78, "heart_rate_min": 50, "heart_rate_max": 140, "heart_rate_avg": 72, "vo2_max": 41,
        "respiratory_rate": 14, "blood_pressure_systolic": 126, "blood_pressure_diastolic": 81,
        "distance_walking_running": 6100, "flights_climbed": 9, "body_temperature": 36.6,
        "blood_glucose": 95, "walking_speed": 4.9}


class HubServer:
    """A server on ROOT/store, with its tokens in ROOT/tokens.json and its log in ROOT/server.log."""

    def __init__(self, program, root):
        self.program, self.root = program, pathlib.Path(root)
        self.folder = self.root / "store"
        self.folder.mkdir(parents=True)
        self.environment = {
            "HOME": str(root), "PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(self.root / "config")}
        self.process = None

    def run(self, *arguments):
        """What another program prints, in the server's environment."""
        return subprocess.run(
            arguments, env=self.environment, check=True, capture_output=True, text=True).stdout

    def token(self, name, *options):
        """The document of a new token."""
        return json.loads(self.run(
            self.program, "token", "add", name, *options, "--tokens", str(self.root / "tokens.json"),
            "-o", "json"))

    def start(self, *options):
        """Starts it on a free port, and returns its address."""
        path = self.root / "server.log"
        with open(path, "wb") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--store", str(self.folder), "--listen", "127.0.0.1:0",
                 "--timezone", "UTC", "--tokens", str(self.root / "tokens.json"), *options],
                env=self.environment, stderr=log, stdout=log)
        for _ in range(1200):
            found = re.search(r"listening on (http://127\.0\.0\.1:\d+)", path.read_text())
            if found:
                return urllib.parse.urlsplit(found.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        sys.exit("the server did not start: " + path.read_text())

    def stop(self):
        """Asks it to finish what it has accepted, and returns its exit code and its log."""
        self.process.terminate()
        return self.process.wait(120), (self.root / "server.log").read_text()


def fill(s3health, server, days=380, more=None):
    """Days, some without a number, some missing, the newest yesterday; with more metrics around the
    numbers that are given for them."""
    today = int(time.time()) // 86400
    all_days = []
    for back in range(1, days):
        if back % 71 == 5 or 200 < back < 212:
            continue
        date = time.strftime("%Y-%m-%d", time.gmtime((today - back) * 86400))
        wave = back * 37 % 101
        all_days.append({"date": date, "metrics": {
            "steps": 3000 + 90 * wave, "active_energy_kcal": 300 + wave * 2.5,
            "exercise_minutes": None if back % 9 == 0 else 20 + wave / 4,
            "stand_hours": 8 + wave % 7, "resting_hr_avg": 55 + wave / 20,
            "hrv_sdnn_avg": None if back % 4 == 0 else 40 + wave / 5,
            "sleep_asleep_minutes": 380 + wave, "sleep_in_bed_minutes": 420 + wave,
            "sleep_deep_minutes": 60 + wave / 4, "sleep_core_minutes": 230 + wave / 2,
            "sleep_rem_minutes": 90 + wave / 4, "sleep_awake_minutes": 20 + wave / 9}
            | {key: round(number * (1 + wave / 2000), 1) for key, number in (more or {}).items()}})
    subprocess.run(
        [s3health, "put", "--date", "all", "--input", "-", "--store", str(server.folder),
         "--timezone", "UTC"],
        input=json.dumps({"days": all_days}), text=True, check=True, env=server.environment,
        capture_output=True)


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def sample(kind, value, unit, start, end=None):
    """A sample of HealthKit, as a phone sends it."""
    return {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{kind} {value} {start}")),
        "sample_type": f"HK{kind}", "value": value, "unit": unit, "timestamp": moment(start),
        "end_timestamp": moment(end or start), "source": "watch"}


def steps_now(count):
    return [sample("QuantityTypeIdentifierStepCount", count, "count", int(time.time()))]


def watched(start, until):
    """What a watch measures on the day that starts then, up to a moment: a night with its stages, the
    heart, and what adds up by the hour."""
    found = []
    # Stages in turns; 2 is awake, 3 core, 4 deep, 5 REM.
    at = start - 3600
    for stage, minutes in [(3, 22), (4, 48), (3, 41), (5, 18), (3, 55), (4, 30), (2, 6), (3, 50),
                           (5, 34), (3, 62), (2, 9), (3, 38), (5, 41), (2, 4)]:
        end = at + minutes * 60
        if end < until:
            found.append(sample("CategoryTypeIdentifierSleepAnalysis", stage, "", at, end))
        at = end
    for minute in range(3, 1440, 5):
        hour = minute / 60
        run = 62 if 17.5 < hour < 18.2 else 0
        rate = 52 if hour < 7 else 68 + 14 * math.sin(hour / 2.2)
        now = start + minute * 60
        if now < until:
            found.append(sample(
                "QuantityTypeIdentifierHeartRate", round(rate + run + minute * 7 % 11), "count/min",
                now))
    for hour in range(7, 23):
        now, end = start + hour * 3600, start + hour * 3600 + 1800
        if end >= until:
            break
        for kind, value, unit in [
            ("QuantityTypeIdentifierStepCount", 300 + hour * 131 % 700, "count"),
            ("QuantityTypeIdentifierActiveEnergyBurned", 12 + hour * 17 % 40, "kcal"),
            ("QuantityTypeIdentifierAppleExerciseTime", hour % 4, "min"),
            ("CategoryTypeIdentifierAppleStandHour", 0, ""),
            ("QuantityTypeIdentifierHeartRateVariabilitySDNN", 41 + hour * 7 % 13, "ms"),
        ]:
            found.append(sample(kind, value, unit, now, end))
    if start + 8 * 3600 < until:
        found.append(sample(
            "QuantityTypeIdentifierRestingHeartRate", 56, "count/min", start + 7 * 3600))
    return found


def post(address, token, session, samples):
    """Samples, posted as a phone does."""
    body = json.dumps({
        "stream_name": "apple_ios_healthkit", "device_id": DEVICE,
        "batch_metadata": {"app_version": "1", "session": session, "total_records": len(samples)},
        "data": samples})
    # A token that was just made is known within seconds.
    for _ in range(60):
        answer, told = request(address, "POST", "/api/ingest", body, **{"X-Device-Token": token})
        if answer.status == 200:
            return
        time.sleep(0.5)
    raise AssertionError(told)


def request(address, method, path, body=None, **headers):
    """An answer and its body, over a new connection."""
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer, answer.read()
