"""A server that answers pushes as its path asks, on http and with a certificate of its own on https.

    POST, PUT, DELETE /MODE/WORLD/metrics/job/...
    GET /log/WORLD      what arrived, as JSON: methods, paths, bodies, the Authorization header

The first line of stdout is JSON: http, https, and the certificate's file. It ends when stdin is closed.
"""

import base64
import datetime
import ipaddress
import json
import pathlib
import ssl
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

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


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with LOCK:
            body = json.dumps(WORLDS.get(self.path.split("/")[-1], [])).encode()
        self.answer(200, {}, body)

    def push(self):
        _, mode, world, *rest = self.path.split("/")
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
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
        try:
            self.answer(*FIXED.get(mode, FIXED["ok"]))
        except OSError:
            pass

    do_POST = do_PUT = do_DELETE = push


def certificate(folder):
    now = datetime.datetime.now(datetime.timezone.utc)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    signed = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(True, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def main():
    with tempfile.TemporaryDirectory(prefix="s3h-gateway-") as name:
        folder = pathlib.Path(name)
        certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        plain = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        secure = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        secure.socket = context.wrap_socket(secure.socket, server_side=True)
        for server in (plain, secure):
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
        print(
            json.dumps(
                {
                    "http": plain.server_port, "https": secure.server_port,
                    "certificate": str(folder / "cert.pem"),
                }
            )
        )
        sys.stdout.flush()
        sys.stdin.read()


main()
