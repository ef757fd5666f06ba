"""An S3 server in memory that misbehaves as asked: http://127.0.0.1:PORT/MODE/ID/BUCKET/KEY.

Each ID has objects, counters and a log of its own; GET /log/ID gives the log as JSON, and after
GET /settle/ID copies that lag show everything. Prints the ports and the authority of the one for
https as one line of JSON, and ends when its stdin does. With an argument HOST:PORT it also listens
as a proxy to there that strips the conditional headers from what passes.
"""

import hashlib
import http.client
import json
import os
import re
import shutil
import ssl
import sys
import tempfile
import threading
import time
from collections import defaultdict
from datetime import datetime, timezone
from email.utils import formatdate
from http.server import HTTPServer
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

import peer_server
from peer_server import Server
from s3_manners import APPLIED, CHECKSUM, CUT, FIXED, LISTED, QUIRKS, REFUSED, SLOW, once, puts

# Seconds before each answer, as over a network (scripts/lib/slow_link.py).
LINK_DELAY = float(os.environ.get("S3HEALTH_LINK_DELAY", 0))


class World:
    def __init__(self):
        self.objects = {}
        self.former = {}
        self.checksums = {}
        self.flying = defaultdict(list)
        self.crowded = set()
        self.settled = False
        self.versions = {}
        self.copies = {}
        self.newest = ""
        self.log = []
        self.counts = defaultdict(int)
        self.lock = threading.RLock()

    def count(self, what):
        with self.lock:
            self.counts[what] += 1
            return self.counts[what]


worlds = defaultdict(World)
worlds_lock = threading.Lock()


def world(name):
    with worlds_lock:
        return worlds[name]


def etag_of(body):
    return '"' + hashlib.md5(body).hexdigest() + '"'


class Handler(peer_server.Handler):
    # -- answers ---------------------------------------------------------------------------------

    def date(self):
        return formatdate(time.time() + self.shift, usegmt=True)

    def answer(self, status, body=b"", headers=(), date=True, kind="application/xml", id=True):
        self.status = status
        self.taken = ((status, body), {"headers": headers, "date": date, "kind": kind})
        self.send_response_only(status)
        if date:
            self.send_header("Date", self.date() if date is True else date)
        if id:
            self.send_header("x-amz-request-id", "REQ" + str(self.number))
        for name, value in headers:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status not in (204, 304):
            self.wfile.write(body)

    def error(self, status, code, message="", extra="", headers=(), date=True):
        body = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>%s</Code><Message>%s</Message>%s'
            "<RequestId>REQ%d</RequestId></Error>" % (code, escape(message), extra, self.number)
        ).encode()
        self.answer(status, body, headers, date)

    def cut(self):
        self.close_connection = True
        self.connection.shutdown(2)

    # -- dispatch --------------------------------------------------------------------------------

    def handle_any(self):
        self.shift = 0
        time.sleep(LINK_DELAY)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urlsplit(self.path)
        pieces = parts.path.split("/", 4)
        self.number = 0
        if pieces[1] == "settle":
            with world(pieces[2]).lock:
                world(pieces[2]).settled = True
                world(pieces[2]).versions.clear()
                world(pieces[2]).copies.clear()
            return self.answer(200)
        if pieces[1] == "log":
            w = world(pieces[2])
            self.answer(200, json.dumps(w.log).encode(), kind="application/json")
            return
        mode, name = pieces[1], pieces[2]
        self.world = w = world(name)
        self.bucket = pieces[3] if len(pieces) > 3 else ""
        self.key = unquote(pieces[4]) if len(pieces) > 4 else ""
        self.query = dict(parse_qsl(parts.query, keep_blank_values=True))
        with w.lock:
            w.log.append({
                "method": self.command, "path": self.path, "time": time.time(),
                "headers": {k.lower(): v for k, v in self.headers.items()}})
            self.number = len(w.log)
        self.sent = body
        self.behave(mode, body)

    def behave(self, mode, body):
        """As the tables of s3_manners.py say, or as a mode of its own does."""
        if mode in REFUSED and REFUSED[mode][0](self):
            return self.error(*REFUSED[mode][1:])
        if mode in FIXED and FIXED[mode][0](self):
            return self.answer(*FIXED[mode][1], **FIXED[mode][2])
        if mode in CUT and CUT[mode](self):
            return self.cut()
        if mode in LISTED:
            return self.list(**LISTED[mode](self))
        if mode in APPLIED and puts(self) and APPLIED[mode][0](self):
            self.world.objects[self.key] = body
            return APPLIED[mode][1](self)
        own = getattr(self, "mode_" + mode, None)
        if not own and not any(mode in table for table in (QUIRKS, REFUSED, FIXED, CUT, APPLIED)):
            raise KeyError(mode)
        return own(body) if own else self.honest(body, **QUIRKS.get(mode, {}))

    do_GET = do_PUT = do_DELETE = do_POST = do_HEAD = handle_any

    # -- an honest server --------------------------------------------------------------------------

    def honest(self, body, **quirks):
        if not self.key:
            return self.list(**quirks)
        return getattr(self, "honest_" + self.command.lower())(body, **quirks)

    def honest_get(self, body, weak=False, alters=None, **quirks):
        found = self.world.objects.get(self.key)
        if found is None:
            return self.error(404, "NoSuchKey")
        etag = ("W/" if weak else "") + etag_of(found)
        headers = [("ETag", etag), ("Last-Modified", self.date())]
        checksum = self.world.checksums.get(self.key)
        if checksum and self.headers.get("x-amz-checksum-mode") == "ENABLED":
            # That of an upload in parts is of the checksums of its parts.
            headers.append((CHECKSUM, checksum + ("-2" if "parts" in self.key else "")))
        if "spoiled" in self.key and ("always" in self.key or self.world.count("spoiled") == 1):
            found = found.replace(b"8432", b"9432")
        if alters:
            found = alters(found)
        self.answer(200, found, headers, kind="application/octet-stream")

    def honest_delete(self, body, **quirks):
        self.world.objects.pop(self.key, None)
        self.answer(204)

    def holds(self, condition, found, ignores="", creates=False, spelling="quoted", **quirks):
        """Whether a write may go on; condition is (kind, value)."""
        kind, value = condition
        if kind in ignores.split():
            return True
        if kind == "if-none-match":
            return found is None
        if found is None:
            return creates
        etag = etag_of(found)
        if spelling == "bare":
            return value == etag.strip('"')
        if spelling == "lax":  # what has no quotes is not looked at
            return '"' not in value
        return value.strip('"') == etag.strip('"')

    def honest_put(self, body, refusal=412, slow=0, weak=False, version=None, keeps=False, **quirks):
        if keeps and CHECKSUM in self.headers:
            self.world.checksums[self.key] = self.headers[CHECKSUM]
        condition = next(
            ((k, self.headers[k]) for k in ("if-none-match", "if-match") if k in self.headers), None)
        w = self.world
        if slow:  # checks and writes apart from each other, as some stores did
            ok = condition is None or self.holds(condition, w.objects.get(self.key), **quirks)
            time.sleep(slow)
            if ok:
                w.objects[self.key] = body
        else:
            with w.lock:
                ok = condition is None or self.holds(condition, w.objects.get(self.key), **quirks)
                if ok:
                    w.objects[self.key] = body
        if not ok:
            if refusal == 304:
                return self.answer(304)
            return self.error(refusal, "PreconditionFailed")
        headers = [("ETag", ("W/" if weak else "") + etag_of(body))]
        if version:
            headers.append(("x-amz-version-id", version))
        self.answer(200, b"", headers)

    def list(self, keys=None, start_after=True, token=True, truncated=None, next_token=None,
             encoding=True, dated=False, **quirks):
        w = self.world
        prefix = self.query.get("prefix", "")
        with w.lock:
            keys = sorted(k for k in w.objects if k.startswith(prefix)) if keys is None else keys
        after = ""
        if start_after:
            after = self.query.get("start-after", "")
        if token and "continuation-token" in self.query:
            after = self.query["continuation-token"]
        keys = [k for k in keys if k > after] if after else keys
        most = int(self.query.get("max-keys", "1000"))
        page, rest = keys[:most], keys[most:]
        is_truncated = bool(rest) if truncated is None else truncated
        text = "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>%s</IsTruncated>" % (
            "true" if is_truncated else "false")
        if next_token is None and is_truncated:
            next_token = page[-1] if page else "x"
        if next_token:
            text += "<NextContinuationToken>%s</NextContinuationToken>" % escape(next_token)
        for k in page:
            found = w.objects.get(k, b"")
            # As a store dates them: what is named so was written two hours ago.
            age = 7200 if "TWOHOURSOLD" in k else 0
            written = datetime.fromtimestamp(time.time() - age, timezone.utc)
            text += "<Contents><Key>%s</Key><Size>%d</Size><ETag>%s</ETag>%s</Contents>" % (
                quote(k), len(found), escape(etag_of(found)),
                written.strftime("<LastModified>%Y-%m-%dT%H:%M:%S.000Z</LastModified>")
                if dated else "")
        self.answer(200, (text + "</ListBucketResult>").encode())

    def mode_seldomapplied(self, body):
        """Some writes are applied, and answered by an error."""
        if self.command == "PUT" and self.world.count("put") % 4 == 1:
            if "if-none-match" in self.headers and self.key not in self.world.objects:
                self.world.objects[self.key] = body
            return self.error(500, "InternalError")
        self.honest(body)

    def mode_closesrefused(self, body):
        """As MinIO: after a refused precondition it closes the connection without having said so, and
        so many milliseconds later as the bucket says. What arrives until then is lost."""
        self.honest(body)
        if self.command == "PUT" and self.status == 412:
            self.close_connection = True
            self.connection.settimeout(int(self.bucket.removeprefix("after-")) / 1000)
            try:
                if self.rfile.read1():
                    self.world.log.append({"method": "LOST", "path": self.path, "time": time.time(),
                                           "headers": {}})
            except OSError:
                pass

    def mode_lies(self, body):
        """Says 412 and writes all the same."""
        if self.command == "PUT" and self.key in self.world.objects:
            self.world.objects[self.key] = body
            return self.error(412, "PreconditionFailed")
        self.honest(body)

    def stale_get(self, body):
        """A read that shows what was there before the last write."""
        now = self.world.objects.get(self.key)
        former = self.world.former.get(self.key)
        if former is not None:
            self.world.objects[self.key] = former
        else:
            self.world.objects.pop(self.key, None)
        try:
            self.honest(body)
        finally:
            if now is not None:
                self.world.objects[self.key] = now

    def mode_stalereads(self, body):
        """Every GET of an object misses the last write; writes and conditions are honest."""
        with self.world.lock:
            if self.command == "GET" and self.key:
                return self.stale_get(body)
            if self.command == "PUT":
                before = self.world.objects.get(self.key)
                self.honest(body)
                if self.world.objects.get(self.key) != before:
                    self.world.former[self.key] = before
                return None
        return self.honest(body)

    def mode_stalelist(self, body):
        """A listing does not show the last object written."""
        if self.command == "PUT":
            self.world.newest = self.key
        if self.command == "GET" and not self.key:
            with self.world.lock:
                hidden = self.world.objects.pop(self.world.newest, None)
                try:
                    return self.honest(body)
                finally:
                    if hidden is not None:
                        self.world.objects[self.world.newest] = hidden
        return self.honest(body)

    def mode_versioned(self, body):
        """Keeps versions, and ignores If-None-Match, at once or, in the bucket `later`, from /settle on."""
        if self.command == "PUT" and (self.bucket != "later" or self.world.settled):
            return self.honest(body, version="v1", ignores="if-none-match")
        self.honest(body)

    # -- answers that are not valid -----------------------------------------------------------------

    def mode_endless(self, body):
        self.send_response_only(200)
        self.send_header("ETag", '"x"')
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        sent = 0
        try:
            while sent < 10_000_000_000:
                self.wfile.write(piece)
                sent += 0x10000
        except OSError:
            pass
        self.world.counts["sent"] = sent
        self.close_connection = True

    def mode_short(self, body):
        self.send_response_only(200)
        self.send_header("ETag", '"x"')
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"only this")
        self.cut()

    def mode_nohttp(self, body):
        self.wfile.write(b"220 smtp.example ready\r\n")
        self.cut()

    def mode_diesreading(self, body):
        """Is gone for good after so many reads of revisions as the bucket says."""
        if "/revisions/" in self.key and self.command == "GET":
            self.world.count("read")
        if self.world.counts["read"] > int(self.bucket[1:]):
            return self.cut()
        self.honest(body)

    def mode_refusesall(self, body):
        status, code = self.bucket.split("-", 1)
        code = code.replace("-", "")
        extra = "<Region>us-east-1</Region>" if code == "AuthorizationHeaderMalformed" else ""
        self.error(int(status), code, "as asked", extra)

    # -- regions, clocks, sessions -------------------------------------------------------------------

    @property
    def region(self):
        """The one that the request is signed for."""
        found = re.search(r"Credential=[^/]+/\d+/([^/]+)/", self.headers.get("authorization", ""))
        return found.group(1) if found else ""

    def mode_circle(self, body):
        self.elsewhere("eu-b" if self.region == "eu-a" else "eu-a")

    def mode_hops(self, body):
        self.elsewhere(f"eu-{self.world.count('hop')}")

    def elsewhere(self, region):
        self.error(301, "PermanentRedirect", headers=[("x-amz-bucket-region", region)])

    def mode_redirect(self, body):
        self.answer(302, b"", [("Location", self.path)])

    def skewed(self, body, date=True):
        self.shift = 3600
        stamp = datetime.strptime(
            self.headers.get("x-amz-date", "19700101T000000Z"), "%Y%m%dT%H%M%SZ")
        off = stamp.replace(tzinfo=timezone.utc).timestamp() - (time.time() + self.shift)
        if abs(off) > 900:
            return self.error(403, "RequestTimeTooSkewed", "too skewed", date=date)
        self.honest(body)

    def mode_skewed(self, body):
        self.skewed(body)

    def mode_skewednodate(self, body):
        self.skewed(body, date=False)

    def mode_skewedabsurd(self, body):
        self.skewed(body, date="Thu, 01 Jan 1970 00:00:00 GMT")

    def mode_wrongdate(self, body):
        """Accepts everything, and has a Date that is an hour ahead."""
        self.shift = 3600
        self.honest(body)

    def mode_garbage(self, body):
        self.answer(200, b"<<< \xff no xml", [("ETag", '"x"')] if self.command == "GET" else [])

    def mode_gap(self, body):
        """Racy for so many microseconds as the bucket says."""
        self.honest(body, slow=int(self.bucket.removeprefix("gap-")) / 1e6)

    def mode_echo(self, body):
        text = " ".join("%s: %s" % pair for pair in self.headers.items())
        status = {"GET": 403, "PUT": 400, "DELETE": 500}[self.command]
        self.error(status, "AccessDenied", text, headers=[("x-amz-id-2", text[:200])])

    # -- overload ----------------------------------------------------------------------------------

    def mode_slowthenmute(self, body):
        if once(self):
            return self.error(503, "SlowDown", SLOW)
        self.mode_mute(body)

    def mode_mute(self, body):
        time.sleep(30)
        self.cut()

    # -- listings ----------------------------------------------------------------------------------

    def mode_listanyorder(self, body):
        """As S3 Express: pages without order, and no start-after."""
        keys = ["p/d", "p/a", "p/e", "p/c", "p/b"]
        start = int(self.query.get("continuation-token", "0"))
        end = start + int(self.query.get("max-keys", "1000"))
        more = end < len(keys)
        self.list(keys[start:end], start_after=False, token=False, truncated=more,
                  next_token=str(end) if more else None)

    def mode_listbomb(self, body):
        text = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">%s]><ListBucketResult>&l9;</ListBucketResult>'
        levels = '<!ENTITY l0 "&a;">' + "".join(
            '<!ENTITY l%d "%s">' % (i, ("&l%d;" % (i - 1)) * 10) for i in range(1, 10))
        self.answer(200, (text % levels).encode())

    # -- conflicts -----------------------------------------------------------------------------------

    def mode_conflictboth(self, body, most=None):
        """Refuses all writes of one key that are under way at the same moment, and stores none."""
        w = self.world
        if self.command != "PUT":
            return self.honest(body)
        with w.lock:
            w.flying[self.key].append(self.number)
            if len(w.flying[self.key]) > 1 and (most is None or len(w.crowded) < most):
                w.crowded.update(w.flying[self.key])
        time.sleep(0.05)
        with w.lock:
            w.flying[self.key].remove(self.number)
            if self.number in w.crowded:
                return self.error(409, "ConditionalRequestConflict")
            return self.honest(body)

    def mode_conflictsome(self, body):
        """The same, for the first so many writes as the bucket says."""
        self.mode_conflictboth(body, int(self.bucket.removeprefix("first-")))

    # -- copies that lag -----------------------------------------------------------------------------

    def lagging(self, body, **quirks):
        """Shows what is written after the next GET /settle/ID, in reads and listings."""
        w = self.world
        if self.command == "PUT":
            with w.lock:
                before = w.objects.get(self.key)
                self.honest(body, **quirks)
                if w.objects.get(self.key) is not before:
                    w.versions.setdefault(self.key, before)
            return None
        if self.command != "GET":
            return self.honest(body, **quirks)
        with w.lock:
            now = dict(w.objects)
            for key, old in w.versions.items():
                if old is None:
                    w.objects.pop(key, None)
                else:
                    w.objects[key] = old
            try:
                self.honest(body, **quirks)
            finally:
                w.objects.clear()
                w.objects.update(now)

    def mode_lags(self, body):
        self.lagging(body)

    def mode_lagsignoring(self, body):
        self.lagging(body, ignores="if-match if-none-match")

    def mode_lagsrefusing(self, body):
        self.lagging(body)

    def mode_cached(self, body):
        """As behind a proxy that answers what it has answered, until the next GET /settle/ID."""
        w = self.world
        if self.command != "GET":
            return self.honest(body)
        with w.lock:
            kept = w.copies.get(self.path)
            if kept:
                return self.answer(*kept[0], **kept[1])
            self.taken = None
            self.honest(body)
            w.copies[self.path] = self.taken


class Proxy(Handler):
    """Passes requests on, without their conditional headers."""

    def handle_any(self):
        host, port = sys.argv[1].rsplit(":", 1)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        upstream = http.client.HTTPConnection(host, int(port), timeout=30)
        upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in ("if-match", "if-none-match", "connection"):
                upstream.putheader(name, value)
        upstream.endheaders(body)
        answer = upstream.getresponse()
        content = answer.read()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if answer.status != 204:
            self.wfile.write(content)
        upstream.close()

    do_GET = do_PUT = do_DELETE = do_POST = do_HEAD = handle_any


class SerialServer(HTTPServer):
    """Handles one connection at a time, and waits for the next request of one that is kept open."""
    request_queue_size = 128
    handle_error = Server.handle_error


def main():
    folder = tempfile.mkdtemp(prefix="s3health-hostile-")
    authority, path = peer_server.authority(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(peer_server.write_pem(
        folder, "server.pem", peer_server.key_and_certificate("server", authority, ["localhost"], 28)))
    serial = SerialServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=serial.serve_forever, daemon=True).start()
    peer_server.tell(
        ca=path, hostile=Server(Handler).server_port, https=Server(Handler, context).server_port,
        proxy=Server(Proxy).server_port, serial=serial.server_port)
    shutil.rmtree(folder)
    os._exit(0)


main()
