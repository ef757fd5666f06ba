"""How servers that people use differ from S3: manners of the server in s3_hostile.py.

Each is seen in a product, or stands for several of a kind.
"""

import base64
import hashlib
import time

CHECKSUM = "x-amz-checksum-sha256"


class StoreManners:
    # -- conditions that are not taken ---------------------------------------------------------------

    def mode_says400(self, body):
        """As Aliyun OSS: the status of a wrong request, and the code of one that is not implemented."""
        if "if-none-match" in self.headers or "if-match" in self.headers:
            return self.error(400, "NotImplemented", "A header you provided is not implemented")
        self.honest(body)

    def mode_says405(self, body):
        """The same in words of no standard, and for the header that no write of another client has."""
        if "if-none-match" in self.headers:
            return self.error(405, "MethodNotAllowed")
        self.honest(body)

    def mode_plain400(self, body):
        """Refuses conditions by a status alone."""
        if "if-none-match" in self.headers or "if-match" in self.headers:
            return self.answer(400)
        self.honest(body)

    def mode_nowrite501(self, body):
        """Takes no write at all."""
        if self.command == "PUT":
            return self.error(501, "NotImplemented")
        self.honest(body)

    def mode_match400(self, body):
        if "if-match" in self.headers:
            return self.error(400, "InvalidArgument", "If-Match is not supported")
        self.honest(body)

    # -- proofs of a body ----------------------------------------------------------------------------

    def proof(self, body):
        """Whether a write has a proof that is right; None for one that is wrong."""
        proofs = {
            "content-md5": hashlib.md5(body), CHECKSUM: hashlib.sha256(body)}
        sent = [name for name in proofs if name in self.headers]
        for name in sent:
            if self.headers[name] != base64.b64encode(proofs[name].digest()).decode():
                return None
        return sent

    def mode_objectlock(self, body):
        """As S3 with a default retention."""
        if self.command == "PUT" and not self.proof(body):
            return self.error(
                400, "InvalidRequest", "Content-MD5 OR x-amz-checksum- HTTP header is required for "
                "Put Object requests with Object Lock parameters")
        self.honest(body)

    def mode_md5only(self, body):
        """Wants MD5, and says so by a code alone."""
        if self.command == "PUT" and "content-md5" not in (self.proof(body) or []):
            return self.error(400, "MissingContentMD5")
        self.honest(body)

    def mode_sha256only(self, body):
        """Names both, and takes one."""
        if self.command == "PUT" and CHECKSUM not in (self.proof(body) or []):
            return self.error(400, "InvalidRequest", "Content-MD5 or x-amz-checksum- is required")
        self.honest(body)

    def mode_unprovable(self, body):
        """Wants what no client can give."""
        if self.command == "PUT":
            return self.error(400, "InvalidRequest", "Missing required header Content-MD5")
        self.honest(body)

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

    # -- rights ----------------------------------------------------------------------------------------

    def denying(self, body, *denials):
        """Denies requests of a method for objects whose key has a part of a text, as policies do."""
        if any(self.command == method and part in self.key for method, part in denials):
            return self.error(403, "AccessDenied", "Access Denied")
        self.honest(body)

    def mode_unwritabledays(self, body):
        self.denying(body, ("PUT", "/data/"))

    def mode_unreadabledays(self, body):
        """No publish of a new day reads anything where it may move the pointer."""
        self.denying(body, ("GET", "/data/"))

    def mode_unreadablerevisions(self, body):
        """Where no pointer is moved, a publish reads what it has written."""
        self.denying(body, ("GET", "/revisions/"), ("PUT", "/.probe/"))

    def mode_pointerdenied(self, body):
        self.denying(body, ("PUT", "/latest.json"))

    def mode_revisionsdenied(self, body):
        self.denying(body, ("PUT", "/revisions/"))

    def mode_probewritesdenied(self, body):
        self.denying(body, ("PUT", "/.probe/"), ("DELETE", ""))

    def mode_nothingwritable(self, body):
        self.denying(body, ("PUT", "/.probe/"), ("PUT", "/data/"))

    def mode_createsonly(self, body):
        """As a bucket whose policy demands If-None-Match."""
        if self.command == "PUT" and "if-none-match" not in self.headers:
            return self.error(403, "AccessDenied", "Access Denied")
        self.honest(body)

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
        if self.command == "PUT" and ("if-none-match" in self.headers or "if-match" in self.headers):
            return self.error(501, "NotImplemented")
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

    # -- other servers -------------------------------------------------------------------------------

    def mode_foreign404(self, body):
        """Says of a missing object what any web server says."""
        if self.command == "GET" and self.key and self.key not in self.world.objects:
            return self.answer(404, b'{"message":"not found"}', kind="application/json", id=False)
        self.honest(body)

    def mode_r2region(self, body):
        if self.signed_region() != "auto":
            return self.error(
                400, "InvalidRegionName", "The region name 'us-east-1' is not valid. Must be one of: "
                "wnam, enam, weur, eeur, apac, auto")
        self.honest(body)

    def mode_plainrefusal(self, body):
        """Refuses every write, and says nothing that helps."""
        if self.command == "PUT":
            return self.error(400, "InvalidRequest")
        self.honest(body)

    def mode_pagesnotoken(self, body):
        """Says that more follows, and not where."""
        self.honest(body, next_token="")

    def mode_pagesrepeat(self, body):
        """Every page is the first."""
        self.honest(body, token=False)

    def mode_pagescut(self, body):
        """The first page is all."""
        self.honest(body, truncated=False)
