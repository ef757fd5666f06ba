"""An S3 server in memory that behaves as MinIO of 2025-10 was seen to, where that differs from
others: signatures, conditional writes and their refusals, keys, listings, and what becomes of the
connection. For the tests of this project, where no MinIO can be had.

    python manners --port PORT [--certificate FILE --key FILE] [--gap SECONDS] --folder FOLDER

With --gap, writes are not atomic: each checks its condition, waits so long and stores. No probe may
believe such a store.

The keys come in ACCESS_KEY and SECRET_KEY, never as arguments, which anyone may list.
"""

import os
import socket
import ssl
import sys
import threading
from argparse import ArgumentParser

from connection import Connection
from service import Service


def serve(raw, context, service):
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        if context:
            raw.settimeout(10)
            # No ragged end passes for an answer's: a close is said in TLS's own words.
            raw = context.wrap_socket(raw, server_side=True, suppress_ragged_eofs=True)
    except OSError:
        raw.close()
        return
    Connection(raw, service).serve()


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--gap", type=float)
    parser.add_argument("--folder", help="the run's folder: it marks the process as this run's")
    options = parser.parse_args()
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
    service = Service(
        os.environ["ACCESS_KEY"], os.environ["SECRET_KEY"],
        os.environ.get("SERVER_REGION") or "us-east-1", options.gap)
    with socket.create_server(("127.0.0.1", options.port), backlog=1024) as listener:
        while True:
            raw, _ = listener.accept()
            threading.Thread(target=serve, args=(raw, context, service), daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
