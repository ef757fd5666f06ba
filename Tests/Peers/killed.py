"""Runs a command and kills it at a moment of its work: killed.py SIGNAL WHAT COUNT COMMAND ARGUMENT...

SIGNAL is the name of a signal such as SIGKILL. WHAT is a folder: the moment is when COUNT files
named like revisions or pointers lie in it. Or WHAT is `requests`: when the command, run with
--verbose, has logged COUNT requests of the method PUT. Tells on stderr whether the command was
still running then, and ends with its exit code as shells see it.
"""

import os
import signal
import subprocess
import sys
import threading
import time


def files(folder):
    return sum(
        1 for at, _, names in os.walk(folder) if ".s3health" not in at
        for name in names if name.endswith(".json"))


def main():
    number = signal.Signals[sys.argv[1]]
    what, count = sys.argv[2], int(sys.argv[3])
    watches_log = what == "requests"
    command = subprocess.Popen(
        sys.argv[4:], stderr=subprocess.PIPE if watches_log else None,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    seen = [0]
    said = []

    def read():
        for line in command.stderr:
            if b"method=PUT" in line and b"/revisions/" in line or b"latest.json" in line:
                seen[0] += b"method=PUT" in line
            else:
                said.append(line.decode(errors="replace"))

    if watches_log:
        reader = threading.Thread(target=read)
        reader.start()
    while command.poll() is None:
        if (seen[0] if watches_log else files(what)) >= count:
            command.send_signal(number)
            sys.stderr.write("killed\n")
            break
        time.sleep(0.001)
    code = command.wait()
    if watches_log:
        reader.join()
        sys.stderr.write("".join(line for line in said if " request" not in line))
    sys.exit(128 - code if code < 0 else code)


main()
