"""A Pushgateway and a Prometheus that scrapes it, for the tests, on loopback.

The first line of stdout is JSON: the gateway's port, Prometheus's port, the folder. Prometheus scrapes
every second with honor_labels, and its data folder begins with the blocks of a text in OpenMetrics if
one is named. Its rules are those of grafana/alerts.yaml. Each line on stdin is an order: "stop" and "start" end and start the gateway, answered by
a line. Both end, and the folder goes, when stdin is closed.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from peer_server import free_port

RULES = pathlib.Path(__file__).resolve().parent.parent.parent / "grafana/alerts.yaml"


def program(name):
    found = shutil.which(name)
    if not found:
        sys.exit(f"{name} is not installed; scripts/test installs it")
    return found


def wait_until_ready(port, process):
    for _ in range(600):
        if process.poll() is not None:
            sys.exit("a server ended before it was ready")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    sys.exit("a server is not ready after a minute")


def main():
    history = sys.argv[1] if len(sys.argv) > 1 else None
    folder = pathlib.Path(tempfile.mkdtemp(prefix="s3h-prom-", dir="/tmp"))
    gateway_port, port = free_port(), free_port()
    (folder / "prometheus.yml").write_text(
        f"""\
global:
  scrape_interval: 1s
  evaluation_interval: 1s
rule_files:
  - {RULES}
scrape_configs:
  - job_name: pushgateway
    honor_labels: true
    static_configs:
      - targets: ["127.0.0.1:{gateway_port}"]
"""
    )
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(folder)}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": sys.stderr}

    def start_gateway():
        gateway = subprocess.Popen(
            [
                program("pushgateway" if shutil.which("pushgateway") else "prometheus-pushgateway"),
                f"--web.listen-address=127.0.0.1:{gateway_port}", "--log.level=error",
                # Debian's default is one file of the machine, which all gateways would share.
                "--persistence.file=",
            ],
            env=environment, cwd=folder, **quiet,
        )
        wait_until_ready(gateway_port, gateway)
        return gateway

    if history:
        subprocess.run(
            [
                program("promtool"), "tsdb", "create-blocks-from", "--max-block-duration=8760h",
                "openmetrics", history, str(folder / "data"),
            ],
            check=True, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr,
        )
    gateway = start_gateway()
    prometheus = subprocess.Popen(
        [
            program("prometheus"), f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/data", "--storage.tsdb.retention.time=100y",
            f"--web.listen-address=127.0.0.1:{port}", "--log.level=error",
        ],
        env=environment, cwd=folder, **quiet,
    )
    try:
        wait_until_ready(port, prometheus)
        print(json.dumps({"gateway": gateway_port, "prometheus": port, "folder": str(folder)}))
        sys.stdout.flush()
        for line in sys.stdin:
            if line.strip() == "stop":
                gateway.kill()
                gateway.wait()
            elif line.strip() == "start":
                gateway = start_gateway()
            print("done", flush=True)
    finally:
        for process in (gateway, prometheus):
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


main()
