"""Runs a command and prints its exit code, its peak memory in MB, and its standard error.

usage: peak_memory.py [--stdin FILE] COMMAND...
"""

import json
import os
import subprocess
import sys

command, source = sys.argv[1:], subprocess.DEVNULL
if command[0] == "--stdin":
    # Through a pipe and not as the file itself.
    source = subprocess.Popen(["cat", command[1]], stdout=subprocess.PIPE).stdout
    command = command[2:]
child = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
output = child.stdout.read()
_, status, usage = os.wait4(child.pid, 0)
scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
print(json.dumps({
    "exitCode": os.waitstatus_to_exitcode(status), "peakMegabytes": usage.ru_maxrss / scale,
    "output": output.decode(errors="replace"),
}))
