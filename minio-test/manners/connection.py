"""HTTP/1.1 on one connection, with what matters of Go's and MinIO's manners: it is kept after every
answer but one. After a refused precondition it is closed a moment later, and nothing says so."""

import hashlib
import re
import socket
import ssl
import time
from email.utils import formatdate
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote

from answers import Answer, Refusal, error, request_id

MOST_HEAD = 64 << 10
# What Go reads of a body that the handler left unread, so that the answer gets through.
MOST_UNREAD = 256 << 10
# Long enough for a client to send its next request on the connection.
PAUSE = 0.002
IDLE = 60
REQUEST_LINE = re.compile(rb"[A-Z]+ [^\r\n]+ HTTP/1\.[01]\r?")


class Closed(Exception):
    pass


class Request:
    """A request whose head has been read."""

    def __init__(self, head, connection):
        lines = head.decode("latin-1").split("\r\n")
        self.method, target, self.version = lines[0].split(" ")
        self.headers = {}
        for line in lines[1:]:
            name, found, value = line.partition(":")
            if not found:
                raise Closed
            self.headers.setdefault(name.lower(), []).append(value.strip())
        path, _, query = target.partition("?")
        self.path = unquote(path)
        self.query = [
            (name, value) for name, value in parse_qsl(query, keep_blank_values=True)]
        self.parameters = dict(self.query)
        bucket, _, self.key = self.path[1:].partition("/")
        self.bucket = bucket
        self.unread = int(self.header("content-length") or 0)
        self.payload_hash = None
        self.body = None
        self.connection = connection

    def header(self, name):
        values = self.headers.get(name)
        return values[0] if values else None

    def read(self):
        """The body, whose hash is what was signed."""
        if self.body is None:
            if self.header("expect"):
                self.connection.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.body, self.unread = self.connection.take(self.unread), 0
        if self.payload_hash and hashlib.sha256(self.body).hexdigest() != self.payload_hash:
            raise Refusal("XAmzContentSHA256Mismatch")
        return self.body


def wishes_close(request):
    return request.version == "HTTP/1.0" or (request.header("connection") or "").lower() == "close"


class Connection:
    def __init__(self, raw, service):
        self.socket, self.service, self.buffer = raw, service, b""
        raw.settimeout(IDLE)

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        piece = self.socket.recv(256 << 10)
        if not piece:
            raise Closed
        self.buffer += piece

    def take(self, count):
        if len(self.buffer) < count:
            pieces, length = [self.buffer], len(self.buffer)
            while length < count:
                piece = self.socket.recv(min(count - length, 1 << 20))
                if not piece:
                    raise Closed
                pieces.append(piece)
                length += len(piece)
            self.buffer = b"".join(pieces)
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def head(self):
        while (end := self.buffer.find(b"\r\n\r\n")) < 0:
            self.refuse_other_protocols()
            if len(self.buffer) > MOST_HEAD:
                raise Closed
            self.more()
        head, self.buffer = self.buffer[:end], self.buffer[end + 4:]
        return head

    def refuse_other_protocols(self):
        """A first line that is not HTTP's, such as a greeting in TLS, is answered at once."""
        line, found, _ = self.buffer.partition(b"\n")
        if found and not REQUEST_LINE.fullmatch(line):
            self.send(b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
                      b"Connection: close\r\n\r\n400 Bad Request")
            raise Closed

    def serve(self):
        try:
            while True:
                if not self.exchange(Request(self.head(), self)):
                    break
        except (Closed, OSError, ValueError):
            pass
        finally:
            self.close()

    def exchange(self, request):
        """One answer; false where the connection ends with it."""
        identity, closes, announced = request_id(), False, wishes_close(request)
        try:
            answer = self.service.answer(request)
        except Refusal as refusal:
            closes = refusal.closes
            body = error(refusal, request.path, request.bucket, request.key, identity)
            answer = Answer(refusal.status, body, refusal.fields)
            answer.fields.append(("Content-Type", "application/xml"))
        if request.unread and request.header("expect"):
            # The body was never asked for, and the client must not send it now.
            announced = True
        elif request.unread > MOST_UNREAD:
            # After a 412 it is said, after other refusals it is not.
            announced, closes = announced or closes, True
        elif request.unread:
            self.take(request.unread)
        self.send(self.encoded(request, answer, identity, announced))
        if closes:
            time.sleep(PAUSE)
        return not (closes or announced)

    @staticmethod
    def encoded(request, answer, identity, announced):
        length = len(answer.body) if answer.length is None else answer.length
        lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}",
                 "Accept-Ranges: bytes"]
        if answer.status not in (204, 304):
            lines.append(f"Content-Length: {length}")
        lines += [f"{name}: {value}" for name, value in answer.fields]
        lines += ["Server: MinIO", "Vary: Origin", "Vary: Accept-Encoding",
                  f"X-Amz-Request-Id: {identity}", f"Date: {formatdate(usegmt=True)}"]
        if announced:
            lines.append("Connection: close")
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        return head if request.method == "HEAD" else head + answer.body

    def close(self):
        """Over TLS with the farewell of the protocol, as Go closes."""
        try:
            if isinstance(self.socket, ssl.SSLSocket):
                self.socket.settimeout(0)
                try:
                    self.socket.unwrap()
                except (OSError, ValueError):
                    pass
            self.socket.settimeout(0.5)
            self.socket.shutdown(socket.SHUT_WR)
            # Else what is unread would reset the connection, and the answer with it.
            for _ in range(64):
                if not self.socket.recv(64 << 10):
                    break
        except (OSError, ValueError):
            pass
        finally:
            self.socket.close()
