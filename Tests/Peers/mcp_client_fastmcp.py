"""Drives `s3health mcp` with the package fastmcp. Prints what it got as JSON.

mcp_client_fastmcp.py COMMAND ARGUMENT...
mcp_client_fastmcp.py URL TOKEN: over HTTP
mcp_client_fastmcp.py legacy ...: in a revision that begins with a handshake
"""

import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import McpError

import mcp_scenario


async def main():
    mode = sys.argv.pop(1) if sys.argv[1] == "legacy" else "auto"
    if is_http := sys.argv[1].startswith("http"):
        transport = StreamableHttpTransport(sys.argv[1], auth=sys.argv[2])
    else:
        transport = StdioTransport(
            command=sys.argv[1], args=sys.argv[2:], env=dict(os.environ), keep_alive=False)
    report = {"answers": {}, "unexpected": []}
    async with Client(transport, mode=mode) as client:
        tools = await client.list_tools()
        report["tools"] = [tool.name for tool in tools]
        report["read_only"] = all(tool.annotations.read_only_hint for tool in tools)

        async def call(tool, arguments):
            result = await client.call_tool(tool, arguments, raise_on_error=False)
            return mcp_scenario.answer(
                result.is_error, result.structured_content, result.content)

        async def watched(tool, arguments, progress):
            await client.call_tool(tool, arguments, progress_handler=progress)

        await mcp_scenario.ask(report, call, watched if is_http else None)
        try:
            await client.call_tool("health.write", {})
        except McpError as error:
            report["unknown_tool"] = error.error.code
    print(json.dumps(report))


asyncio.run(main())
