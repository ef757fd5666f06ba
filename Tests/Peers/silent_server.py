"""Takes connections and requests, and never answers. Prints {"port": number} when it listens.

Ends when its stdin is closed.
"""

import json
import socket
import sys
import threading

server = socket.create_server(("127.0.0.1", 0))
held = []


def accept():
    while True:
        held.append(server.accept()[0])


threading.Thread(target=accept, daemon=True).start()
print(json.dumps({"port": server.getsockname()[1]}), flush=True)
sys.stdin.read()
