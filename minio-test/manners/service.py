"""What MinIO answers to the requests of S3 that a ledger and its tests make."""

import fnmatch
import json
import re
import secrets
import threading
import time
import xml.etree.ElementTree as ElementTree
from base64 import b64decode, b64encode
from email.utils import formatdate
from hashlib import sha256
from urllib.parse import parse_qsl, quote_plus

import signature
from answers import NO_FEATURE, NO_KMS, Answer, Refusal, document, element
from objects import Bucket, Version, check_key, new_identity

BUCKET_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
XML = ("Content-Type", "application/xml")
CHECKSUM = "x-amz-checksum-sha256"
KMS_HEADERS = ("x-amz-server-side-encryption", "x-amz-server-side-encryption-customer-algorithm")
# What makes a request another one than it seems; each is answered or refused, never overlooked.
KNOWN_QUERIES = {
    "x-id", "versionId", "list-type", "prefix", "delimiter", "start-after", "continuation-token",
    "max-keys", "encoding-type", "fetch-owner", "location", "versioning", "versions", "policy",
    "delete", "key-marker", "version-id-marker", "marker"}


def day(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds % 1 * 1000):03}Z"


class Service:
    def __init__(self, access_key, secret_key, region, gap=None):
        self.root, self.region = access_key, region
        self.lock = threading.Lock()
        # Of each access key its secret, session token and the statements that bind it.
        self.users = {access_key: (secret_key, None, None)}
        self.buckets = {}
        self.gap = gap

    def secret(self, key):
        user = self.users.get(key)
        return user[0] if user else None

    def answer(self, request):
        if request.path.startswith("/minio/health/"):
            return Answer()
        user = signature.verify(request, self.secret, self.region)
        _, token, statements = self.users[user]
        if token and token != (
                request.header("x-amz-security-token")
                or request.parameters.get("X-Amz-Security-Token")):
            raise Refusal("AccessDenied")
        if request.path == "/" and request.method == "POST":
            return self.assume_role(request)
        if any(part in (".", "..") for part in request.path.split("/")):
            raise Refusal("XMinioInvalidResourceName")
        unknown = [name for name, _ in request.query
                   if name not in KNOWN_QUERIES and not name.lower().startswith(("x-amz-", "response-"))]
        if unknown:
            raise Refusal("NotImplemented", NO_FEATURE)
        if not request.bucket:
            return self.list_buckets(request)
        if statements is not None:
            self.authorize(request, statements)
        handler = getattr(
            self, ("object_" if request.key else "bucket_") + request.method.lower(), None)
        if handler is None:
            raise Refusal("MethodNotAllowed")
        return handler(request)

    def bucket(self, request):
        bucket = self.buckets.get(request.bucket)
        if bucket is None:
            raise Refusal("NoSuchBucket")
        return bucket

    # Users

    def assume_role(self, request):
        """Credentials for a while that a policy of their own binds; the root user's are bound by
        none."""
        ask = dict(parse_qsl(request.read().decode()))
        if ask.get("Action") != "AssumeRole":
            raise Refusal("NotImplemented", NO_FEATURE)
        statements = json.loads(ask["Policy"])["Statement"] if "Policy" in ask else None
        key, secret, token = secrets.token_hex(10).upper(), secrets.token_hex(20), secrets.token_hex(20)
        with self.lock:
            self.users[key] = (secret, token, statements)
        namespace = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"'
        return Answer(200, (
            f"<AssumeRoleResponse {namespace}><AssumeRoleResult><Credentials>"
            + element("AccessKeyId", key) + element("SecretAccessKey", secret)
            + element("SessionToken", token) + element("Expiration", day(time.time() + 3600))
            + "</Credentials></AssumeRoleResult></AssumeRoleResponse>"), [XML])

    def authorize(self, request, statements):
        resource = f"arn:aws:s3:::{request.bucket}"
        if request.key:
            resource += "/" + request.key
            action = {"PUT": "s3:PutObject", "DELETE": "s3:DeleteObject"}.get(
                request.method, "s3:GetObject")
        else:
            action = {"PUT": "s3:CreateBucket", "DELETE": "s3:DeleteBucket"}.get(
                request.method, "s3:ListBucket")
        bucket = self.buckets.get(request.bucket)
        if bucket and bucket.policy:
            denied = [s for s in json.loads(bucket.policy)["Statement"] if s["Effect"] == "Deny"]
            statements = statements + denied
        effects = {
            s["Effect"] for s in statements
            if matches(s["Action"], action) and matches(s["Resource"], resource)}
        if effects != {"Allow"}:
            raise Refusal("AccessDenied")

    # Buckets

    def list_buckets(self, request):
        if request.method != "GET":
            raise Refusal("MethodNotAllowed")
        buckets = "".join(
            "<Bucket>" + element("Name", b.name) + element("CreationDate", day(b.made)) + "</Bucket>"
            for b in list(self.buckets.values()))
        return Answer(200, document("ListAllMyBucketsResult", f"<Buckets>{buckets}</Buckets>"), [XML])

    def bucket_head(self, request):
        self.bucket(request)
        return Answer()

    def bucket_put(self, request):
        body, name = request.read(), request.bucket
        if "versioning" in request.parameters:
            status = ElementTree.fromstring(body).findtext("{*}Status")
            self.bucket(request).is_versioned = status == "Enabled"
            return Answer()
        if "policy" in request.parameters:
            self.bucket(request).policy = body
            return Answer(204)
        if not BUCKET_NAME.fullmatch(name):
            raise Refusal("InvalidBucketName")
        with self.lock:
            if name in self.buckets:
                raise Refusal("BucketAlreadyOwnedByYou")
            self.buckets[name] = Bucket(name, self.gap)
        return Answer(200, fields=[("Location", "/" + name)])

    def bucket_delete(self, request):
        bucket = self.bucket(request)
        if "policy" in request.parameters:
            bucket.policy = None
            return Answer(204)
        with self.lock:
            if bucket.versions:
                raise Refusal("BucketNotEmpty")
            del self.buckets[request.bucket]
        return Answer(204)

    def bucket_post(self, request):
        bucket = self.bucket(request)
        if "delete" not in request.parameters:
            raise Refusal("MethodNotAllowed")
        parts = []
        for item in ElementTree.fromstring(request.read()).findall("{*}Object"):
            key = item.findtext("{*}Key")
            bucket.delete(key, item.findtext("{*}VersionId"))
            parts.append("<Deleted>" + element("Key", key) + "</Deleted>")
        return Answer(200, document("DeleteResult", *parts), [XML])

    def bucket_get(self, request):
        bucket, ask = self.bucket(request), request.parameters
        if "location" in ask:
            return Answer(200, document("LocationConstraint"), [XML])
        if "versioning" in ask:
            status = element("Status", "Enabled") if bucket.is_versioned else ""
            return Answer(200, document("VersioningConfiguration", status), [XML])
        if "policy" in ask:
            if bucket.policy is None:
                raise Refusal("NoSuchBucketPolicy")
            return Answer(200, bucket.policy, [("Content-Type", "application/json")])
        if "versions" in ask:
            return self.list_versions(bucket, ask)
        if ask.get("list-type") != "2":
            raise Refusal("NotImplemented", NO_FEATURE)
        return self.list_objects(bucket, ask)

    def list_objects(self, bucket, ask):
        prefix, delimiter = ask.get("prefix", ""), ask.get("delimiter", "")
        shown, most = limit(ask)
        after = ask.get("start-after", "")
        if "continuation-token" in ask:
            after = opened(ask["continuation-token"])
        found, has_more = bucket.page(prefix, delimiter, after, most)
        # MinIO spells what stands in a query so, and asks for it to be read so.
        is_encoded = ask.get("encoding-type") == "url"
        spell = (lambda text: quote_plus(text, safe="/*")) if is_encoded else str
        parts = [element("Name", bucket.name), element("Prefix", spell(prefix))]
        if "start-after" in ask:
            parts.append(element("StartAfter", spell(ask["start-after"])))
        if "continuation-token" in ask:
            parts.append(element("ContinuationToken", ask["continuation-token"]))
        if has_more:
            parts.append(element("NextContinuationToken", sealed(found[-1][0])))
        parts += [element("KeyCount", len(found)), element("MaxKeys", shown)]
        if delimiter:
            parts.append(element("Delimiter", spell(delimiter)))
        parts.append(element("IsTruncated", "true" if has_more else "false"))
        owner = "<Owner><ID>02d6176db174dc93</ID><DisplayName>minio</DisplayName></Owner>"
        for key, version in found:
            if version:
                parts.append(
                    "<Contents>" + element("Key", spell(key))
                    + element("LastModified", day(version.written)) + element("ETag", version.etag)
                    + element("Size", len(version.body))
                    + (owner if ask.get("fetch-owner") == "true" else "")
                    + element("StorageClass", "STANDARD") + "</Contents>")
        for key, version in found:
            if not version:
                parts.append("<CommonPrefixes>" + element("Prefix", spell(key)) + "</CommonPrefixes>")
        if is_encoded:
            parts.append(element("EncodingType", "url"))
        return Answer(200, document("ListBucketResult", *parts), [XML])

    def list_versions(self, bucket, ask):
        shown, most = limit(ask)
        found, has_more = bucket.page(
            ask.get("prefix", ""), "", ask.get("key-marker", ""), most, versions=True)
        parts = [element("Name", bucket.name), element("Prefix", ask.get("prefix", "")),
                 element("KeyMarker", ask.get("key-marker", "")), element("MaxKeys", shown),
                 element("IsTruncated", "true" if has_more else "false")]
        if has_more:
            parts.append(element("NextKeyMarker", found[-1][0]))
        for key, versions in found:
            for version in reversed(versions):
                name = "DeleteMarker" if version.is_deleted else "Version"
                size = "" if version.is_deleted else (
                    element("ETag", version.etag) + element("Size", len(version.body)))
                parts.append(
                    f"<{name}>" + element("Key", key) + element("LastModified", day(version.written))
                    + size + element("IsLatest", "true" if version is versions[-1] else "false")
                    + element("VersionId", version.identity) + f"</{name}>")
        return Answer(200, document("ListVersionsResult", *parts), [XML])

    # Objects

    def object_put(self, request):
        bucket = self.bucket(request)
        check_key(request.key)
        if any(request.header(name) for name in KMS_HEADERS):
            raise Refusal("NotImplemented", NO_KMS)
        if request.header("x-amz-copy-source"):
            raise Refusal("NotImplemented", NO_FEATURE)
        if_match, if_none_match = request.header("if-match"), request.header("if-none-match")
        # Once before the body is read, and again when it is there and nobody else writes.
        bucket.check(request.key, if_match, if_none_match)
        version = Version(
            request.read(), new_identity(), request.header("content-type") or "binary/octet-stream",
            request.header(CHECKSUM))
        if version.checksum not in (None, b64encode(sha256(version.body).digest()).decode()):
            raise Refusal("XAmzContentChecksumMismatch")
        bucket.put(request.key, version, if_match, if_none_match)
        return Answer(200, fields=[("ETag", version.etag), *version_field(version)])

    def object_get(self, request):
        bucket = self.bucket(request)
        check_key(request.key)
        identity = request.parameters.get("versionId")
        if identity is None:
            version = bucket.current(request.key)
        else:
            kept = [v for v in bucket.versions.get(request.key, []) if v.identity == identity]
            version = kept[0] if kept and not kept[0].is_deleted else None
        if version is None:
            raise Refusal("NoSuchKey" if identity is None else "NoSuchVersion")
        fields = [
            ("Content-Type", request.parameters.get("response-content-type", version.content_type)),
            ("ETag", version.etag), *version_field(version),
            ("Last-Modified", formatdate(version.written, usegmt=True))]
        if version.checksum and request.header("x-amz-checksum-mode") == "ENABLED":
            fields.append((CHECKSUM, version.checksum))
        if request.header("if-none-match") in (version.etag, "*"):
            return Answer(304, fields=fields)
        if_match = request.header("if-match")
        if if_match not in (None, "*", version.etag):
            raise Refusal("PreconditionFailed", fields=fields[1:2])
        body, status = version.body, 200
        span = re.fullmatch(r"bytes=(\d+)-(\d*)", request.header("range") or "")
        if span:
            first, last = int(span[1]), min(int(span[2] or len(body)), len(body) - 1)
            if first >= len(body):
                raise Refusal("InvalidRange")
            fields.append(("Content-Range", f"bytes {first}-{last}/{len(body)}"))
            body, status = body[first:last + 1], 206
        return Answer(status, body, fields)

    object_head = object_get

    def object_delete(self, request):
        bucket = self.bucket(request)
        check_key(request.key)
        bucket.delete(request.key, request.parameters.get("versionId"))
        return Answer(204)


def version_field(version):
    return [] if version.identity == "null" else [("X-Amz-Version-Id", version.identity)]


def matches(patterns, text):
    patterns = [patterns] if isinstance(patterns, str) else patterns
    return any(fnmatch.fnmatchcase(text, pattern) for pattern in patterns)


def limit(ask):
    """What the answer calls the most keys, and what it holds."""
    text = ask.get("max-keys", "1000")
    if not text.isdecimal() or int(text) > 2147483647:
        raise Refusal("InvalidArgument", "Argument maxKeys must be an integer between 0 and 2147483647")
    return int(text), min(int(text), 1000)


def sealed(key):
    return b64encode((key + "[minio_cache:v2,return:]").encode()).decode()


def opened(token):
    try:
        key, found, _ = b64decode(token, validate=True).decode().rpartition("[minio_cache:")
    except ValueError:
        found = ""
    if not found:
        raise Refusal("InvalidArgument", "The continuation token provided is incorrect")
    return key
