#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD [option...]: the benchmarks of a build folder; the figures also go to BUILD/bench.json. docs/performance.md
# says what they mean. Options: --repetitions N, --seconds S (per case, at most), --only NAME.
set -eu
[ $# -ge 1 ] || { echo "usage: run.sh BUILD [--repetitions N] [--seconds S] [--only NAME]" >&2; exit 2; }
build=$1
shift
source=$(cd "$(dirname "$0")/../.." && pwd)
bench=$build/tests/bench/heddle_bench
[ -x "$bench" ] || { echo "run.sh: $bench is missing; build the target heddle_bench first" >&2; exit 2; }
revision=$(git -C "$source" describe --always --dirty 2>/dev/null || echo unknown)
exec "$bench" --apps "$build/apps" --revision "$revision" --json "$build/bench.json" "$@"
