"""Runs a command on a terminal until it has shown a text, and then types Ctrl-C.

watched_terminal.py COLUMNS TEXT COMMAND ARGUMENT...: prints what the terminal was sent, and ends with
the command's exit code as shells see it. Fails if the terminal's settings are not as they were, and
if the command has not ended after five minutes: then it is killed.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time


def main():
    columns, text = int(sys.argv[1]), sys.argv[2].encode()
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.argv[3], sys.argv[3:])
    # Set before the command has drawn anything that a test would miss.
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    before = termios.tcgetattr(terminal)
    seen, typed, deadline = b"", False, time.monotonic() + 300
    while True:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            what = "has not ended since Ctrl-C" if typed else f"has not shown {text!r}"
            sys.exit(f"the command {what}, only {seen[-2000:]!r}")
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        if not typed and text in seen:
            typed = True
            os.write(terminal, b"\x03")
        if seen.endswith(b"\x1b[?1049l"):
            after = termios.tcgetattr(terminal)
            if typed and after[3] != before[3]:
                # What is set last is the echo; the command may be about to do so.
                time.sleep(0.5)
                if termios.tcgetattr(terminal)[3] != before[3]:
                    sys.stderr.write("the terminal's settings are not as they were\n")
    # The echo of Ctrl-C belongs to the terminal, not to the command.
    os.write(1, seen.replace(b"^C", b""))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.exit(128 - code if code < 0 else code)


main()
