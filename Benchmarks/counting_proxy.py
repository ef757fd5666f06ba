"""A proxy before an S3 endpoint that counts what passes: requests by kind, and bytes either way.

It changes nothing, so that signatures hold. Bytes are those on the wire, with HTTP's headers: some
hundred a request.
"""

import asyncio
import threading
import urllib.parse
from collections import Counter


class CountingProxy:
    def __init__(self, endpoint):
        place = urllib.parse.urlsplit(endpoint)
        self.upstream = place.hostname, place.port
        self.counts, self.lock = Counter(), threading.Lock()
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(ready)), daemon=True).start()
        ready.wait()

    def take(self):
        """What was counted since the last time."""
        with self.lock:
            found, self.counts = self.counts, Counter()
        return found

    def count(self, kind, number=1):
        with self.lock:
            self.counts[kind] += number

    async def serve(self, ready):
        server = await asyncio.start_server(self.connection, "127.0.0.1", 0, backlog=1024)
        self.endpoint = "http://127.0.0.1:%d" % server.sockets[0].getsockname()[1]
        ready.set()
        await server.serve_forever()

    async def connection(self, reader, writer):
        try:
            from_store, to_store = await asyncio.open_connection(*self.upstream)
            await asyncio.gather(
                self.requests(reader, to_store), self.answers(from_store, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def requests(self, reader, to_store):
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (ConnectionError, asyncio.IncompleteReadError):
                to_store.close()
                return
            line, *fields = head.decode("latin-1").lower().split("\r\n")
            fields = dict(field.split(": ", 1) for field in fields if ": " in field)
            left = int(fields.get("content-length", 0))
            assert "transfer-encoding" not in fields, head
            self.count(kind(line))
            self.count("sent", len(head) + left)
            to_store.write(head)
            while left:
                part = await reader.read(min(left, 1 << 16))
                if not part:
                    to_store.close()
                    return
                left -= len(part)
                to_store.write(part)
                await to_store.drain()

    async def answers(self, from_store, writer):
        while part := await from_store.read(1 << 16):
            self.count("received", len(part))
            writer.write(part)
            await writer.drain()
        writer.close()


def kind(line):
    """PUT, GET, LIST, HEAD, DELETE or POST of the first line of a request."""
    method, target, _ = line.split(" ")
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(target).query, keep_blank_values=True)
    return "LIST" if method == "get" and "list-type" in query else method.upper()
