"""Runs a command and signals it once a server has got a request from it.

interrupted.py SIGNAL LOG METHOD PART COMMAND ARGUMENT...: SIGNAL is a name such as SIGINT, LOG the
address of s3_hostile.py's log, METHOD and PART the request's method and a part of its path. Tells on
stderr what the process list shows of the command, and ends with its exit code as shells see it.
"""

import json
import resource
import signal
import subprocess
import sys
import time
import urllib.request


def prepare():
    """In the command's process: it may be interrupted, and the system would let it dump its memory."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


def main():
    number = signal.Signals[sys.argv[1]]
    log, method, part = sys.argv[2:5]
    command = subprocess.Popen(sys.argv[5:], preexec_fn=prepare)
    while command.poll() is None:
        with urllib.request.urlopen(log, timeout=60) as answer:
            requests = json.load(answer)
        if any(r["method"] == method and part in r["path"] for r in requests):
            shown = subprocess.run(
                ["ps", "-ww", "-o", "args=", "-p", str(command.pid)], capture_output=True)
            sys.stderr.write("shown: " + shown.stdout.decode())
            command.send_signal(number)
            break
        time.sleep(0.05)
    code = command.wait()
    sys.exit(128 - code if code < 0 else code)


main()
