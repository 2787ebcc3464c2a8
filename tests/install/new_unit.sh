#!/bin/sh
# SPDX-License-Identifier: MIT
# new_unit.sh BUILD SOURCE: docs/add-a-unit.md, step by step, in a copy of the source folder.
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

begin=$(date +%s)
quietly cmake -G Ninja -S . -B build -D CMAKE_BUILD_TYPE=Debug -D HEDDLE_TESTS=ON -D HEDDLE_SANITIZE="$sanitize"
HEDDLE_APPS=$apps HEDDLE_EXAMPLES_ROOT=$scratch/copy quietly tests/docs/run_examples.sh . "$heddle" docs/add-a-unit.md
echo "$(tail -n 1 "$scratch/log"), with the building of Heddle, in $(($(date +%s) - begin)) s"
refused "there is a scheduler 'eldest' already" "$heddle" new unit eldest
echo "made, built and run"
