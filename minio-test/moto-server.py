"""Serves moto's S3 on 127.0.0.1:PORT, one request at a time.

moto checks a precondition and writes without a lock, so two racing creates can both win. One
lock around its application makes each request atomic. The request's body is read before the
lock is taken and the answer is sent after it is given back, so a slow client holds up nobody.
"""

import io
import os
import sys
import threading
from argparse import ArgumentParser

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server


class OneAtATime:
    """A WSGI application that lets one request at a time into another."""

    def __init__(self, application):
        self.application = application
        self.lock = threading.Lock()

    def __call__(self, environ, start_response):
        if environ.get("HTTP_TRANSFER_ENCODING", "").lower() != "chunked":
            length = int(environ.get("CONTENT_LENGTH") or 0)
            environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(length))
        with self.lock:
            answer = self.application(environ, start_response)
            try:
                return [b"".join(answer)]
            finally:
                if hasattr(answer, "close"):
                    answer.close()


class Quiet(WSGIRequestHandler):
    """Speaks HTTP/1.1 and logs errors only."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code="-", size="-"):
        pass


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--folder", help="the run's folder: it marks the process as this run's")
    port = parser.parse_args().port
    os.environ["MOTO_PORT"] = str(port)
    application = OneAtATime(DomainDispatcherApplication(create_backend_app))
    make_server(
        "127.0.0.1", port, application, threaded=True, request_handler=Quiet
    ).serve_forever()


if __name__ == "__main__":
    sys.exit(main())
