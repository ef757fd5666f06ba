"""Measures the pages of a real s3healthd whose store has ten years of days with 25 metrics.

dashboard_decade.py PROGRAM S3HEALTH ROOT prints JSON: of each page its bytes, as they are and packed
by gzip, and the seconds and the processor seconds of the first and of the second time that it was asked
for.
"""

import gzip
import http.cookiejar
import json
import os
import sys
import time
import urllib.request

from dashboard_trial import MORE, fill
from hub_server import HubServer

program, s3health, root = sys.argv[1:]
os.environ.setdefault("TZ", "UTC")
server = HubServer(program, root)
fill({"s3health": s3health}, server, 3653, MORE)
token = server.token("ann", "--endpoint", "dashboard")["token"]
address = server.start().geturl()
browser = urllib.request.build_opener(
    urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))


def processor():
    """Seconds that the server has worked."""
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(path, form=None):
    worked, begun = processor(), time.monotonic()
    request = urllib.request.Request(address + path, form, {"Origin": address} if form else {})
    body = browser.open(request, timeout=120).read()
    return body, time.monotonic() - begun, processor() - worked


told = {}
# The first page, for which the newest days are read.
_, seconds, worked = ask("/sign-in", f"token={token}".encode())
yesterday = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))
for name, path in {
        "today": "/", "year": "/?span=year", "day": f"/day/{yesterday}", "metric": "/metric/steps",
        "metric of a year": "/metric/steps?span=year", "metric of all": "/metric/steps?span=all",
        "status": "/status", "styles": "/dashboard.css", "script": "/dashboard.js"}.items():
    body, first, first_worked = ask(path)
    if name == "today":
        first, first_worked = first + seconds, first_worked + worked
        # Behind the first page everything is read, which the status waits for.
        ask("/status")
    _, second, second_worked = ask(path)
    told[name] = {
        "bytes": len(body), "packed": len(gzip.compress(body)), "first": round(first, 3),
        "first_worked": round(first_worked, 2), "second": round(second, 3),
        "second_worked": round(second_worked, 2)}
server.stop()
print(json.dumps(told))
