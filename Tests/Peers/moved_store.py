"""Moves a store between a folder and a bucket with boto3, object by object, without what docs/MOVING.md leaves out.

Reads one JSON object on stdin: endpoint, region, access_key, secret_key, ca_bundle or null, bucket, prefix (with a
slash at its end), folder, and to: "bucket" or "folder". Before it copies to a folder, it writes what only a bucket
has. Prints how many objects it has copied.
"""

import json
import os
import pathlib
import sys

import boto3
from botocore.config import Config

ask = json.load(sys.stdin)
folder, prefix = pathlib.Path(ask["folder"]), ask["prefix"]
bucket = boto3.resource(
    "s3", endpoint_url=ask["endpoint"], region_name=ask["region"], aws_access_key_id=ask["access_key"],
    aws_secret_access_key=ask["secret_key"], verify=ask["ca_bundle"] or True,
    config=Config(s3={"addressing_style": "path"})).Bucket(ask["bucket"])


def belongs(name):
    parts = name.split("/")
    return not (parts[0].startswith(".s3health") and len(parts) > 1) and ".probe" not in parts[:-1]


count = 0
if ask["to"] == "bucket":
    for path in filter(pathlib.Path.is_file, folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if belongs(name):
            bucket.put_object(Key=prefix + name, Body=path.read_bytes())
            count += 1
else:
    for name in (".s3health-race/x/claim", ".s3healthd/tokens.json", "health/v0/.probe/AB/main"):
        bucket.put_object(Key=prefix + name, Body=b"{}")
    os.umask(0o077)
    for found in bucket.objects.filter(Prefix=prefix):
        name = found.key.removeprefix(prefix)
        if belongs(name) and not name.endswith("/"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(found.get()["Body"].read())
            count += 1
print(count)
