#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh SECONDS [TARGET...]: fuzzes each target for that long, all of them unless some are named, one after the other. Needs
# build/fuzz (cmake --preset fuzz && cmake --build --preset fuzz --target fuzzers); HEDDLE_BUILDS names another folder than build.
#
# What was learnt stays in build/fuzz/fuzzing/TARGET/corpus, and a finding in build/fuzz/fuzzing/TARGET/findings. A finding
# that is mended goes to tests/fuzz/findings/TARGET, where every test run repeats it. Says how many inputs were tried; exits 1
# after a finding.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
builds=$(cd "${HEDDLE_BUILDS:-$here/../../build}" && pwd)
build=$builds/fuzz
seconds=$1
shift
bad=0

# Inputs from elsewhere in the tree.
others() {
    case $1 in
    netlist) echo "$here/../../configs/machines" "$here/../unit/netlist/errors" ;;
    app | program | firmware)
        for file in "$builds"/release/apps/*/"$2"; do
            [ -e "$file" ] && cp "$file" "$kept/seeds/$(basename "$(dirname "$file")")"
        done
        echo "$kept/seeds"
        ;;
    esac
}

fuzz() {
    kept=$build/fuzzing/$1
    mkdir -p "$kept/corpus" "$kept/findings" "$kept/seeds"
    seeds="$here/corpus/$1 $(others "$1" "$2")"
    [ ! -e "$here/findings/$1" ] || seeds="$seeds $here/findings/$1"
    set -- "$1" "$build/tests/fuzz/fuzz_$1" -timeout=10 -rss_limit_mb=2048 -max_len="$3" -artifact_prefix="$kept/findings/"
    [ ! -e "$here/dictionaries/$1.dict" ] || set -- "$@" -dict="$here/dictionaries/$1.dict"
    name=$1
    shift
    # shellcheck disable=SC2086
    if ! "$@" -max_total_time="$seconds" -close_fd_mask=3 -print_final_stats=1 "$kept/corpus" $seeds >"$kept/log" 2>&1; then
        bad=1
        tail -n 60 "$kept/log" >&2
        finding=$(sed -n 's/.*Test unit written to //p' "$kept/log" | tail -n 1)
        [ ! -e "$finding" ] || "$@" "$finding" >&2 || :
        echo "finding: $finding" >&2
    fi
    tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$kept/log")
    echo "$name: ${tried:-?} inputs in $seconds s, $(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$kept/log" | tail -n 1) edges"
}

target() {
    case $1 in
    netlist) fuzz netlist - 8192 ;;
    sweep) fuzz sweep - 4096 ;;
    program) fuzz program kernel.elf 16384 ;;
    firmware) fuzz firmware firmware.elf 16384 ;;
    code) fuzz code - 1024 ;;
    plugin) fuzz plugin - 4096 ;;
    app) fuzz app app.yaml 4096 ;;
    trace) fuzz trace - 2048 ;;
    kernelc) fuzz kernelc - 16384 ;;
    *)
        echo "there is no fuzz target '$1'" >&2
        exit 2
        ;;
    esac
}

[ $# -gt 0 ] || set -- netlist sweep program firmware code plugin app trace kernelc
for name in "$@"; do
    target "$name"
done
exit $bad
