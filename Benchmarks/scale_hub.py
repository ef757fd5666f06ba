"""Counts what s3healthd asks of a bucket for each post of many people, and for none.

Each person posts the samples of five minutes in turn. After each round the script waits until no day waits,
so that each post makes its day again. Counts alone: no time is taken, and a debug build will do.
"""

import http.client
import os
import re
import socket
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager

import people_hub
from scale_store import Listing

POSTS = os.environ.get("BENCH_POSTS", "1x48 10x12 100x3 1000x2")
IDLE = float(os.environ.get("BENCH_IDLE", "600"))


@contextmanager
def serve(hub, store, endpoint, folder):
    """A server on a bucket. Gives its port, that of its metrics, and an administrator's token."""
    env = {**os.environ, "HOME": str(folder), "AWS_EC2_METADATA_DISABLED": "true"}
    made = subprocess.run(
        [hub, "token", "add", f"boss-{uuid.uuid4().hex[:8]}", "--endpoint", "people", "-o", "json"],
        env=env, check=True, capture_output=True, text=True).stdout
    port, metrics_port = people_hub.free_port(), people_hub.free_port()
    process = subprocess.Popen(
        [hub, "serve", "--store", store, "--endpoint-url", endpoint, "--listen", f"127.0.0.1:{port}",
         "--metrics-listen", f"127.0.0.1:{metrics_port}", "--rate-limit", "0", "--timezone", "UTC"],
        stderr=subprocess.DEVNULL, env=env)
    try:
        for at in (port, metrics_port):
            for _ in range(600):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", at)) == 0:
                        break
                time.sleep(0.1)
        time.sleep(3)
        yield port, metrics_port, re.search(r'"token" ?: ?"([^"]+)"', made).group(1)
    finally:
        process.terminate()
        process.wait()


def post_all(port, people, round_):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    for number, (device, token) in enumerate(people):
        body = people_hub.samples(device, f"{round_}-{number}", round_)
        connection.request("POST", "/api/ingest", body, {"X-Device-Token": token})
        answer = connection.getresponse()
        assert answer.read() is not None and answer.status == 200, answer.status


def settle(metrics_port, before, posts):
    """Waits until every post has made its day, and no day has waited for three seconds."""
    quiet = time.monotonic()
    while time.monotonic() < quiet + 3:
        waiting, made = people_hub.metrics(metrics_port)
        if waiting > 0 or made < before + posts:
            quiet = time.monotonic()
        time.sleep(0.2)


def count_hub(hub, proxy, bucket, folder, endpoint):
    listing = Listing(endpoint, bucket)
    rows, steps = [], [[int(n) for n in step.split("x")] for step in POSTS.split()]
    for people, rounds in steps:
        print(f"the hub: {people} people, {rounds} posts", file=sys.stderr, flush=True)
        home = folder / f"hub-{people}-{rounds}"
        home.mkdir()
        people_hub.PEOPLE = people
        with serve(hub, f"s3://{bucket}/{home.name}", proxy.endpoint, home) as (port, metrics, boss):
            known = people_hub.add_people(port, boss)
            for round_ in range(rounds):
                proxy.take()
                _, made = people_hub.metrics(metrics)
                post_all(port, known, round_)
                settle(metrics, made, people)
                flow = "a post to the hub, the first" if round_ == 0 else "a post to the hub, later"
                rows.append({
                    "flow": flow, "people": people, "person-days": people, "batches": people,
                    "earlier": people * round_, "counts": dict(proxy.take())})
            posts = {"people": people, "person-days": people, "batches": people * rounds}
            rows.append({"flow": "stored by the hub", **posts,
                         "counts": listing.stored(home.name + "/people/")})
            if people == 100 and IDLE:
                time.sleep(IDLE)
                rows.append({
                    "flow": "the hub without a post", "people": people, "person-days": people,
                    "batches": 0, "seconds": IDLE, "counts": dict(proxy.take())})
    return rows
