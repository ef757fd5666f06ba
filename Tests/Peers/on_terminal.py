"""Runs a command with its stdout on a terminal: on_terminal.py COLUMNS COMMAND ARGUMENT...

Prints what the terminal was sent and ends with the command's exit code. Its stderr is ours, unless
COLUMNS has the suffix "+": then stderr is the terminal, too.
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
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        os.write(1, piece)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
