"""Looks at the dashboard of a real s3healthd in a real headless Chromium, as a person does.

Reads one JSON object on stdin: program, s3health, root (a folder that does not exist yet), browser,
folder (for screenshots; null for none). It signs in by keyboard, posts a batch and waits for the page
to show it, ends the server and starts it again, publishes from elsewhere, signs out, and looks at the
page at several widths, light and dark. Prints one JSON object of what it met.
"""

import http.server
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time
import zlib

from playwright.sync_api import sync_playwright

from browser_looks import CONTRAST, WIDER
from hub_server import HubServer

DEVICE = "7a1e6b0c-2f7d-4c54-9d0b-3c7a1f2e8d90"
SIZES = {"small": (320, 640), "phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800),
         "wall": (2560, 1440)}
PAGES = {"status": "/status", "metric": "/metric/steps", "all": "/metric/resting_hr_avg?span=all",
         "sleep": "/metric/sleep_deep_minutes?span=week"}


def fill(ask, server):
    """A year of days, some without a number, some missing, the newest yesterday."""
    today = int(time.time()) // 86400
    days = []
    for back in range(1, 400):
        if back % 71 == 5 or 200 < back < 212:
            continue
        date = time.strftime("%Y-%m-%d", time.gmtime((today - back) * 86400))
        wave = back * 37 % 101
        days.append({"date": date, "metrics": {
            "steps": 3000 + 90 * wave, "active_energy_kcal": 300 + wave * 2.5,
            "exercise_minutes": None if back % 9 == 0 else 20 + wave / 4,
            "stand_hours": 8 + wave % 7, "resting_hr_avg": 55 + wave / 20,
            "hrv_sdnn_avg": None if back % 4 == 0 else 40 + wave / 5,
            "sleep_asleep_minutes": 380 + wave, "sleep_in_bed_minutes": 420 + wave,
            "sleep_deep_minutes": 60 + wave / 4, "sleep_core_minutes": 230 + wave / 2,
            "sleep_rem_minutes": 90 + wave / 4, "sleep_awake_minutes": 20 + wave / 9}})
    subprocess.run(
        [ask["s3health"], "put", "--date", "all", "--input", "-", "--store", str(server.folder),
         "--timezone", "UTC"],
        input=json.dumps({"days": days}), text=True, check=True, env=server.environment,
        capture_output=True)


def post(address, token, steps, session):
    """A sample of steps of this moment, posted as a phone does."""
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    body = {
        "stream_name": "apple_ios_healthkit", "device_id": DEVICE,
        "batch_metadata": {"app_version": "1", "session": session, "total_records": 1},
        "data": [{
            "uuid": f"00000000-0000-4000-8000-{zlib.crc32(session.encode()):012d}",
            "sample_type": "HKQuantityTypeIdentifierStepCount", "value": steps, "unit": "count",
            "timestamp": moment, "end_timestamp": moment, "source": "watch"}]}
    # A token that was just made is known within seconds.
    for _ in range(60):
        done = subprocess.run(
            ["curl", "-s", "--fail-with-body", "-H", f"X-Device-Token: {token}",
             "-d", json.dumps(body), f"{address.geturl()}/api/ingest"],
            check=False, capture_output=True, text=True)
        if done.returncode == 0:
            return
        time.sleep(0.5)
    raise AssertionError(done)


class Gateway(http.server.BaseHTTPRequestHandler):
    """A Pushgateway that takes everything."""

    def take(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_PUT = do_POST = take

    def log_message(self, *_):
        pass


class Trial:
    def __init__(self, ask, browser):
        self.ask, self.browser = ask, browser
        self.server = HubServer(ask["program"], ask["root"])
        fill(ask, self.server)
        self.token = self.server.token(
            "watch", "--endpoint", "dashboard", "--endpoint", "ingest", "--device", DEVICE)["token"]
        self.server.environment["S3HEALTH_STEP_GOAL"] = "8000"
        self.address = self.server.start()
        self.told = {"console": [], "failures": [], "elsewhere": []}

    def open(self, size=(1280, 800), scheme="light", **more):
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, **more)
        page = context.new_page()
        page.on("console", lambda message: self.told["console"].append(message.text))
        page.on("pageerror", lambda error: self.told["failures"].append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(self.address.geturl())
                else self.told["elsewhere"].append(request.url))
        page.add_init_script(
            "window.refused = []; document.addEventListener('securitypolicyviolation',"
            "e => window.refused.push(e.violatedDirective + ' ' + e.blockedURI));")
        return context, page

    def sign_in(self, page, token=None):
        """By keyboard alone: the field has the focus."""
        page.goto(self.address.geturl() + "/")
        page.wait_for_selector("#token:focus")
        page.keyboard.type(token or self.token)
        page.keyboard.press("Enter")

    def live(self, page):
        page.wait_for_selector("#live.on", timeout=60_000)

    def steps(self, page):
        return page.inner_text(".figure.steps .last")

    @staticmethod
    def shows(page, text, place=".figure.steps .last"):
        # Not by a predicate: the page's policy lets nobody evaluate text.
        page.locator(place, has_text=text).first.wait_for(timeout=90_000)
        return True

    def story(self):
        """One page that stays open all the time."""
        told = self.told
        context, page = self.open()
        self.sign_in(page, "s3h_wrong")
        page.wait_for_selector("[role=alert]")
        told["refusal"] = page.inner_text("[role=alert]")
        # A refusal is the only answer that the console speaks of.
        told["console"] = [text for text in told["console"] if "403" not in text]
        self.sign_in(page)
        self.live(page)
        cookie = context.cookies()[0]
        told["cookie"] = {key: cookie[key] for key in ("httpOnly", "sameSite", "path")}
        told["cookie_in_script"] = page.evaluate("document.cookie")
        told["before"] = self.steps(page)
        page.evaluate("window.stays = 1")
        post(self.address, self.token, 1234, "first")
        told["posted"] = self.shows(page, "1,234")
        status = context.new_page()
        status.goto(self.address.geturl() + "/status")
        self.shows(status, "posted", ".log")
        told["log"] = status.inner_text(".log")
        told["sender"] = status.inner_text("#status .origins li")
        told["news"] = page.inner_text("#news")
        # Published by another program straight into the store.
        subprocess.run(
            [self.ask["s3health"], "put", "--date", "today", "--input", "-", "--store",
             str(self.server.folder), "--timezone", "UTC"],
            input=json.dumps({"metrics": {"steps": 10_500}}), text=True, check=True,
            env=self.server.environment, capture_output=True)
        told["elsewhere_published"] = self.shows(page, "10,500")
        told["goal"] = page.inner_text(".goal")
        told["stayed"] = page.evaluate("window.stays") == 1
        self.push(status)
        self.restart(page, status)
        status.close()
        self.open_things(context)
        self.revoke(context, page)
        context.close()

    def push(self, page):
        """Another program of the same user pushes to a gateway that is not there, then to one."""
        told = self.told
        told["pushes_before"] = page.locator("h3", has_text="Pushes").count()
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            gateway = f"http://127.0.0.1:{held.getsockname()[1]}"
            told["push_failed"] = self.one_push(gateway)
        self.shows(page, "1 failed, never succeeded", "#status .origins .failure")
        told["push"] = page.inner_text("#status .origins .failure")
        server = http.server.HTTPServer(
            ("127.0.0.1", int(gateway.rsplit(":", 1)[1])), Gateway)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        told["push_succeeded"] = self.one_push(gateway)
        server.shutdown()
        self.shows(page, gateway, "#status .origins .entry")

    def one_push(self, gateway):
        return subprocess.run(
            [self.ask["s3health"], "push", "--gateway", gateway, "--instance", "<b>hub",
             "--store", str(self.server.folder), "--timezone", "UTC"],
            check=False, env=self.server.environment, capture_output=True).returncode

    def open_things(self, context):
        """From a card to its metric, along the chart by keys, and on to a day."""
        told, page = self.told, context.new_page()
        page.goto(self.address.geturl() + "/?span=week")
        page.focus(".figure.steps h3 a")
        page.keyboard.press("Enter")
        page.wait_for_selector(".readout")
        told["metric"] = page.url.removeprefix(self.address.geturl())
        page.focus(".chart")
        newest = page.inner_text(".readout")
        page.keyboard.press("ArrowLeft")
        told["read_out"] = page.inner_text(".readout") != newest
        page.locator(".chart").hover(position={"x": 60, "y": 60})
        told["hovered"] = page.locator("tr.read").count() == 1
        page.focus(".chart")
        page.keyboard.press("Enter")
        page.wait_for_url("**/day/*")
        told["day_heading"] = page.inner_text("h1") != ""
        page.close()

    def begin(self):
        """An empty store says how to begin, and changes by itself."""
        server = HubServer(self.ask["program"], self.ask["root"] + "-empty")
        token = server.token("ann", "--endpoint", "dashboard")["token"]
        address = server.start()
        page = self.browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.goto(address.geturl() + "/metric/steps")
        page.fill("#token", token)
        page.keyboard.press("Enter")
        page.wait_for_selector("h1")
        self.told["came_back"] = page.url.removeprefix(address.geturl())
        page.goto(address.geturl() + "/")
        self.told["start"] = (
                f"s3healthd token add phone --app health-auto-export --url {address.geturl()}"
                in page.inner_text(".start") and "s3health import export.zip" in page.inner_text(".start"))
        fill(self.ask, server)
        page.wait_for_selector("#trends .chart", timeout=60_000)
        self.told["begun"] = page.locator(".start").count() == 0
        page.context.close()
        server.stop()

    def restart(self, page, status):
        """The server ends and comes back on the same port; the page says so and goes on."""
        told = self.told
        kept = list(told["console"])
        told["exit_code"], _ = self.server.stop()
        page.wait_for_selector("#live.lost", timeout=60_000)
        told["lost"] = page.inner_text("#live")
        told["still_shown"] = self.steps(page)
        self.server.start("--listen", f"127.0.0.1:{self.address.port}")
        self.live(page)
        # What the browser itself says of a server that is away.
        told["console"] = kept + [
            text for text in told["console"][len(kept):] if "net::ERR_" not in text]
        post(self.address, self.token, 9000, "second")
        self.shows(status, "1 received", ".log")
        told["reconnected"] = page.evaluate("window.stays") == 1

    def revoke(self, context, page):
        """Sync and sign-out by keyboard; and what a revoked token's page does."""
        told = self.told
        other_context, other = self.open()
        self.sign_in(other)
        self.live(other)
        other.goto(self.address.geturl() + "/status")
        self.live(other)
        other.focus("#sync button")
        other.keyboard.press("Enter")
        self.shows(other, "asked to sync", ".log")
        told["synced"] = True
        forged = other.request.post(
            self.address.geturl() + "/sync", form={"form_key": "0"}, max_redirects=0)
        told["forged"] = forged.status
        cookie = other_context.cookies()[0]
        other.focus("#sign-out button")
        other.keyboard.press("Enter")
        other.wait_for_selector("#token")
        told["signed_out"] = other.inner_text("[role=alert]")
        other_context.add_cookies([cookie])
        other.goto(self.address.geturl() + "/")
        told["kept_cookie"] = other.url.endswith("/sign-in")
        other_context.close()
        self.server.run(
            self.ask["program"], "token", "revoke", "watch", "--tokens",
            str(self.server.root / "tokens.json"))
        page.wait_for_url("**/sign-in", timeout=90_000)
        told["revoked"] = True
        # Streams that end so are told by the browser, too.
        told["console"] = [text for text in told["console"] if "401" not in text]
        self.token = self.server.token(
            "watch", "--endpoint", "dashboard", "--endpoint", "ingest", "--device", DEVICE)["token"]

    def looks(self):
        """Every width, light and dark."""
        looks = {}
        post(self.address, self.token, 4321, "third")
        for scheme in ("light", "dark"):
            for name, size in SIZES.items():
                more = {"reduced_motion": "reduce"} if name == "wall" else {}
                context, page = self.open(size, scheme, **more)
                self.sign_in(page)
                self.live(page)
                look = {"contrast": page.evaluate(CONTRAST), "wider": page.evaluate(WIDER)}
                look["refused"] = page.evaluate("window.refused")
                look["moving"] = page.evaluate(
                    "document.getAnimations().filter(a => a.playState === 'running').length")
                if self.ask.get("folder"):
                    folder = pathlib.Path(self.ask["folder"])
                    folder.mkdir(parents=True, exist_ok=True)
                    page.screenshot(
                        path=folder / f"dashboard-{name}-{scheme}.png", full_page=True)
                if scheme == "light" and name == "desk":
                    look["tree"] = self.tree(context, page)
                yesterday = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))
                pages = PAGES | {"year": "/?span=year", "day": f"/day/{yesterday}"}
                for kind, path in pages.items():
                    page.goto(self.address.geturl() + path)
                    page.wait_for_selector("h1")
                    look[kind] = page.evaluate(WIDER)
                    look[kind + "_contrast"] = page.evaluate(CONTRAST)
                    look["refused"] += page.evaluate("window.refused")
                looks[f"{name} {scheme}"] = look
                context.close()
        self.told["looks"] = looks
        # Without script the page is whole, and does not pretend to be live.
        context, page = self.open(java_script_enabled=False)
        self.sign_in_still(page)
        self.told["still"] = page.inner_text("#live")
        self.told["still_steps"] = self.steps(page)
        context.close()

    def sign_in_still(self, page):
        page.goto(self.address.geturl() + "/")
        page.fill("#token", self.token)
        page.keyboard.press("Enter")
        page.wait_for_selector(".figure.steps")

    @staticmethod
    def tree(context, page):
        nodes = context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        kept = {"heading", "region", "main", "banner", "contentinfo", "navigation", "button",
                "status", "image"}
        return [
            {"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")}
            for node in nodes
            if not node.get("ignored") and node.get("role", {}).get("value") in kept]


def main():
    ask = json.load(sys.stdin)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=ask["browser"],
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        trial = Trial(ask, browser)
        try:
            trial.story()
            trial.begin()
            trial.looks()
        finally:
            if trial.server.process.poll() is None:
                trial.server.process.terminate()
                trial.server.process.wait(60)
        browser.close()
    print(json.dumps(trial.told))


os.environ.setdefault("TZ", "UTC")
main()
