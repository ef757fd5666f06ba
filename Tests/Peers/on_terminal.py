"""Runs a command with its stdout on a terminal: on_terminal.py COLUMNS COMMAND ARGUMENT...

Prints what the terminal was sent and ends with the command's exit code. Its stderr is ours, unless
COLUMNS has the suffix "+": then stderr is the terminal, too. What our stdin holds is typed, a line at
a time, each when the command has asked for it, and then the end of input.
"""

import fcntl
import os
import pty
import struct
import sys
import termios


def main():
    columns = sys.argv[1]
    stderr = None if columns.endswith("+") else os.dup(2)
    child, terminal = pty.fork()
    if child == 0:
        size = struct.pack("HHHH", 50, int(columns.rstrip("+")), 0, 0)
        fcntl.ioctl(1, termios.TIOCSWINSZ, size)
        if stderr is not None:
            os.dup2(stderr, 2)
        os.execv(sys.argv[2], sys.argv[2:])
    answers = sys.stdin.buffer.read().splitlines()
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        os.write(1, piece)
        shown += piece
        if shown.endswith(b"]: "):
            os.write(terminal, answers.pop(0) + b"\n" if answers else b"\x04")
            shown = b""
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
