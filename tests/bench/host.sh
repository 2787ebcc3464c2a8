#!/bin/bash
# SPDX-License-Identifier: MIT
# host.sh BUILD [--record]: what the host side costs, of a native host and of firmware: the round trip of a launch of an empty
# kernel, in simulated time and in time of the simulator; the speed of firmware in a whole machine, alone and while kernels
# run. Times are processor time; each figure is the difference of a long and a short run, the median of five. --record
# writes the table to docs/results/host.md.
set -eu
[ $# -ge 1 ] || { echo "usage: host.sh BUILD [--record]" >&2; exit 2; }
source=$(cd "$(dirname "$0")/../.." && pwd)
heddle=$1/heddle
app=$source/tests/bench/host_speed
record=${2:-}
[ -x "$heddle" ] || { echo "host.sh: $heddle is missing" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
repetitions=5

# run MACHINE SETTING...: sets seconds (of the processor; nothing is written but the summary), picoseconds (simulated) and
# instructions (of the host CPU).
run() {
    local machine=$source/configs/$1 arguments=() setting
    shift
    for setting; do arguments+=(--set "$setting"); done
    TIMEFORMAT='%U %S'
    { time "$heddle" run "$machine" "$app" "${arguments[@]}" > "$scratch/out" 2>&1; } 2> "$scratch/time" ||
        { cat "$scratch/out" >&2; exit 1; }
    seconds=$(awk '{print $1 + $2}' "$scratch/time")
    "$heddle" run "$machine" "$app" "${arguments[@]}" --quiet --stats "$scratch/stats.json"
    picoseconds=$(sed -n 's/^ *"simulated_ps": \([0-9]*\),*$/\1/p' "$scratch/stats.json")
    instructions=$(sed -n 's/^ *"instructions": \([0-9]*\),*$/\1/p' "$scratch/stats.json" | sort -n | tail -n 1)
}

median() { sort -g | sed -n "$(((repetitions + 1) / 2))p"; }

# launches MACHINE COUNT: a row.
launches() {
    local base_seconds base_picoseconds simulated n
    : > "$scratch/figures"
    for ((n = 0; n < repetitions; n++)); do
        run "$1" app.launches=1
        base_seconds=$seconds base_picoseconds=$picoseconds
        run "$1" "app.launches=$(($2 + 1))"
        simulated=$(((picoseconds - base_picoseconds) / $2))
        awk "BEGIN {print 1e6 * ($seconds - $base_seconds) / $2}" >> "$scratch/figures"
    done
    printf '| `%s` | %.2f us | %.0f us |\n' "$1" "$(awk "BEGIN {print $simulated / 1e6}")" "$(median < "$scratch/figures")"
}

# computes TEXT MACHINE SETTING...: a row. Firmware that computes longer, everything else alike.
computes() {
    local text=$1 short
    shift
    : > "$scratch/figures"
    for ((n = 0; n < repetitions; n++)); do
        run "$@" app.turns=1M
        short=$seconds less=$instructions
        run "$@" app.turns=16M
        awk "BEGIN {print 1e-6 * ($instructions - $less) / ($seconds - $short)}" >> "$scratch/figures"
    done
    printf '| %s | %.0f |\n' "$text" "$(median < "$scratch/figures")"
}

# beside TEXT MACHINE SETTING...: a row. Firmware computes while a kernel runs: its instructions in all the time that it takes.
beside() {
    local text=$1
    shift
    : > "$scratch/figures"
    for ((n = 0; n < repetitions; n++)); do
        run "$@"
        awk "BEGIN {print 1e-6 * $instructions / $seconds}" >> "$scratch/figures"
    done
    printf '| %s | %.1f |\n' "$text" "$(median < "$scratch/figures")"
}

table() {
    echo "| Launch of an empty kernel, and wait, on | simulated | of the simulator |"
    echo "|---|---|---|"
    launches machines/gtx480.yaml 2000
    launches variants/gtx480_dma.yaml 2000
    launches variants/gtx480_firmware.yaml 2000
    launches variants/gtx480_firmware_dma.yaml 2000
    echo
    echo "| Firmware in a whole machine, DMI, quantum 100 us | MIPS |"
    echo "|---|---|"
    computes "alone" variants/gtx480_firmware.yaml
    computes "alone, with a DMA engine" variants/gtx480_firmware_dma.yaml
    beside "while one warp of a kernel runs" variants/gtx480_firmware.yaml app.threads=32 app.rounds=300K app.turns=150K
    beside "while a kernel keeps all cores busy" variants/gtx480_firmware.yaml app.rounds=4K app.turns=13K
}

if [ "$record" = --record ]; then
    {
        echo "# The host side"
        echo
        echo "Written by \`tests/bench/host.sh BUILD --record\`; [performance.md](../performance.md) says what it means."
        echo
        echo "- commit $(git -C "$source" describe --always --dirty)"
        echo "- $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
        echo
        table
    } | tee "$scratch/host.md"
    cp "$scratch/host.md" "$source/docs/results/host.md"
else
    table
fi
