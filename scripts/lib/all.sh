# shellcheck shell=bash
# What only `scripts/test all` does, part by part. Each can be asked for by name.
# shellcheck disable=SC2034 # the other parts of scripts/test read what is set here

ALL_PARTS=(lint builds documents packages tests phone mutants fuzzing races kills trials benchmarks)

# all PARTS...: goes on after a step that failed, and ends with a table of all steps.
all() {
  local part
  export S3HEALTH_TESTS=all S3HEALTH_BENCHMARKS=1
  if [[ ${1:-} == --* ]]; then
    some "$@"
    return
  fi
  (($#)) || set -- "${ALL_PARTS[@]}"
  for part; do
    [[ " ${ALL_PARTS[*]} " == *" $part "* ]] || {
      echo "there is no part $part: ${ALL_PARTS[*]}" >&2
      exit 64
    }
  done
  KEEP_GOING=1
  step "what is missing is installed" install_everything
  find_libraries
  for part; do
    echo "$part:"
    "all_$part"
  done
  printf '\nAll steps, in seconds:\n'
  grep -E '^[✔✘]' "$STEPS_FILE"
}

install_everything() {
  install_to_build
  install_to_test
  peer_python
  if [[ $(uname) != Darwin ]]; then
    install_to_judge
    install_to_release
  fi
}

all_lint() { lint; }

all_builds() {
  step "build of the tests" whole_build
  step "release build" release_build --product s3health
  step "release build of the hub" release_build --product s3healthd
  step "release build of the races" release_build --product s3race
  # What an app's release build takes: a debug build does not show where the optimiser crashes.
  step "release build of PhoneKit" release_build --target PhoneKit
}

all_documents() {
  [[ $(uname) == Darwin ]] ||
    step "documentation of the libraries" library_documentation "$(swift build "${WHOLE[@]}" --show-bin-path)/Modules"
  run_examples
}

# Packages are made where they are installed: on Debian and Ubuntu.
all_packages() {
  [[ $(uname) != Darwin ]] || return 0
  step "packages" package_lint "$(dirname "$(release_path)")"
  step "terminal picture" scripts/terminal-picture "$(release_path)" --check
}

all_tests() {
  step "build of the tests" whole_build
  BUILD=("${WHOLE[@]}")
  TESTS_PROGRAM=$(tests_program "${BUILD[@]}")
  S3HEALTH_BINARY=$(release_path)
  S3HEALTHD_BINARY=$(dirname "$S3HEALTH_BINARY")/s3healthd
  S3RACE_BINARY=$(dirname "$S3HEALTH_BINARY")/s3race
  S3HEALTH_PHONE_PROGRAM=$(phone_program)
  # Asked for alone, the tests take the programs that were built with them.
  if [[ -x $S3RACE_BINARY ]]; then
    export S3HEALTH_BINARY S3HEALTHD_BINARY S3RACE_BINARY
  fi
  [[ ! -x $S3HEALTH_PHONE_PROGRAM ]] || export S3HEALTH_PHONE_PROGRAM
  have process server database prometheus peers browser
  step "tests" tests_passed
  step "every test ran on every server" every_test_ran "$LOGS/swift-test.log"
  step "demo" scripts/demo
}

all_phone() {
  have process server
  step "debug build over URLSession" phone_build
  step "tests over URLSession" phone_tests
}

all_mutants() { step "mutants" scripts/mutate-publish; }

# Each target on the corpus, and a minute beyond it.
all_fuzzing() {
  [[ $(uname) == Linux ]] || return 0
  step "fuzzing of the scanner" scripts/fuzz-export scanner 60
  step "fuzzing of archives" scripts/fuzz-export archive 60
}

all_races() { step "races" scripts/nightly race --duration 2m --runs 200000; }

all_kills() {
  step "kills of the hub" scripts/nightly hub --seconds 300 --rest 60
  step "kills of the outbox" scripts/nightly outbox --kills 100 --scale 20
}

# The packages in a fresh root, and the services of the compose file without an engine.
all_trials() {
  [[ $(uname) != Darwin ]] || return 0
  step "release" scripts/release
  step "packages in a fresh root" scripts/package-trial bookworm
  step "services of compose.yaml" compose_trial
}

# With YAML of the judges' environment, and the peers' SeaweedFS where there is no MinIO.
compose_trial() {
  PATH=$PATH:$(dirname "$(peer_python)") "$(judge_python)" scripts/compose-trial "$(dirname "$(release_path)")"
}

all_benchmarks() { step "benchmarks" benchmarks_once; }
