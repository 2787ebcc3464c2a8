#!/bin/sh
# SPDX-License-Identifier: MIT
# new_unit.sh BUILD SOURCE: `heddle new unit` in a copy of the source folder; the copy builds, the unit passes the tests of
# schedulers, and a machine runs with it.
set -eu

heddle=$1/heddle
apps=$1/apps
sanitize=$(sed -n 's/^HEDDLE_SANITIZE:STRING=//p' "$1/CMakeCache.txt") # the copy loads the apps of this build
source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL: $*" >&2
    [ ! -s "$scratch/log" ] || tail -n 40 "$scratch/log" >&2
    exit 1
}

quietly() {
    "$@" >"$scratch/log" 2>&1 || fail "$*"
}

refused() {
    text=$1
    shift
    ! "$@" >"$scratch/log" 2>&1 && grep -qF "$text" "$scratch/log" || fail "not refused: $*"
}

mkdir "$scratch/copy"
cd "$scratch/copy"
for part in CMakeLists.txt LICENSE THIRD_PARTY cmake configs docs firmware models platform share tests; do
    cp -R "$source/$part" .
done

refused "is not Heddle's source folder" "$heddle" new unit eldest --to "$scratch"
refused "there is a scheduler 'gto' already" "$heddle" new unit gto
quietly "$heddle" new unit eldest
refused "there is a scheduler 'eldest' already" "$heddle" new unit eldest

quietly cmake -G Ninja -S . -B build -D CMAKE_BUILD_TYPE=Debug -D HEDDLE_TESTS=ON -D HEDDLE_SANITIZE="$sanitize"
quietly cmake --build build --target test_simt_core_scheduler heddle_command
quietly build/tests/unit/simt_core/test_simt_core_scheduler --verbose
grep -q 'scheduler_eldest::picks_the_oldest_that_is_ready' "$scratch/log" || fail "the unit's test is not run"
export HEDDLE_APPS="$apps"
quietly build/heddle run configs/machines/gtx480.yaml hashtable --set core.scheduler=eldest --set app.grid=4 --set app.inserts=2
grep -q '^PASS  hashtable' "$scratch/log" || fail "no PASS"
quietly build/heddle list simt_core
grep -q 'lrr|gto|eldest' "$scratch/log" || fail "not in the list"
echo "made, built and run"
