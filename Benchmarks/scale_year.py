"""Counts what a year of uploads every five minutes takes to read back from a bucket, before and after
`streams compact`: scale_year.py ENDPOINT BUCKET FOLDER (called by Benchmarks/year).

A store takes packs of batches that are a week old, and a bucket's times cannot be set. So the batches are
written and packed in a folder, and both are copied into the bucket, by signed requests over many
connections. A proxy before the bucket counts what reading them asks for.
"""

import datetime
import gzip
import hashlib
import hmac
import http.client
import os
import subprocess
import sys
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "Tests/Peers/trials"))
from counting_proxy import CountingProxy  # noqa: E402
from packs import OldFolder, batch  # noqa: E402

BINARY = os.environ["S3HEALTH_BINARY"]
DAYS = int(os.environ.get("BENCH_DAYS", "366"))
FIRST = datetime.datetime(2024, 1, 1)
CONNECTIONS = 32


def signature(method, path, host, now, body_digest):
    """The header of AWS Signature Version 4."""
    day, region = now[:8], os.environ["AWS_REGION"]
    fields = f"host:{host}\nx-amz-content-sha256:{body_digest}\nx-amz-date:{now}\n"
    names = "host;x-amz-content-sha256;x-amz-date"
    request = f"{method}\n{path}\n\n{fields}\n{names}\n{body_digest}"
    scope = f"{day}/{region}/s3/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    key = ("AWS4" + os.environ["AWS_SECRET_ACCESS_KEY"]).encode()
    for part in (day, region, "s3", "aws4_request", text):
        key = hmac.digest(key, part.encode(), "sha256")
    user = os.environ["AWS_ACCESS_KEY_ID"]
    return f"AWS4-HMAC-SHA256 Credential={user}/{scope}, SignedHeaders={names}, Signature={key.hex()}"


def copy(folder, endpoint, bucket, prefix):
    """Puts every object of a folder's store below a prefix."""
    host = urllib.parse.urlsplit(endpoint).netloc
    keys = folder.batches()

    def put(part):
        connection = http.client.HTTPConnection(host, timeout=60)
        for key in part:
            body = Path(folder.path, key).read_bytes()
            path = f"/{bucket}/{prefix}/{key}"
            now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")
            digest = hashlib.sha256(body).hexdigest()
            connection.request("PUT", path, body, {
                "x-amz-date": now, "x-amz-content-sha256": digest,
                "Authorization": signature("PUT", path, host, now, digest)})
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status == 200, (key, answer.status, text)

    began = time.time()
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(put, [keys[first::CONNECTIONS] for first in range(CONNECTIONS)]))
    print(f"{len(keys):,} objects written in {time.time() - began:.0f} s", flush=True)
    return len(keys)


def read(env, store, proxy):
    """The digest and the number of entries of the year, and what reading them asked for."""
    last = FIRST + datetime.timedelta(days=DAYS - 1)
    proxy.take()
    began = time.time()
    command = [BINARY, "streams", "cat", "--from", f"{FIRST:%Y-%m-%d}", "--to", f"{last:%Y-%m-%d}"]
    digest, entries = hashlib.sha256(), 0
    with subprocess.Popen(command, env={**env, "S3HEALTH_STORE": store}, stdout=subprocess.PIPE) as run:
        for line in run.stdout:
            digest.update(line)
            entries += 1
    assert run.returncode == 0, run.returncode
    counts = proxy.take()
    requests = sum(counts[kind] for kind in ("GET", "LIST", "PUT", "HEAD", "DELETE", "POST"))
    print(
        f"{entries:,} entries read by {counts['LIST']:,} LIST and {counts['GET']:,} GET, {requests:,} requests "
        f"in all, {counts['received'] / 1e6:.1f} MB received, in {time.time() - began:.0f} s", flush=True)
    return digest.hexdigest(), entries, requests


def main():
    endpoint, bucket, home = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    folder = OldFolder(home / "store")
    proxy = CountingProxy(endpoint)
    env = {**os.environ, "HOME": str(home), "S3HEALTH_TIMEZONE": "Etc/UTC",
           "AWS_EC2_METADATA_DISABLED": "true", "AWS_ENDPOINT_URL": proxy.endpoint}
    for number in range(DAYS * 288):
        key, text = batch(FIRST + datetime.timedelta(minutes=5 * number), "year", samples=3)
        folder.put(key, gzip.compress(text, 1))
    folder.age()
    many = copy(folder, endpoint, bucket, "as-uploaded")
    before = read(env, f"s3://{bucket}/as-uploaded", proxy)
    for _ in range(2):
        began = time.time()
        subprocess.run([BINARY, "streams", "compact", "--older-than", "8d", "--quiet"],
                       env={**env, "S3HEALTH_STORE": folder.path}, check=True, stdout=subprocess.DEVNULL)
        print(f"streams compact in a folder: {time.time() - began:.0f} s", flush=True)
        folder.age()
    few = copy(folder, endpoint, bucket, "packed")
    after = read(env, f"s3://{bucket}/packed", proxy)
    assert before[:2] == after[:2] and before[1] == many * 3, "not the same entries in the same order"
    print(f"{many:,} objects became {few:,}; the same entries, {before[2] / after[2]:,.0f} times fewer requests")


main()
