"""Makes a run's buckets on a ready server and writes down how to reach them.

    endpoint.py add FOLDER NAME PRODUCT ENDPOINT [--ca FILE] [what it can and cannot]
        makes two buckets with random names, one of them versioned, and adds an entry to
        FOLDER/servers.json in the shape of Tests/TestSupport/TestServer.swift
    endpoint.py remove FOLDER NAME
        empties and removes the two buckets of that entry again
    endpoint.py port
        prints a free TCP port below 32768, where no client socket can come to lie

The keys come in ACCESS_KEY and SECRET_KEY, never as arguments, which anyone may list.
"""

import json
import os
import random
import secrets
import socket
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

REGION = os.environ.get("SERVER_REGION") or "us-east-1"


def client(entry):
    import boto3
    from botocore.config import Config

    return boto3.client(
        "s3",
        endpoint_url=entry["endpoint"],
        region_name=entry["region"],
        aws_access_key_id=entry["accessKey"],
        aws_secret_access_key=entry["secretKey"],
        verify=entry.get("caBundle"),
        config=Config(
            # RADOS gateway 16.2 refuses the checksum trailers that boto3 sends by default.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            s3={"addressing_style": "path"},
            connect_timeout=5,
            read_timeout=60,
        ),
    )


def add(options):
    is_minio = "MinIO" in options.product
    entry = {
        "name": options.name,
        "product": options.product,
        "endpoint": options.endpoint,
        "region": REGION,
        "accessKey": os.environ["ACCESS_KEY"],
        "secretKey": os.environ["SECRET_KEY"],
        "bucket": f"s3health-{secrets.token_hex(6)}",
        # None of those with weaker conditions keeps versions.
        "versionedBucket": f"s3health-versioned-{secrets.token_hex(6)}"
        if options.conditions == "full" else "",
        "conditions": options.conditions,
        "checksSignatures": not options.unsigned,
        # MinIO looks for each signed header before it computes the signature.
        "strippedRefusal": "400 AccessDenied" if is_minio else "403 SignatureDoesNotMatch",
        # MinIO's root user is above every policy, but not its sessions.
        "bindsOwner": not (options.free_owner or is_minio),
        "bindsSessions": options.sessions or is_minio,
        "pagesListings": not options.one_page,
        "hasFolders": options.folders,
        "letsAnyoneWrite": not options.no_public_writes,
    }
    if options.ca:
        entry["caBundle"] = options.ca
    s3 = client(entry)
    place = {} if REGION == "us-east-1" else {"LocationConstraint": REGION}
    for name in filter(None, (entry["bucket"], entry["versionedBucket"])):
        s3.create_bucket(Bucket=name, **({"CreateBucketConfiguration": place} if place else {}))
        # SeaweedFS makes room for a bucket at its first write: no test has to wait for that.
        s3.put_object(Bucket=name, Key="first", Body=b"")
        s3.delete_object(Bucket=name, Key="first")
    if entry["versionedBucket"]:
        s3.put_bucket_versioning(
            Bucket=entry["versionedBucket"], VersioningConfiguration={"Status": "Enabled"}
        )
    path = options.folder / "servers.json"
    entries = json.loads(path.read_text()) if path.exists() else []
    with tempfile.NamedTemporaryFile("w", dir=options.folder, delete=False) as file:
        json.dump([*entries, entry], file, indent=2)
        file.write("\n")
    os.replace(file.name, path)
    print(f"{entry['name']}: {entry['product']} at {entry['endpoint']}", file=sys.stderr)


def remove(options):
    for entry in json.loads((options.folder / "servers.json").read_text()):
        if entry["name"] != options.name:
            continue
        s3 = client(entry)
        for bucket in (entry["bucket"], entry["versionedBucket"]):
            for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
                for item in page.get("Versions", []) + page.get("DeleteMarkers", []):
                    s3.delete_object(Bucket=bucket, Key=item["Key"], VersionId=item["VersionId"])
            s3.delete_bucket(Bucket=bucket)


def port(_):
    # A folder is the reservation, so that two runs that start together get different ports
    # though neither listens yet; minio-test/stop gives them back.
    reservations = Path(tempfile.gettempdir()) / f"s3health-ports.{os.getuid()}"
    reservations.mkdir(mode=0o700, exist_ok=True)
    for candidate in random.sample(range(12000, 32000), 500):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", candidate))
                reservation = reservations / str(candidate)
                # A run that was killed outright gives nothing back.
                if reservation.exists() and time.time() - reservation.stat().st_mtime > 43200:
                    reservation.rmdir()
                reservation.mkdir()
            except OSError:
                continue
        print(candidate)
        return
    sys.exit("no free port between 12000 and 32000")


def main():
    parser = ArgumentParser()
    commands = parser.add_subparsers(required=True)
    adding = commands.add_parser("add")
    adding.add_argument("folder", type=Path)
    adding.add_argument("name")
    adding.add_argument("product")
    adding.add_argument("endpoint")
    adding.add_argument("--ca")
    adding.add_argument(
        "--conditions", choices=["full", "create", "none"], default="full",
        help="whether If-None-Match and If-Match work, the first alone, or none",
    )
    for flag, meaning in {
        "--unsigned": "checks no signatures",
        "--free-owner": "a bucket's policy does not bind its owner",
        "--sessions": "AssumeRole makes sessions with a policy of their own",
        "--one-page": "a listing has no continuation token",
        "--folders": "a key is a path of folders, and listings go folder by folder",
        "--no-public-writes": "no policy lets anyone write without a key",
    }.items():
        adding.add_argument(flag, action="store_true", help=meaning)
    adding.set_defaults(run=add)
    removing = commands.add_parser("remove")
    removing.add_argument("folder", type=Path)
    removing.add_argument("name")
    removing.set_defaults(run=remove)
    commands.add_parser("port").set_defaults(run=port)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
