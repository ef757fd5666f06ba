# shellcheck shell=bash
# What others judge of what is shipped: lintian, man, the shells, systemd, hadolint, JSON Schemas.

judge_python() { environment_python .venv-judges judges.txt; }

# spell_check: the documents that people read.
spell_check() {
  local judges
  judges=$(dirname "$(judge_python)")
  git ls-files -z -- '*.md' 'packaging/**' '.github/**' |
    xargs -0 "$judges/codespell" --ignore-words-list deriver,inbed
}

# workflow_lint: against the schema of GitHub's workflows, by actionlint (expressions, inputs of
# actions, run-times that GitHub removed), and their shell scripts by shellcheck.
workflow_lint() {
  local python judges
  python=$(judge_python)
  judges=$(dirname "$python")
  "$judges/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml
  "$judges/actionlint" -no-color .github/workflows/*.yml
  "$python" scripts/lib/workflow_shell.py .github/workflows/*.yml
}

# container_lint: the Dockerfile, and the compose file against the schema of its specification.
container_lint() {
  local judges
  judges=$(dirname "$(judge_python)")
  "$judges/hadolint" packaging/docker/Dockerfile
  "$judges/check-jsonschema" --builtin-schema vendor.compose-spec packaging/docker/compose.yaml
  "$judges/python" scripts/lib/compose_files.py packaging/docker/compose.yaml
}

# library_documentation MODULES: of each library product, from the debug build, without a warning; and
# the tutorial's code is that of the example, which is built and run.
library_documentation() {
  local product modules=$1 folder docc
  local -a system=()
  for folder in Sources/System/*; do system+=(-I "$folder"); done
  docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
  folder=$(mktemp -d "${TMPDIR:-/tmp}/s3health-documentation.XXXXXX")
  # shellcheck disable=SC2064 # the folder's name is known now
  trap "rm -rf '$folder'" EXIT
  python3 scripts/lib/tutorial_code.py \
    Sources/Core/HealthCollector/HealthCollector.docc/PhoneCollector.md \
    Examples/PhoneCollector/Sources/PhoneCollector/PhoneCollector.swift
  for product in HealthModel ObjectStore HealthLedger HealthStreams HealthCollector Secrets S3Store \
    S3Session Outbox SyncClients PhoneKit; do
    mkdir -p "$folder/$product"
    swift symbolgraph-extract -module-name "$product" -I "$modules" "${system[@]}" \
      -target "$(uname -m)-unknown-linux-gnu" -minimum-access-level public -skip-inherited-docs \
      -output-dir "$folder/$product"
    # A catalogue is a folder of its own; without one the documentation is that of the symbols.
    local -a catalogue=()
    if [[ -d Sources/Core/$product/$product.docc ]]; then
      catalogue=("Sources/Core/$product/$product.docc")
    fi
    "$docc" convert ${catalogue[@]+"${catalogue[@]}"} --warnings-as-errors \
      --additional-symbol-graph-dir "$folder/$product" --fallback-display-name "$product" \
      --fallback-bundle-identifier "s3health.$product" --output-path "$folder/$product.doccarchive"
  done
}

# package_lint BINARIES: releases them twice, and judges what comes out.
package_lint() {
  local binaries=$1 python folder first
  install_to_release
  install_to_judge
  python=$(judge_python)
  folder=$(mktemp -d "${TMPDIR:-/tmp}/s3health-packages.XXXXXX")
  # shellcheck disable=SC2064 # the folder's name is known now
  trap "rm -rf '$folder'" EXIT
  scripts/release --binaries "$binaries" --quick --output "$folder/second" >/dev/null &
  scripts/release --binaries "$binaries" --quick --output "$folder/first"
  wait $!
  first=$folder/first
  cmp "$first/SHA256SUMS" "$folder/second/SHA256SUMS"
  (cd "$first" && sha256sum --quiet --check SHA256SUMS)
  rm -rf "$folder/second"
  "$python" scripts/lib/sbom_valid.py "$first"/*.cdx.json
  # Warnings count for Debian 12's lintian: others know other tags. That a quick release compresses
  # nothing is not a fault of a real one.
  local fail_on=error
  if grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release; then fail_on=error,warning; fi
  lintian --allow-root --tag-display-limit 0 --fail-on "$fail_on" --suppress-tags \
    uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball "$first"/*.deb
  local deb
  for deb in "$first"/*.deb; do dpkg-deb --extract "$deb" "$folder/root"; done
  manual_lint "$folder/root/usr/share/man"
  completion_lint "$folder/root/usr/share"
  unit_lint "$folder/root"
  formula_lint
  size_lint "$folder/root/usr/bin"
  # The debug information is found by the id that the program bears.
  tar -xzf "$first"/*-debug.tar.gz -C "$folder"
  local program id
  for program in s3health s3healthd s3race; do
    id=$(readelf --notes "$folder/root/usr/bin/$program" | sed -n 's/.*Build ID: //p')
    # Not -q, which ends before readelf does.
    readelf --sections "$folder"/*-debug/.build-id/"${id:0:2}/${id:2}.debug" |
      grep debug_info >/dev/null
  done
}

# size_lint FOLDER: the stripped programs, which contain Swift's runtime, are no larger than they may
# be. One symbol of corelibs Foundation would add 44 MB; s3health holds the specification (128 kB).
size_lint() {
  local program most bytes
  while read -r program most; do
    bytes=$(stat --format %s "$1/$program")
    echo "$program: $bytes bytes, at most $most"
    ((bytes <= most))
  done <<<'s3health 25600000
s3healthd 36000000
s3race 24300000'
}

# manual_lint FOLDER: every page without a warning, and not empty on the way.
manual_lint() {
  local page text count=0
  for page in "$1"/man*/*.gz; do
    text=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 "$page" 2>&1 \
      >/dev/null)
    [[ ! $text ]] || { echo "$page: $text" && return 1; }
    count=$((count + 1))
  done
  echo "$count man pages"
  ((count > 40))
}

completion_lint() {
  local program
  for program in s3health s3healthd s3race; do
    bash -n "$1/bash-completion/completions/$program"
    zsh -n "$1/zsh/vendor-completions/_$program"
    fish --no-execute "$1/fish/vendor_completions.d/$program.fish"
  done
}

# formula_lint: what Ruby alone can say of the formula for Homebrew.
formula_lint() { ruby -c packaging/homebrew/s3health.rb; }

# unit_lint ROOT: systemd reads the units (it exits with 0 also where it knows a key not), and finds
# that the server may do little.
unit_lint() {
  local unit text folder=$1/units
  mkdir -p "$folder"
  for unit in "$1"/usr/lib/systemd/{system,user}/*; do
    sed "s#/usr/bin/#$1/usr/bin/#" "$unit" >"$folder/${unit##*/}"
  done
  text=$(systemd-analyze verify --man=no "$folder"/*.service "$folder"/*.timer 2>&1) || true
  [[ ! $text ]] || { echo "$text" && return 1; }
  systemd-analyze security --no-pager --offline=true --threshold=20 "$folder/s3healthd.service" |
    tail -n 1
}
