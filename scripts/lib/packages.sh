# shellcheck shell=bash
# Installs what is missing, with apt (Debian 12 and 13, Ubuntu 24.04) or brew (macOS). Swift itself is
# taken as given.

need_swift() {
  local version
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  case ${version:-none} in
    none) echo "there is no swift on the PATH: install Swift 6.2 or newer first" >&2 ;;
    [0-5].* | 6.[01]) echo "Swift $version is too old: install Swift 6.2 or newer first" >&2 ;;
    *) return 0 ;;
  esac
  return 1
}

# install_to_build: the C libraries that the package links, and what SwiftPM finds them with.
install_to_build() {
  case $(uname) in
    Darwin) brew_install curl openssl@3 expat zlib libdeflate sqlite libpq qrencode pkgconf ;;
    *)
      apt_install git ca-certificates pkg-config libcurl4-openssl-dev libssl-dev libexpat1-dev \
        zlib1g-dev libdeflate-dev libsqlite3-dev libpq-dev libqrencode-dev
      ;;
  esac
}

# What tests start and ask, by what they say that they need.
install_peers() {
  case $(uname) in
    Darwin) brew_install python@3.13 ;;
    *) apt_install curl openssl procps python3 python3-venv systemd ;;
  esac
}

install_database() {
  case $(uname) in
    Darwin) brew_install postgresql@17 ;;
    *) apt_install postgresql ;;
  esac
}

install_prometheus() {
  case $(uname) in
    Darwin) brew_install prometheus pushgateway ;;
    *) apt_install prometheus prometheus-pushgateway ;;
  esac
}

# install_engines: what the engines of analytics/ run on.
install_engines() {
  case $(uname) in
    Darwin) brew_install openjdk@17 ;;
    *) apt_install openjdk-17-jre-headless ;;
  esac
}

# install_to_test: all that a usual run needs beside the libraries, in one go.
install_to_test() {
  case $(uname) in
    Darwin) brew_install python@3.13 shellcheck postgresql@17 prometheus pushgateway ;;
    *)
      apt_install curl openssl procps python3 python3-venv shellcheck systemd postgresql prometheus \
        prometheus-pushgateway radosgw ceph-common ceph-mon ceph-osd caddy
      ;;
  esac
}

# install_to_lint: what needs no build.
install_to_lint() {
  case $(uname) in
    Darwin) brew_install python@3.13 shellcheck ;;
    *) apt_install git python3 python3-venv shellcheck ;;
  esac
}

# install_to_release: what splits binaries, and knows which package has which library.
install_to_release() { apt_install binutils dpkg-dev python3 git; }

# install_to_judge: what judges packages, man pages, completions and the formula.
install_to_judge() { apt_install lintian man-db groff zsh fish ruby; }

# install_rgw: Ceph's RADOS gateway, which only Debian's and Ubuntu's packages bring.
install_rgw() {
  [[ $(uname) != Darwin ]] || return 0
  apt_install radosgw ceph-common ceph-mon ceph-osd
}

apt_install() {
  local package
  local -a root=()
  local -a missing=()
  for package; do
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  echo "installing ${missing[*]}"
  if ((UID != 0)); then
    command -v sudo >/dev/null || {
      echo "as root, run: apt-get install ${missing[*]}" >&2
      return 1
    }
    root=(sudo)
  fi
  # The lists are fetched only where they are absent or too old to serve.
  local -a install=(env DEBIAN_FRONTEND=noninteractive
    apt-get install --quiet --yes --no-install-recommends "${missing[@]}")
  ${root[@]+"${root[@]}"} "${install[@]}" </dev/null || {
    ${root[@]+"${root[@]}"} apt-get update --quiet </dev/null
    ${root[@]+"${root[@]}"} "${install[@]}" </dev/null
  }
}

brew_install() {
  command -v brew >/dev/null || {
    echo "Homebrew is needed to install $*" >&2
    return 1
  }
  local package
  for package; do
    brew list --versions "$package" >/dev/null 2>&1 || brew install --quiet "$package" </dev/null
  done
}

# find_libraries: lets pkg-config see what brew keeps out of the default path.
find_libraries() {
  [[ $(uname) == Darwin ]] || return 0
  local package
  for package in curl openssl@3 expat zlib; do
    PKG_CONFIG_PATH="$(brew --prefix "$package")/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
  done
  export PKG_CONFIG_PATH
}
