"""Runs a command on a terminal, prints what that was sent, and ends with the command's exit code as shells see it.

terminal.py COLUMNS COMMAND ARGUMENT...                 its stderr is ours, unless COLUMNS has the suffix "+": then
                                                        stderr is the terminal, too. What our stdin holds is typed, a
                                                        line at a time, each when the command has asked for it, and
                                                        then the end of input
terminal.py COLUMNS --until TEXT COMMAND ARGUMENT...    types Ctrl-C once the command has shown a text. Says so if the
                                                        terminal's settings are not as they were, and fails if the
                                                        command has not ended after five minutes: then it is killed
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


def begun(rows, columns, command, stderr=None):
    child, terminal = pty.fork()
    if child == 0:
        if stderr is not None:
            os.dup2(stderr, 2)
        # Before the command draws anything that a test would miss.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, int(columns.rstrip("+")), 0, 0))
        os.execv(command[0], command)
    return child, terminal


def pieces(terminal):
    """What the terminal is sent, and nothing for each moment without."""
    while True:
        if not select.select([terminal], [], [], 0.2)[0]:
            yield b""
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            return
        if not piece:
            return
        yield piece


def answered(columns, *command):
    child, terminal = begun(50, columns, command, None if columns.endswith("+") else os.dup(2))
    answers, shown = sys.stdin.buffer.read().splitlines(), b""
    for piece in pieces(terminal):
        os.write(1, piece)
        shown += piece
        if shown.endswith(b"]: "):
            os.write(terminal, answers.pop(0) + b"\n" if answers else b"\x04")
            shown = b""
    return child


def interrupted(columns, text, *command):
    child, terminal = begun(24, columns, command)
    before, text = termios.tcgetattr(terminal), text.encode()
    seen, typed, deadline = b"", False, time.monotonic() + 300
    for piece in pieces(terminal):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            what = "has not ended since Ctrl-C" if typed else f"has not shown {text!r}"
            sys.exit(f"the command {what}, only {seen[-2000:]!r}")
        seen += piece
        if not typed and text in seen:
            typed = True
            os.write(terminal, b"\x03")
        if piece and seen.endswith(b"\x1b[?1049l") and typed and termios.tcgetattr(terminal)[3] != before[3]:
            # What is set last is the echo; the command may be about to do so.
            time.sleep(0.5)
            if termios.tcgetattr(terminal)[3] != before[3]:
                sys.stderr.write("the terminal's settings are not as they were\n")
    # The echo of Ctrl-C belongs to the terminal, not to the command.
    os.write(1, seen.replace(b"^C", b""))
    return child


columns, *rest = sys.argv[1:]
child = interrupted(columns, *rest[1:]) if rest[0] == "--until" else answered(columns, *rest)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(128 - code if code < 0 else code)
