# shellcheck shell=bash
# moto: quick, in memory, and no judge of signatures: it accepts any key (see README.md).

moto_available() { true; }

start_moto() {
  local port interpreter
  interpreter=$(server_program python)
  port=$(free_port)
  random_keys
  spawn moto "$interpreter" "$HERE/moto-server.py" --port "$port" --folder "$FOLDER"
  wait_for moto "http://127.0.0.1:$port/"
  endpoint add "$FOLDER" moto "$("$interpreter" -c 'import moto; print("moto", moto.__version__)')" \
    "http://127.0.0.1:$port" --unsigned
}
