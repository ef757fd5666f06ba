"""Many programs that ask s3healthd at once, each over a connection that it keeps.

mcp_crowd.py URL TOKEN COUNT: each registers, begins, and asks for a day and a range. All connections are
open at once before the first asks, and stay open until all have asked. Who is told to wait asks again.
Prints JSON.
"""

import asyncio
import json
import sys
import urllib.parse

URL, TOKEN, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
HOST = urllib.parse.urlsplit(URL)
report = {"clients": 0, "answers": 0, "waits": 0, "problems": []}
ids, done = set(), set()


async def ask(reader, writer, method, path, body, fields=()):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST.netloc}", f"Content-Length: {len(body)}",
             "Content-Type: application/json", *fields]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    found = {name.lower(): value.strip() for name, _, value in
             (line.partition(":") for line in head.split("\r\n")[1:])}
    answer = await reader.readexactly(int(found.get("content-length", 0)))
    return int(head.split(" ")[1]), answer


async def one(number, gate):
    reader, writer = await asyncio.open_connection(HOST.hostname, HOST.port, limit=1 << 22)
    try:
        name = {"client_name": f"Program {number}", "redirect_uris": [f"http://127.0.0.1/{number}"]}
        status, body = await ask(
            reader, writer, "POST", "/register", json.dumps(name).encode())
        assert status == 201, (status, body)
        ids.add(json.loads(body)["client_id"])
        await gate.wait()
        fields = [f"Authorization: Bearer {TOKEN}", "MCP-Protocol-Version: 2025-11-25"]
        hello = {"protocolVersion": "2025-11-25", "capabilities": {},
                 "clientInfo": {"name": "crowd", "version": "1"}}
        day = {"name": "health.read_daily_metrics", "arguments": {"date": "2026-02-08"}}
        year = {"name": "health.read_range_metrics",
                "arguments": {"start_date": "2025-03-01", "end_date": "2026-02-28"}}
        for method, parameters, word in [
                ("initialize", hello, b'"protocolVersion":"2025-11-25"'),
                ("tools/call", day, b'"steps":8432'), ("tools/call", year, b'"found":1')]:
            body = json.dumps(
                {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}).encode()
            while True:
                status, answer = await ask(reader, writer, "POST", "/mcp", body, fields)
                if status not in (429, 503):
                    break
                report["waits"] += 1
                await asyncio.sleep(0.5)
            assert status == 200 and word in answer, (status, answer[:300])
            assert json.loads(answer)["id"] == number
            report["answers"] += 1
        done.add(number)
        while len(done) < COUNT and not report["problems"]:
            await asyncio.sleep(0.1)
    except Exception as error:
        report["problems"].append(repr(error)[:300])
    finally:
        writer.close()


async def main():
    gate = asyncio.Event()
    tasks = [asyncio.create_task(one(number, gate)) for number in range(COUNT)]
    while len(ids) < COUNT and not report["problems"]:
        await asyncio.sleep(0.05)
    gate.set()
    await asyncio.gather(*tasks)
    report["clients"] = len(ids)
    report["problems"] = report["problems"][:10]
    print(json.dumps(report))


asyncio.run(main())
