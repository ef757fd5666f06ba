# shellcheck shell=bash
# The build of the tests, the tests of a run, and what they need.

# whole_build: everything that is tested, not optimised but for the core (Package.swift). For two processors
# and an empty folder this is the quickest. Whole modules, because files that are compiled in small groups
# read the rest of their module each time. A module's interface with its code, because to emit it earlier
# reads the module twice. No debug information. No index, which only XCTest needs (Tests/XCTMain.swift).
# Without DEBUG a program starts in a third of the time, and the tests start thousands. In its own folder,
# so that it and `swift build` do not undo each other's work.
WHOLE=(-c release -Xswiftc -Onone -Xswiftc -enable-testing -Xswiftc -no-emit-module-separately-wmo -Xcc -O0
  -debug-info-format none --disable-index-store --scratch-path .build-whole)
whole_build() { S3HEALTH_WHOLE=1 swift build --build-tests "${WHOLE[@]}"; }

# tests_program ARGUMENTS OF THE BUILD...: the path of all tests. On macOS they are a bundle.
tests_program() { echo "$(swift build "$@" --show-bin-path)/s3healthPackageTests.xctest"; }

# run_tests ARGUMENTS...: the tests of TESTS_PROGRAM, which was built with the arguments in BUILD.
run_tests() {
  if [[ $(uname) == Darwin ]]; then
    swift test --skip-build --disable-xctest --enable-swift-testing ${BUILD[@]+"${BUILD[@]}"} "$@"
  else
    "$TESTS_PROGRAM" --testing-library swift-testing "$@"
  fi
}

# needs_of ARGUMENTS...: what the tests of these arguments need, in words of Tests/TestSupport/Needs.swift.
needs_of() {
  S3HEALTH_NEEDS=1 run_tests "$@" | sed -n 's/^.*need \([a-z]*\)$/\1/p' | sort -u
}

# have NEEDS...: installs and starts what tests with these needs use, and exports where to find it.
have() {
  local words=" $* "
  case $words in
    *" process "* | *" server "*)
      step "Python" install_peers
      step "Python peers" peer_python
      S3HEALTH_PEER_PYTHON=$(peer_python)
      export S3HEALTH_PEER_PYTHON
      ;;
  esac
  case $words in *" database "*) step "PostgreSQL" install_database ;; esac
  case $words in *" prometheus "*) step "Prometheus" install_prometheus ;; esac
  case $words in *" peers "*) step "engines" install_engines ;; esac
  case $words in
    *" peers "* | *" browser "*)
      step "further peers" peer_environments
      eval "$(peer_environments)"
      ;;
  esac
  case $words in
    *" browser "*)
      step "browser" browser
      S3HEALTH_BROWSER=$(browser)
      export S3HEALTH_BROWSER
      ;;
  esac
  # Those of an earlier part of the run serve this one too.
  case $words in *" server "*) [[ ${S3HEALTH_TEST_SERVERS:-} ]] || start_servers ;; esac
}

# tests_passed ARGUMENTS...: runs tests with one line of closing, and stops them if nothing is printed for
# ten minutes. Swift Testing begins all tests at once; a few at a time keep a small machine answering.
tests_passed() {
  local log=$LOGS/swift-test.log status=0 silent=0 size before=-1 process
  export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-5}
  set -m # a separate process group, so that the tests and what they started can be ended together
  run_tests "$@" >"$log" 2>&1 </dev/null &
  process=$!
  set +m
  trap 'kill -KILL -- "-$process"; exit 143' TERM
  while kill -0 "$process" 2>/dev/null; do
    sleep 1
    size=$(wc -c <"$log")
    if ((size == before)); then silent=$((silent + 1)); else silent=0; fi
    before=$size
    if ((silent == 600)); then
      echo "error: nothing was printed for ten minutes; these tests were running:"
      running_tests "$log"
      kill -KILL -- "-$process"
    fi
  done
  wait "$process" || status=$?
  grep -E '^✘ |^↳|: Fatal|recorded an issue' "$log" | cut -c 1-300 | head -n 200 || true
  grep -E 'Test run with [0-9]+ tests?' "$log" | tail -n 1 || {
    echo "error: the tests did not come to their end (exit code $status)"
    tail -n 20 "$log"
    return 1
  }
  return "$status"
}

# running_tests LOG: the tests that began and did not end. The log has no line for the end of a case.
running_tests() {
  awk '
    { name = $0; sub(/^[^ ]+ +/, "", name) }
    name !~ /^Test / || name ~ /^Test (run|case) / { next }
    sub(/ started\.$/, "", name) { running[name]++ }
    sub(/( with [0-9]+ test cases?)? (passed|failed) after [0-9.]+ seconds.*$/, "", name) { running[name]-- }
    END { for (name in running) if (running[name] > 0) print "↳ " name }
  ' "$1"
}

# every_test_ran LOG: a test is skipped only because it is part of another run, and each server had tests.
# Mounting a disk needs root, and some tests check what only one server does. Without root or without a
# gateway, the tests that did not run are named, and the run goes on.
every_test_ran() {
  local name count skipped
  skipped=$(grep -E '^[^ ]+ (Test|Suite) .* skipped(\.|: .*)$' "$1" | grep -v 'not in this run: ') || skipped=
  if ((UID != 0)); then tell_skipped 'mounting a disk takes root' 'without root'; fi
  grep -q '"name": "rgw-http"' "$S3HEALTH_TEST_SERVERS" ||
    tell_skipped 'No test cases found' 'without RADOS gateway'
  if [[ $skipped ]]; then
    echo "$skipped"
    echo "error: tests were skipped"
    return 1
  fi
  for name in $(server_names); do
    count=$(grep -cE "Test case passing .* → $name \\(.* started\.$" "$1" || true)
    echo "$name: $count test cases"
    ((count > 0)) || return 1
  done
}

# tell_skipped WHY WITHOUT: names the tests that were skipped for this reason, and takes them out of
# every_test_ran's $skipped.
tell_skipped() {
  grep -F "$1" <<<"$skipped" | sed "s/^/not run $2: /" || true
  skipped=$(grep -vF "$1" <<<"$skipped") || skipped=
}
