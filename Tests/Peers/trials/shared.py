"""What the trials share: stores that they read and write by themselves, gateways that they kill, and the
environment of the programs that they try."""

import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
PEERS = ROOT / "Tests/Peers"


def environment(home, **more):
    """Nothing of the caller's but the keys of a store: a command line is for all to see."""
    keys = {name: value for name, value in os.environ.items()
            if name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION")}
    return {"PATH": os.environ["PATH"], "HOME": str(home), "S3HEALTH_TIMEZONE": "UTC",
            "AWS_EC2_METADATA_DISABLED": "true", **keys, **more}


class Program:
    """s3health in a home of its own."""

    def __init__(self, binary, home, **variables):
        self.binary, self.environment = binary, environment(home, **variables)

    def start(self, *arguments, **variables):
        return subprocess.Popen(
            [self.binary, *arguments], env={**self.environment, **variables}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def json(self, *arguments):
        process = self.start(*arguments, "--output", "json")
        out, _ = process.communicate()
        return json.loads(out), process.returncode


class Folder:
    """A store in a folder."""

    def __init__(self, path):
        self.path = str(path)
        os.makedirs(path, exist_ok=True)
        self.arguments = ["--store", self.path]

    def keys(self, under):
        for folder, _, files in os.walk(os.path.join(self.path, under)):
            for file in files:
                yield os.path.relpath(os.path.join(folder, file), self.path)

    def read(self, key):
        return pathlib.Path(self.path, key).read_bytes()

    def all(self, keys):
        return ((key, self.read(key)) for key in keys)


class Bucket:
    """A prefix of a bucket, which is made where it is not there. `way` is how s3health reaches it."""

    def __init__(self, endpoint, bucket, prefix, way=None):
        import boto3

        self.client = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
        self.bucket, self.prefix = bucket, prefix + "/"
        try:
            self.client.create_bucket(Bucket=bucket)
        except self.client.exceptions.ClientError:
            self.client.head_bucket(Bucket=bucket)
        self.arguments = ["--store", f"s3://{bucket}/{prefix}", "--endpoint-url", way or endpoint]

    def keys(self, under):
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=self.prefix + under)
        for page in pages:
            for entry in page.get("Contents", []):
                yield entry["Key"].removeprefix(self.prefix)

    def read(self, key):
        return self.client.get_object(Bucket=self.bucket, Key=self.prefix + key)["Body"].read()

    def all(self, keys):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            yield from pool.map(lambda key: (key, self.read(key)), keys)


class Servers:
    """Servers of minio-test/start until the block ends, of which gateways can be killed as a crash would."""

    def __init__(self, folder, *kinds, logs=None):
        self.folder, self.logs = folder, logs
        self._run("start", "--folder", folder, *kinds)
        told = json.loads((folder / "servers.json").read_text())
        self.entries = {entry["name"]: entry for entry in told}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._run("stop", "--keep-logs", self.folder)
        if self.logs:
            shutil.copytree(self.folder / "log", self.logs / f"{self.folder.name}-log")

    def _run(self, script, *arguments):
        subprocess.run(
            [ROOT / "minio-test" / script, *arguments], check=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, env={**os.environ, "S3HEALTH_PEER_PYTHON": sys.executable})

    def use(self, name):
        """The entry of a server, whose keys are in the environment from now on."""
        entry = self.entries[name]
        os.environ.update(
            AWS_ACCESS_KEY_ID=entry["accessKey"], AWS_SECRET_ACCESS_KEY=entry["secretKey"],
            AWS_REGION="us-east-1")
        return entry

    def kill(self, gateway="radosgw"):
        self._run("gateway", self.folder, "kill", gateway)

    def start(self, gateway="radosgw"):
        self._run("gateway", self.folder, "start", gateway)


class Killer(threading.Thread):
    """Kills one of the gateways at a time, at random moments, and starts it again, until the block ends."""

    def __init__(self, servers, gateways, seed, pause, down=(0, 0), first=0):
        super().__init__(daemon=True)
        self.servers, self.gateways, self.random = servers, gateways, random.Random(seed)
        self.pause, self.down, self.first = pause, down, first
        self.kills, self.is_over, self.error = 0, threading.Event(), None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.join()
        if self.error:
            raise self.error

    def run(self):
        try:
            self.is_over.wait(self.first)
            while not self.is_over.wait(self.random.uniform(*self.pause)):
                gateway = self.random.choice(self.gateways)
                self.servers.kill(gateway)
                self.is_over.wait(self.random.uniform(*self.down))
                self.servers.start(gateway)
                self.kills += 1
        except subprocess.CalledProcessError as error:
            self.error = error
