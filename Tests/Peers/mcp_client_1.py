"""Drives `s3health mcp` with the package mcp, first generation. Prints what it got as JSON.

mcp_client_1.py COMMAND ARGUMENT...
mcp_client_1.py URL TOKEN: over HTTP
"""

import json
import os
import sys

import anyio
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

import mcp_scenario


async def main():
    if is_http := sys.argv[1].startswith("http"):
        transport = streamablehttp_client(
            sys.argv[1], headers={"Authorization": f"Bearer {sys.argv[2]}"})
    else:
        transport = stdio_client(StdioServerParameters(
            command=sys.argv[1], args=sys.argv[2:], env=dict(os.environ)))
    report = {"answers": {}}
    unexpected = []

    async def on_message(message):
        unexpected.append(repr(message))

    async with transport as streams:
        async with ClientSession(*streams[:2], message_handler=on_message) as session:
            hello = await session.initialize()
            report["version"] = hello.protocolVersion
            report["server"] = hello.serverInfo.name
            await session.send_ping()
            report["tools"] = [tool.name for tool in (await session.list_tools()).tools]

            async def call(tool, arguments):
                result = await session.call_tool(tool, arguments)
                return mcp_scenario.answer(
                    result.isError, result.structuredContent, result.content)

            async def watched(tool, arguments, progress):
                await session.call_tool(tool, arguments, progress_callback=progress)

            await mcp_scenario.ask(report, call, watched if is_http else None)
            try:
                await session.call_tool("health.write", {})
            except McpError as error:
                report["unknown_tool"] = error.error.code
    report["unexpected"] = unexpected
    print(json.dumps(report))


anyio.run(main)
