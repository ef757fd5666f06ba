"""Holds a SARIF log against sarif-om, whose classes are made from the standard's own JSON schema.

They say which members an object of the standard has and which it must have; the types of values are
for sarif-2.1.0.shape.json to say.
"""

import attr
import sarif_om

# What a member's value is made of; lists hold such values. Others are plain.
KINDS = {
    "runs": "Run", "tool": "Tool", "driver": "ToolComponent", "rules": "ReportingDescriptor",
    "notifications": "ReportingDescriptor", "shortDescription": "MultiformatMessageString",
    "defaultConfiguration": "ReportingConfiguration", "invocations": "Invocation",
    "toolExecutionNotifications": "Notification", "descriptor": "ReportingDescriptorReference",
    "results": "Result", "message": "Message", "locations": "Location",
    "physicalLocation": "PhysicalLocation", "artifactLocation": "ArtifactLocation",
    "logicalLocations": "LogicalLocation", "suppressions": "Suppression",
}
# Objects whose members anybody may name, with what their values are made of.
MAPS = {"originalUriBaseIds": "ArtifactLocation", "properties": None, "partialFingerprints": None}


def faults(value, kind="SarifLog", place=""):
    """Members that the standard does not have or that are missing, one line each."""
    if isinstance(value, list):
        return [fault for item in value for fault in faults(item, kind, place)]
    if not isinstance(value, dict):
        return [f"{place} is no {kind}"]
    fields = {
        field.metadata["schema_property_name"]: field.default is attr.NOTHING
        for field in attr.fields(getattr(sarif_om, kind))}
    found = [f"{place or kind} lacks {name}" for name, is_due in fields.items()
             if is_due and name not in value]
    for name, member in value.items():
        below = f"{place}/{name}"
        if name not in fields:
            found.append(f"{kind} has no {name} ({below})")
        elif name in MAPS:
            if MAPS[name]:
                found += [fault for key, item in member.items()
                          for fault in faults(item, MAPS[name], f"{below}/{key}")]
        elif name in KINDS:
            found += faults(member, KINDS[name], below)
        elif isinstance(member, dict) or (
                isinstance(member, list) and any(isinstance(item, dict) for item in member)):
            found.append(f"{below} was not looked into")
    return found
