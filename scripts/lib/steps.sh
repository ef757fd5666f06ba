# shellcheck shell=bash
# One line per step with its duration; the output goes to a log, which is shown if the step fails.

LOGS=${LOGS:-.build/logs}

# step TITLE COMMAND...: runs COMMAND in a subshell under `set -e`, with output to LOGS/TITLE.log.
step() {
  local title=$1 log status from=$SECONDS
  shift
  mkdir -p "$LOGS"
  log=$LOGS/$(printf '%s' "$title" | tr -cs '[:alnum:]' '-').log
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1 </dev/null
  status=$?
  set -e
  if ((status)); then
    printf '✘ %-32s %4d s\n' "$title" $((SECONDS - from))
    echo "---- the end of $log"
    tail -n 80 "$log"
    echo "---- failed: $title (exit code $status)"
    exit 1
  fi
  printf '✔ %-32s %4d s\n' "$title" $((SECONDS - from))
}

# beside FUNCTION ARGUMENTS...: runs a function of steps while the next steps run. Its lines wait for `together`.
beside() {
  BESIDE=$(mktemp "${TMPDIR:-/tmp}/s3health-steps.XXXXXX")
  ("$@") >"$BESIDE" 2>&1 &
  BESIDE_PROCESS=$!
}

# together: waits for what runs beside, and ends the run where a step of it failed.
together() {
  local status=0
  wait "$BESIDE_PROCESS" || status=$?
  cat "$BESIDE"
  rm -f "$BESIDE"
  ((status == 0)) || exit "$status"
}
