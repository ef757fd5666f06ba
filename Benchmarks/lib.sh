# shellcheck shell=bash
# What the scripts of Benchmarks/ share; each of them reads it first. It leads to the root of the
# repository, and makes the folder $scratch, which goes when the script ends, and all that was started.
#
# BENCH_SMALLEST=1 chooses the smallest form of each script. It shows that the script still works; its
# figures mean nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib/packages.sh
source scripts/lib/packages.sh
# shellcheck source=scripts/lib/peers.sh
source scripts/lib/peers.sh
# shellcheck source=scripts/lib/checks.sh
source scripts/lib/checks.sh

scratch=$(mktemp -d "${TMPDIR:-/tmp}/s3health-benchmark.XXXXXX")
trap leave EXIT

leave() {
  local process
  for process in $(jobs -p); do kill "$process" 2>/dev/null || true; done
  if [[ -d $scratch/servers/run ]]; then minio-test/stop "$scratch/servers" 1>&2 || true; fi
  rm -rf "$scratch"
}

# smallest NAME=VALUE...: the settings of the smallest form. What the caller has set stays.
smallest() {
  local setting name
  [[ ${BENCH_SMALLEST:-} ]] || return 0
  for setting; do
    name=${setting%%=*}
    if [[ ! ${!name:-} ]]; then export "${setting?}"; fi
  done
}

# programs NAME...: makes a release build of each, and exports where it is: S3HEALTH_BINARY for s3health,
# OUTBOXBENCHMARK_BINARY for OutboxBenchmark. A program that the caller has named so is not built.
programs() {
  local name variable
  install_to_build 1>&2
  find_libraries
  for name; do
    variable=$(tr '[:lower:]' '[:upper:]' <<<"$name")_BINARY
    if [[ ! ${!variable:-} ]]; then
      S3HEALTH_BENCHMARKS=1 release_build --product "$name" 1>&2
      export "$variable=$(dirname "$(release_path)")/$name"
    fi
  done
}

# python_with FILE: prints a Python that has what Benchmarks/FILE lists.
python_with() { environment_python ".venv-${1%.txt}" "../../Benchmarks/$1"; }

# start_server KIND...: starts these servers of minio-test/start. S3HEALTH_TEST_SERVERS tells of
# all of them. $endpoint, $bucket and AWS's variables are those of the first one over http.
start_server() {
  minio-test/start --folder "$scratch/servers" "$@" 1>&2
  export S3HEALTH_TEST_SERVERS=$scratch/servers/servers.json
  # shellcheck disable=SC2034 # the caller uses them
  read -r endpoint bucket AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY < <(python3 - "$S3HEALTH_TEST_SERVERS" <<'PYTHON'
import json, sys

entry = next(e for e in json.load(open(sys.argv[1])) if e["endpoint"].startswith("http://"))
print(entry["endpoint"], entry["bucket"], entry["accessKey"], entry["secretKey"])
PYTHON
  )
  export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION=us-east-1
}

install_to_test 1>&2
