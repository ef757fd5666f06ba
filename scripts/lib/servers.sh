# shellcheck shell=bash
# The S3 servers of one run of scripts/test: started, checked for completeness, always stopped.

# wanted_servers: the names for minio-test/start. S3HEALTH_TESTS=all asks for every kind; MinIO, where
# there is one, takes part then, and on macOS, which has no RADOS gateway.
wanted_servers() {
  local -a wanted=(seaweedfs)
  if [[ ${S3HEALTH_SERVERS:-} ]]; then
    echo "$S3HEALTH_SERVERS"
    return
  fi
  [[ $(uname) == Darwin ]] || wanted=(rgw seaweedfs)
  if [[ ${S3HEALTH_TESTS:-} == all ]]; then wanted+=(moto juicefs rclone localbucket pys3local); fi
  if [[ ${S3HEALTH_TESTS:-} == all || $(uname) == Darwin ]]; then
    if [[ ${SERVER_ENDPOINT:-} ]]; then
      wanted+=(env)
    elif command -v minio >/dev/null; then
      wanted+=(minio)
    elif docker info >/dev/null 2>&1; then
      wanted+=(docker)
    fi
  fi
  echo "${wanted[@]}"
}

# start_servers: exports S3HEALTH_TEST_SERVERS; the servers stop when the script ends, however, and
# leave their logs where it fails.
start_servers() {
  local wanted
  wanted=$(wanted_servers)
  SERVERS_FOLDER=$(mktemp -d "${TMPDIR:-/tmp}/s3health-servers.XXXXXX")
  AT_END+=(stop_servers)
  case " $wanted " in *" rgw "*) step "RADOS gateway is installed" install_rgw ;; esac
  # shellcheck disable=SC2086 # the names are words
  step "servers: $wanted" minio-test/start --folder "$SERVERS_FOLDER" $wanted
  export S3HEALTH_TEST_SERVERS=$SERVERS_FOLDER/servers.json
  every_server_is_there "$wanted"
  describe_servers
}

# stop_servers STATUS: of the run that ends.
stop_servers() {
  local status=0
  if (($1)) && [[ -d $SERVERS_FOLDER/log ]]; then
    rm -rf "$LOGS/servers"
    cp -R "$SERVERS_FOLDER/log" "$LOGS/servers" || true
  fi
  if [[ -d $SERVERS_FOLDER/run ]]; then minio-test/stop "$SERVERS_FOLDER" || status=1; fi
  rm -rf "$SERVERS_FOLDER"
  return "$status"
}

# every_server_is_there NAMES: the integration tests run on each entry of the file, so an entry
# that is missing would be tests that silently did not run.
every_server_is_there() {
  local kind entry
  for kind in $1; do
    case $kind in
      rgw) set -- rgw-http rgw-https ;;
      minio | docker) set -- minio-http minio-https ;;
      *) set -- "$kind" ;;
    esac
    for entry; do
      grep -q "\"name\": \"$entry\"" "$S3HEALTH_TEST_SERVERS" || {
        echo "✘ the server $entry is missing: its integration tests would not run"
        exit 1
      }
    done
  done
}

describe_servers() {
  "$S3HEALTH_PEER_PYTHON" - "$S3HEALTH_TEST_SERVERS" <<'PYTHON'
import json, sys

for server in json.load(open(sys.argv[1])):
    print(f"  {server['name']}: {server['product']} at {server['endpoint']}")
PYTHON
}

# server_names: one per line.
server_names() { sed -n 's/^ *"name": "\(.*\)",$/\1/p' "$S3HEALTH_TEST_SERVERS"; }
