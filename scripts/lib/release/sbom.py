"""The list of a program's parts as CycloneDX 1.6: what is inside it and what it loads."""

import hashlib
import json
import uuid


def component(kind, name, version, purl, licence, linking):
    entry = {
        "type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl,
        "scope": "required",
        "properties": [{"name": "s3health:linking", "value": linking}]}
    if licence:
        entry["licenses"] = [{"expression": licence}]
    return entry


def document(program, version, stripped, packages, runtime, libraries, architecture, distribution,
             time):
    parts = [
        component(
            "library", package.name, package.version,
            f"pkg:swift/{package.url.removeprefix('https://')}@{package.version}",
            package.licence, "static")
        for package in [*packages, runtime]]
    parts += [
        component(
            "library", name, library_version,
            f"pkg:deb/{distribution}/{name}@{library_version.replace('+', '%2B')}"
            f"?arch={architecture}", None, "dynamic")
        for name, library_version in libraries.items()]
    parts.sort(key=lambda part: part["bom-ref"])
    own = f"{program}@{version}"
    digest = hashlib.sha256(stripped).hexdigest()
    bom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, own + digest)}",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": {
                "type": "application", "bom-ref": own, "name": program, "version": version,
                "licenses": [{"expression": "Apache-2.0"}],
                "hashes": [{"alg": "SHA-256", "content": digest}]},
        },
        "components": parts,
        "dependencies": [
            {"ref": own, "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts)],
    }
    return json.dumps(bom, indent=2, sort_keys=False) + "\n"
