"""What the servers of the tests share: certificates, ports, and how they are told of and end."""

import datetime
import ipaddress
import json
import os
import random
import socket
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def key_and_certificate(name, issuer, hosts, days):
    """A certificate that ends `days` from now, signed by `issuer` or by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder().subject_name(subject).public_key(key.public_key())
        .issuer_name(issuer[1].subject if issuer else subject)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=30))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), True))
    if hosts:
        names = [x509.IPAddress(ipaddress.ip_address(h)) if h[0].isdigit() else x509.DNSName(h)
                 for h in hosts]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), False)
    return key, builder.sign(issuer[0] if issuer else key, hashes.SHA256())


def write_pem(folder, name, pair):
    """A file of a key and its certificate."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(pair[0].private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        file.write(pair[1].public_bytes(serialization.Encoding.PEM))
    return path


def authority(folder):
    """An authority of the tests, and the path of its certificate."""
    pair, path = key_and_certificate("s3health test authority", None, [], 30), os.path.join(folder, "ca.pem")
    with open(path, "wb") as file:
        file.write(pair[1].public_bytes(serialization.Encoding.PEM))
    return pair, path


def free_port():
    """Below the ports that clients are given, one of which could take it while a server is down."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer is written in pieces, and the next must not wait until the last has arrived.
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def reply(self, status, body=b"", headers=()):
        """An answer; what is no bytes is JSON."""
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)


class Server(ThreadingHTTPServer):
    """Serves on a free port until the process ends; https where it has a context."""
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler, context=None):
        super().__init__(("127.0.0.1", 0), handler)
        self.context = context
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address):
        if not self.context:
            return super().finish_request(request, client_address)
        with self.context.wrap_socket(request, server_side=True) as wrapped:
            super().finish_request(wrapped, client_address)
            wrapped.unwrap()

    def handle_error(self, request, client_address):
        # Clients of the tests leave as they like.
        if not isinstance(sys.exc_info()[1], OSError):
            traceback.print_exc()


def tell(**said):
    """Says in the first line of stdout where servers are, and waits until stdin is closed."""
    print(json.dumps(said), flush=True)
    sys.stdin.read()
