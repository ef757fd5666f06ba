"""How servers differ from S3, as people use them or as one stands for several of a kind: tables for s3_hostile.py.

Each begins a line with its name, so that a test can know them all. A condition is a function of the request's
handler, which it may count with.
"""

import base64
import gzip
import hashlib
import re
import time

CHECKSUM = "x-amz-checksum-sha256"


def always(_):
    return True


def reads(h):
    return h.command == "GET"


def puts(h):
    return h.command == "PUT"


def conditional(h):
    return creates(h) or replaces(h)


def creates(h):
    return "if-none-match" in h.headers


def replaces(h):
    return "if-match" in h.headers


def once(h):
    return h.world.count(h.command) == 1


def proves(h, *names):
    """Whether a write has one of these proofs of its body, and none that is wrong."""
    proofs = {"content-md5": hashlib.md5, CHECKSUM: hashlib.sha256}
    sent = [name for name in proofs if name in h.headers]
    return set(sent) & set(names) and all(
        h.headers[name] == base64.b64encode(proofs[name](h.sent).digest()).decode() for name in sent)


def denied(*denials):
    """Requests of a method for objects whose key has a part of a text, as policies deny them."""
    return lambda h: any(h.command == method and part in h.key for method, part in denials)


# How an honest answer is changed.
QUIRKS = {
    # What compresses each answer, asked or not; what takes it for text and adds a byte-order mark.
    "compresses": {"alters": gzip.compress},
    "marks": {"alters": lambda found: b"\xef\xbb\xbf" + found},
    "honest": {},
    "bare": {"spelling": "bare"},
    "lax": {"spelling": "lax"},
    "weak": {"weak": True},
    "ignorescreate": {"ignores": "if-none-match"},
    "ignoresmatch": {"ignores": "if-match"},
    "ignoresboth": {"ignores": "if-match if-none-match"},
    "creates": {"creates": True},
    "says304": {"refusal": 304},
    "says409": {"refusal": 409},
    "racy": {"slow": 0.05},
    "dated": {"dated": True},
    "nodelete": {"dated": True},
    "keepschecksum": {"keeps": True},
    "forgetschecksum": {"keeps": True},
    # Says that more follows, and not where; every page is the first; the first is all.
    "pagesnotoken": {"next_token": ""},
    "pagesrepeat": {"token": False},
    "pagescut": {"truncated": False},
}
SLOW, WORDS = "Please reduce your request rate.", "A header you provided is not implemented"
DENIED, INTERNAL = (403, "AccessDenied", "Access Denied"), "We encountered an internal error."
# What is refused: the condition, and the status, code and message of the error.
REFUSED = {
    "refuseschecksum": (lambda h: CHECKSUM in h.headers, 400, "InvalidRequest", "Unsupported header"),
    # Takes it as long as it is probed.
    "forgetschecksum": (lambda h: CHECKSUM in h.headers and "probe" not in h.key, 501, "NotImplemented"),
    "conflictfirst": (lambda h: puts(h) and h.world.count("put") <= 5, 409, "OperationAborted"),
    "conflictlong": (puts, 409, "OperationAborted"),
    "seldom503": (lambda h: puts(h) and h.world.count("put") % 3 == 1, 503, "SlowDown"),
    "seldomtimeout": (lambda h: puts(h) and h.world.count("put") % 4 == 1, 400, "RequestTimeout"),
    # Answers nothing useful at first, as a server that starts.
    "starts": (lambda h: h.world.count("any") <= 7, 503, "XMinioServerNotInitialized"),
    "says501": (conditional, 501, "NotImplemented", WORDS),
    # As Aliyun OSS: the status of a wrong request, and the code of one that is not implemented.
    "says400": (conditional, 400, "NotImplemented", WORDS),
    # The same in words of no standard, and for the header that no write of another client has.
    "says405": (creates, 405, "MethodNotAllowed"),
    "match501": (replaces, 501, "NotImplemented"),
    "match400": (replaces, 400, "InvalidArgument", "If-Match is not supported"),
    "nowrite501": (puts, 501, "NotImplemented"),
    "create404": (lambda h: puts(h) and creates(h), 404, "NoSuchKey"),
    "lagsrefusing": (lambda h: puts(h) and conditional(h), 501, "NotImplemented"),
    # An error in the body of a 200, and the write is not applied.
    "errorput200": (conditional, 200, "InternalError", INTERNAL),
    "error200": (always, 200, "InternalError", INTERNAL),
    "conflict200": (always, 200, "ConditionalRequestConflict"),
    "full": (puts, 507, "XMinioStorageFull", "no space"),
    # Refuses every write, and says nothing that helps.
    "plainrefusal": (puts, 400, "InvalidRequest"),
    # As S3 with a default retention; the same by a code alone; names both and takes one; wants what nobody has.
    "objectlock": (lambda h: puts(h) and not proves(h, "content-md5", CHECKSUM), 400, "InvalidRequest",
                   "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock "
                   "parameters"),
    "md5only": (lambda h: puts(h) and not proves(h, "content-md5"), 400, "MissingContentMD5"),
    "sha256only": (lambda h: puts(h) and not proves(h, CHECKSUM), 400, "InvalidRequest",
                   "Content-MD5 or x-amz-checksum- is required"),
    "unprovable": (puts, 400, "InvalidRequest", "Missing required header Content-MD5"),
    # Policies.
    "readonly": (lambda h: not reads(h), 403, "AccessDenied", "read only"),
    "probedenied": (lambda h: "/.probe/" in h.key or "/.probe/" in h.query.get("prefix", ""),
                    403, "AccessDenied", "not below .probe"),
    "nodelete": (denied(("DELETE", "")), 403, "AccessDenied", "no deletes"),
    "createsonly": (lambda h: puts(h) and not creates(h), *DENIED),
    "unwritabledays": (denied(("PUT", "/data/")), *DENIED),
    # No publish of a new day reads anything where it may move the pointer.
    "unreadabledays": (denied(("GET", "/data/")), *DENIED),
    # Where no pointer is moved, a publish reads what it has written.
    "unreadablerevisions": (denied(("GET", "/revisions/"), ("PUT", "/.probe/")), *DENIED),
    # A missing object is denied, as to who may not list.
    "missing403": (lambda h: reads(h) and h.key and h.key not in h.world.objects, *DENIED),
    "pointerdenied": (denied(("PUT", "/latest.json")), *DENIED),
    "revisionsdenied": (denied(("PUT", "/revisions/")), *DENIED),
    "probewritesdenied": (denied(("PUT", "/.probe/"), ("DELETE", "")), *DENIED),
    "nothingwritable": (denied(("PUT", "/.probe/"), ("PUT", "/data/")), *DENIED),
    # The revisions of every other date; and below the days that end in 5, which are listed.
    "deniessome": (lambda h: "/revisions/" in h.key and int(h.key.split("/revisions/")[0][-2:]) % 2, *DENIED),
    "deniesfives": (lambda h: re.search(r"/\d\d/\d5/", h.key), 403, "AccessDenied", "not this day"),
    # Regions and sessions.
    "region400": (lambda h: h.region != "eu-test-1", 400, "AuthorizationHeaderMalformed", "wrong region",
                  "<Region>eu-test-1</Region>"),
    "region301": (lambda h: h.region != "eu-test-1", 301, "PermanentRedirect", "elsewhere",
                  "<Endpoint>evil.example</Endpoint>",
                  [("x-amz-bucket-region", "eu-test-1"), ("Location", "http://evil.example/")]),
    "hostileregion": (always, 301, "PermanentRedirect", "", "", [("x-amz-bucket-region", "x.evil.example/@")]),
    "r2region": (lambda h: h.region != "auto", 400, "InvalidRegionName",
                 "The region name 'us-east-1' is not valid. Must be one of: wnam, enam, weur, eeur, apac, auto"),
    "expires": (lambda h: "Credential=NEW" not in h.headers.get("authorization", ""), 400, "ExpiredToken",
                "The provided token has expired."),
    # Overload.
    "slowtwice": (lambda h: h.world.count(h.command + h.key) <= 2, 503, "SlowDown", SLOW),
    "slowforever": (always, 503, "SlowDown", SLOW),
    "retryafter": (once, 503, "SlowDown", "", "", [("Retry-After", "1")]),
    "retrynever": (always, 503, "SlowDown", "", "", [("Retry-After", "3600")]),
    "retrylater": (always, 429, "TooManyRequests", "", "", [("Retry-After", "600")]),
    "toomany": (once, 429, "TooManyRequests"),
}
# The connections that are cut instead of an answer: at first, after ten requests, after as many as the bucket says.
CUT = {
    "cutonce": once,
    "dies": lambda h: h.world.count("dies") > 10,
    "diesafter": lambda h: h.world.count("dies") > int(h.bucket.removeprefix("after-")),
}
# The writes that are applied, and what becomes of their answer.
APPLIED = {
    "applycut": (always, lambda h: h.cut()),
    "applycutfirst": (lambda h: h.world.count("put") == 1, lambda h: h.cut()),
    "applyerror": (always, lambda h: h.error(500, "InternalError")),
    "stalls": (lambda h: "/revisions/" in h.key, lambda h: time.sleep(3600)),
}
# Answers whatever is asked: a condition, and their arguments.
FIXED = {
    "html": (always, (200, b"<html><body>Sign in<br></body></html>"), {"kind": "text/html"}),
    "html404": (always, (404, b"<html>no such page</html>"), {"kind": "text/html"}),
    # Takes whatever is written, and keeps nothing.
    "keepsnothing": (puts, (200,), {"headers": [("ETag", '"d41d8cd98f00b204e9800998ecf8427e"')]}),
    # Refuses conditions by a status alone.
    "plain400": (conditional, (400,), {}),
    # Says of a missing object what any web server says.
    "foreign404": (lambda h: reads(h) and h.key and h.key not in h.world.objects,
                   (404, b'{"message":"not found"}'), {"kind": "application/json", "id": False}),
    "listnoend": (always, (200, b"<ListBucketResult><Name>bucket</Name></ListBucketResult>"), {}),
    "listprefix": (always, (200, b"<ListBucketResult><Prefix>q/</Prefix><IsTruncated>false</IsTruncated>"
                            b"</ListBucketResult>"), {}),
    "listbucket": (always, (200, b"<ListBucketResult><Name>elsewhere</Name><IsTruncated>false</IsTruncated>"
                            b"</ListBucketResult>"), {}),
}
KEYS = ["p/a", "p/b", "p/c", "p/d"]


def next_page(h):
    return {"truncated": True, "next_token": f"t{h.world.count('page')}"}


# Listings of what is not there.
LISTED = {
    # The same page for ever, with another token each time, and with the same.
    "listloop": lambda h: {"keys": KEYS, "token": False, **next_page(h)},
    "listself": lambda h: {"keys": [] if "continuation-token" in h.query else KEYS, "token": False, "truncated": True,
                           "next_token": "again"},
    "listnostart": lambda h: {"keys": KEYS, "start_after": False},
    "listunsorted": lambda h: {"keys": ["p/b", "p/a", "p/c"]},
    "listforeign": lambda h: {"keys": ["o/a", "p/a"]},
    "listnotoken": lambda h: {"keys": KEYS, "truncated": True, "next_token": ""},
    "listempty": lambda h: {"keys": [], **next_page(h)},
    # Three empty pages before the keys.
    "listgaps": lambda h: {"keys": [], **next_page(h)} if h.world.counts["page"] < 3 else {"keys": KEYS, "token": False},
}
