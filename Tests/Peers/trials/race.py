"""Races the ledger at length: on the model, on two RADOS gateways over one cluster, on a folder and on MinIO;
and explores the orders of events of the outbox and of hubs."""

import contextlib
import shutil
import subprocess

from shared import Killer, Servers, environment

PARTS = ["model", "streams", "gateways", "folder", "minio"]


class Races:
    def __init__(self, options, attempt):
        self.options, self.attempt = options, attempt
        self.seed = ["--seed", options.seed]

    def race(self, name, *arguments):
        """One race, in a folder of its own, where one that fails leaves its history."""
        def trial():
            folder = self.options.logs / name
            folder.mkdir(parents=True)
            command = [self.options.binary, *map(str, arguments)]
            (folder / "command").write_text(" ".join(command) + "\n")
            with open(folder / "out", "w") as out, open(folder / "err", "w") as errors:
                code = subprocess.run(
                    command, cwd=folder, env=environment(self.options.work), stdin=subprocess.DEVNULL,
                    stdout=out, stderr=errors).returncode
            print((folder / "out").read_text(), end="")
            if code:
                print(*(folder / "err").read_text().splitlines()[-20:], sep="\n")
                print(f"exit code {code}: {folder}")
            else:
                shutil.rmtree(folder)
            return code == 0

        self.attempt(name, trial)

    def model(self):
        self.race("model-two-writers", "model", "--exhaustive", "--writers", 2, "--faults", 2)
        # With a fault or a reader besides, hours.
        self.race("model-three-writers", "model", "--exhaustive", "--writers", 3, "--readers", 0, "--faults", 0)
        self.race("model-at-random", "model", "--runs", self.options.runs, *self.seed)

    def streams(self):
        self.race("streams-outbox", "model", "--world", "outbox", "--exhaustive")
        self.race("streams-hubs", "model", "--world", "hubs")
        self.race("streams-hubs-at-random", "model", "--world", "hubs", "--runs", self.options.runs, *self.seed)

    def on_store(self, name, processes, *arguments):
        self.race(
            name, *arguments, "--writers", 16, "--processes", processes, "--duration",
            self.options.duration, *self.seed)

    def on_server(self, name, servers, entries):
        """A short time-out: half of the faults last until the client gives up."""
        first = servers.use(entries[0])
        endpoints = [word for entry in entries
                     for word in ("--endpoint-url", servers.entries[entry]["endpoint"])]
        authority = ["--ca-bundle", first["caBundle"]] if "caBundle" in first else []
        self.on_store(
            name, 4, "--store", f"s3://{first['bucket']}/nightly", *endpoints, *authority,
            "--faults", "all", "--timeout", 3)

    def gateways(self):
        kills = self.options.gateway_kills
        with Servers(self.options.work / "servers", "rgw", "rgw2", logs=self.options.logs) as servers:
            # The race first asks the store what its conditional writes are worth.
            killer = Killer(servers, ["radosgw", "radosgw2"], kills, pause=(3, 22), down=(0, 4), first=15)
            with killer if kills != "none" else contextlib.nullcontext():
                self.on_server("gateways", servers, ["rgw-http", "rgw2-http"])
            print(f"    gateways killed and started again: {killer.kills}")

    def minio(self):
        kind = "minio" if shutil.which("minio") else "docker"
        with Servers(self.options.work / "minio", kind, logs=self.options.logs) as servers:
            self.on_server("minio", servers, ["minio-https"])

    def folder(self):
        store = self.options.work / "store"
        store.mkdir()
        self.on_store("folder", 8, "--store", store)
