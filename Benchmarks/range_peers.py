"""Reads a range of days as a program without s3health would: `range_peers.py boto3|obstore PREFIX`.

Lists the objects below the prefix, takes the greatest revision of each day, gets these 32 at a time,
and parses each as JSON. Endpoint, bucket and keys come from AWS_* and BENCH_BUCKET. Prints the number
of days and the seconds that this took once the libraries were loaded.
"""

import asyncio
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from peer_clients import BUCKET, boto3_client, leave, obstore_store

WIDTH = 32


def latest(keys):
    """The greatest revision of each day: ids are ordered as text, and so are keys."""
    days = {}
    for key in sorted(keys):
        if "/revisions/" in key:
            days[key.split("/revisions/")[0]] = key
    return list(days.values())


def by_boto3(prefix):
    # Loaded before the clock starts.
    import boto3  # noqa: F401

    begin = time.perf_counter()
    client = boto3_client(WIDTH)
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix + "/")
    keys = latest(entry["Key"] for page in pages for entry in page.get("Contents", []))

    def get(key):
        return json.loads(client.get_object(Bucket=BUCKET, Key=key)["Body"].read())["date"]

    with ThreadPoolExecutor(WIDTH) as pool:
        return list(pool.map(get, keys)), time.perf_counter() - begin


def by_obstore(prefix):
    import obstore

    begin = time.perf_counter()
    store = obstore_store()

    async def main():
        keys = []
        async for entries in obstore.list(store, prefix=prefix + "/", chunk_size=1000):
            keys += [entry["path"] for entry in entries]
        gate = asyncio.Semaphore(WIDTH)

        async def get(key):
            async with gate:
                body = await (await obstore.get_async(store, key)).bytes_async()
                return json.loads(bytes(body))["date"]

        return await asyncio.gather(*(get(key) for key in latest(keys)))

    return asyncio.run(main()), time.perf_counter() - begin


if __name__ == "__main__":
    peer, prefix = sys.argv[1:]
    dates, seconds = {"boto3": by_boto3, "obstore": by_obstore}[peer](prefix)
    print(json.dumps({"days": len(set(dates)), "seconds": seconds}), flush=True)
    leave()
