"""Opens a report's page in a real headless Chromium and prints what it does there.

Reads one JSON object on stdin: page (a path), browser (the program), folder (for screenshots, made
if absent; null for none). For each of light, dark, forced colours, print and narrow (360 px): messages of
the console, errors and policy violations, requests, and how far the page is wider than its window; on
screen the least contrast of any text, in forced colours of any mark, too; once what axe finds, what
assistive programs are given, and the DOM's size; the text of each printed page.
"""

import io
import json
import pathlib
import sys

import pypdf

from browser_looks import CONTRAST, PAPER, SHAPES, WIDER, axe
from browser_page import chromium

LOOKS = {
    "light": ({"width": 1200, "height": 900}, "light", "screen"),
    "dark": ({"width": 1200, "height": 900}, "dark", "screen"),
    "forced": ({"width": 1200, "height": 900}, "light", "screen"),
    "print": ({"width": 718, "height": 1000}, "light", "print"),
    "narrow": ({"width": 360, "height": 740}, "light", "screen"),
}


def look(browser, ask, name):
    size, scheme, media = LOOKS[name]
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    console, failures, requests = [], [], []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.on("crash", lambda: failures.append("crashed"))
    page.add_init_script(
        "window.refused = []; document.addEventListener('securitypolicyviolation',"
        "e => window.refused.push(e.violatedDirective + ' ' + e.blockedURI));")
    page.emulate_media(
        media=media, color_scheme=scheme, forced_colors="active" if name == "forced" else "none")
    address = pathlib.Path(ask["page"]).as_uri()
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(200)
    told = {
        "console": console, "failures": failures + page.evaluate("window.refused"),
        "requests": [url for url in requests if url != address], "own": requests.count(address),
        "wider": page.evaluate(WIDER),
    }
    if ask.get("folder"):
        folder = pathlib.Path(ask["folder"])
        folder.mkdir(parents=True, exist_ok=True)
        stem = folder / f"{pathlib.Path(ask['page']).stem}-{name}"
        page.screenshot(path=f"{stem}.png", full_page=True)
    if name == "print":
        told["paper"] = page.evaluate(PAPER)
        file = page.pdf(format="A4")
        if ask.get("folder"):
            pathlib.Path(f"{stem}.pdf").write_bytes(file)
        told["sheets"] = [sheet.extract_text() for sheet in pypdf.PdfReader(io.BytesIO(file)).pages]
    if media == "screen":
        told["contrast"] = page.evaluate(CONTRAST)
    if name == "forced":
        told["shapes"] = page.evaluate(SHAPES)
    if name == "light":
        told["axe"] = axe(page)
        told.update(assisted(context, page))
        # Opened, the table is part of the page and must not make it wider either.
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        told["open"] = page.evaluate(WIDER)
    if name == "narrow":
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        told["open"] = page.evaluate(WIDER)
    context.close()
    return told


def assisted(context, page):
    """What assistive programs are given: roles with their names; and the DOM's size."""
    nodes = context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    tree = [
        {"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")}
        for node in nodes if not node.get("ignored") and "role" in node]
    kept = {"heading", "image", "region", "main", "banner", "contentinfo", "table", "RootWebArea",
            "DisclosureTriangle", "listitem"}
    return {
        "tree": [node for node in tree if node["role"] in kept],
        "elements": page.evaluate("document.querySelectorAll('*').length"),
        "scripts": page.evaluate("document.scripts.length"),
    }


def main():
    ask = json.load(sys.stdin)
    with chromium(ask["browser"]) as browser:
        print(json.dumps({name: look(browser, ask, name) for name in ask.get("looks") or LOOKS}))


main()
