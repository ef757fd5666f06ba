"""Lists and reads what `verify --people` reads, as a program without s3health would:
`people_peers.py folder PATH` or `people_peers.py boto3 PREFIX`.

In a folder it reads every revision and pointer, as s3health must, because a folder lists no digests. In a
bucket it lists each person and gets the greatest revision of each day, 32 at a time. It parses each
document as JSON and checks nothing. It prints how many documents it has read.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor


def by_folder(path):
    count = 0
    for person in os.scandir(f"{path}/people"):
        for at, _, names in os.walk(f"{person.path}/health"):
            for name in names:
                with open(f"{at}/{name}", "rb") as file:
                    json.loads(file.read())
                count += 1
    return count


def latest(keys):
    """The greatest revision of each day: ids are ordered as text, and so are keys."""
    days = {}
    for key in sorted(keys):
        if "/revisions/" in key:
            days[key.split("/revisions/")[0]] = key
    return list(days.values())


def by_boto3(prefix):
    from peer_clients import BUCKET, boto3_client

    client = boto3_client(32)
    pages = client.get_paginator("list_objects_v2").paginate(
        Bucket=BUCKET, Prefix=prefix + "/people/", Delimiter="/")
    people = [found["Prefix"] for page in pages for found in page.get("CommonPrefixes", [])]

    def keys(person):
        pages = client.get_paginator("list_objects_v2").paginate(
            Bucket=BUCKET, Prefix=person + "health/v0/")
        return latest(entry["Key"] for page in pages for entry in page.get("Contents", []))

    def get(key):
        return json.loads(client.get_object(Bucket=BUCKET, Key=key)["Body"].read())["date"]

    count = 0
    with ThreadPoolExecutor(32) as pool:
        for start in range(0, len(people), 8):
            listed = list(pool.map(keys, people[start: start + 8]))
            count += len(list(pool.map(get, [key for all_keys in listed for key in all_keys])))
    return count


print({"folder": by_folder, "boto3": by_boto3}[sys.argv[1]](sys.argv[2]))
