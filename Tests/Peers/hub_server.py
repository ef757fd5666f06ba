"""Runs s3healthd on a folder for other peers: makes tokens, starts it, stops it."""

import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse


class HubServer:
    """A server on ROOT/store, with its tokens in ROOT/tokens.json and its log in ROOT/server.log."""

    def __init__(self, program, root):
        self.program, self.root = program, pathlib.Path(root)
        self.folder = self.root / "store"
        self.folder.mkdir(parents=True)
        self.environment = {
            "HOME": str(root), "PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(self.root / "config")}
        self.process = None

    def run(self, *arguments):
        """What another program prints, in the server's environment."""
        return subprocess.run(
            arguments, env=self.environment, check=True, capture_output=True, text=True).stdout

    def token(self, name, *options):
        """The document of a new token."""
        return json.loads(self.run(
            self.program, "token", "add", name, *options, "--tokens", str(self.root / "tokens.json"),
            "-o", "json"))

    def start(self, *options):
        """Starts it on a free port, and returns its address."""
        path = self.root / "server.log"
        with open(path, "wb") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--store", str(self.folder), "--listen", "127.0.0.1:0",
                 "--timezone", "UTC", "--tokens", str(self.root / "tokens.json"), *options],
                env=self.environment, stderr=log, stdout=log)
        for _ in range(1200):
            found = re.search(r"listening on (http://127\.0\.0\.1:\d+)", path.read_text())
            if found:
                return urllib.parse.urlsplit(found.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        sys.exit("the server did not start: " + path.read_text())

    def stop(self):
        """Asks it to finish what it has accepted, and returns its exit code and its log."""
        self.process.terminate()
        return self.process.wait(120), (self.root / "server.log").read_text()
