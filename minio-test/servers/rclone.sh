# shellcheck shell=bash
# `rclone serve s3` over a folder.

rclone_available() { true; }

start_rclone() {
  local rclone port
  rclone=$(server_program rclone)
  port=$(free_port)
  random_keys
  mkdir -p "$FOLDER/rclone"
  RCLONE_CONFIG="" RCLONE_AUTH_KEY="\"$ACCESS_KEY,$SECRET_KEY\"" \
    spawn rclone "$rclone" serve s3 --addr "127.0.0.1:$port" "$FOLDER/rclone"
  wait_for rclone "http://127.0.0.1:$port/"
  endpoint add "$FOLDER" rclone "$("$rclone" version | sed -n 's/^rclone v/rclone serve s3 /p')" \
    "http://127.0.0.1:$port" --conditions none --free-owner
}
