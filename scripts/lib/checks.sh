# shellcheck shell=bash
# The checks beside the tests: style, release builds, examples.

format_lint() {
  local folder
  local -a parts=(Package.swift Sources Tests)
  for folder in Examples Benchmarks; do
    [[ ! -d $folder ]] || parts+=("$folder")
  done
  # Not the build folders that examples have of their own.
  find "${parts[@]}" -name '*.swift' -not -path '*/.build/*' -print0 |
    xargs -0 swift format lint --strict
}

# await_lint: no tuple that is begun before an await. In release builds, Swift 6.3 loses what such a
# tuple holds by then; only the programs that people install are wrong, not those of a debug build.
await_lint() {
  local found
  found=$(grep -rnE --include='*.swift' '(return|in|[={>]) \([^()]*, *(try )?await ' Sources) || return 0
  printf '%s\n' "$found" "finish what is awaited before the tuple is begun"
  return 1
}

# shell_lint: every shell script of the repository, known by its first line.
shell_lint() {
  git ls-files --cached --others --exclude-standard -- scripts minio-test .ci Benchmarks Tests |
    while read -r file; do
      if [[ -f $file ]] && head -n 1 "$file" | grep -qaE '^#( shellcheck shell=|!.*(ba)?sh$)'; then
        echo "$file"
      fi
    done | xargs shellcheck --external-sources
}

# release_flags: how programs are built that people install, a word a line. On Linux they hold of
# Swift's libraries what they use: each function is a section of its own, so that what nobody calls
# goes; functions that are alike become one; no symbol is exported. Corelibs Foundation is left out
# altogether: a symbol of it fails to link. Relocations are packed where the C library can read them.
# No index for unwinding the stack either: no program throws a C++ exception, and debuggers read
# the table itself. Apple's platforms have the standard library in the system, and refuse to link
# another.
release_flags() {
  local flag glibc
  local -a linker=(
    --no-export-dynamic --icf=safe --no-eh-frame-hdr -z nostart-stop-gc
    '--remap-inputs=*/libFoundation.a=/dev/null'
  )
  printf '%s\n' -c release
  [[ $(uname) == Linux ]] || return 0
  printf '%s\n' --static-swift-stdlib
  for flag in -Xfrontend -function-sections -use-ld=lld; do printf '%s\n' -Xswiftc "$flag"; done
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || glibc=
  if [[ $glibc == 'glibc 2.'* ]] && ((${glibc#glibc 2.} >= 36)); then
    linker+=(-z pack-relative-relocs)
  fi
  for flag in "${linker[@]}"; do printf '%s\n' -Xlinker "$flag"; done
}

# release_build (--product | --target) NAME
release_build() {
  local flag
  local -a flags=()
  while read -r flag; do flags+=("$flag"); done < <(release_flags)
  S3HEALTH_SMALL=1 swift build "${flags[@]}" "$@"
}

release_path() { echo "$(swift build -c release --show-bin-path)/s3health"; }

# run_examples: each package under Examples/ is built and run, as an app gets it.
run_examples() {
  local manifest name
  for manifest in Examples/*/Package.swift; do
    [[ -f $manifest ]] || continue
    name=$(basename "$(dirname "$manifest")")
    S3HEALTH_TRANSPORT=urlsession step "example $name" \
      swift run --package-path "$(dirname "$manifest")"
  done
  if [[ $(uname) == Linux ]]; then step "what an app links" app_links "$(phone_program)"; fi
}

# phone_program: the example of a phone's collector, once it is built.
phone_program() {
  echo "$(S3HEALTH_TRANSPORT=urlsession swift build --package-path Examples/PhoneCollector \
    --show-bin-path)/PhoneCollector"
}

# app_links PROGRAM: it holds and needs nothing that a phone has not. Foundation on Linux has a
# libcurl of its own, which the system's takes the place of on a phone; so what counts is what the
# program itself names, not what its libraries load.
app_links() {
  local needed symbols found
  needed=$(readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  symbols=$(nm "$1")
  grep -q '^libFoundationNetworking' <<<"$needed" # else nothing was looked at
  grep -q '6Outbox' <<<"$symbols"
  found=$(
    grep -E '^lib(curl|crypto|ssl|expat|pq)' <<<"$needed"
    grep -E ' (curl_easy_|curl_multi_|XML_Parser|EVP_|SSL_|PQconnect)' <<<"$symbols"
    # Names of modules in the symbols of Swift: their length before them.
    grep -E '[^0-9](7NIOCore|8NIOPosix|14ArgumentParser|10Subprocess|13SystemPackage|11Hummingbird)[A-Z]' \
      <<<"$symbols"
  ) || true
  if [[ $found ]]; then
    echo "an app would link:"
    head -n 20 <<<"$found"
    return 1
  fi
  wc -l <<<"$symbols"
}
