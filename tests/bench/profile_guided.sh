#!/bin/sh
# SPDX-License-Identifier: MIT
# profile_guided.sh [BUILD]: a release build for which gcc knows how often each line of it runs, in BUILD (build/guided).
# It is built, runs every app of the benchmark for a moment, and is built again.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/guided}
export CCACHE_DISABLE=1 # it may rename sources, and a profile is of the names that were compiled
configure() {
    cmake -S . -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Release -D HEDDLE_LTO=ON -D HEDDLE_TESTS=ON -D HEDDLE_PROFILE="$1" >&2
    cmake --build "$build" --target heddle_command bench_prepared >&2
}
find "$build" -name '*.gcda' -delete 2>/dev/null || :
configure generate
"$build/tests/bench/heddle_bench" --apps "$build/apps" --repetitions 1 --seconds 0 >&2
configure use
echo "$build/heddle"
