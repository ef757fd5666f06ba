"""Runs TablesBenchmark in a PostgreSQL of its own: rows.py PROGRAM ROWS TURNS (called by Benchmarks/rows)."""

import json
import os
import subprocess
import sys
from pathlib import Path

PEER = Path(__file__).parent.parent / "Tests/Peers/postgres_server.py"
program, rows, turns = sys.argv[1:]
# It stops when its standard input is closed.
with subprocess.Popen([sys.executable, PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
    told = json.loads(server.stdout.readline())
    subprocess.run(
        [program, f"postgresql://owner@127.0.0.1:{told['port']}/postgres", rows, turns], check=True,
        env={**os.environ, "PGPASSWORD": told["password"]})
