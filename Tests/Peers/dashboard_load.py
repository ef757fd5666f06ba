"""What pages of a real s3healthd cost.

dashboard_load.py streams PROGRAM ROOT COUNT    many open pages, each of which has read the document once and holds one
                                                event stream. Prints the server's resident megabytes with no page, with
                                                all and after a publish that reached them; its processor seconds while
                                                nothing happened; how many streams were told of it; and how many seconds
                                                SIGTERM took to end it with all streams open
dashboard_load.py decade PROGRAM ROOT S3HEALTH  ten years of days with 25 metrics. Prints of each page its bytes, as
                                                they are and packed by gzip, and the seconds and the processor seconds of
                                                the first and of the second time that it was asked for
"""

import gzip
import http.client
import json
import os
import pathlib
import resource
import sys
import threading
import time
import urllib.parse

from hub_server import DEVICE, MORE, HubServer, fill, post, request, steps_now

PER_SESSION = 25


def resident(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024


def processor(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sign_in(address, token):
    """A session's cookie."""
    answer, _ = request(address, "POST", "/sign-in", urllib.parse.urlencode({"token": token}),
                        **{"Content-Type": "application/x-www-form-urlencoded"})
    return answer.headers["Set-Cookie"].split(";")[0]


class Page:
    """One open page: a stream, read by a thread."""

    def __init__(self, address, cookie):
        self.ended, self.text = threading.Event(), b""
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
        self.connection.request("GET", "/dashboard/events", headers={"Cookie": cookie})
        self.answer = self.connection.getresponse()
        if self.answer.status == 200:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while piece := self.answer.read1(65536):
            self.text = (self.text + piece)[-200_000:]
        self.ended.set()

    def changes(self):
        return self.text.count(b"event: changed")


def until(condition, seconds=60):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.05)
    return condition()


def streams(program, root, count):
    count = int(count)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    server = HubServer(program, root)
    token = server.token("me", "--endpoint", "dashboard", "--endpoint", "ingest", "--device", DEVICE)["token"]
    address = server.start()
    process = server.process
    post(address, token, "1", steps_now(1000))
    cookies = [sign_in(address, token) for _ in range(-(-count // PER_SESSION))]

    def shown(text):
        return until(lambda: text in request(address, "GET", "/", Cookie=cookies[0])[1])

    # What the first page costs is not counted for the others.
    shown(b"1,000")
    told, pages = {"pages": count, "megabytes_without": resident(process)}, []
    for number in range(count):
        cookie = cookies[number // PER_SESSION]
        assert request(address, "GET", "/", Cookie=cookie)[0].status == 200
        pages.append(Page(address, cookie))
    until(lambda: all(b"event: hello" in page.text for page in pages))
    told["megabytes_open"] = resident(process)
    time.sleep(3)
    before, begun = processor(process), time.time()
    time.sleep(float(os.environ.get("IDLE_SECONDS", "5")))
    told["idle_seconds"] = round(time.time() - begun, 1)
    told["idle_processor_seconds"] = round(processor(process) - before, 3)
    before, heard = processor(process), [page.changes() for page in pages]

    def reached():
        return sum(page.changes() > count for page, count in zip(pages, heard))

    post(address, token, "2", steps_now(234))
    shown(b"1,234")
    until(lambda: reached() == count)
    told["reached"] = reached()
    told["publish_processor_seconds"] = round(processor(process) - before, 3)
    told["megabytes_published"] = resident(process)
    # Kept, or they would be closed.
    further = []
    while len(further) < 40 and (not further or further[-1].answer.status == 200):
        further.append(Page(address, cookies[0]))
    told["limited_after"] = len(further) if further[-1].answer.status == 429 else None
    begun = time.time()
    told["exit_code"], _ = server.stop()
    told["stop_seconds"] = round(time.time() - begun, 2)
    told["ended"] = sum(page.ended.wait(5) for page in pages)
    return told


def decade(program, root, s3health):
    server = HubServer(program, root)
    fill(s3health, server, 3653, MORE)
    token = server.token("ann", "--endpoint", "dashboard")["token"]
    address = server.start()
    begun = time.monotonic()
    cookie = sign_in(address, token)

    def ask(path, since=None, worked=None):
        worked = processor(server.process) if worked is None else worked
        since = since or time.monotonic()
        body = request(address, "GET", path, Cookie=cookie)[1]
        return body, round(time.monotonic() - since, 3), round(processor(server.process) - worked, 2)

    told = {}
    yesterday = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))
    for name, path in {
            "today": "/", "year": "/?span=year", "day": f"/day/{yesterday}", "metric": "/metric/steps",
            "metric of a year": "/metric/steps?span=year", "metric of all": "/metric/steps?span=all",
            "status": "/status", "styles": "/dashboard.css", "script": "/dashboard.js"}.items():
        # The first page is one with the sign-in, for which the newest days are read.
        body, first, first_worked = ask(path, *([begun, 0] if name == "today" else []))
        if name == "today":
            # Behind the first page everything is read, which the status waits for.
            ask("/status")
        _, second, second_worked = ask(path)
        told[name] = {"bytes": len(body), "packed": len(gzip.compress(body)), "first": first,
                      "first_worked": first_worked, "second": second, "second_worked": second_worked}
    server.stop()
    return told


os.environ.setdefault("TZ", "UTC")
print(json.dumps({"streams": streams, "decade": decade}[sys.argv[1]](*sys.argv[2:])))
