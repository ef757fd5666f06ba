"""Runs a server over stdio and records every byte that passes, in both directions.

mcp_tap.py RECORD COMMAND ARGUMENT...: stands between a client and the server that COMMAND starts.
RECORD gets one JSON object a line: {"from": "client" or "server", "bytes": base64}, and at last
{"exit": code}. Ends with the server's exit code.
"""

import base64
import json
import os
import subprocess
import sys
import threading


class Record:
    """The file; what one direction adds stands after all that was added before."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="ascii")
        self.lock = threading.Lock()

    def add(self, **entry):
        with self.lock:
            self.file.write(json.dumps(entry) + "\n")
            self.file.flush()

    def copy(self, name, source, target):
        """Bytes are recorded before they are handed on, so an answer never precedes its question."""
        try:
            while data := os.read(source, 65536):
                self.add(**{"from": name, "bytes": base64.b64encode(data).decode()})
                while data:
                    data = data[os.write(target, data):]
        except OSError:
            pass


def main():
    record = Record(sys.argv[1])
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def forward():
        record.copy("client", 0, server.stdin.fileno())
        server.stdin.close()

    threading.Thread(target=forward, daemon=True).start()
    record.copy("server", server.stdout.fileno(), 1)
    code = server.wait()
    record.add(exit=code)
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
