# shellcheck shell=bash
# The image of packaging/docker/Dockerfile as far as it can be had without an engine: its last stage
# laid by hand into a root, and its command run there as its user, with a root that is read-only, no
# capabilities, and a volume where the image has one.

# dockerfile_words INSTRUCTION: the JSON array after it, one word a line, nul-separated.
dockerfile_words() {
  python3 - "$1" packaging/docker/Dockerfile <<'PYTHON'
import json, re, sys
text = re.sub(r"\\\n", " ", open(sys.argv[2]).read())
instruction = [row for row in text.split("\n") if row.startswith(sys.argv[1])][-1]
sys.stdout.write("\0".join(json.loads(instruction[instruction.index("["):])))
PYTHON
}

# container_trial FOLDER: in the root at FOLDER, which has the packages in /opt/trial.
container_trial() {
  local place=$1 script owner
  cp -a "$place" "$place-image"
  place=$place-image
  # The RUN of the last stage, with the packages where the build would mount them.
  script=$(python3 - packaging/docker/Dockerfile <<'PYTHON'
import re, sys
text = re.sub(r"\\\n", " ", open(sys.argv[1]).read())
run = [row for row in text.split("\n") if row.startswith("RUN")][-1]
print(re.sub(r"^RUN\s+--mount=\S+\s+", "", run).replace("/dist/", "/opt/trial/"))
PYTHON
  )
  printf '\n# the image of the Dockerfile, in this root\n'
  inside "$place" env DEBIAN_FRONTEND=noninteractive bash -ec "$script" >"$place.log" 2>&1 ||
    { tail -n 30 "$place.log" && return 1; }
  dockerfile_words CMD >"$place/opt/trial/command"
  dockerfile_words HEALTHCHECK >"$place/opt/trial/health"
  cp scripts/lib/container_inside.sh "$place/opt/trial/"
  # A volume begins with the owner that the image's folder has.
  owner=$(stat --format '%u:%g %a' "$place/var/lib/s3healthd")
  [[ $owner == "890:890 700" ]] || { echo "✘ /var/lib/s3healthd: $owner" && return 1; }
  # shellcheck disable=SC2016 # the inner shell expands it
  unshare --mount --pid --net --fork --kill-child bash -ec '
    mount --bind "$0" "$0"
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    mount -t tmpfs -o mode=0700,uid=890,gid=890 volume "$0/var/lib/s3healthd"
    mount -t tmpfs tmp "$0/tmp"
    mount -o remount,bind,ro "$0"
    ip link set lo up 2>/dev/null || true
    exec chroot "$0" setpriv --reuid 890 --regid 890 --clear-groups --no-new-privs \
      --bounding-set=-all --inh-caps=-all env -i PATH=/usr/bin:/bin HOME=/var/lib/s3healthd \
      bash /opt/trial/container_inside.sh /opt/trial' "$place"
  rm -rf "$place"
}
