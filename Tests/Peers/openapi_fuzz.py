"""Runs schemathesis against s3healthd with our own OpenAPI document: requests that the document
allows and requests that it does not, each answered as the document says.

usage: openapi_fuzz.py S3HEALTHD OPENAPI.json ROOT EXAMPLES SEED TABLES
TABLES: the URL of an empty database.
Prints one JSON object: how many operations were tried, and what failed.
"""

import json
import pathlib
import re
import subprocess
import sys

from hub_server import HubServer

program, source, root, examples, seed, tables = sys.argv[1:]
device = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"
hub = HubServer(program, root)
document = json.loads(pathlib.Path(source).read_text())
# The token's own device: another one is refused, which is tried elsewhere.
document["components"]["schemas"]["DeviceID"] = {"const": device}
# What a pattern can't say either: which texts are zones, goals and units.
for name, values in [("TimeZone", ["UTC", "Asia/Tokyo", "UTC, Europe/Berlin@2026-12-01"]),
                     ("Goals", ["steps=8000"]), ("Units", ["lb", "lb, mi"])]:
    document["components"]["schemas"][name] = {"enum": [*values, None]}
(hub.root / "openapi.json").write_text(json.dumps(document))
# What a schema can't say, a hook makes true of what the schema allows: that a member is the length of
# another, that an end is not before its start, and that lengths are counted in bytes.
(hub.root / "hooks.py").write_text('''
import re
import schemathesis

def cut(text, length):
    return text.encode()[:length].decode(errors="ignore") if isinstance(text, str) else text

def past(text):
    """A pattern can't recognise a moment beyond tomorrow either."""
    if not re.match(r"(19|20)\\d\\d-", text):
        return text
    return text if text[:4] < "2025" else ("2024" + text[4:])

def mend(record):
    for name, length in ("type", 200), ("unit", 200), ("source", 1000):
        if name in record:
            record[name] = cut(record[name], length)
    for name in "date", "start_time", "end_time", "healthkit_uuid":
        if isinstance(record.get(name), str):
            record[name] = past(record[name])
    if {"start_time", "end_time"} <= record.keys() and MOMENT.fullmatch(str(record["end_time"])):
        record["end_time"] = record["start_time"]
    identity, date, kind = (record.get(name) for name in ("healthkit_uuid", "date", "type"))
    if all(isinstance(text, str) for text in (identity, date, kind)) and kind:
        if ROW.fullmatch(identity) and MOMENT.fullmatch(date):
            record["healthkit_uuid"] = date[:10] + "_" + kind

MOMENT = re.compile(r"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z")
ROW = re.compile(r"\\d{4}-\\d\\d-\\d\\d_[^\\0]{1,200}", re.S)

@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or case.meta.generation.mode.is_positive:
        mend_body(case.body)

def mend_body(body):
    if not isinstance(body, dict):
        return
    metadata, data = body.get("batch_metadata"), body.get("data")
    if isinstance(metadata, dict) and isinstance(data, list) and data:
        total = metadata.get("total_records")
        if type(total) is int and total > 0:
            metadata["total_records"] = len(data)
        for name in "app_version", "session":
            if name in metadata:
                metadata[name] = cut(metadata[name], 100)
    if isinstance(body.get("records"), list):
        for record in body["records"]:
            if isinstance(record, dict):
                mend(record)
''')
endpoints = ["ingest", "records", "overland", "owntracks", "health-auto-export", "people"]
token = hub.token("fuzz", "--device", device, *[
    part for endpoint in endpoints for part in ("--endpoint", endpoint)])["token"]
# Not as an option: the URL holds a password.
hub.environment["S3HEALTH_POSTGRES"] = tables
hub.run(program, "db", "create")
address = hub.start()
try:
    run = subprocess.run(
        [str(pathlib.Path(sys.executable).with_name("st")), "run", str(hub.root / "openapi.json"), "--url",
         address.geturl(), "--header", f"X-Device-Token: {token}", "--max-examples", examples, "--seed",
         seed, "--no-color"],
        env=hub.environment | {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(hub.root)},
        cwd=hub.root, capture_output=True, text=True)
finally:
    code, log = hub.stop()
problems = []
if run.returncode != 0:
    problems.append(run.stdout[-8000:] + run.stderr[-2000:])
if code != 0:
    problems.append(f"the server ended with {code}")
# Of this token or of one that was made for a person.
if token in log or "s3h_" in log:
    problems.append("the log holds a token")
tested = re.search(r"Tested: (\d+)", run.stdout)
cases = re.search(r"(\d+) generated", run.stdout)
print(json.dumps({
    "operations": sum(len(item) for item in document["paths"].values()),
    "tested": int(tested.group(1)) if tested else 0,
    "cases": int(cases.group(1)) if cases else 0, "problems": problems}))
