# shellcheck shell=bash
# JuiceFS' gateway over a folder: MinIO's code for requests and signatures, without its conditions.

juicefs_available() { true; }

start_juicefs() {
  local juicefs port home=$FOLDER/juicefs
  local -a common
  juicefs=$(server_program juicefs)
  port=$(free_port)
  random_keys
  mkdir -p "$home"
  common=("$juicefs" --no-agent)
  # ACCESS_KEY and SECRET_KEY would be those of the storage beneath.
  env -u ACCESS_KEY -u SECRET_KEY "${common[@]}" format --storage file --bucket "$home/data/" \
    --trash-days 0 "sqlite3://$home/meta.db" tests >>"$FOLDER/log/juicefs.out" 2>&1
  MINIO_ROOT_USER=$ACCESS_KEY MINIO_ROOT_PASSWORD=$SECRET_KEY \
    spawn juicefs "${common[@]}" gateway --no-usage-report --no-banner --no-bgjob --backup-meta 0 \
    --multi-buckets --keep-etag --log "$FOLDER/log/juicefs-gateway.out" \
    --metrics "127.0.0.1:$(free_port)" --cache-dir "$home/cache" "sqlite3://$home/meta.db" \
    "127.0.0.1:$port"
  wait_for juicefs "http://127.0.0.1:$port/minio/health/ready"
  endpoint add "$FOLDER" juicefs \
    "JuiceFS gateway $("$juicefs" version | sed 's/^juicefs version \([0-9.]*\).*/\1/')" \
    "http://127.0.0.1:$port" --conditions none --free-owner
}
