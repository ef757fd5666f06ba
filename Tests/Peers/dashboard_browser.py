"""Looks at the dashboard of a real s3healthd in a real headless Chromium, as a person does.

Reads one JSON object on stdin: program, s3health, root (a folder that does not exist yet), browser. It
signs in by keyboard, posts a batch and waits for the page to show it, ends the server and starts it
again, publishes from elsewhere, signs out, and begins with an empty store. Prints one JSON object of
what it met.
"""

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time

from browser import Trial, axe, chromium, enter_token
from hub_server import HubServer, fill, post, sample, steps_now


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


class Story(Trial):
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
        post(self.address, self.token, "first", steps_now(1234))
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
        """From a card to its metric, along the chart by keys, on to a day, and to a number's source."""
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
        page.focus("td summary")
        page.keyboard.press("Enter")
        told["source"] = page.inner_text("td details[open] li")
        page.close()

    def begin(self):
        """From an empty store to the first chart: the page says how, and changes by itself. Every click
        and every Enter of the person is counted; the token is pasted."""
        server = HubServer(self.ask["program"], self.ask["root"] + "-empty")
        token = server.token("ann", "--endpoint", "dashboard")["token"]
        address, told = server.start(), self.told
        context, page = self.open()
        page.goto(address.geturl() + "/metric/steps")
        enter_token(page, token)
        page.keyboard.press("Enter")
        page.wait_for_selector("h1")
        told["came_back"] = page.url.removeprefix(address.geturl())
        context.close()
        clicks = 0
        context, page = self.open()
        page.goto(address.geturl())
        enter_token(page, token)
        page.click("button")
        clicks += 1
        page.wait_for_load_state()  # a busy machine shows the first part of a page before the rest
        command = f"s3healthd token add phone --app health-auto-export --url {address.geturl()}"
        told["start"] = (
            command in page.inner_text(".start")
            and "s3health import export.zip" in page.inner_text(".start"))
        told["start_axe"] = axe(page)
        # The person runs a command. Nothing is clicked: the chart comes by itself.
        fill(self.ask["s3health"], server)
        page.wait_for_selector("#trends .chart", timeout=60_000)
        told["begun"] = page.locator(".start").count() == 0
        page.click(".figure.steps h3 a")
        clicks += 1
        page.wait_for_selector(".readable .chart")
        told["clicks"] = clicks
        context.close()
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
        post(self.address, self.token, "second", steps_now(9000))
        self.shows(status, "1 received", ".log")
        # Numbers that stand in the list of what else today has, and a change after it.
        now = int(time.time())
        post(self.address, self.token, "third", [
            sample("QuantityTypeIdentifierHeartRate", rate, "count/min", now - rate) for rate in (60, 70)])
        page.wait_for_selector("#also-today", state="attached", timeout=90_000)
        post(self.address, self.token, "fourth", steps_now(1111))
        self.shows(page, "11,345")
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
            "watch", "--endpoint", "dashboard")["token"]


def main():
    ask = json.load(sys.stdin)
    with chromium(ask["browser"]) as browser:
        trial = Story(ask, browser)
        try:
            trial.story()
            trial.begin()
        finally:
            trial.end()
    print(json.dumps(trial.told))


os.environ.setdefault("TZ", "UTC")
main()
