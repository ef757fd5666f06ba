"""HTTP servers that misbehave on request, for the tests of the transport.

Prints one JSON object with its ports and the path of its certificate authority, then serves on
127.0.0.1 until its stdin is closed. The first component of a request's path names the scenario,
the second an id under which events are logged; GET /log/<id> gives them, a line each.
"""

import asyncio
import functools
import json
import os
import socket
import ssl
import struct
import sys
import tempfile
import warnings

import http_two
import peer_server

events = {}
connections = 0


def log(key, event):
    events.setdefault(key, []).append(event)


class Exchange:
    """One request on a connection, its head read and its body not yet."""

    def __init__(self, connection, number, head, reader, writer):
        self.connection, self.number, self.head = connection, number, head
        self.reader, self.writer = reader, writer
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = lines[0].split(" ", 2)
        self.fields = dict(
            (name.lower(), value.strip())
            for name, _, value in (line.partition(":") for line in lines[1:] if line)
        )
        path = self.target
        if path.startswith("http://"):
            path = "/" + path.split("/", 3)[3]
        parts = path.split("?")[0].split("/")
        self.scenario = parts[1]
        self.key = parts[2] if len(parts) > 2 else ""
        self.arguments = parts[3:]

    async def body(self):
        return await self.reader.readexactly(int(self.fields.get("content-length", 0)))

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, status="200 OK", body=b"ok", fields=()):
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}",
                 f"X-Connection: {self.connection}", *fields]
        if self.method == "HEAD":
            body = b""
        await self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    async def pour(self, head, piece, pause=0.0):
        """Sends `head`, then `piece` until the client has had enough."""
        sent = 0
        log(self.key, "pouring")
        try:
            await self.send(head)
            while True:
                await self.send(piece)
                sent += len(piece)
                # A client that goes on reading until it is told must not fill the machine's memory.
                await asyncio.sleep(pause if sent < 64 << 20 else max(pause, 0.05))
        finally:
            log(self.key, f"poured {sent}")


# What is sent whatever is asked, before the connection is closed; and what the connection goes on after.
CLOSED = {
    "garbage": b"\x00\xff\xfegarbage, not HTTP\r\n\r\n" * 10,
    "empty": b"",
    "truncated": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789",
    "cut-head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "chunked-broken": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense\r\n",
    "chunked-cut": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nff\r\nabc",
    "until-close": b"HTTP/1.0 200 OK\r\n\r\nall there is",
    "uncountable": b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999\r\n\r\nx",
}
SENT = {
    "chunked": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
               b"5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: late\r\n\r\n",
    "odd": b"HTTP/1.1 200\r\neTaG:\"a\"\r\nX-Dup: 1\r\nx-dup:   2  \r\nX-Empty:\r\n"
           b"X-Fold: a\r\n  b\r\nX-Colon: a:b\r\nX-Latin: caf\xe9\r\ncontent-LENGTH: 2\r\n\r\nok",
    "no-colon": b"HTTP/1.1 200 OK\r\nthis is not a field\r\nContent-Length: 0\r\n\r\n",
}
# What goes on until the client has had enough: the beginning, a piece, and the seconds between two.
POURED = {
    "endless-fields": (b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n" * 50, 0),
    "endless-line": (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x" * 4096, 0),
    "endless-interim": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 20, 0),
    "endless-body": (b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536, 0),
    "endless-chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                       b"4000\r\n" + b"x" * 0x4000 + b"\r\n", 0),
    "trickle": (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x", 0.02),
}


async def interim(e):
    await e.send(b"HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
    await e.body()
    await e.answer()


async def ok(e):
    body = await e.body()
    log(e.key, f"{e.method} {len(body)} on {e.connection}")
    await e.answer()


async def echo(e):
    body = await e.body()
    await e.answer(body=e.head + body)


async def close_reused(e):
    """Answers the first request of a connection and closes on the second."""
    body = await e.body()
    log(e.key, f"{e.method} {len(body)}")
    if e.number > 1:
        return True
    await e.answer()


async def refuse_unread(e):
    """Refuses a request for an early part of its path before the body is read, then closes after a
    moment without having said so, as MinIO does after a 412; what is sent until then is lost."""
    log(e.key, f"{e.method} on {e.connection}")
    if e.arguments and e.arguments[0] == "refused":
        await e.answer("412 Precondition Failed", b"no")
        await asyncio.sleep(float(e.arguments[1]))
        return True
    await e.body()
    await e.answer()


async def close_idle(e):
    """Answers, and ends the connection at once without having said so."""
    await e.body()
    log(e.key, f"{e.method} on {e.connection}")
    await e.answer()
    return True


async def gzip_body(e):
    await e.answer(body=b"\x1f\x8bnot really", fields=["Content-Encoding: gzip"])


async def huge(e):
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n"
    if e.method == "HEAD":
        await e.send(head)
    else:
        await e.pour(head, b"x" * 65536)


async def sized(e):
    """A body of as many bytes as the path says."""
    await e.answer(body=b"x" * int(e.arguments[0]))


async def never(e):
    await e.body()
    log(e.key, "waiting")
    await e.reader.read()
    return True


async def late(e):
    await e.body()
    await asyncio.sleep(1.5)
    await e.answer()


async def slow_reader(e):
    log(e.key, "waiting")
    count = 0
    try:
        while piece := await e.reader.read(65536):
            count += len(piece)
            await asyncio.sleep(0.05)
    finally:
        log(e.key, f"read {count}")
    return True


async def reset(e):
    raw = e.writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return True


async def reset_body(e):
    await e.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789")
    await asyncio.sleep(0.05)
    return await reset(e)


async def redirect(e):
    log(e.key, "redirected")
    await e.answer("307 Temporary Redirect", b"", [f"Location: {e.target}"])


async def early(e):
    """Refuses before the body is read, then closes as a polite server does."""
    await e.answer("412 Precondition Failed", b"no", ["Connection: close"])
    e.writer.write_eof()
    while await e.reader.read(65536):
        pass
    return True


async def early_hard(e):
    """Refuses before the body is read, then closes with the body unread, which resets."""
    await e.answer("412 Precondition Failed", b"no", ["Connection: close"])
    return True


async def status(e):
    """The status of the path, without a body but with the length of one."""
    await e.send(f"HTTP/1.1 {e.arguments[0]} X\r\nETag: x\r\n".encode()
                 + (b"Content-Length: 10\r\n" if e.arguments[0] == "304" else b"") + b"\r\n")


async def show_log(e):
    await e.answer(body="\n".join(events.get(e.key, [])).encode())


scenarios = {
    name.replace("_", "-"): function
    for name, function in list(globals().items()) if asyncio.iscoroutinefunction(function)
}
scenarios["log"] = show_log


async def serve(reader, writer):
    global connections
    connections += 1
    connection, number, key = connections, 0, ""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            number += 1
            exchange = Exchange(connection, number, head, reader, writer)
            key = exchange.key if exchange.scenario != "log" else ""
            if exchange.scenario in CLOSED:
                await exchange.send(CLOSED[exchange.scenario])
                break
            if exchange.scenario in SENT:
                await exchange.send(SENT[exchange.scenario])
            elif exchange.scenario in POURED:
                await exchange.pour(*POURED[exchange.scenario])
            elif await scenarios[exchange.scenario](exchange):
                break
    except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
        pass
    finally:
        writer.close()
        if key:
            log(key, "closed")


async def mute(key, reader, writer):
    """Accepts and says nothing, so that a TLS handshake hangs."""
    log(key, "waiting")
    await reader.read(65536)
    try:
        await reader.read()
    except ConnectionError:
        pass
    log(key, "closed")
    writer.close()


async def tunnel(reader, writer):
    """A proxy that tunnels to this machine whatever the host is, and logs the heads it reads."""
    head = await reader.readuntil(b"\r\n\r\n")
    log("tunnel", head.decode("latin-1").replace("\r\n", "|"))
    target = head.split()[1].decode()
    if not head.startswith(b"CONNECT ") or target.startswith("refused."):
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        return writer.close()
    far_reader, far_writer = await asyncio.open_connection(
        "127.0.0.1", int(target.rsplit(":", 1)[1]))
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")

    async def pump(source, sink):
        try:
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        sink.close()

    await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))


async def main():
    loop = asyncio.get_running_loop()
    folder = tempfile.mkdtemp(prefix="s3health-http-")
    authority, path = peer_server.authority(folder)
    ports = {"ca": path}

    async def listen(name, handler, context=None):
        server = await asyncio.start_server(
            handler, "127.0.0.1", 0, ssl=context, limit=1 << 20, backlog=1024)
        ports[name] = server.sockets[0].getsockname()[1]

    def context(hosts, days, *protocols):
        pair = peer_server.key_and_certificate("server", authority, hosts, days)
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(peer_server.write_pem(folder, f"{hosts[0]}.{days}.pem", pair))
        if protocols:
            made.set_alpn_protocols(list(protocols))
        return made

    here = ["127.0.0.1", "localhost", "tunnelled.invalid"]
    old = context(here, 29)
    warnings.simplefilter("ignore", DeprecationWarning)
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    await listen("http", serve)
    for name in ["mute", "muteToo", "muteThird"]:
        await listen(name, functools.partial(mute, name))
    await listen("tunnel", tunnel)
    await listen("tls", serve, context(here, 28))
    await listen("tlsWrongHost", serve, context(["other.example"], 28))
    await listen("tlsExpired", serve, context(here, -1))
    await listen("tlsOld", serve, old)
    await listen("tlsTwo", http_two.serve, context(here, 27, "h2"))
    print(json.dumps(ports), flush=True)

    ended = asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), lambda: os.read(0, 1) or ended.set())
    await ended.wait()
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    os.rmdir(folder)
    os._exit(0)


asyncio.run(main())
