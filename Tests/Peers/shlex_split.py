"""Splits each line of a JSON array into words; null where Python's shlex refuses it."""

import json
import shlex
import sys


def split(line):
    try:
        return shlex.split(line)
    except ValueError:
        return None


print(json.dumps([split(line) for line in json.load(sys.stdin)]))
