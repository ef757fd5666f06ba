"""Uploads the files of a folder to a bucket with boto3, as they are, without conditions.

Reads one JSON object on stdin: folder, endpoint, region, access_key, secret_key, ca_bundle or null,
bucket, prefix. Prints the number of objects.
"""

import json
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore.config import Config

ask = json.load(sys.stdin)
client = boto3.client(
    "s3", endpoint_url=ask["endpoint"], region_name=ask["region"],
    aws_access_key_id=ask["access_key"], aws_secret_access_key=ask["secret_key"],
    verify=ask["ca_bundle"] or True,
    config=Config(
        s3={"addressing_style": "path"}, max_pool_connections=8,
        request_checksum_calculation="when_required"))
root = pathlib.Path(ask["folder"])
files = [path for path in sorted(root.rglob("*")) if path.is_file()]


def put(path):
    key = ask["prefix"] + "/" + path.relative_to(root).as_posix()
    client.put_object(Bucket=ask["bucket"], Key=key, Body=path.read_bytes())


with ThreadPoolExecutor(8) as pool:
    list(pool.map(put, files))
print(len(files))
