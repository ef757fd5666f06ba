# shellcheck shell=bash
# A server that already runs, named as MinIO's mint names it: SERVER_ENDPOINT (host:port),
# ACCESS_KEY, SECRET_KEY, ENABLE_HTTPS (1 or 0), SERVER_REGION; AWS_CA_BUNDLE for its CA.

env_available() { [[ ${SERVER_ENDPOINT:-} ]]; }

start_env() {
  env_available || die "SERVER_ENDPOINT is not set (host:port, without a scheme)"
  [[ ${ACCESS_KEY:-} && ${SECRET_KEY:-} ]] || die "ACCESS_KEY and SECRET_KEY are not both set"
  local url=http://$SERVER_ENDPOINT banner ca=
  [[ ${ENABLE_HTTPS:-0} == 0 ]] || url=https://$SERVER_ENDPOINT ca=${AWS_CA_BUNDLE:-}
  banner=$(curl --silent --head --max-time 10 ${ca:+--cacert "$ca"} "$url/") ||
    die "nothing answers at $url"
  # A server does not say its version to strangers; most name the product.
  banner=$(printf '%s' "$banner" | tr -d '\r' | sed -n 's/^[Ss]erver: *//p')
  echo env >"$FOLDER/not-ours"
  export ACCESS_KEY SECRET_KEY
  endpoint add "$FOLDER" env "${SERVER_PRODUCT:-${banner:-unnamed server} (version not told)}" \
    "$url" ${ca:+--ca "$ca"}
}
