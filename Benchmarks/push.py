"""The table of the benchmark of pushes: see Benchmarks/push."""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request


def timed(command, environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run(
        command, check=True, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--benchmark")
    parser.add_argument("--runs", type=int, default=31)
    options = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent
    servers = subprocess.Popen(
        [sys.executable, here.parent / "Tests/Peers/prometheus_server.py"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    gateway = f"http://127.0.0.1:{json.loads(servers.stdout.readline())['gateway']}"
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "PATH": os.environ["PATH"], "S3HEALTH_TIMEZONE": "UTC"}
        # 60 metrics of the catalogue, on each of eight days.
        text = (here.parent / "docs/METRICS.md").read_text("utf-8")
        keys = [
            line.split("`")[1] for line in text.splitlines()
            if line.startswith(("| `", "| **`"))
        ][:60]
        today = int(time.time()) // 86400
        days = [
            {
                "date": time.strftime("%Y-%m-%d", time.gmtime((today - back) * 86400)),
                "metrics": {key: number + back + 0.5 for number, key in enumerate(keys)},
            }
            for back in range(8)
        ]
        subprocess.run(
            [options.binary, "put", "--date", "all", "--input", "-"], check=True, env=environment,
            input=json.dumps({"timezone": "UTC", "days": days}).encode(),
            stdout=subprocess.DEVNULL)
        push = [options.binary, "push", "--gateway", gateway, "--instance", "bench"]
        timed(push, environment)
        with urllib.request.urlopen(f"{gateway}/metrics", timeout=10) as answer:
            body = "".join(
                line.replace('instance="bench",', "").replace('job="my_health_data",', "") + "\n"
                for line in answer.read().decode().splitlines() if "healthkit_" in line)
        file = pathlib.Path(home, "body")
        file.write_text(body)
        curl = [
            "curl", "--silent", "--fail", "--data-binary", f"@{file}",
            f"{gateway}/metrics/job/my_health_data/instance/curl",
        ]
        results = {"s3health push": [], "curl, one POST": []}
        for _ in range(options.runs):
            results["s3health push"].append(timed(push, environment))
            results["curl, one POST"].append(timed(curl, environment))
        print("| contestant | wall, s | CPU, s |\n|---|---:|---:|")
        for name, times in results.items():
            wall, cpu = (statistics.median(column) for column in zip(*times))
            print(f"| {name} | {wall:.4f} | {cpu:.4f} |")
        if options.benchmark:
            print(subprocess.run([options.benchmark], capture_output=True, check=True).stdout.decode())
    servers.stdin.close()
    servers.wait()


main()
