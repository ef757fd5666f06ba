# shellcheck shell=bash
# pys3local: a server for backup programs, whose listings are broken in several ways.

pys3local_available() { true; }

start_pys3local() {
  local pys3local port
  pys3local=$(server_program pys3local)
  port=$(free_port)
  # It takes its keys as arguments alone, which anyone may list: a run's own are worth no more.
  random_keys
  HOME=$FOLDER spawn pys3local "$pys3local" serve --path "$FOLDER/pys3local" \
    --listen "127.0.0.1:$port" --access-key-id "$ACCESS_KEY" --secret-access-key "$SECRET_KEY" \
    --allow-bucket-creation
  wait_for pys3local "http://127.0.0.1:$port/"
  endpoint add "$FOLDER" pys3local "$("$pys3local" --version | sed 's/, version//')" \
    "http://127.0.0.1:$port" --conditions none --free-owner --one-page
}
