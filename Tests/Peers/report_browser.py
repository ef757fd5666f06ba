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

from browser import CONTRAST, PAPER, SHAPES, WIDER, axe, chromium, tree, watched_page

LOOKS = {
    "light": ((1200, 900), "light", "screen"),
    "dark": ((1200, 900), "dark", "screen"),
    "forced": ((1200, 900), "light", "screen"),
    "print": ((718, 1000), "light", "print"),
    "narrow": ((360, 740), "light", "screen"),
}


def look(browser, ask, name):
    size, scheme, media = LOOKS[name]
    address = pathlib.Path(ask["page"]).as_uri()
    told = {"console": [], "failures": [], "elsewhere": []}
    context, page = watched_page(browser, told, size, own=address, color_scheme=scheme)
    page.emulate_media(
        media=media, color_scheme=scheme, forced_colors="active" if name == "forced" else "none")
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(200)
    told["failures"] += page.evaluate("window.refused")
    told["wider"] = page.evaluate(WIDER)
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
    if name in ("light", "narrow"):
        # Opened, the table is part of the page and must not make it wider either.
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        told["open"] = page.evaluate(WIDER)
    context.close()
    return told


def assisted(context, page):
    """What assistive programs are given, and the DOM's size."""
    return {
        "tree": tree(context, page),
        "elements": page.evaluate("document.querySelectorAll('*').length"),
        "scripts": page.evaluate("document.scripts.length"),
    }


def main():
    ask = json.load(sys.stdin)
    with chromium(ask["browser"]) as browser:
        print(json.dumps({name: look(browser, ask, name) for name in ask.get("looks") or LOOKS}))


main()
