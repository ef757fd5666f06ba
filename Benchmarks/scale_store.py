"""Lists a bucket with boto3, beside the proxy: what is stored, and how long a listing takes."""

import time


class Listing:
    def __init__(self, endpoint, bucket):
        import boto3
        from botocore.config import Config

        self.bucket = bucket
        self.client = boto3.client("s3", endpoint_url=endpoint, config=Config(
            s3={"addressing_style": "path"}, request_checksum_calculation="when_required",
            response_checksum_validation="when_required"))

    def objects(self, prefix):
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=prefix)
        return [entry for page in pages for entry in page.get("Contents", [])]

    def stored(self, prefix, part=""):
        found = [entry for entry in self.objects(prefix) if part in entry["Key"]]
        return {"keys": len(found), "bytes": sum(entry["Size"] for entry in found)}

    def timed(self, prefix):
        """The least time of three listings, one page after the other."""
        least, keys = float("inf"), 0
        for _ in range(3):
            began = time.perf_counter()
            keys = len(self.objects(prefix))
            least = min(least, time.perf_counter() - began)
        return {"ms": 1000 * least, "keys": keys}
