"""A server that takes batches as SPEC R46 describes, and misbehaves as the path asks.

    POST /MODE/WORLD/api/ingest     a batch, with the header X-Device-Token
    GET  /MODE/WORLD/api/ingest     204 with the token, 401 without
    GET  /log/WORLD                 what arrived, as JSON: ids, counts, how often

Written from the protocol alone: it checks ids with hashlib and bodies with json. The first line of
stdout is {"port": N}; the server ends when stdin is closed.
"""

import hashlib
import json
import socket
import threading
import time
from email.utils import formatdate

import peer_server
from peer_server import Server

TOKEN = "token-of-the-tests"
LOCK = threading.Lock()
WORLDS = {}

# mode: status, headers, body. None closes the connection in some way.
FIXED = {
    "html": (200, {"Content-Type": "text/html"}, b"<html><body>Log in to the network</body></html>"),
    "garbage": (200, {}, b"\x00\xff not JSON \x1b[31m"),
    "empty": (200, {}, b""),
    "ok_line": (200, {"Content-Type": "text/plain"}, b"ok\n"),
    "no_content": (204, {}, b""),
    "other_json": (202, {}, b'{"status":"accepted","took":3}'),
    "rejected": (200, {}, b'{"status":"rejected"}'),
    "other_batch": (200, {}, b'{"batch_id":"000","status":"stored"}'),
    "failed_line": (200, {}, b"insert failed"),
    "400_html": (400, {"Content-Type": "text/html"}, b"<html>400 Bad Request</html>"),
    "422_empty": (422, {}, b""),
    "wrong_count": (200, {}, b'{"received":1000000}'),
    "error_in_200": (200, {}, b'{"error":"disk \\"full\\""}'),
    "success_false": (200, {}, b'{"success":false}'),
    "401": (401, {"WWW-Authenticate": 'Bearer realm="x", Basic realm="x"'}, b"{}"),
    "basic": (401, {"WWW-Authenticate": 'Basic realm="x"'}, b"{}"),
    "403": (403, {}, b"{}"),
    "400": (400, {}, b'{"error":{"pointer":"/data/3/latitude"}}'),
    "422": (422, {}, b'{"error":"the value is not a number"}'),
    "413": (413, {}, b"{}"),
    "500": (500, {}, b"Internal Server Error"),
    "503": (503, {"Retry-After": "120"}, b""),
    "429": (429, {"Retry-After": "7"}, b""),
    "507": (507, {}, b""),
    "404": (404, {}, b"no such page"),
    "302": (302, {"Location": "https://elsewhere.example/login"}, b""),
    "307": (307, {"Location": "/ok/redirected/api/ingest"}, b""),
    "huge": (200, {}, b'{"received":"' + b"x" * 1_000_000 + b'"}'),
    "deep": (200, {}, b"[" * 100_000),
}


def world(name):
    with LOCK:
        return WORLDS.setdefault(name, {"batches": {}, "posts": 0, "gets": 0, "tokens": []})


class Handler(peer_server.Handler):
    def fixed(self, mode):
        status, headers, body = FIXED[mode]
        self.reply(status, body, headers)

    def route(self):
        parts = self.path.strip("/").split("/")
        if parts[0] == "log":
            return None, world(parts[1])
        if parts[2:] != ["api", "ingest"]:
            self.reply(404, {})
            return None, None
        return parts[0], world(parts[1])

    def drop(self):
        self.close_connection = True
        self.connection.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        self.connection.close()

    def misbehaves(self, mode):
        if mode in FIXED:
            self.fixed(mode)
        elif mode == "silent":
            time.sleep(30)
            self.drop()
        elif mode == "close":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        elif mode == "reset":
            self.drop()
        elif mode == "half":
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"received":')
            self.wfile.flush()
            self.close_connection = True
        elif mode == "slow":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(60):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.5)
            self.close_connection = True
        elif mode == "not_http":
            self.wfile.write(b"220 mail.example ESMTP\r\n")
            self.close_connection = True
        else:
            return False
        return True

    def do_GET(self):
        mode, seen = self.route()
        if seen is None:
            return
        if mode is None:
            with LOCK:
                return self.reply(200, seen)
        token = self.headers.get("X-Device-Token")
        with LOCK:
            seen["gets"] += 1
            if token is not None:
                seen["tokens"].append(token)
        if mode == "open":
            self.reply(204)
        elif mode == "late_html" and token is not None:
            self.fixed("html")
        elif mode not in ("ok", "plain", "late_html") and self.misbehaves(mode):
            pass
        elif token == TOKEN:
            self.reply(204)
        else:
            self.fixed("basic")

    def do_POST(self):
        mode, seen = self.route()
        if seen is None:
            return
        body = self.body()
        with LOCK:
            seen["posts"] += 1
        if mode not in ("ok", "plain", "lost") and self.misbehaves(mode):
            return
        if self.headers.get("X-Device-Token") != TOKEN:
            self.fixed("basic")
            return
        batch = json.loads(body)
        digest = hashlib.sha256(body).hexdigest()
        members = {"stream_name", "device_id", "data", "batch_metadata"}
        if (
            set(batch) != members
            or batch["batch_metadata"]["total_records"] != len(batch["data"])
            or self.headers.get("Idempotency-Key") != digest
            or self.headers.get("Content-Type") != "application/json"
        ):
            self.reply(400, {"error": "not a batch"})
            return
        with LOCK:
            kept = seen["batches"].setdefault(
                digest, {"stream": batch["stream_name"], "records": len(batch["data"]), "sent": 0})
            kept["sent"] += 1
            first = kept["sent"] == 1
        if mode == "lost" and first:
            # Stored, but the answer is lost.
            self.drop()
            return
        self.reply(200, {"received": len(batch["data"])} if mode != "plain" else {})

    def date_time_string(self, timestamp=None):
        # A clock that is an hour ahead, so that tests can tell it from their own.
        return formatdate((timestamp or time.time()) + 3600, usegmt=True)


peer_server.tell(port=Server(Handler).server_port)
