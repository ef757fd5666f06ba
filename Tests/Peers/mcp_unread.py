"""Feeds `s3health mcp` as much as it takes while nothing reads its answers; then reads them all.

mcp_unread.py COMMAND ARGUMENT...: the lines come from stdin; the first is sent alone and answered, so
that the conversation has begun. Prints as JSON how many lines came back and their bytes, how many
bytes of input the server did not take before its answers were read, its exit code, and by how many MB
its memory at its peak until then was above that of the beginning.
"""

import json
import os
import selectors
import subprocess
import sys
import time

QUIET = 1  # seconds without a byte taken, or without work, after which the server is held to wait


def peak(server):
    with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def work(server):
    """The processor's time that it has used."""
    with open(f"/proc/{server.pid}/stat", encoding="ascii") as stat:
        return stat.read().rsplit(")", 1)[1].split()[11:13]


def settle(server):
    before = None
    while before != (now := work(server)):
        before = now
        time.sleep(QUIET)


def feed(server, rest):
    """Writes while the server takes it; what it did not take."""
    with selectors.DefaultSelector() as ready:
        ready.register(server.stdin, selectors.EVENT_WRITE)
        while rest and ready.select(QUIET):
            rest = rest[os.write(server.stdin.fileno(), rest[:65536]):]
    return rest


def finish(server, rest):
    """Writes the rest and reads all answers: their lines and bytes."""
    lines = size = 0
    with selectors.DefaultSelector() as ready:
        ready.register(server.stdout, selectors.EVENT_READ)
        ready.register(server.stdin, selectors.EVENT_WRITE)
        while True:
            for event, _ in ready.select():
                if event.fileobj is server.stdin:
                    if rest:
                        rest = rest[os.write(server.stdin.fileno(), rest[:65536]):]
                    else:
                        ready.unregister(server.stdin)
                        server.stdin.close()
                    continue
                data = os.read(server.stdout.fileno(), 1 << 20)
                if not data:
                    return lines, size
                lines, size = lines + data.count(b"\n"), size + len(data)


def main():
    first, rest = sys.stdin.buffer.read().split(b"\n", 1)
    server = subprocess.Popen(
        sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    server.stdin.write(first + b"\n")
    answer = b""
    while not answer.endswith(b"\n"):
        answer += os.read(server.stdout.fileno(), 65536)
    before = peak(server)
    os.set_blocking(server.stdin.fileno(), False)
    rest = feed(server, rest)
    settle(server)
    grown, untaken = peak(server) - before, len(rest)
    lines, size = finish(server, rest)
    print(json.dumps({
        "lines": lines, "bytes": size, "untaken": untaken, "grown": grown,
        "exit": server.wait()}))


main()
