"""compose_files.py FILE: what the schema of compose files does not see: each file that is mounted or
built from is there, each service that is waited for has a health check, each secret and volume is
declared and used, no service runs with more rights than it needs."""

import pathlib
import sys

from ruamel.yaml import YAML



def checked(service):
    """Whether it has a health check: its own, or that of the image which is built here."""
    check = service.get("healthcheck")
    return not check.get("disable") if check else "build" in service


file = pathlib.Path(sys.argv[1])
compose = YAML(typ="safe").load(file)
faults = []
volumes, secrets = set(), set()
for name, service in compose["services"].items():
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        if source.startswith((".", "/")):
            if not (file.parent / source).exists():
                faults.append(f"{name}: there is no {source}")
            if not volume.endswith(":ro"):
                faults.append(f"{name}: {source} is mounted with the right to write")
        else:
            volumes.add(source)
    secrets.update(service.get("secrets", []))
    build = service.get("build")
    if build:
        context = file.parent / build["context"]
        if not (context / build["dockerfile"]).is_file():
            faults.append(f"{name}: no Dockerfile at {context / build['dockerfile']}")
    for other, condition in service.get("depends_on", {}).items():
        if other not in compose["services"]:
            faults.append(f"{name} waits for {other}, which is not a service")
        elif condition["condition"] == "service_healthy" and not checked(compose["services"][other]):
            faults.append(f"{name} waits for the health of {other}, which has no check")
    if not build and ":" not in service["image"].rsplit("/", 1)[-1]:
        faults.append(f"{name}: the image {service['image']} has no version")
    if service.get("privileged") or service.get("network_mode"):
        faults.append(f"{name} has the host's rights")
    for port in service.get("ports", []):
        if not str(port).startswith("127.0.0.1:"):
            faults.append(f"{name}: {port} is open to other machines")
for kind, used in (("volumes", volumes), ("secrets", secrets)):
    if used != set(compose.get(kind, {})):
        faults.append(f"{kind}: {sorted(used)} are used, {sorted(compose.get(kind, {}))} declared")
print("\n".join(faults) or f"{len(compose['services'])} services")
sys.exit(bool(faults))
