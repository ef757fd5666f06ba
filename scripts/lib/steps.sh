# shellcheck shell=bash
# One line per step with its duration. The output of a step goes to a log, whose end is shown where the
# step fails. However a run ends, its last lines name what failed.

LOGS=${LOGS:-.build/logs}
# Set where a run goes on after a step that failed.
KEEP_GOING=
# Commands to run when the script ends, the last one first.
AT_END=()
# The group of the step that runs.
RUNNING=

# begin_steps: empties the list of steps, and has the script end by naming what failed.
begin_steps() {
  mkdir -p "$LOGS"
  STEPS_FILE=$LOGS/steps
  : >"$STEPS_FILE"
  trap finish_steps EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

finish_steps() {
  local status=$? place
  trap - EXIT
  end_running
  for ((place = ${#AT_END[@]} - 1; place >= 0; place--)); do ${AT_END[place]} "$status" || status=1; done
  if grep -q '^✘' "$STEPS_FILE"; then ((status)) || status=1; fi
  if ((status)); then
    echo
    echo "Failed after $SECONDS s (exit code $status):"
    place=$(grep -A 12 '^✘' "$STEPS_FILE" | grep -v '^✔' | tail -n 17) || true
    echo "${place:-✘ ended by a signal, or outside a step}"
  fi
  exit "$status"
}

end_running() { [[ ! $RUNNING ]] || kill -TERM -- "-$RUNNING" 2>/dev/null || true; }

# record MARK SECONDS TITLE: the line of a step, shown and kept for the end.
record() { printf '%s %-36s %5d s\n' "$1" "$3" "$2" | tee -a "$STEPS_FILE"; }

# step TITLE COMMAND...: runs COMMAND in a subshell under `set -e`, with output to LOGS/TITLE.log.
step() {
  local title=$1 log status from=$SECONDS
  shift
  log=$LOGS/$(printf '%s' "$title" | tr -cs '[:alnum:]' '-').log
  # A separate process group that is waited for: a signal ends it at once, with everything it started.
  set -m
  (
    trap - EXIT INT TERM HUP
    set -e
    "$@"
  ) >"$log" 2>&1 </dev/null &
  RUNNING=$!
  set +m
  status=0
  wait "$RUNNING" || status=$?
  RUNNING=
  if ((status == 0)); then
    record ✔ $((SECONDS - from)) "$title"
    return
  fi
  echo "---- the end of $log"
  tail -n 60 "$log"
  echo "---- exit code $status"
  record ✘ $((SECONDS - from)) "$title"
  # The last lines also show what the step itself reported as failed, such as tests.
  { grep -E '^(✘|error:|.*: error: )' "$log" | tail -n 10 | cut -c 1-160 | sed 's/^/    /' || true
    echo "    log: $log"; } >>"$STEPS_FILE"
  [[ $KEEP_GOING ]] || exit 1
}

# beside FUNCTION ARGUMENTS...: runs a function of steps while the next steps run. Its lines wait for
# `together`; where the script ends before, it is ended with all that it has started.
beside() {
  BESIDE=$(mktemp "${TMPDIR:-/tmp}/s3health-steps.XXXXXX")
  set -m # a separate process group
  (
    trap end_running EXIT
    trap 'exit 143' TERM
    "$@"
  ) >"$BESIDE" 2>&1 </dev/null &
  BESIDE_PROCESS=$!
  set +m
  AT_END+=(end_beside)
}

end_beside() {
  [[ $BESIDE_PROCESS ]] || return 0
  kill -TERM -- "-$BESIDE_PROCESS" 2>/dev/null || true
  rm -f "$BESIDE"
}

# together: waits for what runs beside, and ends the run where a step of it failed.
together() {
  local status=0
  wait "$BESIDE_PROCESS" || status=$?
  BESIDE_PROCESS=
  cat "$BESIDE"
  rm -f "$BESIDE"
  ((status == 0)) || [[ $KEEP_GOING ]] || exit "$status"
}
