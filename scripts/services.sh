#!/usr/bin/env bash
# The services that the test suite needs for real, from the distribution's packages. Installs what is missing where that
# is possible without asking anybody (as root, on Debian and its kin); otherwise says how to get it, and leaves it at
# that: tests then skip what they cannot start, or fail if OSTROM_REQUIRE_SERVICES=1. Starts nothing and stops nothing.
set -euo pipefail

missing=()

has_postgresql() {
  command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}

has_chromium() {
  command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null ||
    command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null
}

has_postgresql || missing+=(postgresql)
has_chromium || missing+=(chromium)
command -v firefox-esr >/dev/null || command -v firefox >/dev/null || missing+=(firefox-esr)
# For the disk with faults, tests/torture/faulty_disk.c.
command -v cc >/dev/null || missing+=(gcc libc6-dev)

if [ "${#missing[@]}" -eq 0 ]; then
  exit 0
fi

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "services: some tests need ${missing[*]}; to get it: sudo apt-get install ${missing[*]}"
  exit 0
fi

echo "services: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
# Debian's package would make a cluster of its own and start it; the tests make theirs.
if [[ " ${missing[*]} " == *" postgresql "* && ! -e /etc/postgresql-common/createcluster.conf ]]; then
  mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  apt-get update || return
  # Where there is one, Chromium without its windows: the tests need none, and are quicker.
  if apt-cache show chromium-headless-shell; then missing=("${missing[@]/%chromium/chromium-headless-shell}"); fi
  apt-get install -y --no-install-recommends "${missing[@]}"
}
if ! install >"$log" 2>&1; then
  tail -n 3 "$log" >&2
  echo "services: ${missing[*]} could not be installed; to get it: apt-get install ${missing[*]}"
fi
