"""Where spec_writer.py keeps objects: a folder, or a bucket of a server."""

import os
import pathlib
import time
from datetime import datetime, timezone

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError


def opened(settings):
    return Folder(settings["folder"]) if "folder" in settings else Bucket(settings)


class Folder:
    """Who else writes at the same time would need locks (R29)."""

    swaps, ahead = True, 0

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def list(self, prefix):
        return os.listdir(self.root / prefix) if (self.root / prefix).exists() else []

    def get(self, key):
        """The bytes and the etag of an object, or twice None."""
        body = (self.root / key).read_bytes() if (self.root / key).exists() else None
        return body, body

    def put(self, key, body, etag):
        """Whether the object of the etag was replaced; without an etag, whether there was none."""
        if self.get(key)[1] != etag:
            return False
        (self.root / key).parent.mkdir(parents=True, exist_ok=True)
        (self.root / key).write_bytes(body)
        return True


class Bucket:
    def __init__(self, settings):
        self.s3 = botocore.session.get_session().create_client(
            "s3", region_name=settings["region"], endpoint_url=settings["endpoint"], verify=settings["ca_bundle"],
            aws_access_key_id=settings["access_key"], aws_secret_access_key=settings["secret_key"],
            config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1},
                          request_checksum_calculation="when_required"))
        self.bucket, self.prefix, self.swaps = settings["bucket"], settings["prefix"] + "/", settings["cas"]
        self.ahead, self.puts = 0.0, 0

    def list(self, prefix):
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=self.prefix + prefix)
        return [item["Key"].rsplit("/", 1)[1] for page in pages for item in page.get("Contents", [])]

    def get(self, key):
        try:
            got = self.s3.get_object(Bucket=self.bucket, Key=self.prefix + key)
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                return None, None
            raise
        clock = datetime.strptime(got["ResponseMetadata"]["HTTPHeaders"]["date"], "%a, %d %b %Y %H:%M:%S GMT")
        self.ahead = clock.replace(tzinfo=timezone.utc).timestamp() - time.time()
        return got["Body"].read(), got["ETag"]

    def put(self, key, body, etag):
        self.puts += 1
        if etag and self.puts % 2:  # as RADOS gateways need it (R28)
            etag = etag.strip('"')
        condition = {"IfMatch": etag} if etag else {"IfNoneMatch": "*"}
        try:
            self.s3.put_object(Bucket=self.bucket, Key=self.prefix + key, Body=body, **condition)
            return True
        except ClientError:
            return False
