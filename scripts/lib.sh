# shellcheck shell=bash
# What scripts/run, scripts/check and scripts/test share: where things are, set-up, stages.
# Everything it says goes to standard error; standard output belongs to the programs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.build/venv
export PYTHONDONTWRITEBYTECODE=1

say() { printf '%s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null; }

# die CODE SENTENCE: ends the script; `finish` prints the sentence last.
die() {
  reason=$2
  exit "$1"
}

# stage NAME COMMAND…: runs one step and remembers how long it took.
stages=() running='' reason=''
stage() {
  local began=$SECONDS
  running=$1
  say "── $running"
  "${@:2}"
  stages+=("$(printf '%6d s  %s' $((SECONDS - began)) "$running")")
  running=''
}

# On the way out: what ran, how long each stage took, and the reason if it failed.
finish() {
  local code=$?
  if ((${#stages[@]})); then
    say "── stages"
    printf '%s\n' "${stages[@]}" "$(printf '%6d s  in all' "$SECONDS")" >&2
  fi
  ((code == 0)) && return
  say "scripts/${0##*/} failed${running:+ in \"$running\"} (exit $code)${reason:+: $reason}"
}
trap finish EXIT

# set_up COMMAND…: installs these (each has the name of its apt package), the headers and C++
# library that the build links, and looks at Swift.
set_up() {
  need_packages "$@"
  need_swift
}

need_packages() {
  local missing=() name
  for name in "$@"; do
    have "$name" || missing+=("$name")
  done
  if ! have dpkg-query; then
    say "Not Debian or Ubuntu: SQLite, zlib and OpenSSL headers are taken to be here."
    ((${#missing[@]} == 0)) || die 69 "These commands are missing: ${missing[*]}."
    return
  fi
  for name in ca-certificates libsqlite3-dev libssl-dev zlib1g-dev; do
    installed "$name" || missing+=("$name")
  done
  installed 'libstdc++-*-dev' || missing+=(g++)
  ((${#missing[@]} == 0)) || apt_install "${missing[@]}"
}

installed() {
  dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

apt_install() {
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  if ((EUID != 0)); then
    sudo -n true 2>/dev/null ||
      die 69 "Packages are missing that this user may not install: sudo apt-get install $*"
    apt=(sudo -n "${apt[@]}")
  fi
  say "Installing $*"
  { "${apt[@]}" update && "${apt[@]}" install --yes --no-install-recommends "$@"; } >&2 ||
    die 69 "apt-get could not install: $*"
}

need_swift() {
  local found major minor
  have swift || die 69 "Swift is missing. Hub needs 6.2 or newer: https://www.swift.org/install"
  found=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p')
  read -r major minor <<<"${found:-0 0}"
  ((major > 6 || (major == 6 && minor >= 2))) ||
    die 69 "Hub needs Swift 6.2 or newer; this is ${found/ /.}: https://www.swift.org/install"
}

# The Python packages of the tests, in an environment of their own, renewed when the list changes.
need_python_packages() {
  local list=$root/scripts/requirements.txt
  python3 -c 'import ensurepip, venv' 2>/dev/null || apt_install python3-venv
  if cmp -s "$list" "$venv/requirements.txt" && "$venv/bin/python" -c ''; then return; fi
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$list" ||
    die 69 "pip could not install scripts/requirements.txt into $venv"
  cp "$list" "$venv/requirements.txt"
}
