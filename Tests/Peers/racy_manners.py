"""minio-test/manners with a gap between the check of a write and its storing, over http and https.

Prints one line of JSON with its ports, its certificate authority and its keys, and ends when its stdin
is closed. A bucket exists for each gap: gap-50 waits 50 microseconds. The bucket atomic has none.
"""

import json
import os
import shutil
import socket
import ssl
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "minio-test" / "manners"))

from cryptography.hazmat.primitives import serialization  # noqa: E402

from connection import Connection  # noqa: E402
from http_hostile import key_and_certificate, write_pem  # noqa: E402
from objects import Bucket  # noqa: E402
from service import Service  # noqa: E402

KEYS = ("AKIARACY", "not-a-secret")
GAPS = (50, 200, 1000, 3000, 10000)


def accept(listener, context, service):
    def serve(raw):
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if context:
                raw = context.wrap_socket(raw, server_side=True)
        except OSError:
            return raw.close()
        Connection(raw, service).serve()

    while True:
        raw, _ = listener.accept()
        threading.Thread(target=serve, args=(raw,), daemon=True).start()


def main():
    folder = tempfile.mkdtemp(prefix="s3health-racy-")
    authority = key_and_certificate("s3health test authority", None, [], 30)
    said = {"ca": os.path.join(folder, "ca.pem"), "accessKey": KEYS[0], "secretKey": KEYS[1]}
    Path(said["ca"]).write_bytes(authority[1].public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(write_pem(
        folder, "server.pem", key_and_certificate("server", authority, ["localhost"], 28)))
    service = Service(*KEYS, "us-east-1")
    service.buckets["atomic"] = Bucket("atomic")
    for gap in GAPS:
        service.buckets[f"gap-{gap}"] = Bucket(f"gap-{gap}", gap / 1e6)
    for name, made in (("http", None), ("https", context)):
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        said[name] = listener.getsockname()[1]
        threading.Thread(target=accept, args=(listener, made, service), daemon=True).start()
    print(json.dumps(said), flush=True)
    sys.stdin.read()
    shutil.rmtree(folder)
    os._exit(0)


main()
