"""What the store and PostgreSQL alone allow: a client that makes the requests and statements of
s3healthd over kept connections, prepared ahead, and nothing else. See hub_load.py.
"""

import collections
import gzip
import re
import socket
import sys
import threading
import time
import urllib.parse


class Kept:
    """A kept connection for requests that are prepared ahead, so that the client takes little time."""

    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def ask(self, request):
        """The status and the body of the answer."""
        self.socket.sendall(request)
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        status = int(head[9:12])
        length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
        if b"chunked" in head.lower():
            while not self.rest.endswith(b"0\r\n\r\n"):
                self.more()
            body, self.rest = self.rest, b""
            return status, body
        size = int(length.group(1)) if length and status not in (204, 304) else 0
        while len(self.rest) < size:
            self.more()
        body, self.rest = self.rest[:size], self.rest[size:]
        return status, body

    def more(self):
        found = self.socket.recv(1 << 16)
        if not found:
            raise ConnectionError("the server has closed the connection")
        self.rest += found


def prepared(method, target, host, content=b"", headers=()):
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(content)}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def kind(method, key):
    """The kind of a request of s3healthd, by the key in its log; None for requests at its start."""
    if key == "-":
        return "list"
    if "/.probe/" in key or key.endswith("/.zones"):
        return None
    if "/.pending/" in key:
        return f"{method} marker"
    if "/streams/" in key:
        return f"{method} batch"
    return f"{method} pointer" if key.endswith("latest.json") else f"{method} revision"


def at_once(width, work):
    """Runs the work in `width` threads and waits for all of them."""
    threads = [threading.Thread(target=work) for _ in range(width)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def counted(lines):
    """How many requests of each kind a log of `serve -v` has."""
    found = collections.Counter()
    for line in lines:
        said = re.search(r"s3health\.s3: .*key=(\S+) method=(\S+)", line)
        if said and (name := kind(said.group(2), said.group(1))):
            found[name] += 1
    return found


class Alone:
    """The store's requests of many posts.

    `rates` says how many of each kind s3healthd makes for a post. Markers and batches are written for
    each post; the others, which are for days, are spread over the posts.
    """

    def __init__(self, endpoint, bucket, prefix, bodies, rates, has_marker):
        import boto3
        from botocore.config import Config

        self.client = boto3.client("s3", endpoint_url=endpoint, config=Config(
            s3={"addressing_style": "path"}, signature_version="s3v4"))
        self.place, self.bucket = urllib.parse.urlsplit(endpoint), bucket
        self.posts, owed = [], collections.Counter()
        for number, content in enumerate(bodies):
            packed, marker = gzip.compress(content, 3), f"{prefix}/.pending/{number}"
            asked = []
            if has_marker:
                asked.append(self.put(marker, b"{}" * 100))
            asked.append(self.put(f"{prefix}/batch/{number}.json.gz", packed))
            for name, rate in rates.items():
                if name in ("PUT marker", "PUT batch"):
                    continue
                owed[name] += rate
                while owed[name] >= 1:
                    owed[name] -= 1
                    asked.append(self.beside(name, prefix, marker, number))
            self.posts.append(asked)

    def put(self, key, content):
        return self.request("PUT", "put_object", content, Key=key)

    def beside(self, name, prefix, marker, number):
        day = f"{prefix}/health/v0/2026/01/{1 + number % 30:02}/"
        match name:
            case "list":
                return self.request("GET", "list_objects_v2", Prefix=day)
            case "DELETE marker":
                return self.request("DELETE", "delete_object", Key=marker)
            case "PUT revision":
                return self.put(f"{day}{number}.json", b"{}" * 400)
            case "PUT pointer":
                return self.request("PUT", "put_object", b"{}" * 60, False, Key=f"{day}latest.json")
            case "GET batch":
                return self.request("GET", "get_object", Key=f"{prefix}/batch/{number}.json.gz")
        return self.request("GET", "get_object", Key=f"{day}latest.json")

    def request(self, method, operation, content=b"", creates=True, **values):
        url = urllib.parse.urlsplit(self.client.generate_presigned_url(
            operation, {"Bucket": self.bucket, **values}, ExpiresIn=3600))
        only = [("If-None-Match", "*")] if method == "PUT" and creates else []
        return prepared(method, f"{url.path}?{url.query}", url.netloc, content, only)

    def run(self, seconds, width, rows=None):
        """Posts a second. `rows` makes the statements for a post on a connection to PostgreSQL."""
        rest, done, wrong, lock = self.posts, [], [], threading.Lock()
        began = time.monotonic()

        def work():
            connection = Kept(self.place.hostname, self.place.port)
            database = rows.connect() if rows else None
            while time.monotonic() < began + seconds:
                with lock:
                    if not rest:
                        return
                    asked = rest.pop()
                    number = len(rest)
                if rows:
                    rows.order(database)
                for request in asked:
                    status, found = connection.ask(request)
                    # A day that has no pointer yet has none to read.
                    if status not in (200, 204) and not (status == 404 and request[:3] == b"GET"):
                        wrong.append(f"the store: {status} {found[:300]!r}")
                        return
                if rows:
                    rows.store(database, number)
                done.append(1)

        at_once(width, work)
        if wrong:
            sys.exit(wrong[0])
        return len(done) / (time.monotonic() - began)


class Rows:
    """The statements with which s3healthd stores new records."""

    def __init__(self, database, records):
        import psycopg

        # Sorted, and as COPY takes them.
        self.records = [
            "".join(sorted(
                f"{r['healthkit_uuid']}\t2026-01-01T00:00:00Z\t{'a' * 64}\t{r['value']}\t{r['unit']}"
                f"\t{r['timezone']}\n" for r in rows)).encode()
            for rows in records]
        self.connect = lambda: psycopg.connect(database, autocommit=True)
        with self.connect() as connection:
            connection.execute("TRUNCATE ios_apple_health_metrics, s3health_metric_orders")

    def order(self, connection):
        connection.execute(
            "UPDATE s3health_receipts SET last_order = greatest(last_order + 1, %s::bigint)"
            " RETURNING last_order", (time.time_ns() // 1000,)).fetchone()

    def store(self, connection, number):
        with connection.transaction():
            connection.execute(
                "CREATE TEMP TABLE IF NOT EXISTS incoming (healthkit_uuid TEXT, at TIMESTAMPTZ, id TEXT,"
                " value DOUBLE PRECISION, unit TEXT, timezone TEXT) ON COMMIT DELETE ROWS;"
                " SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off")
            with connection.cursor().copy("COPY incoming FROM STDIN") as copy:
                copy.write(self.records[number])
            connection.execute(
                'INSERT INTO s3health_metric_orders (healthkit_uuid, posted_at, posted_id, posted_value,'
                ' posted_unit, posted_timezone) SELECT * FROM incoming'
                ' ORDER BY healthkit_uuid COLLATE "C"')
            connection.execute(
                "INSERT INTO ios_apple_health_metrics (healthkit_uuid, date, type, value, unit, timezone)"
                " SELECT healthkit_uuid, (left(healthkit_uuid, 10) || 'T00:00:00Z')::timestamptz,"
                " substr(healthkit_uuid, 12), value, unit, timezone FROM incoming AS new"
                " WHERE NOT EXISTS (SELECT FROM ios_apple_health_metrics AS kept"
                " WHERE kept.healthkit_uuid = new.healthkit_uuid)"
                ' ORDER BY healthkit_uuid COLLATE "C"')
