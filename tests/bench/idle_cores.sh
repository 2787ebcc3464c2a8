#!/bin/bash
# SPDX-License-Identifier: MIT
# idle_cores.sh BUILD [--record]: what a machine costs by its number of cores, of which one works: whole runs of one warp of xorshift,
# processor time (mean) and most memory. --record also writes docs/results/idle-cores.json and draws its plot.
set -eu
[ $# -ge 1 ] || { echo "usage: idle_cores.sh BUILD [--record]" >&2; exit 2; }
source=$(cd "$(dirname "$0")/../.." && pwd)
heddle=$1/heddle
record=${2:-}
[ -x "$heddle" ] || { echo "idle_cores.sh: $heddle is missing" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
repetitions=25

run() {
    "$@" run "$source/configs/machines/gtx480.yaml" xorshift --quiet \
        --set core.count="$cores" --set app.threads=32 --set app.block=32 --set app.steps=1
}

row() {
    local cores=$1 n kilobytes
    TIMEFORMAT='%U %S'
    { time for ((n = 0; n < repetitions; n++)); do run "$heddle"; done; } 2>"$scratch/seconds"
    kilobytes=$(run /usr/bin/time -f %M "$heddle" 2>&1)
    awk -v cores="$cores" -v runs=$repetitions -v kilobytes="$kilobytes" '
        { printf "  {\"cores\": %d, \"milliseconds\": %.1f, \"mebibytes\": %.1f}", cores, 1000 * ($1 + $2) / runs, kilobytes / 1024 }
    ' "$scratch/seconds"
}

table() {
    local cores separator=
    printf '{"rows": [\n'
    for cores in 1 15 60 125 250 500 750 1000; do
        printf '%s' "$separator"
        row "$cores"
        separator=$',\n'
    done
    printf '\n]}\n'
}

table | tee "$scratch/rows"
if [ "$record" = --record ]; then
    cp "$scratch/rows" "$source/docs/results/idle-cores.json"
    "$1/tests/bench/plots" "$source/docs/results/speed.json" "$source/docs/results/speed-series.json" \
        "$source/docs/results/idle-cores.json" "$source/docs/images"
fi
