"""Lets nobody read half of a ledger: a bucket policy that denies what lies below a prefix.

Reads one JSON object on stdin: endpoint, region, access_key, secret_key, ca_bundle or null, bucket
(made, and kept), denied, the prefix of the keys that are denied, and actions, where not reads alone
are.
"""

import json
import sys

import boto3
from botocore.config import Config

ask = json.load(sys.stdin)
client = boto3.client(
    "s3", endpoint_url=ask["endpoint"], region_name=ask["region"],
    aws_access_key_id=ask["access_key"], aws_secret_access_key=ask["secret_key"],
    verify=ask["ca_bundle"] or True, config=Config(s3={"addressing_style": "path"}))
if ask.get("denied"):
    client.put_bucket_policy(Bucket=ask["bucket"], Policy=json.dumps({
        "Version": "2012-10-17",
        "Statement": [{
            "Effect": "Deny", "Principal": {"AWS": ["*"]}, "Action": ask.get("actions", ["s3:GetObject"]),
            "Resource": [f"arn:aws:s3:::{ask['bucket']}/{ask['denied']}*"]}]}))
else:
    client.create_bucket(Bucket=ask["bucket"])
