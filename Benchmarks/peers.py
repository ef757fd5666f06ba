"""The same objects put and got by boto3 or obstore: `peers.py boto3|obstore put|get FOLDER PREFIX`.

Endpoint, bucket and keys come from AWS_* and BENCH_BUCKET; the width from BENCH_CONCURRENCY. Each peer
is used as its own documentation shows for many small objects.
"""

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from peer_clients import BUCKET, boto3_client, leave, obstore_store

CONCURRENCY = int(os.environ["BENCH_CONCURRENCY"])


def objects(folder, prefix):
    root = Path(folder)
    return [
        (f"{prefix}/{path.relative_to(root).as_posix()}", path)
        for path in sorted(root.rglob("*.json"))
    ]


def run_boto3(action, items):
    client = boto3_client(CONCURRENCY)

    def put(item):
        client.put_object(Bucket=BUCKET, Key=item[0], Body=item[1].read_bytes())

    def get(item):
        body = client.get_object(Bucket=BUCKET, Key=item[0])["Body"].read()
        assert body, item

    with ThreadPoolExecutor(CONCURRENCY) as pool:
        list(pool.map(put if action == "put" else get, items))


def run_obstore(action, items):
    import obstore

    store = obstore_store()

    async def main():
        gate = asyncio.Semaphore(CONCURRENCY)

        async def one(item):
            async with gate:
                if action == "put":
                    await obstore.put_async(store, item[0], item[1].read_bytes())
                else:
                    body = await (await obstore.get_async(store, item[0])).bytes_async()
                    assert len(body) > 0, item

        await asyncio.gather(*(one(item) for item in items))

    asyncio.run(main())


if __name__ == "__main__":
    peer, action, folder, prefix = sys.argv[1:]
    {"boto3": run_boto3, "obstore": run_obstore}[peer](action, objects(folder, prefix))
    leave()
