"""Reads pages of `report` with a parser that is not ours, and prints what they contain.

Reads one JSON object on stdin: pages, a list of objects of html and, where strings must be found in
the page's text, expect. Prints a list of objects: bad (whatever is not allowed in such a page, and
strings that were not found), legend, tiles, rows (of each date), numbers (of each metric by date),
groups (with their cards), sparks (by card: the days that are drawn, the pairs of days that a line
joins, the means over several days, the facts), findings and size.
"""

import base64
import hashlib
import json
import re
import sys
import unicodedata
from datetime import date, timedelta
from html.parser import HTMLParser

VOID = {"meta"}
ELEMENTS = VOID | set(
    "html head title style body main header footer section article figure figcaption details summary "
    "h1 h2 h3 p div span small b bdi code nav a ul li dl dt dd table caption thead tbody tr th td "
    "svg path rect text".split())
ATTRIBUTES = set(
    "lang charset http-equiv content name id class role href aria-labelledby aria-label aria-hidden scope "
    "tabindex viewbox preserveaspectratio x y d width height open colspan".split())


def visible(text):
    """As the page must show a string: what is unseen or turns text is spelled out."""
    def one(character):
        point = ord(character)
        unseen = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")
        unseen = unseen or 0xFDD0 <= point <= 0xFDEF or point & 0xFFFE == 0xFFFE
        return f"\\u{{{point:x}}}" if unseen else character
    return "".join(map(one, text))


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.bad, self.stack, self.texts, self.nodes = [], [], [], []
        self.policy, self.sheets = "", []

    def handle_starttag(self, tag, attributes):
        if tag not in ELEMENTS:
            self.bad.append(f"<{tag}>")
        for name, value in attributes:
            if name not in ATTRIBUTES:
                self.bad.append(f"{tag} {name}")
            if name == "href" and not re.fullmatch("#[a-z]+", value or ""):
                self.bad.append(f"{tag} leads to {value!r}")
            if value is None:
                self.bad.append(f"{tag} {name} without a value")
            elif any(unicodedata.category(c) in ("Cc", "Cf") for c in value):
                self.bad.append(f"{tag} {name}: {value!r}")
        found = dict(attributes)
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"]
        node = {"tag": tag, "attributes": found, "text": ""}
        self.nodes.append(node)
        node["first"] = node["end"] = len(self.nodes)
        if tag not in VOID:
            self.stack.append(node)

    def handle_startendtag(self, tag, attributes):
        self.bad.append(f"<{tag}/>")

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1]["tag"] != tag:
            self.bad.append(f"</{tag}> out of place")
        else:
            self.stack.pop()["end"] = len(self.nodes)

    def handle_data(self, text):
        if self.stack and self.stack[-1]["tag"] == "style":
            self.sheets.append(text)
            return
        if any(unicodedata.category(c) in ("Cc", "Cf") and c != "\n" for c in text):
            self.bad.append(f"unseen characters in {text!r}")
        self.texts.append(text)
        for node in self.stack:
            node["text"] += text

    def handle_comment(self, text):
        self.bad.append(f"<!--{text}-->")

    def handle_pi(self, text):
        self.bad.append(f"<?{text}>")

    def unknown_decl(self, text):
        self.bad.append(f"<![{text}]>")

    def handle_decl(self, text):
        if text != "DOCTYPE html" or self.nodes:
            self.bad.append(f"<!{text}>")

    def within(self, node):
        return self.nodes[node["first"]:node["end"]]

    def of(self, tag, kind=None, root=None):
        return [node for node in (self.nodes if root is None else self.within(root))
                if node["tag"] == tag
                and (kind is None or kind in node["attributes"].get("class", "").split())]


def days_of(line, dots):
    """The days that a path draws, and those that it joins with the day after them."""
    drawn, joined = {}, []
    for start, height, steps in re.findall(r"M(\d+) (\d+)l([^M]*)", line):
        x, y = int(start), int(height)
        drawn[x] = y
        numbers = [int(n) for n in re.findall(r"-?\d+", steps)]
        if len(numbers) % 2 or not numbers:
            raise ValueError(line)
        for dx, dy in zip(numbers[::2], numbers[1::2]):
            if dx != 1:
                raise ValueError("a step of more than a day")
            joined.append(x)
            x, y = x + dx, y + dy
            drawn[x] = y
    for x, y in re.findall(r"M(\d+) (\d+)h(?:0|\.1)", dots):
        if int(x) in drawn:
            raise ValueError("a dot on a line")
        drawn[int(x)] = int(y)
    return drawn, joined


def bars_of(path):
    """The same of bars, which stand beside one another where days do."""
    drawn = {int(x): int(foot) + int(height)
             for x, foot, height in re.findall(r"M(\d+) (\d+)v(-?\d+)", path)}
    return drawn, [x for x in drawn if x + 1 in drawn]


def cells(page, table):
    """The column heads and the rows of a table."""
    head = [node["text"] for head in page.of("thead", root=table)
            for node in page.of("th", root=head)]
    return head, [[cell["text"] for cell in page.within(row) if cell["tag"] in ("th", "td")]
                  for body in page.of("tbody", root=table) for row in page.of("tr", root=body)]


def numbers_of(page):
    """By column head the cells of the tables of numbers by their date or month."""
    numbers = {}
    for table in page.of("table", "numbers"):
        head, rows = cells(page, table)
        for row in rows:
            for name, cell in zip(head[1:], row[1:], strict=True):
                numbers.setdefault(name, {})[row[0]] = cell
    return numbers


EIGHT = ("Steps", "Active energy (kcal)", "Exercise (min)", "Stand hours (h)",
         "Resting heart rate (bpm)", "Heart rate variability (ms)", "Asleep (min)", "In bed (min)")


def rows_of(page):
    """A row for each date: coverage, revisions, and the cells of the eight metrics; or the rows of
    the months as they stand."""
    head, rows = cells(page, page.of("table", "dates")[0])
    if head[0] == "Month":
        return rows
    numbers, days = numbers_of(page), []
    for first, last, count, coverage, revisions in rows:
        day, end = date.fromisoformat(first), date.fromisoformat(last)
        if int(count.replace(",", "")) != (end - day).days + 1:
            raise ValueError(f"{first} to {last} are not {count} days")
        while day <= end:
            name = day.isoformat()
            days.append([name, coverage, revisions,
                         *(numbers.get(metric, {}).get(name, "–") for metric in EIGHT)])
            day += timedelta(days=1)
    return days


def read(html, expect):
    page = Page()
    page.feed(html)
    page.close()
    bad = page.bad
    if page.stack:
        bad.append("unclosed " + page.stack[-1]["tag"])
    hashed = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()}'"
        for sheet in page.sheets)
    if len(page.sheets) != 2 or page.policy != (
            f"default-src 'none'; style-src {hashed}; base-uri 'none'; form-action 'none'"):
        bad.append(f"{page.policy}, and the sheets are {hashed}")
    if any(re.search(r"url\(|@import|https?:|expression", sheet) for sheet in page.sheets):
        bad.append("a sheet asks for something")
    # Whatever a name is, it is a string of the one rule that the second sheet has.
    box = r'@top-(left|right)\{content:"([-A-Za-z0-9 ,.]|\\[0-9a-f]{6})*"\}'
    first = "@page :first{@top-left{content:none}@top-right{content:none}}"
    if not re.fullmatch(r"@page\{(" + box + r"){1,2}\}" + re.escape(first), page.sheets[-1]):
        bad.append(f"{page.sheets[-1]!r}")
    for text in expect:
        if not any(visible(text) in found for found in page.texts):
            bad.append(f"not found: {text!r}")
    rows = rows_of(page)
    sparks = {}
    for card in page.of("article", "card"):
        name = page.of("h3", root=card)[0]["text"]
        lines = [node["attributes"]["d"] for node in page.of("path", "line", card)]
        dots = [node["attributes"]["d"] for node in page.of("path", "dots", card)]
        drawn, joined = days_of(lines[0], dots[0]) if lines else ({}, [])
        bars = [node["attributes"]["d"] for node in page.of("path", "bar", card)]
        if len(bars) == 1:
            drawn, joined = bars_of(bars[0])
            lines = bars
        def heights(kind):
            return [{str(x): y for x, y in days_of(d, d)[0].items()} for d in
                    (node["attributes"]["d"] for node in page.of("path", kind, card))]
        sparks[name] = {
            "drawn": sorted(drawn), "joined": sorted(joined),
            "heights": [drawn[x] for x in sorted(drawn)], "text": card["text"],
            "last": page.of("p", "last", card)[0]["text"],
            "charts": len(page.of("svg", "chart", card)), "lines": len(lines),
            "bars": len(page.of("path", "bar", card)) // 2,
            "week": heights("week")[:1], "month": heights("month30")[:1],
            "doubted": sorted(int(x) for marks in heights("doubted") for x in marks),
            "levels": [node["text"] for node in page.of("text", "level", card)],
            "facts": {page.of("dt", root=fact)[0]["text"]: page.of("dd", root=fact)[0]["text"]
                      for facts in page.of("dl", "facts", card)
                      for fact in page.of("div", root=facts)},
            "few": [[cell["text"] for cell in page.within(row) if cell["tag"] in ("th", "td")]
                    for table in page.of("table", "few", card)
                    for row in page.of("tr", root=table)]}
    findings = [{
        "severity": page.of("span", "severity", article)[0]["text"],
        "code": page.of("code", root=article)[0]["text"],
        "count": page.of("small", root=article)[0]["text"],
        "items": [item["text"] for item in page.of("li", root=article)],
    } for article in page.of("article", "finding")]
    legend = {node["attributes"]["class"]: item["text"] for item in page.of("li")
              for node in page.of("path", root=item)}
    marks = {}
    for figure in page.of("figure", "month"):
        for mark in page.of("path", root=figure):
            kind = mark["attributes"]["class"]
            marks[kind] = marks.get(kind, 0) + len(re.findall("M", mark["attributes"]["d"]))
    return {
        "bad": bad, "groups": [
            [page.of("h2", root=section)[0]["text"],
             *[node["text"] for node in page.of("h3", root=section)]]
            for section in page.of("section") if page.of("div", "cards", section)],
        "years": len(page.of("div", "year")), "numbers": numbers_of(page), "rows": rows, "sparks": sparks, "findings": findings,
        "legend": legend, "marks": marks, "tiles": [node["text"] for tiles in page.of("dl", "tiles") for node in page.of("dd", root=tiles)],
        "extent": page.of("p", "extent")[0]["text"], "elements": len(page.nodes),
        "bytes": len(html.encode()),
        "origins": [[n["text"] for n in page.within(item) if n["tag"] in ("bdi", "small")]
                    for lists in page.of("ul", "origins") for item in page.of("li", root=lists)],
    }


def main():
    ask = json.load(sys.stdin)
    print(json.dumps([read(page["html"], page.get("expect", [])) for page in ask["pages"]]))


main()
