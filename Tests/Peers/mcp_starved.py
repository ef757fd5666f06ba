"""Asks `s3health mcp` for a day while the system gives it no memory for a thread, and then again.

mcp_starved.py COMMAND ARGUMENT...: the store is a bucket, whose transfers need a thread of their
own. Prints both answers as JSON: the first is a fault inside the program, the second shows that it
goes on.
"""

import json
import resource
import subprocess
import sys

FREE = 1 << 20  # bytes left to the program: too few for the stack of a thread


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
    # All threads that the conversation itself needs exist once it has gone to and fro.
    for number in range(1, 20):
        ask(id=number, method="ping")
    with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
        size = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmSize:"))
    most = resource.prlimit(server.pid, resource.RLIMIT_AS)[1]
    resource.prlimit(server.pid, resource.RLIMIT_AS, (size + FREE, most))
    starved = call(100)
    resource.prlimit(server.pid, resource.RLIMIT_AS, (most, most))
    fed = call(101)
    server.stdin.close()
    print(json.dumps({"starved": starved, "fed": fed, "exit": server.wait()}))


main()
