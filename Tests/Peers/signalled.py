"""Runs a command, sends it a signal at a moment of its work, and ends with its exit code as shells see it.

signalled.py files SIGNAL FOLDER COUNT COMMAND ARGUMENT...    when COUNT files named like revisions, pointers or batches
                                                              lie in a folder, or with -COUNT when no more than so many
                                                              are left
signalled.py writes SIGNAL COUNT COMMAND ARGUMENT...          when the command, run with --verbose, has logged COUNT
                                                              writes of revisions and pointers
signalled.py request SIGNAL LOG METHOD PART COMMAND ...       when a server has got a request of a method with a part of
                                                              a path; LOG is the address of s3_hostile.py's log. Tells
                                                              on stderr what the process list shows of the command
signalled.py reading TIMES PRESSES COMMAND ARGUMENT...        each of TIMES commands at once is fed records of an export
                                                              without an end and gets PRESSES SIGINTs once it has taken
                                                              a few megabytes. Prints a list: of each its exit code and
                                                              its stderr

While files or writes are counted, the command is stopped, so that it goes hardly further than that, however busy the
machine is; stderr tells that it was killed.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

HEAD = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
]>
<HealthData locale="en_GB">
 <ExportDate value="2024-06-15 20:30:00 +0200"/>
"""
RECORD = (
    b' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count"'
    b' creationDate="2024-06-01 10:00:00 +0200" startDate="2024-06-01 09:00:00 +0200"'
    b' endDate="2024-06-01 09:05:00 +0200" value="10"/>\n')


def prepare():
    """In the command's process: it may be interrupted, and the system would let it dump its memory."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


def shell(code):
    return 128 - code if code < 0 else code


def stopped(command, number, is_time):
    """Looks at the command again and again while it is stopped, until it is time to kill it."""
    while command.poll() is None:
        command.send_signal(signal.SIGSTOP)
        if is_time():
            command.send_signal(number)
            command.send_signal(signal.SIGCONT)
            sys.stderr.write("killed\n")
            return
        command.send_signal(signal.SIGCONT)
        time.sleep(0.002)


def files(number, folder, count, *command):
    def is_time():
        found = sum(name.endswith((".json", ".jsonl", ".json.gz"))
                    for at, _, names in os.walk(folder) if "/.s3health" not in at for name in names)
        return found >= int(count) if int(count) >= 0 else found <= -int(count)

    command = subprocess.Popen(command, preexec_fn=prepare)
    stopped(command, number, is_time)
    return command.wait()


def writes(number, count, *command):
    command, log = subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=prepare), b""

    def is_time():
        nonlocal log
        log += command.stderr.read() or b""
        return sum(b"method=PUT" in line and (b"/revisions/" in line or b"/latest.json" in line)
                   for line in log.split(b"\n")) >= int(count)

    os.set_blocking(command.stderr.fileno(), False)
    stopped(command, number, is_time)
    os.set_blocking(command.stderr.fileno(), True)
    log += command.stderr.read()
    sys.stderr.write("\n".join(
        line for line in log.decode(errors="replace").split("\n") if " request" not in line))
    return command.wait()


def request(number, log, method, part, *command):
    command = subprocess.Popen(command, preexec_fn=prepare)
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
    return command.wait()


def reading(times, presses, *command):
    def one(_):
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=prepare)
        errors = []
        listener = threading.Thread(target=lambda: errors.append(child.stderr.read()))
        listener.start()
        try:
            child.stdin.write(HEAD + RECORD * 16_000)
            for _ in range(int(presses)):
                child.send_signal(signal.SIGINT)
            while True:
                child.stdin.write(RECORD * 400)
        except BrokenPipeError:
            pass
        code = child.wait(timeout=120)
        listener.join()
        return [shell(code), errors[0].decode(errors="replace")]

    with ThreadPoolExecutor(int(times)) as pool:
        print(json.dumps(list(pool.map(one, range(int(times))))))
    return 0


way, *rest = sys.argv[1:]
if way != "reading":
    rest[0] = signal.Signals[rest[0]]
sys.exit(shell({"files": files, "writes": writes, "request": request, "reading": reading}[way](*rest)))
