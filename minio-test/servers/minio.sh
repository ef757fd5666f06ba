# shellcheck shell=bash
# MinIO, by the `minio` on the PATH or by Docker: one server for http and one for https.

# The last release that was published as an image, and the oldest that we support.
MINIO_IMAGE=minio/minio:RELEASE.2025-09-07T16-13-09Z

minio_available() { command -v minio >/dev/null; }
docker_available() {
  command -v docker >/dev/null && docker info >/dev/null 2>&1
}

# minio_release COMMAND...: the release that the `minio` of COMMAND says it is.
minio_release() { "$@" --version | sed -n 's/^minio version \([^ ]*\).*/\1/p'; }

minio_keys() {
  random_keys
  export MINIO_ROOT_USER=$ACCESS_KEY MINIO_ROOT_PASSWORD=$SECRET_KEY
}

# minio_certificates: the run's certificate under the names that MinIO looks for, and a folder
# without one for http.
minio_certificates() {
  make_certificate
  mkdir -p "$FOLDER/certs-http" "$FOLDER/certs-https"
  cp "$FOLDER/tls/server.pem" "$FOLDER/certs-https/public.crt"
  cp "$FOLDER/tls/server.key" "$FOLDER/certs-https/private.key"
}

start_minio() {
  minio_available || die "there is no minio on the PATH"
  local product port scheme
  product="MinIO $(minio_release minio)"
  minio_keys
  minio_certificates
  for scheme in http https; do
    port=$(free_port)
    spawn "minio-$scheme" minio server --quiet --address "127.0.0.1:$port" \
      --console-address "127.0.0.1:$(free_port)" --certs-dir "$FOLDER/certs-$scheme" \
      "$FOLDER/minio-$scheme"
    minio_ready "$scheme" "$product" "$port"
  done
}

start_docker() {
  docker_available || die "no Docker daemon answers"
  local product name port scheme
  docker pull --quiet "$MINIO_IMAGE" >&2
  product="MinIO $(minio_release docker run --rm --entrypoint minio "$MINIO_IMAGE") (Docker)"
  minio_keys
  minio_certificates
  for scheme in http https; do
    port=$(free_port)
    name="${FOLDER##*/}-$scheme"
    echo "$name" >>"$FOLDER/containers"
    # The variables are named without a value, so that docker takes it from our environment.
    docker run --detach --name "$name" --publish "127.0.0.1:$port:9000" \
      --env MINIO_ROOT_USER --env MINIO_ROOT_PASSWORD \
      --volume "$FOLDER/certs-$scheme:/certs:ro" \
      "$MINIO_IMAGE" server --quiet --certs-dir /certs /data >/dev/null
    spawn "minio-$scheme" docker logs --follow "$name"
    minio_ready "$scheme" "$product" "$port"
  done
}

# minio_ready SCHEME PRODUCT PORT: waits for the server and writes it down.
minio_ready() {
  local scheme=$1 product=$2 url=http://127.0.0.1:$3 ca=
  [[ $scheme == http ]] || url=https://localhost:$3 ca=$FOLDER/tls/ca.pem
  wait_for "minio-$scheme" "$url/minio/health/ready" "$ca"
  endpoint add "$FOLDER" "minio-$scheme" "$product" "$url" ${ca:+--ca "$ca"}
}
