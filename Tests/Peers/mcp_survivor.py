"""Several clients of the package mcp, second generation, that go on while their server is killed.

mcp_survivor.py URL TOKEN CLIENTS FILE: each client asks until FILE exists, and then once more. What
fails on the way is asked again. FILE.begun is made once all clients ask. Prints JSON: how many
answers, how many failures, and how many answers were wrong.
"""

import json
import logging
import os
import sys

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL, TOKEN, CLIENTS, FILE = sys.argv[1:]
report = {"answers": 0, "failures": 0, "wrong": 0, "last": 0}
asking = set()
logging.disable(logging.CRITICAL)


async def one(mode):
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=10)
    # While the server is down, not even a connection can be opened.
    while True:
        try:
            async with Client(streamable_http_client(URL, http_client=http), mode=mode) as client:
                await ask(client)
                return
        except Exception:
            report["failures"] += 1
            await anyio.sleep(0.05)


async def ask(client):
    while True:
        is_last = os.path.exists(FILE)
        try:
            with anyio.fail_after(10):
                result = await client.call_tool(
                    "health.read_daily_metrics", {"date": "2026-02-08"})
            report["answers"] += 1
            if id(client) not in asking:
                asking.add(id(client))
                if len(asking) == int(CLIENTS):
                    open(f"{FILE}.begun", "w").close()
            report["wrong"] += result.structured_content["metrics"]["steps"] != 8432
            if is_last:
                report["last"] += 1
                return
        except TimeoutError:
            raise
        except Exception:
            # The same client goes on: each request stands alone.
            report["failures"] += 1
            if is_last:
                raise
            await anyio.sleep(0.05)


async def main():
    async with anyio.create_task_group() as group:
        for index in range(int(CLIENTS)):
            group.start_soon(one, ["legacy", "auto"][index % 2])
    print(json.dumps(report))


anyio.run(main)
