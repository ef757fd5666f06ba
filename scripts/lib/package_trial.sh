#!/usr/bin/env bash
# package_trial.sh FOLDER: what a person does with the packages, in a root that had nothing of them.
# FOLDER has the packages and examples. Runs as root inside that root; needs nothing but bash and apt.
#
# package_trial.sh FOLDER --image: runs the image's command, waits until its health check says yes, and posts
# to it. FOLDER has the words of both, nul-separated.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

say() { printf '\n# %s\n' "$*"; }
fail() { echo "✘ $*" >&2 && exit 1; }
# eventually COMMAND...: waits until it succeeds; false where it does not within ten seconds.
eventually() {
  local attempt
  for ((attempt = 0; attempt < 100; attempt++)); do
    "$@" 2>/dev/null && return
    sleep 0.1
  done
  return 1
}
# post PORT PATH TOKEN BODY: a request by hand; prints the answer's first line and its body.
post() {
  exec 3<>"/dev/tcp/127.0.0.1/$1"
  printf 'POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nX-Device-Token: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
    "$2" "$3" "$3" "${#4}" "$4" >&3
  tr -d '\r' <&3 | sed -n '1p; /^$/,$p'
  exec 3<&-
}
# token_in: the token of the JSON that is read.
token_in() { sed -n 's/.*"token" *: *"\([^"]*\)".*/\1/p'; }

if [[ ${2:-} == --image ]]; then
  mapfile -d '' -t command <"$1/command"
  mapfile -d '' -t health <"$1/health"
  cd /var/lib/s3healthd
  for folder in /usr /etc; do
    if touch $folder/s3health-was-here 2>/dev/null; then fail "the root can be written to"; fi
  done
  echo "uid $(id -u), $(sed -n 's/^CapEff:\s*/capabilities /p' /proc/self/status), root read-only"
  token=$(s3healthd token add phone --app overland --output json | token_in)
  printf '$ %s\n' "${command[*]}"
  "${command[@]}" 2>log &
  server=$!
  eventually "${health[@]}" || { cat log && fail "the health check never said yes"; }
  echo "healthy"
  answer=$(post 8080 /overland "$token" '{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.405,52.52]},"properties":{"timestamp":"2026-11-20T07:00:00Z"}}]}')
  [[ $answer == *'{"result":"ok"}'* ]] || { echo "$answer" && cat log && fail "the post was not taken"; }
  echo 'POST /overland: {"result":"ok"}'
  s3health raw ls | tail -n 1
  kill "$server"
  wait "$server" || fail "the server ended with exit code $?"
  echo "ended by SIGTERM with 0"
  if "${health[@]}" 2>/dev/null; then fail "the health check says yes without a server"; fi
  exit
fi
cd "$1"

# ann COMMAND...: as a person of this machine, without anything of root's environment.
ann() {
  env -i HOME=/home/ann PATH=/usr/bin:/bin LC_ALL=C.UTF-8 \
    setpriv --reuid ann --regid ann --clear-groups "$@"
}
# service COMMAND...: as the user that the package made for the server, in the server's home.
as_service=(env -i HOME=/var/lib/s3healthd PATH=/usr/bin:/bin LC_ALL=C.UTF-8
  S3HEALTH_CONFIG=/etc/s3healthd/config
  setpriv --reuid _s3healthd --regid _s3healthd --clear-groups)
service() { "${as_service[@]}" "$@"; }
# shown NAME COMMAND...: prints the command and what came out, and keeps that in $out.
shown() {
  local who=$1
  shift
  printf '$ %s\n' "$*"
  local status=0
  out=$("$who" "$@" 2>&1) || status=$?
  ((status == 0)) || { echo "$out" && fail "exit code $status of $*"; }
  echo "$out"
}
# has TEXT: the last command's output has it.
has() { [[ $out == *"$1"* ]] || fail "'$1' is not in what came out"; }

# shellcheck source=/dev/null
. /etc/os-release
say "$PRETTY_NAME, $(dpkg --print-architecture), $(dpkg-query --show | wc -l) packages"
apt-get update -qq >/dev/null
useradd --create-home --shell /bin/bash ann
# What most machines have, and this smallest of roots has not.
apt-get install -qqy --no-install-recommends ca-certificates tzdata adduser >/dev/null 2>&1

say "from nothing to the first published day"
from=$(date +%s.%N)
apt-get install -qqy --no-install-recommends ./s3health_*.deb >install.log 2>&1 ||
  { tail -n 30 install.log && fail "s3health was not installed"; }
shown ann s3health put --date 2026-02-08 --timezone Europe/Berlin --input "$PWD/metrics.json"
has published
to=$(date +%s.%N)
awk -v from="$from" -v to="$to" 'BEGIN {
  printf "took %.1f s, with the download of what it depends on\n", to - from }' 

say "read and verify"
shown ann s3health get 2026-02-08
has '8,432'
has 'Europe/Berlin'
shown ann s3health verify --from 2026-02-08 --to 2026-02-08
has '1 complete'
shown ann s3health put --date 2026-02-08 --timezone Europe/Berlin --input "$PWD/metrics.json"
has unchanged

say "the server"
apt-get install -qqy --no-install-recommends ./s3healthd_*.deb >>install.log 2>&1 ||
  { tail -n 30 install.log && fail "s3healthd was not installed"; }
id _s3healthd
device=5E3A1D0C-7B42-4F6E-9A51-D40E8C27B100
service s3healthd token add laptop --device "$device" --output json >token.json
token=$(token_in <token.json)
[[ $token ]] || fail "no token was printed"
install -d -o _s3healthd -m 0700 /var/lib/s3healthd/store
"${as_service[@]}" s3healthd serve --listen 127.0.0.1:18080 --store /var/lib/s3healthd/store \
  2>server.log &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
is_open() { (exec 3<>/dev/tcp/127.0.0.1/18080); }
eventually is_open || { cat server.log && fail "the server does not listen"; }
echo '$ POST /api/ingest with a wrong token'
out=$(post 18080 /api/ingest wrong '{}')
echo "$out"
has 401
ann_with_token() {
  ann env S3HEALTH_DEVICE_TOKEN="$token" S3HEALTH_DEVICE_ID=$device "$@"
}
shown ann_with_token s3health raw add --stream location --input "$PWD/points.jsonl"
shown ann_with_token s3health init --server http://127.0.0.1:18080/api/ingest
shown ann_with_token s3health raw sync --server http://127.0.0.1:18080/api/ingest
shown service s3health raw ls --store /var/lib/s3healthd/store
has location
kill "$server"
wait "$server" || fail "the server ended with exit code $?"
trap - EXIT

say "manual, completions, units"
for file in man/man1/s3health-put.1.gz man/man8/s3healthd-serve.8.gz \
  zsh/vendor-completions/_s3health fish/vendor_completions.d/s3health.fish; do
  [[ -s /usr/share/$file ]] || fail "there is no /usr/share/$file"
done
# shellcheck disable=SC2016 # the inner shell expands it
out=$(bash -c '. /usr/share/bash-completion/completions/s3health
  COMP_WORDS=(s3health ver) COMP_CWORD=1 COMP_LINE="s3health ver" COMP_POINT=12
  "$(complete -p s3health | sed "s/.*-F \([^ ]*\).*/\1/")" s3health ver s3health && echo "${COMPREPLY[@]}"')
echo "s3health ver<Tab>: $out"
has verify

say "removed"
apt-get purge -qqy s3health s3healthd >>install.log 2>&1
left=$(find / -xdev \( -path /proc -o -path /home -o -path /var/lib/s3healthd -o -path "$PWD" \) -prune \
  -o -name '*s3health*' -print)
[[ ! $left ]] || { echo "$left" && fail "files are left"; }
[[ -d /var/lib/s3healthd/store && -d /home/ann/.local/share/s3health/store ]] ||
  fail "data were removed"
echo "nothing is left but the data of ann and of the server"
