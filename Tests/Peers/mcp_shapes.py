"""Checks every message of a recorded server against the shapes of the public protocol.

Reads a record of mcp_tap.py on stdin; prints counts as JSON, or fails with what is wrong. The shapes
are written from the specification's five revisions, as JSON Schema 2020-12. Beyond them:
stdout holds messages and nothing else, byte by byte; every request is answered once, a cancelled
one at most once; what a tool answers fits its output schema and stands there as text too.
"""

import base64
import collections
import json
import re
import sys

import jsonschema

HANDSHAKE = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"

TEXT = {"type": "string"}
FLAG = {"type": "boolean"}


def shape(properties, optional=(), closed=False):
    """An object with these members, all required but the optional ones."""
    return {
        "type": "object", "properties": properties,
        "required": [name for name in properties if name not in optional],
        **({"additionalProperties": False} if closed else {})}


IMPLEMENTATION = shape({"name": TEXT, "version": TEXT, "title": TEXT}, optional=["title"])
CAPABILITIES = shape({"tools": shape({"listChanged": FLAG}, optional=["listChanged"])})
SCHEMA_OBJECT = {
    "type": "object", "required": ["type"],
    "properties": {
        "type": {"const": "object"},
        "properties": {"type": "object", "additionalProperties": {"type": "object"}},
        "required": {"type": "array", "items": TEXT}}}


def tool(version):
    properties = {
        "name": {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,128}$"}, "description": TEXT,
        "inputSchema": SCHEMA_OBJECT}
    if version >= "2025-03-26":
        properties["annotations"] = shape({
            "title": TEXT, "readOnlyHint": {"const": True}, "destructiveHint": {"const": False},
            "idempotentHint": {"const": True}, "openWorldHint": {"const": False}})
    if version >= "2025-06-18":
        properties["title"] = TEXT
        properties["outputSchema"] = SCHEMA_OBJECT
    # A member of a later revision has no place in an older one.
    return shape(properties, closed=True)


def result(method, version):
    """The shape of a method's result."""
    if method == "initialize":
        return shape({
            "protocolVersion": {"enum": HANDSHAKE}, "capabilities": CAPABILITIES,
            "serverInfo": IMPLEMENTATION, "instructions": TEXT}, optional=["instructions"],
            closed=True)
    properties = {
        "ping": {},
        "server/discover": {
            "supportedVersions": {"type": "array", "items": TEXT, "contains": {"const": MODERN}},
            "capabilities": CAPABILITIES, "instructions": TEXT},
        "tools/list": {"tools": {"type": "array", "items": tool(version), "minItems": 1}},
        "tools/call": {
            "content": {
                "type": "array", "minItems": 1,
                "items": shape({"type": {"const": "text"}, "text": TEXT}, closed=True)},
            "isError": FLAG},
    }[method]
    if method == "tools/call" and version >= "2025-06-18":
        properties["structuredContent"] = {"type": "object"}
    if version >= MODERN:
        properties["resultType"] = {"const": "complete"}
        properties["_meta"] = shape({META + "serverInfo": IMPLEMENTATION})
        if method != "tools/call":
            properties["ttlMs"] = {"type": "integer", "minimum": 0}
            properties["cacheScope"] = {"enum": ["public", "private"]}
    return shape(properties, closed=True)


ID = {"type": ["string", "integer"]}
RESULT = shape({"jsonrpc": {"const": "2.0"}, "id": ID, "result": {"type": "object"}}, closed=True)
ERROR = {
    **shape({
        "jsonrpc": {"const": "2.0"}, "id": {"type": ["string", "integer", "null"]},
        "error": shape({"code": {"type": "integer"}, "message": TEXT, "data": {}},
                       optional=["data"], closed=True)}, closed=True),
    "allOf": [
        # Only what could not be read has no id.
        {"if": {"properties": {"id": {"type": "null"}}},
         "then": {"properties": {"error": {"properties": {"code": {"enum": [-32700, -32600]}}}}}},
        {"if": {"properties": {"error": {"properties": {"code": {"const": -32022}}}}},
         "then": {"properties": {"error": {
             "required": ["data"],
             "properties": {"data": shape({
                 "supported": {"type": "array", "items": TEXT, "minItems": 1},
                 "requested": TEXT})}}}}},
        {"properties": {"error": {"properties": {"code": {
            "enum": [-32700, -32600, -32601, -32602, -32603, -32022]}}}}},
    ]}


def valid(value, schema):
    jsonschema.Draft202012Validator(schema).validate(value)


def members(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), f"a member twice: {pairs}"
    return dict(pairs)


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def strict(line):
    return json.loads(line.decode("utf-8"), object_pairs_hook=members, parse_constant=refuse)


def key(value):
    """An id as something that tells 1 from "1"."""
    return (type(value).__name__, value)


class Conversation:
    def __init__(self):
        self.agreed = None
        self.asked = collections.defaultdict(list)
        self.answers = collections.Counter()
        self.cancelled = set()
        self.ids = set()
        self.schemas = {}
        self.counts = collections.Counter()

    def client(self, line):
        try:
            value = json.loads(line.decode("utf-8"))
        except ValueError:
            return
        if isinstance(value, list) and self.agreed != "2025-03-26":
            return
        for message in value if isinstance(value, list) else [value]:
            if isinstance(message, dict):
                self.client_message(message)

    def client_message(self, message):
        method, params = message.get("method"), message.get("params") or {}
        name = message.get("id")
        if isinstance(name, (str, int)) and not isinstance(name, bool):
            self.ids.add(key(name))
            meta = params.get("_meta") if isinstance(params, dict) else None
            version = meta.get(META + "protocolVersion") if isinstance(meta, dict) else None
            if method == "initialize" and isinstance(params, dict):
                version = params.get("protocolVersion")
                version = version if version in HANDSHAKE else HANDSHAKE[-1]
                self.agreed = version
            if isinstance(method, str):
                self.counts["requests"] += 1
                self.asked[key(name)].append((method, version or self.agreed, params))
        elif method == "notifications/cancelled" and "requestId" in params:
            self.cancelled.add(key(params["requestId"]))

    def server(self, line):
        assert line and b"\r" not in line, f"an empty line or a carriage return: {line[:80]}"
        value = strict(line)
        if isinstance(value, list):
            assert self.agreed == "2025-03-26" and value, "an array outside a batch"
            self.counts["batches"] += 1
        for message in value if isinstance(value, list) else [value]:
            self.counts["answers"] += 1
            self.server_message(message)

    def server_message(self, message):
        assert "method" not in message, f"the server asks: {message}"
        if "error" in message:
            valid(message, ERROR)
            self.counts[str(message["error"]["code"])] += 1
            if message["id"] is not None:
                assert key(message["id"]) in self.ids, f"an error for nobody: {message}"
                self.answers[key(message["id"])] += 1
            return
        valid(message, RESULT)
        name = key(message["id"])
        assert self.asked[name], f"an answer to nobody: {message}"
        self.answers[name] += 1
        method, version, params = self.asked[name][0]
        valid(message["result"], result(method, version))
        self.counts[f"{version} {method}"] += 1
        if method == "tools/list":
            self.learn(message["result"]["tools"])
        if method == "tools/call":
            self.tool_result(params["name"], message["result"])

    def learn(self, tools):
        for described in tools:
            for member in ["inputSchema", "outputSchema"]:
                if member in described:
                    jsonschema.Draft202012Validator.check_schema(described[member])
                    # Clients of older revisions may read the schemas as their dialect.
                    jsonschema.Draft7Validator.check_schema(described[member])
            if "outputSchema" in described:
                self.schemas[re.sub("[._]", "_", described["name"])] = described["outputSchema"]

    def tool_result(self, name, result):
        assert len(result["content"]) == 1
        spelled = strict(result["content"][0]["text"].encode())
        if "structuredContent" in result:
            assert spelled == result["structuredContent"], "the text says something else"
        assert result["isError"] == ("error" in spelled), f"isError is wrong: {result}"
        schema = self.schemas.get(re.sub("[._]", "_", name))
        if schema:
            valid(spelled, schema)
            self.counts["fits its schema"] += 1
        if result["isError"]:
            self.counts[spelled["error"]["code"]] += 1
        else:
            nulls(spelled)
            self.counts["nulls explained"] += 1

    def end(self):
        for name, asked in self.asked.items():
            count = self.answers[name]
            if name in self.cancelled:
                assert count <= len(asked), f"{name} was answered {count} times"
            else:
                assert count == len(asked), f"{name}: {len(asked)} asked, {count} answered"


def nulls(found):
    """Every null of an answer has exactly one reason, and every date asked for is accounted for."""
    coverage = found["coverage"]
    dates = spans(coverage["missing"])
    assert coverage["asked"] == coverage["found"] + len(dates) + len(coverage["invalid"])
    if "date" in found:
        absent = {name for name, value in found["metrics"].items() if value is None}
        assert absent == set(found["null_reasons"]), found
        return
    assert len(found["days"]) == coverage["found"]
    assert not set(found["days"]) & (set(dates) | set(coverage["invalid"]))
    assert sorted(spans(sum(found["timezones"].values(), []))) == sorted(found["days"])
    for column, name in enumerate(found["metrics"]):
        absent = sorted(date for date, row in found["days"].items() if row[column] is None)
        assert sorted(spans(sum(found["null_reasons"].get(name, {}).values(), []))) == absent, name


def spans(words):
    """The dates of a list of dates and FROM/TO."""
    import datetime
    dates = []
    for word in words:
        first, _, last = word.partition("/")
        day = datetime.date.fromisoformat(first)
        while day <= datetime.date.fromisoformat(last or first):
            dates.append(day.isoformat())
            day += datetime.timedelta(days=1)
    return dates


def check(entries):
    """Checks a record's entries, in their order, and returns the counts."""
    conversation = Conversation()
    rest = {"client": b"", "server": b""}
    for entry in entries:
        if "from" not in entry:
            continue
        side = entry["from"]
        *lines, rest[side] = (rest[side] + base64.b64decode(entry["bytes"])).split(b"\n")
        for line in lines:
            getattr(conversation, side)(line)
    if rest["client"]:
        conversation.client(rest["client"])
    assert rest["server"] == b"", f"the last line has no newline: {rest['server'][:80]}"
    conversation.end()
    return dict(conversation.counts)


if __name__ == "__main__":
    print(json.dumps(check(json.loads(line) for line in sys.stdin if line.strip())))
