"""Times a read of 366 days: s3health's first and second, against boto3 and obstore, in one run.

Called by Benchmarks/range-read, which starts the server and builds the program. Whole processes, timed
from outside; the peers also tell the time without loading their libraries. The contestants take turns,
so that a drift of the machine meets all alike. Every answer is checked to be of all the days.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

DAYS = int(os.environ.get("BENCH_DAYS", "366"))
RUNS = int(os.environ.get("BENCH_RUNS", "7"))
FIRST = date(2024, 1, 1)
LAST = FIRST + timedelta(days=DAYS - 1)
BINARY = os.environ["S3HEALTH_BINARY"]
HERE = Path(__file__).parent


class Reading:
    """One process: its output, wall time, CPU time, and what it prints about itself."""

    def __init__(self, command, env, source=None):
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            begin = time.perf_counter()
            child = subprocess.Popen(
                command, stdin=source or subprocess.DEVNULL, stdout=output, stderr=errors, env=env)
            _, status, usage = os.wait4(child.pid, 0)
            self.wall = time.perf_counter() - begin
            child.returncode = os.waitstatus_to_exitcode(status)
            self.cpu = usage.ru_utime + usage.ru_stime
            output.seek(0)
            errors.seek(0)
            self.output, self.errors = output.read(), errors.read().decode(errors="replace")
        if child.returncode != 0:
            sys.exit(f"{command}: exit {child.returncode}\n{self.errors}")


class Contest:
    def __init__(self, server, folder):
        self.folder = Path(folder)
        self.prefix = f"range-{uuid.uuid4().hex[:8]}"
        self.store = f"s3://{server['bucket']}/{self.prefix}"
        self.env = {
            **os.environ,
            "HOME": folder, "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache",
            "AWS_ACCESS_KEY_ID": server["accessKey"], "AWS_SECRET_ACCESS_KEY": server["secretKey"],
            "AWS_REGION": server["region"], "AWS_ENDPOINT_URL": server["endpoint"],
            "AWS_EC2_METADATA_DISABLED": "true", "S3HEALTH_TIMEZONE": "Europe/Berlin",
            "BENCH_BUCKET": server["bucket"],
        }
        self.question = self.folder / "question.jsonl"
        messages = [
            {"jsonrpc": "2.0", "id": 0, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": {"name": "range-read", "version": "1"}}},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
             "params": {"name": "health.read_range_metrics",
                        "arguments": {"start_date": str(FIRST), "end_date": str(LAST)}}},
        ]
        self.question.write_text("".join(json.dumps(message) + "\n" for message in messages))
        self.publish()

    def publish(self):
        """A year of days, each with one older revision, so that a listing holds what nobody reads."""
        for round_ in range(2):
            days = [
                {"date": str(FIRST + timedelta(days=n)),
                 "metrics": {"steps": 5000 + n + round_, "active_energy_kcal": 400.5 + n,
                             "exercise_minutes": 30, "stand_hours": 11, "resting_hr_avg": 58.5,
                             "hrv_sdnn_avg": 41.25, "sleep_asleep_minutes": 431,
                             "sleep_in_bed_minutes": 470}}
                for n in range(DAYS)]
            path = self.folder / "days.json"
            path.write_text(json.dumps({"days": days}))
            Reading([BINARY, "put", "--date", "all", "--input", str(path), "--store", self.store],
                    self.env)

    def ours(self, *options):
        with open(self.question, "rb") as source:
            reading = Reading([BINARY, "mcp", "--store", self.store, *options], self.env, source)
        answers = [json.loads(line) for line in reading.output.splitlines()]
        found = answers[-1]["result"]["structuredContent"]["coverage"]["found"]
        assert found == DAYS, found
        return reading

    def forget(self):
        """Moves the copies out of the way: ext4 makes files slowly while deleted ones are recent, which
        no first read of a user's meets."""
        copies = self.folder / "cache/s3health/objects"
        if copies.exists():
            copies.rename(self.folder / f"spent-{uuid.uuid4().hex[:8]}")

    def first(self, *options):
        self.forget()
        return self.ours(*options)

    def verify(self, *options):
        return Reading([BINARY, "verify", "--from", str(FIRST), "--to", str(LAST),
                        "--store", self.store, *options], self.env)

    def first_verify(self, *options):
        self.forget()
        return self.verify(*options)

    def peer(self, name):
        reading = Reading(
            [sys.executable, str(HERE / "range_peers.py"), name, self.prefix], self.env)
        told = json.loads(reading.output)
        assert told["days"] == DAYS, told
        reading.inner = told["seconds"]
        return reading

    def contestants(self):
        # A second read comes right after the first, whose copies it finds.
        return {
            "s3health, first read": self.first,
            "s3health, second read": self.ours,
            "s3health, `--no-cache`": lambda: self.ours("--no-cache"),
            "s3health verify, first": self.first_verify,
            "s3health verify, second": self.verify,
            "obstore": lambda: self.peer("obstore"),
            "boto3, 32 threads": lambda: self.peer("boto3"),
        }

    def timed(self):
        figures = {}
        for run in self.contestants().values():
            run()
        for _ in range(RUNS):
            for name, run in self.contestants().items():
                figures.setdefault(name, []).append(run())
        return figures

    def requests(self, run):
        """What the program's own log of requests counts, in a run that nobody times."""
        lines = [line for line in run("--verbose").errors.splitlines() if "method=GET" in line]
        kinds = Counter("LIST" if "key=-" in line else "GET" for line in lines)
        return kinds["GET"], kinds["LIST"]


def print_times(figures):
    print("| contestant | wall, s: least | median | most | CPU, s | without loading, s |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, runs in figures.items():
        walls = [run.wall for run in runs]
        cpu = statistics.median(run.cpu for run in runs)
        inner = [run.inner for run in runs if hasattr(run, "inner")]
        told = f"{statistics.median(inner):.3f}" if inner else "-"
        print(f"| {name} | {min(walls):.3f} | {statistics.median(walls):.3f} | {max(walls):.3f} "
              f"| {cpu:.3f} | {told} |")
    sys.stdout.flush()


def main():
    servers = json.loads(Path(os.environ["S3HEALTH_TEST_SERVERS"]).read_text())
    folder = tempfile.mkdtemp(prefix="s3health-bench-")
    try:
        contest = Contest(servers[0], folder)
        print(f"Server: {servers[0]['product']}. {DAYS} days of two revisions and a pointer each. "
              f"{RUNS} runs, whole processes.\n")
        print_times(contest.timed())
        print("\n| reading | GETs of objects | listings |\n|---|---:|---:|")
        for name, run in [
                ("first read", contest.first), ("second read", contest.ours),
                ("first verify", contest.first_verify), ("second verify", contest.verify)]:
            gets, lists = contest.requests(run)
            print(f"| {name} | {gets} | {lists} |")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
