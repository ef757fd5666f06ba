"""Buckets in memory. One lock per bucket makes each conditional write atomic."""

import bisect
import hashlib
import threading
import time
import uuid
from dataclasses import dataclass, field

from answers import Refusal


@dataclass
class Version:
    body: bytes | None
    identity: str
    content_type: str = "binary/octet-stream"
    # The SHA-256 that the writer has sent, in base64.
    checksum: str | None = None
    written: float = field(default_factory=time.time)

    def __post_init__(self):
        self.etag = '"' + hashlib.md5(self.body or b"", usedforsecurity=False).hexdigest() + '"'

    @property
    def is_deleted(self):
        return self.body is None


class Bucket:
    def __init__(self, name, gap=None):
        self.name = name
        # If there is one, a write checks, waits so many seconds and stores, as no store should.
        self.gap = gap
        self.made = time.time()
        self.lock = threading.Lock()
        self.is_versioned = False
        self.policy = None
        # Newest last. The keys are kept in order, as bytes compare, for listings.
        self.versions = {}
        self.order = []

    def current(self, key):
        """The object, or None; a delete marker is none."""
        versions = self.versions.get(key)
        return versions[-1] if versions and not versions[-1].is_deleted else None

    def check(self, key, if_match, if_none_match):
        """Refuses what the object as it is now forbids; called under the lock to be binding."""
        version = self.current(key)
        if if_none_match is not None and version is not None:
            if if_none_match == "*" or bare(if_none_match) == bare(version.etag):
                raise self.failed(version)
        if if_match is not None:
            if version is None:
                raise Refusal("NoSuchKey")
            if if_match != "*" and bare(if_match) != bare(version.etag):
                raise self.failed(version)

    @staticmethod
    def failed(version):
        return Refusal("PreconditionFailed", fields=[("ETag", version.etag)], closes=True)

    def put(self, key, version, if_match, if_none_match):
        if self.gap is not None:
            self.check(key, if_match, if_none_match)
            time.sleep(self.gap)
            with self.lock:
                self.add(key, version)
            return
        with self.lock:
            self.check(key, if_match, if_none_match)
            self.add(key, version)

    def add(self, key, version):
        versions = self.versions.get(key)
        if versions is None:
            versions = self.versions[key] = []
            bisect.insort(self.order, key.encode())
        if not self.is_versioned:
            versions[:] = [kept for kept in versions if kept.identity != "null"]
            version.identity = "null"
        versions.append(version)

    def delete(self, key, identity=None):
        with self.lock:
            versions = self.versions.get(key)
            if versions is None:
                return
            if identity is None and self.is_versioned:
                self.add(key, Version(None, new_identity()))
            elif identity is None:
                versions.clear()
            else:
                versions[:] = [kept for kept in versions if kept.identity != identity]
            if not versions:
                del self.versions[key]
                del self.order[bisect.bisect_left(self.order, key.encode())]

    def page(self, prefix, delimiter, after, most, versions=None):
        """Keys and common prefixes greater than `after`, in order, at most so many; then whether
        there are more."""
        found, start = [], max(prefix.encode(), after.encode())
        with self.lock:
            index = bisect.bisect_left(self.order, start)
            while index < len(self.order):
                key = self.order[index].decode()
                index += 1
                if not key.startswith(prefix):
                    break
                end = key.find(delimiter, len(prefix)) if delimiter else -1
                if end >= 0:
                    key = key[:end + len(delimiter)]
                    index = bisect.bisect_left(self.order, key.encode() + b"\xff\xff")
                if key <= after or (versions is None and end < 0 and self.current(key) is None):
                    continue
                if len(found) == most:
                    return found, most > 0
                listed = self.versions[key] if versions else self.current(key)
                found.append((key, None if end >= 0 else listed))
        return found, False


def bare(etag):
    return etag.strip('"')


def new_identity():
    return str(uuid.uuid4())


def check_key(key):
    """What MinIO's file system refuses."""
    if any(part in (".", "..") for part in key.split("/")):
        raise Refusal("XMinioInvalidResourceName")
    if len(key.encode()) > 1024:
        raise Refusal("KeyTooLongError")
    inner = key.removesuffix("/")
    if key.startswith("/") or any(not 0 < len(part.encode()) <= 255 for part in inner.split("/")):
        raise Refusal("XMinioInvalidObjectName")
