#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD [option...]: the benchmarks of a build folder; the figures also go to BUILD/bench.json. docs/performance.md
# says what they mean. Options: --repetitions N, --seconds S (per case, at most), --only NAME.
# run.sh BUILD --record: all of them; the figures also go to docs/results/speed.json, their ratios, as one more row, to
# docs/results/speed-series.json, and the plots of docs/performance.md are drawn anew.
set -eu
[ $# -ge 1 ] || { echo "usage: run.sh BUILD [--record] [--repetitions N] [--seconds S] [--only NAME]" >&2; exit 2; }
build=$1
shift
source=$(cd "$(dirname "$0")/../.." && pwd)
bench=$build/tests/bench/heddle_bench
[ -x "$bench" ] || { echo "run.sh: $bench is missing; build the target heddle_bench first" >&2; exit 2; }
revision=$(git -C "$source" describe --always --dirty 2>/dev/null || echo unknown)
date=$(git -C "$source" log -1 --format=%cs 2>/dev/null || date +%F)
json=$build/bench.json
record=
if [ "${1:-}" = --record ]; then
    shift
    record=1
    json=$source/docs/results/speed.json
    set -- --series "$source/docs/results/speed-series.json" "$@"
fi
"$bench" --apps "$build/apps" --revision "$revision" --date "$date" --json "$json" "$@"
[ -z "$record" ] || "$build/tests/bench/plots" "$json" "$source/docs/results/speed-series.json" \
    "$source/docs/results/idle-cores.json" "$source/docs/images"
