"""Interrupts a command while it reads a long export on its stdin, several at once to make it busy.

interrupted_reading.py TIMES PRESSES COMMAND ARGUMENT...: each of TIMES commands is fed records without
an end and gets PRESSES SIGINTs once it has taken a few megabytes. Prints one JSON list: of each command
its exit code as shells see it, and its stderr.
"""

import json
import signal
import subprocess
import sys
import threading

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


def run(command, presses, results):
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    errors = []
    listener = threading.Thread(target=lambda: errors.append(child.stderr.read()))
    listener.start()
    piece = RECORD * 400
    try:
        child.stdin.write(HEAD)
        for _ in range(40):
            child.stdin.write(piece)
        for _ in range(presses):
            child.send_signal(signal.SIGINT)
        while True:
            child.stdin.write(piece)
    except BrokenPipeError:
        pass
    code = child.wait(timeout=120)
    listener.join()
    results.append([128 - code if code < 0 else code, errors[0].decode(errors="replace")])


def main():
    times, presses = int(sys.argv[1]), int(sys.argv[2])
    results = []
    threads = [
        threading.Thread(target=run, args=(sys.argv[3:], presses, results)) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(results))


main()
