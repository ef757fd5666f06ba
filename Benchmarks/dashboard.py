"""Measures the first page of a real s3healthd over ten years of days with 25 metrics.

dashboard.py PROGRAM S3HEALTH ROOT [STORE] (called by Benchmarks/dashboard) prints JSON: the seconds of the page of today as the first
after a start (the median of five starts), when asked for again, and as the first after midnight; of the
other pages as the first after a start; and the bytes of each on the wire. The clock is that of the whole
request with a new connection. STORE is a bucket, reached by the AWS variables of the environment; else
the days are in a folder. The clock of the server is moved to the next day by later.c, which needs cc.
"""

import gzip
import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Tests/Peers"))
from hub_server import MORE, HubServer, fill  # noqa: E402

STARTS = int(os.environ.get("BENCH_STARTS", "5"))
DAYS = int(os.environ.get("BENCH_DAYS", "3653"))
PAGES = {"today": "/", "today, the trends of a year": "/?span=year", "a day": "/day/{yesterday}",
         "a metric, a month": "/metric/steps", "a metric, a year": "/metric/steps?span=year",
         "a metric, ten years": "/metric/steps?span=all", "status": "/status"}


class TenYears:
    def __init__(self, program, s3health, root, store=None):
        self.server = HubServer(program, root)
        if store:
            self.server.environment |= {
                name: text for name, text in os.environ.items() if name.startswith("AWS_")}
            self.server.folder = store
        fill(s3health, self.server, DAYS, MORE)
        self.token = self.server.token("ann", "--endpoint", "dashboard")["token"]
        self.later = self.server.root / "later"
        shim = self.server.root / "later.so"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", shim, pathlib.Path(__file__).with_name("later.c")],
            check=True)
        self.server.environment |= {"LD_PRELOAD": str(shim), "LATER_FILE": str(self.later)}

    def start(self):
        self.later.write_text("0")
        self.address = self.server.start()
        form = urllib.parse.urlencode({"token": self.token})
        _, _, headers = self.ask(
            "/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})
        self.cookie = re.match("[^;]+", headers["Set-Cookie"])[0]

    def ask(self, path, form=None, more=()):
        begun = time.monotonic()
        connection = http.client.HTTPConnection(self.address.netloc, timeout=120)
        connection.request("POST" if form else "GET", path, form, dict(more))
        answer = connection.getresponse()
        body = answer.read()
        seconds = time.monotonic() - begun
        connection.close()
        assert answer.status in (200, 303), (path, answer.status, body[:200])
        return body, seconds, answer.headers

    def page(self, path):
        body, seconds, headers = self.ask(
            path, more={"Cookie": self.cookie, "Accept-Encoding": "gzip"})
        assert headers["Content-Encoding"] == "gzip"
        assert b"</html>" in gzip.decompress(body)
        return len(body), seconds

    def measure(self):
        yesterday = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))
        told = {}
        for name, path in PAGES.items():
            first, again = [], []
            for _ in range(STARTS if name == "today" else 1):
                self.start()
                size, seconds = self.page(path.format(yesterday=yesterday))
                first.append(seconds)
                again.append(self.page(path.format(yesterday=yesterday))[1])
                if name == "today":
                    # Until everything was read, which the year waits for.
                    self.page("/?span=year")
                    self.later.write_text("86400")
                    told.setdefault("after midnight", []).append(self.page(path)[1])
                self.server.stop()
            told[name] = {"bytes": size, "first": round(statistics.median(first), 3),
                          "again": round(statistics.median(again), 4)}
        told["after midnight"] = round(statistics.median(told["after midnight"]), 3)
        return told


if __name__ == "__main__":
    os.environ.setdefault("TZ", "UTC")
    print(json.dumps(TenYears(*sys.argv[1:]).measure(), indent=1))
