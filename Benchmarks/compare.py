"""Times s3health against boto3, aws-cli, s5cmd, obstore and bare libcurl on one server, in one run.

Called by Benchmarks/run, which starts the server and builds the program. Every run works below a
fresh prefix; the contestants take turns, so that a drift of the machine meets all alike. Medians.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from datetime import date, timedelta
from pathlib import Path

from measure import median, run_once

DAYS = int(os.environ.get("BENCH_DAYS", "366"))
RUNS = int(os.environ.get("BENCH_RUNS", "5"))
CONCURRENCY = int(os.environ.get("BENCH_CONCURRENCY", "16"))
FIRST = date(2024, 1, 1)
BINARY = os.environ["S3HEALTH_BINARY"]
# Built from Benchmarks/BarePut: the limit, which signs nothing and sets no condition.
BARE_PUT = os.environ["BENCH_BARE_PUT"]
SCRIPTS = Path(sys.executable).parent
HERE = Path(__file__).parent


def metrics_file(folder):
    days = [
        {
            "date": str(FIRST + timedelta(days=n)),
            "metrics": {"steps": 5000 + n, "active_energy_kcal": 400.5 + n, "exercise_minutes": 30,
                        "stand_hours": 11, "resting_hr_avg": 58.5, "hrv_sdnn_avg": 41.25,
                        "sleep_asleep_minutes": 431, "sleep_in_bed_minutes": 470},
        }
        for n in range(DAYS)
    ]
    path = Path(folder) / "days.json"
    path.write_text(json.dumps({"days": days}))
    return path


class Contest:
    def __init__(self, server, folder):
        self.server = server
        self.folder = Path(folder)
        self.input = metrics_file(folder)
        self.objects = self.folder / "store"
        self.env = {
            **os.environ,
            "HOME": folder, "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache",
            "AWS_ACCESS_KEY_ID": server["accessKey"], "AWS_SECRET_ACCESS_KEY": server["secretKey"],
            "AWS_REGION": server["region"], "AWS_ENDPOINT_URL": server["endpoint"],
            "AWS_EC2_METADATA_DISABLED": "true", "S3HEALTH_TIMEZONE": "Europe/Berlin",
            "AWS_REQUEST_CHECKSUM_CALCULATION": "when_required",
            "BENCH_BUCKET": server["bucket"], "BENCH_CONCURRENCY": str(CONCURRENCY),
        }
        if server.get("caBundle"):
            self.env["AWS_CA_BUNDLE"] = server["caBundle"]
        (self.folder / ".aws").mkdir()
        (self.folder / ".aws/config").write_text(
            "[default]\ns3 =\n  addressing_style = path\n"
            f"  max_concurrent_requests = {CONCURRENCY}\n")
        # The very objects that the peers put: what s3health itself makes of the same input.
        self.objects.mkdir()
        self.ours("put", self.objects, self.input)

    def url(self, prefix):
        return f"s3://{self.server['bucket']}/{prefix}"

    def ours(self, action, store, source=None):
        where = ["--store", str(store), "--concurrency", str(CONCURRENCY)]
        if action == "put":
            command = [BINARY, "put", "--date", "all", "--input", str(source), *where]
        else:
            last = FIRST + timedelta(days=DAYS - 1)
            # Copies of earlier runs would spare the reads that the peers make.
            command = [BINARY, "verify", "--no-cache", "--from", str(FIRST), "--to", str(last), *where]
        return run_once(command, self.env)

    def contestants(self, action):
        width = str(CONCURRENCY)
        endpoint = self.server["endpoint"]

        def python_peer(name):
            return lambda prefix: run_once(
                [sys.executable, str(HERE / "peers.py"), name, action, str(self.objects), prefix],
                self.env)

        def copy(prefix):
            remote = self.url(prefix)
            if action == "put":
                return str(self.objects), remote
            return remote, tempfile.mkdtemp(dir=self.folder)

        def aws(prefix):
            source, target = copy(prefix)
            return run_once(
                [str(SCRIPTS / "aws"), "s3", "cp", "--recursive", "--only-show-errors",
                 "--exclude", "*.s3health/*", source, target], self.env)

        def s5cmd(prefix):
            source, target = copy(prefix)
            source += "/health/*" if action == "put" else "/*"
            target += "/health/" if action == "put" else "/"
            return run_once(
                [str(SCRIPTS / "s5cmd"), "--endpoint-url", endpoint, "--numworkers", width, "cp",
                 source, target], self.env)

        def bare_libcurl(prefix):
            paths = [path for path in self.objects.rglob("*.json") if ".s3health" not in path.parts]
            keys = [f"{prefix}/{path.relative_to(self.objects)}" for path in paths]
            todo = self.folder / f"{prefix}.txt"
            todo.write_text("".join(
                f"{url}\t{path}\n" for url, path in zip(self.presigned(keys), paths)))
            return run_once([BARE_PUT, str(todo), width], self.env)

        contestants = {
            "s3health": lambda prefix: self.ours(
                action if action == "put" else "verify", self.url(prefix), self.input),
        }
        if action == "put":
            contestants["bare libcurl, no conditions"] = bare_libcurl
        # Not every peer takes the name of a certificate authority.
        if not self.server.get("caBundle"):
            contestants |= {
                "obstore": python_peer("obstore"), "s5cmd": s5cmd, "boto3": python_peer("boto3"),
                "aws-cli": aws,
            }
        return contestants

    def bulk(self, action):
        figures = {}
        stored = f"bench-{uuid.uuid4().hex[:8]}"
        # Warms the server and the cached verdict on it; `get` then reads what the peers put.
        self.ours("put", self.url(f"{stored}-warm"), self.input)
        if action == "get":
            self.contestants("put")["obstore"](stored)
        for _ in range(RUNS):
            for name, run in self.contestants(action).items():
                prefix = f"bench-{uuid.uuid4().hex[:8]}" if action == "put" else stored
                figures.setdefault(name, []).append(run(prefix))
        return {name: median(runs) for name, runs in figures.items()}

    def single(self):
        """One `put` of one fresh day against one PUT by curl, whole processes."""
        figures = {}
        body = next(self.objects.rglob("latest.json"))
        for n in range(RUNS * 4):
            day = FIRST + timedelta(days=n)
            one = self.folder / f"one-{n}.json"
            one.write_text(json.dumps({"date": str(day), "metrics": {"steps": n}}))
            prefix = f"bench-{uuid.uuid4().hex[:8]}"
            figures.setdefault("s3health put", []).append(run_once(
                [BINARY, "put", "--input", str(one), "--store", self.url(prefix)], self.env))
            figures.setdefault("curl, one PUT", []).append(run_once(
                ["curl", "-sSf", "-T", str(body), *self.presigned([prefix])], self.env))
        return {name: median(runs) for name, runs in figures.items()}

    def presigned(self, keys):
        # In a process of its own: what this one has loaded would count as its children's memory.
        script = (
            "import sys, boto3; from botocore.config import Config; "
            "endpoint, region, access, secret, bucket = sys.argv[1:]; "
            "client = boto3.client('s3', endpoint_url=endpoint, region_name=region, "
            "aws_access_key_id=access, aws_secret_access_key=secret, "
            "config=Config(signature_version='s3v4', s3={'addressing_style': 'path'})); "
            "[print(client.generate_presigned_url('put_object', "
            "Params={'Bucket': bucket, 'Key': line.rstrip()})) for line in sys.stdin]"
        )
        s = self.server
        return subprocess.run(
            [sys.executable, "-c", script, s["endpoint"], s["region"], s["accessKey"],
             s["secretKey"], s["bucket"]],
            input="".join(key + "\n" for key in keys), check=True, capture_output=True,
            text=True).stdout.split()


def table(title, figures):
    print(f"\n### {title}\n")
    print("| contestant | wall, s | CPU, s | peak memory, MB |")
    print("|---|---:|---:|---:|")
    for name, f in figures.items():
        print(f"| {name} | {f.wall:.3f} | {f.cpu:.3f} | {f.peak:.0f} |")
    sys.stdout.flush()


def main():
    servers = json.loads(Path(os.environ["S3HEALTH_TEST_SERVERS"]).read_text())
    print(f"Server: {servers[0]['product']}. {DAYS} days, {2 * DAYS} objects, "
          f"{CONCURRENCY} in flight. Medians of {RUNS} runs, whole processes.")
    for server in servers:
        compare(server)


def compare(server):
    folder = tempfile.mkdtemp(prefix="s3health-bench-")
    try:
        contest = Contest(server, folder)
        over = "over https" if server.get("caBundle") else "over http"
        table(f"Publishing {DAYS} fresh days {over} (peers: putting the same {2 * DAYS} objects)",
              contest.bulk("put"))
        if server.get("caBundle"):
            return
        table(f"Verifying {DAYS} days (peers: getting the same {2 * DAYS} objects)", contest.bulk("get"))
        table(f"One day (medians of {RUNS * 4})", contest.single())
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
