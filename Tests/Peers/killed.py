"""Runs a command and kills it at a moment of its work: killed.py SIGNAL WHAT COUNT COMMAND ARGUMENT...

SIGNAL is the name of a signal such as SIGKILL. WHAT is a folder: the moment is when COUNT files
named like revisions, pointers or batches lie in it, or with -COUNT when no more than so many are left.
Or WHAT is `requests`: when the command, run with --verbose, has logged COUNT writes of revisions and
pointers. The command is stopped while they are
counted, so that it goes hardly further than that, however busy the machine is. Tells on stderr that
the command was killed, and ends with its exit code as shells see it.
"""

import os
import signal
import subprocess
import sys
import time


def files(folder):
    return sum(
        name.endswith((".json", ".jsonl", ".json.gz")) for at, _, names in os.walk(folder) if "/.s3health" not in at
        for name in names)


def writes(log):
    return sum(
        b"method=PUT" in line and (b"/revisions/" in line or b"/latest.json" in line)
        for line in log.split(b"\n"))


def main():
    number = signal.Signals[sys.argv[1]]
    what, count = sys.argv[2], int(sys.argv[3])
    watches_log = what == "requests"
    command = subprocess.Popen(
        sys.argv[4:], stderr=subprocess.PIPE if watches_log else None,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    log = b""
    if watches_log:
        os.set_blocking(command.stderr.fileno(), False)
    while command.poll() is None:
        command.send_signal(signal.SIGSTOP)
        if watches_log:
            log += command.stderr.read() or b""
        done = writes(log) if watches_log else files(what)
        if done >= count if count >= 0 else done <= -count:
            command.send_signal(number)
            command.send_signal(signal.SIGCONT)
            sys.stderr.write("killed\n")
            break
        command.send_signal(signal.SIGCONT)
        time.sleep(0.002)
    code = command.wait()
    if watches_log:
        os.set_blocking(command.stderr.fileno(), True)
        log += command.stderr.read()
        said = [line for line in log.decode(errors="replace").split("\n") if " request" not in line]
        sys.stderr.write("\n".join(said))
    sys.exit(128 - code if code < 0 else code)


main()
