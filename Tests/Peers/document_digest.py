"""Digests of daily revisions (SPEC R60), by json and hashlib alone: one document a line on stdin,
one digest a line on stdout. The documents have ASCII keys and numbers that Python spells as
ECMAScript does, so sorted keys without blanks are RFC 8785's form.
"""

import hashlib
import json
import sys


def number(text):
    value = float(text)
    return int(value) if value.is_integer() else value


for line in sys.stdin:
    document = json.loads(line, parse_float=number)
    document.pop("digest", None)
    canonical = json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    print("sha256:" + hashlib.sha256(canonical.encode()).hexdigest())
