#!/usr/bin/env bash
# container_inside.sh FOLDER: runs the image's command, waits until its health check says yes, and
# posts to it.
set -euo pipefail
fail() { echo "✘ $*" >&2 && exit 1; }

mapfile -d '' -t command <"$1/command"
mapfile -d '' -t health <"$1/health"
cd /var/lib/s3healthd
touch /usr/s3health-was-here 2>/dev/null && fail "the root can be written to"
touch /etc/s3health-was-here 2>/dev/null && fail "the root can be written to"
echo "uid $(id -u), $(sed -n 's/^CapEff:\s*/capabilities /p' /proc/self/status), root read-only"
token=$(s3healthd token add phone --app overland --output json |
  sed -n 's/.*"token" *: *"\([^"]*\)".*/\1/p')
printf '$ %s\n' "${command[*]}"
"${command[@]}" 2>log &
server=$!
for attempt in $(seq 100); do
  "${health[@]}" 2>/dev/null && break
  ((attempt < 100)) || { cat log && fail "the health check never said yes"; }
  sleep 0.1
done
echo "healthy"
body='{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.405,52.52]},"properties":{"timestamp":"2026-11-20T07:00:00Z"}}]}'
exec 3<>/dev/tcp/127.0.0.1/8080
printf 'POST /overland HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
  "$token" "${#body}" "$body" >&3
answer=$(tr -d '\r' <&3)
[[ $answer == *'{"result":"ok"}'* ]] || { echo "$answer" && cat log && fail "the post was not taken"; }
echo 'POST /overland: {"result":"ok"}'
s3health streams ls | tail -n 1
kill "$server"
wait "$server" || fail "the server ended with exit code $?"
echo "ended by SIGTERM with 0"
"${health[@]}" 2>/dev/null && fail "the health check says yes without a server"
exit 0
