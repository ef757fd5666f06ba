# shellcheck shell=bash
# Ceph's RADOS gateway on a cluster of one machine: a monitor, an OSD and the gateway, without
# manager, cephx and systemd. About two seconds to a ready endpoint. `rgw2` is a second gateway over
# the same cluster. Each has a configuration and a pid file named for it.

rgw_available() {
  local tool
  for tool in radosgw radosgw-admin ceph ceph-mon ceph-osd monmaptool; do
    command -v "$tool" >/dev/null || return 1
  done
}

# rgw_configure GATEWAY ID MONITOR HTTP HTTPS: writes GATEWAY.conf, with these ports.
rgw_configure() {
  local gateway=$1 id=$2 monitor=$3 http=$4 https=$5
  sed -e "s|@FOLDER@|$FOLDER|g" -e "s|@ID@|$id|" -e "s|@MONITOR@|$monitor|" \
    -e "s|@HTTP@|$http|" -e "s|@HTTPS@|$https|" -e "s|@GATEWAY@|$gateway|" \
    "$HERE/servers/ceph.conf" >"$FOLDER/$gateway.conf"
}

# rgw_run GATEWAY: starts it, or starts it again; returns when it answers.
rgw_run() {
  spawn "$1" radosgw -c "$FOLDER/$1.conf" -n "client.rgw.$1" -f
  wait_for "$1" "http://127.0.0.1:$(cat "$FOLDER/$1.port")/"
}

rgw_start_monitor() {
  local id=$1 monitor=$2
  monmaptool --create --clobber --fsid "$id" --addv a "[v2:127.0.0.1:$monitor/0]" "$FOLDER/monmap"
  ceph-mon -c "$FOLDER/radosgw.conf" --mkfs -i a --monmap "$FOLDER/monmap"
  spawn ceph-mon ceph-mon -c "$FOLDER/radosgw.conf" -i a -f
}

rgw_start_osd() {
  local osd mkfs pool
  osd=$(uuid)
  mkdir -p "$FOLDER/osd"
  ceph-osd -c "$FOLDER/radosgw.conf" --no-mon-config --monmap "$FOLDER/monmap" -i 0 --mkfs \
    --osd-uuid "$osd" &
  mkfs=$!
  # One CLI process reads all commands from its stdin; the pools are made before the OSD is up,
  # so that no request has to wait for them.
  {
    echo "osd new $osd 0"
    for pool in .rgw.root default.rgw.{log,control,meta,buckets.index,buckets.data,buckets.non-ec}; do
      echo "osd pool create $pool 4 4"
      echo "osd pool application enable $pool rgw"
    done
  } | timeout 60 ceph -c "$FOLDER/radosgw.conf"
  wait "$mkfs"
  # From the root, as an init system runs it: Debian 13's looks for its classes by a relative path.
  spawn ceph-osd env --chdir=/ ceph-osd -c "$FOLDER/radosgw.conf" -i 0 -f
}

uuid() { "$PYTHON" -c 'import uuid; print(uuid.uuid4())'; }

start_rgw() {
  rgw_available || die "the RADOS gateway is not installed: apt-get install radosgw ceph-mon ceph-osd"
  local id monitor http https version
  id=$(uuid)
  monitor=$(free_port) http=$(free_port) https=$(free_port)
  version=$(radosgw --version | sed -n 's/^ceph version \([0-9.]*[0-9]\).*/\1/p')
  make_certificate
  rgw_configure radosgw "$id" "$monitor" "$http" "$https"
  echo "$http" >"$FOLDER/radosgw.port"
  echo "$id $monitor" >"$FOLDER/cluster"
  {
    rgw_start_monitor "$id" "$monitor"
    rgw_start_osd
  } >>"$FOLDER/log/mkfs.out" 2>&1
  # The gateway makes up the keys itself: they never stand on a command line.
  timeout 120 radosgw-admin -c "$FOLDER/radosgw.conf" user create --uid=tests --display-name=Tests \
    >"$FOLDER/user.json" 2>>"$FOLDER/log/mkfs.out" || {
    tail -n 5 "$FOLDER/log/mkfs.out" >&2
    die "the cluster takes no user; its logs are in $FOLDER/log"
  }
  rgw_run radosgw
  ACCESS_KEY=$(rgw_key access_key) SECRET_KEY=$(rgw_key secret_key)
  export ACCESS_KEY SECRET_KEY
  endpoint add "$FOLDER" rgw-http "Ceph RADOS gateway $version" "http://127.0.0.1:$http"
  endpoint add "$FOLDER" rgw-https "Ceph RADOS gateway $version" "https://localhost:$https" \
    --ca "$FOLDER/tls/ca.pem"
}

rgw2_available() { rgw_available; }

start_rgw2() {
  [[ -f $FOLDER/cluster ]] || die "rgw2 is a second gateway: start rgw first"
  local id monitor http https version
  read -r id monitor <"$FOLDER/cluster"
  http=$(free_port) https=$(free_port)
  version=$(radosgw --version | sed -n 's/^ceph version \([0-9.]*[0-9]\).*/\1/p')
  rgw_configure radosgw2 "$id" "$monitor" "$http" "$https"
  echo "$http" >"$FOLDER/radosgw2.port"
  rgw_run radosgw2
  ACCESS_KEY=$(rgw_key access_key) SECRET_KEY=$(rgw_key secret_key)
  export ACCESS_KEY SECRET_KEY
  endpoint add "$FOLDER" rgw2-http "Ceph RADOS gateway $version" "http://127.0.0.1:$http"
}

rgw_key() {
  "$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[1]))["keys"][0][sys.argv[2]])' \
    "$FOLDER/user.json" "$1"
}
