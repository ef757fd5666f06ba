"""Resolves AWS settings with botocore.

Reads one JSON object per line: config and credentials (the files' text), variables. Writes one per
line: region, endpoint (null for AWS's own), accessKey, secretKey, token, addressingStyle, or error.
"""

import json
import os
import sys
import tempfile

import botocore.loaders
import botocore.session

LOADER = botocore.loaders.create_loader()
PLAIN = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}


def resolve(case, folder):
    paths = {}
    for name in ("config", "credentials"):
        paths[name] = os.path.join(folder, name)
        with open(paths[name], "w", encoding="utf-8", newline="") as file:
            file.write(case[name])
    os.environ.clear()
    os.environ.update(PLAIN)
    os.environ.update(case["variables"])
    os.environ["AWS_EC2_METADATA_DISABLED"] = "true"
    os.environ["AWS_CONFIG_FILE"] = paths["config"]
    os.environ["AWS_SHARED_CREDENTIALS_FILE"] = paths["credentials"]
    try:
        session = botocore.session.Session()
        session.register_component("data_loader", LOADER)
        credentials = session.get_credentials()
        keys = credentials.get_frozen_credentials() if credentials else None
        client = session.create_client("s3")
        endpoint = client.meta.endpoint_url
        return {
            "region": session.get_config_variable("region"),
            "endpoint": None if endpoint.endswith("amazonaws.com") else endpoint,
            "addressingStyle": (client.meta.config.s3 or {}).get("addressing_style"),
            "accessKey": keys.access_key if keys else None,
            "secretKey": keys.secret_key if keys else None,
            "token": keys.token if keys else None,
        }
    except Exception as error:  # whatever botocore refuses
        return {"error": f"{type(error).__name__}: {error}"}


with tempfile.TemporaryDirectory() as folder:
    for line in sys.stdin:
        print(json.dumps(resolve(json.loads(line), folder)))
