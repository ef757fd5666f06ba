"""A headless browser, pages whose console, requests and policy are watched, what is measured in every page of the
project, and a real s3healthd with a year of days to look at.
"""

import contextlib
import faulthandler
import pathlib

import axe_playwright_python
from playwright.sync_api import sync_playwright

from hub_server import DEVICE, HubServer, fill

# A browser that hangs is waited for without a limit by some calls: name the place, and end.
faulthandler.dump_traceback_later(560, exit=True)

COLOURS = """
  const channels = text => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const apart = (one, other) => {
    const [a, b] = [luminance(one), luminance(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = channels(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
      if (colour[3] !== 0) throw new Error("a half transparent background");
    }
    throw new Error("no background");
  };
"""

CONTRAST = "() => {" + COLOURS + """
  let least = {ratio: 99, text: ""};
  const measure = (element, colour) => {
    const ratio = apart(channels(colour), behind(element));
    if (ratio < least.ratio) least = {ratio, text: (element.textContent || "").slice(0, 40)};
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || element.localName === "title") continue;
    const style = getComputedStyle(element);
    measure(element, element.namespaceURI.includes("svg") ? style.fill : style.color);
  }
  let marks = 99;
  for (const mark of document.querySelectorAll(".legend path")) {
    marks = Math.min(marks, apart(channels(getComputedStyle(mark).fill), behind(mark)));
  }
  return {...least, marks};
}"""

# The least contrast of a mark of any drawing with what is behind it, its opacity counted. Lines of a
# scale and the rest of a ring are only help, and a hole is there to look like what is behind it.
SHAPES = "() => {" + COLOURS + """
  let least = {ratio: 99, mark: "", count: 0};
  for (const mark of document.querySelectorAll("svg :is(path, rect, circle, line)")) {
    if (!mark.checkVisibility() || mark.matches(".grid, .track, .hole, .sky")) continue;
    const style = getComputedStyle(mark);
    const back = behind(mark.closest("svg").parentElement);
    const seen = [[style.stroke, style.strokeOpacity], [style.fill, style.fillOpacity]]
      .filter(([colour]) => colour !== "none").map(([colour, part]) => {
        const share = Number(part) * Number(style.opacity);
        return apart(channels(colour).slice(0, 3).map((c, i) => c * share + back[i] * (1 - share)),
                     back);
      });
    least.count += 1;
    const ratio = Math.max(0, ...seen);
    if (ratio < least.ratio) {
      [least.ratio, least.mark] = [ratio, mark.outerHTML.slice(0, 60)];
    }
  }
  return least;
}"""

WIDER = """() => {
  const width = document.documentElement.clientWidth;
  const inScroll = e => e.closest(".scroll") !== null;
  const out = [...document.querySelectorAll("body *")].filter(e => !inScroll(e)
    && !e.closest("svg") && e.getBoundingClientRect().right > width + 0.5);
  return {by: document.documentElement.scrollWidth - width,
          elements: out.slice(0, 5).map(e => e.outerHTML.slice(0, 120))};
}"""

# On paper: what is cut, what is dark, and what nobody can press there.
PAPER = "() => {" + COLOURS + """
  const all = [...document.querySelectorAll("body, body *")].filter(e => e.checkVisibility());
  const brief = list => list.slice(0, 5).map(e => e.outerHTML.slice(0, 80));
  const html = all.filter(e => !e.closest("svg") && !e.matches(".unseen, .skip"));
  return {
    cut: brief(html.filter(e => getComputedStyle(e).overflow !== "visible"
      && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1))),
    dark: brief(html.filter(e => {
      const colour = channels(getComputedStyle(e).backgroundColor);
      return colour[3] !== 0 && luminance(colour) < 0.8;
    })),
    pressed: brief(all.filter(e => e.matches("nav, button, input, .skip, .live"))),
    rows: document.querySelectorAll("table.data tr").length,
    hidden: brief([...document.querySelectorAll("table.data tr")]
      .filter(e => !e.closest("details") && !e.checkVisibility())),
  };
}"""


def axe(page):
    """What axe finds wrong in a page: each rule with its first elements."""
    source = pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js"
    page.evaluate(source.read_text(encoding="utf-8"))
    found = page.evaluate("async () => await axe.run({resultTypes: ['violations']})")
    return [f"{fault['id']}: {' | '.join(node['html'][:120] for node in fault['nodes'][:3])}"
            for fault in found["violations"]]


@contextlib.contextmanager
def chromium(path):
    """A headless Chromium until the block ends."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        try:
            yield browser
        finally:
            browser.close()


def watched_page(browser, told, size, own="http://127.0.0.1:", **more):
    """A page in a context of its own. Notes in `told` what its console and its policy say, and the requests of what is
    not its own: any server of this machine is one of the trial's."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **more)
    page = context.new_page()
    page.on("console", lambda message: told["console"].append(message.text))
    page.on("pageerror", lambda error: told["failures"].append(str(error)))
    page.on("crash", lambda: told["failures"].append("crashed"))
    page.on("request", lambda request: None if request.url.startswith(own)
            else told["elsewhere"].append(request.url))
    page.add_init_script(
        "window.refused = []; document.addEventListener('securitypolicyviolation',"
        "e => window.refused.push(e.violatedDirective + ' ' + e.blockedURI));")
    return context, page


def enter_token(page, token):
    """Fills the page for signing in, once its field has the focus: Chromium complains of an autofocus
    that comes after another one."""
    page.wait_for_selector("#token:focus")
    page.fill("#token", token)


def tree(context, page):
    """What assistive programs are given: roles with their names."""
    nodes = context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    kept = {"heading", "image", "region", "main", "banner", "contentinfo", "navigation", "button", "status", "table",
            "RootWebArea", "DisclosureTriangle", "listitem"}
    return [{"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")} for node in nodes
            if not node.get("ignored") and node.get("role", {}).get("value") in kept]


class Trial:
    def __init__(self, ask, browser, more=None):
        self.ask, self.browser = ask, browser
        self.server = HubServer(ask["program"], ask["root"])
        fill(ask["s3health"], self.server, more=more)
        self.token = self.server.token(
            "watch", "--endpoint", "dashboard", "--endpoint", "ingest", "--device", DEVICE)["token"]
        self.server.environment["S3HEALTH_STEP_GOAL"] = "8000"
        self.address = self.server.start()
        self.told = {"console": [], "failures": [], "elsewhere": []}

    def open(self, size=(1280, 800), scheme="light", **more):
        """A new page of nobody; what its requests and its console say is told."""
        return watched_page(self.browser, self.told, size, color_scheme=scheme, **more)

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

    def end(self):
        if self.server.process.poll() is None:
            self.server.process.terminate()
            self.server.process.wait(60)
