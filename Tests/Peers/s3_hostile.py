"""An S3 server in memory that misbehaves as asked: http://127.0.0.1:PORT/MODE/ID/BUCKET/KEY.

Each ID has objects, counters and a log of its own; GET /log/ID gives the log as JSON, and after
GET /settle/ID copies that lag show everything. Prints the ports and the authority of the one for
https as one line of JSON, and ends when its stdin does. With an argument HOST:PORT it also listens
as a proxy to there that strips the conditional headers from what passes.
"""

import gzip
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
from email.utils import formatdate, parsedate_to_datetime
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from cryptography.hazmat.primitives import serialization

from http_hostile import key_and_certificate, write_pem
from s3_manners import CHECKSUM, StoreManners


# Seconds before each answer, as over a network (scripts/lib/slow_link.py).
LINK_DELAY = float(os.environ.get("S3HEALTH_LINK_DELAY", 0))


class World:
    def __init__(self):
        self.objects = {}
        self.former = {}
        self.checksums = {}
        self.flying = defaultdict(list)
        self.crowded = set()
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


class Handler(StoreManners, BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer is written in two pieces, and the second must not wait until the first has arrived.
    disable_nagle_algorithm = True
    clock_shift = 0

    def log_message(self, *args):
        pass

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
        getattr(self, "mode_" + mode)(body)

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

    def honest_put(self, body, refusal=412, slow=0, weak=False, version=None, **quirks):
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

    def mode_honest(self, body):
        self.honest(body)

    # -- checksums ---------------------------------------------------------------------------------

    def mode_keepschecksum(self, body):
        if self.command == "PUT" and CHECKSUM in self.headers:
            self.world.checksums[self.key] = self.headers[CHECKSUM]
        self.honest(body)

    def mode_refuseschecksum(self, body):
        if CHECKSUM in self.headers:
            return self.error(400, "InvalidRequest", "Unsupported header")
        self.honest(body)

    def mode_forgetschecksum(self, body):
        """Takes it as long as it is probed."""
        if CHECKSUM in self.headers and "probe" not in self.key:
            return self.error(501, "NotImplemented")
        self.mode_keepschecksum(body)

    # -- conditional writes ------------------------------------------------------------------------

    def mode_bare(self, body):
        self.honest(body, spelling="bare")

    def mode_lax(self, body):
        self.honest(body, spelling="lax")

    def mode_ignorescreate(self, body):
        self.honest(body, ignores="if-none-match")

    def mode_ignoresmatch(self, body):
        self.honest(body, ignores="if-match")

    def mode_ignoresboth(self, body):
        self.honest(body, ignores="if-match if-none-match")

    def mode_creates(self, body):
        self.honest(body, creates=True)

    def mode_says304(self, body):
        self.honest(body, refusal=304)

    def mode_says409(self, body):
        self.honest(body, refusal=409)

    def mode_conflictfirst(self, body):
        if self.command == "PUT" and self.world.count("put") <= 5:
            return self.error(409, "OperationAborted")
        self.honest(body)

    def mode_conflictlong(self, body):
        if self.command == "PUT":
            return self.error(409, "OperationAborted")
        self.honest(body)

    def mode_seldom503(self, body):
        if self.command == "PUT" and self.world.count("put") % 3 == 1:
            return self.error(503, "SlowDown")
        self.honest(body)

    def mode_seldomtimeout(self, body):
        if self.command == "PUT" and self.world.count("put") % 4 == 1:
            return self.error(400, "RequestTimeout")
        self.honest(body)

    def mode_seldomapplied(self, body):
        """Some writes are applied, and answered by an error."""
        if self.command == "PUT" and self.world.count("put") % 4 == 1:
            if "if-none-match" in self.headers and self.key not in self.world.objects:
                self.world.objects[self.key] = body
            return self.error(500, "InternalError")
        self.honest(body)

    def mode_starts(self, body):
        """Answers nothing useful at first, as a server that starts."""
        if self.world.count("any") <= 7:
            return self.error(503, "XMinioServerNotInitialized")
        self.honest(body)

    def mode_weak(self, body):
        self.honest(body, weak=True)

    def mode_compresses(self, body):
        """As what compresses each answer, asked or not."""
        self.honest(body, alters=gzip.compress)

    def mode_marks(self, body):
        """As what takes an answer for text, and writes it again with a byte-order mark."""
        self.honest(body, alters=lambda found: b"\xef\xbb\xbf" + found)

    def mode_racy(self, body):
        self.honest(body, slow=0.05)

    def mode_gap(self, body):
        """The same for so many microseconds as the bucket says."""
        self.honest(body, slow=int(self.bucket.removeprefix("gap-")) / 1e6)

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

    def mode_says501(self, body):
        if "if-none-match" in self.headers or "if-match" in self.headers:
            return self.error(501, "NotImplemented", "A header you provided is not implemented")
        self.honest(body)

    def mode_match501(self, body):
        if "if-match" in self.headers:
            return self.error(501, "NotImplemented")
        self.honest(body)

    def mode_create404(self, body):
        if self.command == "PUT" and "if-none-match" in self.headers:
            return self.error(404, "NoSuchKey")
        self.honest(body)

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

    def mode_stalereads(self, body, every=1):
        """Every GET of an object misses the last write; writes and conditions are honest."""
        with self.world.lock:
            if self.command == "GET" and self.key and self.world.count("get") % every == 0:
                return self.stale_get(body)
            if self.command == "PUT":
                before = self.world.objects.get(self.key)
                self.honest(body)
                if self.world.objects.get(self.key) != before:
                    self.world.former[self.key] = before
                return None
        return self.honest(body)

    def mode_staleseldom(self, body):
        """The same of one GET in fifty, as behind a replica that lags now and then."""
        self.mode_stalereads(body, every=50)

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

    def mode_errorput200(self, body):
        """Answers a conditional write by 200 with an error in its body, and does not apply it."""
        if "if-none-match" in self.headers or "if-match" in self.headers:
            return self.error(200, "InternalError", "We encountered an internal error.")
        self.honest(body)

    def mode_versioned(self, body):
        """Keeps versions after so many writes as the bucket says; then ignores If-None-Match."""
        if self.command == "PUT" and self.world.count("put") > int(self.bucket[1:]):
            return self.honest(body, version="v1", ignores="if-none-match")
        self.honest(body)

    # -- answers that are not valid -----------------------------------------------------------------

    def mode_garbage(self, body):
        self.answer(200, b"<<< \xff no xml", [("ETag", '"x"')] if self.command == "GET" else [])

    def mode_html(self, body):
        self.answer(200, b"<html><body>Sign in<br></body></html>", kind="text/html")

    def mode_html404(self, body):
        self.answer(404, b"<html>no such page</html>", kind="text/html")

    def mode_error200(self, body):
        self.error(200, "InternalError", "We encountered an internal error.")

    def mode_conflict200(self, body):
        self.error(200, "ConditionalRequestConflict")

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

    def mode_applycut(self, body):
        """Applies a write, then closes without an answer; honest for the rest."""
        if self.command == "PUT":
            self.world.objects[self.key] = body
            return self.cut()
        self.honest(body)

    def mode_readonly(self, body):
        if self.command != "GET":
            return self.error(403, "AccessDenied", "read only")
        self.honest(body)

    def mode_probedenied(self, body):
        """As a policy that allows the ledger's data alone."""
        if "/.probe/" in self.key or "/.probe/" in self.query.get("prefix", ""):
            return self.error(403, "AccessDenied", "not below .probe")
        self.honest(body)

    def mode_dated(self, body):
        self.honest(body, dated=True)

    def mode_nodelete(self, body):
        if self.command == "DELETE":
            return self.error(403, "AccessDenied", "no deletes")
        self.honest(body, dated=True)

    def mode_full(self, body):
        if self.command == "PUT":
            return self.error(507, "XMinioStorageFull", "no space")
        self.honest(body)

    def mode_stalls(self, body):
        """Stores a revision and never says so; honest for the rest."""
        if self.command == "PUT" and "/revisions/" in self.key:
            self.world.objects[self.key] = body
            time.sleep(3600)
            return self.cut()
        self.honest(body)

    def mode_applycutfirst(self, body):
        """The same, for the first write alone."""
        if self.command == "PUT" and self.world.count("put") == 1:
            self.world.objects[self.key] = body
            return self.cut()
        self.honest(body)

    def mode_applyerror(self, body):
        """Applies a write, then says 500."""
        if self.command == "PUT":
            self.world.objects[self.key] = body
            return self.error(500, "InternalError")
        self.honest(body)

    def mode_cutonce(self, body):
        if self.world.count(self.command) == 1:
            return self.cut()
        self.honest(body)

    def mode_dies(self, body):
        """Honest for ten requests, then gone."""
        if self.world.count("dies") > 10:
            return self.cut()
        self.honest(body)

    def mode_diesafter(self, body):
        """The same after so many requests as the bucket says."""
        if self.world.count("dies") > int(self.bucket.removeprefix("after-")):
            return self.cut()
        self.honest(body)

    def mode_diesreading(self, body):
        """Is gone for good after so many reads of revisions as the bucket says."""
        if "/revisions/" in self.key and self.command == "GET":
            self.world.count("read")
        if self.world.counts["read"] > int(self.bucket[1:]):
            return self.cut()
        self.honest(body)

    def mode_deniessome(self, body):
        """Honest, but for the revisions of every other date."""
        if "/revisions/" in self.key and int(self.key.split("/revisions/")[0][-2:]) % 2:
            return self.error(403, "AccessDenied", "Access Denied")
        self.honest(body)

    def mode_deniesfives(self, body):
        """Lists all, and denies what lies below the days that end in 5."""
        if re.search(r"/\d\d/\d5/", self.key):
            return self.error(403, "AccessDenied", "not this day")
        self.honest(body)

    def mode_refusesall(self, body):
        status, code = self.bucket.split("-", 1)
        code = code.replace("-", "")
        extra = "<Region>us-east-1</Region>" if code == "AuthorizationHeaderMalformed" else ""
        self.error(int(status), code, "as asked", extra)

    # -- regions, clocks, sessions -------------------------------------------------------------------

    def signed_region(self):
        found = re.search(r"Credential=[^/]+/\d+/([^/]+)/", self.headers.get("authorization", ""))
        return found.group(1) if found else ""

    def mode_region400(self, body):
        if self.signed_region() != "eu-test-1":
            return self.error(
                400, "AuthorizationHeaderMalformed", "wrong region", "<Region>eu-test-1</Region>")
        self.honest(body)

    def mode_region301(self, body):
        if self.signed_region() != "eu-test-1":
            return self.error(
                301, "PermanentRedirect", "elsewhere", "<Endpoint>evil.example</Endpoint>",
                [("x-amz-bucket-region", "eu-test-1"), ("Location", "http://evil.example/")])
        self.honest(body)

    def mode_circle(self, body):
        other = "eu-b" if self.signed_region() == "eu-a" else "eu-a"
        self.error(301, "PermanentRedirect", "", "", [("x-amz-bucket-region", other)])

    def mode_hops(self, body):
        region = "eu-%d" % self.world.count("hop")
        self.error(301, "PermanentRedirect", "", "", [("x-amz-bucket-region", region)])

    def mode_hostileregion(self, body):
        self.error(
            301, "PermanentRedirect", "", "", [("x-amz-bucket-region", "x.evil.example/@")])

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

    def mode_expires(self, body):
        if "Credential=NEW" not in self.headers.get("authorization", ""):
            return self.error(400, "ExpiredToken", "The provided token has expired.")
        self.honest(body)

    def mode_echo(self, body):
        text = " ".join("%s: %s" % pair for pair in self.headers.items())
        status = {"GET": 403, "PUT": 400, "DELETE": 500}[self.command]
        self.error(status, "AccessDenied", text, headers=[("x-amz-id-2", text[:200])])

    # -- overload ----------------------------------------------------------------------------------

    def mode_slowtwice(self, body):
        if self.world.count(self.command + self.key) <= 2:
            return self.error(503, "SlowDown", "Please reduce your request rate.")
        self.honest(body)

    def mode_slowforever(self, body):
        self.error(503, "SlowDown", "Please reduce your request rate.")

    def mode_slowthenmute(self, body):
        if self.world.count(self.command) == 1:
            return self.error(503, "SlowDown", "Please reduce your request rate.")
        self.mode_mute(body)

    def mode_retryafter(self, body):
        if self.world.count(self.command) == 1:
            return self.error(503, "SlowDown", headers=[("Retry-After", "1")])
        self.honest(body)

    def mode_retrynever(self, body):
        self.error(503, "SlowDown", headers=[("Retry-After", "3600")])

    def mode_retrylater(self, body):
        self.error(429, "TooManyRequests", headers=[("Retry-After", "600")])

    def mode_toomany(self, body):
        if self.world.count(self.command) == 1:
            return self.error(429, "TooManyRequests")
        self.honest(body)

    def mode_mute(self, body):
        time.sleep(30)
        self.cut()

    # -- listings ----------------------------------------------------------------------------------

    KEYS = ["p/a", "p/b", "p/c", "p/d"]

    def mode_listloop(self, body):
        """The same page for ever, with another token each time."""
        self.list(self.KEYS, token=False, truncated=True,
                  next_token="t%d" % self.world.count("page"))

    def mode_listself(self, body):
        self.list([] if "continuation-token" in self.query else self.KEYS, token=False,
                  truncated=True, next_token="again")

    def mode_listnostart(self, body):
        self.list(self.KEYS, start_after=False)

    def mode_listunsorted(self, body):
        self.list(["p/b", "p/a", "p/c"])

    def mode_listanyorder(self, body):
        """As S3 Express: pages without order, and no start-after."""
        keys = ["p/d", "p/a", "p/e", "p/c", "p/b"]
        start = int(self.query.get("continuation-token", "0"))
        end = start + int(self.query.get("max-keys", "1000"))
        more = end < len(keys)
        self.list(keys[start:end], start_after=False, token=False, truncated=more,
                  next_token=str(end) if more else None)

    def mode_listforeign(self, body):
        self.list(["o/a", "p/a"])

    def mode_listnotoken(self, body):
        self.list(self.KEYS, truncated=True, next_token="")

    def mode_listempty(self, body):
        self.list([], truncated=True, next_token="t%d" % self.world.count("page"))

    def listing(self, members):
        """A page without keys, of these members alone."""
        self.answer(200, ("<ListBucketResult>%s</ListBucketResult>" % members).encode())

    def mode_listnoend(self, body):
        self.listing("<Name>%s</Name>" % self.bucket)

    def mode_listprefix(self, body):
        self.listing("<Prefix>q/</Prefix><IsTruncated>false</IsTruncated>")

    def mode_listbucket(self, body):
        self.listing("<Name>elsewhere</Name><IsTruncated>false</IsTruncated>")

    def mode_listgaps(self, body):
        """Three empty pages before the keys."""
        page = self.world.count("page")
        if page < 4:
            return self.list([], truncated=True, next_token="t%d" % page)
        self.list(self.KEYS, token=False)

    def mode_listbomb(self, body):
        text = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">%s]><ListBucketResult>&l9;</ListBucketResult>'
        levels = '<!ENTITY l0 "&a;">' + "".join(
            '<!ENTITY l%d "%s">' % (i, ("&l%d;" % (i - 1)) * 10) for i in range(1, 10))
        self.answer(200, (text % levels).encode())


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


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    context = None

    def finish_request(self, request, client_address):
        if not self.context:
            return super().finish_request(request, client_address)
        with self.context.wrap_socket(request, server_side=True) as wrapped:
            super().finish_request(wrapped, client_address)
            wrapped.unwrap()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class SerialServer(HTTPServer):
    """Handles one connection at a time, and waits for the next request of one that is kept open."""
    request_queue_size = 128
    context = None

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def main():
    folder = tempfile.mkdtemp(prefix="s3health-hostile-")
    authority = key_and_certificate("s3health test authority", None, [], 30)
    said = {"ca": os.path.join(folder, "ca.pem")}
    with open(said["ca"], "wb") as file:
        file.write(authority[1].public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(write_pem(
        folder, "server.pem", key_and_certificate("server", authority, ["localhost"], 28)))
    for name, handler in (
            ("hostile", Handler), ("https", Handler), ("proxy", Proxy), ("serial", Handler)):
        server = (SerialServer if name == "serial" else Server)(("127.0.0.1", 0), handler)
        server.context = context if name == "https" else None
        said[name] = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps(said), flush=True)
    sys.stdin.read()
    shutil.rmtree(folder)
    os._exit(0)


main()
