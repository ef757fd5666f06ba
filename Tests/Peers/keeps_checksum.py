"""Whether a server answers with the SHA-256 that it was sent with an object, as boto3 sees it.

Reads an entry of servers.json with a `key` as JSON, and writes `true` or `false`. A server that
refuses the header keeps none. The object is removed again.
"""

import base64
import hashlib
import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

BODY = b"8432"

entry = json.load(sys.stdin)
client = boto3.client(
    "s3",
    endpoint_url=entry["endpoint"],
    region_name=entry["region"],
    aws_access_key_id=entry["accessKey"],
    aws_secret_access_key=entry["secretKey"],
    verify=entry.get("caBundle"),
    config=Config(
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        s3={"addressing_style": "path"},
    ),
)
place = {"Bucket": entry["bucket"], "Key": entry["key"]}
checksum = base64.b64encode(hashlib.sha256(BODY).digest()).decode()
try:
    client.put_object(**place, Body=BODY, ChecksumSHA256=checksum)
    answer = client.get_object(**place, ChecksumMode="ENABLED")
    kept = answer.get("ChecksumSHA256") == checksum
except ClientError:
    kept = False
client.delete_object(**place)
print(json.dumps(kept))
