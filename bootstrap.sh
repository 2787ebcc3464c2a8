#!/bin/sh
# SPDX-License-Identifier: MIT
# From a bare Debian 12 to a running Heddle.
#
#   ./bootstrap.sh demo        install, build, run a hash table on a GTX480-like machine, compare two schedulers, draw plots
#   ./bootstrap.sh test        install, build, run the tests
#   ./bootstrap.sh test-long   the tests under two compilers and the sanitizers, then paper-size inputs, fuzzing (an hour)
#   ./bootstrap.sh install     install what is missing of what the demo and the tests need
#   ./bootstrap.sh build       install and build, without tests
set -eu

cd "$(dirname "$0")"

# The compiler of OpenCL C, without which everything else is built and tested.
opencl_packages="clang-16 llvm-16 libclc-16 llvm-spirv-15"

# docs/dependencies.md says what each is for.
build_packages="gcc g++ cmake ninja-build pkg-config libsystemc-dev libyaml-dev libjansson-dev libsqlite3-dev uthash-dev gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf opencl-headers"
test_packages="$build_packages libcriterion-dev libunicorn-dev qemu-user gdb-multiarch mypy python3 python3-setuptools python3-wheel python3-venv python3-numpy graphviz slurm-wlm munge chromium librsvg2-bin ocl-icd-opencl-dev clinfo pocl-opencl-icd clang-19 llvm-19"
long_packages="$test_packages clang libclang-rt-dev python3-clang-14 jq"

say() {
    echo "==> $*" >&2
}

# quietly LOG COMMAND...: the output goes to a file, and is shown if the command fails.
quietly() {
    log=build/$1.log
    shift
    mkdir -p build
    if ! "$@" >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        say "failed: $*"
        say "all of its output: $log"
        exit 1
    fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

# Installs those of the named Debian packages that are missing.
install_packages() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "not a Debian system; install the counterparts of:$missing"
        return 0
    fi
    say "installing:$missing"
    quietly update as_root apt-get update
    # shellcheck disable=SC2086
    quietly install as_root apt-get install -y --no-install-recommends $missing
}

# What 'heddle report' draws with: the packages of share/report/package-lock.json, fetched from the registry of npm once. Nothing
# else needs them: where the registry cannot be reached, everything else is built and run.
install_web() {
    fetched=share/report/node_modules/.package-lock.json
    if [ -e "$fetched" ] && ! [ share/report/package-lock.json -nt "$fetched" ]; then
        return 0
    fi
    command -v npm >/dev/null || install_packages nodejs npm
    say "fetching the packages of share/report"
    mkdir -p build
    if npm ci --prefix share/report --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000 \
        >build/npm.log 2>&1; then
        touch "$fetched"
        return 0
    fi
    rm -f "$fetched"
    say "left out: 'heddle report' and its tests, since npm could not fetch its packages (build/npm.log says why)"
}

# build PRESET TESTS [TARGET]: TESTS is ON or OFF.
build() {
    say "building (build/$1)"
    quietly "configure-$1" cmake --preset "$1" -D HEDDLE_TESTS="$2"
    if [ -t 1 ]; then
        cmake --build --preset "$1" --target "${3:-all}"
    else
        quietly "build-$1" cmake --build --preset "$1" --target "${3:-all}"
    fi
}

# run_tests PRESET
run_tests() {
    say "testing (build/$1)"
    ctest --preset "$1" -j "$(nproc)"
}

# shellcheck disable=SC2086
case "${1:-}" in
install)
    install_packages $test_packages $opencl_packages
    install_web
    ;;
build)
    install_packages $build_packages $opencl_packages
    install_web
    build release OFF
    ;;
demo)
    install_packages $build_packages $opencl_packages
    install_web
    build release OFF
    share/demo/demo.sh build/release/heddle
    ;;
test)
    install_packages $test_packages $opencl_packages
    install_web
    build release ON
    run_tests release
    ;;
test-long)
    install_packages $long_packages $opencl_packages
    install_web
    for preset in release clang dev asan tsan; do
        build "$preset" ON
        run_tests "$preset"
    done
    build fast OFF
    build fuzz ON fuzzers
    tests/long/run.sh build/long-tier.md
    ;;
*)
    sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
