"""Asks `s3health mcp` for a day while the system lets it open no file or socket, and then again.

mcp_starved.py COMMAND ARGUMENT...: the store is a bucket, whose transfers need descriptors. Prints
both answers as JSON: the first is a fault inside the program, the second shows that it goes on.
"""

import json
import os
import resource
import subprocess
import sys


def main():
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(**message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline())

    def call(number):
        answer = ask(id=number, method="tools/call", params={
            "name": "health.read_daily_metrics", "arguments": {"date": "2026-02-08"}})
        return answer["result"]["structuredContent"]

    ask(id=0, method="initialize", params={"protocolVersion": "2025-11-25"})
    # All descriptors that the conversation itself needs are open once it has gone to and fro.
    for number in range(1, 20):
        ask(id=number, method="ping")
    opened = {int(name) for name in os.listdir(f"/proc/{server.pid}/fd")}
    lowest_free = next(number for number in range(len(opened) + 1) if number not in opened)
    soft, most = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (lowest_free, most))
    starved = call(100)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (soft, most))
    fed = call(101)
    server.stdin.close()
    print(json.dumps({"starved": starved, "fed": fed, "exit": server.wait()}))


main()
