"""A headless browser, and pages whose console, requests and policy are watched."""

import contextlib

from playwright.sync_api import sync_playwright


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


def watched_page(browser, told, size, **more):
    """A page in a context of its own. Notes in `told` what its console, its requests and its policy
    say."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **more)
    page = context.new_page()
    page.on("console", lambda message: told["console"].append(message.text))
    page.on("pageerror", lambda error: told["failures"].append(str(error)))
    # Any server of this machine is one of the trial's.
    page.on("request", lambda request: None if request.url.startswith("http://127.0.0.1:")
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
