"""PostgreSQL for the tests: a cluster of their own, on loopback and a socket, with and without TLS.

The first line of stdout is JSON: port, socket folder, certificate authority, password, folder. Each
line on stdin is an order, answered by one line: "stop" (at once, as a crash), "kill" (each process, by
SIGKILL), "start". The server ends, and its folder goes, when stdin is closed.
"""

import glob
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import peer_server

PASSWORD = "pa ss/w%rd"


def programs():
    found = shutil.which("initdb")
    candidates = [os.path.dirname(found)] if found else []
    candidates += sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
    candidates += sorted(glob.glob("/opt/homebrew/opt/postgresql@*/bin"), reverse=True)
    for folder in candidates:
        if os.path.exists(os.path.join(folder, "initdb")):
            return folder
    sys.exit("PostgreSQL is not installed")


def certificate(folder):
    """An authority, and a certificate for localhost alone: 127.0.0.1 is not in it."""
    authority, _ = peer_server.authority(folder)
    pair = peer_server.key_and_certificate("localhost", authority, ["localhost"], 2)
    os.chmod(peer_server.write_pem(folder, "server.pem", pair), 0o600)


def main():
    bin_folder = programs()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="s3h-pg-", dir="/tmp"))
    folder.chmod(0o755)
    certificate(folder)
    (folder / "password").write_text(PASSWORD)
    identity = {}
    if os.geteuid() == 0:
        # initdb refuses root.
        entry = pwd.getpwnam("postgres")
        identity = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        for path in [folder, *folder.iterdir()]:
            os.chown(path, entry.pw_uid, entry.pw_gid)
    environment = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "HOME": str(folder),
        "TZ": "UTC",
    }

    def run(*arguments):
        subprocess.run(
            arguments, check=True, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
            stdout=sys.stderr, stderr=sys.stderr, **identity,
        )

    port = peer_server.free_port()
    data = folder / "data"
    run(
        f"{bin_folder}/initdb", "--pgdata", data, "--username", "owner", "--encoding", "UTF8",
        "--auth", "scram-sha-256", "--pwfile", folder / "password", "--no-sync",
    )
    with open(data / "postgresql.conf", "a", encoding="ascii") as settings:
        settings.write(
            f"listen_addresses = '127.0.0.1'\nport = {port}\n"
            f"unix_socket_directories = '{folder}'\nssl = on\n"
            f"ssl_cert_file = '{folder}/server.pem'\nssl_key_file = '{folder}/server.pem'\n"
            "max_connections = 60\nshared_buffers = 32MB\nfull_page_writes = off\n"
        )

    def start():
        run(
            f"{bin_folder}/pg_ctl", "--pgdata", data, "--log", folder / "log", "--wait", "start",
        )

    def stop():
        run(f"{bin_folder}/pg_ctl", "--pgdata", data, "--mode", "immediate", "--wait", "stop")

    def kill():
        # Each process of it, as where the machine's memory runs out.
        first = int((data / "postmaster.pid").read_text().split()[0])
        others = pathlib.Path(f"/proc/{first}/task/{first}/children")
        children = [int(pid) for pid in others.read_text().split()] if others.exists() else []
        for pid in [first, *children]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for pid in [first, *children]:
            for _ in range(200):
                state = subprocess.run(
                    ["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True)
                # One that nobody waits for stays as a zombie, and holds nothing.
                if not state.stdout.strip("Z+<sNl \n"):
                    break
                time.sleep(0.05)
        # A zombie still has its number, and would be taken for a server that runs.
        for left in [data / "postmaster.pid", *folder.glob(".s.PGSQL.*.lock")]:
            left.unlink(missing_ok=True)

    try:
        start()
        print(
            json.dumps(
                {
                    "port": port, "folder": str(folder), "authority": str(folder / "ca.pem"),
                    "password": PASSWORD,
                }
            ),
            flush=True,
        )
        for line in sys.stdin:
            try:
                {"stop": stop, "kill": kill, "start": start}[line.strip()]()
                print("done", flush=True)
            except subprocess.CalledProcessError as error:
                log = (folder / "log").read_text(errors="replace")
                print(f"{error}: {log[-500:]!r}", flush=True)
    finally:
        try:
            stop()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


main()
