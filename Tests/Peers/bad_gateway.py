"""A server that answers pushes as its path asks, on http and with a certificate of its own on https.

    POST, PUT, DELETE /MODE/WORLD/metrics/job/...
    GET /log/WORLD      what arrived, as JSON: methods, paths, bodies, the Authorization header

The first line of stdout is JSON: http, https, and the certificate's file. It ends when stdin is closed.
"""

import base64
import shutil
import ssl
import tempfile
import threading
import time

import peer_server
from peer_server import Server

LOCK = threading.Lock()
WORLDS = {}

FIXED = {
    "ok": (200, {}, b""),
    "202": (202, {}, b""),
    "page": (200, {"Content-Type": "text/html"}, b"<html><title>Sign in</title></html>"),
    "301": (301, {"Location": "https://elsewhere.example/metrics"}, b"moved"),
    "302": (302, {"Location": "/ok/redirected/"}, b""),
    "400": (400, {}, b'pushed metrics are invalid: "x"\n\x1b[31m\xff' + b"y" * 5000),
    "unauthorized": (401, {"WWW-Authenticate": "Basic"}, b"Unauthorized"),
    "403": (403, {}, b"no"),
    "404": (404, {}, b"404 page not found"),
    "413": (413, {}, b""),
    "429": (429, {}, b""),
    "500": (500, {}, b"boom"),
    "502": (502, {}, b"<html>bad gateway</html>"),
    "huge": (500, {}, b"z" * 2_000_000),
}


class Handler(peer_server.Handler):
    def do_GET(self):
        with LOCK:
            self.reply(200, WORLDS.get(self.path.split("/")[-1], []))

    def push(self):
        _, mode, world, *rest = self.path.split("/")
        body = self.body()
        with LOCK:
            seen = WORLDS.setdefault(world, [])
            seen.append(
                {
                    "method": self.command, "path": "/".join(rest),
                    "body": body.decode("utf-8", "replace"),
                    "authorization": self.headers.get("Authorization", ""),
                }
            )
            count = len(seen)
        if mode == "slow":
            time.sleep(20)
        elif mode == "close":
            self.close_connection = True
            return
        elif mode == "401":
            good = "Basic " + base64.b64encode("ann:pä ss:w".encode()).decode()
            mode = "ok" if self.headers.get("Authorization") == good else "unauthorized"
        elif mode == "bearer":
            good = self.headers.get("Authorization") == "Bearer t0ken"
            mode = "ok" if good else "unauthorized"
        elif mode == "second":
            mode = "500" if count == 1 else "ok"
        status, headers, body = FIXED.get(mode, FIXED["ok"])
        self.reply(status, body, headers)

    do_POST = do_PUT = do_DELETE = push


folder = tempfile.mkdtemp(prefix="s3h-gateway-")
pair = peer_server.key_and_certificate("127.0.0.1", None, ["127.0.0.1"], 2)
path = peer_server.write_pem(folder, "server.pem", pair)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(path)
peer_server.tell(http=Server(Handler).server_port, https=Server(Handler, context).server_port, certificate=path)
shutil.rmtree(folder)
