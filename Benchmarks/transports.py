"""Publishes a year and races on each server over libcurl and over URLSession: transports.py SERVERS
S3HEALTH S3RACE FOLDER, where FOLDER has both programs over URLSession. Called by Benchmarks/transports.
Prints the tables of docs/evidence/PHONE.md, and fails where a publish or a race fails.

Foundation on Linux trusts the system's authorities alone, so its programs run in a namespace that adds
those of the servers. It also ends the process where an answer ends within its head (an open fault of
swift-corelibs-foundation, 5285), so that fault of the proxy is left out for both."""

import json
import os
import subprocess
import sys
import tempfile
import uuid
from datetime import date, timedelta
from pathlib import Path

from measure import run_once

SECONDS = int(os.environ.get("RACE_SECONDS", "60"))
DAYS = int(os.environ.get("BENCH_DAYS", "366"))
LAST = date(2024, 6, 14)  # The last day that the generator makes.
FAULTS = "drop,lose,reset,truncate-body,stall,replace,replace-after,duplicate,resend,delay,strip,slow:5%"
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
HERE = Path(__file__).parent
GENERATOR = HERE.parent / "Tests/Peers/gen_export.py"


def command(words, server, is_urlsession, folder):
    """The words and the environment that reach the server."""
    env = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ACCESS_KEY_ID": server["accessKey"], "AWS_SECRET_ACCESS_KEY": server["secretKey"],
        "AWS_REGION": server["region"], "AWS_ENDPOINT_URL": server["endpoint"], "TZ": "Europe/Paris",
    }
    if not server.get("caBundle"):
        return words, env
    if not is_urlsession:
        return words, env | {"AWS_CA_BUNDLE": server["caBundle"]}
    both = folder / "authorities.pem"
    both.write_text(Path(AUTHORITIES).read_text() + Path(server["caBundle"]).read_text())
    mount = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    return ["unshare", "--map-root-user", "--mount", "bash", "-c", mount, "-", both, AUTHORITIES,
            *words], env


def publish(program, server, is_urlsession, folder, archive):
    store = f"s3://{server['bucket']}/year-{uuid.uuid4()}"
    figures = []
    first = LAST - timedelta(days=DAYS - 1)
    verify = ["verify", "--strict", "--deep", "--from", str(first), "--to", str(LAST)]
    for words in (["import", archive], ["import", archive], verify):
        run, env = command([program, *words, "--store", store], server, is_urlsession, folder)
        figures.append(run_once(run, env))
    return figures


def race(program, server, is_urlsession, folder):
    words = [program, "run", "--store", f"s3://{server['bucket']}/race", "--duration",
             f"{SECONDS}s", "--kills", "3", "--faults", FAULTS, "--output", "json"]
    run, env = command(words, server, is_urlsession, folder)
    done = subprocess.run(run, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{run}: exit {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)["store_race"]


def main(servers, s3health, s3race, urlsession):
    direct, publishes, races = json.loads(Path(servers).read_text()), [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = folder / "export.zip"
        subprocess.run(
            [sys.executable, GENERATOR, folder / "export.xml", "--zip", archive, "--days", str(DAYS),
             "--mb", str(30 * DAYS / 366)], check=True, stderr=subprocess.DEVNULL)
        link = subprocess.Popen(
            [sys.executable, HERE.parent / "scripts/lib/slow_link.py", servers, folder / "slow.json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        link.stdout.readline()
        slow = json.loads((folder / "slow.json").read_text())
        for near, server in zip(direct, slow):
            server["caBundle"] = near.get("caBundle")
            for label, publisher, racer in (
                    ("libcurl", s3health, s3race),
                    ("URLSession", f"{urlsession}/s3health", f"{urlsession}/s3race")):
                home = folder / f"{server['name']}-{label}"
                home.mkdir()
                is_urlsession = label == "URLSession"
                first, again, verify = publish(publisher, server, is_urlsession, home, archive)
                publishes.append(
                    f"| {server['name']} | {label} | {first.wall:.1f} s | {first.cpu:.1f} s | "
                    f"{first.peak:.0f} MB | {again.wall:.1f} s | {verify.wall:.1f} s |")
                raced = race(racer, server, is_urlsession, home)
                caught = sum(control["caught"] for control in raced["controls"])
                races.append(
                    f"| {server['name']} | {label} | {raced['acknowledged']} | {raced['kills']} | "
                    f"{sum(raced['faults'].values())} | {raced['resolves']} | {len(raced['findings'])} | "
                    f"{caught} of {len(raced['controls'])} |")
                print(publishes[-1], races[-1], sep="\n", file=sys.stderr, flush=True)
        link.stdin.close()
    print("| server | over | a year | CPU | memory | again | `verify --deep` |")
    print("|---|---|---:|---:|---:|---:|---:|", *publishes, sep="\n")
    print("\n| server | over | acknowledged | kills | faults | resolves | broken promises | controls caught |")
    print("|---|---|---:|---:|---:|---:|---:|---|", *races, sep="\n")


main(*sys.argv[1:])
