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
(hub.root / "openapi.json").write_text(json.dumps(document))
# That a member is the length of another can't be said in a schema, so a batch that the schema allows
# may be refused.
(hub.root / "schemathesis.toml").write_text("""
[[operations]]
include-path-regex = "^/api/ingest"
include-method = "POST"
checks.positive_data_acceptance.enabled = false
""")
endpoints = ["ingest", "records", "overland", "owntracks", "health-auto-export"]
token = hub.token("fuzz", "--device", device, *[
    part for endpoint in endpoints for part in ("--endpoint", endpoint)])["token"]
# Not as an option: the URL holds a password.
hub.environment["S3HEALTH_POSTGRES"] = tables
hub.run(program, "db", "create")
address = hub.start()
try:
    run = subprocess.run(
        [str(pathlib.Path(sys.executable).with_name("st")), "--config-file",
         str(hub.root / "schemathesis.toml"), "run", str(hub.root / "openapi.json"), "--url",
         address.geturl(), "--header", f"X-Device-Token: {token}", "--max-examples", examples, "--seed",
         seed, "--no-color"],
        env=hub.environment, cwd=hub.root, capture_output=True, text=True)
finally:
    code, log = hub.stop()
problems = []
if run.returncode != 0:
    problems.append(run.stdout[-8000:] + run.stderr[-2000:])
if code != 0:
    problems.append(f"the server ended with {code}")
if token in log:
    problems.append("the log holds the token")
tested = re.search(r"Tested: (\d+)", run.stdout)
cases = re.search(r"(\d+) generated", run.stdout)
print(json.dumps({
    "operations": sum(len(item) for item in document["paths"].values()),
    "tested": int(tested.group(1)) if tested else 0,
    "cases": int(cases.group(1)) if cases else 0, "problems": problems}))
