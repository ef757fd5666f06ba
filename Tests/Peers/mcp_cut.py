"""Stands between an agent and s3healthd, and cuts each stream that answers a POST after its first event.

mcp_cut.py PORT: of the server on this machine. Prints {"port": number} when it listens. Ends when its
stdin is closed.
"""

import asyncio
import json
import sys
import threading

SERVER = int(sys.argv[1])


async def head_of(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    lines = [line for line in head.split("\r\n")[:-2] if not line.lower().startswith("connection:")]
    length = [int(line[15:]) for line in lines if line.lower().startswith("content-length:")]
    return lines, length[0] if length else 0


async def serve(reader, writer):
    try:
        request, length = await head_of(reader)
        body = await reader.readexactly(length)
        there, back = await asyncio.open_connection("127.0.0.1", SERVER)
        back.write("\r\n".join(request + ["Connection: close", "", ""]).encode() + body)
        answer, _ = await head_of(there)
        writer.write("\r\n".join(answer + ["Connection: close", "", ""]).encode())
        stream = any("text/event-stream" in line for line in answer)
        sent = b""
        while piece := await there.read(1 << 16):
            if stream and request[0].startswith("POST"):
                sent += piece
                if b"\n\n" in sent:
                    writer.write(sent[:sent.index(b"\n\n") + 2])
                    break
                continue
            writer.write(piece)
            await writer.drain()
        await writer.drain()
        back.close()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 22)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    end, loop = asyncio.Event(), asyncio.get_running_loop()

    def watch():
        sys.stdin.read()
        loop.call_soon_threadsafe(end.set)

    threading.Thread(target=watch, daemon=True).start()
    await end.wait()


asyncio.run(main())
