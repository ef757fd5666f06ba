"""Signature Version 4 as MinIO checks it, of a header or of a presigned URL."""

import calendar
import hashlib
import hmac
import time
from functools import lru_cache
from urllib.parse import quote

from answers import UNSIGNED_HEADERS, Refusal

SKEW = 15 * 60
UNSIGNED = "UNSIGNED-PAYLOAD"
STREAMS = "STREAMING-"


@lru_cache(maxsize=1024)
def signing_key(secret, day, region, service):
    key = ("AWS4" + secret).encode()
    for part in (day, region, service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key


def encoded(text):
    return quote(text, safe="-_.~")


def parse_time(text):
    try:
        return calendar.timegm(time.strptime(text, "%Y%m%dT%H%M%SZ"))
    except ValueError:
        raise Refusal("MissingFields") from None


def parts(request):
    """The fields of the signature, wherever they stand, and whether it is a presigned one."""
    authorization = request.header("authorization")
    if authorization:
        algorithm, _, rest = authorization.partition(" ")
        if algorithm != "AWS4-HMAC-SHA256":
            raise Refusal("MissingFields")
        fields = dict(
            part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
        if set(fields) != {"Credential", "SignedHeaders", "Signature"}:
            raise Refusal("MissingFields")
        return fields, request.header("x-amz-date") or "", False
    query = dict(request.query)
    if "X-Amz-Signature" not in query:
        raise Refusal("AccessDenied")
    fields = {
        "Credential": query.get("X-Amz-Credential", ""),
        "SignedHeaders": query.get("X-Amz-SignedHeaders", ""),
        "Signature": query["X-Amz-Signature"]}
    return fields, query.get("X-Amz-Date", ""), True


def canonical_headers(request, names):
    lines = ""
    for name in names:
        values = request.headers.get(name)
        if values is None:
            raise Refusal("AccessDenied", status=400, message=UNSIGNED_HEADERS)
        lines += name + ":" + ",".join(" ".join(value.split()) for value in values) + "\n"
    return lines


def verify(request, secrets, region, now=time.time):
    """The access key that signed the request, which a check has proven; else a refusal."""
    fields, date, is_presigned = parts(request)
    scope = fields["Credential"].rsplit("/", 4)
    if len(scope) != 5 or scope[4] != "aws4_request" or scope[3] not in ("s3", "sts"):
        raise Refusal("MissingFields")
    key, day, signed_region, service, _ = scope
    if signed_region != region:
        raise Refusal("AuthorizationHeaderMalformed", region)
    secret = secrets(key)
    if secret is None:
        raise Refusal("InvalidAccessKeyId")
    names = fields["SignedHeaders"].split(";")
    if "host" not in names:
        raise Refusal("AccessDenied", status=400, message=UNSIGNED_HEADERS)
    headers = canonical_headers(request, names)
    signed_at = parse_time(date)
    query = [pair for pair in request.query if pair[0] != "X-Amz-Signature"]
    if is_presigned:
        if now() > signed_at + int(dict(query).get("X-Amz-Expires", "0")):
            raise Refusal("AccessDenied", message="Request has expired")
        if now() < signed_at - SKEW:
            raise Refusal("AccessDenied", message="Request is not valid yet")
        payload = dict(query).get("X-Amz-Content-Sha256", UNSIGNED)
    else:
        if abs(now() - signed_at) > SKEW:
            raise Refusal("RequestTimeTooSkewed")
        payload = request.header("x-amz-content-sha256") or UNSIGNED
        if service == "sts":
            payload = hashlib.sha256(request.read()).hexdigest()
    canonical = "\n".join([
        request.method, quote(request.path, safe="/-_.~"),
        "&".join(sorted(f"{encoded(name)}={encoded(value)}" for name, value in query)),
        headers, ";".join(names), payload])
    text = "\n".join([
        "AWS4-HMAC-SHA256", date, "/".join(scope[1:]),
        hashlib.sha256(canonical.encode()).hexdigest()])
    expected = hmac.new(
        signing_key(secret, day, region, service), text.encode(), hashlib.sha256).hexdigest()
    if not date.startswith(day) or not hmac.compare_digest(expected, fields["Signature"]):
        raise Refusal("SignatureDoesNotMatch")
    if payload.startswith(STREAMS):
        raise Refusal("NotImplemented", "Chunked signatures are not implemented")
    request.payload_hash = None if payload == UNSIGNED else payload
    return key
