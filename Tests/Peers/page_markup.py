"""Reads pages with Python's html.parser and prints what markup and what text each has.

Reads {"pages": [text, ...]} on stdin. Prints for each its tags, each with the names of its attributes
and the values of those that a browser would act on, and its text.
"""

import html.parser
import json
import sys

ACTING = {"href", "src", "action", "class", "id", "type", "method", "style"}


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag + "".join(
            f" {name}={value}" if name in ACTING else f" {name}" for name, value in attributes))

    def handle_endtag(self, tag):
        self.tags.append("/" + tag)

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        self.tags.append("comment")

    def handle_pi(self, data):
        self.tags.append("instruction")


told = []
for page in json.load(sys.stdin)["pages"]:
    reader = Reader()
    reader.feed(page)
    reader.close()
    told.append({"tags": reader.tags, "text": "".join(reader.text)})
print(json.dumps(told))
