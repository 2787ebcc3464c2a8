#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh REPORT: the long tier. Needs build/release, build/clang, build/dev and build/asan (./bootstrap.sh test-long).
#
# Paper-size inputs pass on the gtx480 machine; runs, compilers, build types and TLM modes give the same results; the
# tests pass under the sanitizers. Writes what was run and what came out to REPORT, in Markdown; exits 1 if anything differs.
set -eu

cd "$(dirname "$0")/../.."
report=$1
builds=${HEDDLE_BUILDS:-build}
machine=configs/machines/gtx480.yaml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

heddle() {
    build=$1
    shift
    "$builds/$build/heddle" "$@"
}

# compiler BUILD: its name and version.
compiler() {
    path=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$builds/$1/CMakeCache.txt")
    "$path" --version | head -n 1
}

# timed FILE COMMAND...: the output goes to FILE; sets `seconds`.
timed() {
    output=$1
    shift
    begin=$(date +%s.%N)
    status=0
    "$@" >"$output" 2>&1 || status=$?
    seconds=$(echo "$begin $(date +%s.%N)" | awk '{printf "%.1f", $2 - $1}')
    return "$status"
}

row() {
    echo "$*" >>"$report"
    echo "$*" >&2
}

failed() {
    failures=$((failures + 1))
    tail -n 20 "$scratch/output" >&2
}

# What a run gives, but for the section about the host and its time.
results() {
    jq -S 'del(.host)' "$1"
}

# paper_size APP SET...
paper_size() {
    app=$1
    shift
    arguments=
    for set in "$@"; do
        arguments="$arguments --set app.$set"
    done
    verdict=PASS
    # shellcheck disable=SC2086
    if ! timed "$scratch/output" heddle release run "$machine" "$app" $arguments --stats "$scratch/stats.json" ||
        ! grep -q "^PASS  $app on gtx480" "$scratch/output"; then
        verdict=FAIL
        failed
    fi
    cycles=$(jq '[.kernels[].cycles] | add' "$scratch/stats.json")
    instructions=$(jq '[.kernels[].warp_instructions] | add' "$scratch/stats.json")
    row "| \`heddle run $machine $app$arguments\` | $verdict | $cycles | $instructions | $seconds s |"
}

# same NAME APP SET BUILD ARGUMENT...: as the first run of this app.
same() {
    name=$1
    app=$2
    set=$3
    build=$4
    shift 4
    verdict="the same"
    if ! timed "$scratch/output" heddle "$build" run "$machine" "$app" --set "app.$set" "$@" --stats "$scratch/stats.json"; then
        verdict=FAIL
        failed
    fi
    results "$scratch/stats.json" >"$scratch/new.json"
    if [ "$name" = first ]; then
        mv "$scratch/new.json" "$scratch/first.json"
        verdict="$(sha256sum "$scratch/first.json" | cut -c 1-16)"
    elif ! diff "$scratch/first.json" "$scratch/new.json" >"$scratch/output"; then
        verdict=DIFFERENT
        failed
    fi
    row "| $app, $set | $build $* | $verdict | $seconds s |"
}

same_everywhere() {
    same first "$1" "$2" release
    same again "$1" "$2" release
    same tlm "$1" "$2" release --tlm=always
    same clang "$1" "$2" clang
    same debug "$1" "$2" dev
}

sanitizers() {
    verdict=PASS
    if ! timed "$scratch/output" ctest --test-dir "$builds/asan" -j 2; then
        verdict=FAIL
        failed
    fi
    row "| \`ctest --preset asan\` | $(grep 'tests passed' "$scratch/output") | $verdict | $seconds s |"
}

mkdir -p "$(dirname "$report")"
cat >"$report" <<END
# Long tier

Written by \`tests/long/run.sh\`, which \`./bootstrap.sh test-long\` calls.

- Heddle $(heddle release version | sed 's/^[^0-9]*//'), commit $(git rev-parse --short HEAD)
- release, dev, asan: $(compiler release); clang: $(compiler clang)
- $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)

## Inputs of the papers' sizes

| Command | Result | Cycles | Warp instructions | Time |
|---|---|---:|---:|---:|
END
paper_size hashtable buckets=8000
paper_size hashtable buckets=80000
paper_size hashtable buckets=800000
paper_size atm accounts=1000000

cat >>"$report" <<END

## The same results

\`stats.json\` without its section \`host\`, compared with that of the first run, of which the start of the SHA-256 is given.

| Input | Build and options | Result | Time |
|---|---|---|---:|
END
same_everywhere hashtable buckets=8000
same_everywhere bfs scale=10
same_everywhere atm accounts=10000

cat >>"$report" <<END

## Sanitizers

Address and undefined behaviour, with leak detection.

| Command | Tests | Result | Time |
|---|---|---|---:|
END
sanitizers

[ "$failures" = 0 ] || echo "$failures failures" >&2
[ "$failures" = 0 ]
