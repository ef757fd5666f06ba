"""Holds many open dashboards of s3healthd and prints what they cost.

Arguments: s3healthd, a folder that does not exist yet, how many pages. Each page has read the document
once and holds one event stream. Prints JSON: the server's resident megabytes with no page, with all
and after a publish that reached them; its processor seconds while nothing happened; how many streams
were told of it; and how many seconds SIGTERM took to end it with all streams open.
"""

import http.client
import json
import os
import pathlib
import resource
import sys
import threading
import time
import urllib.parse

from hub_server import HubServer

DEVICE = "7a1e6b0c-2f7d-4c54-9d0b-3c7a1f2e8d90"
PER_SESSION = 25


def resident(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024


def processor(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def body(steps, session):
    moment = time.gmtime(time.time() - 1)
    sample = {
        "uuid": f"00000000-0000-4000-8000-{session:012d}",
        "sample_type": "HKQuantityTypeIdentifierStepCount", "value": steps, "unit": "count",
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", moment),
        "end_timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", moment), "source": "watch"}
    return json.dumps({
        "stream_name": "apple_ios_healthkit", "device_id": DEVICE,
        "batch_metadata": {"app_version": "1", "session": str(session), "total_records": 1},
        "data": [sample]})


class Page:
    """One open page: a stream, read by a thread."""

    def __init__(self, address, cookie):
        self.events, self.ended = [], threading.Event()
        self.text = b""
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=120)
        self.connection.request("GET", "/dashboard/events", headers={"Cookie": cookie})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.status
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while piece := self.answer.read1(65536):
            self.text = (self.text + piece)[-200_000:]
        self.ended.set()

    def changes(self):
        return self.text.count(b"event: changed")


def request(address, method, path, form=None, **headers):
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    connection.request(method, path, form, headers)
    answer = connection.getresponse()
    return answer, answer.read()


def until(condition, seconds=60):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.05)
    return condition()


def main():
    program, root, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    server = HubServer(program, root)
    token = server.token(
        "me", "--endpoint", "dashboard", "--endpoint", "ingest", "--device", DEVICE)["token"]
    address = server.start()
    process = server.process

    def post(steps, session):
        answer, _ = request(
            address, "POST", "/api/ingest", body(steps, session), **{"X-Device-Token": token})
        assert answer.status == 200, answer.status

    post(1000, 1)
    cookies = []
    for _ in range(-(-count // PER_SESSION)):
        answer, _ = request(
            address, "POST", "/sign-in", urllib.parse.urlencode({"token": token}),
            **{"Content-Type": "application/x-www-form-urlencoded"})
        cookies.append(answer.headers["Set-Cookie"].split(";")[0])
    # What the first page costs is not counted for the others.
    until(lambda: b"1,000" in request(address, "GET", "/", Cookie=cookies[0])[1])
    told = {"pages": count, "megabytes_without": resident(process)}
    pages = []
    for number in range(count):
        cookie = cookies[number // PER_SESSION]
        answer, _ = request(address, "GET", "/", Cookie=cookie)
        assert answer.status == 200
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

    post(234, 2)
    until(lambda: b"1,234" in request(address, "GET", "/", Cookie=cookies[0])[1])
    until(lambda: reached() == count)
    told["reached"] = reached()
    told["publish_processor_seconds"] = round(processor(process) - before, 3)
    told["megabytes_published"] = resident(process)
    refused = []
    for _ in range(40):
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=20)
        connection.request("GET", "/dashboard/events", headers={"Cookie": cookies[0]})
        # Kept, or it would be closed.
        refused.append(connection.getresponse())
        if refused[-1].status == 429:
            told["limited_after"] = len(refused)
            break
    begun = time.time()
    told["exit_code"], _ = server.stop()
    told["stop_seconds"] = round(time.time() - begun, 2)
    assert len(refused) < 40
    told["ended"] = sum(page.ended.wait(5) for page in pages)
    print(json.dumps(told))


main()
