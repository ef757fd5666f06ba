"""What scripts/nightly runs: `python3 Tests/Peers/trials race|hub|outbox --binary PROGRAM [OPTIONS]`.

Exit code 0: no promise was broken.
"""

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback

import hub
import outbox
import race
from shared import ROOT, Bucket, Folder, Servers

sys.path.append(str(ROOT / "scripts/lib"))
from slow_link import Relay  # noqa: E402

OUTBOX_PARTS = ["folder", "server", "week", "disk"]


def parts(known):
    def parse(text):
        if set(text.split(",")) <= set(known):
            return text.split(",")
        raise argparse.ArgumentTypeError(f"parts are of {','.join(known)}")
    return parse


def duration(text):
    if re.fullmatch(r"[1-9]\d*[smh]", text):
        return text
    raise argparse.ArgumentTypeError("a number with s, m or h")


def options():
    today = int(datetime.date.today().strftime("%Y%m%d"))
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--binary", default="", help=argparse.SUPPRESS)
    common.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    common.add_argument("--work", help="the folder for all that it makes; without it, one that goes where nothing failed")
    common.add_argument("--seed", type=int, default=today, help="of everything that is drawn")
    common.add_argument("--endpoint", help="a server that others use, too, instead of an own gateway, with")
    common.add_argument("--bucket", default="nightly", help="its bucket, and its keys in the environment")
    common.add_argument("--keys", action="store_true", help="which are read from stdin, as JSON")
    parser = argparse.ArgumentParser(prog="scripts/nightly")
    trials = parser.add_subparsers(dest="trial", required=True)

    def trial(name, text):
        return trials.add_parser(
            name, parents=[common], help=text, description=text,
            formatter_class=argparse.ArgumentDefaultsHelpFormatter).add_argument

    add = trial("race", "races on the model, two RADOS gateways, a folder and MinIO")
    add("--parts", type=parts(race.PARTS), default=race.PARTS[:-1],
        help=f"of {','.join(race.PARTS)}; minio takes Docker or a minio on the PATH")
    add("--duration", type=duration, default="30m", help="of each race on a real store")
    add("--runs", type=int, default=1_000_000, help="random schedules on the model")
    add("--gateway-kills", metavar="SEED", help="when which gateway is killed, or none; without it, the seed")
    add("--logs", type=pathlib.Path, default=pathlib.Path(".build/logs"), help="where those of failures stay")

    add = trial("hub", "kills of two hubs, of PostgreSQL and of the store, while phones send")
    add("--seconds", type=int, default=900, help="how long it sends and kills")
    add("--senders", type=int, default=20, help="how many there are")
    add("--pace", type=float, default=1, help="senders wait this many times as long")
    add("--pause", type=float, default=6, help="the longest time between two kills, in seconds")
    add("--rest", type=int, default=1560,
        help="how long days may take afterwards; from 1500 on no marker may be left, because nobody touches "
        "those of killed instances for 20 minutes")

    add = trial("outbox", "kills of who adds and syncs, a week offline, a disk that is nearly full")
    add("--parts", type=parts(OUTBOX_PARTS), default=OUTBOX_PARTS, help=f"of {','.join(OUTBOX_PARTS)}")
    add("--kills", type=int, default=300, help="how often each is killed")
    add("--scale", type=int, default=1, help="a chunk of audio has 80,000/N bytes in the week offline")
    add("--mounted", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.gateway_kills = getattr(given, "gateway_kills", None) or given.seed
    return given


class Attempts:
    """Trials one after another, also after one that failed."""

    def __init__(self):
        self.failed = []

    def __call__(self, name, trial):
        began = time.monotonic()
        try:
            is_good = trial()
        except Exception:
            traceback.print_exc(file=sys.stdout)
            is_good = False
        if not is_good:
            self.failed.append(name)
        print(f"{'✔' if is_good else '✘'} {name:<24} {time.monotonic() - began:6.0f} s", flush=True)


def run_race(given, attempt):
    given.logs.mkdir(parents=True, exist_ok=True)
    given.logs = pathlib.Path(tempfile.mkdtemp(prefix="race-nightly.", dir=given.logs.resolve()))
    print(f"seed {given.seed}, gateway kills {given.gateway_kills}")
    races = race.Races(given, attempt)
    for part in given.parts:
        try:
            getattr(races, part)()
        except Exception:  # a server that does not start ends its own part alone
            traceback.print_exc()
            attempt.failed.append(part)
    if attempt.failed:
        print(f"Logs: {given.logs}")
    else:
        shutil.rmtree(given.logs)


def run_hub(given, attempt):
    given.work /= "trial"
    if given.endpoint:
        trial = hub.Trial(given, Relay(given.endpoint), given.endpoint, given.bucket)
        return attempt("hub", trial.run)
    with Servers(given.work.parent / "servers", "rgw") as servers:
        entry = servers.use("rgw-http")
        attempt("hub", hub.Trial(given, servers, entry["endpoint"], entry["bucket"]).run)


def run_outbox(given, attempt):
    own = not given.endpoint and "server" in given.parts
    with Servers(given.work / "servers", "rgw") if own else contextlib.nullcontext() as servers:
        if servers:
            entry = servers.use("rgw-http")
            given.endpoint, given.bucket = entry["endpoint"], entry["bucket"]
        top = given.work
        for part in given.parts:
            given.work = top / part
            given.work.mkdir(exist_ok=True)
            prefix = f"{part}-{time.time_ns()}"
            attempt(part, lambda: outbox_part(part, given, prefix, servers))


def outbox_part(part, given, prefix, servers):
    program = outbox.OutboxProgram(given.binary, given.work)
    if part == "server":
        return outbox.kills(program, Bucket(given.endpoint, given.bucket, prefix), given, servers)
    return {"folder": outbox.kills, "week": outbox.week, "disk": outbox.disk}[part](
        program, Folder(given.work / "store"), given)


def main():
    given = options()
    if given.check:
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if given.keys:
        os.environ.update(json.load(sys.stdin))
    given.binary = os.path.abspath(given.binary)
    attempt, keep = Attempts(), given.work
    given.work = pathlib.Path(given.work or tempfile.mkdtemp(prefix="s3health-nightly.")).resolve()
    given.work.mkdir(parents=True, exist_ok=True)
    home = given.work
    try:
        {"race": run_race, "hub": run_hub, "outbox": run_outbox}[given.trial](given, attempt)
    finally:
        if not keep and not attempt.failed:
            shutil.rmtree(home, ignore_errors=True)
    if attempt.failed:
        sys.exit(f"failed: {', '.join(attempt.failed)}; what there is of it: {home}")


main()
