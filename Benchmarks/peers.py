"""The same objects put and got by boto3 or obstore: `peers.py boto3|obstore put|get FOLDER PREFIX`.

Endpoint, bucket and keys come from AWS_* and BENCH_BUCKET; the width from BENCH_CONCURRENCY. Each peer
is used as its own documentation shows for many small objects.
"""

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CONCURRENCY = int(os.environ["BENCH_CONCURRENCY"])
BUCKET = os.environ["BENCH_BUCKET"]
ENDPOINT = os.environ["AWS_ENDPOINT_URL"]


def objects(folder, prefix):
    root = Path(folder)
    return [
        (f"{prefix}/{path.relative_to(root).as_posix()}", path)
        for path in sorted(root.rglob("*.json"))
    ]


def run_boto3(action, items):
    import boto3
    from botocore.config import Config

    client = boto3.client(
        "s3",
        endpoint_url=ENDPOINT,
        config=Config(
            max_pool_connections=CONCURRENCY,
            s3={"addressing_style": "path"},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    )

    def put(item):
        client.put_object(Bucket=BUCKET, Key=item[0], Body=item[1].read_bytes())

    def get(item):
        body = client.get_object(Bucket=BUCKET, Key=item[0])["Body"].read()
        assert body, item

    with ThreadPoolExecutor(CONCURRENCY) as pool:
        list(pool.map(put if action == "put" else get, items))


def run_obstore(action, items):
    import obstore
    from obstore.store import S3Store

    store = S3Store(
        BUCKET,
        endpoint=ENDPOINT,
        region=os.environ["AWS_REGION"],
        access_key_id=os.environ["AWS_ACCESS_KEY_ID"],
        secret_access_key=os.environ["AWS_SECRET_ACCESS_KEY"],
        virtual_hosted_style_request=False,
        client_options={"allow_http": True},
    )

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
    # obstore's own threads now and then abort while the interpreter goes: all is done by then.
    os._exit(0)
