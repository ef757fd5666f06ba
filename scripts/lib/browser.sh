# shellcheck shell=bash
# A Chromium that runs without a screen, for the tests of the page that `report` writes.

# browser: prints the program's path. Debian has a package of it; elsewhere one that is there is
# taken, else the build of the Playwright that the Python peers bring is fetched.
browser() {
  local candidate
  if [[ ${S3HEALTH_BROWSER:-} ]]; then
    echo "$S3HEALTH_BROWSER"
    return
  fi
  if grep -qs '^ID=debian' /etc/os-release; then
    apt_install chromium fonts-dejavu-core >&2
    command -v chromium
    return
  fi
  for candidate in google-chrome chromium chromium-browser \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    # Ubuntu's chromium-browser is a stub that runs only where snaps do.
    if command -v "$candidate" >/dev/null && "$candidate" --version >/dev/null 2>&1; then
      command -v "$candidate"
      return
    fi
  done
  playwright_browser
}

playwright_browser() {
  local python
  python=$(environment_python .venv-all all.txt)
  if [[ $(uname) == Darwin ]]; then
    "$python" -m playwright install chromium >&2
  else
    "$python" -m playwright install --with-deps chromium >&2
  fi
  "$python" - <<'PYTHON'
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
PYTHON
}
