# shellcheck shell=bash
# SeaweedFS: master, volume server, filer and S3 gateway in one process, each on its own port.

seaweedfs_available() { [[ -x $(dirname "$PYTHON")/weed ]]; }

# seaweedfs_rights FOLDER: the owner of the keys, and the role of AssumeRole, which a session's own
# policy narrows.
seaweedfs_rights() {
  cat >"$1/s3.json" <<JSON
{"identities": [{"name": "tests", "actions": ["Admin"],
  "credentials": [{"accessKey": "$ACCESS_KEY", "secretKey": "$SECRET_KEY"}]}]}
JSON
  cat >"$1/iam.json" <<JSON
{"sts": {"tokenDuration": "1h", "issuer": "tests", "signingKey": "$(openssl rand -base64 32)"},
 "policy": {"defaultEffect": "Deny", "storeType": "memory"},
 "policies": [{"name": "all", "document": {"Version": "2012-10-17", "Statement": [
   {"Effect": "Allow", "Action": ["s3:*"], "Resource": ["*"]}]}}],
 "roles": [{"roleName": "tests", "roleArn": "arn:aws:iam::000000000000:role/tests",
   "attachedPolicies": ["all"], "trustPolicy": {"Version": "2012-10-17", "Statement": [
     {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": ["sts:AssumeRole"]}]}}]}
JSON
}

start_seaweedfs() {
  seaweedfs_available || die "there is no weed beside $PYTHON: see Tests/Peers/requirements.txt"
  local weed part port home=$FOLDER/seaweedfs
  local -a flags=()
  weed=$(dirname "$PYTHON")/weed
  port=$(free_port)
  random_keys
  mkdir -p "$home"
  seaweedfs_rights "$home"
  for part in {master,volume,filer}.port{,.grpc} s3.port.grpc; do
    flags+=("-$part=$(free_port)")
  done
  for part in filer s3; do flags+=("-$part.localSocket=$home/$part.sock"); done
  # A bucket gets one volume at its first write, not seven. By default it reports its use
  # to its makers and waits ten seconds before it stops.
  WEED_MASTER_VOLUME_GROWTH_COPY_1=1 WEED_S3_SSE_KEK=$(random_hex 32) \
    spawn seaweedfs "$weed" -logtostderr=true server -master.telemetry=false \
    -volume.preStopSeconds=0 -ip=127.0.0.1 -ip.bind=127.0.0.1 -dir="$home" -volume.max=1000 \
    -master.volumeSizeLimitMB=64 -filer -s3 -s3.port="$port" -s3.config="$home/s3.json" \
    -s3.iam.config="$home/iam.json" -s3.autoCreateBucket=false -s3.port.iceberg=0 \
    -s3.port.lance=0 "${flags[@]}"
  wait_for seaweedfs "http://127.0.0.1:$port/healthz"
  endpoint add "$FOLDER" seaweedfs "SeaweedFS $("$weed" version | awk 'NR == 1 { print $3 }')" \
    "http://127.0.0.1:$port" --sessions --folders --no-public-writes
}
