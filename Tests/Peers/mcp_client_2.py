"""Drives `s3health mcp` with the package mcp, second generation. Prints what it got as JSON.

mcp_client_2.py MODE COMMAND ARGUMENT...: MODE is legacy, auto or a version.
"""

import json
import os
import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters

import mcp_scenario


async def main():
    server = StdioServerParameters(command=sys.argv[2], args=sys.argv[3:], env=dict(os.environ))
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

        await mcp_scenario.ask(report, call)
        try:
            await client.call_tool("health.write", {})
        except MCPError as error:
            report["unknown_tool"] = error.error.code
    report["unexpected"] = unexpected
    print(json.dumps(report))


anyio.run(main)
