"""Runs a command and prints on stderr, after all that it said, its peak memory: `peak KILOBYTES`."""

import resource
import subprocess
import sys

status = subprocess.run(sys.argv[1:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if sys.platform == "darwin":
    peak //= 1024
print(f"peak {peak}", file=sys.stderr)
sys.exit(status if status >= 0 else 128 - status)
