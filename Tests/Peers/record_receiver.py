"""A server of records (SPEC R56) that gives out after a while.

    POST /WORLD/api/ingest/health-KIND   records; X-Device-Token is not taken, only Bearer
    POST /WORLD/allow/N                  takes N more requests, then answers 503; -1: any number
    GET  /WORLD/log                      what arrived, as JSON

The newest record of a metric counts. Bob has a token of his own, and his rows are `bob health-KIND`.
Written from the document alone. Requests of more than 300 records are answered with 413. The first
line of stdout is {"port": N}; the server ends when stdin is closed.
"""

import json
import threading

import peer_server
from peer_server import Server

LOCK = threading.Lock()
WORLDS = {}
TOKEN = "token-of-the-tests"
BOB = "token-of-bob"


class Handler(peer_server.Handler):
    def world(self, name):
        return WORLDS.setdefault(
            name, {"allowed": -1, "rows": {}, "taken": 0, "refused": 0, "large": 0, "keys": []})

    def do_GET(self):
        name, what = self.path.strip("/").split("/")
        with LOCK:
            self.reply(200 if what == "log" else 404, self.world(name))

    def do_POST(self):
        parts = self.path.strip("/").split("/")
        body = self.body()
        with LOCK:
            world = self.world(parts[0])
            if parts[1] == "allow":
                world["allowed"] = int(parts[2])
                return self.reply(200, {})
            if parts[1:3] != ["api", "ingest"] or not parts[3].startswith("health-"):
                return self.reply(404, {})
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            if token not in (TOKEN, BOB):
                return self.reply(401, {})
            records = json.loads(body)["records"]
            if len(records) > 300:
                world["large"] += 1
                return self.reply(413, {})
            if world["allowed"] == 0:
                world["refused"] += 1
                return self.reply(503, {}, [("Retry-After", "0")])
            world["allowed"] -= 1
            world["taken"] += 1
            world["keys"].append(self.headers.get("Idempotency-Key"))
            table = ("bob " if token == BOB else "") + parts[3]
            rows = world["rows"].setdefault(table, {})
            before = len(rows)
            for record in records:
                rows.setdefault(record["healthkit_uuid"], record)
                if parts[3] == "health-metrics":
                    rows[record["healthkit_uuid"]] = record
            inserted = len(rows) - before
            self.reply(200, {
                "received": len(records), "inserted": inserted, "duplicates": len(records) - inserted})


peer_server.tell(port=Server(Handler).server_port)
