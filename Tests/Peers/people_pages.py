"""An administrator of people in a real headless Chromium, on a real s3healthd.

Reads one JSON object on stdin: program, s3health, root (a folder that does not exist yet), browser and,
where screenshots are to be kept, folder. Without script it signs in, adds a person, sets a zone, ends
access and signs out; then it looks at every page, light and dark, narrow and wide. Prints one JSON
object of what it met.
"""

import json
import os
import pathlib
import subprocess
import sys

from browser_looks import CONTRAST, WIDER, axe
from browser_page import chromium, enter_token, watched_page
from dashboard_trial import DEVICE, steps_now
from hub_server import HubServer

# What a finger or a mouse can press: as wide and high as a finger is.
SMALL = """() => [...document.querySelectorAll("a, button, input:not([type=checkbox]), .check")]
  .filter(e => e.checkVisibility() && !e.matches(".skip"))
  .filter(e => e.getBoundingClientRect().height < 44 || e.getBoundingClientRect().width < 24)
  .map(e => e.outerHTML.slice(0, 100))"""


class Story:
    def __init__(self, ask, browser):
        self.ask, self.browser, self.told = ask, browser, {}
        self.told.update(console=[], failures=[], elsewhere=[], refused=[])
        self.server = HubServer(ask["program"], ask["root"])
        days = [{"date": f"2026-02-{day:02}", "metrics": {"steps": 8000 + day}} for day in range(1, 15)]
        for person in ["ann", "bob", "p-" + "long" * 15]:
            self.server.run(
                ask["s3health"], "people", "add", person, "--timezone", "Europe/Berlin", "--store",
                str(self.server.folder))
        subprocess.run(
            [ask["s3health"], "put", "--person", "ann", "--date", "all", "--input", "-", "--store",
             str(self.server.folder), "--timezone", "UTC"],
            input=json.dumps({"days": days}), text=True, check=True, env=self.server.environment,
            capture_output=True)
        broken = self.server.folder / "people/broken"
        broken.mkdir()
        (broken / "settings.json").write_text("{broken")
        self.boss = self.server.token(
            "study", "--endpoint", "people", "--endpoint", "dashboard")["token"]
        self.own = self.server.token("ann-page", "--person", "ann", "--endpoint", "dashboard")["token"]
        self.phone = self.server.token("own-phone", "--device", DEVICE)["token"]
        self.address = self.server.start().geturl()

    def open(self, size, **more):
        return watched_page(self.browser, self.told, size, **more)

    def sign_in(self, page, token):
        page.goto(self.address + "/people")
        enter_token(page, token)
        page.click("button")

    def post(self, token, device):
        body = {"stream_name": "apple_ios_healthkit", "device_id": device,
                "batch_metadata": {"app_version": "1", "session": "s", "total_records": 1},
                "data": steps_now(1234)}
        return int(subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"X-Device-Token: {token}",
             "-d", "@-", self.address + "/api/ingest"],
            input=json.dumps(body), text=True, check=True, capture_output=True).stdout)

    def without_script(self):
        told, (context, page) = self.told, self.open((390, 844), java_script_enabled=False)
        for name, token in [("unknown", "s3h_wrong"), ("persons", self.own), ("phones", self.phone)]:
            self.sign_in(page, token)
            told[name] = page.inner_text("[role=alert]")
        self.sign_in(page, self.boss)
        told["signed_in"] = page.url.removeprefix(self.address)
        cookie = context.cookies()[0]
        told["cookie"] = {key: cookie[key] for key in ("name", "httpOnly", "sameSite", "path")}
        # An administrator's cookie opens no page with values.
        told["dashboard"] = context.request.get(self.address + "/status", max_redirects=0).status
        told["list"] = page.inner_text(".people")
        for entered, word in [("<b>x</b>", "id_refused"), ("../ann", "path_refused"), ("", "empty")]:
            page.fill("#person", entered)
            page.click("text=Add >> nth=-1")
            told[word] = page.inner_text("[role=alert]")
        page.goto(self.address + "/people")
        page.fill("#person", "cid")
        page.fill("#timezone", "Mars/Olympus")
        page.click("text=Add >> nth=-1")
        told["zone_refused"] = page.inner_text("[role=alert]")
        told["still_entered"] = page.input_value("#timezone") == "Mars/Olympus"
        page.fill("#timezone", "Pacific/Kiritimati")
        page.click("text=Add >> nth=-1")
        secret, device = page.inner_text(".secret"), page.inner_text(".facts dd >> nth=0")
        told["secret"] = secret.startswith("s3h_")
        self.shot(page, "token-390")
        told["posted"] = self.post(secret, device)
        # Sent twice, it makes one token.
        page.reload()
        told["twice"] = page.inner_text("[role=alert]")
        page.goto(self.address + "/people/person?id=cid")
        told["person"] = page.inner_text("main")
        told["person_zone"] = page.input_value("#timezone")
        page.fill("#timezone", "Asia/Tokyo")
        page.click("text=Save")
        told["saved"] = page.input_value("#timezone")
        page.click("text=End access of cid…")
        told["question"] = page.inner_text("main")
        told["before"] = self.post(secret, device)
        page.click("text=Leave it as it is")
        told["left"] = self.post(secret, device)
        page.click("text=End access of cid…")
        page.click("button.danger")
        told["ended"] = page.inner_text("#tokens + p")
        told["after"] = self.post(secret, device)
        told["unknown_person"] = page.goto(self.address + "/people/person?id=nobody").status
        told["no_person"] = page.goto(self.address + "/people/person?id=%3Cscript%3E").status
        forged = context.request.post(
            self.address + "/people/remove", form={"person": "ann", "form_key": "0" * 64})
        told["forged"] = forged.status
        told["ann_stays"] = "ann-page" in context.request.get(
            self.address + "/people/person?id=ann").text()
        page.goto(self.address + "/people")
        cookie = context.cookies()
        page.click("text=Sign out")
        told["signed_out"] = page.inner_text("[role=alert]")
        context.add_cookies(cookie)
        page.goto(self.address + "/people")
        told["kept_cookie"] = page.url.removeprefix(self.address)
        context.close()

    def shot(self, page, name):
        if self.ask.get("folder"):
            page.screenshot(
                path=str(pathlib.Path(self.ask["folder"]) / f"people-{name}.png"), full_page=True)

    def looks(self):
        pages = {"list": "/people", "person": "/people/person?id=ann",
                 "broken": "/people/person?id=broken", "removal": "/people/remove?id=ann",
                 "nobody": "/people/person?id=nobody", "sign-in": "/people/sign-in"}
        looks = self.told["looks"] = {}
        for scheme in ("light", "dark"):
            for size in [(320, 640), (1280, 800)]:
                context, page = self.open(size, color_scheme=scheme)
                self.sign_in(page, self.boss)
                for name, path in pages.items():
                    page.goto(self.address + path)
                    self.told["refused"] += page.evaluate("window.refused")
                    looks[f"{name}-{scheme}-{size[0]}"] = {
                        "axe": axe(page), "contrast": page.evaluate(CONTRAST)["ratio"],
                        "wider": page.evaluate(WIDER), "small": page.evaluate(SMALL)}
                    self.shot(page, f"{name}-{scheme}-{size[0]}")
                context.close()


def main():
    ask = json.load(sys.stdin)
    with chromium(ask["browser"]) as browser:
        story = Story(ask, browser)
        try:
            story.without_script()
            story.looks()
        finally:
            code, log = story.server.stop()
    story.told["console"] = [text for text in story.told["console"] if "status of 4" not in text]
    story.told["exit_code"] = code
    story.told["secrets_in_log"] = "s3h_" in log or "80" + "08" in log
    print(json.dumps(story.told))


if __name__ == "__main__":
    os.environ.setdefault("TZ", "UTC")
    main()
