"""SHA-256 of each line of hex on stdin, by hashlib: one digest in hex per line."""

import hashlib
import sys

for line in sys.stdin:
    print(hashlib.sha256(bytes.fromhex(line.strip())).hexdigest())
