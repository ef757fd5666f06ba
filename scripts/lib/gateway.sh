# shellcheck shell=bash
# A folder and an S3 server for one benchmark, both gone when it ends. Needs peers.sh.

# scratch_folder NAME: makes the folder $scratch. It goes, and the server in it stops, when the script ends.
scratch_folder() {
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/s3health-$1.XXXXXX")
  trap leave_scratch EXIT
}

leave_scratch() {
  if [[ -d $scratch/servers/run ]]; then minio-test/stop "$scratch/servers" 1>&2 || true; fi
  rm -rf "$scratch"
}

# start_gateway KIND: starts this server of minio-test/start in $scratch. Sets $endpoint and $bucket, of http,
# and exports the credentials and the region.
start_gateway() {
  minio-test/start --folder "$scratch/servers" "$1" 1>&2
  # shellcheck disable=SC2034 # the caller uses them
  read -r endpoint bucket AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY < <("$(peer_python)" - \
    "$scratch/servers/servers.json" <<'PYTHON'
import json, sys

entry = next(e for e in json.load(open(sys.argv[1])) if e["endpoint"].startswith("http://"))
print(entry["endpoint"], entry["bucket"], entry["accessKey"], entry["secretKey"])
PYTHON
  )
  export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION=us-east-1
}
