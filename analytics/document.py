"""What a revision of health/v0 tells a reader, by the first page of SPEC.md and R42."""

import hashlib
import json
import math
import re
import unicodedata
from datetime import datetime, timezone
from decimal import Decimal

ID = re.compile(r"\d{8}T(?!24)\d{6}Z-[0-9A-Fa-f]{6,233}", re.ASCII)
ZONE = re.compile(r"[A-Za-z0-9_+/-]{1,64}")
MOMENT = re.compile(r"(\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d)(?:\.\d+)?"
                    r"(Z|[+-]\d\d(?::?[0-5]\d|:[0-5]\d:[0-5]\d)?)", re.ASCII)
STATUSES = ("ok", "no_data", "unauthorized", "unsupported")
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def is_id(name):
    """Whether a name is that of a revision (R6)."""
    try:
        return bool(ID.fullmatch(name) and datetime.fromisoformat(name[:15]))
    except ValueError:
        return False


def is_date(text):
    """Whether a day of that name exists (R1)."""
    try:
        return bool(datetime.strptime(text, "%Y-%m-%d"))
    except ValueError:
        return False


def catalogue(schema):
    """The unit of each metric, and the metrics that are always there, from the JSON Schema."""
    properties = schema["properties"]
    units = properties["metric_units"]["properties"]
    return {name: unit["const"] for name, unit in units.items()}, properties["metrics"]["required"]


def _canonical(value, depth=64):
    """RFC 8785. Every number is a double, and is spelled as ECMAScript does."""
    if isinstance(value, (dict, list)) and depth == 0:
        raise ValueError("nested too deep")
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(
            f"{_canonical(key)}:{_canonical(value[key], depth - 1)}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_canonical(item, depth - 1) for item in value) + "]"
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if isinstance(value, float) and (value == 0 or 1e-6 <= abs(value) < 1e21):
        return f"{Decimal(text) + 0:f}".removesuffix(".0")
    return re.sub(r"e([+-])0", r"e\1", text) if isinstance(value, float) else text


def _once(members):
    if len({unicodedata.normalize("NFC", key) for key, _ in members}) < len(members):
        raise ValueError("a key twice")
    return dict(members)


def _moment(text):
    return datetime.fromisoformat("".join(MOMENT.fullmatch(text).groups())).astimezone(timezone.utc)


def read(content, date, units, required):
    """A day as a dictionary; a metric without data is None. Raises one of UNREADABLE for a document
    that a reader must pass over."""
    if len(content) > 65_536:
        raise ValueError("too large")
    document = json.loads(content.decode(), parse_int=float, object_pairs_hook=_once)
    whole = _canonical(document)
    whole.encode()  # Fails for half of a surrogate pair.
    day, values, statuses = (document[name] for name in ("day", "metrics", "metric_status"))
    start, end, made = (
        _moment(text) for text in (day["start"], day["end"], document["generated_at"]))
    if (document["schema_version"] != "health.v0" or document["date"] != date or end <= start
            or not ZONE.fullmatch(day["timezone"])):
        raise ValueError("of another version or date, or not a day")
    written = document.get("metric_units")
    written = written if isinstance(written, dict) else {}
    found = {}
    for name, unit in units.items():
        value, status = values.get(name), statuses.get(name)
        status = "no_data" if status is None else status
        fits = status in STATUSES and (
            isinstance(value, float) and math.isfinite(value) if status == "ok" else value is None)
        if name in required:
            if not fits:
                raise ValueError(f"{name} contradicts its status")
        elif not (fits and status == "ok" and written.get(name) == unit and value >= 0):
            value = None
        found[name] = value if status == "ok" else None
    digest = document.pop("digest", None)
    right = "sha256:" + hashlib.sha256(_canonical(document).encode()).hexdigest()
    return {
        "generated_at": made, "timezone": day["timezone"], "day_start": start, "day_end": end,
        "is_damaged": digest is not None and digest != right, **found}
