"""Checks every message of a recorded server against the shapes of the public protocol.

Reads a record of mcp_tap.py on stdin; prints counts as JSON, or fails with what is wrong. The shapes
are written from the specification's five revisions, as JSON Schema 2020-12. Beyond them:
stdout holds messages and nothing else, byte by byte; every request is answered once, a cancelled
one at most once; what a tool answers fits its output schema and is given as text too; every
member of a schema is described, and no word for an agent names a rule of this project.
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
CAPABILITIES = shape({
    name: shape({"listChanged": FLAG}, optional=["listChanged"])
    for name in ["tools", "resources", "prompts"]}, closed=True)
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
        # Since 2025-06-18 the title stands beside.
        title = {"title": TEXT} if version < "2025-06-18" else {}
        properties["annotations"] = shape({
            **title, "readOnlyHint": {"const": True}, "destructiveHint": {"const": False},
            "idempotentHint": {"const": True}, "openWorldHint": {"const": False}}, closed=True)
    if version >= "2025-06-18":
        properties["title"] = TEXT
        properties["outputSchema"] = SCHEMA_OBJECT
    # A member of a later revision has no place in an older one.
    return shape(properties, closed=True)


def named(version, more, optional=()):
    """What a list names: since 2025-06-18 with a title."""
    title = {"title": TEXT} if version >= "2025-06-18" else {}
    return shape(
        {"name": TEXT, "description": TEXT, **title, **more}, optional=optional, closed=True)


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
        "resources/list": {
            "resources": {"type": "array", "items": named(version, {"uri": TEXT, "mimeType": TEXT})}},
        "resources/templates/list": {
            "resourceTemplates": {
                "type": "array",
                "items": named(version, {"uriTemplate": TEXT, "mimeType": TEXT})}},
        "resources/read": {
            "contents": {
                "type": "array", "minItems": 1,
                "items": shape({"uri": TEXT, "mimeType": TEXT, "text": TEXT}, closed=True)}},
        "prompts/list": {
            "prompts": {"type": "array", "items": named(version, {
                "arguments": {"type": "array", "items": shape(
                    {"name": TEXT, "description": TEXT, "required": FLAG}, closed=True)}},
                optional=["arguments"])}},
        "prompts/get": {
            "description": TEXT,
            "messages": {"type": "array", "minItems": 1, "items": shape({
                "role": {"enum": ["user", "assistant"]},
                "content": shape({"type": {"const": "text"}, "text": TEXT}, closed=True)},
                closed=True)}},
    }[method]
    if method == "tools/call" and version >= "2025-06-18":
        properties["structuredContent"] = {"type": "object"}
    if version >= MODERN:
        properties["resultType"] = {"const": "complete"}
        properties["_meta"] = shape({META + "serverInfo": IMPLEMENTATION})
        if method not in ("tools/call", "prompts/get"):
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
            "enum": [-32700, -32600, -32601, -32602, -32603, -32022, -32002]}}}}},
    ]}


def valid(value, schema):
    jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.FormatChecker(["date"])).validate(value)


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
        # A batch is refused whole.
        if isinstance(value, dict):
            self.client_message(value)

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
        self.counts["answers"] += 1
        self.server_message(strict(line))

    def server_message(self, message):
        assert "method" not in message, f"the server asks: {message}"
        if "error" in message:
            valid(message, ERROR)
            self.counts[str(message["error"]["code"])] += 1
            plain(message)
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
        if method in ("initialize", "server/discover", "tools/list"):
            plain(message)
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
                    all_described(described[member], described["name"])
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
            self.as_in_daily(spelled)
        if result["isError"]:
            self.counts[spelled["error"]["code"]] += 1
            plain(spelled)
        else:
            text = result["content"][0]["text"]
            assert not re.search(r"[0-9]\.[0-9]{7}", text), "a number of over six decimals"
            if "columns" in spelled:
                assert text.index('"columns":') < text.index('"days":'), "rows before columns"
            nulls(spelled)
            self.counts["nulls explained"] += 1

    def as_in_daily(self, found):
        """What a schema says to be as in another tool is held against that tool's schema."""
        parts = self.schemas["health_read_daily_metrics"]["properties"]
        ranges = self.schemas["health_read_range_metrics"]["properties"]
        for part in [found, found.get("compared", {}), *found.get("data", [])]:
            for name in ["metric_units", "sources"]:
                if name in part:
                    valid(part[name], parts[name])
            if "days_not_over" in part:
                valid(part["days_not_over"], ranges["days_not_over"])
                valid(part["null_reasons"], ranges["null_reasons"])
            if "coverage" in part:
                beside = {"missing": []} if "missing_dates" in part else {}
                valid({**beside, **part["coverage"]}, parts["coverage"])
            if part.get("freshness"):
                valid({name: value for name, value in part["freshness"].items()
                       if name != "newest_date"}, parts["freshness"])
            if "error" in part:
                valid(part["error"], parts["error"])

    def end(self):
        for name, asked in self.asked.items():
            count = self.answers[name]
            if name in self.cancelled:
                assert count <= len(asked), f"{name} was answered {count} times"
            else:
                assert count == len(asked), f"{name}: {len(asked)} asked, {count} answered"


def plain(value):
    """Nothing that an agent reads names a rule, which it could not look up."""
    text = json.dumps(value)
    assert not re.search(r"\bR[0-9]+\b", text), f"a rule's number: {text[:400]}"


def all_described(schema, where):
    """Every value that a schema speaks of has words beside it."""
    inner = dict(schema.get("properties", {}))
    for name in ["items", "additionalProperties"]:
        if isinstance(schema.get(name), dict):
            inner[name] = schema[name]
    for name, described in inner.items():
        # What an argument's elements are stands beside the argument.
        if "description" in described or name != "items":
            assert described.get("description", "").endswith("."), f"{where}/{name}: {described}"
        all_described(described, f"{where}/{name}")


METRICS = [
    "steps", "active_energy_kcal", "exercise_minutes", "stand_hours", "resting_hr_avg",
    "hrv_sdnn_avg", "sleep_asleep_minutes", "sleep_in_bed_minutes"]
DAILY_OBJECT = {"date", "generated_at", "day", "metrics", "metric_status", "metric_units"}


def daily_object(day):
    """A number if and only if the status is ok; all three maps of the same metrics; a source of each number
    where there are sources."""
    assert set(day["day"]) == {"timezone", "start", "end"}, day
    names = set(day["metrics"])
    assert names and names <= set(METRICS), day
    assert names == set(day["metric_status"]) == set(day["metric_units"]), day
    for name, value in day["metrics"].items():
        assert (value is None) == (day["metric_status"][name] != "ok"), day
    if "sources" in day:
        given = {name for entry in day["sources"] for name in entry["metrics"]}
        assert given == {name for name in names if day["metrics"][name] is not None}, day
    return {name: status for name, status in day["metric_status"].items() if status != "ok"}


def nulls(found):
    """Every null of an answer has exactly one reason, and every date asked for is accounted for."""
    coverage = found["coverage"]
    if "metrics" in found and "date" not in found:
        overview(found)
        for part in [found, found.get("compared")] if "held" not in found else []:
            if part:
                figures(part, part["metrics"])
        for period in found.get("periods", []):
            assert found["start_date"] <= period["start_date"] <= period["end_date"], period
            figures(found, period["metrics"])
        return
    dates = found["missing_dates"] if "data" in found else spans(coverage["missing"])
    assert coverage["asked"] == coverage["found"] + len(dates) + len(coverage["invalid"])
    if "date" in found:
        assert DAILY_OBJECT <= set(found) and set(found["metrics"]) == set(METRICS), found
        assert daily_object(found) == found["null_reasons"], found
        return
    assert spans([f"{found['start_date']}/{found['end_date']}"])[:1] == [found["start_date"]]
    assert coverage["asked"] == len(spans([f"{found['start_date']}/{found['end_date']}"]))
    if "data" in found:
        days = [day["date"] for day in found["data"]]
        assert dates == sorted(set(dates)), "missing dates out of order"
        absent = {}
        for day in found["data"]:
            assert set(day) - {"sources"} == DAILY_OBJECT, day
            for name, status in daily_object(day).items():
                absent.setdefault(name, {}).setdefault(status, []).append(day["date"])
        told = {name: {reason: spans(words) for reason, words in reasons.items()}
                for name, reasons in found["null_reasons"].items()}
        assert told == absent, found
    else:
        days = sorted(found["days"])
        assert sorted(spans(sum(found["timezones"].values(), []))) == days
        assert set(found["metric_units"]) == set(found["columns"])
        for column, name in enumerate(found["columns"]):
            absent = [date for date in days if found["days"][date][column] is None]
            told = sum(found["null_reasons"].get(name, {}).values(), [])
            assert sorted(spans(told)) == absent, name
    assert days == sorted(set(days)) and len(days) == coverage["found"]
    assert set(found["days_not_over"]) <= set(days)
    assert not set(days) & (set(dates) | set(coverage["invalid"]))


def overview(found):
    """An answer about many days at once: each date is accounted for."""
    coverage = found["coverage"]
    assert coverage["asked"] == len(spans([f"{found['start_date']}/{found['end_date']}"]))
    gone = len(spans(coverage["missing"])) + len(coverage["invalid"])
    assert coverage["asked"] == coverage["found"] + gone, coverage
    for name, metric in found["metrics"].items():
        assert 0 <= metric["days"] <= coverage["found"], name
        if "held" in found:
            assert metric["days"] and metric["first_date"] <= metric["last_date"], metric
            assert found["start_date"] <= metric["first_date"], metric
            assert metric["last_date"] <= found["end_date"], metric


def figures(found, metrics):
    """Nulls if and only if no day counts; no day counts that is not over or has no value."""
    for name, metric in metrics.items():
        numbers = [metric[kind] for kind in ["least", "median", "most", "mean"]]
        assert (numbers.count(None) == 4) if metric["days"] == 0 else None not in numbers, metric
        assert numbers[:3] == sorted(n for n in numbers[:3] if n is not None) or not metric["days"]
        absent = len(spans(sum(found["null_reasons"].get(name, {}).values(), [])))
        assert metric["days"] + absent <= found["coverage"]["found"], name


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
