"""Whether texts are JSON, and their canonical bytes, by Python's json and the rfc8785 package.

Reads one text per line in hex; answers `bad`, or the canonical bytes in hex. Where Python's json is
laxer than RFC 8259, or SPEC.md (R13) is stricter, its own hooks say so: NaN and Infinity, numbers
beyond a double, duplicate keys (also those that Unicode holds equivalent), half surrogate pairs,
nesting beyond 64.
"""

import json
import math
import sys
import unicodedata

import rfc8785

sys.set_int_max_str_digits(0)


def refuse(text):
    raise ValueError(text)


def number(text):
    value = float(text)
    return value if math.isfinite(value) else refuse("out of range")


def members(pairs):
    keys = {unicodedata.normalize("NFD", key) for key, _ in pairs}
    return dict(pairs) if len(keys) == len(pairs) else refuse("a duplicate key")


def depth(value):
    if isinstance(value, dict):
        return 1 + max((depth(v) for v in value.values()), default=0)
    if isinstance(value, list):
        return 1 + max((depth(v) for v in value), default=0)
    return 0


for line in sys.stdin:
    try:
        value = json.loads(
            bytes.fromhex(line).decode("utf-8"),
            parse_float=number,
            parse_int=number,
            parse_constant=refuse,
            object_pairs_hook=members,
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        if depth(value) > 64:
            refuse("too deep")
        print(rfc8785.dumps(value).hex())
    except (ValueError, RecursionError):
        print("bad")
