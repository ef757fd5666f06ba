"""A thousand calls of `s3health mcp` in flight together, some of them cancelled.

mcp_interleaved.py CALLS COMMAND ARGUMENT...: the store has the days of February 2026 with the day of
the month as their steps. After each cancellation a ping is sent: answers are written in the order
in which they were decided, so behind the ping's answer none to the cancelled call may follow.
Prints counts as JSON; every message is checked by mcp_shapes too.
"""

import base64
import json
import subprocess
import sys
import threading

import mcp_shapes


def main():
    count = int(sys.argv[1])
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    entries, lock = [], threading.Lock()

    def record(side, data):
        with lock:
            entries.append({"from": side, "bytes": base64.b64encode(data).decode()})

    lines = []

    def read():
        for line in server.stdout:
            record("server", line)
            lines.append(line)

    reader = threading.Thread(target=read)
    reader.start()

    def send(*messages):
        data = b"".join(json.dumps({"jsonrpc": "2.0", **m}).encode() + b"\n" for m in messages)
        record("client", data)
        server.stdin.write(data)
        server.stdin.flush()

    send({"id": "hello", "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "interleaved", "version": "1"}}},
        {"method": "notifications/initialized"}, {"id": "tools", "method": "tools/list"})
    cancelled = {}
    for number in range(count):
        day = f"2026-02-{number % 28 + 1:02}"
        if number % 4 == 3:
            tool, arguments = "health_read_range_metrics", {
                "start_date": day, "end_date": day, "metrics": ["steps"]}
        else:
            tool, arguments = "health.read_daily_metrics", {"date": day}
        messages = [{"id": number, "method": "tools/call",
                     "params": {"name": tool, "arguments": arguments}}]
        # Some as they are sent, some that have waited or run for a while, some already answered.
        target = {0: number, 5: number - 3, 7: number - 40}.get(number % 10)
        if target is not None and target >= 0 and target not in cancelled:
            ping = f"ping {number}"
            cancelled[target] = ping
            messages += [
                {"method": "notifications/cancelled", "params": {"requestId": target}},
                {"id": ping, "method": "ping"}]
        send(*messages)
    server.stdin.close()
    reader.join()
    assert server.wait() == 0, server.returncode

    place = {}
    for index, line in enumerate(lines):
        answer = json.loads(line)
        assert answer["id"] not in place, f"{answer['id']} twice"
        place[answer["id"]] = index
        if isinstance(answer["id"], int):
            found = answer["result"]["structuredContent"]
            day = answer["id"] % 28 + 1
            steps = (found["metrics"]["steps"] if "date" in found
                     else found["data"][0]["metrics"]["steps"])
            assert steps == day, f"the answer to {answer['id']} is another's: {found}"
    for number in range(count):
        if number not in cancelled:
            assert number in place, f"{number} has no answer"
        elif number in place:
            assert place[number] < place[cancelled[number]], f"{number} was answered all the same"
    print(json.dumps({
        "calls": count, "cancelled": len(cancelled),
        "unanswered": sum(number not in place for number in cancelled),
        "shapes": mcp_shapes.check(entries)}))


if __name__ == "__main__":
    main()
