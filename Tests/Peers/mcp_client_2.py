"""Drives `s3health mcp` with the package mcp, second generation. Prints what it got as JSON.

mcp_client_2.py MODE COMMAND ARGUMENT...: MODE is legacy, auto or a version.
mcp_client_2.py MODE URL TOKEN: over HTTP.
"""

import json
import os
import sys

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

import mcp_scenario


async def main():
    if is_http := sys.argv[2].startswith("http"):
        http = httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {sys.argv[3]}"}, timeout=60)
        server = streamable_http_client(sys.argv[2], http_client=http)
    else:
        server = StdioServerParameters(
            command=sys.argv[2], args=sys.argv[3:], env=dict(os.environ))
    report = {"answers": {}}
    unexpected = []

    async def on_message(message):
        unexpected.append(repr(message))

    async with Client(server, mode=sys.argv[1], message_handler=on_message) as client:
        report["version"] = client.session.protocol_version
        if client.session.server_info is not None:
            report["server"] = client.session.server_info.name
        if sys.argv[1] == "legacy":
            await client.session.send_ping()
        report["tools"] = [tool.name for tool in (await client.list_tools()).tools]

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments)
            return mcp_scenario.answer(
                result.is_error, result.structured_content, result.content)

        async def watched(tool, arguments, progress):
            await client.call_tool(tool, arguments, progress_callback=progress)

        await mcp_scenario.ask(report, call, watched if is_http else None)
        try:
            await client.call_tool("health.write", {})
        except MCPError as error:
            report["unknown_tool"] = error.error.code
    report["unexpected"] = unexpected
    print(json.dumps(report))


anyio.run(main)
