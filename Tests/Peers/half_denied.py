"""Lets nobody read half of a ledger: a policy that denies what lies below a prefix.

Reads one JSON object on stdin: endpoint, region, access_key, secret_key, ca_bundle or null, bucket
(made, and kept), binds_owner, denied, the prefix of the keys that are denied, and actions, where
not reads alone are; or policy, the statements that are all that a session may do. Where a bucket's
policy binds its owner, it is put on the bucket; else it is the policy of a session. Prints the
environment that such a session needs, as JSON.
"""

import json
import sys

import boto3
from botocore.config import Config

ask = json.load(sys.stdin)


def client(service):
    return boto3.client(
        service, endpoint_url=ask["endpoint"], region_name=ask["region"],
        aws_access_key_id=ask["access_key"], aws_secret_access_key=ask["secret_key"],
        verify=ask["ca_bundle"] or True, config=Config(s3={"addressing_style": "path"}))


def session(*statements):
    """A session of the owner's, which its own policy binds."""
    made = client("sts").assume_role(
        RoleArn="arn:aws:iam::000000000000:role/tests", RoleSessionName="tests",
        Policy=json.dumps({"Version": "2012-10-17", "Statement": statements}))["Credentials"]
    return {"AWS_ACCESS_KEY_ID": made["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": made["SecretAccessKey"],
            "AWS_SESSION_TOKEN": made["SessionToken"]}


environment = {}
if ask.get("policy"):
    environment = session(*ask["policy"])
elif ask.get("denied"):
    denial = {
        "Effect": "Deny", "Action": ask.get("actions", ["s3:GetObject"]),
        "Resource": [f"arn:aws:s3:::{ask['bucket']}/{ask['denied']}*"]}
    if ask["binds_owner"]:
        denial["Principal"] = {"AWS": ["*"]}
        client("s3").put_bucket_policy(Bucket=ask["bucket"], Policy=json.dumps(
            {"Version": "2012-10-17", "Statement": [denial]}))
    else:
        allowance = {"Effect": "Allow", "Action": ["s3:*"], "Resource": ["arn:aws:s3:::*"]}
        environment = session(allowance, denial)
else:
    client("s3").create_bucket(Bucket=ask["bucket"])
print(json.dumps(environment))
