"""What an independent client, boto3, does with a bucket: bucket.py WAY, with a JSON object on stdin.

The object has endpoint, region, access_key, secret_key, ca_bundle or null, bucket, and what the way needs:
put             folder and prefix: uploads the folder's files as they are, without conditions
move            folder, prefix (with a slash at its end) and to: copies a store to a "bucket" or a "folder", object by
                object, without what docs/MOVING.md leaves out. Before it copies to a folder, it writes what only a
                bucket has. Both print the number of objects
deny            denied, the prefix of the keys that are denied, binds_owner, and actions, where not reads alone are; or
                policy, the statements that are all that may be done; else the bucket is made, and kept. Where a
                bucket's policy binds its owner, it is put on the bucket, as what denies all else; else it is the policy
                of a session. Prints the environment that such a session needs
keeps_checksum  key: whether the server answers with the SHA-256 that it was sent with an object. One that refuses the
                header keeps none. The object is removed again
"""

import base64
import hashlib
import json
import os
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError


# Of Debian. A phone's run adds the authorities of its servers to them.
SYSTEM = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")


def client(ask, service="s3"):
    return boto3.client(
        service, endpoint_url=ask["endpoint"], region_name=ask["region"], aws_access_key_id=ask["access_key"],
        aws_secret_access_key=ask["secret_key"], verify=ask["ca_bundle"] or (str(SYSTEM) if SYSTEM.exists() else True),
        config=Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required",
                      response_checksum_validation="when_required"))


def keys(s3, ask):
    """The keys below the prefix, without it."""
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=ask["bucket"], Prefix=ask["prefix"])
    return [entry["Key"].removeprefix(ask["prefix"]) for page in pages for entry in page.get("Contents", [])]


def files(folder):
    """The files of a folder by their names in a store."""
    return {path.relative_to(folder).as_posix(): path for path in pathlib.Path(folder).rglob("*") if path.is_file()}


def put(ask):
    s3 = client(ask)

    def one(name, path):
        s3.put_object(Bucket=ask["bucket"], Key=f"{ask['prefix']}/{name}", Body=path.read_bytes())

    found = files(ask["folder"])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, *zip(*found.items())))
    return len(found)


def belongs(name):
    parts = name.split("/")
    return not (parts[0].startswith(".s3health") and len(parts) > 1) and ".probe" not in parts[:-1]


def move(ask):
    s3, prefix = client(ask), ask["prefix"]
    place = {"Bucket": ask["bucket"]}
    if ask["to"] == "bucket":
        found = {name: path for name, path in files(ask["folder"]).items() if belongs(name)}
        for name, path in found.items():
            s3.put_object(**place, Key=prefix + name, Body=path.read_bytes())
        return len(found)
    for name in (".s3health-race/x/claim", ".s3healthd/tokens.json", "health/v0/.probe/AB/main"):
        s3.put_object(**place, Key=prefix + name, Body=b"{}")
    os.umask(0o077)
    found = [name for name in keys(s3, ask) if belongs(name) and not name.endswith("/")]
    for name in found:
        path = pathlib.Path(ask["folder"]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(s3.get_object(**place, Key=prefix + name)["Body"].read())
    return len(found)


def session(ask, *statements):
    """A session of the owner's, which its own policy binds."""
    made = client(ask, "sts").assume_role(
        RoleArn="arn:aws:iam::000000000000:role/tests", RoleSessionName="tests",
        Policy=json.dumps({"Version": "2012-10-17", "Statement": statements}))["Credentials"]
    return {"AWS_ACCESS_KEY_ID": made["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": made["SecretAccessKey"],
            "AWS_SESSION_TOKEN": made["SessionToken"]}


def rest(statement):
    """What a statement that allows does not: the same actions elsewhere."""
    denial = {"Effect": "Deny", "Action": statement["Action"], "Principal": {"AWS": ["*"]}}
    if "Condition" not in statement:
        return denial | {"NotResource": statement["Resource"]}
    # Of several patterns, RADOS gateway denies what is not like each of them.
    places = {key: os.path.commonprefix(patterns) + "*"
              for key, patterns in statement["Condition"]["StringLike"].items()}
    return denial | {"Resource": statement["Resource"], "Condition": {"StringNotLike": places}}


def bind(ask, *denials):
    client(ask).put_bucket_policy(
        Bucket=ask["bucket"], Policy=json.dumps({"Version": "2012-10-17", "Statement": denials}))
    return {}


def deny(ask):
    if ask.get("policy"):
        return bind(ask, *map(rest, ask["policy"])) if ask["binds_owner"] else session(ask, *ask["policy"])
    if not ask.get("denied"):
        client(ask).create_bucket(Bucket=ask["bucket"])
        return {}
    denial = {"Effect": "Deny", "Action": ask.get("actions", ["s3:GetObject"]),
              "Resource": [f"arn:aws:s3:::{ask['bucket']}/{ask['denied']}*"]}
    if not ask["binds_owner"]:
        return session(ask, {"Effect": "Allow", "Action": ["s3:*"], "Resource": ["arn:aws:s3:::*"]}, denial)
    return bind(ask, denial | {"Principal": {"AWS": ["*"]}})


def keeps_checksum(ask):
    s3, place, body = client(ask), {"Bucket": ask["bucket"], "Key": ask["key"]}, b"8432"
    checksum = base64.b64encode(hashlib.sha256(body).digest()).decode()
    try:
        s3.put_object(**place, Body=body, ChecksumSHA256=checksum)
        return s3.get_object(**place, ChecksumMode="ENABLED").get("ChecksumSHA256") == checksum
    except ClientError:
        return False
    finally:
        s3.delete_object(**place)


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](json.load(sys.stdin))))
