"""Times imports from export.zip to published revisions on one server, and counts their requests.

Beside it obstore puts the objects of ten years. Called by Benchmarks/publish-import, which starts the
server and builds the program. Prints the tables of docs/evidence/IMPORT.md. Requests are counted in the
program's own log of them (--verbose), in runs of their own, so that logging slows no run that is
timed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from measure import median, run_once

RUNS = int(os.environ.get("BENCH_RUNS", "5"))
YEAR = int(os.environ.get("BENCH_DAYS", "365"))
BINARY = os.environ["S3HEALTH_BINARY"]
HERE = Path(__file__).parent
GENERATOR = HERE.parent / "Tests/Peers/gen_export.py"


def environment(server, folder):
    return {
        "PATH": os.environ["PATH"], "HOME": str(folder), "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ACCESS_KEY_ID": server["accessKey"], "AWS_SECRET_ACCESS_KEY": server["secretKey"],
        "AWS_REGION": server["region"], "AWS_ENDPOINT_URL": server["endpoint"],
    }


def export(folder, days, megabytes):
    """A zip of so many days, with XML of about so many megabytes."""
    xml, archive = folder / f"{days}.xml", folder / f"{days}.zip"
    subprocess.run(
        [sys.executable, GENERATOR, xml, "--zip", archive, "--days", str(days), "--mb", str(megabytes)],
        check=True, stderr=subprocess.DEVNULL)
    size = xml.stat().st_size / 1e6
    xml.unlink()
    return archive, size


def counted(command, env):
    """Requests of a run by kind, without those of the probe, and the outcomes of its days."""
    run = subprocess.run(
        [*command, "--verbose", "--output", "json"], env=env, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{command}: exit {run.returncode}\n{run.stderr[-2000:]}")
    kinds = {"PUT": 0, "GET": 0, "LIST": 0}
    for key, method in re.findall(r"key=(\S+) method=(\S+)", run.stderr):
        if "/.probe/" not in key:
            kinds["LIST" if key == "-" else method] += 1
    return kinds, json.loads(run.stdout)["counts"]


def main():
    server = json.loads(Path(os.environ["S3HEALTH_TEST_SERVERS"]).read_text())[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = environment(server, folder)
        if server.get("caBundle"):
            env["AWS_CA_BUNDLE"] = server["caBundle"]

        def store():
            return ["--store", f"s3://{server['bucket']}/import-{uuid.uuid4()}"]

        year, size = export(folder, YEAR, 150 * YEAR / 365)
        print(f"### One year ({YEAR} days) from export.zip ({size:.0f} MB of XML) to published revisions")
        print(f"\nOn {server['product']}; medians of {RUNS} runs.\n")
        print("| | wall | CPU | peak memory |\n|---|---|---|---|")
        # Remembers what the probe finds, as every run after a first one does.
        run_once([BINARY, "import", year, *store()], env)
        fresh, again, folders = [], [], []
        for number in range(RUNS):
            at = store()
            fresh.append(run_once([BINARY, "import", year, *at], env))
            again.append(run_once([BINARY, "import", year, *at], env))
            (folder / f"store{number}").mkdir()
            folders.append(
                run_once([BINARY, "import", year, "--store", str(folder / f"store{number}")], env))
        for label, figures in [
            ("import", fresh), ("the same import again", again), ("import to a folder", folders),
        ]:
            f = median(figures)
            print(f"| {label} | {f.wall:.2f} s | {f.cpu:.2f} s | {f.peak:.0f} MB |")

        decade, size = export(folder, 10 * YEAR, 1125 * YEAR / 365)
        print(f"\n### Ten years ({10 * YEAR:,} days, {size:.0f} MB of XML)\n")
        print("| | wall | CPU | peak memory |\n|---|---|---|---|")
        # The very objects that the peer puts: what an import to a folder makes.
        (folder / "decade").mkdir()
        run_once([BINARY, "import", decade, "--store", str(folder / "decade")], env)
        peer = [sys.executable, HERE / "peers.py", "obstore", "put", str(folder / "decade")]
        peer_env = {**env, "BENCH_BUCKET": server["bucket"], "BENCH_CONCURRENCY": "16"}
        imports, peers = [], []
        for _ in range(RUNS):
            imports.append(run_once([BINARY, "import", decade, *store()], env))
            peers.append(run_once([*peer, f"peer-{uuid.uuid4()}"], peer_env))
        objects = sum(1 for _ in (folder / "decade").rglob("*.json"))
        for label, figures in [("import", imports), (f"obstore, {objects:,} PUTs", peers)]:
            f = median(figures)
            print(f"| {label} | {f.wall:.2f} s | {f.cpu:.2f} s | {f.peak:.0f} MB |")

        at = store()
        print("\nRequests a day:\n")
        print("| | days | PUT | GET | LIST |\n|---|---|---|---|---|")
        for label in ("import", "the same import again"):
            kinds, counts = counted([BINARY, "import", decade, *at], env)
            days = sum(counts.values())
            cells = " | ".join(f"{kinds[k] / days:.3f}" for k in ("PUT", "GET", "LIST"))
            outcomes = ", ".join(f"{count:,} {word}" for word, count in sorted(counts.items()))
            print(f"| {label} | {outcomes} | {cells} |")


main()
