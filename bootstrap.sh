#!/bin/sh
# SPDX-License-Identifier: MIT
# From a bare Debian 12 to a running Heddle.
#
#   ./bootstrap.sh demo        install, build, run the hash table on the GTX480-like machine, show the result
#   ./bootstrap.sh test        install, build, run the tests
#   ./bootstrap.sh test-long   the same with the long tier: paper-size inputs, sanitizers, two compilers
#   ./bootstrap.sh install     install what is missing, nothing else
#   ./bootstrap.sh build       install and build
set -eu

cd "$(dirname "$0")"

packages="gcc g++ cmake ninja-build pkg-config libsystemc-dev libyaml-dev libjansson-dev libcriterion-dev
          gcc-riscv64-unknown-elf graphviz"
long_packages="clang libclang-rt-14-dev"

say() {
    echo "==> $*" >&2
}

# Installs those of the named Debian packages that are missing.
install_packages() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    say "installing:$missing"
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    $as_root apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# build PRESET
build() {
    say "building ($1)"
    cmake --preset "$1" >/dev/null
    cmake --build --preset "$1"
}

# shellcheck disable=SC2086
case "${1:-}" in
install)
    install_packages $packages
    ;;
build)
    install_packages $packages
    build release
    ;;
demo)
    install_packages $packages
    build release
    mkdir -p runs
    say "build/release/bin/heddle run configs/machines/gtx480.yaml hashtable --stats runs/demo.json"
    build/release/bin/heddle run configs/machines/gtx480.yaml hashtable --stats runs/demo.json
    say "every statistic of this run: runs/demo.json"
    ;;
test)
    install_packages $packages
    build release
    say "testing"
    ctest --preset release -j 2
    ;;
test-long)
    install_packages $packages $long_packages
    for preset in release clang dev asan; do
        build "$preset"
        say "testing ($preset)"
        ctest --preset "$preset" -j 2
    done
    tests/long/run.sh build/release build/clang build/dev
    ;;
*)
    sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
