#!/bin/sh
# SPDX-License-Identifier: MIT
# figures.sh BUILD [CALLS [ONLY]]: what docs/results/vector-length.md shows, as rows of comma-separated values: figure, program, case, vector
# length, cycles, instructions, full vector loads, lines that they touched, all as measured between the marks of the program. CALLS is
# how often each function of strings is called for Figures 5.7 to 5.9; 100000 if it is not given. One run after the
# other. ONLY: what "FIGURE,PROGRAM" of a row begins with.
set -eu

build=$1
calls=${2:-100000}
only=${3:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run FIGURE PROGRAM CASE VLEN ARGUMENTS [SET...]
run() {
    figure=$1 program=$2 case=$3 vlen=$4 arguments=$5
    shift 5
    case "$figure,$program" in
    "$only"*) ;;
    *) return 0 ;;
    esac
    sets=
    for set in "$@"; do
        sets="$sets --set $set"
    done
    # shellcheck disable=SC2086
    "$build/heddle" run "$root/configs/vector/vector_core.yaml" --set "os.program=$build/vector/$program.elf" \
        --set "core.vlen=$vlen" --set "os.arguments=$arguments" $sets --quiet --stats "$scratch/stats.json" >"$scratch/output" ||
        { cat "$scratch/output" >&2; exit 1; }
    values=$(sed -n '/"core": {/,$p' "$scratch/stats.json" | awk -F '[:,]' '
        /"measured_(cycles|instructions|vector_loads|vector_load_lines)"/ {
            gsub(/[" ]/, "", $1)
            if (!($1 in value)) value[$1] = $2 + 0
        }
        END { print value["measured_cycles"] "," value["measured_instructions"] "," value["measured_vector_loads"] "," value["measured_vector_load_lines"] }')
    echo "$figure,$program,$case,$vlen,$values"
}

for program in v_strchr v_strcmp v_strcpy v_strlen v_strstr; do
    for vlen in 128 256 512 1024; do
        run 5.7 $program "64 words" $vlen "$calls 1 64"
    done
done
for vlen in 128 512; do
    for width in 1 2 4 8; do
        run 5.10 v_strchr "width $width" $vlen "20000 1 64" core.issue.width=$width
    done
    for depth in 4 8; do
        run 5.10 v_strchr "depth $depth" $vlen "20000 1 64" "core.decode.depth=${depth}cycles"
    done
    for window in 32 64 256; do
        run 5.10 v_strchr "window $window" $vlen "20000 1 64" core.rob.entries=$window
    done
    run 5.10 v_strchr "branches predicted by counters" $vlen "20000 1 64" core.predictor=bimodal
done
for vlen in 128 256 512 1024; do
    run 5.11 v_sssp "10 %" $vlen "1000 100000 1"
    run 5.11 v_sssp "0.001 %" $vlen "100000 10 1"
done
for vlen in 128 256 512 1024 2048; do
    run words v_strlen "1 word" $vlen "20000 1 1"
    run words v_strlen "12 words" $vlen "20000 1 12"
    run words v_strlen "500 words" $vlen "20000 1 500"
done
