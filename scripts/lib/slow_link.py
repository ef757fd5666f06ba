"""A way to a server on this machine, on a port of its own: it can be slow, and it can be cut.

As a program, `slow_link.py SERVERS OUT` is a network between apps and the test servers, where an answer takes a
while; on this machine's loopback one writer is answered before the next has sent. Each server of the file
SERVERS gets a port that holds back every byte for 10 ms each way, and OUT is that file with these ports, and
without authorities: Foundation on Linux knows the system's alone. Prints `ready`, and serves until its
standard input ends.
"""

import asyncio
import json
import sys
import threading
from urllib.parse import urlsplit


class Relay:
    def __init__(self, endpoint, delay=0.0):
        self.url, self.delay, self.is_cut = urlsplit(endpoint), delay, False
        # The loop itself holds its tasks weakly, and would forget a connection that waits.
        self.running, self.ends, ready = set(), set(), threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(ready)), daemon=True).start()
        ready.wait()

    async def serve(self, ready):
        self.loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self.accepted, "127.0.0.1", 0, backlog=200)
        port = server.sockets[0].getsockname()[1]
        self.endpoint = f"{self.url.scheme}://{self.url.hostname}:{port}"
        ready.set()
        await server.serve_forever()

    def accepted(self, *client):
        task = asyncio.create_task(self.connected(*client))
        self.running.add(task)
        task.add_done_callback(self.running.discard)

    async def connected(self, reader, writer):
        try:
            if self.is_cut:
                raise OSError
            reader_beyond, writer_beyond = await asyncio.open_connection("127.0.0.1", self.url.port)
        except OSError:
            return writer.close()
        ends = {writer, writer_beyond}
        self.ends |= ends
        await asyncio.gather(
            self.carry(reader, writer_beyond), self.carry(reader_beyond, writer), return_exceptions=True)
        self.ends -= ends
        for end in ends:
            end.close()

    async def carry(self, reader, writer):
        """Bytes in order, each later than it came by the delay."""
        due = asyncio.Queue()

        async def take():
            try:
                while data := await reader.read(1 << 16):
                    due.put_nowait((self.loop.time() + self.delay, data))
            except OSError:
                pass  # a connection that was reset has ended
            due.put_nowait((self.loop.time() + self.delay, b""))

        taking = asyncio.create_task(take())
        try:
            while True:
                moment, data = await due.get()
                await asyncio.sleep(max(0, moment - self.loop.time()))
                if not data:
                    break
                writer.write(data)
                await writer.drain()
            writer.write_eof()
        except OSError:
            writer.close()
        finally:
            taking.cancel()

    def kill(self):
        """Ends all connections, and takes no other."""
        self.is_cut = True
        self.loop.call_soon_threadsafe(lambda: [end.transport.abort() for end in self.ends])

    def start(self):
        self.is_cut = False


def main(listed, out):
    servers = json.load(open(listed))
    for server in servers:
        server["endpoint"] = Relay(server["endpoint"], delay=0.010).endpoint
        server.pop("caBundle", None)
    with open(out, "w") as file:
        json.dump(servers, file, indent=2)
    print("ready", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
