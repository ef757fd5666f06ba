"""A network between apps and the test servers: `slow_link.py SERVERS OUT`.

Apps reach S3 over a network, where an answer takes a while; on this machine's loopback one writer is
answered before the next has sent. Each server of the file SERVERS gets a port that holds back every
byte for 10 ms each way, and OUT is that file with these ports, and without authorities: Foundation on
Linux knows the system's alone. Prints `ready`, and serves until its standard input ends."""

import asyncio
import json
import sys
from urllib.parse import urlsplit

DELAY = 0.010


async def carry(reader, writer):
    """Bytes in order, each DELAY later than it came."""
    clock, due = asyncio.get_running_loop().time, asyncio.Queue()

    async def take():
        try:
            while data := await reader.read(1 << 16):
                due.put_nowait((clock() + DELAY, data))
        except OSError:
            pass  # a connection that was reset has ended
        due.put_nowait((clock() + DELAY, b""))

    taking = asyncio.create_task(take())
    try:
        while True:
            moment, data = await due.get()
            await asyncio.sleep(max(0, moment - clock()))
            if not data:
                break
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()
    finally:
        taking.cancel()


async def relay(host, port):
    # The loop itself holds its tasks weakly, and would forget a connection that waits.
    running = set()

    def accepted(reader, writer):
        task = asyncio.create_task(connected(reader, writer))
        running.add(task)
        task.add_done_callback(running.discard)

    async def connected(reader, writer):
        try:
            reader_beyond, writer_beyond = await asyncio.open_connection(host, port)
        except OSError:
            return writer.close()
        await asyncio.gather(
            carry(reader, writer_beyond), carry(reader_beyond, writer), return_exceptions=True)
        writer.close()
        writer_beyond.close()

    server = await asyncio.start_server(accepted, "127.0.0.1", 0)
    return server, server.sockets[0].getsockname()[1]


async def main(listed, out):
    servers, relays = json.load(open(listed)), []
    for server in servers:
        url = urlsplit(server["endpoint"])
        started, port = await relay("127.0.0.1", url.port)
        relays.append(started)
        server["endpoint"] = f"{url.scheme}://{url.hostname}:{port}"
        server.pop("caBundle", None)
    with open(out, "w") as file:
        json.dump(servers, file, indent=2)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)


asyncio.run(main(*sys.argv[1:]))
