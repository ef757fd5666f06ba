"""Drives `s3health mcp` over its streams as no honest client would: mcp_stdio.py WAY ... COMMAND ARGUMENT...

interleaved CALLS  calls in flight together, some of them cancelled: the store has the days of February 2026 with the
                   day of the month as their steps. After each cancellation a ping is sent: answers are written in the
                   order in which they were decided, so behind the ping's answer none to the cancelled call may follow.
                   Prints counts; every message is checked by mcp_shapes too
starved            asks for a day while the system lets it open no file or socket, and then again. The store is a
                   bucket, whose transfers need descriptors. Prints both answers: the first is a fault inside the
                   program, the second shows that it goes on
unread             feeds it the lines of stdin, as many as it takes while nothing reads its answers; then reads them
                   all. The first line is sent alone and answered. Prints how many lines came back and their bytes, how
                   many bytes of input it did not take before, its exit code, and by how many MB its memory at its peak
                   until then was above that of the beginning
"""

import base64
import json
import os
import resource
import selectors
import subprocess
import sys
import threading
import time

import mcp_shapes

QUIET = 1  # seconds without a byte taken, or without work, after which the server is held to wait
HELLO = {"id": "hello", "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "peer", "version": "1"}}}


def started(command):
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def lines_of(*messages):
    return b"".join(json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n" for m in messages)


def call(number, tool, **arguments):
    return {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def interleaved(count, *command):
    count, server = int(count), started(command)
    entries, lines, cancelled, lock = [], [], {}, threading.Lock()

    def record(side, data):
        with lock:
            entries.append({"from": side, "bytes": base64.b64encode(data).decode()})

    def send(*messages):
        data = lines_of(*messages)
        record("client", data)
        server.stdin.write(data)

    def read():
        for line in os.fdopen(os.dup(server.stdout.fileno()), "rb"):
            record("server", line)
            lines.append(line)

    reader = threading.Thread(target=read)
    reader.start()
    send(HELLO, {"method": "notifications/initialized"}, {"id": "tools", "method": "tools/list"})
    for number in range(count):
        day = f"2026-02-{number % 28 + 1:02}"
        messages = [
            call(number, "health_read_range_metrics", start_date=day, end_date=day, metrics=["steps"])
            if number % 4 == 3 else call(number, "health.read_daily_metrics", date=day)]
        # Some as they are sent, some that have waited or run for a while, some already answered.
        target = {0: number, 5: number - 3, 7: number - 40}.get(number % 10)
        if target is not None and target >= 0 and target not in cancelled:
            cancelled[target] = f"ping {number}"
            messages += [{"method": "notifications/cancelled", "params": {"requestId": target}},
                         {"id": cancelled[target], "method": "ping"}]
        send(*messages)
    server.stdin.close()
    reader.join()
    assert server.wait() == 0, server.returncode
    place = {}
    for index, answer in enumerate(map(json.loads, lines)):
        assert answer["id"] not in place, f"{answer['id']} twice"
        place[answer["id"]] = index
        if isinstance(answer["id"], int):
            found = answer["result"]["structuredContent"]
            steps = (found if "date" in found else found["data"][0])["metrics"]["steps"]
            assert steps == answer["id"] % 28 + 1, f"the answer to {answer['id']} is another's: {found}"
    for number in range(count):
        if number not in cancelled:
            assert number in place, f"{number} has no answer"
        elif number in place:
            assert place[number] < place[cancelled[number]], f"{number} was answered all the same"
    return {"calls": count, "cancelled": len(cancelled),
            "unanswered": sum(number not in place for number in cancelled), "shapes": mcp_shapes.check(entries)}


def starved(*command):
    server = started(command)
    answers = os.fdopen(os.dup(server.stdout.fileno()), "rb")

    def ask(message):
        server.stdin.write(lines_of(message))
        return json.loads(answers.readline())

    def day(number):
        return ask(call(number, "health.read_daily_metrics", date="2026-02-08"))["result"]["structuredContent"]

    ask(HELLO)
    # All descriptors that the conversation itself needs are open once it has gone to and fro.
    for number in range(1, 20):
        ask({"id": number, "method": "ping"})
    opened = {int(name) for name in os.listdir(f"/proc/{server.pid}/fd")}
    lowest_free = next(number for number in range(len(opened) + 1) if number not in opened)
    soft, most = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (lowest_free, most))
    hungry = day(100)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (soft, most))
    fed = day(101)
    server.stdin.close()
    return {"starved": hungry, "fed": fed, "exit": server.wait()}


def peak(server):
    with open(f"/proc/{server.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def work(server):
    """The processor's time that it has used."""
    with open(f"/proc/{server.pid}/stat", encoding="ascii") as stat:
        return stat.read().rsplit(")", 1)[1].split()[11:13]


def unread(*command):
    first, rest = sys.stdin.buffer.read().split(b"\n", 1)
    server, answer = started(command), b""
    server.stdin.write(first + b"\n")
    while not answer.endswith(b"\n"):
        answer += os.read(server.stdout.fileno(), 65536)
    before = peak(server)
    os.set_blocking(server.stdin.fileno(), False)
    with selectors.DefaultSelector() as ready:
        ready.register(server.stdin, selectors.EVENT_WRITE)
        while rest and ready.select(QUIET):
            rest = rest[os.write(server.stdin.fileno(), rest[:65536]):]
    worked = None
    while worked != (now := work(server)):
        worked = now
        time.sleep(QUIET)
    grown, lines, size = peak(server) - before, 0, 0
    os.set_blocking(server.stdin.fileno(), True)
    threading.Thread(target=lambda: (server.stdin.write(rest), server.stdin.close())).start()
    while data := os.read(server.stdout.fileno(), 1 << 20):
        lines, size = lines + data.count(b"\n"), size + len(data)
    return {"lines": lines, "bytes": size, "untaken": len(rest), "grown": grown, "exit": server.wait()}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
