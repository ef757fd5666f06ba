# shellcheck shell=bash
# What the servers have in common. Sourced by minio-test/start and minio-test/stop, which set
#   FOLDER  the run's own folder: data, logs, pids, servers.json
#   PYTHON  the interpreter of Tests/Peers/requirements.txt

say() { echo "minio-test: $*" >&2; }
die() {
  say "$*"
  exit 1
}

endpoint() { "$PYTHON" "$HERE/endpoint.py" "$@"; }

# free_port: prints a port that is this run's until it is stopped.
free_port() {
  local port
  port=$(endpoint port)
  echo "$port" >>"$FOLDER/ports"
  echo "$port"
}

# running PID: true for a live process (not for a zombie) that belongs to this run, which its
# command line shows: it names the run's folder, whose name is random.
running() {
  local line
  case $(ps -o stat= -p "$1" 2>/dev/null) in '' | Z*) return 1 ;; esac
  line=$(ps -ww -o args= -p "$1" 2>/dev/null) || return 1
  [[ $line == *"${FOLDER##*/}"* ]]
}

# spawn NAME COMMAND...: runs a server in the background, its output in log/NAME.out.
spawn() {
  local name=$1
  shift
  nohup "$@" >>"$FOLDER/log/$name.out" 2>&1 </dev/null &
  echo "$!" >"$FOLDER/run/$name.pid"
  echo "$name" >>"$FOLDER/started"
}

# wait_for NAME URL [CA]: until the server NAME answers HTTP at URL, be it that a key is needed, or has
# died, or a minute is over.
wait_for() {
  local name=$1 url=$2 tries=0
  until [[ $(curl --silent --output /dev/null --write-out '%{http_code}' --max-time 5 \
    ${3:+--cacert "$3"} "$url") == [234]?? ]]; do
    tries=$((tries + 1))
    if ((tries > 600)) || { ((tries > 5)) && ! running "$(cat "$FOLDER/run/$name.pid")"; }; then
      tail -n 20 "$FOLDER/log/$name.out" >&2 || true
      die "$name does not answer at $url; its logs are in $FOLDER/log"
    fi
    sleep 0.1
  done
}

# make_certificate: a CA of this run's own, and a certificate for localhost signed by it, in tls/.
make_certificate() {
  [[ -s $FOLDER/tls/server.pem ]] && return
  mkdir -p "$FOLDER/tls"
  (
    cd "$FOLDER/tls" || exit 1
    # All that strict verifiers ask for, whatever the system's openssl.cnf would add: macOS' adds
    # nothing, and Python verifies strictly since 3.13.
    cat >openssl.cnf <<'EXTENSIONS'
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical,CA:FALSE
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = DNS:localhost,DNS:*.localhost,IP:127.0.0.1
extendedKeyUsage = serverAuth
EXTENSIONS
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \
      -config openssl.cnf -extensions authority -subj "/CN=s3health test CA" \
      -keyout ca.key -out ca.pem
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
      -config openssl.cnf -subj "/CN=localhost" -keyout server.key -out server.csr
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
      -extfile openssl.cnf -extensions server -out server.pem
  ) >>"$FOLDER/log/tls.out" 2>&1
}

random_hex() { openssl rand -hex "$1"; }

# server_program NAME: its path in the environment of Tests/Peers/servers.txt, made where it is not there.
server_program() {
  local interpreter
  interpreter=$(environment_python .venv-servers servers.txt) || return 1
  echo "$(dirname "$interpreter")/$1"
}

# random_keys: exports ACCESS_KEY and SECRET_KEY, for a server that is told its keys.
random_keys() {
  ACCESS_KEY=$(random_hex 10) SECRET_KEY=$(random_hex 20)
  export ACCESS_KEY SECRET_KEY
}
