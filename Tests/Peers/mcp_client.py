"""What a client of the Model Context Protocol gets of s3health. Prints it as JSON.

mcp_client.py MODE COMMAND ARGUMENT...: over stdio
mcp_client.py MODE URL TOKEN: over HTTP

The client is that of the package of the interpreter: mcp of the first or the second generation, or
fastmcp. MODE is legacy, auto or a version; the first generation has one alone.
"""

import contextlib
import json
import os
import sys

import anyio

try:
    import fastmcp
except ImportError:
    fastmcp = None
    import mcp

DAILY = "health.read_daily_metrics"
RANGE = "health.read_range_metrics"
LIST = "health.list_metrics"
SUMMARY = "health.summarize_range"

#: Name of the step, tool, arguments.
CALLS = [
    ("day", DAILY, {"date": "2026-02-08"}),
    ("day_underscore", "health_read_daily_metrics", {"date": "2026-02-08"}),
    ("missing_day", DAILY, {"date": "2026-02-01"}),
    ("today", DAILY, {"date": "today", "timezone": "Pacific/Kiritimati"}),
    ("range", RANGE, {"start_date": "2026-02-05", "end_date": "2026-02-09"}),
    ("compact", RANGE,
     {"start_date": "2026-02-05", "end_date": "2026-02-09", "format": "compact",
      "metrics": ["hrv_sdnn_avg", "steps"]}),
    ("empty_range", RANGE, {"start_date": "2020-01-01", "end_date": "2020-12-31"}),
    ("bad_date", DAILY, {"date": "2026-02-30"}),
    ("bad_zone", DAILY, {"date": "2026-02-08", "timezone": "PST"}),
    ("no_date", DAILY, {}),
    ("unknown_argument", DAILY, {"date": "2026-02-08", "metric": "steps"}),
    ("too_long", RANGE, {"start_date": "2025-01-01", "end_date": "2026-01-02"}),
    ("backwards", RANGE, {"start_date": "2026-02-09", "end_date": "2026-02-05"}),
    ("list", LIST, {"start_date": "2026-02-01", "end_date": "2026-02-10"}),
    ("list_all", "health_list_metrics", {}),
    ("summary", SUMMARY,
     {"start_date": "2026-02-05", "end_date": "2026-02-09", "metrics": ["steps"], "by": "week",
      "compare_start_date": "2026-01-05", "compare_end_date": "2026-01-09"}),
    ("bad_period", SUMMARY,
     {"start_date": "2026-02-05", "end_date": "2026-02-09", "by": "day"}),
    ("unknown_metric", RANGE,
     {"start_date": "2026-02-05", "end_date": "2026-02-09", "metrics": ["mood"]}),
]

#: Calls that one client has in flight at once.
AT_ONCE = 60

MODE, *SERVER = sys.argv[1:]
IS_HTTP = SERVER[0].startswith("http")
report = {"answers": {}, "unexpected": []}


async def on_message(message):
    report["unexpected"].append(repr(message))


def stdio(transport, **more):
    return transport(command=SERVER[0], args=SERVER[1:], env=dict(os.environ), **more)


@contextlib.asynccontextmanager
async def first_generation():
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamablehttp_client
    transport = (
        streamablehttp_client(SERVER[0], headers={"Authorization": f"Bearer {SERVER[1]}"})
        if IS_HTTP else stdio_client(stdio(mcp.StdioServerParameters)))
    async with transport as streams:
        async with mcp.ClientSession(*streams[:2], message_handler=on_message) as client:
            hello = await client.initialize()
            report.update(version=hello.protocolVersion, server=hello.serverInfo.name)
            await client.send_ping()
            report["tools"] = [tool.name for tool in (await client.list_tools()).tools]
            yield client.call_tool, "progress_callback", mcp.McpError


@contextlib.asynccontextmanager
async def second_generation():
    import httpx2
    from mcp.client.streamable_http import streamable_http_client
    server = stdio(mcp.StdioServerParameters) if not IS_HTTP else streamable_http_client(
        SERVER[0], http_client=httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {SERVER[1]}"}, timeout=60))
    async with mcp.Client(server, mode=MODE, message_handler=on_message) as client:
        report["version"] = client.session.protocol_version
        if client.session.server_info is not None:
            report["server"] = client.session.server_info.name
        if MODE == "legacy":
            await client.session.send_ping()
        report["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        yield client.call_tool, "progress_callback", mcp.MCPError


@contextlib.asynccontextmanager
async def fast():
    from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
    from fastmcp.exceptions import McpError
    transport = (StreamableHttpTransport(SERVER[0], auth=SERVER[1]) if IS_HTTP
                 else stdio(StdioTransport, keep_alive=False))
    async with fastmcp.Client(transport, mode=MODE) as client:
        tools = await client.list_tools()
        report["tools"] = [tool.name for tool in tools]
        report["read_only"] = all(tool.annotations.read_only_hint for tool in tools)

        async def call(tool, arguments, raise_on_error=False, **more):
            return await client.call_tool(tool, arguments, raise_on_error=raise_on_error, **more)

        yield call, "progress_handler", McpError


def member(result, name, old_name):
    return getattr(result, name) if hasattr(result, name) else getattr(result, old_name)


async def main():
    client = fast() if fastmcp else second_generation() if hasattr(mcp, "Client") else (
        first_generation())
    async with client as (call, progress_argument, error_type):
        async def answer(tool, arguments):
            result = await call(tool, arguments)
            return {"error": member(result, "is_error", "isError"),
                    "structured": member(result, "structured_content", "structuredContent"),
                    "text": [block.text for block in result.content]}

        for name, tool, arguments in CALLS:
            report["answers"][name] = await answer(tool, arguments)
        if IS_HTTP:
            report["progress"] = []

            async def on_progress(done, total, _message):
                report["progress"].append([done, total])

            await call(RANGE, {"start_date": "2025-03-01", "end_date": "2026-02-28"},
                       **{progress_argument: on_progress})
        report["together"] = []

        async def one():
            report["together"].append(await answer(DAILY, {"date": "2026-02-08"}))

        async with anyio.create_task_group() as group:
            for _ in range(AT_ONCE):
                group.start_soon(one)
        try:
            await call("health.write", {}, **({"raise_on_error": True} if fastmcp else {}))
        except error_type as error:
            report["unknown_tool"] = error.error.code
    print(json.dumps(report))


anyio.run(main)
