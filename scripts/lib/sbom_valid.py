"""sbom_valid.py FILE...: each is a CycloneDX 1.6 document by the published schema, and each part of
it is named once, has a version, and is depended on."""

import json
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

for name in sys.argv[1:]:
    text = open(name, encoding="utf-8").read()
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if fault is not None:
        sys.exit(f"{name}: {fault}")
    bom = json.loads(text)
    references = [part["bom-ref"] for part in bom["components"]]
    linking = {part["properties"][0]["value"] for part in bom["components"]}
    if len(set(references)) != len(references) or linking != {"static", "dynamic"}:
        sys.exit(f"{name}: {references}, {linking}")
    if sorted(bom["dependencies"][0]["dependsOn"]) != sorted(references):
        sys.exit(f"{name}: its dependencies are not its components")
    print(f"{name.rsplit('/', 1)[-1]}: {len(references)} parts")
