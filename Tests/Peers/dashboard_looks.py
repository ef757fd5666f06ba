"""Looks at every page of a real s3healthd in a real headless Chromium: at five widths, light, dark, in
forced colours, on paper, by keyboard and with axe.

Reads one JSON object on stdin: program, s3health, root (a folder that does not exist yet), browser,
folder (for screenshots; null for none). Prints one JSON object of what it met.
"""

import io
import json
import os
import pathlib
import sys
import time
import urllib.parse

import pypdf

from browser import CONTRAST, PAPER, SHAPES, WIDER, Trial, axe, chromium, enter_token, tree
from hub_server import post, steps_now, watched

SIZES = {"small": (320, 640), "phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800),
         "wall": (2560, 1440)}
YESTERDAY = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400))
PAGES = {"today": "/", "year": "/?span=year", "day": f"/day/{YESTERDAY}", "metric": "/metric/steps",
         "all": "/metric/resting_hr_avg?span=all", "sleep": "/metric/sleep_deep_minutes?span=week",
         "status": "/status"}


class Looks(Trial):
    def prepare(self):
        """Yesterday and today have what a watch measures."""
        now = int(time.time())
        start = now // 86400 * 86400
        post(self.address, self.token, "watched",
             watched(start - 86400, start) + watched(start, now) + steps_now(4321))
        context, page = self.open()
        self.sign_in(page)
        self.live(page)
        page.goto(self.address.geturl() + PAGES["day"])
        # The day is made again within a moment.
        for _ in range(60):
            if page.locator("#heart").count():
                break
            time.sleep(0.5)
            page.reload()
        self.state = context.storage_state()
        context.close()

    def visit(self, page, path):
        page.goto(self.address.geturl() + path)
        page.wait_for_selector("h1")

    def shot(self, page, name):
        if self.ask.get("folder"):
            folder = pathlib.Path(self.ask["folder"])
            folder.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=folder / f"{name}.png", full_page=True)

    def widths(self):
        """Every width, light and dark."""
        looks = {}
        for scheme in ("light", "dark"):
            for name, size in SIZES.items():
                more = {"reduced_motion": "reduce"} if name == "wall" else {}
                context, page = self.open(size, scheme, storage_state=self.state, **more)
                look = {"refused": [], "pages": {}}
                for kind, path in PAGES.items():
                    self.visit(page, path)
                    if kind == "today":
                        self.live(page)
                        look["moving"] = page.evaluate(
                            "document.getAnimations().filter(a => a.playState === 'running').length")
                        if scheme == "light" and name == "desk":
                            self.told["tree"] = tree(context, page)
                    look["pages"][kind] = {
                        "wider": page.evaluate(WIDER), "contrast": page.evaluate(CONTRAST)}
                    if name in ("phone", "desk"):
                        look["pages"][kind]["axe"] = axe(page)
                    look["refused"] += page.evaluate("window.refused")
                    self.shot(page, f"{kind}-{name}-{scheme}")
                looks[f"{name} {scheme}"] = look
                context.close()
        self.told["looks"] = looks

    def forced(self):
        """Forced colours, light and dark: every mark of a drawing stands out from what is behind it."""
        self.told["forced"] = {}
        for scheme in ("light", "dark"):
            context, page = self.open(
                scheme=scheme, storage_state=self.state, forced_colors="active")
            for kind, path in PAGES.items():
                self.visit(page, path)
                self.told["forced"][f"{kind} {scheme}"] = {
                    "shapes": page.evaluate(SHAPES), "text": page.evaluate(CONTRAST),
                    "live": page.evaluate(
                        "getComputedStyle(document.querySelector('.live') ?? document.body, '::before')"
                        ".borderTopColor"),
                    "axe": axe(page)}
                self.shot(page, f"{kind}-forced-{scheme}")
            context.close()

    def paper(self):
        """On paper, from a dark screen: white, nothing cut, all rows of the tables, no way around."""
        self.told["paper"] = {}
        context, page = self.open((718, 1000), "dark", storage_state=self.state)
        page.emulate_media(media="print", color_scheme="dark")
        for kind, path in PAGES.items():
            self.visit(page, path)
            told = page.evaluate(PAPER) | {"wider": page.evaluate(WIDER)}
            self.shot(page, f"{kind}-paper")
            cells = page.evaluate(
                "[...document.querySelectorAll('.beside tbody th')].map(e => e.textContent)")
            file = page.pdf(format="A4")
            if self.ask.get("folder"):
                (pathlib.Path(self.ask["folder"]) / f"{kind}.pdf").write_bytes(file)
            pages = [sheet.extract_text() for sheet in pypdf.PdfReader(io.BytesIO(file)).pages]
            told["unprinted"] = [cell for cell in cells if not any(cell in text for text in pages)]
            told["unnumbered"] = sum(
                f"page {number} of {len(pages)}" not in text
                for number, text in enumerate(pages, 1))
            told["pages"] = len(pages)
            self.told["paper"][kind] = told
        context.close()

    def keyboard(self):
        """Every link, button and chart of every page is reached by Tab, and each shows that it is."""
        self.told["keyboard"] = {}
        context, page = self.open(storage_state=self.state)
        for kind, path in PAGES.items():
            self.visit(page, path)
            wanted = page.evaluate(
                "[...document.querySelectorAll('a, button, summary, input:not([type=hidden]),"
                " [tabindex=\"0\"]')].filter(e => e.checkVisibility()).map((e, i) => {"
                " e.dataset.walk = i; return i; }).length")
            reached, unmarked = set(), []
            page.evaluate("document.body.focus()")
            for _ in range(wanted + 8):
                page.keyboard.press("Tab")
                here = page.evaluate(
                    "(() => { const e = document.activeElement, s = getComputedStyle(e);"
                    " return [e.dataset?.walk ?? null, s.outlineStyle !== 'none'"
                    " && parseFloat(s.outlineWidth) >= 1, e.outerHTML.slice(0, 80)]; })()")
                if here[0] is None:
                    continue
                reached.add(here[0])
                if not here[1]:
                    unmarked.append(here[2])
            self.told["keyboard"][kind] = {
                "wanted": wanted, "reached": len(reached), "unmarked": unmarked[:5]}
        context.close()

    def still(self):
        """Without script the pages are whole, and do not pretend to be live."""
        context, page = self.open(java_script_enabled=False)
        page.goto(self.address.geturl() + "/")
        enter_token(page, self.token)
        page.keyboard.press("Enter")
        page.wait_for_selector(".figure.steps")
        self.told["still"] = page.inner_text("#live")
        self.told["still_pages"] = []
        for kind, path in PAGES.items():
            self.visit(page, path)
            if page.locator("main h2").count():
                self.told["still_pages"].append(kind)
        context.close()
        context, page = self.open((390, 844))
        page.goto(self.address.geturl() + "/sign-in")
        self.told["sign_in_axe"] = axe(page)
        context.close()

    def consent(self):
        """The page that asks whether an agent may read."""
        address = self.address.geturl()
        context, page = self.open((390, 844), storage_state=self.state)
        callback = "http://127.0.0.1:51234/callback"
        client = page.request.post(address + "/register", data={
            "client_name": "Trial agent", "redirect_uris": [callback],
            "grant_types": ["authorization_code"], "response_types": ["code"],
            "token_endpoint_auth_method": "none"}).json()
        query = urllib.parse.urlencode({
            "response_type": "code", "client_id": client["client_id"], "redirect_uri": callback,
            "code_challenge": "x" * 43, "code_challenge_method": "S256", "state": "s",
            "resource": address + "/mcp"})
        for scheme, colours in [("light", "none"), ("dark", "none"), ("light", "active")]:
            page.emulate_media(color_scheme=scheme, forced_colors=colours)
            page.goto(f"{address}/authorize?{query}")
            self.told.setdefault("consent", []).append({
                "asks": "Trial agent" in page.inner_text("main"), "axe": axe(page),
                "contrast": page.evaluate(CONTRAST), "wider": page.evaluate(WIDER)})
            self.shot(page, f"consent-{scheme}-{colours}")
        context.close()


def main():
    ask = json.load(sys.stdin)
    with chromium(ask["browser"]) as browser:
        trial = Looks(ask, browser)
        try:
            trial.prepare()
            for part in ask.get("parts") or ["widths", "forced", "paper", "keyboard", "still", "consent"]:
                getattr(trial, part)()
        finally:
            trial.end()
    print(json.dumps(trial.told))


if __name__ == "__main__":
    os.environ.setdefault("TZ", "UTC")
    main()
