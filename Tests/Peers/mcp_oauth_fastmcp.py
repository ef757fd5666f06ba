"""Drives /mcp of s3healthd with the package fastmcp and its own OAuth, with a browser and a callback
on this machine. Prints what it got as JSON.

mcp_oauth_fastmcp.py URL TOKEN: TOKEN is the person's, for the dashboard.
"""

import asyncio
import json
import logging
import sys
import threading
import warnings
import webbrowser

from fastmcp import Client
from fastmcp.client.auth import OAuth

import mcp_person

URL, TOKEN = sys.argv[1:]
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
person = mcp_person.Person(TOKEN)
webbrowser.open = lambda url: threading.Thread(target=person.visit, args=[url]).start()


async def main():
    oauth = OAuth(client_name="Trial agent")
    report = {"steps": []}
    async with Client(URL, auth=oauth) as client:
        for _ in range(2):
            result = await client.call_tool(
                "health.read_daily_metrics", {"date": "2026-02-08"})
            report["steps"].append(result.structured_content["metrics"]["steps"])
            oauth.context.token_expiry_time = 1.0
    report["questions"] = len(person.pages)
    print(json.dumps(report))


asyncio.run(main())
