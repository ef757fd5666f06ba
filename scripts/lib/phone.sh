# shellcheck shell=bash
# What an app links, built and tested on Linux: URLSession and Foundation's XML parser.

# phone_build: everything that an app can link, with its tests, in a folder of its own.
phone_build() {
  S3HEALTH_TRANSPORT=urlsession+programs swift build --build-tests --scratch-path .build-phone
}

# phone_tests ARGUMENTS...: the tests on the servers that run, over a link that is as slow as a
# network. Foundation on Linux trusts the system's authorities alone, so a namespace of its own adds
# those of the servers to them.
phone_tests() {
  local folder=$SERVERS_FOLDER link
  local file=/etc/ssl/certs/ca-certificates.crt
  coproc LINK {
    exec "$S3HEALTH_PEER_PYTHON" scripts/lib/slow_link.py "$S3HEALTH_TEST_SERVERS" "$folder/phone.json"
  }
  read -r link <&"${LINK[0]}"
  [[ $link == ready ]]
  sed -n 's/^ *"caBundle": "\(.*\)",*$/\1/p' "$S3HEALTH_TEST_SERVERS" | sort -u |
    xargs cat "$file" >"$folder/authorities.pem"
  # shellcheck disable=SC2016 # the inner shell expands
  S3HEALTH_TEST_SERVERS=$folder/phone.json S3HEALTH_LINK_DELAY=0.02 S3HEALTH_TRANSPORT=urlsession+programs \
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 \
    unshare --map-root-user --mount bash -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' - \
    "$folder/authorities.pem" "$file" \
    swift test --disable-xctest --enable-swift-testing --skip-build --scratch-path .build-phone "$@"
}
