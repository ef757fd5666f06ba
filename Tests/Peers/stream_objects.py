"""Checks the objects of streams/v0 by the rules of docs/spec/streams.md alone, with gzip,
hashlib and json.

stdin: lines of KEY, a blank, and the object in base64. stdout: one line of JSON: the entries by
stream, the batches, the dates, and one object of its own making for the other side to read.
"""

import base64
import datetime
import gzip
import hashlib
import json
import re
import sys

KEY = re.compile(
    r"^(?:.*/)?streams/v0/(apple_ios_core_location|apple_ios_mic_audio|apple_ios_healthkit)/"
    r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(\d{4})/(\d\d)/(\d\d)/([0-9a-f]{64})\.json\.gz$")
MARKER = re.compile(r"^(?:.*/)?streams/v0/\.pending/([0-9a-f]{64})-[0-9a-f]{16}$")
OUTSIDE = {"format", "batch_id", "received_at", "feed", "canonicaliser"}
HASHED = {"stream_name", "device_id", "data", "batch_metadata"}


def canonical(value):
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")


def once(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), names
    return dict(pairs)


def check_batch(match, packed):
    stream, device, year, month, day, batch_id = match.groups()
    raw = gzip.decompress(packed)
    value = json.loads(raw, object_pairs_hook=once)
    assert raw == canonical(value), "not canonical"
    assert set(value) - {"run"} == OUTSIDE | HASHED, set(value)
    assert re.fullmatch(r"[a-z0-9]{1,16}", value.get("run", "none")), value["run"]
    body = {name: value[name] for name in HASHED}
    assert hashlib.sha256(canonical(body)).hexdigest() == batch_id == value["batch_id"]
    assert value["format"] == "streams.v0" and value["canonicaliser"] == 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value["received_at"])
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", value["feed"])
    assert value["stream_name"] == stream and value["device_id"] == device
    metadata = value["batch_metadata"]
    assert set(metadata) == {"app_version", "session", "total_records"}
    assert metadata["total_records"] == len(value["data"]) >= 1
    for entry in value["data"]:
        start = moment(entry["timestamp_start" if "audio" in stream else "timestamp"])
        assert start.strftime("%Y/%m/%d") == f"{year}/{month}/{day}", "filed on another date"
    return stream, value


def own(device):
    body = {
        "stream_name": "apple_ios_healthkit",
        "device_id": device,
        "data": [
            {"sample_type": "HKQuantityTypeIdentifierStepCount", "unit": "count", "value": 123,
             "timestamp": "2025-03-01T08:00:00.000Z", "end_timestamp": "2025-03-01T08:10:00.000Z",
             "source": "Zoë’s Watch"}],
        "batch_metadata": {"total_records": 1, "app_version": "1.0", "session": "python"},
    }
    batch_id = hashlib.sha256(canonical(body)).hexdigest()
    whole = dict(body, format="streams.v0", batch_id=batch_id, feed="peer", canonicaliser=1,
                 received_at="2025-03-01T08:11:00Z")
    return {
        "key": f"streams/v0/apple_ios_healthkit/{device}/2025/03/01/{batch_id}.json.gz",
        "body": base64.b64encode(gzip.compress(json.dumps(whole, indent=1).encode())).decode()}


result = {"batches": 0, "markers": 0, "entries": {}, "marked": []}
device = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"
for line in sys.stdin:
    key, text = line.split()
    packed = base64.b64decode(text)
    if marker := MARKER.match(key):
        value = json.loads(packed)
        assert packed == canonical(value)
        assert set(value) == {"batch_id", "received_at", "spans"} and 1 <= len(value["spans"]) <= 500
        assert value["batch_id"] == marker.group(1)
        result["markers"] += 1
        result["marked"] += value["spans"]
        continue
    match = KEY.match(key)
    assert match, key
    stream, value = check_batch(match, packed)
    result["batches"] += 1
    result["entries"].setdefault(stream, []).extend(canonical(e).decode() for e in value["data"])
result["own"] = own(device)
print(json.dumps(result))
