# shellcheck shell=bash
# The virtual environments of the tests' Python peers, each made from a file of pinned versions in
# Tests/Peers and from nothing that happens to be installed: .venv-peers is all that a usual run takes.
# `scripts/test all` adds .venv-all, .venv-mcp-1 and .venv-fastmcp (clients whose versions exclude one
# another), .venv-engines (those of analytics/), .venv-servers and .venv-judges.

# peer_python: prints the interpreter to use, and makes the environment if it is absent or old.
peer_python() {
  if [[ ${S3HEALTH_PEER_PYTHON:-} ]]; then
    echo "$S3HEALTH_PEER_PYTHON"
  else
    environment_python .venv-peers requirements.txt
  fi
}

# peer_environments: makes the environments that only `scripts/test all` takes, unless the caller has
# named some; `eval` what it prints.
peer_environments() {
  local name variable python
  for name in all mcp-1 fastmcp engines; do
    variable=S3HEALTH_PEER_PYTHON_$(tr 'a-z-' 'A-Z_' <<<"$name")
    [[ ! ${!variable:-} ]] || continue
    python=$(environment_python ".venv-$name" "$name.txt") || return 1
    printf 'export %s=%q\n' "$variable" "$python"
  done
}

# environment_python FOLDER FILE: the interpreter of the environment FOLDER made from FILE.
environment_python() {
  local root wishes venv base stamp
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  wishes=$root/Tests/Peers/$2
  venv=$root/$1
  base=$(base_python) || return 1
  # Another interpreter or other versions: another environment.
  stamp="$base $(cat "$wishes" "$root/Tests/Peers/requirements.txt" | cksum)"
  if [[ $(cat "$venv/stamp" 2>/dev/null) != "$stamp" ]]; then
    rm -rf "$venv"
    {
      "$base" -m venv "$venv"
      "$venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --no-input \
        --requirement "$wishes"
    } >&2 || return 1
    echo "$stamp" >"$venv/stamp"
  fi
  echo "$venv/bin/python"
}

# base_python: the real path of a Python of 3.10 or newer that can make virtual environments,
# be it pyenv's (whose `python3` is a shim) or the system's.
base_python() {
  local candidate
  for candidate in python3 /usr/bin/python3 python3.{13,12,11,10}; do
    "$candidate" - 2>/dev/null <<'PYTHON' && return
import ensurepip, sys, venv
if sys.version_info < (3, 10):
    raise SystemExit(1)
print(sys.executable)
PYTHON
  done
  echo "no Python of 3.10 or newer with venv and ensurepip; install python3 and python3-venv" >&2
  return 1
}
