"""Makes the pictures of docs/pictures from generated days: today (light and dark), a day, a metric and
a report, in a real headless Chromium.

page_pictures.py PROGRAM S3HEALTH BROWSER FOLDER
"""

import base64
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from browser import chromium
from dashboard_looks import YESTERDAY, Looks
from hub_server import MORE

MOST_BYTES = 60_000


def picture(context, page, path, height):
    shot = context.new_cdp_session(page).send("Page.captureScreenshot", {
        "format": "webp", "quality": 72, "clip": {
            "x": 0, "y": 0, "width": page.viewport_size["width"], "height": height, "scale": 1}})
    body = base64.b64decode(shot["data"])
    if len(body) > MOST_BYTES:
        sys.exit(f"{path}: {len(body)} bytes")
    path.write_bytes(body)
    print(f"{path}  {len(body)} bytes")


def main(program, s3health, browser_path, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as root, chromium(browser_path) as browser:
        trial = Looks({"program": program, "s3health": s3health, "root": root + "/hub"}, browser,
                      more=MORE)
        try:
            trial.prepare()
            for name, path, scheme, height in [
                    ("today", "/", "light", 900), ("today-dark", "/", "dark", 900),
                    ("day", f"/day/{YESTERDAY}", "light", 900),
                    ("metric", "/metric/sleep_deep_minutes", "light", 620)]:
                context, page = trial.open((1100, 900), scheme, storage_state=trial.state)
                trial.visit(page, path)
                page.wait_for_timeout(1500)
                picture(context, page, folder / f"{name}.webp", height)
                context.close()
            report = pathlib.Path(root) / "report.html"
            subprocess.run(
                [s3health, "report", "--store", str(trial.server.folder), "--timezone", "UTC",
                 "12w", "--for", "doctor", "--name", "Ann Example", "--html", str(report)],
                check=True, env=trial.server.environment, stdout=subprocess.DEVNULL)
            context, page = trial.open((1100, 900))
            page.goto(report.as_uri())
            picture(context, page, folder / "report.webp", 900)
        finally:
            trial.end()


os.environ.setdefault("TZ", "UTC")
time.tzset()
main(*sys.argv[1:])
