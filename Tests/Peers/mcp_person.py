"""A person with a browser who lets agents in: the pages of s3healthd as a browser uses them."""

import html
import http.cookiejar
import re
import time
import urllib.error
import urllib.parse
import urllib.request


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Person:
    """Signs in with a token for the dashboard."""

    def __init__(self, token, answer="allow"):
        self.token, self.answer, self.pages = token, answer, []
        self.browser = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), NoRedirect)

    def open(self, url, form=None):
        """The status, the fields and the text of an answer; redirects are not followed."""
        data = urllib.parse.urlencode(form).encode() if form is not None else None
        fields = {}
        if form is not None:
            fields = {"Origin": "/".join(url.split("/")[:3]), "Sec-Fetch-Site": "same-origin"}
        try:
            answer = self.browser.open(urllib.request.Request(url, data, fields), timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        return answer.status, answer.headers, answer.read().decode()

    def submit(self, url, page, **fields):
        """Sends the form of a page with what the person enters."""
        action = html.unescape(re.search(r'<form method="post" action="([^"]*)"', page)[1])
        hidden = {
            html.unescape(name): html.unescape(value) for name, value in
            re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page)}
        return self.open(urllib.parse.urljoin(url, action), {**hidden, **fields})

    def asked(self, url):
        """The address that the browser is sent to at last."""
        status, fields, page = self.open(url)
        if 'name="token"' in page:
            status, fields, page = self.submit(url, page, token=self.token)
            assert status == 303, (status, page)
            url = urllib.parse.urljoin(url, fields["Location"])
            status, fields, page = self.open(url)
        assert status == 200, (status, page)
        self.pages.append(page)
        status, fields, page = self.submit(url, page, answer=self.answer)
        assert status == 303, (status, page)
        return fields["Location"]

    def fields(self, url):
        """The fields that a program gets."""
        address = self.asked(url)
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))

    def visit(self, url):
        """As a browser does it: the last address is a program of this machine, which may only start."""
        address = self.asked(url)
        for _ in range(100):
            try:
                return urllib.request.urlopen(address, timeout=10).read()
            except urllib.error.URLError:
                time.sleep(0.1)
