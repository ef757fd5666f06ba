"""Runs a command and interrupts it once a server has got a request from it.

interrupted.py LOG METHOD PART COMMAND ARGUMENT...: LOG is the address of s3_hostile.py's log, METHOD
and PART the request's method and a part of its path. Tells on stderr what the process list shows of
the command, and ends with its exit code as shells see it.
"""

import json
import signal
import subprocess
import sys
import time
import urllib.request


def main():
    log, method, part = sys.argv[1:4]
    command = subprocess.Popen(
        sys.argv[4:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while command.poll() is None:
        with urllib.request.urlopen(log, timeout=60) as answer:
            requests = json.load(answer)
        if any(r["method"] == method and part in r["path"] for r in requests):
            shown = subprocess.run(
                ["ps", "-ww", "-o", "args=", "-p", str(command.pid)], capture_output=True)
            sys.stderr.write("shown: " + shown.stdout.decode())
            command.send_signal(signal.SIGINT)
            break
        time.sleep(0.05)
    code = command.wait()
    sys.exit(128 - code if code < 0 else code)


main()
