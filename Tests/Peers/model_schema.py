"""Whether documents are valid by the JSON Schemas, as the jsonschema package sees it.

Argument: the folder of the schemas. Reads one document per line, each `health` or `latest`, a blank
and the JSON text; answers `valid` or `invalid`. Formats stay annotations, as 2020-12 has them by
default: the schemas give every form as a pattern too.
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator

folder = pathlib.Path(sys.argv[1])
validators = {}
for kind in ("health", "latest"):
    schema = json.loads((folder / f"{kind}.v0.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    validators[kind] = Draft202012Validator(schema)

for line in sys.stdin.buffer:
    kind, text = line.decode("utf-8").split(" ", 1)
    print("valid" if validators[kind].is_valid(json.loads(text)) else "invalid")
