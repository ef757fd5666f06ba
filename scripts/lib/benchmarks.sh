# shellcheck shell=bash
# The benchmarks as a check: that each still works, not what it measures. Needs steps.sh.

# benchmarks_once: runs each script of Benchmarks/ in its smallest form, also after one that failed, and
# fails at the end where one did.
benchmarks_once() {
  local script name log from status failed=0
  mkdir -p "$LOGS/benchmarks"
  for script in Benchmarks/*; do
    name=${script##*/} log=$LOGS/benchmarks/${script##*/}.log from=$SECONDS status=0
    if [[ $name == *.* || ! -f $script ]]; then continue; fi
    BENCH_SMALLEST=1 "$script" >"$log" 2>&1 </dev/null || status=$?
    if ((status == 0)); then
      printf '✔ %-32s %4d s\n' "$name" $((SECONDS - from))
    else
      failed=1
      printf '✘ %-32s %4d s\n' "$name" $((SECONDS - from))
      tail -n 20 "$log"
    fi
  done
  return "$failed"
}
