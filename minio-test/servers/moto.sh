# shellcheck shell=bash
# moto: quick, in memory, and no judge of signatures: it accepts any key (see README.md).

moto_available() { "$PYTHON" -c 'import moto, flask' 2>/dev/null; }

start_moto() {
  local port version
  port=$(free_port)
  version=$("$PYTHON" -c 'import moto; print(moto.__version__)')
  spawn moto "$PYTHON" "$HERE/moto-server.py" --port "$port" --folder "$FOLDER"
  wait_for moto "http://127.0.0.1:$port/"
  ACCESS_KEY=$(random_hex 10) SECRET_KEY=$(random_hex 20) \
    endpoint add "$FOLDER" moto "moto $version" "http://127.0.0.1:$port" --unsigned
}
