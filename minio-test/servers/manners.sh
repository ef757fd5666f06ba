# shellcheck shell=bash
# A stand-in for MinIO, with its manners: minio-test/manners says what it copies. One server for http
# and one for https.

manners_available() { true; }

start_manners() {
  local port scheme url ca
  ACCESS_KEY=$(random_hex 10) SECRET_KEY=$(random_hex 20)
  export ACCESS_KEY SECRET_KEY
  make_certificate
  for scheme in http https; do
    port=$(free_port) url=http://127.0.0.1:$port ca=
    local -a tls=()
    if [[ $scheme == https ]]; then
      url=https://localhost:$port ca=$FOLDER/tls/ca.pem
      tls=(--certificate "$FOLDER/tls/server.pem" --key "$FOLDER/tls/server.key")
    fi
    spawn "manners-$scheme" "$PYTHON" "$HERE/manners" --port "$port" ${tls[@]+"${tls[@]}"} \
      --folder "$FOLDER"
    wait_for "manners-$scheme" "$url/minio/health/ready" "$ca"
    endpoint add "$FOLDER" "manners-$scheme" "MinIO stand-in" "$url" ${ca:+--ca "$ca"}
  done
}
