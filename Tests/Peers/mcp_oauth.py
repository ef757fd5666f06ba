"""Drives /mcp of s3healthd with a client's own OAuth: it finds the server's documents, registers, opens the page,
exchanges the code and refreshes. Prints what it got as JSON.

mcp_oauth.py URL TOKEN: TOKEN is the person's, for the dashboard. The client is that of the package of the interpreter:
mcp of either generation, or fastmcp, with a browser and a callback on this machine.
"""

import contextlib
import json
import logging
import sys
import threading
import warnings
import webbrowser

import anyio

try:
    import fastmcp
    from fastmcp.client.auth import OAuth
except ImportError:
    fastmcp = None
    import mcp
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import OAuthClientMetadata

import mcp_person

URL, TOKEN = sys.argv[1:]
IS_SECOND = not fastmcp and hasattr(mcp, "Client")
logging.disable(logging.CRITICAL)


class Storage:
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Agent:
    """One program that a person lets in."""

    def __init__(self, storage, person):
        self.storage, self.person, self.questions = storage, person, 0
        self.provider = OAuthClientProvider(
            server_url=URL, storage=storage, redirect_handler=self.ask,
            callback_handler=self.answered,
            client_metadata=OAuthClientMetadata(
                client_name="Trial agent", redirect_uris=["http://127.0.0.1:51234/callback"],
                grant_types=["authorization_code", "refresh_token"], response_types=["code"]))

    async def ask(self, url):
        self.questions += 1
        self.fields = await anyio.to_thread.run_sync(self.person.fields, url)

    async def answered(self):
        if not IS_SECOND:
            return self.fields["code"], self.fields["state"]
        from mcp.shared.auth import AuthorizationCodeResult
        return AuthorizationCodeResult(
            code=self.fields["code"], state=self.fields["state"], iss=self.fields["iss"])

    @contextlib.asynccontextmanager
    async def session(self):
        if IS_SECOND:
            import httpx2
            from mcp.client.streamable_http import streamable_http_client
            async with httpx2.AsyncClient(auth=self.provider, timeout=30) as http:
                async with mcp.Client(streamable_http_client(URL, http_client=http)) as client:
                    yield client
        else:
            from mcp.client.streamable_http import streamablehttp_client
            async with streamablehttp_client(URL, auth=self.provider) as streams:
                async with mcp.ClientSession(*streams[:2]) as client:
                    await client.initialize()
                    yield client

    async def is_late(self):
        """Its token to read with is no longer valid."""
        await self.provider._initialize()
        self.provider._initialized = True
        self.provider.context.token_expiry_time = 1.0

    async def steps(self, client):
        result = await client.call_tool("health.read_daily_metrics", {"date": "2026-02-08"})
        content = getattr(result, "structured_content", None) or result.structuredContent
        return content["metrics"]["steps"]


async def fast():
    warnings.simplefilter("ignore")
    person, oauth, report = mcp_person.Person(TOKEN), OAuth(client_name="Trial agent"), {"steps": []}
    webbrowser.open = lambda url: threading.Thread(target=person.visit, args=[url]).start()
    async with fastmcp.Client(URL, auth=oauth) as client:
        for _ in range(2):
            result = await client.call_tool("health.read_daily_metrics", {"date": "2026-02-08"})
            report["steps"].append(result.structured_content["metrics"]["steps"])
            oauth.context.token_expiry_time = 1.0
    print(json.dumps(report | {"questions": len(person.pages)}))


async def main():
    storage, person = Storage(), mcp_person.Person(TOKEN)
    agent = Agent(storage, person)
    report = {"steps": []}
    async with agent.session() as client:
        report["steps"].append(await agent.steps(client))
        first = storage.tokens
        # Its hour is over.
        agent.provider.context.token_expiry_time = 1.0
        report["steps"].append(await agent.steps(client))
        second = storage.tokens
    # Another start of the program, long after, with what it has kept.
    later = Agent(storage, person)
    await later.is_late()
    async with later.session() as client:
        report["steps"].append(await later.steps(client))
    report["questions"] = [agent.questions, later.questions]
    # Somebody shows the token that was used already: everything ends, and the person is asked again.
    storage.tokens = first
    thief = Agent(storage, person)
    await thief.is_late()
    async with thief.session() as client:
        report["steps"].append(await thief.steps(client))
    report["questions"].append(thief.questions)
    report.update(
        rotated=first.access_token != second.access_token
        and first.refresh_token != second.refresh_token,
        expires_in=first.expires_in, scope=first.scope, iss=agent.fields["iss"],
        secret=storage.client.client_secret, page=person.pages[0],
        secrets=[token for tokens in (first, second, storage.tokens)
                 for token in (tokens.access_token, tokens.refresh_token)] + [agent.fields["code"]],
        tokens={"access": storage.tokens.access_token, "refresh": storage.tokens.refresh_token},
        client=storage.client.client_id)
    print(json.dumps(report))


anyio.run(fast if fastmcp else main)
