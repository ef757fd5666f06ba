# shellcheck shell=bash
# localbucket: buckets as folders. It honours If-None-Match alone and checks no signatures.

localbucket_available() { true; }

start_localbucket() {
  local localbucket port
  localbucket=$(server_program localbucket)
  port=$(free_port)
  random_keys
  spawn localbucket "$localbucket" --port "$port" "$FOLDER/localbucket"
  wait_for localbucket "http://127.0.0.1:$port/"
  endpoint add "$FOLDER" localbucket "$("$localbucket" --version)" "http://127.0.0.1:$port" \
    --conditions create --unsigned --free-owner
}
